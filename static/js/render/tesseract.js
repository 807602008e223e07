// The tesseract beside the boards: the same position in one picture, turned by hand and only by hand.
/** @import {Geometry, Send, State, GameState} from '../types.js' */
/** @import {Floor} from '../tesseract/scene.js' */
/** @import {SquareMarks} from './marks.js' */

import { t } from '../i18n.js';
import { colorsOf, painter } from '../tesseract/paint.js';
import { pick, sceneOf } from '../tesseract/scene.js';
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
const MARGIN_PX = 18;

/** @type {Record<string, [axis: 'yaw' | 'pitch' | 'turn', by: number]>} */
const KEYS = { ArrowLeft: ['yaw', -STEP], ArrowRight: ['yaw', STEP], ArrowUp: ['pitch', -STEP], ArrowDown: ['pitch', STEP], PageUp: ['turn', STEP], PageDown: ['turn', -STEP] };

/** Into one turn around zero. @param {number} degrees */
const around = (degrees) => ((((degrees + 180) % 360) + 360) % 360) - 180;

/** @param {Geometry} geometry whose squares have a place in space @param {Send} send */
export function tesseract(geometry, send) {
  const scene = sceneOf(geometry);
  const canvas = h('canvas', { class: 'tess-picture', tabindex: '0', role: 'img', 'aria-label': `${t('tess.label')} ${t('tess.axes')}`, title: `${t('tess.keys')} ${t('tess.axes')}` });
  const slider = h('input', { type: 'range', min: '-180', max: '180', step: '1', name: 'turn-through-w', 'aria-label': t('tess.turn') });
  const degrees = h('output', { class: 'tab' });
  const home = h('button', { type: 'button', class: 'bare', 'data-action': 'tess-home', 'aria-label': t('tess.home'), title: t('tess.home'), click: reset }, icon('undo'));
  const cube = (/** @type {number} */ w) => h('span', { class: `tess-cube w${w}` }, t(`tess.cube.${w}`));
  const el = h('div', { class: 'tess-view' },
    h('p', { class: 'tess-cubes' }, cube(0), cube(1), h('span', { class: 'tess-axis' }, t('tess.z'))), canvas,
    h('div', { class: 'tess-turn' }, h('span', { 'aria-hidden': 'true' }, t('tess.turn')), slider, degrees, home));
  const paint = painter(/** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')));

  let angles = { ...HOME };
  let flipped = false;
  /** @type {ReturnType<typeof marksIn> | null} */
  let marks = null;
  /** Those of each square: a turn changes none of them. @type {Map<string, SquareMarks>} */
  let known = new Map();
  /** @param {string} square */
  const marksOf = (square) => /** @type {SquareMarks} */ (known.get(square));
  /** Whether something was made ahead, which a right click calls back. */
  let ahead = false;
  /** As painted last; what the pointer hits. @type {Floor[]} */
  let floors = [];
  let screen = { width: 0, height: 0, ratio: 1 };
  let frame = 0;
  let recolor = true;

  // Frames are asked for only when something has changed.
  function changed() {
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    if (!marks || !screen.width) return;
    if (recolor) paint.recolor(colorsOf(el));
    recolor = false;
    const { of, arrows } = marks;
    const { yaw, pitch, turn } = angles;
    floors = scene({ yaw: (yaw + (flipped ? 180 : 0)) * DEGREE, pitch: pitch * DEGREE, turn: turn * DEGREE }, screen.width, screen.height, MARGIN_PX);
    if (!known.size) known = new Map(geometry.squares.map((square) => [square, of(square)]));
    paint.paint(floors, marksOf, arrows, ({ board }) => t('tess.board', geometry.boards[board].label.args), screen);
  }

  /** @param {Partial<typeof HOME>} to */
  function turnTo(to) {
    const next = { ...angles, ...to };
    angles = { yaw: around(next.yaw), pitch: Math.max(-90, Math.min(90, next.pitch)), turn: next.turn === 180 ? 180 : around(next.turn) };
    const text = t('tess.degrees', { n: angles.turn });
    slider.value = String(angles.turn);
    setAttr(slider, 'aria-valuetext', text);
    setText(degrees, text);
    home.disabled = Object.entries(HOME).every(([axis, at]) => angles[/** @type {keyof typeof HOME} */ (axis)] === at);
    changed();
  }

  function reset() {
    turnTo(HOME);
  }

  /** @param {MouseEvent} event @param {number} slop */
  function squareAt(event, slop) {
    const { left, top } = canvas.getBoundingClientRect();
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
    const { clientWidth: width, clientHeight: height } = canvas;
    const ratio = devicePixelRatio;
    screen = { width, height, ratio };
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    // What is resized is empty; waiting for the next frame would flash.
    cancelAnimationFrame(frame);
    draw();
  });
  size.observe(canvas);
  const repaint = () => {
    recolor = true;
    changed();
  };
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', repaint);
  reset();

  let look = '';
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      marks = marksIn(geometry, state, game);
      known = new Map();
      ahead = game.premove !== null;
      flipped = (game.you === 'black') !== game.flipped;
      const { theme, boards, pieces } = state.prefs;
      if (look !== `${theme} ${boards} ${pieces}`) repaint();
      look = `${theme} ${boards} ${pieces}`;
      changed();
    },
    leave() {
      cancelAnimationFrame(frame);
      rest.end();
      size.disconnect();
      system.removeEventListener('change', repaint);
    },
  };
}
