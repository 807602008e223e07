/** @import {GameState, State, Message} from './types.js' */

import { SPEEDS, VARIANTS } from './leaders.js';
import { emptyGame, NO_ACCOUNT } from './state.js';
import { updateGame } from './update/game.js';
import { onSameGround } from './update/inspect.js';
import { updateLine } from './update/line.js';
import { updatePages } from './update/pages.js';
import { updateServer } from './update/server.js';

/**
 * The state after a message. Pure: time and fresh ids are in the message (`now`, `id`), and what has to be told to the
 * server is put into `outbox`, from where effects.js sends it.
 * @param {State} state
 * @param {Message} m
 * @returns {State}
 */
export const update = (state, m) => onSameGround(updated(state, m));

/** @param {State} state @param {Message} m @returns {State} */
function updated(state, m) {
  if (m.type === 'navigated') return navigated(state, m);
  if (m.type === 'server') return updateServer(state, m);
  if (m.type.startsWith('line.')) return updateLine(state, m);
  if (m.type.startsWith('game.')) return state.game ? updateGame(state, state.game, m) : state;
  return updatePages(state, m);
}

/** The game and speed that an address names; what it does not name, or nobody plays, is the first there is. @param {State['route']} route */
const kindOf = ({ variant, speed }) => ({
  variant: VARIANTS.find((name) => name === variant) ?? VARIANTS[0],
  speed: SPEEDS.find((name) => name === speed) ?? SPEEDS[0],
});

/** The game at a ply, or at its end. @param {GameState} game @param {number | undefined} ply @returns {GameState} */
const at = (game, ply) => ({ ...game, view: ply !== undefined && ply < game.moves.length ? ply : null });

/** What was said of one game is not repeated beside the next; what leads from one to the other is. @param {State} state @returns {State['live']} */
function hushed({ live, route }) {
  const leads = (/** @type {string} */ key) => key === 'say.rematched' || key === 'say.paired';
  return route.name !== 'game' ? live : { ...live, said: live.said.filter(({ key }) => leads(key)) };
}

/** @param {State} state @param {Message} m @returns {State} */
function navigated(state, m) {
  const route = /** @type {State['route']} */ (m.route);
  const same = route.name === 'game' && state.game?.id === route.id;
  return {
    ...state,
    route,
    go: null,
    live: hushed(state),
    form: { busy: false, problem: null, at: 'form' },
    notices: state.notices.filter((n) => n.link !== null && n.link.href !== m.path),
    game: route.name !== 'game' ? null : same && state.game ? at(state.game, route.ply) : { ...emptyGame(route.id ?? ''), view: route.ply ?? null },
    seeks: { ...state.seeks, sync: route.name !== 'home' ? 'off' : state.seeks.sync === 'off' ? 'needed' : state.seeks.sync },
    account: NO_ACCOUNT,
    challenge: { status: 'loading', data: null },
    profile: { ...state.profile, status: 'loading', name: route.player ?? '', blocked: false, ratings: [], curve: null },
    leaders: route.name === 'leaders' ? { ...state.leaders, ...kindOf(route), players: [], busy: true } : state.leaders,
    games: { items: [], next: null, busy: true },
  };
}
