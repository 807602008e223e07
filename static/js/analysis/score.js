// What the engine thinks of a position, as it is shown: always from White's side. Pure.
/** @import {Color} from '../types.js' */

/** @typedef {{centipawns: number} | {mate_in: number} | {mated_in: number}} Score for the side to move */
/** @typedef {{pawns: number} | {winner: Color, turns: number}} Verdict pawns by which White is ahead, or who wins in how many turns; 0 where that has happened */

/** A pawn ahead is worth about this much of the way to a sure win. */
const STEEPNESS = 0.35;

/** @param {Score} score @param {Color} side to move @returns {Verdict} */
export function verdictOf(score, side) {
  if ('centipawns' in score) return { pawns: ((side === 'white' ? 1 : -1) * score.centipawns) / 100 };
  if ('mate_in' in score) return { winner: side, turns: score.mate_in };
  return { winner: side === 'white' ? 'black' : 'white', turns: score.mated_in };
}

/** How it stands where a game has ended. @param {string} outcome @returns {Verdict} */
export const verdictAtEnd = (outcome) => (outcome === 'white' || outcome === 'black' ? { winner: outcome, turns: 0 } : { pawns: 0 });

/** From -1, Black wins, to 1, White wins. @param {Verdict} verdict */
export function chanceOf(verdict) {
  if ('winner' in verdict) return verdict.winner === 'white' ? 1 : -1;
  return Math.tanh(STEEPNESS * verdict.pawns);
}
