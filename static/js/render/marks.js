// What is to be seen on each square, whichever view shows it.
/** @import {GameState, Geometry, State} from '../types.js' */

import { legalNow, shownPosition } from '../turn.js';
import { inspection } from '../update/inspect.js';
import { mateShown } from '../update/mate.js';
import { premovePly } from '../update/premove.js';
import { canMove } from '../update/turn.js';

/**
 * @typedef {object} SquareMarks
 * @property {string} piece `wK`, or nothing
 * @property {'move' | 'capture' | null} open what the selected piece may do there
 * @property {boolean} selected
 * @property {'from' | 'to' | null} last
 * @property {boolean} check
 * @property {boolean} pending the own move that ends there is not confirmed yet
 * @property {boolean} movable what stands there may be picked up
 * @property {'from' | 'to' | null} premove
 * @property {boolean} pointed
 * @property {boolean} twin the same place elsewhere is pointed at
 * @property {boolean} moved what stands there has moved in this turn
 * @property {boolean} inspected it is looked at, and told who attacks it
 * @property {'attack' | 'defense' | null} attack what stands there attacks, or defends, the one that is looked at
 * @property {'own' | 'guarded' | null} flight a mated king could step there, but for its own piece there or for those who guard it
 * @property {boolean} why it is told why this square is not offered
 */

/** @param {Geometry} geometry @param {State} state @param {GameState} game */
export function marksIn(geometry, state, game) {
  const { pieces, last, check, pending, moved, used } = shownPosition(game, state.outbox);
  const legal = legalNow(game) ?? [];
  const { selected, pointed, premove, why } = game;
  const targets = new Set(selected ? legal.filter((move) => move.startsWith(selected)).map((move) => geometry.split(move).to) : []);
  // What may be picked up is what has a legal move, by the server's list; ahead of the opponent's move it is any piece.
  const ahead = premovePly(state, game) !== null;
  const movable = new Set(canMove(state, game) ? legal.map((move) => geometry.split(move).from) : []);
  /** @type {Map<string, 'from' | 'to'>} */
  const ends = new Map();
  for (const { from } of last) ends.set(from, 'from');
  for (const { to } of last) ends.set(to, 'to');
  const seen = inspection(game, pieces);
  /** @type {Map<string, 'attack' | 'defense'>} */
  const reaching = new Map();
  for (const { square } of seen?.attack ?? []) reaching.set(square, 'attack');
  for (const { square } of seen?.defense ?? []) reaching.set(square, 'defense');
  const mate = mateShown(game);
  for (const square of mate?.by ?? []) reaching.set(square, 'attack');
  const looked = mate?.square ?? seen?.square ?? '';
  const twins = pointed ? geometry.twins(pointed) : [];
  return {
    used,
    /** Who reaches the square that is looked at, or keeps a mated king from it. */
    arrows: [...reaching].map(([from, kind]) => ({ from, to: looked, kind })),
    /** @param {string} square @returns {SquareMarks} */
    of(square) {
      const piece = pieces.get(square) ?? '';
      const end = ends.get(square) ?? null;
      return {
        piece,
        open: targets.has(square) ? (piece ? 'capture' : 'move') : null,
        selected: square === selected,
        last: end,
        check: square === check,
        pending: pending && end === 'to',
        movable: ahead ? piece[0] === game.you?.[0] : movable.has(square),
        premove: square === premove?.from ? 'from' : square === premove?.to ? 'to' : null,
        pointed: square === pointed,
        twin: twins.includes(square),
        // Where a turn is one move, the move's own marks say it.
        moved: moved.has(square) && geometry.most('') > 1,
        inspected: square === game.inspect?.square || (mate !== null && square === game.mate?.pointed),
        attack: reaching.get(square) ?? null,
        flight: mate?.flights.get(square) ?? null,
        why: square === why?.to,
      };
    },
  };
}
