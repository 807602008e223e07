// An account's own affairs, on the settings page: its password, where it is logged in, and the tokens of its programs.
/** @import {Access, Send, State} from '../types.js' */

import { agoText, dayText, problemText, t } from '../i18n.js';
import { h, icon, setText, show, whenChanged } from './dom.js';

/** @param {Send} send */
export function accountCards(send) {
  const told = (/** @type {string} */ at) => ({ at, el: h('p', { class: 'field-error', role: 'alert' }) });
  const problems = ['password', 'logins', 'tokens', 'bot'].map(told);
  const problem = (/** @type {string} */ at) => problems.find((p) => p.at === at)?.el;

  const name = h('input', { type: 'text', name: 'username', autocomplete: 'username', hidden: true, readonly: true });
  const old = h('input', { type: 'password', name: 'old-password', autocomplete: 'current-password', required: true });
  const fresh = h('input', { type: 'password', name: 'new-password', autocomplete: 'new-password', required: true });
  const change = h('button', { type: 'submit', class: 'primary', 'data-action': 'change-password' }, t('account.password.change'));
  const changed = h('p', { class: 'quiet', role: 'status' });
  const password = h('form', {
    class: 'card auth', method: 'post',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      send({ type: 'want.password', old: old.value, new: fresh.value });
    },
  }, h('h2', {}, t('account.password')), name, h('label', {}, h('span', {}, t('account.password.old')), old),
  h('label', {}, h('span', {}, t('account.password.new')), fresh, h('small', { class: 'quiet' }, t('signup.password_hint'))), problem('password'), changed, change);

  const logins = h('ul', { class: 'game-list' });
  const everywhere = sure('logout-everywhere', t('account.logins.all'), t('account.sure.everywhere'), () => send({ type: 'want.logout-everywhere' }));
  const places = h('section', { class: 'card settings' }, h('h2', {}, t('account.logins')), logins, problem('logins'), everywhere);

  const tokens = h('ul', { class: 'game-list' });
  const none = h('p', { class: 'quiet' }, t('account.tokens.none'));
  const made = h('div', { class: 'token-made', role: 'status' });
  const label = h('input', { name: 'token-name', required: true, maxlength: '40', autocomplete: 'off' });
  const make = h('button', { type: 'submit', 'data-action': 'make-token' }, t('account.tokens.make'));
  const programs = h('section', { class: 'card settings' }, h('h2', {}, t('account.tokens')), h('p', { class: 'quiet' }, t('account.tokens.what')), tokens, none, made,
    h('form', {
      class: 'token-form',
      submit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send({ type: 'want.token', name: label.value.trim() });
      },
    }, h('label', {}, h('span', {}, t('account.tokens.name')), label), make), problem('tokens'));

  const bots = botOffer(send);
  const person = bots.el;
  const isBot = h('p', {}, t('account.bot.done'));
  const bot = h('section', { class: 'card settings' }, h('h2', {}, t('account.bot')), person, isBot, problem('bot'));

  /** @param {Access} access @param {string} action @param {string} text @param {string} asks @param {string} type */
  const line = (access, action, text, asks, type) => h('li', { class: 'entry' },
    h('span', { class: 'entry-who' }, access.name, h('small', { class: 'quiet' },
      access.current ? t('account.this_browser') : t(access.seen_at === access.created_at ? 'account.made' : 'account.seen', { ago: agoText(access.seen_at, Date.now()) }), ' · ', t('account.until', { day: dayText(access.expires_at) }))),
    access.current ? null : sure(action, text, asks, () => send({ type, access: access.id }), t('account.end_of', { what: text, name: access.name })));
  const drawLogins = whenChanged((/** @type {Access[] | null} */ list) => {
    logins.replaceChildren(...(list ?? []).map((access) => line(access, 'end-session', t('action.logout'), t('account.sure.login'), 'want.end-session')));
  });
  const drawTokens = whenChanged((/** @type {Access[] | null} */ list) => {
    tokens.replaceChildren(...(list ?? []).map((access) => line(access, 'revoke-token', t('account.tokens.revoke'), t('account.sure.token'), 'want.end-token')));
    show(tokens, !!list?.length);
    show(none, list?.length === 0);
  });
  const drawMade = whenChanged((/** @type {State['account']['made']} */ token) => {
    show(made, token !== null);
    if (!token) return;
    label.value = '';
    const field = h('input', { class: 'tab', readonly: true, value: token.token, 'aria-label': t('account.tokens.made', { name: token.name }), focus: () => field.select() });
    const copied = h('span', {}, t('account.tokens.copy'));
    made.replaceChildren(h('p', {}, t('account.tokens.made', { name: token.name })), h('div', { class: 'copy' }, field, h('button', {
      type: 'button', class: 'primary', 'data-action': 'copy-token',
      click: async () => {
        field.select();
        await navigator.clipboard.writeText(token.token).then(() => setText(copied, t('challenge.copied')), () => {});
      },
    }, icon('link'), copied)));
  });
  const drawChanged = whenChanged((/** @type {boolean} */ done) => {
    setText(changed, done ? t('account.password.changed') : '');
    if (done) old.value = fresh.value = '';
  });

  return {
    el: h('div', { class: 'account' }, password, places, programs, bot),
    /** @param {State} state */
    update({ account, form, session }) {
      name.value = session.player?.name ?? '';
      for (const button of [change, make, bots.yes]) button.disabled = form.busy;
      bots.name(name.value);
      show(person, session.player?.kind === 'account');
      show(isBot, session.player?.kind === 'bot');
      // Here only the password can be wrong.
      const words = !form.problem ? '' : form.at === 'password' && form.problem.code === 'wrong_credentials' ? t('account.password.wrong') : problemText(form.problem);
      for (const { at, el } of problems) setText(el, form.at === at ? words : '');
      drawLogins(account.logins);
      drawTokens(account.tokens);
      drawMade(account.made);
      drawChanged(account.changed);
    },
  };
}

/** What it means for an account to become a bot; that it is for good is read before the button that does it is there. @param {Send} send */
function botOffer(send) {
  const open = (/** @type {boolean} */ asks) => {
    show(first, !asks);
    show(asked, asks);
    (asks ? no : first).focus();
  };
  const first = h('button', { type: 'button', class: 'small', 'data-action': 'become-bot', click: () => open(true) }, t('account.bot.make'));
  const means = h('p', { id: 'bot-means' });
  const yes = h('button', { type: 'button', class: 'danger', 'data-action': 'become-bot-yes', click: () => send({ type: 'want.bot' }) });
  const no = h('button', { type: 'button', 'data-action': 'become-bot-no', click: () => open(false) }, t('action.cancel'));
  const asked = h('div', { class: 'bot-sure', role: 'group', 'aria-labelledby': 'bot-means', hidden: true }, means, h('div', { class: 'row' }, yes, no));
  return {
    el: h('div', { class: 'bot-offer' }, h('p', { class: 'quiet' }, t('account.bot.what')), h('p', {}, t('account.bot.warning')), first, asked),
    yes,
    /** @param {string} name */
    name(name) {
      setText(means, t('account.bot.sure', { name }));
      setText(yes, t('account.bot.yes', { name }));
    },
  };
}

/** A button that asks once more in its own place, and says what will happen. @param {string} action @param {string} text @param {string} question @param {() => void} done @param {string} [label] */
function sure(action, text, question, done, label) {
  const el = h('button', {
    type: 'button', class: 'small', 'data-action': action, 'aria-label': label,
    click: () => {
      if (el.hasAttribute('data-confirm')) done();
      el.toggleAttribute('data-confirm');
      say();
    },
    blur: () => {
      el.removeAttribute('data-confirm');
      say();
    },
  }, text);
  const say = () => {
    const asks = el.hasAttribute('data-confirm');
    setText(el, asks ? question : text);
    if (label) el.setAttribute('aria-label', asks ? `${label}. ${question}` : label);
  };
  return el;
}
