/** @import {Send, State, View} from '../types.js' */

import { isAccount } from '../format.js';
import { LANGUAGES, t } from '../i18n.js';
import { LOOKS } from '../keep.js';
import { h, pieceImage, show, whenChanged } from './dom.js';
import { choice, playerName } from './parts.js';

/** `/settings`: what this browser remembers of how its owner likes the pages. @param {Send} send @returns {View} */
export function settingsPage(send) {
  const prefer = (/** @type {Partial<State['prefs']>} */ change) => send({ type: 'pref', change });
  // Each language by its own name: who cannot read the page still finds theirs.
  const language = h('select', { id: 'language', change: () => prefer({ language: language.value }) },
    h('option', { value: '' }, t('settings.language.auto')),
    ...Object.entries(LANGUAGES).map(([value, name]) => h('option', { value, lang: value }, name)));
  const theme = choice('theme', t('settings.theme'), ['auto', 'light', 'dark'].map((value) => ({ value, text: t(`theme.${value}`) })),
    (value) => prefer({ theme: /** @type {State['prefs']['theme']} */ (value) }));
  const sound = choice('sound', t('settings.sound'), ['true', 'false'].map((value) => ({ value, text: t(`settings.sound.${value}`) })),
    (value) => prefer({ sound: value === 'true' }));
  const confirm = choice('confirm', t('settings.confirm'), ['true', 'false'].map((value) => ({ value, text: t(`settings.confirm.${value}`) })),
    (value) => prefer({ confirm: value === 'true' }));
  const looks = /** @type {(keyof typeof LOOKS)[]} */ (Object.keys(LOOKS)).map((what) => ({
    what, choice: choice(what, t(`settings.${what}`), LOOKS[what].map((value) => ({ value, text: t(`settings.${what}.${value}`) })), (value) => prefer({ [what]: value })),
  }));
  // The group of choices has its name from its legend; the word beside it is for the eye.
  const row = (/** @type {string} */ name, /** @type {HTMLElement} */ group) => h('div', { class: 'setting' }, h('span', { 'aria-hidden': 'true' }, name), group);
  const blocked = h('ul', { class: 'game-list' });
  const nobody = h('p', { class: 'quiet' }, t('settings.blocked.none'));
  const blocks = h('div', { class: 'card settings blocked', hidden: true }, h('h2', {}, t('settings.blocked')), blocked, nobody);
  const drawBlocks = whenChanged((/** @type {State['blocks']} */ list) => {
    show(blocks, list !== null);
    show(blocked, !!list?.length);
    show(nobody, !list?.length);
    blocked.replaceChildren(...(list ?? []).map(({ player }) => h('li', { class: 'entry' }, h('span', { class: 'entry-who' }, playerName(player)),
      h('button', { type: 'button', class: 'small', click: () => send({ type: 'want.block', player: player.name, block: false }) }, t('profile.unblock')))));
  });
  /** For accounts. @type {ReturnType<typeof import('./account.js').accountCards> | null} */
  let own = null;
  const account = h('div', {});
  /** @type {State | null} */
  let latest = null;
  const fetchAccount = whenChanged((/** @type {boolean} */ yes) => {
    show(account, yes);
    if (yes) {
      import('./account.js').then(({ accountCards }) => {
        own = accountCards(send);
        account.replaceChildren(own.el);
        if (latest) own.update(latest);
      }).catch(() => location.reload());
    }
  });
  return {
    el: h('div', { class: 'page narrow' }, h('div', { class: 'card settings' }, h('h1', {}, t('title.settings')),
      h('div', { class: 'setting' }, h('label', { for: 'language' }, t('settings.language')), language),
      row(t('settings.theme'), theme.el), sample(), ...looks.map(({ what, choice: { el } }) => row(t(`settings.${what}`), el)), row(t('settings.sound'), sound.el), row(t('settings.confirm'), confirm.el)), account, blocks),
    /** @param {State} state */
    update(state) {
      const { prefs, blocks } = state;
      latest = state;
      fetchAccount(isAccount(state.session.player));
      own?.update(state);
      drawBlocks(blocks);
      language.value = prefs.language;
      theme.set(prefs.theme);
      for (const { what, choice: group } of looks) group.set(prefs[what]);
      sound.set(String(prefs.sound));
      confirm.set(String(prefs.confirm));
    },
  };
}

/** Two ranks of a board, for the eye: what is chosen shows on them at once. */
function sample() {
  const squares = ['bQ', 'bK', 'bB', 'bN', 'bR', 'bP', '', '', 'wP', 'wR', 'wN', 'wB', 'wK', 'wQ', '', ''];
  return h('div', { class: 'look-sample', 'aria-hidden': 'true' },
    ...squares.map((piece, i) => h('i', { class: (i + Math.floor(i / 8)) % 2 ? 'dark' : null }, piece && pieceImage(piece))));
}
