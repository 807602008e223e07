// Reading positions for the eye: where pieces stand, what changed, what each side is ahead. No rules in here.
/** @import {GameState, Outgoing, Color} from './types.js' */

import { nameOf, splitMove } from './coords.js';

/** @type {Map<string, Map<string, string>>} The last few boards read, because the same one is drawn many times. */
const read = new Map();

/**
 * Square to piece (`wK`, `bP`) of a FEN4D.
 * @param {string} fen
 * @returns {Map<string, string>}
 */
export function piecesOf(fen) {
  const known = read.get(fen);
  if (known) return known;
  /** @type {Map<string, string>} */
  const pieces = new Map();
  fen.split(' ')[0].split('|').forEach((board, b) => {
    board.split('/').forEach((rank, r) => {
      let x = 0;
      for (const c of rank) {
        if (c >= '1' && c <= '4') x += Number(c);
        else pieces.set(nameOf({ x: x++, y: 3 - r, z: b & 1, w: b >> 1 }), (c === c.toUpperCase() ? 'w' : 'b') + c.toUpperCase());
      }
    });
  });
  if (read.size > 64) read.clear();
  read.set(fen, pieces);
  return pieces;
}

/** @param {string} fen @returns {Color} */
export const sideToMove = (fen) => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

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
 * What the boards show: pieces, the last move and the king in check, at the viewed ply.
 * @param {GameState} game
 * @param {Outgoing[]} outbox
 * @returns {{pieces: Map<string, string>, last: {from: string, to: string} | null, check: string | null, pending: boolean}}
 */
export function shownPosition(game, outbox) {
  const ply = game.view ?? game.moves.length;
  const pieces = piecesOf(fenAt(game, ply));
  const move = ply > 0 ? game.moves[ply - 1] : null;
  const pending = game.view === null ? pendingMove(game, outbox) : null;
  if (!pending) return { pieces, last: move && splitMove(move.move), check: move?.check ?? null, pending: false };
  const { from, to } = splitMove(pending);
  const moved = new Map(pieces);
  const piece = moved.get(from) ?? '';
  moved.delete(from);
  // Shown ahead of the server's answer, which brings the true position: a pawn on its last rank is a queen there.
  moved.set(to, piece === 'wP' && to[1] === '4' ? 'wQ' : piece === 'bP' && to[1] === '1' ? 'bQ' : piece);
  return { pieces: moved, last: { from, to }, check: null, pending: true };
}

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
