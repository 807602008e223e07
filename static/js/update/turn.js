// Putting a turn together: one move at a time, each answered by the server with what may follow, then all as one command.
/** @import {State, Message, GameState} from '../types.js' */

import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { draftText, known, legalNow, NO_DRAFT } from '../turn.js';
import { notify, post, speak } from './common.js';

/** Whether it is for the viewer to move now. @param {State} state @param {GameState} game */
export function canMove(state, game) {
  return game.view === null && game.you !== null && !game.info?.outcome && game.legal.length > 0
    && sideToMove(fenAt(game)) === game.you && pendingMove(game, state.outbox) === null;
}

/** What goes with a piece that is picked up, and ends with it. */
const LET_GO = { selected: null, pointed: null, typedError: null, confirm: null, choosing: null, why: null };

/**
 * Moves are made. Where a turn is one move it is sent; otherwise they go into the tray, and the server is asked.
 * @param {State} state @param {GameState} game @param {string[]} moves the first of them listed by the server @param {string} id
 * @param {boolean} [sure] made in a way that needs no confirmation
 * @returns {State}
 */
export function add(state, game, moves, id, sure = false) {
  const draft = { ...game.draft, moves: [...game.draft.moves, ...moves] };
  const next = { ...state, game: { ...game, ...LET_GO, draft } };
  // When no move may follow there is nothing to wait for: here because the turn is full, in `answered` by the server's word.
  if (draft.moves.length >= geometryIn(game).most(fenAt(game))) return sure ? endTurn(next, id) : full(next, id);
  return ask(next, id);
}

/** Nothing can follow on what is in the tray: it is sent, or asked about by who wishes that. @param {State} state @param {string} id @returns {State} */
const full = (state, id) => (state.prefs.confirm ? speak(state, 'say.confirm_move') : endTurn(state, id));

/** A move that waits to be confirmed where a turn is one move, and there is no tray to end it from. @param {GameState} game */
export const unconfirmed = (game) => (game.draft.moves.length && geometryIn(game).most('') === 1 ? game.draft.moves[0] : null);

/** Asks what may follow on the tray, unless that is known or has been asked. @param {State} state @param {string} id @returns {State} */
function ask(state, id) {
  const { game } = state;
  if (!game || legalNow(game)) return state;
  const turn = draftText(game);
  const asked = state.outbox.some(({ cmd }) => cmd.t === 'legal' && cmd.game === game.id && cmd.turn === turn);
  return asked ? state : post(state, { t: 'legal', id, game: game.id, ply: game.moves.length, turn });
}

/** @param {State} state @param {string} id @returns {State} */
export function endTurn(state, id) {
  const { game } = state;
  if (!game || !game.draft.moves.length || !canMove(state, game)) return state;
  const next = { ...state, game: { ...game, ...LET_GO } };
  return post(next, { t: 'move', id, game: game.id, ply: game.moves.length, move: draftText(game) });
}

/** Takes the last move out of the tray. @param {State} state @param {string} id @returns {State} */
export function undo(state, id) {
  const { game } = state;
  if (!game || !game.draft.moves.length || !canMove(state, game)) return state;
  const draft = { ...game.draft, moves: game.draft.moves.slice(0, -1) };
  return ask(speak({ ...state, game: { ...game, ...LET_GO, draft } }, 'say.undone', { n: draft.moves.length }), id);
}

/** Moves that were in the tray before the page was loaded again. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function restore(state, game, m) {
  if (game.draft.moves.length || m.fen !== fenAt(game) || !canMove(state, game)) return state;
  return ask({ ...state, game: { ...game, draft: { ...NO_DRAFT, moves: m.moves } } }, m.id);
}

/** The server tells what may follow. @param {State} state @param {Message} m @returns {State} */
export function answered(state, m) {
  const s = m.message;
  const next = { ...state, outbox: state.outbox.filter(({ cmd }) => cmd.id !== s.id) };
  const { game } = next;
  if (!game || game.id !== s.game || game.moves.length !== s.ply) return next;
  const { placement, legal, turn } = s;
  const draft = { ...game.draft, answers: { ...game.draft.answers, [turn]: { placement, legal } } };
  const told = { ...next, game: { ...game, draft } };
  if (turn !== draftText(told.game)) return told;
  return legal.length ? speak(told, 'say.may_follow', { n: legal.length }) : full(told, m.id);
}

/** The server does not take the moves in the tray: those that it has not found legal leave it. @param {State} state @returns {State} */
export function takeOut(state) {
  const { game } = state;
  if (!game) return state;
  return { ...state, game: { ...game, ...LET_GO, draft: { ...game.draft, moves: game.draft.moves.slice(0, known(game.draft)) } } };
}

/** Asks why a piece cannot go to a square that the server has not listed. @param {State} state @param {GameState} game @param {string} to @param {string} id @returns {State} */
export function askWhy(state, game, to, id) {
  const from = game.selected ?? '';
  const next = { ...state, game: { ...game, pointed: to, why: { id, from, to, said: null } } };
  return post(next, { t: 'explain', id, game: game.id, ply: game.moves.length, turn: draftText(game), from, to });
}

/** @param {State} state @param {Message} m @returns {State} */
export function explained(state, m) {
  const { id, reason, args, detail, legal } = m.message;
  const next = { ...state, outbox: state.outbox.filter(({ cmd }) => cmd.id !== id) };
  const { game } = next;
  if (!game?.why || game.why.id !== id || legal) return next;
  const said = { reason, args: args ?? {}, detail };
  return speak({ ...next, game: { ...game, why: { ...game.why, said } } }, 'reason', said);
}

/** What was refused of the above; null when it was something else. @param {State} state @param {any} s @param {string} t what the command was @returns {State | null} */
export function turnRefused(state, s, t) {
  // A question about a position that is gone needs no answer.
  if (t === 'explain') return state.game ? { ...state, game: { ...state.game, why: null } } : state;
  if (t !== 'legal') return null;
  if (s.code === 'stale_ply' || s.code === 'game_over') return state;
  return notify(speak(takeOut(state), 'problem', { code: s.code, detail: s.detail }), 'problem', { kind: 'error', args: { code: s.code, detail: s.detail } });
}
