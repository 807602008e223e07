// What an address of `/analysis` says: from where, and which moves lead from there to the place. Pure.

/**
 * @typedef {object} Place
 * @property {string | null} game the game that is analyzed; null for a position by itself
 * @property {number} ply of the game, from which the moves lead on
 * @property {string} variant nothing where a game says it
 * @property {string} fen nothing for the start of the variant
 * @property {string[]} moves turn by turn
 */

/** More than a link to a place needs. */
const MOST_MOVES = 200;
const MOST_FEN = 512;
const TURN = /^[a-h][1-8]@\d{1,2}[a-h][1-8]@\d{1,2}[qrbn]?(,[a-h][1-8]@\d{1,2}[a-h][1-8]@\d{1,2}[qrbn]?){0,2}$/;
const GAME = /^[0-9a-f-]{1,40}$/i;

/** @param {string} search what follows the path, with its question mark @returns {Place} */
export function readPlace(search) {
  const query = new URLSearchParams(search);
  const game = query.get('game');
  const ply = Number(query.get('ply'));
  const moves = (query.get('moves') ?? '').split('.').slice(0, MOST_MOVES);
  const readable = moves.findIndex((turn) => !TURN.test(turn));
  return {
    game: game && GAME.test(game) ? game : null,
    ply: Number.isInteger(ply) && ply > 0 ? ply : 0,
    variant: query.get('variant') ?? '',
    fen: (query.get('fen') ?? '').replaceAll('_', ' ').slice(0, MOST_FEN),
    moves: readable < 0 ? moves : moves.slice(0, readable),
  };
}

/** @param {Partial<Place>} place @returns {string} */
export function placePath({ game, ply = 0, variant, fen, moves = [] }) {
  // What an address may hold as it is stays readable.
  const plain = (/** @type {string} */ text) => encodeURIComponent(text).replace(/%(2F|40|2C)/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
  const parts = game ? [`game=${plain(game)}`, ply > 0 && `ply=${ply}`] : [variant && `variant=${plain(variant)}`, fen && `fen=${plain(fen.replaceAll(' ', '_'))}`];
  const query = [...parts, moves.length && `moves=${plain(moves.slice(0, MOST_MOVES).join('.'))}`].filter((part) => part);
  return `/analysis${query.length ? `?${query.join('&')}` : ''}`;
}
