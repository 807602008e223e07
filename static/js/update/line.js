/** @import {State, Message} from '../types.js' */

import { speak } from './common.js';

/**
 * The connection itself: opened, lost, and which commands it has carried.
 * @param {State} state
 * @param {Message} m
 * @returns {State}
 */
export function updateLine(state, m) {
  const { line } = state;
  switch (m.type) {
    case 'line.connecting':
      // Whether this is the next try of a line that broke, or one that was let go because the session changed.
      return { ...state, line: { ...line, status: line.status === 'open' ? 'connecting' : line.status } };
    case 'line.renewing':
      // It is let go on purpose, even where the server has been quicker to: nothing was lost, and nothing is back.
      return { ...state, line: { ...line, status: 'connecting', back: false } };
    case 'line.waiting': {
      // A few tries in vain: no longer a hiccup. The player is told that the connection is lost, and we go on trying.
      const status = m.tries >= 4 ? 'lost' : 'waiting';
      const next = { ...state, line: { ...line, status: /** @type {typeof line.status} */ (status), back: false } };
      return line.status === 'open' ? speak(next, 'line.waiting') : next;
    }
    case 'line.settled':
      return { ...state, line: { ...line, back: false } };
    case 'line.watching':
      return state.game ? { ...state, game: { ...state.game, sync: 'asked', watchId: m.watchId } } : state;
    case 'line.sent':
      return { ...state, outbox: state.outbox.map((o) => (m.ids.includes(o.cmd.id) ? { ...o, epoch: line.epoch } : o)) };
    default:
      return state;
  }
}
