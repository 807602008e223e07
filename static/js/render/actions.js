// A player's offers and exits, and the field for typed moves. What ends a game asks again in its own place.
/** @import {GameState, Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { geometryIn, moverOf } from '../position.js';
import { canMove, unconfirmed } from '../update/turn.js';
import { h, icon, setAttr, setText, show, whenChanged } from './dom.js';
import { offers } from './offers.js';

/** @param {Send} send */
export function actions(send) {
  const act = (/** @type {string} */ what) => () => send({ type: 'game.command', what });
  const button = (/** @type {string} */ what, /** @type {string} */ pic) => {
    const text = h('span', {});
    return { what, text, el: h('button', { type: 'button', 'data-action': what, click: act(what) }, icon(pic), text) };
  };
  const abort = button('abort', 'cross');
  const draw = button('draw', 'half');
  const takeback = button('takeback', 'undo');
  const resign = button('resign', 'flag');
  const never = h('button', { type: 'button', class: 'bare', 'data-action': 'unconfirm', 'aria-label': t('action.no'), title: t('action.no'), click: () => send({ type: 'game.unconfirm' }) }, icon('cross'));
  const row = h('div', { class: 'action-row' }, abort.el, draw.el, takeback.el, resign.el, never);

  const asks = offers(send);
  const sure = h('button', { type: 'button', class: 'primary', 'data-action': 'confirm-move', click: () => send({ type: 'game.end-turn' }) }, icon('check'), h('span', {}, t('action.confirm_move')));
  const back = h('button', { type: 'button', 'data-action': 'cancel-move', click: () => send({ type: 'game.undo' }) }, icon('cross'), t('action.cancel'));
  const confirm = h('div', { class: 'action-row', hidden: true }, sure, back);

  const field = h('input', {
    id: 'typed-move', class: 'tab', title: t('typed.hint'), 'aria-keyshortcuts': 'm', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '24',
    'aria-describedby': 'typed-error', input: () => send({ type: 'game.typing' }),
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Escape') field.blur();
    },
  });
  const error = h('span', { id: 'typed-error', class: 'field-error' });
  const typed = h('form', {
    class: 'typed',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      send({ type: 'game.typed', text: field.value });
    },
  }, h('label', { for: 'typed-move' }, t('typed.label')), field, h('kbd', { title: t('typed.hint') }, 'm'), error);
  const el = h('section', { class: 'actions', 'aria-label': t('actions.label') }, asks.el, row, confirm, typed);
  // What was typed goes once it has been taken, into the game or into the tray.
  const clear = whenChanged((/** @type {string} */ _) => { field.value = ''; });

  return {
    el,
    focusTyped: () => field.focus(),
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const playing = game.you !== null && !!game.info && !game.info.outcome;
      const canAbort = playing && game.moves.length < 2;
      const asked = game.confirm;
      show(abort.el, canAbort && (asked === null || asked === 'abort'));
      show(draw.el, playing && !canAbort && (asked === null || asked === 'draw'));
      show(resign.el, playing && !canAbort && (asked === null || asked === 'resign'));
      show(takeback.el, playing && !game.info?.rated && game.moves.some((_, i) => moverOf(game, i) === game.you) && asked === null);
      show(never, asked !== null);
      for (const b of [abort, draw, resign]) setAttr(b.el, 'data-confirm', asked === b.what);
      for (const b of [abort, resign]) setText(b.text, t(asked === b.what ? `confirm.${b.what}` : `action.${b.what}`));
      const sent = (/** @type {string} */ command) => state.outbox.some(({ cmd }) => cmd.game === game.id && cmd.t === command);
      for (const [b, offer, command] of /** @type {const} */ ([[draw, game.offer, 'offer_draw'], [takeback, game.takeback, 'offer_takeback']])) {
        const open = offer?.by === game.you || sent(command);
        // What the other side asks is answered where it is asked.
        b.el.disabled = open || offer !== null;
        setText(b.text, t(asked === b.what ? `confirm.${b.what}` : open ? `action.${b.what}_offered` : `action.${b.what}`));
      }
      setAttr(row, 'data-confirming', asked !== null);
      const waits = unconfirmed(game) !== null && canMove(state, game);
      show(row, !waits);
      show(confirm, waits);
      asks.update(game);
      show(typed, playing);
      setText(error, game.typedError ? t(game.typedError) : '');
      setAttr(field, 'placeholder', geometryIn(game).example);
      setAttr(field, 'aria-invalid', game.typedError ? 'true' : null);
      clear(`${game.moves.length} ${game.draft.moves.length}`);
    },
    leave: asks.leave,
  };
}
