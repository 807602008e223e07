// What the opponent asks, and what may be asked of one who has left. Each has a line of its own beside the buttons, never in
// their place: nothing that is about to be pressed becomes something else.
/** @import {GameState, Send} from '../types.js' */

import { nameText, t } from '../i18n.js';
import { claimableAt } from '../update/offers.js';
import { h, icon, setText, show } from './dom.js';

const TICK_MS = 250;

/** @param {Send} send */
export function offers(send) {
  /** @param {string} what @param {string} key @param {string} pic @param {boolean} [primary] */
  const button = (what, key, pic, primary = false) => h('button', {
    type: 'button', class: primary ? 'primary' : null, 'data-action': what, click: () => send({ type: 'game.command', what }),
  }, icon(pic), t(key));
  /** @param {string} name @param {HTMLElement[]} buttons */
  const line = (name, buttons) => {
    const text = h('span', {});
    return { text, el: h('div', { class: 'offer', 'data-offer': name, hidden: true }, text, ...buttons) };
  };
  const asked = (/** @type {string} */ what) => line(what, [button(`accept-${what}`, 'action.accept', 'check', true), button(`decline-${what}`, 'action.decline', 'cross')]);
  const draw = asked('draw');
  const takeback = asked('takeback');
  const claims = [button('claim-win', 'action.claim_win', 'flag', true), button('claim-draw', 'action.claim_draw', 'half')];
  const claim = line('claim', claims);
  /** When the game may be claimed. @type {number | null} */
  let at = null;
  let name = '';

  function tick() {
    if (at === null) return;
    const seconds = Math.ceil((at - performance.now()) / 1000);
    setText(claim.text, seconds > 0 ? t('offer.left_for', { name, n: seconds }) : t('offer.left', { name }));
    // Their room is kept while the seconds run, so that nothing moves when they end.
    for (const el of claims) el.disabled = seconds > 0;
  }
  const timer = setInterval(tick, TICK_MS);

  return {
    el: h('div', { class: 'offers' }, draw.el, takeback.el, claim.el),
    /** @param {GameState} game */
    update(game) {
      const playing = game.you !== null && !!game.info && !game.info.outcome;
      const other = game.info?.[game.you === 'white' ? 'black' : 'white'];
      name = other ? nameText(other) : '';
      for (const [line, offer, key] of /** @type {const} */ ([[draw, game.offer, 'offer.draw'], [takeback, game.takeback, 'offer.takeback']])) {
        show(line.el, playing && offer !== null && offer.by !== game.you);
        setText(line.text, t(key, { name }));
      }
      at = claimableAt(game);
      show(claim.el, at !== null);
      tick();
    },
    leave: () => clearInterval(timer),
  };
}
