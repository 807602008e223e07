// Offers, exits, flip, and the field for typed moves. What ends a game asks again in its own place.
/** @import {GameState, Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { geometryIn } from '../position.js';
import { h, icon, setAttr, setText, show, whenChanged } from './dom.js';

/** @param {Send} send */
export function actions(send) {
  const act = (/** @type {string} */ what) => () => send({ type: 'game.command', what });
  const button = (/** @type {string} */ what, /** @type {string} */ pic) => {
    const text = h('span', {});
    return { what, text, el: h('button', { type: 'button', 'data-action': what, click: act(what) }, icon(pic), text) };
  };
  const abort = button('abort', 'cross');
  const draw = button('draw', 'half');
  const resign = button('resign', 'flag');
  const flipText = h('span', {}, t('action.flip'));
  const flip = h('button', { type: 'button', 'data-action': 'flip', 'aria-label': t('action.flip'), title: t('action.flip'), click: () => send({ type: 'game.flip' }) }, icon('flip'), flipText);
  const never = h('button', { type: 'button', class: 'bare', 'data-action': 'unconfirm', 'aria-label': t('action.no'), title: t('action.no'), click: () => send({ type: 'game.unconfirm' }) }, icon('cross'));
  const row = h('div', { class: 'action-row' }, abort.el, draw.el, resign.el, never, flip);

  const offerText = h('span', {});
  const accept = h('button', { type: 'button', class: 'primary', 'data-action': 'accept-draw', click: act('accept-draw') }, icon('check'), t('action.accept'));
  const decline = h('button', { type: 'button', 'data-action': 'decline-draw', click: act('decline-draw') }, icon('cross'), t('action.decline'));
  const offer = h('div', { class: 'offer', hidden: true }, offerText, accept, decline);

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
  const el = h('section', { class: 'actions', 'aria-label': t('actions.label') }, offer, row, typed);
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
      show(never, asked !== null);
      for (const b of [abort, draw, resign]) {
        setAttr(b.el, 'data-confirm', asked === b.what);
        setText(b.text, t(asked === b.what ? `confirm.${b.what}` : `action.${b.what}`));
      }
      const mineOpen = game.offer !== null && game.offer.by === game.you;
      const sent = state.outbox.some(({ cmd }) => cmd.game === game.id && cmd.t === 'offer_draw');
      draw.el.disabled = mineOpen || sent;
      if (mineOpen || sent) setText(draw.text, t('action.draw_offered'));
      setAttr(row, 'data-confirming', asked !== null);
      const theirs = playing && game.offer !== null && game.offer.by !== game.you;
      show(offer, theirs);
      if (theirs) setText(offerText, t('offer.draw', { name: game.info?.[game.you === 'white' ? 'black' : 'white'].name ?? '' }));
      show(typed, playing);
      setText(error, game.typedError ? t(game.typedError) : '');
      setAttr(field, 'placeholder', geometryIn(game).example);
      setAttr(field, 'aria-invalid', game.typedError ? 'true' : null);
      clear(`${game.moves.length} ${game.draft.moves.length}`);
    },
  };
}
