// The game page: playing, watching and reading a finished game are this one page.
/** @import {Send, State, View} from '../types.js' */

import { nameText, t } from '../i18n.js';
import { geometryIn } from '../position.js';
import { actions } from './actions.js';
import { playerBars } from './bars.js';
import { sheet } from './board.js';
import { h, icon, setAttr, setText, show, whenChanged } from './dom.js';
import { moveList } from './moves.js';
import { emptyPage, gameKind } from './parts.js';
import { resultCard } from './result.js';
import { sayCard } from './say.js';
import { turnTray } from './tray.js';
import { views } from './views.js';

/** @param {Send} send @returns {View} */
export function gamePage(send) {
  /** Built as soon as it is known which game it is. @type {ReturnType<typeof sheet> | null} */
  let boards = null;
  /** Where the game has another view than its boards. @type {ReturnType<typeof views> | null} */
  let other = null;
  const bars = playerBars(send);
  const moves = moveList(send);
  const say = sayCard();
  const tray = turnTray(send);
  const acts = actions(send);
  const result = resultCard(send);
  const heading = h('h1', { class: 'unseen' });
  const kind = h('p', { class: 'game-kind' });
  const watchers = h('span', { class: 'watchers' });
  const rules = h('span', {});
  const squares = h('span', {});
  const keys = h('span', { id: 'board-keys' });
  const legend = h('details', { class: 'legend' }, h('summary', {}, t('legend.label')), h('p', {}, rules, squares, keys));
  const soundIcon = h('span', { class: 'icon-slot' });
  const sound = h('button', { type: 'button', class: 'bare', 'data-action': 'sound', click: () => send({ type: 'pref', change: { sound: !heard } }) }, soundIcon);
  let heard = true;
  const drawSound = whenChanged((/** @type {boolean} */ on) => {
    heard = on;
    soundIcon.replaceChildren(icon(on ? 'sound' : 'mute'));
    setAttr(sound, 'aria-label', t(on ? 'sound.off' : 'sound.on'));
    setAttr(sound, 'title', t(on ? 'sound.off' : 'sound.on'));
  });
  const about = h('div', { class: 'game-about' }, kind, watchers, legend, sound);
  const page = h('div', { class: 'game' }, heading, about, bars.top, tray.el, result.el, say.el, moves.el, acts.el, bars.bottom);
  const missing = emptyPage(t('game.missing_title'), t('game.missing_text'));
  const loading = h('p', { class: 'loading', role: 'status' }, t('game.loading'));
  const el = h('div', { class: 'game-place' }, loading, page, missing);

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    const { target } = event;
    if (event.key === 'Escape') {
      legend.open = false;
      send({ type: 'game.escape' });
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable);
    if (typing) return;
    if (event.key === 'm' && !page.hidden) {
      event.preventDefault();
      acts.focusTyped();
      return;
    }
    // The turn is ended and taken back from wherever the focus is; Return alone presses what has it.
    if (event.key === 'Backspace' || (event.key === 'Enter' && event.shiftKey)) {
      event.preventDefault();
      send({ type: event.key === 'Enter' ? 'game.end-turn' : 'game.undo' });
      return;
    }
    if (target instanceof HTMLElement && boards?.el.contains(target)) return;
    /** @type {Record<string, {type: string, [key: string]: unknown}>} */
    const steps = {
      ArrowLeft: { type: 'game.step', by: -1 }, ArrowRight: { type: 'game.step', by: 1 },
      Home: { type: 'game.view', ply: 0 }, End: { type: 'game.view', ply: Infinity },
    };
    const step = steps[event.key];
    if (!step) return;
    event.preventDefault();
    send(step);
  }
  document.addEventListener('keydown', pressed);

  return {
    el,
    /** @param {State} state */
    update(state) {
      const { game } = state;
      if (!game) return;
      show(loading, game.status === 'loading');
      show(page, game.status === 'ready');
      show(missing, game.status === 'missing');
      if (game.status !== 'ready' || !game.info) return;
      setAttr(page, 'data-you', game.you);
      setAttr(page, 'data-over', !!game.info.outcome);
      setAttr(page, 'data-replay', game.view !== null);
      setText(heading, t('title.game', { white: nameText(game.info.white), black: nameText(game.info.black) }));
      setText(kind, gameKind(game.info));
      setText(watchers, game.presence.spectators ? t('game.watchers', { n: game.presence.spectators }) : '');
      if (!boards) {
        const geometry = geometryIn(game);
        boards = sheet(geometry, send);
        page.classList.add(geometry.name);
        setText(rules, t(`legend.rules.${geometry.name}`));
        setText(squares, t(`legend.${geometry.name}`));
        setText(keys, t(`legend.keys.${geometry.name}`));
        page.prepend(boards.el);
        if (geometry.space) {
          other = views(geometry, boards.el, send);
          boards.el.after(other.tabs, other.panel);
          sound.before(other.button);
        }
      }
      boards.update(state, game);
      other?.update(state, game);
      drawSound(state.prefs.sound);
      bars.update(state, game);
      moves.update(game);
      say.update(state, game);
      tray.update(state, game);
      acts.update(state, game);
      result.update(game);
    },
    leave() {
      document.removeEventListener('keydown', pressed);
      bars.leave();
      moves.leave();
      boards?.leave();
      other?.leave();
    },
  };
}
