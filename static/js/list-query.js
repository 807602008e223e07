// Which games a list shows, as its address says it. Pure.

import { SPEEDS, VARIANTS } from './leaders.js';

/** @typedef {{player: string, status: string, variant: string, speed: string, rated: string, outcome: string}} GameFilter nothing where any will do */

/** A part of a list without games is followed at once by the next, so many times. */
export const MOST_PARTS = 5;

/** What each may be. @type {Record<'status' | 'variant' | 'speed' | 'rated' | 'outcome', string[]>} */
export const CHOICES = {
  status: ['live', 'ended'],
  variant: VARIANTS,
  speed: [...SPEEDS, 'untimed'],
  rated: ['true', 'false'],
  outcome: ['white', 'black', 'draw', 'none'],
};

/** @param {string} search @returns {GameFilter} */
export function readFilter(search) {
  const query = new URLSearchParams(search);
  const chosen = Object.entries(CHOICES).map(([name, values]) => [name, values.find((value) => value === query.get(name)) ?? '']);
  return { player: (query.get('player') ?? '').trim().slice(0, 20), ...Object.fromEntries(chosen) };
}

/** What the filter asks of the server. @param {GameFilter} filter */
export const filterQuery = (filter) => Object.entries(filter).filter(([, value]) => value);

/** @param {Partial<GameFilter>} filter */
export function filterPath(filter) {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
  return `/games${query ? `?${query}` : ''}`;
}

/**
 * The next part of a list that has games in it: where it is narrowed to what is rare, the server stops looking now and then.
 * @template G
 * @param {(cursor: string | null) => Promise<{games: G[], next: string | null}>} ask @param {string | null} cursor
 */
export async function nextPart(ask, cursor) {
  let part = await ask(cursor);
  for (let asked = 1; asked < MOST_PARTS && !part.games.length && part.next !== null; asked++) part = await ask(part.next);
  return part;
}

/** What is to be said of a list in which there is nothing; null while there is something, or may be. @param {{items: unknown[], next: string | null, busy: boolean}} games */
export const noneOf = ({ items, next, busy }) => (busy || items.length ? null : next === null ? 'games.none' : 'games.none_so_far');
