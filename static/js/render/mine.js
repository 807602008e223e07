// What waits for the viewer: challenges that name them, and games of their own under way.
/** @import {Challenge, OwnGame, Send, State} from '../types.js' */

import { spanText, t } from '../i18n.js';
import { h, icon, show, whenChanged } from './dom.js';
import { clockName, gameKind, plainName, playerName } from './parts.js';

/** @type {OwnGame[]} */
const NONE = [];

/** @param {Send} send */
export function mine(send) {
  const received = h('ul', { class: 'game-list' });
  const created = h('ul', { class: 'game-list' });
  const games = h('ul', { class: 'game-list' });
  const box = (/** @type {string} */ key, /** @type {HTMLElement} */ list) => h('section', { hidden: true }, h('h2', {}, t(key)), list);
  const boxes = { received: box('mine.received', received), created: box('mine.created', created), games: box('mine.games', games) };
  const drawReceived = whenChanged((/** @type {Challenge[]} */ list) => {
    received.replaceChildren(...list.map((c) => challengeRow(c, [
      h('button', { type: 'button', class: 'small primary', 'data-action': 'accept-challenge', click: () => send({ type: 'want.accept', challenge: c.id }) }, icon('check'), t('action.accept')),
      h('button', { type: 'button', class: 'small', 'data-action': 'decline-challenge', click: () => send({ type: 'want.decline', challenge: c.id }) }, t('action.decline'))])));
    show(boxes.received, list.length > 0);
  });
  const drawCreated = whenChanged((/** @type {Challenge[]} */ list) => {
    created.replaceChildren(...list.map((c) => challengeRow(c, [
      h('button', { type: 'button', class: 'small', click: () => send({ type: 'want.cancel-challenge', challenge: c.id }) }, t('action.cancel'))])));
    show(boxes.created, list.length > 0);
  });
  let me = '';
  const drawGames = whenChanged((/** @type {OwnGame[]} */ list) => {
    // Those that wait for the viewer first, the most urgent of them at the top.
    const order = (/** @type {OwnGame} */ g) => (g.turn ? 0 : 1e15) + (g.due ?? 1e14);
    games.replaceChildren(...[...list].sort((a, b) => order(a) - order(b)).map((g) => gameRow(g, me)));
    show(boxes.games, list.length > 0);
  });
  return {
    el: h('div', { class: 'mine' }, boxes.received, boxes.games, boxes.created),
    /** @param {State} state */
    update(state) {
      me = state.session.player?.name ?? '';
      drawReceived(state.challenges.received);
      drawCreated(state.challenges.created);
      drawGames(state.mine ?? NONE);
    },
  };
}

/** @param {Challenge} c @param {HTMLElement[]} buttons */
function challengeRow(c, buttons) {
  const other = c.yours ? c.opponent : c.creator;
  const colors = { white: 'black', black: 'white' };
  const play = c.yours ? c.color : colors[/** @type {'white' | 'black'} */ (c.color)] ?? 'random';
  return h('li', { class: 'entry', 'data-challenge': c.id },
    h('i', { class: `pip ${play}`, role: 'img', 'aria-label': t(`challenge.color.${play}`), title: t(`challenge.color.${play}`) }),
    h('span', { class: 'entry-who' }, other ? playerName(other) : t('challenge.anyone')),
    h('a', { class: 'entry-what', href: `/c/${c.id}` }, h('b', {}, clockName(c.time)), h('small', {}, `${t(`variant.${c.variant}`)} · ${t(c.rated ? 'rated' : 'casual')}${c.fen ? ` · ${t('challenge.position')}` : ''}`)),
    h('span', { class: 'entry-acts' }, ...buttons));
}

/** @param {OwnGame} game @param {string} me */
function gameRow({ info, turn, due }, me) {
  const side = info.white.name === me ? 'white' : 'black';
  const other = info[side === 'white' ? 'black' : 'white'];
  const left = due === null ? '' : ` · ${due > Date.now() ? spanText(due - Date.now()) : t('mine.late')}`;
  return h('li', {}, h('a', { class: 'game-row own', href: `/g/${info.id}`, 'data-turn': turn },
    h('span', { class: 'sides' }, h('span', { class: 'side' }, h('i', { class: `pip ${side}` }), plainName(other))),
    h('span', { class: 'about' }, h('span', {}, gameKind(info)), h('small', { class: turn ? 'live' : null }, `${t(turn ? 'status.your_turn' : 'status.their_turn')}${left}`))));
}
