// The lines of one's room, and the field to add one.
/** @import {ChatLine, GameState, Send, State} from '../types.js' */

import { t, timeOfDay } from '../i18n.js';
import { LONGEST } from '../update/chat.js';
import { h, icon, setAttr, setText, show } from './dom.js';
import { playerName } from './parts.js';

/** From so few characters left on it is told how many. */
const COUNTED = 100;

/** @param {Send} send */
export function chatPanel(send) {
  const room = h('span', {});
  const bell = h('span', { class: 'icon-slot' });
  let kept = { open: /** @type {boolean | null} */ (null), muted: false };
  let muted = false;
  const mute = h('button', { type: 'button', class: 'bare', 'data-action': 'mute-chat', click: () => send({ type: 'pref', change: { chat: { ...kept, muted: !muted } } }) }, bell);
  const list = h('ol', {});
  const none = h('p', { class: 'quiet' });
  const scroller = h('div', { class: 'chat-lines', tabindex: '0', role: 'log', 'aria-live': 'off', 'aria-label': t('chat.label') }, list, none);
  const left = h('output', { class: 'chat-left tab', 'aria-live': 'polite' });
  const field = h('input', {
    class: 'chat-field', name: 'chat', autocomplete: 'off', maxlength: LONGEST, 'aria-label': t('chat.write'), placeholder: t('chat.write'), enterkeyhint: 'send',
    input: counted,
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') field.blur();
    },
  });
  const form = h('form', {
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!field.value.trim()) return;
      send({ type: 'game.chat', text: field.value });
      field.value = '';
      counted();
    },
  }, field, left, h('button', { type: 'submit', class: 'bare', 'aria-label': t('chat.send'), title: t('chat.send') }, icon('send')));
  const note = h('p', { class: 'quiet' });
  const el = h('div', { class: 'chat-view' }, h('p', { class: 'chat-head' }, room, mute), scroller, form, note);

  function counted() {
    const n = LONGEST - [...field.value].length;
    setText(left, n <= COUNTED ? String(n) : '');
  }

  /** @type {ChatLine[]} */
  let drawn = [];
  let sending = '';

  /** @param {ChatLine} line @param {boolean} [pending] */
  const entry = ({ by, color, text, at }, pending = false) => h('li', { 'data-pending': pending, title: at ? timeOfDay(at) : null },
    color && h('i', { class: `pip ${color}`, title: t(`color.${color}`) }), playerName(by), ' ', h('span', { dir: 'auto' }, text));

  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const { lines, unsent } = game.chat;
      kept = state.prefs.chat;
      muted = kept.muted;
      setText(room, t(game.you ? 'chat.players' : 'chat.spectators'));
      setAttr(mute, 'aria-pressed', muted ? 'true' : 'false');
      setAttr(mute, 'aria-label', t(muted ? 'chat.unmute' : 'chat.mute'));
      setAttr(mute, 'title', t(muted ? 'chat.unmute' : 'chat.mute'));
      if (mute.dataset.drawn !== String(muted)) bell.replaceChildren(icon(muted ? 'mute' : 'sound'));
      mute.dataset.drawn = String(muted);
      const me = state.session.player;
      const waits = state.outbox.filter(({ cmd }) => cmd.t === 'chat' && cmd.game === game.id).map(({ cmd }) => ({ by: me, color: game.you, text: String(cmd.text), at: '' }));
      const key = JSON.stringify(waits);
      if (lines !== drawn || key !== sending) {
        // Who reads what was said before is not carried away from it.
        const atEnd = scroller.scrollTop + scroller.clientHeight > scroller.scrollHeight - 24;
        drawn = lines;
        sending = key;
        list.replaceChildren(...lines.map((line) => entry(line)), ...waits.flatMap((line) => (line.by ? [entry(/** @type {ChatLine} */ (line), true)] : [])));
        if (atEnd || waits.length) scroller.scrollTop = scroller.scrollHeight;
      }
      const silent = lines.length + waits.length === 0;
      show(list, !muted);
      show(none, muted || silent);
      setText(none, t(muted ? 'chat.muted' : 'chat.none'));
      show(form, !!me && !muted);
      show(note, !me);
      setText(note, t('chat.no_session'));
      if (unsent && !field.value && waits.length === 0) {
        field.value = unsent;
        counted();
        send({ type: 'game.chat-unsent' });
      }
    },
  };
}
