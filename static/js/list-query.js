// Which games a list shows, as its address says it. Pure.

import { SPEEDS, VARIANTS } from './leaders.js';

/** @typedef {{player: string, status: string, variant: string, speed: string, rated: string, outcome: string}} GameFilter nothing where any will do */

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

/** What the filter asks of the server, the player aside: that is part of the path. @param {GameFilter} filter */
export const filterQuery = ({ player: _, ...rest }) => Object.entries(rest).filter(([, value]) => value);

/** @param {Partial<GameFilter>} filter */
export function filterPath(filter) {
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value)).toString();
  return `/games${query ? `?${query}` : ''}`;
}
