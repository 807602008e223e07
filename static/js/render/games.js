/** @import {GameFilter} from '../list-query.js' */
/** @import {Send, State, View} from '../types.js' */

import { t } from '../i18n.js';
import { CHOICES, filterPath, noneOf, readFilter } from '../list-query.js';
import { h, setText, show, whenChanged } from './dom.js';
import { gameList } from './lists.js';

/** A list of games that grows on demand; used by `/games` and by profiles. @param {Send} send */
export function growingList(send) {
  const list = h('div');
  const busy = h('p', { class: 'quiet', role: 'status' }, t('loading'));
  /** @type {State['games'] | null} */
  let games = null;
  const more = h('button', { type: 'button', click: () => games && send({ type: 'want.games', cursor: games.next }) }, t('action.more'));
  const draw = whenChanged((/** @type {State['games']['items']} */ items) => list.replaceChildren(gameList(items, '')));
  const none = h('p', { class: 'quiet', role: 'status' });
  return {
    el: h('div', {}, list, none, busy, more),
    /** @param {State} state */
    update(state) {
      games = state.games;
      draw(games.items);
      show(busy, games.busy);
      show(more, games.next !== null && !games.busy);
      const empty = noneOf(games);
      show(none, empty !== null);
      setText(none, empty ? t(empty) : '');
      show(list, games.items.length > 0);
    },
  };
}

/** What a choice is called. @type {Record<keyof typeof CHOICES, (value: string) => string>} */
const NAMES = {
  status: (value) => t(`games.${value}`),
  variant: (value) => t(`variant.${value}`),
  speed: (value) => t(`speed.${value}`),
  rated: (value) => t(value === 'true' ? 'rated' : 'casual'),
  outcome: (value) => t(`outcome.${value}`),
};

/** @param {Send} send @returns {View} */
export function gamesPage(send) {
  let filter = readFilter('');
  const visit = (/** @type {Partial<GameFilter>} */ change) => send({ type: 'visit', path: filterPath({ ...filter, ...change }) });
  const selects = /** @type {(keyof typeof CHOICES)[]} */ (Object.keys(CHOICES)).map((name) => {
    const el = h('select', { name, 'data-filter': name, change: () => visit({ [name]: el.value }) },
      h('option', { value: '' }, t('games.any')), ...CHOICES[name].map((value) => h('option', { value }, NAMES[name](value))));
    return { name, el, box: h('label', {}, h('span', {}, t(`games.by.${name}`)), el) };
  });
  const player = h('input', { name: 'player', 'data-filter': 'player', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '20', change: () => visit({ player: player.value.trim() }) });
  const form = h('form', { class: 'filters', role: 'search', 'aria-label': t('games.filter'), submit: (/** @type {Event} */ event) => event.preventDefault() },
    h('label', {}, h('span', {}, t('games.by.player')), player), ...selects.map(({ box }) => box));
  const all = h('a', { href: '/games' }, t('games.clear'));
  const list = growingList(send);
  return {
    el: h('div', { class: 'page medium' }, h('div', { class: 'page-head' }, h('h1', {}, t('title.games')), all), form,
      h('p', { class: 'aside' }, h('span', {}, h('a', { href: '/leaderboard' }, t('title.leaders')), ' · ', h('a', { href: '/analysis' }, t('analysis.invite')))), list.el),
    /** @param {State} state */
    update(state) {
      const search = state.route.search ?? '';
      filter = readFilter(search);
      for (const { name, el } of selects) if (el.value !== filter[name]) el.value = filter[name];
      if (document.activeElement !== player && player.value !== filter.player) player.value = filter.player;
      show(all, filterPath(filter) !== '/games');
      list.update(state);
    },
  };
}
