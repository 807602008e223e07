// A turn that is being put together: the moves made so far, and what the server has said of them. Pure.
/** @import {Draft, GameState, Outgoing} from './types.js' */

import { fenAt, geometryIn, pendingMove } from './position.js';

/** @type {Draft} */
export const NO_DRAFT = { moves: [], answers: {} };

/** @param {GameState} game */
export const draftText = (game) => game.draft.moves.join(',');

/**
 * The moves that may follow on those in the tray, by the server's word; null while it has not answered yet.
 * @param {GameState} game
 * @returns {string[] | null}
 */
export const legalNow = (game) => (game.draft.moves.length ? game.draft.answers[draftText(game)]?.legal ?? null : game.legal);

/** How many moves of the tray the server has found legal. @param {Draft} draft */
export function known({ moves, answers }) {
  let n = moves.length;
  while (n > 0 && !answers[moves.slice(0, n).join(',')]) n--;
  return n;
}

/**
 * Where the pieces stand after the moves in the tray: by the server's word as far as it goes.
 * @param {GameState} game
 */
export function standing(game) {
  const { pieces, displace } = geometryIn(game);
  const { moves, answers } = game.draft;
  const n = known(game.draft);
  const said = n ? answers[moves.slice(0, n).join(',')].placement : fenAt(game);
  return moves.slice(n).reduce(displace, pieces(said));
}

/**
 * The squares of pieces that have moved in this turn, a castled rook included.
 * @param {GameState} game
 * @returns {Set<string>}
 */
export function movedSquares(game) {
  const { pieces, split } = geometryIn(game);
  const { moves } = game.draft;
  if (!moves.length) return new Set();
  const before = pieces(fenAt(game));
  const changed = [...standing(game)].filter(([square, piece]) => before.get(square) !== piece).map(([square]) => square);
  return new Set([...changed, ...moves.map((move) => split(move).to)]);
}

/** The boards on which a move of this turn has ended. @param {GameState} game */
export function usedBoards(game) {
  const { split, placeOf } = geometryIn(game);
  return new Set(game.draft.moves.map((move) => placeOf(split(move).to).board));
}

/**
 * What the boards show at the viewed ply: pieces, the moves of the last turn or of the one that is being made, the king
 * in check, and what this turn has used.
 * @param {GameState} game
 * @param {Outgoing[]} outbox
 * @returns {{pieces: Map<string, string>, last: {from: string, to: string}[], check: string | null, pending: boolean, moved: Set<string>, used: Set<number>}}
 */
export function shownPosition(game, outbox) {
  const { pieces, split, displace } = geometryIn(game);
  const ply = game.view ?? game.moves.length;
  const { move = '', check = null } = game.moves[ply - 1] ?? {};
  const pending = game.view === null ? pendingMove(game, outbox) : null;
  const last = (/** @type {string} */ turn) => turn.split(',').filter((text) => text).map(split);
  const before = { pieces: pieces(fenAt(game, ply)), last: last(move), check, pending: false, moved: new Set(), used: new Set() };
  if (game.view !== null) return before;
  // A move that another way than the tray has sent, or that the tray has lost with the page.
  if (pending && pending !== draftText(game)) {
    return { ...before, pieces: pending.split(',').reduce(displace, before.pieces), last: last(pending), check: null, pending: true };
  }
  if (!game.draft.moves.length) return before;
  return { ...before, pieces: standing(game), last: last(draftText(game)), pending: pending !== null, moved: movedSquares(game), used: usedBoards(game) };
}
