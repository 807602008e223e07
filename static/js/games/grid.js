// Boards of squares with names like `a1@00` or `e2@1`: file, rank, `@`, board. What both games have in common.
/** @import {Geometry, Place} from '../types.js' */

const FILES = 'abcdefgh';
/** So many boards that were read are remembered, because the same one is drawn many times. */
const REMEMBERED = 64;

/**
 * @param {number} side squares along a board's edge
 * @param {string[]} ids the boards in the order of the FEN
 * @returns {Pick<Geometry, 'side' | 'squares' | 'nameOf' | 'placeOf' | 'isSquare' | 'pieces' | 'split'>}
 */
export function grid(side, ids) {
  /** @type {Map<string, Place>} */
  const places = new Map();
  /** @param {Place} place */
  const nameOf = ({ x, y, board }) => `${FILES[x]}${y + 1}@${ids[board]}`;
  ids.forEach((_, board) => {
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) places.set(nameOf({ x, y, board }), { x, y, board });
  });
  const squares = [...places.keys()];
  const length = squares[0].length;
  /** @type {Map<string, Map<string, string>>} */
  const read = new Map();

  /** @param {string} placement */
  function readPlacement(placement) {
    /** @type {Map<string, string>} */
    const pieces = new Map();
    placement.split('|').forEach((text, board) => {
      text.split('/').forEach((rank, r) => {
        let x = 0;
        for (const c of rank) {
          if (c >= '1' && c <= '8') x += Number(c);
          else pieces.set(nameOf({ x: x++, y: side - 1 - r, board }), (c === c.toUpperCase() ? 'w' : 'b') + c.toUpperCase());
        }
      });
    });
    return pieces;
  }

  return {
    side,
    squares,
    nameOf,
    placeOf: (square) => /** @type {Place} */ (places.get(square)),
    isSquare: (text) => places.has(text),
    pieces(fen) {
      const placement = fen.split(' ')[0];
      let pieces = read.get(placement);
      if (!pieces) {
        pieces = readPlacement(placement);
        if (read.size > REMEMBERED) read.clear();
        read.set(placement, pieces);
      }
      return pieces;
    },
    split: (move) => ({ from: move.slice(0, length), to: move.slice(length, 2 * length), more: move.slice(2 * length) }),
  };
}

/** One step in a direction as the viewer sees it: +1 for right and up, −1 on a sheet that is turned. @param {string} direction @param {boolean} flipped */
export const stepOf = (direction, flipped) => (direction === 'right' || direction === 'up' ? 1 : -1) * (flipped ? -1 : 1);

/** @param {number} n @param {number} last */
export const within = (n, last) => Math.min(last, Math.max(0, n));
