// The tesseract beside the boards: the same position in one picture, turned by hand and only by hand.
/** @import {Geometry, Send, State, GameState} from '../types.js' */
/** @import {Sight} from '../tesseract/easel.js' */
/** @import {Floor} from '../tesseract/scene.js' */

import { t } from '../i18n.js';
import { lookOf } from '../tesseract/look.js';
import { MARGIN_PX, pick, sceneOf, solidOf } from '../tesseract/scene.js';
import { h, icon, setAttr, setText } from './dom.js';
import { resting } from './drag.js';
import { marksIn } from './marks.js';

const DEGREE = Math.PI / 180;
/** How it lies at first, in degrees: the boards level, their ranks leading away. */
const HOME = { yaw: -24, pitch: 21, turn: 0 };
const STEP = 5;
const DEGREES_PER_PIXEL = 0.4;
/** A press that moves less is a click. */
const SLOP_PX = 5;
/** How far beside a square a finger may land. */
const TOUCH_PX = 16;

/** @type {Record<string, [axis: 'yaw' | 'pitch' | 'turn', by: number]>} */
const KEYS = { ArrowLeft: ['yaw', -STEP], ArrowRight: ['yaw', STEP], ArrowUp: ['pitch', -STEP], ArrowDown: ['pitch', STEP], PageUp: ['turn', STEP], PageDown: ['turn', -STEP] };

/** Into one turn around zero. @param {number} degrees */
const around = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** @param {Geometry} geometry whose squares have a place in space @param {Send} send */
export function tesseract(geometry, send) {
  const solid = solidOf(geometry);
  const scene = sceneOf(solid);
  const canvas = h('canvas', { class: 'tess-picture', tabindex: '0', role: 'img', 'aria-label': `${t('tess.label')} ${t('tess.axes')}`, title: `${t('tess.keys')} ${t('tess.axes')}` });
  const slider = h('input', { type: 'range', min: '-180', max: '180', step: '1', name: 'turn-through-w', 'aria-label': t('tess.turn') });
  const degrees = h('output', { class: 'tab' });
  const home = h('button', { type: 'button', class: 'bare', 'data-action': 'tess-home', 'aria-label': t('tess.home'), title: t('tess.home'), click: reset }, icon('undo'));
  const cube = (/** @type {number} */ w) => h('span', { class: `tess-cube w${w}` }, t(`tess.cube.${w}`));
  const el = h('div', { class: 'tess-view' },
    h('p', { class: 'tess-cubes' }, cube(0), cube(1), h('span', { class: 'tess-axis' }, t('tess.z'))), canvas,
    h('div', { class: 'tess-turn' }, h('span', { 'aria-hidden': 'true' }, t('tess.turn')), slider, degrees, home));
  const easel = new Worker(new URL('../tesseract/easel.js', import.meta.url), { type: 'module' });
  /** @param {Partial<Sight>} sight @param {Transferable[]} [given] */
  const tell = (sight, given = []) => easel.postMessage(sight, given);
  const surface = canvas.transferControlToOffscreen();
  tell({ canvas: surface, solid, names: geometry.boards.map(({ label }) => t('tess.board', label.args)) }, [surface]);

  let angles = { ...HOME };
  let flipped = false;
  /** @type {ReturnType<typeof marksIn> | null} */
  let marks = null;
  /** Whether something was made ahead, which a right click calls back. */
  let ahead = false;
  let screen = { width: 0, height: 0, ratio: 1 };
  /** What the pointer hits; it is found out when there is one. @type {Floor[] | null} */
  let floors = null;

  function radians() {
    const { yaw, pitch, turn } = angles;
    return { yaw: (yaw + (flipped ? 180 : 0)) * DEGREE, pitch: pitch * DEGREE, turn: turn * DEGREE };
  }

  function turned() {
    floors = null;
    tell({ angles: radians() });
  }

  /** @param {Partial<typeof HOME>} to */
  function turnTo(to) {
    const next = { ...angles, ...to };
    angles = { yaw: around(next.yaw), pitch: Math.max(-90, Math.min(90, next.pitch)), turn: next.turn === 180 ? 180 : around(next.turn) };
    const text = t('tess.degrees', { n: angles.turn });
    if (degrees.textContent !== text) {
      slider.value = String(angles.turn);
      setAttr(slider, 'aria-valuetext', text);
      setText(degrees, text);
    }
    home.disabled = Object.entries(HOME).every(([axis, at]) => angles[/** @type {keyof typeof HOME} */ (axis)] === at);
    turned();
  }

  function reset() {
    turnTo(HOME);
  }

  /** @param {MouseEvent} event @param {number} slop */
  function squareAt(event, slop) {
    const { left, top } = canvas.getBoundingClientRect();
    floors ??= scene(radians(), screen.width, screen.height, MARGIN_PX);
    return pick(floors, (square) => !!marks?.of(square).piece, { x: event.clientX - left, y: event.clientY - top }, slop);
  }

  /** @type {string | null} */
  let pointed = null;
  /** @param {string | null} square */
  function point(square) {
    const mark = square && marks?.of(square);
    setAttr(canvas, 'data-live', !!mark && (mark.movable || mark.open !== null));
    if (square === pointed) return;
    pointed = square;
    send({ type: 'game.point', square });
  }

  const rest = resting(canvas, (event) => {
    const square = squareAt(event, TOUCH_PX);
    if (square) send({ type: 'game.inspect', square });
  });
  /** @type {{id: number, x: number, y: number, from: typeof HOME, turning: boolean} | null} */
  let held = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || !event.isPrimary) return;
    held = { id: event.pointerId, x: event.clientX, y: event.clientY, from: angles, turning: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!held || event.pointerId !== held.id) {
      if (event.pointerType === 'mouse' && !held) point(squareAt(event, 0));
      return;
    }
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.turning && Math.hypot(x, y) < SLOP_PX) return;
    if (!held.turning) {
      held.turning = true;
      canvas.setPointerCapture(held.id);
      setAttr(canvas, 'data-turning', true);
      point(null);
    }
    turnTo({ yaw: held.from.yaw + x * DEGREES_PER_PIXEL, pitch: held.from.pitch + y * DEGREES_PER_PIXEL });
  });
  /** @param {PointerEvent} event */
  function release(event) {
    if (!held || event.pointerId !== held.id) return;
    const { turning } = held;
    held = null;
    setAttr(canvas, 'data-turning', false);
    if (turning || rest.consumed() || event.type === 'pointercancel') return;
    const square = squareAt(event, event.pointerType === 'mouse' ? 0 : TOUCH_PX);
    if (square) send({ type: 'game.square', square });
  }
  canvas.addEventListener('pointerup', release);
  canvas.addEventListener('pointercancel', release);
  canvas.addEventListener('pointerleave', () => point(null));
  canvas.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    // A finger that rests has been heard already.
    if (event instanceof PointerEvent && event.pointerType === 'touch') return;
    const square = squareAt(event, 0);
    send(ahead || !square ? { type: 'game.escape' } : { type: 'game.inspect', square });
  });
  slider.addEventListener('input', () => turnTo({ turn: Number(slider.value) }));
  el.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS[event.key];
    if (event.key === 'Home') reset();
    else if (key && event.target === canvas) turnTo({ [key[0]]: angles[key[0]] + key[1] });
    else return;
    // Outside, these keys walk through the game.
    event.preventDefault();
    event.stopPropagation();
  });

  const size = new ResizeObserver(() => {
    screen = { width: canvas.clientWidth, height: canvas.clientHeight, ratio: devicePixelRatio };
    floors = null;
    tell({ screen });
  });
  size.observe(canvas);
  let frame = 0;
  // The page has its new colors with the next frame.
  function repaint() {
    frame ||= requestAnimationFrame(() => {
      frame = 0;
      tell({ look: lookOf(el) });
    });
  }
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', repaint);
  reset();

  let look = '';
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      marks = marksIn(geometry, state, game);
      const { of, arrows } = marks;
      tell({ marks: new Map(geometry.squares.map((square) => [square, of(square)])), arrows });
      ahead = game.premove !== null;
      const turn = (game.you === 'black') !== game.flipped;
      if (turn !== flipped) {
        flipped = turn;
        turned();
      }
      const { theme, boards, pieces } = state.prefs;
      if (look !== `${theme} ${boards} ${pieces}`) repaint();
      look = `${theme} ${boards} ${pieces}`;
    },
    leave() {
      cancelAnimationFrame(frame);
      easel.terminate();
      rest.end();
      size.disconnect();
      system.removeEventListener('change', repaint);
    },
  };
}
