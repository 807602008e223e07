// What is said of a square that is looked at.
/** @import {GameState, State} from '../types.js' */

import { listText, t } from '../i18n.js';
import { geometryIn } from '../position.js';
import { shownPosition } from '../turn.js';
import { inspection, pieceOf } from '../update/inspect.js';

/** How its attackers and defenders are headed: those of an empty square by their color. @param {string} piece @param {string} holder */
const heads = (piece, holder) => (piece ? { attack: 'inspect.attack', defense: 'inspect.defense' }
  : { attack: `inspect.reach.${holder === 'white' ? 'black' : 'white'}`, defense: `inspect.reach.${holder}` });

/**
 * For the card beside the boards: a line for each of them, with the coordinates that it would change.
 * @param {State} state @param {GameState} game
 */
export function aboutSquare(state, game) {
  const geometry = geometryIn(game);
  const { pieces } = shownPosition(game, state.outbox);
  const square = game.inspect?.square ?? '';
  const name = geometry.shown(square);
  const seen = inspection(game, pieces);
  const piece = pieces.get(square);
  const head = piece ? t('square.piece', { piece: t(`piece.${piece}`), square: name }) : t('square.empty', { square: name });
  if (!seen) return { head, body: t('inspect.asking'), moves: [] };
  const words = heads(seen.piece, seen.holder);
  const counted = (/** @type {'attack' | 'defense'} */ kind) => t(words[kind], { n: seen[kind].length });
  const moves = (/** @type {const} */ (['attack', 'defense'])).flatMap((kind) => seen[kind].map((by) => ({
    kind,
    words: t(by.exposes_king ? 'inspect.exposed' : 'square.piece', { piece: t(`piece.${pieceOf(by.piece)}`), square: geometry.shown(by.square) }),
    changes: geometry.changes(by.square, square).filter((c) => c.by > 0),
  })));
  return { head, body: `${counted('attack')} · ${counted('defense')}`, moves };
}

/** The same for screen readers. @param {Record<string, string | number>} args */
export function inspectSentence({ square, piece, holder, attack, defense }) {
  const head = piece ? t('square.piece', { piece: t(`piece.${piece}`), square }) : t('square.empty', { square });
  const words = heads(String(piece), String(holder));
  const list = (/** @type {'attack' | 'defense'} */ kind, /** @type {string | number} */ text) => {
    const items = String(text).split('|').filter((item) => item);
    const names = items.map((item) => t('square.piece', { piece: t(`piece.${pieceOf(item[0])}`), square: item.slice(2) }));
    const told = t(words[kind], { n: items.length });
    return items.length ? `${told}: ${listText(names)}.` : `${told}.`;
  };
  return `${head}. ${list('attack', attack)} ${list('defense', defense)}`;
}
