// Puts the tesseract on a canvas.
/** @import {SquareMarks} from '../render/marks.js' */
/** @import {Look} from './look.js' */
/** @import {Edge, Floor, Tile} from './scene.js' */
/** @import {Spot} from './space.js' */

import { pieceBox } from './scene.js';
import { sprites } from './sprites.js';

/** That of --mono. */
const FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace';
/** How far from the corners of a square the cross on it begins, in its diagonals. */
const CROSS = 0.3;

/** Where something is already: its middle and half its width, its upper and lower end. @typedef {{x: number, half: number, top: number, bottom: number}} Box */
/** @param {OffscreenCanvasRenderingContext2D} c */
export function painter(c) {
  const pieces = sprites();
  /** @type {Record<string, string>} */
  let colors = {};
  /** Of the depth of all that is drawn. */
  let nearest = 0;
  let farthest = 1;

  /** How strong something is drawn: 1 for the nearest. @param {number} depth @param {number} weakest */
  const strength = (depth, weakest) => weakest + ((1 - weakest) * (farthest - depth)) / (farthest - nearest || 1);

  /** @param {Spot[]} corners */
  function outline(corners) {
    c.beginPath();
    for (const { x, y } of corners) c.lineTo(x, y);
    c.closePath();
  }

  /** A circle on the floor. @param {Spot} spot @param {number} radius in units */
  function disc({ x, y, size, flat }, radius) {
    c.beginPath();
    c.ellipse(x, y, radius * size, Math.max(radius * size * flat, 1), 0, 0, 2 * Math.PI);
  }

  /** @param {string} color @param {number} width @param {number[]} [dash] */
  function stroke(color, width, dash = []) {
    c.strokeStyle = color;
    c.lineWidth = width;
    c.setLineDash(dash);
    c.stroke();
  }

  /** @param {Edge} edge */
  function edgeLine({ from, to, axis, w }) {
    const near = strength((from.depth + to.depth) / 2, 0);
    c.globalAlpha = 0.35 + 0.65 * near;
    c.beginPath();
    c.moveTo(from.x, from.y);
    c.lineTo(to.x, to.y);
    if (axis === 'w') stroke(colors.muted, 0.8 + 0.7 * near, [4, 4]);
    else stroke(colors[w > 0 ? 'edge' : 'inner-edge'], 0.9 + 1.4 * near);
  }

  /** @param {Tile} tile @param {boolean} inner @param {SquareMarks} marks */
  function tileArea({ dark, spot, corners }, inner, marks) {
    const shade = dark ? 'dark' : 'light';
    const near = strength(spot.depth, 0.5);
    outline(corners);
    c.fillStyle = colors[marks.selected ? 'selected' : marks.last ? `last-${shade}` : `${inner ? 'inner' : 'square'}-${shade}`];
    c.globalAlpha = marks.selected || marks.last ? 0.96 : 0.9 * near;
    c.fill();
    c.globalAlpha = 1;
    if (marks.check) {
      disc(spot, 0.25);
      c.fillStyle = colors.check;
      c.fill();
    }
    const width = Math.max(1.2, spot.size / 60);
    if (marks.open && marks.pointed) {
      outline(corners);
      c.globalAlpha = 0.5;
      c.fillStyle = colors[marks.open === 'capture' ? 'capture' : 'legal'];
      c.fill();
      c.globalAlpha = 1;
    }
    outline(corners);
    if (marks.check) stroke(colors.check, 1.5 * width);
    else if (marks.selected || marks.last === 'to') stroke(colors.ink, width);
    if (marks.premove) stroke(colors.premove, 2 * width, [4, 3]);
    if (marks.attack) stroke(colors[`${marks.attack}-way`], 2 * width, marks.attack === 'attack' ? [] : [4, 3]);
    if (marks.inspected) stroke(colors.ink, 2.4 * width);
    if (marks.flight === 'own') stroke(colors.bad, width, [2, 4]);
    if (marks.flight === 'guarded') {
      c.beginPath();
      for (const [a, b] of [[0, 2], [1, 3]]) {
        const [from, to] = [corners[a], corners[b]];
        c.moveTo(from.x + (to.x - from.x) * CROSS, from.y + (to.y - from.y) * CROSS);
        c.lineTo(to.x + (from.x - to.x) * CROSS, to.y + (from.y - to.y) * CROSS);
      }
      stroke(colors['white-body'], 3.4 * width);
      stroke(colors.capture, 2 * width);
    }
    if (marks.why) stroke(colors.bad, 1.5 * width, [2, 2]);
    if (marks.pointed) stroke(colors.ink, 1.7 * width);
    if (marks.twin) stroke(colors.ink, 1.5 * width, [4, 3]);
    if (marks.open === 'move') {
      disc(spot, 0.11);
      c.fillStyle = colors.legal;
      c.fill();
      stroke(colors['white-body'], 1);
    }
    if (marks.open === 'capture') {
      disc(spot, 0.215);
      stroke(colors['white-body'], 4.5 * width);
      stroke(colors.capture, 3 * width);
    }
  }

  /** @param {Spot} spot @param {string} piece @param {boolean} pending @param {number} ratio */
  function pieceImage(spot, piece, pending, ratio) {
    // A soft shadow puts it on its square.
    c.globalAlpha = 0.3;
    disc(spot, 0.17);
    c.fillStyle = colors['white-line'];
    c.fill();
    c.globalAlpha = pending ? 0.72 : strength(spot.depth, 0.9);
    pieces.draw(c, piece, pieceBox(spot), ratio);
    c.globalAlpha = 1;
  }

  /** A rim of the ground's color keeps words readable over lines. @param {string} text @param {number} x @param {number} y @param {string} color */
  function write(text, x, y, color) {
    c.strokeStyle = colors.panel;
    c.lineWidth = 3;
    c.setLineDash([]);
    c.strokeText(text, x, y);
    c.fillStyle = color;
    c.fillText(text, x, y);
  }

  /** Files and ranks, and the name of the board beside its leftmost corner, or where there is nothing that it would cover. @param {Floor} floor @param {string} text @param {Box[]} taken */
  function name({ rim, w, names }, text, taken) {
    c.textBaseline = 'middle';
    c.textAlign = 'center';
    c.font = `600 10px ${FONT}`;
    for (const { text: letter, spot } of names) write(letter, spot.x, spot.y, colors.muted);
    c.font = `600 11px ${FONT}`;
    const wide = c.measureText(text).width;
    const left = rim.reduce((best, spot) => (spot.x < best.x ? spot : best));
    const right = rim.reduce((best, spot) => (spot.x > best.x ? spot : best));
    const low = rim.reduce((best, spot) => (spot.y > best.y ? spot : best));
    const places = [
      { x: Math.max(left.x - 6, wide + 3) - wide / 2, y: left.y }, { x: right.x + 6 + wide / 2, y: right.y },
      { x: low.x, y: low.y + 10 }, { x: Math.max(left.x - 6, wide + 3) - wide / 2, y: left.y + 12 },
    ];
    const free = places.find(({ x, y }) => !taken.some((box) => Math.abs(x - box.x) < box.half + wide / 2 && y > box.top - 6 && y < box.bottom + 6));
    const { x, y } = free ?? places[0];
    taken.push({ x, half: wide / 2, top: y - 6, bottom: y + 6 });
    write(text, x, y, colors[w > 0 ? 'muted' : 'inner-edge']);
  }

  /** The way of a move through space. @param {Spot} from @param {Spot} to @param {string} color @param {number} width @param {number[]} [dash] */
  function way(from, to, color, width, dash = []) {
    const [a, b] = [from, to].map((spot) => ({ x: spot.x, y: spot.y - 0.06 * spot.size }));
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    const long = Math.hypot(dx, dy);
    if (long < 1) return;
    const tip = Math.min(9, long / 3);
    const [ux, uy] = [(dx / long) * tip, (dy / long) * tip];
    c.lineCap = 'round';
    for (const [ink, wide] of /** @type {[string, number][]} */ ([[colors.panel, width + 2.5], [color, width]])) {
      c.beginPath();
      c.moveTo(a.x, a.y);
      c.lineTo(b.x, b.y);
      stroke(ink, wide, dash);
      c.beginPath();
      c.moveTo(b.x - ux - uy * 0.6, b.y - uy + ux * 0.6);
      c.lineTo(b.x, b.y);
      c.lineTo(b.x - ux + uy * 0.6, b.y - uy - ux * 0.6);
      stroke(ink, wide);
    }
    c.lineCap = 'butt';
  }

  return {
    /** @param {Look} look */
    wear(look) {
      colors = look.colors;
      pieces.renew(look);
    },
    /**
     * @param {Floor[]} floors
     * @param {(square: string) => SquareMarks} marksOf
     * @param {{from: string, to: string, kind: 'attack' | 'defense'}[]} arrows
     * @param {(floor: Floor) => string} nameOf
     * @param {{width: number, height: number, ratio: number}} screen
     */
    paint(floors, marksOf, arrows, nameOf, { width, height, ratio }) {
      const depths = floors.flatMap(({ rim }) => rim.map(({ depth }) => depth));
      nearest = Math.min(...depths);
      farthest = Math.max(...depths);
      c.setTransform(ratio, 0, 0, ratio, 0, 0);
      c.clearRect(0, 0, width, height);
      c.lineJoin = 'round';
      for (const floor of floors) {
        const inner = floor.w < 0;
        floor.before.forEach(edgeLine);
        const marked = floor.tiles.map((tile) => ({ tile, marks: marksOf(tile.square) }));
        for (const { tile, marks } of marked) tileArea(tile, inner, marks);
        outline(floor.rim);
        c.globalAlpha = 0.9;
        stroke(colors[inner ? 'inner-edge' : 'edge'], inner ? 1.6 : 1.3);
        c.globalAlpha = 1;
        for (const { tile, marks } of marked) if (marks.piece) pieceImage(tile.spot, marks.piece, marks.pending, ratio);
        floor.after.forEach(edgeLine);
      }
      const marked = floors.flatMap(({ tiles }) => tiles.map(({ square, spot }) => ({ square, spot, marks: marksOf(square) })));
      const find = (/** @type {(marks: SquareMarks) => unknown} */ is) => marked.find(({ marks }) => is(marks));
      const left = find((m) => m.last === 'from');
      const reached = find((m) => m.last === 'to');
      const picked = find((m) => m.selected);
      const aim = find((m) => m.pointed && m.open);
      c.globalAlpha = 0.85;
      for (const { from, to, kind } of arrows) {
        const [a, b] = [from, to].map((name) => marked.find(({ square }) => square === name));
        if (a && b) way(a.spot, b.spot, colors[`${kind}-way`], 2.2, kind === 'attack' ? [] : [5, 4]);
      }
      if (picked && aim) way(picked.spot, aim.spot, colors[aim.marks.open === 'capture' ? 'capture' : 'legal'], 2.5);
      else if (left && reached && !picked && !arrows.length) way(left.spot, reached.spot, colors['last-way'], 2);
      c.globalAlpha = 1;
      const taken = marked.filter(({ marks }) => marks.piece).map(({ spot }) => {
        const { left, top, edge } = pieceBox(spot);
        return { x: left + edge / 2, half: 0.4 * edge, top, bottom: top + edge };
      });
      for (const floor of floors) name(floor, nameOf(floor), taken);
    },
  };
}
