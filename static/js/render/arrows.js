// Arrows over the boards, from whoever attacks or defends a square to it. Fetched when the first one is to be drawn.

import { svg } from './dom.js';

/** How far from the middle of a square an arrow begins and ends, in its edges. */
const BEGIN = 0.3;
const END = 0.34;
const HEAD = 0.17;

/** @typedef {{from: string, to: string, kind: 'attack' | 'defense'}} Arrow */

/** @param {HTMLElement} sheet @param {(square: string) => HTMLElement} buttonOf */
export function arrows(sheet, buttonOf) {
  const el = svg('svg', { class: 'arrows', 'aria-hidden': 'true' });
  /** @type {Arrow[]} */
  let drawn = [];

  function draw() {
    const frame = sheet.getBoundingClientRect();
    el.setAttribute('viewBox', `0 0 ${frame.width} ${frame.height}`);
    const middle = (/** @type {string} */ square) => {
      const { left, top, width, height } = buttonOf(square).getBoundingClientRect();
      return { x: left - frame.left + width / 2, y: top - frame.top + height / 2, size: width };
    };
    // A board that is small, where only one has room, has squares of another size.
    el.replaceChildren(...drawn.flatMap(({ from, to, kind }) => {
      const [a, b] = [middle(from), middle(to)];
      const long = Math.hypot(b.x - a.x, b.y - a.y);
      if (!long || !a.size || !b.size) return [];
      const [ux, uy] = [(b.x - a.x) / long, (b.y - a.y) / long];
      const size = Math.max(b.size, 20);
      const head = HEAD * size;
      const start = { x: a.x + ux * BEGIN * a.size, y: a.y + uy * BEGIN * a.size };
      const tip = { x: b.x - ux * END * b.size * 0.6, y: b.y - uy * END * b.size * 0.6 };
      const neck = { x: tip.x - ux * head, y: tip.y - uy * head };
      const line = `M${start.x} ${start.y}L${neck.x} ${neck.y}`;
      // An attack ends in a point, a defense in a round: nobody needs the colors.
      const end = kind === 'attack'
        ? svg('path', { class: 'arrow-end', d: `M${tip.x} ${tip.y}L${neck.x - uy * head * 0.62} ${neck.y + ux * head * 0.62}L${neck.x + uy * head * 0.62} ${neck.y - ux * head * 0.62}Z` })
        : svg('circle', { class: 'arrow-end', cx: tip.x - ux * head * 0.5, cy: tip.y - uy * head * 0.5, r: head * 0.5 });
      return [svg('g', { 'data-arrow': kind }, svg('path', { class: 'arrow-rim', d: line }), svg('path', { class: 'arrow-line', d: line }), end)];
    }));
  }
  const size = new ResizeObserver(() => {
    if (drawn.length) draw();
  });
  size.observe(sheet);

  return {
    el,
    /** @param {Arrow[]} list */
    draw(list) {
      drawn = list;
      draw();
    },
    leave: () => size.disconnect(),
  };
}
