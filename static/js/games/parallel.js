// Parallel Worlds: three levels of 8 × 8, and turns of up to three moves.
/** @import {AxisChange, Geometry, Words} from '../types.js' */

import { grid, stepOf, within } from './grid.js';

const LEVELS = ['1', '2', '3'];
const BOARDS = grid(8, LEVELS);
/** The level between the two worlds; its board's number. */
const CROSSING = 1;

/** @param {string} from @param {string} to @returns {AxisChange[]} */
function changes(from, to) {
  return [['file', 0], ['rank', 1], ['level', 3]].map(([axis, at]) => {
    const [a, b] = [from[Number(at)], to[Number(at)]];
    return { axis: String(axis), from: a, to: b, by: Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) };
  });
}

/** @param {string} role @param {string} from @param {string} to @returns {Words} */
function change(role, from, to) {
  const [file, , level] = changes(from, to);
  if (level.by) return { key: level.to > level.from ? 'change.level_up' : 'change.level_down', args: {} };
  if (BOARDS.placeOf(to).board === CROSSING) return { key: 'change.crossing', args: {} };
  if (role === 'K' && file.by === 2) return { key: 'change.castles', args: {} };
  return { key: 'change.chess', args: { level: level.to } };
}

const SQUARE = '([a-h][1-8])';
const TYPED = new RegExp(`(O-O-O|O-O|0-0-0|0-0)@([13])|[KQRBN]?${SQUARE}(?:@([123]))?[-–x×]?\\s*${SQUARE}@([123])(?:=?([QRBN]))?[#+]?`, 'gi');

/** @type {Geometry} */
export const PARALLEL = {
  ...BOARDS,
  name: 'parallel',
  most(fen) {
    const fields = fen.split(' ');
    return fields[1] === 'w' && fields.at(-1) === '1' ? 2 : 3;
  },
  boards: LEVELS.map((id) => ({ id, label: { key: 'board.level', args: { n: id } }, title: { key: 'board.level', args: { n: id } } })),
  // Levels keep their order for both sides: up stays up.
  layout: () => LEVELS.map((_, board) => ({ board })),
  isDark(square) {
    const { x, y } = BOARDS.placeOf(square);
    return (x + y) % 2 === 0;
  },
  neighbor(square, direction, across, flipped) {
    const place = BOARDS.placeOf(square);
    if (across) return BOARDS.nameOf({ ...place, board: within(place.board + stepOf(direction, false), 2) });
    const by = stepOf(direction, flipped);
    const sideways = direction === 'left' || direction === 'right';
    return BOARDS.nameOf(sideways ? { ...place, x: within(place.x + by, 7) } : { ...place, y: within(place.y + by, 7) });
  },
  space: null,
  // Straight above and below.
  twins(square) {
    const place = BOARDS.placeOf(square);
    return LEVELS.flatMap((_, board) => (board === place.board ? [] : [BOARDS.nameOf({ ...place, board })]));
  },
  shown: (square) => square,
  // The level is said once where a move does not change it.
  lan: (lan) => lan.split(',').map((move) => move.replace(/@(\d)([-x])([a-h][1-8])@\1/, '$2$3@$1').replace(/([a-h][1-8](?:@\d)?)-/, '$1–').replace('x', '×')),
  example: 'e2e4@1, Ng1f3@3',
  read(text, color) {
    /** @type {string[]} */
    const moves = [];
    const rest = text.trim().replace(TYPED, (_, castling, world, a, levelA, b, levelB, promotion) => {
      if (castling) {
        const rank = color === 'white' ? 1 : 8;
        moves.push(`e${rank}@${world}${castling.length > 3 ? 'c' : 'g'}${rank}@${world}`);
      } else {
        moves.push(`${a.toLowerCase()}@${levelA ?? levelB}${b.toLowerCase()}@${levelB}${(promotion ?? '').toLowerCase()}`);
      }
      return '';
    });
    return moves.length && /^[\s,;.]*$/.test(rest) ? moves : null;
  },
  axes: ['file', 'rank', 'level'],
  changes,
  change,
  rule(role, square) {
    const where = BOARDS.placeOf(square).board === CROSSING ? 'rule.crossing' : 'rule.world';
    return role === 'K' ? `${where}_king` : where;
  },
  displace(pieces, move) {
    const { from, to, more } = BOARDS.split(move);
    const moved = new Map(pieces);
    const piece = moved.get(from) ?? '';
    moved.delete(from);
    moved.set(to, more ? piece[0] + more.toUpperCase() : piece);
    return moved;
  },
};
