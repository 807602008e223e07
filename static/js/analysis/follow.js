// Goes where moves lead that may have to be played first: those of a link, or the engine's. While that lasts, and where it has
// not come to its end, the address keeps the moves that it names.
/** @import {Problem} from '../types.js' */
/** @import {Stopped} from './play.js' */

import { t } from '../i18n.js';
import { Refusal } from '../net/rest.js';

/** So much of what somebody wrote is said back to them. */
const MOST_SAID = 60;

/** What is told of moves that were not played to their end. @param {Stopped} stopped @returns {Problem} */
export const problemOf = ({ why, move }) => ({ code: `analysis.stopped.${why}`, detail: t(`analysis.stopped.${why}`, { move: move.length > MOST_SAID ? `${move.slice(0, MOST_SAID)}…` : move }) });

/**
 * @param {object} by
 * @param {(from: number, turns: string[], reached: (at: number) => void) => Promise<Stopped | null>} by.play throws what is refused
 * @param {(at: number) => void} by.reach shows where it has come to, and `why` no further
 * @param {(on: boolean) => void} by.working
 */
export function follower({ play, reach, working }) {
  let latest = 0;
  let underWay = false;
  /** @type {Problem | null} */
  let failed = null;

  /** @param {boolean} on */
  function turnTo(on) {
    underWay = on;
    failed = null;
    working(on);
  }

  return {
    /** Whether the address may say where one is. */
    mayWrite: () => !underWay && !failed,
    /** Why moves led no further than to where one is. */
    why: () => failed,
    /** Somebody goes on from where moves led no further. */
    goOn() {
      failed = null;
    },
    /** Where the moves lead is no longer asked for. */
    drop() {
      latest += 1;
      turnTo(false);
    },
    /** @param {number} from @param {string[]} turns */
    async follow(from, turns) {
      const mine = ++latest;
      let here = from;
      /** @type {Problem | null} */
      let why = null;
      turnTo(true);
      try {
        const stopped = await play(from, turns, (at) => { here = at; });
        why = stopped && problemOf(stopped);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        why = error;
      } finally {
        if (mine === latest) turnTo(false);
      }
      if (mine !== latest) return;
      failed = why;
      reach(here);
    },
  };
}
