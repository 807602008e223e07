// A move made ahead: played as soon as the opponent has moved, if it is legal then. Until then nobody can tell.
/** @import {State, Message, GameState} from '../types.js' */

import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { legalNow, shownPosition } from '../turn.js';
import { speak } from './common.js';
import { add } from './turn.js';

/** The ply that a move made now would be played at; null when none can be made ahead. @param {State} state @param {GameState} game */
export function premovePly(state, game) {
  if (game.view !== null || !game.you || game.info?.outcome || geometryIn(game).most(fenAt(game)) > 1) return null;
  const sent = pendingMove(game, state.outbox) !== null;
  if (sent) return game.moves.length + 2;
  return sideToMove(fenAt(game)) === game.you ? null : game.moves.length + 1;
}

/** A square was pressed while the opponent is to move. @param {State} state @param {GameState} game @param {Message} m @param {number} ply @returns {State} */
export function premove(state, game, m, ply) {
  const { square } = m;
  const { shown } = geometryIn(game);
  const own = shownPosition(game, state.outbox).pieces.get(square)?.[0] === game.you?.[0];
  if (!own && game.selected) {
    const next = { ...state, game: { ...game, selected: null, premove: { from: game.selected, to: square, ply } } };
    return speak(next, 'say.premove', { from: shown(game.selected), to: shown(square) });
  }
  const selected = own && (square !== game.selected || m.hold) ? square : null;
  return { ...state, game: { ...game, selected, pointed: square, premove: null } };
}

/** The opponent has moved: what was made ahead is played, or dropped when it is not legal. @param {State} state @param {GameState['premove']} ahead @param {string} id @returns {State} */
export function playAhead(state, ahead, id) {
  const { game } = state;
  if (!ahead || !game || game.moves.length !== ahead.ply || game.info?.outcome) return state;
  const move = legalNow(game)?.find((legal) => legal.startsWith(ahead.from + ahead.to));
  return move ? add(state, game, [move], id, true) : speak(state, 'say.premove_dropped');
}
