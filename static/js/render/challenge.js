/** @import {Send, State, View, Challenge} from '../types.js' */

import { geometryOf } from '../games/index.js';
import { nameText, problemText, t } from '../i18n.js';
import { h, icon, setText, show, whenChanged } from './dom.js';
import { emptyPage, hasAccount, miniSheet } from './lists.js';
import { clockName, playerName } from './parts.js';

/** `/c/{id}`: for its creator the link and the wait, for everyone else the choice to accept. @param {Send} send @returns {View} */
export function challengePage(send) {
  const card = h('div', { class: 'card challenge' });
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const ready = h('div', { class: 'page narrow' }, card, problem);
  const missing = emptyPage(t('challenge.missing_title'), t('challenge.missing_text'));
  const el = h('div', {}, ready, missing);
  /** @type {HTMLButtonElement | null} */
  let accept = null;
  let isGuest = false;
  /** @type {Challenge | null} */
  let drawn = null;
  const draw = whenChanged((/** @type {string} */ _) => {
    const challenge = drawn;
    accept = null;
    if (!challenge) return card.replaceChildren(h('p', { class: 'quiet' }, t('loading')));
    const c = challenge;
    const head = h('h1', {}, c.yours ? t('challenge.yours') : t('title.challenge', { name: nameText(c.creator) }));
    card.replaceChildren(head, facts(c), ...(c.fen ? [h('div', { class: 'position-picture' }, miniSheet(geometryOf(c.variant), c.fen, t('challenge.position')))] : []));
    if (c.status !== 'open') {
      card.append(h('p', { class: 'state' }, t(`challenge.status.${c.status}`)),
        c.game ? h('a', { class: 'button primary', href: `/g/${c.game}` }, t('action.go_to_game')) : h('a', { class: 'button primary', href: '/' }, t('action.home')));
    } else if (c.yours) {
      card.append(...invitation(c, send));
    } else if (c.rated && isGuest) {
      card.append(h('p', {}, t('challenge.needs_account')), h('div', { class: 'answers' },
        h('a', { class: 'button primary big', href: '/signup', 'data-action': 'signup-first' }, t('nav.signup')), h('a', { class: 'button big', href: '/login' }, t('nav.login'))),
      h('p', { class: 'quiet' }, t('challenge.comes_back')));
    } else {
      accept = h('button', { type: 'button', class: 'primary big', 'data-action': 'accept-challenge', click: () => send({ type: 'want.accept', challenge: c.id }) }, icon('check'), t('challenge.accept'));
      card.append(h('div', { class: 'answers' }, accept, c.opponent && h('button', { type: 'button', class: 'big', 'data-action': 'decline-challenge', click: () => send({ type: 'want.decline', challenge: c.id }) }, icon('cross'), t('action.decline'))), h('p', { class: 'quiet' }, t(c.rated ? 'challenge.accept_rated' : !c.time ? 'challenge.accept_untimed' : c.time.days_per_move ? 'challenge.accept_days' : 'challenge.accept_hint')));
    }
  });
  return {
    el,
    /** @param {State} state */
    update(state) {
      show(ready, state.challenge.status !== 'missing');
      show(missing, state.challenge.status === 'missing');
      isGuest = state.session.loaded && !hasAccount(state);
      drawn = state.challenge.data;
      draw(JSON.stringify([drawn, isGuest]));
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
    fact(t('challenge.time'), c.time?.base_ms ? t('challenge.time_text', { time: clockName(c.time), minutes: c.time.base_ms / 60_000, seconds: c.time.increment_ms / 1000 }) : clockName(c.time)),
    fact(t('challenge.you_play'), t(`challenge.color.${c.yours ? c.color : other}`)),
    fact(t('challenge.kind'), t(c.rated ? 'rated' : 'casual')),
    c.yours ? fact(t('challenge.with'), c.opponent ? playerName(c.opponent) : t('challenge.anyone')) : fact(t('challenge.from'), playerName(c.creator)));
}

/** @param {Challenge} c @param {Send} send */
function invitation(c, send) {
  const cancel = h('button', { type: 'button', 'data-action': 'cancel-challenge', click: () => send({ type: 'want.cancel-challenge', challenge: c.id }) }, t('challenge.cancel'));
  const waits = (/** @type {string} */ text) => h('p', { class: 'waiting', role: 'status' }, h('span', { class: 'pulse', 'aria-hidden': 'true' }), text);
  // Whom it names has been told.
  if (c.opponent) return [waits(t('challenge.waiting_for', { name: nameText(c.opponent) })), cancel];
  const url = new URL(c.url ?? `/c/${c.id}`, location.href).href;
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
    waits(t('challenge.waiting')), cancel,
  ];
}
