// Asks the server who attacks the square that is looked at, on the pages of games and of lessons alike.
/** @import {GameState, Send} from '../types.js' */

import { askAttackers } from '../net/positions.js';
import { Refusal } from '../net/rest.js';

/** @param {GameState | null} game @param {Send} send */
export async function lookInto(game, send) {
  if (!game?.inspect || game.inspect.said || !game.info) return;
  const { id: about, square, fen, turn } = game.inspect;
  try {
    send({ type: 'game.attackers', about, said: await askAttackers(game.info.variant, fen, turn, square) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ type: 'game.attackers', about, problem: { code: error.code, detail: error.detail } });
  }
}
