// Fourfold: four boards of 4 × 4, of which the columns are Z and the rows W.
/** @import {AxisChange, Geometry, Words} from '../types.js' */

import { grid, stepOf, within } from './grid.js';

/** Z and W of the boards in the order of the FEN: the boards are numbered z + 2w. */
const BOARDS = grid(4, ['00', '10', '01', '11']);

/** `a1[0,1]` @param {string} square */
const shown = (square) => `${square.slice(0, 2)}[${square[3]},${square[4]}]`;

/** @param {string} from @param {string} to @returns {AxisChange[]} */
function changes(from, to) {
  // Character by character: file, rank, Z and W are one each.
  return [['x', 0], ['y', 1], ['z', 3], ['w', 4]].map(([axis, at]) => {
    const [a, b] = [from[Number(at)], to[Number(at)]];
    return { axis: String(axis), from: a, to: b, by: Math.abs(a.charCodeAt(0) - b.charCodeAt(0)) };
  });
}

/** @param {string} role @param {string} from @param {string} to @returns {Words} */
function change(role, from, to) {
  const changed = changes(from, to).filter((c) => c.by > 0);
  const axis = (/** @type {AxisChange} */ c) => c.axis.toUpperCase();
  if (role === 'P') {
    const aside = changed.find((c) => c.axis !== 'y');
    return aside ? { key: 'change.pawn_takes', args: { axis: axis(aside) } } : { key: 'change.pawn', args: {} };
  }
  const big = changed.find((c) => c.by === 2);
  if (role === 'N' && changed.length === 2 && big) {
    const small = changed[0] === big ? changed[1] : changed[0];
    return { key: 'change.knight', args: { two: axis(big), one: axis(small) } };
  }
  return { key: `change.${changed.length}.${changed[0]?.by ?? 1}`, args: {} };
}

/** @type {Geometry} */
export const FOURFOLD = {
  ...BOARDS,
  name: 'fourfold',
  most: () => 1,
  boards: [0, 1, 2, 3].map((b) => ({ id: `${b & 1}${b >> 1}`, label: { key: 'board.label', args: { z: b & 1, w: b >> 1 } }, title: null })),
  layout(flipped) {
    // Rows from the top: W = 1, W = 0; turned by 180° everything comes in the opposite order.
    const [a, b, c, d] = flipped ? [1, 0, 3, 2] : [2, 3, 0, 1];
    const z = (/** @type {number} */ n) => ({ name: 'z-name', label: { key: 'board.z', args: { n: flipped ? 1 - n : n } } });
    const w = (/** @type {number} */ n) => ({ name: 'w-name', label: { key: 'board.w', args: { n: flipped ? 1 - n : n } } });
    return [z(0), z(1), w(1), { board: a }, { board: b }, w(0), { board: c }, { board: d }];
  },
  isDark(square) {
    const { x, y, board } = BOARDS.placeOf(square);
    return (x + y + (board & 1) + (board >> 1)) % 2 === 0;
  },
  neighbor(square, direction, across, flipped) {
    const place = BOARDS.placeOf(square);
    const sideways = direction === 'left' || direction === 'right';
    const by = stepOf(direction, flipped);
    if (!across) return BOARDS.nameOf(sideways ? { ...place, x: within(place.x + by, 3) } : { ...place, y: within(place.y + by, 3) });
    const z = place.board & 1;
    const w = place.board >> 1;
    return BOARDS.nameOf({ ...place, board: sideways ? within(z + by, 1) + 2 * w : z + 2 * within(w + by, 1) });
  },
  space(square) {
    const { x, y, board } = BOARDS.placeOf(square);
    return [(2 * x - 3) / 4, (2 * y - 3) / 4, 2 * (board & 1) - 1, 2 * (board >> 1) - 1];
  },
  // The other cube's: only W differs.
  twins(square) {
    const place = BOARDS.placeOf(square);
    return [BOARDS.nameOf({ ...place, board: place.board ^ 2 })];
  },
  shown,
  lan: (lan) => [lan.replace(/@([01])([01])/g, '[$1,$2]').replace('-', '–').replace('x', '×')],
  example: 'a1@00 a1@01',
  read(text) {
    const found = [...text.matchAll(/([a-d])([1-4])\s*[@[(]?\s*([01])\s*,?\s*([01])\s*[\])]?/gi)];
    if (found.length !== 2) return null;
    return [found.map((m) => `${m[1].toLowerCase()}${m[2]}@${m[3]}${m[4]}`).join('')];
  },
  axes: ['x', 'y', 'z', 'w'],
  changes,
  change,
  rule: (role) => `rule.${role}`,
  displace(pieces, move) {
    const { from, to } = BOARDS.split(move);
    const moved = new Map(pieces);
    const piece = moved.get(from) ?? '';
    moved.delete(from);
    // Shown ahead of the server's answer, which brings the true position: a pawn on its last rank is a queen there.
    moved.set(to, piece === 'wP' && to[1] === '4' ? 'wQ' : piece === 'bP' && to[1] === '1' ? 'bQ' : piece);
    return moved;
  },
};
