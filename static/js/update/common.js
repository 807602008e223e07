/** @import {State, Command, Notice} from '../types.js' */

import { initialState } from '../state.js';

/** So many sentences are kept: what is told at once, as after an interruption, is heard one after the other. */
const HEARD = 8;

/**
 * Tells screen readers a sentence.
 * @param {State} state
 * @param {string} key
 * @param {Record<string, string | number>} [args]
 * @returns {State}
 */
export function speak(state, key, args = {}) {
  const n = state.live.n + 1;
  return { ...state, live: { n, said: [...state.live.said, { n, key, args }].slice(-HEARD) } };
}

/**
 * Shows a notice until it is dismissed or the place is left.
 * @param {State} state
 * @param {string} key
 * @param {{args?: Notice['args'], kind?: Notice['kind'], link?: Notice['link']}} [more]
 * @returns {State}
 */
export function notify(state, key, { args = {}, kind = 'info', link = null } = {}) {
  const n = state.noticed + 1;
  const others = state.notices.filter((x) => x.key !== key || x.link?.href !== link?.href).slice(-2);
  return { ...state, noticed: n, notices: [...others, { n, key, args, kind, link }] };
}

/**
 * Puts a command where effects.js takes it to the server.
 * @param {State} state
 * @param {Command} cmd
 * @returns {State}
 */
export function post(state, cmd) {
  return { ...state, outbox: [...state.outbox, { cmd, epoch: null }] };
}

/**
 * The commands that the present line has not carried yet. One for the game on the page waits until that game has caught
 * up with what was missed.
 * @param {State} state
 */
export function dueCommands({ game, outbox, line }) {
  const behind = game && game.sync !== 'ok' ? game.id : null;
  return outbox.filter(({ cmd, epoch }) => epoch !== line.epoch && (behind === null || cmd.game !== behind)).map(({ cmd }) => cmd);
}

/** Whoever is here now. What was listed for somebody else is not left for the next to read. @param {State} state @param {State['session']['player']} player @returns {State} */
export function welcome(state, player) {
  const next = { ...state, session: { ...state.session, loaded: true, player } };
  if (state.session.player === null || state.session.player?.name === player?.name) return next;
  const { mine, challenges, blocks, account } = initialState(state.prefs);
  return { ...next, session: { ...next.session, playing: [], last: null }, mine, challenges, blocks, account };
}
