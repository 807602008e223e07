// What a pawn becomes, asked over the square that it goes to.
/** @import {GameState, Send} from '../types.js' */

import { t } from '../i18n.js';
import { h, pieceImage, setAttr, show, whenChanged } from './dom.js';

/** The strongest first and nearest to the square: it is wanted nearly always. */
const ORDER = 'qrbn';

/** @param {Send} send */
export function chooser(send) {
  const el = h('div', {
    class: 'chooser', role: 'dialog', 'aria-label': t('choose.label'), hidden: true,
    keydown: (/** @type {KeyboardEvent} */ event) => {
      const buttons = /** @type {HTMLElement[]} */ ([...el.children]);
      buttons.find((button) => button.dataset.become === event.key.toLowerCase())?.click();
    },
  });
  const draw = whenChanged((/** @type {string} */ key) => {
    const [color, ...moves] = key.split(' ');
    el.replaceChildren(...moves.sort((a, b) => ORDER.indexOf(a.slice(-1)) - ORDER.indexOf(b.slice(-1))).map((move) => {
      const role = move.slice(-1);
      return h('button', {
        type: 'button', 'data-become': role, title: `${t(`role.${role.toUpperCase()}`)} (${role})`, 'aria-label': t(`role.${role.toUpperCase()}`),
        click: () => send({ type: 'game.choose', move }),
      }, pieceImage(color + role.toUpperCase()));
    }));
  });
  return {
    el,
    /** @param {GameState} game @param {HTMLElement} sheet @param {(square: string) => HTMLElement} buttonOf */
    update({ choosing, ...game }, sheet, buttonOf) {
      const opened = choosing !== null && el.hidden;
      show(el, choosing !== null);
      if (!choosing) return;
      draw(`${game.you === 'black' ? 'b' : 'w'} ${choosing.moves.join(' ')}`);
      const square = buttonOf(choosing.to).getBoundingClientRect();
      const frame = sheet.getBoundingClientRect();
      const size = Math.max(44, square.width);
      setAttr(el, 'data-reverse', square.left - frame.left + 4 * size > frame.width);
      // Inside the sheet, whichever edge the pawn has reached.
      el.style.setProperty('--size', `${size}px`);
      el.style.left = `${Math.max(0, Math.min(frame.width - 4 * size - 10, square.left - frame.left))}px`;
      el.style.top = `${square.top - frame.top + (square.top - frame.top > size + 10 ? -size - 12 : square.height + 2)}px`;
      if (opened) /** @type {HTMLElement} */ (el.firstElementChild).focus();
    },
  };
}
