// The shape of a game's plot: how long each move took, and how it stood after it. Numbers in, places on a picture out. Pure.

/** @typedef {{x: number, y: number, width: number, height: number, ply: number}} Bar */

/** Of a column, what its bar fills. */
const FILLS = 0.72;

/** The middle of the column of what was played so far; the start has none. @param {number} ply @param {number} plies @param {number} width */
export const columnAt = (ply, plies, width) => (plies ? ((ply - 0.5) / plies) * width : 0);

/** The ply over which a place lies. @param {number} x from the left @param {number} plies @param {number} width */
export const plyAt = (x, plies, width) => Math.min(plies, Math.max(1, Math.floor((x / width) * plies) + 1));

/**
 * A bar a move, White's up from the middle and Black's down. Their height is the root of the time: a long thought leaves
 * the others to be seen.
 * @param {number[]} spent in milliseconds @param {{width: number, height: number, black: boolean}} options `black` moved first
 * @returns {Bar[]}
 */
export function timeBars(spent, { width, height, black }) {
  const most = Math.sqrt(Math.max(1, ...spent));
  const middle = height / 2;
  const column = width / Math.max(1, spent.length);
  return spent.map((ms, i) => {
    const tall = (Math.sqrt(Math.max(0, ms)) / most) * middle;
    const up = (i % 2 === 0) !== black;
    return { x: (i + (1 - FILLS) / 2) * column, y: up ? middle - tall : middle, width: FILLS * column, height: tall, ply: i + 1 };
  });
}

/**
 * The way of the evaluation, White's side up. What is not known leaves a gap.
 * @param {(number | null)[]} chances from -1 to 1, after each move @param {{width: number, height: number}} size
 */
export function chanceWay(chances, { width, height }) {
  const place = (/** @type {number} */ chance, /** @type {number} */ i) => [columnAt(i + 1, chances.length, width), (1 - chance) * (height / 2)];
  const point = (/** @type {number[]} */ [x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  /** @type {number[][][]} */
  const runs = [];
  chances.forEach((chance, i) => {
    if (chance === null) return;
    if (i === 0 || chances[i - 1] === null) runs.push([]);
    runs[runs.length - 1].push(place(chance, i));
  });
  const way = runs.map((run) => `M${run.map(point).join('L')}`).join('');
  const middle = (height / 2).toFixed(1);
  const area = runs.map((run) => `M${run[0][0].toFixed(1)} ${middle}L${run.map(point).join('L')}L${run[run.length - 1][0].toFixed(1)} ${middle}Z`).join('');
  return { way, area, places: runs.flat() };
}
