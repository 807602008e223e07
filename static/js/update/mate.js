// Why it is mate: each square beside the king with whoever keeps it from there. The loser is told at once, others when they ask.
/** @import {Flights, GameState, Message, State} from '../types.js' */

import { geometryIn } from '../position.js';
import { notify, speak } from './common.js';

/** Opened by itself for whoever has just been mated, as long as nobody has folded it. @param {GameState} game @param {string} id @returns {GameState} */
export function explainedToLoser(game, id) {
  const lost = game.you !== null && game.info?.outcome !== game.you && game.info?.termination === 'checkmate';
  return lost && !game.mate ? { ...game, mate: { id, open: true, said: null, pointed: null, loud: false } } : game;
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function mate(state, game, m) {
  const known = game.mate;
  switch (m.type) {
    case 'game.mate': {
      if (game.info?.termination !== 'checkmate') return state;
      const open = !known?.open;
      const next = { ...state, game: { ...game, inspect: null, view: open ? null : game.view, mate: { id: m.id, said: null, ...known, open, pointed: null, loud: true } } };
      return open && known?.said ? told(next, known.said) : next;
    }
    case 'game.mate-said': {
      if (!known || known.id !== m.about) return state;
      if (m.problem) return notify({ ...state, game: { ...game, mate: null } }, 'problem', { kind: 'error', args: m.problem });
      const next = { ...state, game: { ...game, mate: { ...known, said: m.said } } };
      return known.loud ? told(next, m.said) : next;
    }
    default:
      return known && known.pointed !== m.square ? { ...state, game: { ...game, mate: { ...known, pointed: m.square } } } : state;
  }
}

/** @param {State} state @param {Flights} said @returns {State} */
function told(state, { king, flights }) {
  return state.game ? speak(state, 'mate.told', { n: flights.length, square: geometryIn(state.game).shown(king) }) : state;
}

/** What of it is to be seen on the boards, which show the last position then. @param {GameState} game @returns {{square: string, by: string[], flights: Map<string, 'own' | 'guarded'>} | null} */
export function mateShown({ mate, view, inspect }) {
  if (!mate?.open || !mate.said || view !== null || inspect) return null;
  const { king, checkers, flights } = mate.said;
  const row = flights.find(({ square }) => square === mate.pointed);
  return {
    square: row ? row.square : king,
    by: (row ? row.guards : checkers).map(({ square }) => square),
    flights: new Map(flights.map(({ square, own }) => [square, own ? 'own' : 'guarded'])),
  };
}
