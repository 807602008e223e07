/** @import {Send, State, View} from '../types.js' */

import { problemText, t } from '../i18n.js';
import { h, setAttr, setText, show } from './dom.js';

/** Refusals that another name would mend. */
const NAME_CODES = new Set(['name_taken', 'name_reserved', 'invalid_name']);

/** @param {Send} send */
export const loginPage = (send) => authPage(send, false);

/** @param {Send} send */
export const signupPage = (send) => authPage(send, true);

/** Log in, or sign up. @param {Send} send @param {boolean} signup @returns {View} */
function authPage(send, signup) {
  const key = signup ? 'signup' : 'login';
  const name = h('input', { name: 'name', autocomplete: 'username', required: true, autocapitalize: 'off', spellcheck: 'false', maxlength: '40', 'aria-describedby': 'auth-problem' });
  const password = h('input', { name: 'password', type: 'password', autocomplete: signup ? 'new-password' : 'current-password', required: true, 'aria-describedby': 'auth-problem' });
  const problem = h('p', { class: 'field-error', id: 'auth-problem', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'primary big' }, t(`${key}.submit`));
  const keeps = h('p', { class: 'quiet' }, t('signup.keeps'));
  const el = h('div', { class: 'page narrow' }, h('form', {
    class: 'card auth', method: 'post',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      send({ type: 'want.login', signup, name: name.value.trim(), password: password.value });
    },
  }, h('h1', {}, t(`${key}.title`)),
  h('label', {}, h('span', {}, t('auth.name')), name, signup && h('small', { class: 'quiet' }, t('signup.name_hint'))),
  h('label', {}, h('span', {}, t('auth.password')), password, signup && h('small', { class: 'quiet' }, t('signup.password_hint'))),
  problem, button, keeps,
  h('p', { class: 'quiet' }, t(`${key}.other`), ' ', h('a', { href: signup ? '/login' : '/signup' }, t(signup ? 'nav.login' : 'nav.signup')))));
  return {
    el,
    /** @param {State} state */
    update(state) {
      button.disabled = state.form.busy;
      setText(problem, state.form.problem ? problemText(state.form.problem) : '');
      const { code } = state.form.problem ?? {};
      setAttr(name, 'aria-invalid', NAME_CODES.has(code ?? '') ? 'true' : null);
      setAttr(password, 'aria-invalid', code?.startsWith('password_') ? 'true' : null);
      show(keeps, signup && state.session.player?.kind === 'guest');
    },
  };
}
