// The shape of a rating's curve: numbers in, places on a picture out.

/** @typedef {{at: string, rating: number, deviation: number}} Point */

/** A scale has a line for each of these, the smallest of them that leaves at most five. */
const STEPS = [25, 50, 100, 200, 500, 1000];
const MOST_LINES = 5;
/** How far to either side the band of a single moment reaches, on the picture. */
const MOMENT = 28;
/** Ratings keep so much room above and below, in points. */
const MARGIN = 10;

/**
 * The line through the ratings, the band of one deviation to either side, and the scale.
 * @param {Point[]} points oldest first
 * @param {{width: number, height: number}} size
 */
export function curveShape(points, { width, height }) {
  const times = points.map(({ at }) => Date.parse(at));
  const [first, last] = [times[0], times[times.length - 1]];
  const low = Math.min(...points.map(({ rating, deviation }) => rating - deviation)) - MARGIN;
  const high = Math.max(...points.map(({ rating, deviation }) => rating + deviation)) + MARGIN;
  // Games that ended at one moment, or a single one, lie in the middle.
  const x = (/** @type {number} */ time) => (last > first ? ((time - first) / (last - first)) * width : width / 2);
  const y = (/** @type {number} */ value) => height - ((value - low) / (high - low)) * height;
  const way = (/** @type {[number, number][]} */ places) => places.map(([px, py], i) => `${i ? 'L' : 'M'}${px.toFixed(1)} ${py.toFixed(1)}`).join('');
  const at = (/** @type {(p: Point) => number} */ value) => points.map((p, i) => /** @type {[number, number]} */ ([x(times[i]), y(value(p))]));
  // What lasted no time is as wide as can be seen.
  const spread = (/** @type {[number, number][]} */ edge) => (last > first ? edge : [-MOMENT, MOMENT].map((by) => /** @type {[number, number]} */ ([width / 2 + by, edge[edge.length - 1][1]])));
  const upper = spread(at(({ rating, deviation }) => rating + deviation));
  const lower = spread(at(({ rating, deviation }) => rating - deviation));
  return {
    line: way(at(({ rating }) => rating)),
    band: `${way([...upper, ...lower.reverse()])}Z`,
    places: at(({ rating }) => rating),
    scale: scale(low, high).map((value) => ({ value, y: y(value) })),
  };
}

/** Round numbers between two. @param {number} low @param {number} high */
function scale(low, high) {
  const lines = (/** @type {number} */ step) => Math.floor(high / step) - Math.ceil(low / step) + 1;
  const step = STEPS.find((size) => lines(size) <= MOST_LINES) ?? STEPS[STEPS.length - 1];
  return Array.from({ length: Math.max(lines(step), 0) }, (_, i) => (Math.ceil(low / step) + i) * step);
}
