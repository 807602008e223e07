// Every visible word comes through t(). A language is one JSON file with the same keys.

/** @type {Record<string, string>} */
let words = {};
let language = 'en';
let plural = new Intl.PluralRules('en');

/** @param {string} lang @param {Record<string, string>} dictionary */
export function setWords(lang, dictionary) {
  words = dictionary;
  language = lang;
  plural = new Intl.PluralRules(lang);
}

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
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in args ? String(args[name]) : whole));
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

/** "3 minutes ago". @param {string} iso @param {number} now milliseconds since the epoch */
export function agoText(iso, now) {
  const seconds = Math.round((new Date(iso).getTime() - now) / 1000);
  const units = /** @type {[Intl.RelativeTimeFormatUnit, number][]} */ ([['day', 86400], ['hour', 3600], ['minute', 60]]);
  const [unit, size] = units.find(([, s]) => Math.abs(seconds) >= s) ?? ['second', 1];
  if (unit === 'second') return t('time.now');
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.round(seconds / size), unit);
}
