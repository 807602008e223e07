/** @import {Send, State, View} from '../types.js' */

import { agoText, numberText, t } from '../i18n.js';
import { SPEEDS, VARIANTS } from '../leaders.js';
import { h, show, whenChanged } from './dom.js';
import { choice, playerName } from './parts.js';

/** Who leads, by game and speed. @param {Send} send @returns {View} */
export function leadersPage(send) {
  let kind = { variant: VARIANTS[0], speed: SPEEDS[0] };
  const want = (/** @type {Partial<typeof kind>} */ change) => send({ type: 'visit', path: `/leaderboard/${{ ...kind, ...change }.variant}/${{ ...kind, ...change }.speed}` });
  const variant = choice('variant', t('leaders.variant'), VARIANTS.map((value) => ({ value, text: t(`variant.${value}`) })), (value) => want({ variant: value }));
  const speed = choice('speed', t('leaders.speed'), SPEEDS.map((value) => ({ value, text: t(`speed.${value}`) })), (value) => want({ speed: value }));
  const rows = h('tbody');
  const table = h('table', { class: 'leaders' },
    h('thead', {}, h('tr', {},
      h('th', { scope: 'col' }, t('leaders.rank')),
      h('th', { scope: 'col' }, t('leaders.player')),
      h('th', { scope: 'col' }, t('leaders.rating')),
      h('th', { scope: 'col', class: 'wide' }, t('leaders.games')),
      h('th', { scope: 'col', class: 'wide' }, t('leaders.played')))),
    rows);
  const none = h('p', { class: 'quiet' }, t('leaders.none'));
  const busy = h('p', { class: 'quiet', role: 'status' }, t('loading'));
  const draw = whenChanged((/** @type {State['leaders']['players']} */ players) => {
    rows.replaceChildren(...players.map(({ player, rating, deviation, games, last_played_at: played }, i) => h('tr', {},
      h('td', { class: 'tab' }, String(i + 1)),
      h('td', {}, playerName(player)),
      h('td', { class: 'tab' }, String(Math.round(rating)), h('small', { class: 'quiet' }, ` ± ${Math.round(deviation)}`)),
      h('td', { class: 'tab wide' }, numberText(games)),
      h('td', { class: 'wide quiet' }, agoText(played, Date.now())))));
  });
  return {
    el: h('div', { class: 'page medium' }, h('h1', {}, t('title.leaders')), h('div', { class: 'leader-kinds' }, variant.el, speed.el),
      h('div', { class: 'card table-card' }, table, none, busy), h('p', { class: 'quiet' }, t('leaders.rule'))),
    /** @param {State} state */
    update({ leaders }) {
      kind = leaders;
      variant.set(leaders.variant);
      speed.set(leaders.speed);
      draw(leaders.players);
      show(table, leaders.players.length > 0);
      show(busy, leaders.busy);
      show(none, !leaders.busy && leaders.players.length === 0);
    },
  };
}
