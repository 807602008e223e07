// A square that somebody looks at: who attacks it and who defends it, by the server's word. Pure.
/** @import {Attacker, Color, GameState, State} from './types.js' */

import { fenAt, pendingMove, sideToMove } from './position.js';
import { draftText } from './turn.js';

/** What is on the boards, as the server is asked about it. @param {State} state @param {GameState} game */
export function ground({ outbox }, game) {
  const turn = game.view === null ? pendingMove(game, outbox) ?? draftText(game) : '';
  return { fen: fenAt(game, game.view ?? game.moves.length), turn };
}

/**
 * The attackers of the square sorted by what they are to it. Whoever holds it: what stands there, else the viewer, else the
 * side to move.
 * @param {GameState} game
 * @param {Map<string, string>} pieces as they are shown
 * @returns {{square: string, piece: string, holder: Color, attack: Attacker[], defense: Attacker[]} | null}
 */
export function inspection(game, pieces) {
  const { inspect } = game;
  if (!inspect?.said) return null;
  const { square, said, fen } = inspect;
  const piece = pieces.get(square) ?? '';
  /** @type {Color} */
  const holder = piece ? (piece[0] === 'w' ? 'white' : 'black') : game.you ?? sideToMove(fen);
  const defends = (/** @type {Attacker} */ { piece: letter }) => (letter === letter.toUpperCase()) === (holder === 'white');
  return { square, piece, holder, attack: said.filter((a) => !defends(a)), defense: said.filter(defends) };
}

/** A letter of a FEN as `wK`. @param {string} letter */
export const pieceOf = (letter) => (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toUpperCase();
