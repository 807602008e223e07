// Which game is offered before anybody has chosen one in this browser.
/** @import {State} from './types.js' */

import { VARIANTS } from './leaders.js';

/** For a first game: fewer pieces, and less that comes from another board unseen. */
const FIRST = 'fourfold-classic';

/** Whether somebody has neither chosen a game here nor played one to its end. @param {Pick<State, 'prefs' | 'session'>} state */
export const isFirstGame = ({ prefs, session }) => !prefs.variant && !session.last;

/** The game that was chosen last, else the one that was played last, else the one for a first game; of those that are there. @param {Pick<State, 'prefs' | 'session' | 'pools'>} state */
export function offeredVariant({ prefs, session, pools }) {
  const there = pools?.variants ?? VARIANTS;
  return [prefs.variant, session.last, FIRST].find((variant) => variant && there.includes(variant)) || there[0];
}
