// How boards and pieces can look, and whether anything moves: each is an attribute of the page that tokens.css knows. The
// first of each is what nobody has chosen. theme.js sets them before the first paint.

/** @type {Record<'boards' | 'pieces' | 'motion', string[]>} */
export const LOOKS = { boards: ['stone', 'wood', 'sea'], pieces: ['round', 'angular'], motion: ['system', 'off'] };

/** A choice that there is. @param {keyof typeof LOOKS} what @param {unknown} chosen */
export const lookOf = (what, chosen) => LOOKS[what].find((look) => look === chosen) ?? LOOKS[what][0];
