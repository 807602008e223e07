// `/analysis`: any position and any game, with both sides moved by one person. The address says which, and where in it.
/** @import {Send, State, View} from '../types.js' */
/** @import {Place} from '../analysis/address.js' */

import { readPlace } from '../analysis/address.js';
import { boardsOf } from '../analysis/record.js';
import { geometryOf, startOf, VARIANTS } from '../games/index.js';
import { t } from '../i18n.js';
import { askGame } from '../net/analysis.js';
import { Refusal } from '../net/rest.js';
import { desk, keyOf } from './analysis/desk.js';
import { variantOf } from './analysis/tools.js';
import { h } from './dom.js';
import { emptyPage } from './lists.js';

/** @param {Send} send @returns {View} */
export function analysisPage(send) {
  const el = h('div', { class: 'analysis' }, h('p', { class: 'loading', role: 'status' }, t('loading')));
  /** @type {ReturnType<typeof desk> | null} */
  let inside = null;
  /** The query that is shown. @type {string | null} */
  let shown = null;
  let opened = 0;
  /** What the address names is on its way: it is not to be overwritten with what is still shown. */
  let opening = false;

  /** What an address names; null where there is no such thing. @param {Place} place */
  async function baseOf({ game, variant, fen }) {
    if (game) {
      const info = await askGame(game);
      return { variant: info.variant, fen: info.start_fen, game: info };
    }
    const known = VARIANTS.includes(variant) ? variant : VARIANTS[0];
    const boards = boardsOf(fen);
    if (!fen) return { variant: known, fen: startOf(known), game: null };
    const own = variantOf(boards, known);
    return geometryOf(own).boards.length === boards ? { variant: own, fen, game: null } : null;
  }

  /** @param {Place} place @param {State} state */
  async function open(place, { prefs, session }) {
    const mine = ++opened;
    opening = true;
    const base = await baseOf(place).catch((error) => {
      if (!(error instanceof Refusal)) throw error;
      if (error.code !== 'not_found') send({ type: 'problem', problem: { code: error.code, detail: error.detail } });
      return null;
    });
    if (mine !== opened) return;
    opening = false;
    if (!base) {
      inside?.leave();
      inside = null;
      return el.replaceChildren(emptyPage(t('analysis.missing_title'), t('analysis.missing_text')));
    }
    if (inside?.key !== keyOf(base)) {
      inside?.leave();
      inside = desk(base, {
        prefs, send, turned: !!base.game && base.game.black.name === session.player?.name,
        wrote(path) {
          if (opening) return;
          shown = path.slice('/analysis'.length);
          send({ type: 'address', path });
        },
      });
      if (base.game) inside.take(base.game);
      el.replaceChildren(inside.el);
    }
    inside.open(place);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (target instanceof HTMLElement && target.matches('input, textarea, select')) return;
    inside?.pressed(event);
  }
  document.addEventListener('keydown', pressed);

  return {
    el,
    /** @param {State} state */
    update(state) {
      const search = state.route.search ?? '';
      if (search !== shown) {
        shown = search;
        open(readPlace(search), state);
      }
      inside?.update(state);
    },
    leave() {
      opened++;
      document.removeEventListener('keydown', pressed);
      inside?.leave();
    },
  };
}
