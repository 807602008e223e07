/** @import {Route} from './types.js' */

/** @type {[RegExp, (groups: string[]) => Route][]} */
const PLACES = [
  [/^\/$/, () => ({ name: 'home' })],
  [/^\/g\/([^/]+)(?:\/(\d{1,5}))?$/, ([id, ply]) => ({ name: 'game', id, ...(ply && { ply: Number(ply) }) })],
  [/^\/c\/([^/]+)$/, ([id]) => ({ name: 'challenge', id })],
  [/^\/@\/([^/]+)$/, ([player]) => ({ name: 'profile', player })],
  [/^\/leaderboard(?:\/([^/]+)\/([^/]+))?$/, ([variant = '', speed = '']) => ({ name: 'leaders', variant, speed })],
  [/^\/games$/, () => ({ name: 'games', search: '' })],
  [/^\/analysis$/, () => ({ name: 'analysis', search: '' })],
  [/^\/learn(?:\/([^/]+))?$/, ([id]) => ({ name: 'learn', ...(id && { id }) })],
  [/^\/puzzles(?:\/([^/]+))?$/, ([id]) => ({ name: 'puzzles', ...(id && { id }) })],
  [/^\/settings$/, () => ({ name: 'settings' })],
  [/^\/login$/, () => ({ name: 'login' })],
  [/^\/signup$/, () => ({ name: 'signup' })],
];

/**
 * The place that a path names, with what is asked for in it where places know such a thing. Pure, so that it can be tested.
 * @param {string} path with its query
 * @returns {Route}
 */
export function routeOf(path) {
  const [whole, query = ''] = path.split(/(?=\?)/, 2);
  const clean = whole.length > 1 ? whole.replace(/\/+$/, '') : whole;
  for (const [pattern, make] of PLACES) {
    const match = pattern.exec(clean);
    if (!match) continue;
    try {
      const route = make(match.slice(1).map((part) => part && decodeURIComponent(part)));
      return route.search === undefined ? route : { ...route, search: query };
    } catch {
      break;
    }
  }
  return { name: 'not-found' };
}

/** @param {string} name */
export const profilePath = (name) => `/@/${encodeURIComponent(name)}`;
