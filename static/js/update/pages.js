/** @import {State, Message} from '../types.js' */

import { routeOf } from '../router.js';
import { notify, post, welcome } from './common.js';
import { lobbyDone } from './lobby.js';

/**
 * Everything that is not a game: session, lists, forms, pools, notices.
 * @param {State} state
 * @param {Message} m
 * @returns {State}
 */
export function updatePages(state, m) {
  switch (m.type) {
    case 'session':
      return known(welcome(state, m.player), m.playing);
    case 'played':
      return { ...state, session: { ...state.session, last: m.variant } };
    case 'address':
      return { ...state, route: routeOf(m.path) };
    case 'pref':
      return { ...state, prefs: { ...state.prefs, ...m.change } };
    case 'account':
      return state.route.name === 'settings' ? { ...state, account: { ...state.account, ...m.change } } : state;
    case 'pools':
      return { ...state, pools: m.pools };
    case 'computers':
      return { ...state, computers: m.computers };
    case 'lobby':
      return { ...state, lobby: { live: m.live, recent: m.recent, shown: m.shown } };
    case 'pool.join': {
      const { variant, time, rated } = m;
      const next = { ...state, outbox: state.outbox.filter(({ cmd }) => cmd.t !== 'join_pool' && cmd.t !== 'leave_pool') };
      const pool = { variant, time, rated, since: m.now, mine: true, leaving: false };
      return post({ ...next, pool, seeking: true }, { t: 'join_pool', id: m.id, variant, time, rated });
    }
    case 'pool.leave':
      return state.pool ? post({ ...state, pool: { ...state.pool, leaving: true } }, { t: 'leave_pool', id: m.id }) : state;
    case 'form.busy':
      return { ...state, form: { busy: true, problem: null, at: m.at } };
    case 'form.done':
      return { ...state, form: { ...state.form, busy: false, problem: m.problem ?? null } };
    case 'challenge':
      return state.route.name === 'challenge' ? { ...state, challenge: { status: m.data ? 'ready' : 'missing', data: m.data } } : state;
    case 'profile':
      if (state.route.player !== m.name) return state;
      return { ...state, profile: m.player ? { ...m.player, curve: state.profile.curve, status: 'ready' } : { ...state.profile, status: 'missing' } };
    case 'curve':
      return state.profile.name === m.name ? { ...state, profile: { ...state.profile, curve: m.curve } } : state;
    case 'leaders':
      return { ...state, leaders: { ...state.leaders, players: m.players, busy: false } };
    case 'games.busy':
      return { ...state, games: { items: m.keep ? state.games.items : [], next: null, busy: true } };
    case 'games':
      return { ...state, games: { ...state.games, items: [...(m.keep ? state.games.items : []), ...m.items], next: m.next, busy: false } };
    case 'problem':
      return notify(state, 'problem', { kind: 'error', args: { code: m.problem.code, detail: m.problem.detail } });
    case 'dismiss':
      return { ...state, notices: state.notices.filter((n) => n.n !== m.n) };
    case 'go':
      return { ...state, go: m.path };
    default:
      return lobbyDone(state, m) ?? state;
  }
}

/** @param {State} state @param {string[] | undefined} playing the player's games with a clock, where they were asked for @returns {State} */
const known = (state, playing) => (playing ? { ...state, session: { ...state.session, playing } } : state);
