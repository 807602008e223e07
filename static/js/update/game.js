/** @import {State, Message, GameState, Command} from '../types.js' */

import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { post, speak } from './common.js';

/** Whether the viewer can move a piece now. @param {State} state @param {GameState} game */
export function canMove(state, game) {
  return game.view === null && game.you !== null && !game.info?.outcome && game.legal.length > 0
    && sideToMove(fenAt(game)) === game.you && pendingMove(game, state.outbox) === null;
}

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
      return square(state, game, m);
    case 'game.point':
      return game.pointed === m.square ? state : set({ pointed: m.square });
    case 'game.escape':
      return set({ selected: null, confirm: null, typedError: null });
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
    case 'game.low':
      return speak(state, m.color === game.you ? 'say.low_you' : 'say.low', { color: m.color });
    default:
      return state;
  }
}

/** A square was pressed: select, move, or let go. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function square(state, game, m) {
  const { square } = m;
  if (game.view !== null) {
    // Pressing the board of a past position brings a player back to the game; a reader of a finished one stays.
    return game.you && !game.info?.outcome ? view(state, game, game.moves.length) : state;
  }
  if (!canMove(state, game)) return game.selected ? { ...state, game: { ...game, selected: null } } : state;
  if (game.selected && game.legal.includes(game.selected + square)) return play(state, game, game.selected + square, m.id);
  const own = geometryIn(game).pieces(fenAt(game)).get(square)?.[0] === game.you?.[0];
  // `hold` is a press that may become a drag: it selects and never lets go.
  const selected = own && (square !== game.selected || m.hold) ? square : null;
  const next = { ...state, game: { ...game, selected, pointed: square, typedError: null } };
  if (!selected) return next;
  const n = game.legal.filter((move) => move.startsWith(square)).length;
  return speak(next, 'say.selected', { n, square: geometryIn(game).shown(square) });
}

/** @param {State} state @param {GameState} game @param {string} move @param {string} id @returns {State} */
function play(state, game, move, id) {
  const next = { ...state, game: { ...game, selected: null, pointed: null, typedError: null, confirm: null } };
  return post(next, { t: 'move', id, game: game.id, ply: game.moves.length, move });
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function typed(state, game, m) {
  /** @param {string} typedError @returns {State} */
  const wrong = (typedError) => speak({ ...state, game: { ...game, typedError } }, typedError);
  const read = geometryIn(game).read(m.text);
  if (!read) return wrong('typed.unreadable');
  if (!canMove(state, game)) return wrong('typed.not_now');
  return game.legal.includes(read[0]) ? play(state, game, read[0], m.id) : wrong('typed.not_legal');
}

/** @param {State} state @param {GameState} game @param {number} ply @returns {State} */
function view(state, game, ply) {
  const clamped = Math.max(0, Math.min(game.moves.length, ply));
  return { ...state, game: { ...game, view: clamped === game.moves.length ? null : clamped, selected: null } };
}

/** Offers and exits. What ends a game or binds takes a second press. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function command(state, game, m) {
  const { what } = m;
  if ((what === 'resign' || what === 'draw' || what === 'abort') && game.confirm !== what) return { ...state, game: { ...game, confirm: what } };
  /** @type {Record<string, Command>} */
  const commands = {
    resign: { t: 'resign', id: m.id, game: game.id },
    abort: { t: 'abort', id: m.id, game: game.id },
    draw: { t: 'offer_draw', id: m.id, game: game.id },
    'accept-draw': { t: 'accept_draw', id: m.id, game: game.id, offer: game.offer?.offer },
    'decline-draw': { t: 'decline_draw', id: m.id, game: game.id, offer: game.offer?.offer },
  };
  const cmd = commands[what];
  const next = { ...state, game: { ...game, confirm: null } };
  if (!cmd || state.outbox.some((o) => o.cmd.t === cmd.t && o.cmd.game === game.id)) return next;
  return post(next, cmd);
}
