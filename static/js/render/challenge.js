/** @import {Send, State, View, Challenge} from '../types.js' */

import { problemText, t } from '../i18n.js';
import { h, icon, setText, show, whenChanged } from './dom.js';
import { choice, clockName, emptyPage, playerName } from './parts.js';

const MINUTES = [0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180];
const SECONDS = [0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180];

/** What a friend is challenged to. @param {Send} send */
export function challengeForm(send) {
  let color = 'random';
  const colors = choice('color', t('challenge.color'), ['white', 'random', 'black'].map((value) => ({ value, text: t(`challenge.color.${value}`) })), (value) => { color = value; });
  colors.set(color);
  const select = (/** @type {string} */ name, /** @type {number[]} */ values, /** @type {number} */ chosen) => h('select', { name },
    ...values.map((v) => h('option', { value: v, selected: v === chosen }, v === 0.5 ? '½' : String(v))));
  const minutes = select('minutes', MINUTES, 5);
  minutes.prepend(h('option', { value: '' }, t('speed.untimed')));
  minutes.addEventListener('change', () => { seconds.disabled = !minutes.value; });
  const seconds = select('seconds', SECONDS, 3);
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'primary', 'data-action': 'create-challenge' }, icon('link'), t('challenge.create'));
  let variant = 'fourfold';
  const el = h('form', {
    class: 'challenge-form',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const time = minutes.value ? { base_ms: Number(minutes.value) * 60_000, increment_ms: Number(seconds.value) * 1000 } : null;
      const options = { variant, color, time };
      send({ type: 'want.challenge', options });
    },
  }, h('div', { class: 'pair' },
    h('label', {}, h('span', {}, t('challenge.minutes')), minutes), h('label', {}, h('span', {}, t('challenge.seconds')), seconds)),
  colors.el, button, problem, h('p', { class: 'quiet' }, t('challenge.casual')));
  return {
    el,
    /** @param {State} state */
    update(state) {
      variant = state.prefs.variant;
      button.disabled = state.form.busy;
      setText(problem, state.form.at === 'form' && state.form.problem ? problemText(state.form.problem) : '');
    },
  };
}

/** `/c/{id}`: for its creator the link and the wait, for everyone else the choice to accept. @param {Send} send @returns {View} */
export function challengePage(send) {
  const card = h('div', { class: 'card challenge' });
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const ready = h('div', { class: 'page narrow' }, card, problem);
  const missing = emptyPage(t('challenge.missing_title'), t('challenge.missing_text'));
  const el = h('div', {}, ready, missing);
  /** @type {HTMLButtonElement | null} */
  let accept = null;
  const draw = whenChanged((/** @type {Challenge | null} */ challenge) => {
    accept = null;
    if (!challenge) return card.replaceChildren(h('p', { class: 'quiet' }, t('loading')));
    const c = challenge;
    const head = h('h1', {}, c.yours ? t('challenge.yours') : t('title.challenge', { name: c.creator.name }));
    card.replaceChildren(head, facts(c));
    if (c.status !== 'open') {
      card.append(h('p', { class: 'state' }, t(`challenge.status.${c.status}`)),
        c.game ? h('a', { class: 'button primary', href: `/g/${c.game}` }, t('action.go_to_game')) : h('a', { class: 'button primary', href: '/' }, t('action.home')));
    } else if (c.yours) {
      card.append(...invitation(c, send));
    } else {
      accept = h('button', { type: 'button', class: 'primary big', 'data-action': 'accept-challenge', click: () => send({ type: 'want.accept', challenge: c.id }) }, icon('check'), t('challenge.accept'));
      card.append(accept, h('p', { class: 'quiet' }, t(c.time ? 'challenge.accept_hint' : 'challenge.accept_untimed')));
    }
  });
  return {
    el,
    /** @param {State} state */
    update(state) {
      show(ready, state.challenge.status !== 'missing');
      show(missing, state.challenge.status === 'missing');
      draw(state.challenge.data);
      if (accept) accept.disabled = state.form.busy;
      setText(problem, state.form.problem ? problemText(state.form.problem) : '');
    },
  };
}

/** @param {Challenge} c */
function facts(c) {
  const fact = (/** @type {string} */ label, /** @type {Node | string} */ value) => h('div', {}, h('dt', {}, label), h('dd', {}, value));
  // The color is the creator's; who reads this as the other one is told their own.
  const other = { white: 'black', black: 'white' }[c.color] ?? 'random';
  return h('dl', { class: 'facts' },
    fact(t('challenge.game'), t(`variant.${c.variant}`)),
    fact(t('challenge.time'), c.time ? t('challenge.time_text', { time: clockName(c.time), minutes: c.time.base_ms / 60_000, seconds: c.time.increment_ms / 1000 }) : clockName(null)),
    fact(t('challenge.you_play'), t(`challenge.color.${c.yours ? c.color : other}`)),
    fact(t('challenge.kind'), t('casual')),
    c.yours ? fact(t('challenge.with'), t('challenge.anyone')) : fact(t('challenge.from'), playerName(c.creator)));
}

/** @param {Challenge} c @param {Send} send */
function invitation(c, send) {
  const url = new URL(c.url, location.href).href;
  const field = h('input', { class: 'tab', readonly: true, value: url, 'data-challenge-url': url, 'aria-label': t('challenge.link'), focus: () => field.select() });
  const copy = h('button', {
    type: 'button', class: 'primary',
    click: async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(url);
      } catch {
        document.execCommand('copy');
      }
      setText(label, t('challenge.copied'));
    },
  }, icon('link'));
  const label = h('span', {}, t('challenge.copy'));
  copy.append(label);
  return [
    h('p', {}, t('challenge.send')), h('div', { class: 'copy' }, field, copy),
    h('p', { class: 'waiting', role: 'status' }, h('span', { class: 'pulse', 'aria-hidden': 'true' }), t('challenge.waiting')),
    h('button', { type: 'button', 'data-action': 'cancel-challenge', click: () => send({ type: 'want.cancel-challenge', challenge: c.id }) }, t('challenge.cancel')),
  ];
}
