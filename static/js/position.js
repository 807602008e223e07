// Reading positions for the eye: where pieces stand, what changed, what each side is ahead. No rules in here.
/** @import {GameState, Outgoing, Color} from './types.js' */

import { geometryOf } from './games/index.js';

/** @param {GameState} game */
export const geometryIn = (game) => geometryOf(game.info?.variant);

/** @param {string} fen @returns {Color} */
export const sideToMove = (fen) => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/** The number of the move that comes next. @param {string} fen */
export const fullmoveOf = (fen) => Number(fen.split(' ').at(-1)) || 1;

/** Who made a move of the game. @param {GameState} game @param {number} ply @returns {Color} */
export const moverOf = (game, ply) => sideToMove(fenAt(game, ply));

/**
 * The own move that was sent and not yet confirmed, when it answers the present position.
 * @param {GameState} game
 * @param {Outgoing[]} outbox
 */
export function pendingMove(game, outbox) {
  const out = outbox.find(({ cmd }) => cmd.t === 'move' && cmd.game === game.id && cmd.ply === game.moves.length);
  return out ? /** @type {string} */ (out.cmd.move) : null;
}

/** @param {GameState} game */
export const fenAt = (game, ply = game.moves.length) => (ply > 0 ? game.moves[ply - 1].fen : game.info?.start_fen ?? '');

/**
 * The pieces by which each side is ahead, most valuable first.
 * @param {Map<string, string>} pieces
 * @returns {{white: string[], black: string[]}}
 */
export function material(pieces) {
  /** @type {{white: string[], black: string[]}} */
  const ahead = { white: [], black: [] };
  const all = [...pieces.values()];
  for (const role of 'QRBNP') {
    const diff = all.filter((p) => p === 'w' + role).length - all.filter((p) => p === 'b' + role).length;
    for (let i = 0; i < Math.abs(diff); i++) ahead[diff > 0 ? 'white' : 'black'].push(role);
  }
  return ahead;
}
