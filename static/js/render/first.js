// That one's first move has to be made, and how soon: told where the game says what it asks for, from the moment it begins.
/** @import {Clock, GameState, State} from '../types.js' */

import { t } from '../i18n.js';
import { fenAt, pendingMove, sideToMove } from '../position.js';
import { h, setAttr, setText, show } from './dom.js';

const TICK_MS = 250;
/** From here on it is urgent. */
const LATE_S = 8;

export function firstMoveCall() {
  const el = h('p', { class: 'first-call', hidden: true });
  /** @type {Clock | null} */
  let clock = null;
  function tick() {
    show(el, clock !== null);
    if (!clock) return;
    const n = Math.max(0, Math.ceil(((clock.first_move_ms ?? 0) - (performance.now() - clock.at)) / 1000));
    setText(el, t('first.call', { n }));
    setAttr(el, 'data-late', n <= LATE_S);
  }
  const timer = setInterval(tick, TICK_MS);
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const mine = game.you !== null && !game.info?.outcome && sideToMove(fenAt(game)) === game.you && !pendingMove(game, state.outbox);
      clock = mine && game.clock && game.clock.first_move_ms !== null ? game.clock : null;
      tick();
    },
    leave: () => clearInterval(timer),
  };
}
