// What the browser keeps: preferences for good, and a turn that is being put together for as long as the tab lives.
/** @import {GameState, Prefs} from './types.js' */

import { LANGUAGES } from './i18n.js';
import { fenAt } from './position.js';

/**
 * How boards and pieces can look, and whether anything moves: each is an attribute of the page that tokens.css knows, set
 * before the first paint by theme.js. The first of each is what nobody has chosen.
 * @type {Record<'boards' | 'pieces' | 'motion', string[]>}
 */
export const LOOKS = { boards: ['stone', 'wood', 'sea'], pieces: ['round', 'angular'], motion: ['system', 'off'] };

/** A choice that there is. @param {keyof typeof LOOKS} what @param {unknown} chosen */
export const lookOf = (what, chosen) => LOOKS[what].find((look) => look === chosen) ?? LOOKS[what][0];

const PREFS = 'manifold.prefs';
const THEME = 'manifold.theme';
const turnKey = (/** @type {string} */ game) => `manifold.turn.${game}`;

/** Storage may be forbidden, full, or written by somebody else: then it is as if nothing had been kept. @template T @param {() => T} work @returns {T | null} */
function tried(work) {
  try {
    return work();
  } catch {
    return null;
  }
}

/** What a place keeps for itself; null where nothing was. @param {string} name @returns {any} */
export const loadKept = (name) => tried(() => JSON.parse(localStorage.getItem(`manifold.${name}`) ?? 'null'));

/** @param {string} name @param {unknown} value */
export const saveKept = (name, value) => tried(() => localStorage.setItem(`manifold.${name}`, JSON.stringify(value)));

/** What a place keeps for as long as the tab lives. @param {string} name @returns {any} */
export const loadForTab = (name) => tried(() => JSON.parse(sessionStorage.getItem(`manifold.${name}`) ?? 'null'));

/** @param {string} name @param {unknown} value */
export const saveForTab = (name, value) => tried(() => sessionStorage.setItem(`manifold.${name}`, JSON.stringify(value)));

/** @returns {Prefs} */
export function loadPrefs() {
  /** @type {Prefs} */
  const prefs = {
    theme: 'auto', boards: '', pieces: '', motion: '', language: '', variant: '', rated: true, sound: true, confirm: false, chat: { open: null, muted: false },
    computer: { level: 1, color: 'random', time: '' }, tesseract: { beside: true, instead: false },
  };
  Object.assign(prefs, tried(() => JSON.parse(localStorage.getItem(PREFS) ?? '{}')));
  const theme = tried(() => localStorage.getItem(THEME));
  prefs.theme = theme === 'light' || theme === 'dark' ? theme : 'auto';
  for (const what of /** @type {(keyof typeof LOOKS)[]} */ (Object.keys(LOOKS))) prefs[what] = lookOf(what, prefs[what]);
  prefs.language = Object.hasOwn(LANGUAGES, prefs.language) ? String(prefs.language) : '';
  return prefs;
}

/** @param {Prefs} prefs */
export function savePrefs({ theme, ...others }) {
  tried(() => localStorage.setItem(THEME, theme));
  tried(() => localStorage.setItem(PREFS, JSON.stringify(others)));
}

/** @param {GameState} game */
export function saveTurn(game) {
  const { moves } = game.draft;
  if (moves.length) tried(() => sessionStorage.setItem(turnKey(game.id), JSON.stringify({ fen: fenAt(game), moves })));
  else tried(() => sessionStorage.removeItem(turnKey(game.id)));
}

/** The moves that were in the tray, and the position that they answer. @param {string} game @returns {{fen: string, moves: string[]} | null} */
export function loadTurn(game) {
  const kept = tried(() => JSON.parse(sessionStorage.getItem(turnKey(game)) ?? 'null'));
  return Array.isArray(kept?.moves) ? kept : null;
}
