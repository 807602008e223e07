// Every visible word comes through t(). A language is one JSON file with the keys of en.json; where a sentence counts
// something, it has one form for each plural category of the language. Numbers, lists and dates are written by Intl.
/** @import {Player} from './types.js' */

/** The languages that there are, by the names that their speakers look for. @type {Record<string, string>} */
export const LANGUAGES = { en: 'English', es: 'Español', vi: 'Tiếng Việt', ru: 'Русский' };

/** @type {Record<string, string>} */
let words = {};
let language = 'en';
let plural = new Intl.PluralRules('en');
/** How numbers are written, by the digits after the decimal sign: to make such a thing takes longer than to draw a frame's lines. @type {Map<number | undefined, Intl.NumberFormat>} */
const numbers = new Map();

/**
 * The language to speak: the chosen one, else the first of the browser's that there is, else English.
 * @param {string} chosen nothing where none was
 * @param {readonly string[]} preferred as in navigator.languages
 */
export function languageFor(chosen, preferred) {
  const names = [chosen, ...preferred].map((tag) => tag.toLowerCase().split('-')[0]);
  return names.find((name) => Object.hasOwn(LANGUAGES, name)) ?? 'en';
}

/** @param {string} lang @param {Record<string, string>} dictionary */
export function setWords(lang, dictionary) {
  words = dictionary;
  language = lang;
  plural = new Intl.PluralRules(lang);
  numbers.clear();
}

/** Words of a place, beside the common ones. @param {Record<string, string>} more */
export function addWords(more) {
  words = { ...words, ...more };
}

/** The language that is spoken. */
export const spoken = () => language;

/** @param {string} key */
export const has = (key) => key in words;

/**
 * The sentence for `key` with `{name}`s filled in. With an argument `n`, `key.one`, `key.other` … are tried first.
 * @param {string} key
 * @param {Record<string, string | number>} [args]
 */
export function t(key, args = {}) {
  const counted = typeof args.n === 'number' ? words[`${key}.${plural.select(args.n)}`] : undefined;
  const text = counted ?? words[key] ?? key;
  const shown = (/** @type {string | number} */ value) => (typeof value === 'number' ? numberText(value) : value);
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? shown(args[name]) : whole));
}

/** @param {number} n @param {number} [digits] after the decimal sign; as many as it has, up to three, unless told */
export function numberText(n, digits) {
  const format = numbers.get(digits) ?? new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  numbers.set(digits, format);
  return format.format(n);
}

/** "X, Y and W". @param {string[]} items */
export const listText = (items) => new Intl.ListFormat(language).format(items);

/** The name of one of the computer's levels. @param {number} level @param {string} name the server's, for levels that are not known here */
export const levelText = (level, name) => (has(`computer.level.${level}`) ? t(`computer.level.${level}`) : name);

/** What a player is called: people as they chose, bots with their mark, the computer in the language's words. @param {Player} player */
export function nameText({ kind, name, level }) {
  if (kind === 'bot') return `${name} ${t('bot.mark')}`;
  if (kind !== 'computer' || level === undefined || !has(`computer.level.${level}`)) return name;
  return t('computer.name', { name: levelText(level, name), level });
}

/** A refusal's words: ours for its code, else the server's own sentence. @param {{code: string, detail: string}} problem */
export function problemText(problem) {
  const key = `problem.${problem.code}`;
  return has(key) ? t(key) : problem.detail || t('problem.unknown');
}

/** @param {string} iso */
export function dayText(iso) {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium' }).format(new Date(iso));
}

/** "2d 9h", as one needs to know it of a long time. @param {number} ms */
export function spanText(ms) {
  const unit = (/** @type {string} */ name, /** @type {number} */ n) => new Intl.NumberFormat(language, { style: 'unit', unit: name, unitDisplay: 'narrow' }).format(n);
  const hours = Math.floor(ms / 3_600_000);
  if (hours < 24) return `${unit('hour', hours)} ${unit('minute', Math.floor(ms / 60_000) % 60)}`;
  return `${unit('day', Math.floor(hours / 24))} ${unit('hour', hours % 24)}`;
}

/** "10:04". @param {string} iso */
export const timeOfDay = (iso) => new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(iso));

/** "3 minutes ago". @param {string} iso @param {number} now milliseconds since the epoch */
export function agoText(iso, now) {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const units = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([['day', 86400], ['hour', 3600], ['minute', 60]]);
  const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= s) ?? ['second', 1];
  if (unit === 'second') return t('time.now');
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
