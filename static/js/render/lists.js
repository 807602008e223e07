// Pieces of the places that are no game: lists, small pictures of positions, and what is shown where there is nothing.
/** @import {GameInfo, Geometry, State} from '../types.js' */

import { isAccount } from '../format.js';
import { geometryOf } from '../games/index.js';
import { agoText, t } from '../i18n.js';
import { h, pieceImage, whenChanged } from './dom.js';
import { gameKind, plainName, ratingNodes, readingOrder } from './parts.js';

/** A small picture of a position, not to play on; without a label it is an ornament. @param {Geometry} geometry @param {string} fen @param {string} label */
export function miniSheet(geometry, fen, label) {
  const pieces = geometry.pieces(fen);
  const boards = geometry.layout(false).flatMap((cell) => ('board' in cell ? [cell.board] : []));
  return h('div', { class: `mini ${geometry.name}`, ...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': 'true' }) },
    ...boards.map((board) => h('div', { class: 'mini-board', 'data-board': geometry.boards[board].id }, ...readingOrder(geometry, board).map((square) => {
      const piece = pieces.get(square);
      return h('i', { class: geometry.isDark(square) ? 'dark' : null }, piece && pieceImage(piece));
    }))));
}

/**
 * A list of clocks, the first of them none.
 * @param {string} name
 * @param {(time: string) => void} chosen `3+2`, or nothing for no clock
 */
export function timeSelect(name, chosen) {
  const el = h('select', { name, 'aria-label': t('challenge.time'), change: () => chosen(el.value) });
  const draw = whenChanged((/** @type {string} */ times) => {
    el.replaceChildren(h('option', { value: '' }, t('speed.untimed')), ...times.split(' ').filter((time) => time).map((time) => h('option', { value: time }, time)));
  });
  return {
    el,
    /** @param {{time: string}[]} pools @param {string} time */
    update(pools, time) {
      draw(pools.map((pool) => pool.time).join(' '));
      if (el.value !== time) el.value = time;
    },
  };
}

/** @param {GameInfo} game */
function score(game) {
  return { white: ['1', '0'], black: ['0', '1'], draw: ['½', '½'] }[game.outcome ?? ''] ?? ['', ''];
}

/**
 * One game in a list: both players with their points, what it is, how it ended.
 * @param {GameInfo} game
 */
export function gameRow(game) {
  const [white, black] = score(game);
  const side = (/** @type {'white' | 'black'} */ color, /** @type {string} */ points) => h('span', { class: 'side' },
    h('i', { class: `pip ${color}` }), plainName(game[color]), h('small', {}, ...ratingNodes(game[color])), h('output', {}, points));
  const live = !game.outcome;
  const how = live ? t('game.live') : t(`termination.${game.termination}`);
  const when = agoText(game.ended_at ?? game.created_at, Date.now());
  return h('li', {}, h('a', { class: 'game-row', href: `/g/${game.id}` },
    h('span', { class: 'sides' }, side('white', white), side('black', black)),
    h('span', { class: 'about' }, h('span', {}, gameKind(game)), h('small', { class: live ? 'live' : null }, `${how} · ${when}`))));
}

/** @param {GameInfo[]} games @param {string} none */
export function gameList(games, none) {
  return games.length ? h('ul', { class: 'game-list' }, ...games.map(gameRow)) : h('p', { class: 'quiet' }, none);
}

/** What `update` of a page needs to know whether it may offer rated games. @param {State} state */
export const hasAccount = (state) => isAccount(state.session.player);

/** A page that says that there is nothing. @param {string} title @param {string} text */
export function emptyPage(title, text) {
  return h('div', { class: 'page narrow empty' },
    miniSheet(geometryOf('fourfold'), '4/1N2/4/4|4/4/2K1/4|4/4/1k2/4|4/4/4/2b1 w 0 1', ''), h('h1', {}, title), h('p', {}, text),
    h('p', {}, h('a', { class: 'button primary', href: '/' }, t('action.home'))));
}
