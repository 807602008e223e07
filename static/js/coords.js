// Squares, and the words for what a move changes. This describes moves; which of them are legal the server says.

/** @typedef {{x: number, y: number, z: number, w: number}} Coords */
/** @typedef {{axis: 'X' | 'Y' | 'Z' | 'W', from: string, to: string, by: number}} AxisChange */

const FILES = 'abcd';
/** All 64, by index x + 4y + 16z + 32w. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => nameOf({ x: i & 3, y: (i >> 2) & 3, z: (i >> 4) & 1, w: i >> 5 }));

/** @param {Coords} c */
export function nameOf({ x, y, z, w }) {
  return `${FILES[x]}${y + 1}@${z}${w}`;
}

/**
 * @param {string} square `a1@01`
 * @returns {Coords}
 */
export function coordsOf(square) {
  return { x: FILES.indexOf(square[0]), y: Number(square[1]) - 1, z: Number(square[3]), w: Number(square[4]) };
}

/** The way people are shown a square: `a1[0,1]`. @param {string} square */
export function shownSquare(square) {
  return `${square.slice(0, 2)}[${square[3]},${square[4]}]`;
}

/** @param {string} move `a1@00a1@01` */
export function splitMove(move) {
  return { from: move.slice(0, 5), to: move.slice(5, 10) };
}

/**
 * Reads what a person typed: `Ra1@00-a1@01`, `a1[0,0] a1[0,1]`, `a100a101`. Null when it names no two squares.
 * @param {string} text
 */
export function readMove(text) {
  const found = [...text.matchAll(/([a-d])([1-4])\s*[@[(]?\s*([01])\s*,?\s*([01])\s*[\])]?/gi)];
  if (found.length !== 2) return null;
  const [from, to] = found.map((m) => `${m[1].toLowerCase()}${m[2]}@${m[3]}${m[4]}`);
  return { from, to, move: from + to };
}

/**
 * What a move does to each of the four coordinates.
 * @param {string} from
 * @param {string} to
 * @returns {AxisChange[]}
 */
export function axisChanges(from, to) {
  const a = coordsOf(from);
  const b = coordsOf(to);
  return [
    { axis: 'X', from: from[0], to: to[0], by: Math.abs(a.x - b.x) },
    { axis: 'Y', from: from[1], to: to[1], by: Math.abs(a.y - b.y) },
    { axis: 'Z', from: from[3], to: to[3], by: Math.abs(a.z - b.z) },
    { axis: 'W', from: from[4], to: to[4], by: Math.abs(a.w - b.w) },
  ];
}

/**
 * The sentence that goes with a legal move, as a key of the language file and its arguments.
 * @param {string} role one of PNBRQK
 * @param {string} from
 * @param {string} to
 * @returns {{key: string, args: Record<string, string | number>}}
 */
export function changeWords(role, from, to) {
  const changed = axisChanges(from, to).filter((c) => c.by > 0);
  if (role === 'P') {
    const aside = changed.find((c) => c.axis !== 'Y');
    return aside ? { key: 'change.pawn_takes', args: { axis: aside.axis } } : { key: 'change.pawn', args: {} };
  }
  const big = changed.find((c) => c.by === 2);
  if (role === 'N' && changed.length === 2 && big) {
    const small = changed[0] === big ? changed[1] : changed[0];
    return { key: 'change.knight', args: { two: big.axis, one: small.axis } };
  }
  return { key: `change.${changed.length}.${changed[0]?.by ?? 1}`, args: {} };
}

/**
 * The square beside `square` in a direction as the viewer sees it, inside its board or, with `across`, on the
 * neighboring board. The same square when there is none.
 * @param {string} square
 * @param {'left' | 'right' | 'up' | 'down'} direction
 * @param {boolean} across
 * @param {boolean} flipped
 */
export function neighbor(square, direction, across, flipped) {
  const c = coordsOf(square);
  const sign = (direction === 'right' || direction === 'up' ? 1 : -1) * (flipped ? -1 : 1);
  const sideways = direction === 'left' || direction === 'right';
  const axis = across ? (sideways ? 'z' : 'w') : sideways ? 'x' : 'y';
  const last = across ? 1 : 3;
  const next = Math.min(last, Math.max(0, c[axis] + sign));
  return nameOf({ ...c, [axis]: next });
}
