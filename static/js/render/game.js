// The game page: playing, watching and reading a finished game are this one page.
/** @import {Geometry, Send, State, View} from '../types.js' */

import { nameText, t } from '../i18n.js';
import { geometryIn } from '../position.js';
import { playerBars } from './bars.js';
import { sheet } from './board.js';
import { styleFile } from '../net/files.js';
import { h, icon, setAttr, setText, show, whenChanged } from './dom.js';
import { firstMoveCall } from './first.js';
import { moveList } from './moves.js';
import { gameKind } from './parts.js';
import { sayCard } from './say.js';
import { views } from './views.js';

/** That somebody is there. */
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'scroll'];

/** @param {Send} send @returns {View} */
export function gamePage(send) {
  /** Built as soon as it is known which game it is. @type {ReturnType<typeof sheet> | null} */
  let boards = null;
  /** Where the game has another view than its boards. @type {ReturnType<typeof views> | null} */
  let other = null;
  const bars = playerBars(send);
  const moves = moveList(send);
  const say = sayCard();
  const first = firstMoveCall();
  say.el.prepend(first.el);
  /** Where a turn is several moves. @type {ReturnType<typeof import('./tray.js').turnTray> | null} */
  let tray = null;
  /** For players, while they play. @type {ReturnType<typeof import('./actions.js').actions> | null} */
  let acts = null;
  const fetchActs = whenChanged((/** @type {boolean} */ _) => import('./actions.js').then(({ actions }) => {
    acts = actions(send);
    moves.el.after(acts.el);
    if (latest) update(latest);
  }).catch(() => location.reload()));
  /** Once it is over. @type {ReturnType<typeof import('./result.js').resultCard> | null} */
  let result = null;
  const fetchResult = whenChanged((/** @type {boolean} */ _) => import('./result.js').then(({ resultCard }) => {
    result = resultCard(send);
    say.el.before(result.el);
    if (latest) update(latest);
  }).catch(() => location.reload()));
  /** What is looked at when it is over: fetched when somebody moves a hand, so that nobody waits for it. @type {ReturnType<typeof import('./after.js').afterGame> | null} */
  let after = null;
  const fetchAfter = whenChanged((/** @type {boolean} */ _) => {
    for (const sign of SIGNS) addEventListener(sign, fetchParting, { passive: true });
  });
  const calm = () => SIGNS.forEach((sign) => removeEventListener(sign, fetchParting));
  async function fetchParting() {
    calm();
    const loaded = await import('./after.js').catch(() => null);
    await loaded?.furnish();
    if (!loaded || !latest?.game || left) return;
    after = loaded.afterGame(latest.game, send);
    page.append(after.el);
    update(latest);
  }
  let left = false;
  const heading = h('h1', { class: 'unseen' });
  const kind = h('p', { class: 'game-kind' });
  const watchers = h('span', { class: 'watchers' });
  const rules = h('span', {});
  const squares = h('span', {});
  const axes = h('span', {});
  const keys = h('span', { id: 'board-keys' });
  const legend = h('details', { class: 'legend' }, h('summary', {}, t('legend.label')), h('p', {}, rules, squares, axes, h('span', {}, t('legend.last')), keys,
    // A game goes on while one reads.
    h('span', {}, h('a', { href: '/learn', target: '_blank', rel: 'noopener' }, t('learn.more')))));
  const soundIcon = h('span', { class: 'icon-slot' });
  const sound = h('button', { type: 'button', class: 'bare', 'data-action': 'sound', click: () => send({ type: 'pref', change: { sound: !heard } }) }, soundIcon);
  let heard = true;
  const drawSound = whenChanged((/** @type {boolean} */ on) => {
    heard = on;
    soundIcon.replaceChildren(icon(on ? 'sound' : 'mute'));
    setAttr(sound, 'aria-label', t(on ? 'sound.off' : 'sound.on'));
    setAttr(sound, 'title', t(on ? 'sound.off' : 'sound.on'));
  });
  const flip = h('button', { type: 'button', class: 'bare', 'data-action': 'flip', 'aria-label': t('action.flip'), title: t('action.flip_title'), 'aria-keyshortcuts': 'f', click: () => send({ type: 'game.flip' }) }, icon('flip'));
  const about = h('div', { class: 'game-about' }, kind, watchers, legend, flip, sound);
  const page = h('div', { class: 'game' }, heading, about, bars.top, say.el, moves.el, bars.bottom);
  const missing = h('div', { hidden: true });
  const tellMissing = whenChanged(() => import('./lists.js').then(({ emptyPage }) => missing.replaceChildren(emptyPage(t('game.missing_title'), t('game.missing_text')))));
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
      acts?.focusTyped();
      return;
    }
    if (event.key === 'f') return send({ type: 'game.flip' });
    // The turn is ended and taken back from wherever the focus is; Return alone presses what has it.
    if (event.key === 'Backspace' || (event.key === 'Enter' && event.shiftKey)) {
      event.preventDefault();
      send({ type: event.key === 'Enter' ? 'game.end-turn' : 'game.undo' });
      return;
    }
    // A board or the tesseract has done something with it.
    if (event.defaultPrevented) return;
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

  /** Parts that only some games need: whether they have been asked for, and are there. */
  let asked = false;
  let fetched = false;
  /** @type {State | null} */
  let latest = null;

  /** @param {Geometry} geometry */
  async function fetchParts(geometry) {
    if (asked) return;
    asked = true;
    if (geometry.most('') > 1) {
      const parts = await Promise.all([import('./tray.js'), styleFile('parallel')]).catch(() => null);
      if (!parts) return location.reload();
      tray = parts[0].turnTray(send);
    }
    fetched = true;
    if (latest) update(latest);
  }

  /** @param {State} state */
  function update(state) {
    const { game } = state;
    if (!game) return;
    latest = state;
    const ready = game.status === 'ready' && fetched;
    show(loading, game.status !== 'missing' && !ready);
    show(page, ready);
    show(missing, game.status === 'missing');
    if (game.status === 'missing') tellMissing(true);
    if (game.status !== 'ready' || !game.info) return;
    if (!fetched) {
      fetchParts(geometryIn(game));
      return;
    }
    setAttr(page, 'data-you', game.you);
    setAttr(page, 'data-over', !!game.info.outcome);
    setAttr(page, 'data-replay', game.view !== null);
    setText(heading, t('title.game', { white: nameText(game.info.white), black: nameText(game.info.black) }));
    setText(kind, gameKind(game.info));
    setText(watchers, game.presence.spectators ? t('game.watchers', { n: game.presence.spectators }) : '');
    boards ??= build(geometryIn(game));
    boards.update(state, game);
    other?.update(state, game);
    drawSound(state.prefs.sound);
    bars.update(state, game);
    moves.update(state, game);
    say.update(state, game);
    first.update(state, game);
    tray?.update(state, game);
    if (game.you && !game.info.outcome) fetchActs(true);
    if (game.info.outcome) {
      fetchResult(true);
      fetchAfter(true);
    }
    acts?.update(state, game);
    result?.update(state, game);
    after?.update(game);
  }

  /** @param {Geometry} geometry */
  function build(geometry) {
    const built = sheet(geometry, send);
    page.classList.add(geometry.name);
    setText(rules, t(`legend.rules.${geometry.name}`));
    setText(squares, t(`legend.${geometry.name}`));
    setText(axes, geometry.space ? t('tess.axes') : '');
    show(axes, geometry.space !== null);
    setText(keys, t(`legend.keys.${geometry.name}`));
    page.prepend(built.el);
    if (tray) bars.top.after(tray.el);
    if (geometry.space) {
      other = views(geometry, built.el, about, send);
      built.el.after(other.tabs, other.panel);
      flip.before(other.button);
    }
    return built;
  }

  return {
    el,
    update,
    leave() {
      left = true;
      calm();
      document.removeEventListener('keydown', pressed);
      after?.leave();
      bars.leave();
      first.leave();
      acts?.leave();
      moves.leave();
      boards?.leave();
      other?.leave();
    },
  };
}
