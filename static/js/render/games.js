/** @import {Send, State, View} from '../types.js' */

import { t } from '../i18n.js';
import { h, setText, show, whenChanged } from './dom.js';
import { gameList } from './lists.js';
import { choice } from './parts.js';

/** A list of games that grows on demand; used by `/games` and by profiles. @param {Send} send */
export function growingList(send) {
  const list = h('div');
  const busy = h('p', { class: 'quiet', role: 'status' }, t('loading'));
  /** @type {State['games'] | null} */
  let games = null;
  const more = h('button', { type: 'button', click: () => games && send({ type: 'want.games', status: games.status, cursor: games.next }) }, t('action.more'));
  const draw = whenChanged((/** @type {State['games']['items']} */ items) => list.replaceChildren(gameList(items, '')));
  const none = h('p', { class: 'quiet' }, t('games.none'));
  return {
    el: h('div', {}, list, none, busy, more),
    /** @param {State} state */
    update(state) {
      games = state.games;
      draw(games.items);
      show(busy, games.busy);
      show(more, games.next !== null && !games.busy);
      show(none, !games.busy && games.items.length === 0);
      setText(none, t('games.none'));
      show(list, games.items.length > 0);
    },
  };
}

/** @param {Send} send @returns {View} */
export function gamesPage(send) {
  const filter = choice('status', t('games.filter'), [['', 'games.all'], ['live', 'games.live'], ['ended', 'games.ended']].map(([value, key]) => ({ value, text: t(key) })),
    (status) => send({ type: 'want.games', status }));
  const list = growingList(send);
  return {
    el: h('div', { class: 'page medium' }, h('div', { class: 'page-head' }, h('h1', {}, t('title.games')), filter.el), h('p', { class: 'aside' }, h('a', { href: '/leaderboard' }, t('title.leaders')), ' · ', h('a', { href: '/analysis' }, t('analysis.invite'))), list.el),
    /** @param {State} state */
    update(state) {
      filter.set(state.games.status);
      list.update(state);
    },
  };
}
