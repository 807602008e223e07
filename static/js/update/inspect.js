// Looking at a square: who attacks it, and who defends it. It lasts until something else is pressed or the boards change.
/** @import {Attacker, Color, State, Message, GameState} from '../types.js' */

import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { draftText, shownPosition } from '../turn.js';
import { notify, speak } from './common.js';

/** A square is looked at, or, the second time, no more. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function inspect(state, game, m) {
  const again = !m.square || game.inspect?.square === m.square;
  return { ...state, game: { ...game, inspect: again ? null : { id: m.id, square: m.square, said: null, ...ground(state, game) } } };
}

/** What the server says of it. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function attackers(state, game, m) {
  const { inspect } = game;
  if (!inspect || inspect.id !== m.about) return state;
  if (m.problem) return notify({ ...state, game: { ...game, inspect: null } }, 'problem', { kind: 'error', args: m.problem });
  const next = { ...game, inspect: { ...inspect, said: m.said } };
  const seen = inspection(next, shownPosition(next, state.outbox).pieces);
  if (!seen) return state;
  const { shown } = geometryIn(game);
  const listed = (/** @type {typeof seen.attack} */ list) => list.map(({ piece, square }) => `${piece} ${shown(square)}`).join('|');
  const { piece, holder, attack, defense } = seen;
  return speak({ ...state, game: next }, 'inspect', { square: shown(inspect.square), piece, holder, attack: listed(attack), defense: listed(defense) });
}

/** What was seen of a position goes with it. @param {State} state @returns {State} */
export function onSameGround(state) {
  const { game } = state;
  if (!game?.inspect) return state;
  const { fen, turn } = ground(state, game);
  return fen === game.inspect.fen && turn === game.inspect.turn ? state : { ...state, game: { ...game, inspect: null } };
}

/** What is on the boards, as the server is asked about it. @param {State} state @param {GameState} game */
export function ground({ outbox }, game) {
  const turn = game.view === null ? pendingMove(game, outbox) ?? draftText(game) : '';
  return { fen: fenAt(game, game.view ?? game.moves.length), turn };
}

/**
 * The attackers of the square sorted by what they are to it. Whoever holds it: what stands there, else the viewer, else the
 * side to move.
 * @param {GameState} game
 * @param {Map<string, string>} pieces as they are shown
 * @returns {{square: string, piece: string, holder: Color, attack: Attacker[], defense: Attacker[]} | null}
 */
export function inspection(game, pieces) {
  const { inspect } = game;
  if (!inspect?.said) return null;
  const { square, said, fen } = inspect;
  const piece = pieces.get(square) ?? '';
  /** @type {Color} */
  const holder = piece ? (piece[0] === 'w' ? 'white' : 'black') : game.you ?? sideToMove(fen);
  const defends = (/** @type {Attacker} */ { piece: letter }) => (letter === letter.toUpperCase()) === (holder === 'white');
  return { square, piece, holder, attack: said.filter((a) => !defends(a)), defense: said.filter(defends) };
}

/** A letter of a FEN as `wK`. @param {string} letter */
export const pieceOf = (letter) => (letter === letter.toUpperCase() ? 'w' : 'b') + letter.toUpperCase();
