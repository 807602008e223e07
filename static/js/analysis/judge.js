// Asks the engine about a game, position by position, no faster than the server likes it.
/** @import {Verdict} from './score.js' */

import { loadForTab, saveForTab } from '../keep.js';

/** @typedef {(Verdict | null)[]} Verdicts after each move; null is not known */

/** Of so many games is remembered what the engine said. */
const REMEMBERED = 8;
/** @type {Map<string, Verdicts>} */
const remembered = new Map();

const NAME = 'verdicts';
/** Those that end a game by the position itself: nothing is left to be thought of it. */
const ENDED_BY_RULES = ['checkmate', 'stalemate', 'king_captured', 'bare_kings', 'hundred_moves', 'repetition'];

/** Whether the last position of a game is one that the engine can say something of. @param {string | null} termination */
export const isOpenAtEnd = (termination) => !ENDED_BY_RULES.includes(termination ?? '');

/** @returns {{game: string, verdicts: Verdicts}[]} the last one first */
function kept() {
  const list = loadForTab(NAME);
  return Array.isArray(list) ? list.filter((each) => typeof each?.game === 'string' && Array.isArray(each.verdicts)).slice(0, REMEMBERED) : [];
}

/** A reload forgets nothing. @param {string} game @param {Verdicts} verdicts */
export const keepVerdicts = (game, verdicts) => saveForTab(NAME, [{ game, verdicts }, ...kept().filter((each) => each.game !== game)].slice(0, REMEMBERED));

/** What is known of a game; filled in by `judgeAll`. @param {string} game @param {number} plies @returns {Verdicts} */
export function verdictsOf(game, plies) {
  const known = remembered.get(game);
  if (known?.length === plies) return known;
  const before = kept().find((each) => each.game === game)?.verdicts;
  const fresh = before?.length === plies ? before : Array(plies).fill(null);
  remembered.delete(game);
  remembered.set(game, fresh);
  if (remembered.size > REMEMBERED) remembered.delete(remembered.keys().next().value ?? '');
  return fresh;
}

/**
 * Fills in what is not known yet.
 * @param {Verdicts} verdicts
 * @param {object} by
 * @param {(ply: number) => Promise<Verdict>} by.ask after so many moves
 * @param {(ms: number) => Promise<void>} by.wait
 * @param {(waitMs: number) => void} by.told after each, and with a time before each wait
 * @param {() => boolean} by.given_up
 */
export async function judgeAll(verdicts, { ask, wait, told, given_up }) {
  for (let ply = 1; ply <= verdicts.length; ply++) {
    while (verdicts[ply - 1] === null && !given_up()) {
      try {
        verdicts[ply - 1] = await ask(ply);
      } catch (error) {
        const { retryMs = null } = /** @type {{retryMs?: number | null}} */ (error);
        if (given_up()) return;
        if (retryMs === null) throw error;
        told(retryMs);
        await wait(retryMs);
      }
    }
    if (given_up()) return;
    told(0);
  }
}
