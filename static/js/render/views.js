// Which views of the position a game page shows: the boards, and the tesseract beside them or, on small screens, in their place.
/** @import {Geometry, Send, State, GameState} from '../types.js' */

import { t } from '../i18n.js';
import { h, icon, setAttr, show } from './dom.js';
import { choice } from './parts.js';

/** Where both have room (tesseract.css). */
const wide = matchMedia('(min-width: 1200px) and (min-height: 820px), (min-width: 1360px) and (min-height: 560px) and (min-aspect-ratio: 17/10)');
/** Where a thumb chooses, just over the boards; elsewhere there is a button beside the other small ones. */
const phone = matchMedia('(max-width: 860px)');

/** @param {Geometry} geometry @param {HTMLElement} boards @param {HTMLElement} about where the small buttons are @param {Send} send */
export function views(geometry, boards, about, send) {
  const panel = h('section', { class: 'tess', 'aria-label': t('tess.title') });
  const tabs = choice('view', t('view.label'), ['boards', 'tesseract'].map((value) => ({ value, text: t(`view.${value}`) })),
    (value) => keep({ instead: value === 'tesseract' }));
  tabs.el.classList.add('view-tabs');
  const button = h('button', { type: 'button', class: 'bare', 'data-action': 'tesseract', title: t('tess.show'), 'aria-label': t('tess.show'), click: () => keep({ [wide.matches ? 'beside' : 'instead']: panel.hidden }) }, icon('tesseract'));
  let chosen = { beside: true, instead: false };
  const keep = (/** @type {Partial<typeof chosen>} */ change) => send({ type: 'pref', change: { tesseract: { ...chosen, ...change } } });

  /** @type {ReturnType<typeof import('./tesseract.js').tesseract> | null} */
  let view = null;
  let asked = false;
  /** @type {{state: State, game: GameState} | null} */
  let latest = null;

  /** The boards are on the screen before anything is fetched for the other view. */
  function fetchView() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => setTimeout(async () => {
      const loaded = await import('./tesseract.js').catch(() => null);
      // A line that is down: the next time that something changes it is tried again.
      asked = loaded !== null;
      if (!loaded || !latest) return;
      view = loaded.tesseract(geometry, send);
      panel.replaceChildren(view.el);
      view.update(latest.state, latest.game);
    }));
  }

  function redraw() {
    if (latest) update(latest.state, latest.game);
  }
  for (const size of [wide, phone]) size.addEventListener('change', redraw);

  /** @param {State} state @param {GameState} game */
  function update(state, game) {
    latest = { state, game };
    chosen = state.prefs.tesseract;
    const shown = wide.matches ? chosen.beside : chosen.instead;
    const page = panel.parentElement;
    if (page) setAttr(page, 'data-views', !shown ? null : wide.matches ? 'both' : 'tesseract');
    show(panel, shown);
    show(boards, wide.matches || !shown);
    // A thumb chooses just over the boards, a pointer among the other small things; with room for both there is a button.
    if (tabs.el.parentElement !== (phone.matches ? panel.parentElement : about)) {
      if (phone.matches) panel.before(tabs.el);
      else about.prepend(tabs.el);
    }
    show(tabs.el, !wide.matches);
    show(button, wide.matches);
    setAttr(button, 'aria-pressed', shown ? 'true' : 'false');
    tabs.set(shown ? 'tesseract' : 'boards');
    if (!shown) return;
    fetchView();
    view?.update(state, game);
  }

  return {
    panel,
    tabs: tabs.el,
    button,
    update,
    leave() {
      latest = null;
      for (const size of [wide, phone]) size.removeEventListener('change', redraw);
      view?.leave();
    },
  };
}
