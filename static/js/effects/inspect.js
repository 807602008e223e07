// Asks the server who attacks the square that is looked at, on the pages of games and of lessons alike; and why it is mate.
/** @import {GameState, Send} from '../types.js' */

import { askAttackers, askFlights } from '../net/positions.js';
import { Refusal } from '../net/rest.js';
import { fenAt } from '../position.js';

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

/** @param {GameState} game that has ended in mate @param {Send} send */
export async function lookAtMate(game, send) {
  const about = game.mate?.id;
  try {
    send({ type: 'game.mate-said', about, said: await askFlights(game.info?.variant ?? '', fenAt(game)) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    send({ type: 'game.mate-said', about, problem: { code: error.code, detail: error.detail } });
  }
}
