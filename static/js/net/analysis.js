// What is asked when a position or a game is analyzed: the engine's word, and a game that is not watched.
/** @import {GameInfo} from '../types.js' */
/** @import {Score} from '../analysis/score.js' */

import { call } from './rest.js';

/** @typedef {{fen: string, turn: string, lan: string, score: Score, depth: number, nodes: number, line: {move: string, lan: string}[]}} Advice */

/**
 * @param {{variant: string, fen: string} | {game: string, ply: number}} position one of a game comes with what led to it, as repetitions count
 * @param {number} time_ms @param {AbortSignal} [signal]
 * @returns {Promise<Advice>}
 */
export const askEngine = (position, time_ms, signal) => call('POST', '/analysis', { ...position, time_ms }, signal);

/** @param {string} id @returns {Promise<GameInfo>} */
export const askGame = (id) => call('GET', `/games/${encodeURIComponent(id)}`);

/** A game's record, as the server writes it; null where it cannot be had. @param {string} id @returns {Promise<string | null>} */
export async function askRecord(id) {
  const answer = await fetch(`/api/v1/games/${encodeURIComponent(id)}.pgn`).catch(() => null);
  return answer?.ok ? answer.text() : null;
}
