// The lobby's list, challenges that name somebody, and who is blocked.
/** @import {Challenge, Message, Seek, State} from '../types.js' */

import { notify, post, speak } from './common.js';

/** @param {State} state @param {Partial<State['seeks']>} change @returns {State} */
const seeks = (state, change) => ({ ...state, seeks: { ...state.seeks, ...change } });

/** @param {State} state @param {(seek: Seek) => boolean} which @returns {State} */
const goneWhere = (state, which) => seeks(state, { items: state.seeks.items.map((seek) => (which(seek) ? { ...seek, gone: true } : seek)) });

/** What is done about the lobby. @param {State} state @param {Message} m @returns {State | null} null when it is about something else */
export function lobbyDone(state, m) {
  switch (m.type) {
    case 'seek.make': {
      const { variant, color, time, rated, rating } = m.options;
      return post(state, { t: 'seek', id: m.id, variant, color, time, rated, ...(rating ? { rating } : {}) });
    }
    case 'seek.cancel':
    case 'seek.accept': {
      const t = m.type === 'seek.cancel' ? 'cancel_seek' : 'accept_seek';
      // One press is enough, and one game.
      return state.outbox.some(({ cmd }) => cmd.t === t && (cmd.seek === m.seek || t === 'accept_seek')) ? state : post(state, { t, id: m.id, seek: m.seek });
    }
    case 'seek.prune':
      return seeks(state, { items: state.seeks.items.filter((seek) => !seek.gone) });
    case 'lobby.asked':
      return seeks(state, { sync: 'asked' });
    case 'lobby.again':
      return state.seeks.sync === 'asked' ? seeks(state, { sync: 'needed' }) : state;
    case 'challenges':
      return { ...state, challenges: { received: m.received, created: m.created } };
    case 'mine':
      return { ...state, mine: m.games };
    case 'blocks':
      return { ...state, blocks: m.blocks };
    default:
      return null;
  }
}

/** What the server tells of the lobby and of challenges. @param {State} state @param {any} s @returns {State} */
export function lobbyTold(state, s) {
  const { items } = state.seeks;
  switch (s.t) {
    case 'lobby':
      return seeks(state, { sync: state.seeks.sync === 'off' ? 'off' : 'ok', items: s.seeks, online: s.online, games: s.games, pools: s.pools ?? [] });
    case 'lobby_counts':
      return seeks(state, { online: s.online, games: s.games, pools: s.pools ?? [] });
    case 'seek_added': {
      const known = items.some(({ id }) => id === s.seek.id);
      return seeks(state, { items: known ? items.map((seek) => (seek.id === s.seek.id ? s.seek : seek)) : [...items, s.seek] });
    }
    case 'seek_removed':
      return goneWhere(state, ({ id }) => id === s.seek);
    case 'challenged':
      return challenged(state, s.challenge);
    case 'challenge':
      return closed(state, s);
    default:
      return state;
  }
}

/** Somebody challenges the viewer. @param {State} state @param {Challenge} challenge @returns {State} */
function challenged(state, challenge) {
  const { received } = state.challenges;
  const others = received.filter(({ id }) => id !== challenge.id);
  const next = { ...state, challenges: { ...state.challenges, received: [challenge, ...others] } };
  const { name } = challenge.creator;
  const told = speak(next, 'notice.challenged', { name });
  // The first page shows it with what it takes to answer.
  return state.route.name === 'home' ? told : notify(told, 'notice.challenged', { args: { name }, link: { href: `/c/${challenge.id}`, key: 'action.look' } });
}

/** A challenge is over. @param {State} state @param {any} s @returns {State} */
function closed(state, s) {
  const here = state.route.name === 'challenge' && state.route.id === s.challenge;
  const shown = state.challenge.data;
  const others = (/** @type {Challenge[]} */ list) => list.filter(({ id }) => id !== s.challenge);
  const { received, created } = state.challenges;
  const mine = created.some(({ id }) => id === s.challenge) || (here && !!shown?.yours);
  let next = { ...state, challenges: { received: others(received), created: others(created) }, notices: state.notices.filter((n) => n.link?.href !== `/c/${s.challenge}`) };
  if (here && shown) next = { ...next, challenge: { ...state.challenge, data: { ...shown, status: s.status, game: s.game ?? null } } };
  if (s.status === 'declined' && mine && !here) return notify(next, 'notice.declined', { args: { name: s.by?.name ?? '' } });
  if (s.status !== 'accepted' || !s.game) return next;
  const href = `/g/${s.game}`;
  if (here) return { ...next, go: href };
  return state.route.name === 'game' && state.route.id === s.game ? next : notify(next, 'notice.accepted', { link: { href, key: 'action.go_to_game' } });
}

/** The answer to a command about the lobby. @param {State} state @param {string} t what the command was @param {any} s @returns {State} */
export function lobbyAcked(state, t, s) {
  if (t === 'seek') return seeks(state, { made: true });
  return t === 'accept_seek' && s.game ? { ...state, go: `/g/${s.game}` } : state;
}

/** One that is not there any more is shown to be gone. @param {State} state @param {any} cmd @param {string} code @returns {State} */
export const lobbyRefused = (state, cmd, code) => (code === 'seek_gone' ? goneWhere(state, ({ id }) => id === cmd.seek) : state);
