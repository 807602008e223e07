// From four dimensions to two: a turn through Z and W, perspective along W, an orbit, perspective along the line of sight.
// Pure. Coordinates run from -1 to 1; angles are radians; Z points up, Y away from whoever looks at yaw 0.

/** @typedef {{yaw: number, pitch: number, turn: number}} Angles `turn` is the one through W */
/** @typedef {{x: number, y: number, size: number, depth: number, flat: number}} Spot
 *  a point on the screen: pixels; pixels that one unit takes there; how far behind the middle it lies; by how much a circle
 *  that lies on the floor there looks flattened, 1 from straight above and 0 from the side */

/** Where the eye is along W. The inner cube looks (EYE_W - 1) / (EYE_W + 1) as tall as the outer one, and its boards lie well apart from the outer ones'. */
const EYE_W = 3.1;
/** And how broad: from farther off, so that the squares and pieces of the inner boards are two thirds as large as the outer ones'. */
const EYE_ACROSS = 5;
/** How far the eye is from the middle, in half edges of the outer cube. */
const EYE = 7;
/** The height of a piece in half edges of its cube, and how far from the middle the corner squares' pieces reach. */
const PIECE = 0.5;
const REACH = 1.25;
/** How much taller than wide the cubes may be drawn, so that boards over each other are seen apart. */
const TALLEST = 1.5;
const LOWEST = 1.12;
const CIRCLE = Array.from({ length: 36 }, (_, i) => (i * Math.PI) / 18);
/** Whichever way W is turned, two boards of the four lie at each of these. */
const CORNERS = [[-1, -1], [1, -1], [-1, 1], [1, 1]];

/** Turns Z towards W, then shrinks what is far along W. @param {readonly number[]} point @param {number} turn @returns {{x: number, y: number, z: number, scale: number}} */
export function toSpace([x, y, z, w], turn) {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const along = z * sin + w * cos;
  const scale = (EYE_ACROSS - 1) / (EYE_ACROSS - along);
  return { x: x * scale, y: y * scale, z: ((z * cos - w * sin) * (EYE_W - 1)) / (EYE_W - along), scale };
}

/**
 * Where things are on a screen of this size. All of the tesseract with its pieces fits inside, and it keeps its size while
 * it is turned around its upright axis.
 * @param {Angles} angles
 * @param {number} width
 * @param {number} height
 * @param {number} margin pixels that stay free at every side
 */
export function projector({ yaw, pitch, turn }, width, height, margin) {
  // A tall screen has room for tall cubes. It depends on the screen alone, so that nothing is stretched while it turns.
  const rise = Math.max(LOWEST, Math.min(TALLEST, (1.6 * height) / width - 0.75));
  const [cosYaw, sinYaw, cosPitch, sinPitch] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];

  /** @param {number} right @param {number} away @param {number} z */
  function look(right, away, z) {
    const depth = away * cosPitch - z * sinPitch;
    const near = EYE / (EYE + depth);
    return { right: right * near, up: (z * cosPitch + away * sinPitch) * near, near, depth };
  }

  // What it takes at any yaw: the circles that the corners of the boards, and the pieces near them, go round on.
  const most = { right: 0, up: -Infinity, down: Infinity };
  for (const [z, w] of CORNERS) {
    const at = toSpace([1, 1, z, w], turn);
    for (const [radius, lift] of [[Math.SQRT2, 0], [REACH, PIECE * cosPitch]]) {
      for (const angle of CIRCLE) {
        const { right, up, near } = look(radius * at.scale * Math.cos(angle), radius * at.scale * Math.sin(angle), at.z * rise);
        most.right = Math.max(most.right, right);
        most.up = Math.max(most.up, up + lift * at.scale * near);
        most.down = Math.min(most.down, up);
      }
    }
  }
  const unit = Math.max(1, Math.min((width / 2 - margin) / most.right, (height - 2 * margin) / (most.up - most.down)));
  const middle = height / 2 + (unit * (most.up + most.down)) / 2;

  return {
    /** @param {readonly number[]} point four coordinates @returns {Spot} */
    spot(point) {
      const { x, y, z, scale } = toSpace(point, turn);
      const { right, up, near, depth } = look(x * cosYaw - y * sinYaw, x * sinYaw + y * cosYaw, z * rise);
      const flat = Math.abs(EYE * sinPitch - z * rise) / (EYE + depth);
      return { x: width / 2 + right * unit, y: middle - up * unit, size: unit * scale * near, depth, flat: Math.min(1, flat) };
    },
    /** How far the eye is from the floor of all points with this Z and W. @param {number} z @param {number} w */
    fromFloor: (z, w) => Math.abs(EYE * sinPitch - toSpace([0, 0, z, w], turn).z * rise),
  };
}

/** Whether a point is inside a polygon whose corners go round. @param {{x: number, y: number}[]} corners @param {number} x @param {number} y */
export function inside(corners, x, y) {
  let within = false;
  for (let i = 0, j = corners.length - 1; i < corners.length; j = i++) {
    const [a, b] = [corners[i], corners[j]];
    if (a.y > y !== b.y > y && x < ((b.x - a.x) * (y - a.y)) / (b.y - a.y) + a.x) within = !within;
  }
  return within;
}
