// The thread that paints the tesseract: a turn costs the page no more than telling it the angles, however slowly a machine
// without a graphics card fills thirty pieces and sixty-four squares.
/** @import {SquareMarks} from '../render/marks.js' */
/** @import {Look} from './look.js' */
/** @import {Solid} from './scene.js' */
/** @import {Angles} from './space.js' */

import { painter } from './paint.js';
import { MARGIN_PX, sceneOf } from './scene.js';

/**
 * All that a picture is made of. A message has what is another than before; the canvas comes with the first.
 * @typedef {object} Sight
 * @property {OffscreenCanvas} canvas
 * @property {Solid} solid
 * @property {string[]} names of the boards
 * @property {Look} look
 * @property {{width: number, height: number, ratio: number}} screen in pixels of the page, and the screen's pixels to one of them
 * @property {Angles} angles
 * @property {Map<string, SquareMarks>} marks
 * @property {{from: string, to: string, kind: 'attack' | 'defense'}[]} arrows
 */

/** @type {Partial<Sight>} */
let sight = {};
/** @type {ReturnType<typeof painter> | null} */
let brush = null;
/** @type {ReturnType<typeof sceneOf> | null} */
let scene = null;
let frame = 0;

function draw() {
  cancelAnimationFrame(frame);
  frame = 0;
  const { names, look, screen, angles, marks, arrows } = sight;
  if (!brush || !scene || !names || !look || !screen?.width || !angles || !marks || !arrows) return;
  brush.paint(scene(angles, screen.width, screen.height, MARGIN_PX), (square) => /** @type {SquareMarks} */ (marks.get(square)), arrows, ({ board }) => names[board], screen);
}

addEventListener('message', ({ data }) => {
  const told = /** @type {Partial<Sight>} */ (data);
  sight = { ...sight, ...told };
  const { canvas, screen } = sight;
  if (told.canvas) brush = painter(/** @type {OffscreenCanvasRenderingContext2D} */ (told.canvas.getContext('2d')));
  if (told.solid) scene = sceneOf(told.solid);
  if (told.look) brush?.wear(told.look);
  if (told.screen && screen && canvas) {
    canvas.width = Math.round(screen.width * screen.ratio);
    canvas.height = Math.round(screen.height * screen.ratio);
    // What is resized is empty; waiting for the next frame would flash.
    draw();
  } else {
    // However many messages come, there is a frame for the last of them.
    frame ||= requestAnimationFrame(draw);
  }
});
