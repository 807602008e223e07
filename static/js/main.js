// Wires the parts: a message goes through update.js into the next state, effects.js does what follows from it, and the
// page is drawn anew with the next frame.
/** @import {State, Send} from './types.js' */

import { startEffects } from './effects.js';
import { languageFor, setWords } from './i18n.js';
import { loadPrefs } from './keep.js';
import { textFile, wordFile } from './net/files.js';
import { prepare, startPage } from './render/shell.js';
import { routeOf } from './router.js';
import { initialState } from './state.js';
import { update } from './update.js';

/** @type {State} */
let state = initialState(loadPrefs());
/** The language of the words on the page. */
let language = '';
let drawn = false;
/** @type {ReturnType<typeof startEffects> | undefined} */
let effects;
/** @type {ReturnType<typeof startPage> | undefined} */
let page;

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
  page?.draw(state);
}

/** Has the page speak as its reader prefers. What was there is built anew with other words; the state stays. */
async function translate() {
  const wanted = languageFor(state.prefs.language, navigator.languages);
  if (wanted === language) return;
  language = wanted;
  const words = await wordFile(wanted, '');
  if (language !== wanted) return;
  setWords(wanted, words);
  document.documentElement.lang = wanted;
  page?.build(state);
}

prepare(routeOf(location.pathname).name, languageFor(state.prefs.language, navigator.languages));
const [sprite] = await Promise.all([textFile('img/pieces.svg'), translate()]);
page = startPage(sprite, send);
effects = startEffects(() => state, send, translate);
effects.start();
