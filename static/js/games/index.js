// Which games there are. Everything else asks a geometry, and never which game it is.
/** @import {Geometry} from '../types.js' */

import { FOURFOLD } from './fourfold.js';
import { PARALLEL } from './parallel.js';

/** `start` is shown before a game is chosen; in a game the server says where it starts. @type {Record<string, {geometry: Geometry, start: string}>} */
const GAMES = {
  fourfold: { geometry: FOURFOLD, start: '4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1' },
  'fourfold-classic': { geometry: FOURFOLD, start: '4/4/PPPP/RNKQ|4/4/4/1BR1|1rb1/4/4/4|qknr/pppp/4/4 w 0 1' },
  'parallel-worlds': {
    geometry: PARALLEL,
    start: 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR|8/8/8/8/8/8/8/8|rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq|KQkq - 0 1',
  },
};

export const VARIANTS = Object.keys(GAMES);

/** @param {string | undefined} variant */
const gameOf = (variant) => GAMES[variant ?? ''] ?? GAMES.fourfold;

/** @param {string | undefined} variant */
export const geometryOf = (variant) => gameOf(variant).geometry;

/** @param {string} variant */
export const startOf = (variant) => gameOf(variant).start;
