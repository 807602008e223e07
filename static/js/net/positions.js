// What lessons and puzzles ask: the server's word on positions that belong to no game.

import { call } from './rest.js';

/** @typedef {{outcome: string, termination: string} | null} End */
/** @typedef {{turn: string, lan: string, fen: string, check: string | null, legal: string[], end: End}} Played */
/** @typedef {{legal: boolean, reason: string | null, args: Record<string, string>, detail: string | null}} Explained */
/** @typedef {{fen: string, turn: string, placement: string, legal: string[], check: string | null, end: End, after: Played | null, explained: Explained | null}} Position */
/** @typedef {{id: string, variant: string, fen: string, moves: number}} Puzzle */
/** @typedef {{verdict: 'solved' | 'right' | 'wrong', played: Played, reply: Played | null}} Judged */

/** @param {string} variant @param {string} fen @param {{turn?: string, from?: string, to?: string}} [more] @returns {Promise<Position>} */
export const askPosition = (variant, fen, more = {}) => call('POST', '/positions', { variant, fen, ...more });

/** Who attacks a square of a position, after the moves of a turn. @param {string} variant @param {string} fen @param {string} turn @param {string} square @returns {Promise<import('../types.js').Attacker[]>} */
export const askAttackers = async (variant, fen, turn, square) => (await call('POST', '/positions', { variant, fen, square, ...(turn && { turn }) })).attackers;

/** What keeps the king that is in check from each square beside it. @param {string} variant @param {string} fen @returns {Promise<import('../types.js').Flights>} */
export const askFlights = (variant, fen) => call('POST', '/positions', { variant, fen, flights: true });

/** Where a piece goes from a square of an empty board. @param {string} variant @param {string} piece as `wR` @param {string} square @returns {Promise<{moves: string[], captures: string[]}>} */
export const askReach = (variant, piece, square) => call('POST', '/positions', { variant, piece: piece[0] === 'w' ? piece[1] : piece[1].toLowerCase(), square });

/** What a level of the computer would play. @param {string} variant @param {string} fen @param {number} level @returns {Promise<{turn: string}>} */
export const askReply = (variant, fen, level) => call('POST', '/analysis', { variant, fen, level, time_ms: 300 });

/** @returns {Promise<Puzzle[]>} */
export const askPuzzles = async () => (await call('GET', '/puzzles')).puzzles;

/** @param {string} id @returns {Promise<Puzzle & {answer: string, lan: string}>} */
export const askAnswer = (id) => call('GET', `/puzzles/${encodeURIComponent(id)}`);

/** @param {string} id @param {string[]} line every turn since the beginning, replies included @returns {Promise<Judged>} */
export const askVerdict = (id, line) => call('POST', `/puzzles/${encodeURIComponent(id)}`, { line });
