// The lobby: games that people offer to whoever takes them. It lives: what is new comes last, and what is gone fades where it stood.
/** @import {Seek, Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { h, show, whenChanged } from './dom.js';
import { hasAccount } from './lists.js';
import { clockName, playerName, ratingNodes } from './parts.js';

/** @param {Send} send */
export function seekList(send) {
  const list = h('ul', { class: 'game-list seeks' });
  const none = h('p', { class: 'quiet' }, t('seeks.none'));
  const el = h('section', { 'aria-label': t('seeks.title') }, h('h2', {}, t('seeks.title')), list, none);
  /** Rows are kept, so that focus and finger stay on what they are on. @type {Map<string, {el: HTMLElement, button: HTMLButtonElement, seek: Seek}>} */
  let rows = new Map();
  let me = '';

  const draw = whenChanged((/** @type {Seek[]} */ seeks) => {
    /** @type {typeof rows} */
    const next = new Map();
    for (const seek of seeks) {
      const known = rows.get(seek.id);
      next.set(seek.id, known && known.seek === seek ? known : { ...row(seek, seek.owner.name === me, send), seek });
    }
    for (const [id, { el: old }] of rows) if (next.get(id)?.el !== old) old.remove();
    let after = list.firstElementChild;
    for (const { el: item } of next.values()) {
      if (item === after) after = after.nextElementSibling;
      else list.insertBefore(item, after);
    }
    rows = next;
    show(list, seeks.length > 0);
    show(none, seeks.length === 0);
  });

  return {
    el,
    /** @param {State} state */
    update(state) {
      const name = state.session.player?.name ?? '';
      if (name !== me) rows.clear();
      me = name;
      if (rows.size === 0) list.replaceChildren();
      draw(state.seeks.items);
      const busy = (/** @type {string} */ id) => state.outbox.some(({ cmd }) => cmd.seek === id);
      for (const { button, seek } of rows.values()) {
        const barred = seek.rated && seek.owner.name !== me && !hasAccount(state);
        button.disabled = !!seek.gone || barred || busy(seek.id);
        button.title = barred ? t('problem.guests_play_casual') : '';
      }
    },
  };
}

/** @param {Seek} seek @param {boolean} mine @param {Send} send */
function row(seek, mine, send) {
  const { id, owner, owner_rating, provisional, variant, color, time, rated, rating, gone } = seek;
  const button = h('button', {
    type: 'button', class: `small${mine ? '' : ' primary'}`, 'data-action': mine ? 'cancel-seek' : 'accept-seek',
    click: () => send(mine ? { type: 'seek.cancel', seek: id } : { type: 'want.accept-seek', seek: id }),
  }, t(gone ? 'seeks.gone' : mine ? 'action.cancel' : 'seeks.accept'));
  // Whoever accepts gets the other color.
  const theirs = { white: 'black', black: 'white' }[color] ?? 'random';
  const play = mine ? color : theirs;
  const el = h('li', { class: 'entry seek', 'data-seek': id, 'data-gone': gone, 'data-mine': mine },
    h('i', { class: `pip ${play}`, role: 'img', 'aria-label': t(`challenge.color.${play}`), title: `${t('challenge.you_play')}: ${t(`challenge.color.${play}`)}` }),
    h('span', { class: 'entry-who' }, playerName(owner), ' ', h('small', { class: 'tab quiet' }, ...ratingNodes({ rating: owner_rating, provisional }))),
    h('span', { class: 'entry-what' }, h('b', {}, clockName(time)), h('small', {}, `${t(`variant.${variant}`)} · ${t(rated ? 'rated' : 'casual')}${rangeText(rating)}`)),
    button);
  return { el, button };
}

/** @param {Seek['rating']} rating */
function rangeText(rating) {
  if (!rating || (rating.min === null && rating.max === null)) return '';
  const { min, max } = rating;
  if (min === null) return ` · ≤ ${max}`;
  return max === null ? ` · ≥ ${min}` : ` · ${min}–${max}`;
}
