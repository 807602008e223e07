// Pieces of pages that more than one page uses.
/** @import {GameInfo, Geometry, Player, Send, State} from '../types.js' */

import { geometryOf } from '../games/index.js';
import { ratingText, timeText } from '../format.js';
import { agoText, nameText, t } from '../i18n.js';
import { profilePath } from '../router.js';
import { h, pieceImage, show, whenChanged } from './dom.js';

/** A player's name; an account's leads to its profile. @param {Player} player */
export function playerName(player) {
  if (player.kind !== 'account') return h('span', { class: 'name' }, nameText(player));
  return h('a', { class: 'name', href: profilePath(player.name) }, player.name);
}

/** The squares of a board as one reads them, the last rank first. @param {Geometry} geometry @param {number} board */
export function readingOrder({ squares, side }, board) {
  const first = board * side * side;
  const ranks = Array.from({ length: side }, (_, y) => squares.slice(first + y * side, first + (y + 1) * side));
  return ranks.reverse().flat();
}

/** A small picture of a position, not to play on. @param {Geometry} geometry @param {string} fen @param {string} label */
export function miniSheet(geometry, fen, label) {
  const pieces = geometry.pieces(fen);
  const boards = geometry.layout(false).flatMap((cell) => ('board' in cell ? [cell.board] : []));
  return h('div', { class: `mini ${geometry.name}`, role: 'img', 'aria-label': label },
    ...boards.map((board) => h('div', { class: 'mini-board', 'data-board': geometry.boards[board].id }, ...readingOrder(geometry, board).map((square) => {
      const piece = pieces.get(square);
      return h('i', { class: geometry.isDark(square) ? 'dark' : null }, piece && pieceImage(piece));
    }))));
}

/** A clock as people read it, or that there is none. @param {GameInfo['time']} time */
export const clockName = (time) => (time ? timeText(time) : t('speed.untimed'));

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
export function gameKind(game) {
  return t('game.kind', { time: clockName(game.time), variant: t(`variant.${game.variant}`), rated: t(game.rated ? 'rated' : 'casual') });
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
    h('i', { class: `pip ${color}` }), h('b', {}, nameText(game[color])), h('small', {}, ratingText(game[color])), h('output', {}, points));
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

/**
 * A set of choices of which one holds, as radio buttons that look like a switch.
 * @param {string} name
 * @param {string} label
 * @param {{value: string, text: string, hint?: string, props?: Record<string, unknown>}[]} options `hint` is written over the text
 * @param {(value: string) => void} chosen
 */
export function choice(name, label, options, chosen) {
  const inputs = options.map(({ value, text, hint, props }) => {
    const input = h('input', { type: 'radio', name, value, ...props, change: () => chosen(value) });
    return { value, input, el: h('label', {}, input, h('span', {}, hint && h('b', { class: 'tab' }, hint), text)) };
  });
  const el = h('fieldset', { class: 'choice' }, h('legend', { class: 'unseen' }, label), ...inputs.map((i) => i.el));
  return {
    el,
    /** @param {string} value */
    set(value) {
      for (const i of inputs) if (i.input.checked !== (i.value === value)) i.input.checked = i.value === value;
    },
    /** Only these can be chosen. @param {string[]} values */
    offer(values) {
      for (const i of inputs) show(i.el, values.includes(i.value));
    },
    /** @param {string} value @param {boolean} off */
    disable(value, off) {
      for (const i of inputs) if (i.value === value) i.input.disabled = off;
    },
  };
}

/** What `update` of a page needs to know whether it may offer rated games. @param {State} state */
export const hasAccount = (state) => state.session.player?.kind === 'account';

/** A page that says that there is nothing. @param {string} title @param {string} text */
export function emptyPage(title, text) {
  return h('div', { class: 'page narrow empty' },
    miniSheet(geometryOf('fourfold'), '4/1N2/4/4|4/4/2K1/4|4/4/1k2/4|4/4/4/2b1 w 0 1', ''), h('h1', {}, title), h('p', {}, text),
    h('p', {}, h('a', { class: 'button primary', href: '/' }, t('action.home'))));
}

/** @param {Send} send @param {string} type @param {Record<string, unknown>} more */
export const sends = (send, type, more = {}) => () => send({ type, ...more });
