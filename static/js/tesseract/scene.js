// What of the tesseract is where on the screen, the farthest first; and what is under a pointer. Pure.
/** @import {Geometry} from '../types.js' */
/** @import {Angles, Spot} from './space.js' */

import { inside, projector } from './space.js';

/** @typedef {{square: string, dark: boolean, spot: Spot, corners: Spot[]}} Tile */
/** The squares of each board with their places in space, and half of a square's edge. @typedef {{half: number, boards: {square: string, dark: boolean, at: readonly number[]}[][]}} Solid */
/** @typedef {{from: Spot, to: Spot, axis: 'z' | 'w', w: number}} Edge */
/** @typedef {{board: number, z: number, w: number, rim: Spot[], tiles: Tile[], names: {text: string, spot: Spot}[], before: Edge[], after: Edge[]}} Floor
 *  one board: edges that go under it, its tiles, the pieces on them by depth, edges that go over them; `names` of files and
 *  ranks are at the lowest one only */

/** Pixels that stay free at every side. */
export const MARGIN_PX = 18;
/** Of half a square's edge, so much belongs to its tile. */
const TILE = 0.94;
const ROUND = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
/** How far from the middle files and ranks are named, in half edges of a cube. */
const NAMES = 1.13;
/** A piece's picture: its height in half edges of its cube, and how much of it is above its foot. */
const PIECE = 0.5;
const ABOVE = 0.86;
/** The part of its picture in which a piece is hit. */
const BODY = 0.3;

/** What a thread that knows no game has to know of its squares. @param {Geometry} geometry whose squares have a place in space @returns {Solid} */
export function solidOf({ name, space, side, squares, boards, placeOf, isDark }) {
  if (!space) throw new Error(`${name} has no such view`);
  return {
    half: 1 / side,
    boards: boards.map((_, board) => squares.filter((square) => placeOf(square).board === board).map((square) => ({ square, dark: isDark(square), at: space(square) }))),
  };
}

/** @param {Solid} solid */
export function sceneOf(solid) {
  const half = solid.half * TILE;
  const boards = solid.boards.map((own, board) => {
    const [, , z, w] = own[0].at;
    const tiles = own.map((tile) => ({ ...tile, corners: ROUND.map(([x, y]) => [tile.at[0] + x * half, tile.at[1] + y * half, z, w]) }));
    return { board, z, w, tiles };
  });

  /** @param {Angles} angles @param {number} width @param {number} height @param {number} margin @returns {Floor[]} */
  return function scene(angles, width, height, margin) {
    const { spot, fromFloor } = projector(angles, width, height, margin);
    // Boards are level at every turn, so one is wholly before or behind another; of two at one height the larger lies below.
    const floors = boards
      .map(({ board, z, w, tiles }) => ({
        board, z, w, away: fromFloor(z, w), rim: ROUND.map(([x, y]) => spot([x, y, z, w])), names: /** @type {Floor['names']} */ ([]), before: /** @type {Edge[]} */ ([]), after: /** @type {Edge[]} */ ([]),
        tiles: tiles.map(({ square, dark, at, corners }) => ({ square, dark, spot: spot(at), corners: corners.map(spot) })).sort((a, b) => b.spot.depth - a.spot.depth),
      }))
      .sort((a, b) => b.away - a.away || b.rim[0].size - a.rim[0].size);
    floors.forEach((floor, i) => {
      for (const other of floors.slice(0, i)) {
        if ((floor.z === other.z) === (floor.w === other.w)) continue;
        floor.rim.forEach((to, corner) => {
          const from = other.rim[corner];
          /** @type {Edge} */
          const edge = { from, to, axis: floor.z === other.z ? 'w' : 'z', w: floor.w };
          // The half of the edges that is turned to the eye passes before whatever lies between its ends.
          if (from.depth + to.depth < 0) floor.before.push(edge);
          else other.after.push(edge);
        });
      }
    });
    const low = floors.reduce((best, floor) => (lowest(floor.rim) > lowest(best.rim) ? floor : best));
    const on = (/** @type {number} */ x, /** @type {number} */ y) => spot([x, y, low.z, low.w]);
    // Beside the edges that are turned to the eye.
    const right = on(1, 0).depth < on(-1, 0).depth ? NAMES : -NAMES;
    const back = on(0, 1).depth < on(0, -1).depth ? NAMES : -NAMES;
    const { tiles } = boards[low.board];
    for (const { square, at: [x, y] } of tiles) {
      if (y === tiles[0].at[1]) low.names.push({ text: square[0], spot: on(x, back) });
      if (x === tiles[0].at[0]) low.names.push({ text: square[1], spot: on(right, y) });
    }
    return floors;
  };
}

/** @param {Spot[]} rim */
const lowest = (rim) => Math.max(...rim.map(({ y }) => y));

/** The picture of a piece that stands at a spot: its left and upper edge and its size. @param {Spot} spot */
export function pieceBox({ x, y, size, flat }) {
  const edge = PIECE * size;
  // Seen from above it lies on its tile, from the side it stands on it.
  const upright = Math.sqrt(1 - flat * flat);
  return { left: x - edge / 2, top: y - edge * (0.5 + (ABOVE - 0.5) * upright), edge };
}

/**
 * The square under a point of the screen: the nearest piece or tile that is hit, else the nearest one within `slop` pixels.
 * @param {Floor[]} floors
 * @param {(square: string) => boolean} occupied
 * @param {{x: number, y: number}} point
 * @param {number} slop
 */
export function pick(floors, occupied, { x, y }, slop) {
  const near = [...floors].reverse();
  for (const { tiles } of near) {
    const pieces = tiles.filter(({ square }) => occupied(square)).reverse();
    const hit = pieces.find(({ spot }) => {
      const { left, top, edge } = pieceBox(spot);
      return Math.abs(x - left - edge / 2) < BODY * edge && y > top && y < top + ABOVE * edge;
    }) ?? tiles.find(({ corners }) => inside(corners, x, y));
    if (hit) return hit.square;
  }
  let best = { away: slop, square: /** @type {string | null} */ (null) };
  for (const { tiles } of near) {
    for (const { square, spot } of tiles) {
      const away = Math.hypot(spot.x - x, spot.y - y);
      if (away < best.away) best = { away, square };
    }
  }
  return best.square;
}
