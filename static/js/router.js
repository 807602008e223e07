/** @import {Route} from './types.js' */

/** @type {[RegExp, (groups: string[]) => Route][]} */
const PLACES = [
  [/^\/$/, () => ({ name: 'home' })],
  [/^\/g\/([^/]+)$/, ([id]) => ({ name: 'game', id })],
  [/^\/c\/([^/]+)$/, ([id]) => ({ name: 'challenge', id })],
  [/^\/@\/([^/]+)$/, ([player]) => ({ name: 'profile', player })],
  [/^\/leaderboard(?:\/([^/]+)\/([^/]+))?$/, ([variant = '', speed = '']) => ({ name: 'leaders', variant, speed })],
  [/^\/games$/, () => ({ name: 'games' })],
  [/^\/learn(?:\/([^/]+))?$/, ([id]) => ({ name: 'learn', ...(id && { id }) })],
  [/^\/puzzles(?:\/([^/]+))?$/, ([id]) => ({ name: 'puzzles', ...(id && { id }) })],
  [/^\/settings$/, () => ({ name: 'settings' })],
  [/^\/login$/, () => ({ name: 'login' })],
  [/^\/signup$/, () => ({ name: 'signup' })],
];

/**
 * The place that a path names. Pure, so that it can be tested.
 * @param {string} path
 * @returns {Route}
 */
export function routeOf(path) {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const [pattern, make] of PLACES) {
    const match = pattern.exec(clean);
    if (!match) continue;
    try {
      return make(match.slice(1).map((part) => part && decodeURIComponent(part)));
    } catch {
      break;
    }
  }
  return { name: 'not-found' };
}

/** @param {string} name */
export const profilePath = (name) => `/@/${encodeURIComponent(name)}`;
