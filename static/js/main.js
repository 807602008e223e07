// Wires the parts: a message goes through update.js into the next state, effects.js does what follows from it, and the
// page is drawn anew with the next frame.
/** @import {State, Send} from './types.js' */

import { startEffects } from './effects.js';
import { languageFor, setWords } from './i18n.js';
import { loadPrefs } from './keep.js';
import { startPage } from './render/shell.js';
import { initialState } from './state.js';
import { update } from './update.js';

/** @type {State} */
let state = initialState(loadPrefs());
const language = languageFor(state.prefs.language, navigator.languages);
let drawn = false;
/** @type {ReturnType<typeof startEffects> | undefined} */
let effects;
/** @type {((state: State) => void) | undefined} */
let draw;

const freshId = () => `c-${crypto.getRandomValues(new Uint32Array(3)).reduce((id, n) => id + n.toString(36), '')}`;

/** @type {Send} */
function send(message) {
  const full = { ...message, now: performance.now(), id: message.id ?? freshId() };
  state = update(state, full);
  if (!drawn) {
    drawn = true;
    // A hidden tab gets no frames; a timer keeps its title and its live region true.
    if (document.hidden) setTimeout(paint, 0);
    else requestAnimationFrame(paint);
  }
  effects?.after(full);
}

function paint() {
  drawn = false;
  draw?.(state);
}

/** @param {string} path @returns {Promise<Response>} */
async function file(path) {
  // The server may be restarting just now: without these files there is no page, so they are asked for until they come.
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    const answer = await fetch(new URL(path, import.meta.url)).catch(() => null);
    if (answer?.ok) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
}

const [words, sprite] = await Promise.all([
  file(`../lang/${language}.json`).then((answer) => answer.json()),
  file('../img/pieces.svg').then((answer) => answer.text()),
]);
setWords(language, words);
document.documentElement.lang = language;
draw = startPage(sprite, send);
effects = startEffects(() => state, send);
effects.start();
