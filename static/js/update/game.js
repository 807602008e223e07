/** @import {State, Message, GameState} from '../types.js' */

import { fenAt, geometryIn } from '../position.js';
import { legalNow, NO_DRAFT, standing } from '../turn.js';
import { chat } from './chat.js';
import { speak } from './common.js';
import { attackers, inspect } from './inspect.js';
import { mate } from './mate.js';
import { command } from './offers.js';
import { premove, premovePly } from './premove.js';
import { add, askWhy, canMove, endTurn, restore, unconfirmed, undo } from './turn.js';

/**
 * What the viewer does on a game page.
 * @param {State} state
 * @param {GameState} game
 * @param {Message} m
 * @returns {State}
 */
export function updateGame(state, game, m) {
  /** @param {Partial<GameState>} change @returns {State} */
  const set = (change) => ({ ...state, game: { ...game, ...change } });
  switch (m.type) {
    case 'game.square':
      return pressed(set({ inspect: null }), { ...game, inspect: null }, m);
    case 'game.inspect':
      return inspect(state, game, m);
    case 'game.attackers':
      return attackers(state, game, m);
    case 'game.mate':
    case 'game.mate-said':
    case 'game.mate-point':
      return mate(state, game, m);
    case 'game.point':
      return game.pointed === m.square ? state : set({ pointed: m.square });
    case 'game.escape':
      return set({ selected: null, confirm: null, typedError: null, choosing: null, why: null, inspect: null, mate: game.mate && { ...game.mate, open: false }, premove: null, draft: unconfirmed(game) && canMove(state, game) ? NO_DRAFT : game.draft });
    case 'game.focus':
      return focus(state, game, m);
    case 'game.choose':
      return game.choosing?.moves.includes(m.move) ? add(state, game, [m.move], m.id) : state;
    case 'game.undo':
      return undo(state, m.id);
    case 'game.end-turn':
      return endTurn(state, m.id);
    case 'game.restore':
      return restore(state, game, m);
    case 'game.typed':
      return typed(state, game, m);
    case 'game.typing':
      return game.typedError ? set({ typedError: null }) : state;
    case 'game.flip':
      return set({ flipped: !game.flipped });
    case 'game.view':
      return view(state, game, m.ply);
    case 'game.step':
      return view(state, game, (game.view ?? game.moves.length) + m.by);
    case 'game.command':
      return command(state, game, m);
    case 'game.unconfirm':
      return set({ confirm: null });
    case 'game.chat':
    case 'game.chat-open':
    case 'game.chat-seen':
    case 'game.chat-unsent':
      return chat(state, game, m);
    case 'game.low':
      return speak(state, m.color === game.you ? 'say.low_you' : 'say.low', { color: m.color });
    default:
      return state;
  }
}

/** A square was pressed: select, move, ask why not, or let go. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function pressed(state, game, m) {
  const { square } = m;
  if (game.view !== null) {
    // Pressing the board of a past position brings a player back to the game; a reader of a finished one stays.
    return game.you && !game.info?.outcome ? view(state, game, game.moves.length) : state;
  }
  const ahead = premovePly(state, game);
  if (ahead !== null) return premove(state, game, m, ahead);
  if (!canMove(state, game)) return game.selected ? { ...state, game: { ...game, selected: null } } : state;
  const { shown, split } = geometryIn(game);
  const waits = unconfirmed(game);
  if (waits) {
    // Its square again means it; any other takes it back, and may be the first press of another move.
    if (split(waits).to === square) return endTurn(state, m.id);
    const back = { ...game, draft: NO_DRAFT };
    return pressed({ ...state, game: back }, back, m);
  }
  const legal = legalNow(game) ?? [];
  const moves = game.selected ? legal.filter((move) => move.startsWith(game.selected + square)) : [];
  if (moves.length === 1) return add(state, game, [moves[0]], m.id);
  if (moves.length) return speak({ ...state, game: { ...game, choosing: { to: square, moves }, why: null } }, 'say.promotes', { square: shown(square) });
  const own = standing(game).get(square)?.[0] === game.you?.[0];
  if (!own && game.selected) return askWhy(state, { ...game, choosing: null }, square, m.id);
  // `hold` is a press that may become a drag: it selects and never lets go.
  const selected = own && (square !== game.selected || m.hold) ? square : null;
  const next = { ...state, game: { ...game, selected, pointed: square, typedError: null, choosing: null, why: null } };
  if (!selected) return next;
  const n = legal.filter((move) => move.startsWith(square)).length;
  return speak(next, 'say.selected', { n, square: shown(square) });
}

/** Another board is to be the large one; an own piece that was touched there is picked up as well. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function focus(state, game, m) {
  const next = { ...state, game: { ...game, focus: m.board } };
  const own = m.square && canMove(state, game) && standing(game).get(m.square)?.[0] === game.you?.[0];
  return own ? pressed(next, next.game, { ...m, hold: true }) : next;
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function typed(state, game, m) {
  /** @param {string} typedError @returns {State} */
  const wrong = (typedError) => speak({ ...state, game: { ...game, typedError } }, typedError);
  // Return in an empty field is the end of a turn.
  if (!m.text.trim() && game.draft.moves.length) return endTurn(state, m.id);
  const moves = geometryIn(game).read(m.text, game.you ?? 'white');
  if (!moves) return wrong(`typed.unreadable.${geometryIn(game).name}`);
  if (!canMove(state, game)) return wrong('typed.not_now');
  if (game.draft.moves.length + moves.length > geometryIn(game).most(fenAt(game))) return wrong('typed.too_many');
  if (!legalNow(game)?.includes(moves[0])) return wrong('typed.not_legal');
  return add(state, game, moves, m.id, true);
}

/** @param {State} state @param {GameState} game @param {number} ply @returns {State} */
function view(state, game, ply) {
  const clamped = Math.max(0, Math.min(game.moves.length, ply));
  return { ...state, game: { ...game, view: clamped === game.moves.length ? null : clamped, selected: null, choosing: null, why: null } };
}
