// Looking at a square: who attacks it, and who defends it. It lasts until something else is pressed or the boards change.
/** @import {State, Message, GameState} from '../types.js' */

import { ground, inspection } from '../inspect.js';
import { geometryIn } from '../position.js';
import { shownPosition } from '../turn.js';
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
