/** @import {State, Prefs, GameState} from './types.js' */

import { SPEEDS, VARIANTS } from './leaders.js';
import { NO_DRAFT } from './turn.js';

/**
 * The whole state of a page before anything has happened. See types.js for what each field is for.
 * @param {Prefs} prefs
 * @returns {State}
 */
export function initialState(prefs) {
  return {
    route: { name: 'loading' },
    session: { loaded: false, player: null, playing: [], last: null },
    line: { status: 'connecting', epoch: 0, everOpen: false, back: false, assets: null },
    outbox: [],
    pool: null,
    seeking: false,
    notices: [],
    noticed: 0,
    live: { n: 0, said: [] },
    prefs,
    pools: null,
    computers: null,
    lobby: { live: [], recent: [], shown: null },
    seeks: { sync: 'off', items: [], online: null, games: 0, pools: [], made: false },
    challenges: { received: [], created: [] },
    mine: null,
    blocks: null,
    account: NO_ACCOUNT,
    game: null,
    form: { busy: false, problem: null, at: 'form' },
    challenge: { status: 'loading', data: null },
    profile: { status: 'loading', name: '', kind: '', created_at: '', blocked: false, ratings: [], curve: null },
    leaders: { variant: VARIANTS[0], speed: SPEEDS[0], players: [], busy: true },
    games: { items: [], next: null, busy: false },
    go: null,
  };
}

/** @type {State['account']} */
export const NO_ACCOUNT = { logins: null, tokens: null, made: null, changed: false };

/** @type {GameState['rematch']} */
export const NO_REMATCH = { offer: null, next: null, declined: null };

/**
 * A game of which nothing but its id is known.
 * @param {string} id
 * @returns {GameState}
 */
export function emptyGame(id) {
  return {
    id,
    status: 'loading',
    sync: 'needed',
    watchId: null,
    seq: null,
    you: null,
    info: null,
    moves: [],
    legal: [],
    clock: null,
    offer: null,
    takeback: null,
    rematch: NO_REMATCH,
    chat: { lines: [], seen: 0, unsent: '', open: null },
    presence: { white: false, black: false, spectators: 0 },
    selected: null,
    pointed: null,
    view: null,
    flipped: false,
    confirm: null,
    typedError: null,
    draft: NO_DRAFT,
    premove: null,
    choosing: null,
    why: null,
    inspect: null,
    mate: null,
    focus: 0,
  };
}
