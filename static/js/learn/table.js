// A table of one's own: the state of a game that is on no server, for lessons and puzzles. The boards, the tray and the
// words of the game page show it as they show any; what is legal the server says, asked position by position. Pure.
/** @import {Color, Command, GameState, Prefs, State} from '../types.js' */
/** @import {Played, Position} from '../net/positions.js' */

import { fenAt, sideToMove } from '../position.js';
import { emptyGame, initialState } from '../state.js';
import { NO_DRAFT } from '../turn.js';

/**
 * What is put on the table.
 * @typedef {object} Setup
 * @property {string} fen of which only the placement and the side count to the table
 * @property {string[]} [legal] by the server's word; nothing can be moved without it
 * @property {Color | null} [you] whose pieces one moves; the side to move where nothing is said
 * @property {string | null} [selected]
 * @property {string | null} [check] a square that is in danger
 * @property {{from: string, to: string} | null} [mark] a move that is talked about
 * @property {string} [last] a move that led here
 * @property {string} [lan] how that is written
 * @property {{outcome: string, termination: string} | null} [end] how the game has ended here
 * @property {boolean} [flipped]
 */

/** A page's state with a table on it. @param {Prefs} prefs @returns {State} */
export function tableState(prefs) {
  const state = initialState(prefs);
  return { ...state, route: { name: 'game', id: '' }, line: { ...state.line, status: 'open' }, session: { ...state.session, loaded: true } };
}

/**
 * The state with something else on the table. Answers to questions about what was there before find another id.
 * @param {State} state @param {string} variant @param {Setup} setup @param {string} id
 * @returns {State}
 */
export function putOn(state, variant, { fen, legal = [], you = sideToMove(fen), selected = null, check = null, mark = null, last = '', lan = last, end = null, flipped = false }, id) {
  const person = { name: '', kind: 'guest' };
  const began = last || check ? [{ move: last, lan, fen, check, spent_ms: 0 }] : [];
  /** @type {GameState} */
  const game = {
    ...emptyGame(id),
    status: 'ready',
    sync: 'ok',
    seq: 0,
    you,
    info: {
      id, variant, rated: false, speed: 'untimed', time: null, white: person, black: person, created_at: '', ended_at: null,
      start_fen: fen, outcome: end?.outcome ?? null, termination: end?.termination ?? null, ratings: null,
    },
    moves: began,
    legal,
    selected,
    flipped,
    premove: mark && { ...mark, ply: 0 },
    focus: state.game?.focus ?? 0,
  };
  return { ...state, outbox: [], game };
}

/** The table seen from the other side, both its colors moved by one person. @param {State} state @returns {State} */
export function passOn(state) {
  const { game } = state;
  if (!game) return state;
  const you = sideToMove(fenAt(game));
  // The sheet stays as it lies.
  return you === game.you ? state : { ...state, game: { ...game, you, flipped: !game.flipped } };
}

/** The socket's messages that tell what the server said of a turn. @param {GameState} game @param {Played} played @param {string} id the command's */
export function eventsOf(game, played, id) {
  const by = sideToMove(fenAt(game));
  const ply = game.moves.length;
  const { turn, lan, fen, check, legal, end } = played;
  const seq = (game.seq ?? 0) + 1;
  const moved = { t: 'event', game: game.id, seq, kind: 'move', by, ply, id, move: turn, lan, fen, check, spent_ms: 0, legal };
  return end ? [moved, { t: 'event', game: game.id, seq: seq + 1, kind: 'ended', ...end, ended_at: '' }] : [moved];
}

/** The socket's message that answers a question about a turn under way. @param {Command} cmd @param {Position} position */
export function answerOf(cmd, position) {
  const { id, game, ply, turn, from, to } = cmd;
  const about = { id, game, ply, turn };
  if (cmd.t === 'legal') return { t: 'legal', ...about, placement: position.placement, legal: position.legal };
  return { t: 'explained', ...about, from, to, ...position.explained };
}

/** What is in the tray goes back. @param {State} state @returns {State} */
export const emptied = (state) => (state.game ? { ...state, outbox: [], game: { ...state.game, selected: null, draft: NO_DRAFT } } : state);
