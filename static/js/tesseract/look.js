// What the tesseract's colors and pieces are now, read off the page: whoever paints it does so elsewhere, and knows no page.

const TOKENS = [
  'ink', 'muted', 'edge', 'panel', 'square-light', 'square-dark', 'inner-light', 'inner-dark', 'inner-edge', 'last-light', 'last-dark', 'last-way', 'selected',
  'legal', 'capture', 'attack-way', 'defense-way', 'premove', 'check', 'bad', 'white-body', 'white-line', 'far-body', 'far-line',
];

/** One part of a piece's picture: its class in the sprite, and a path or a circle. @typedef {{part: string, d: string, circle: [x: number, y: number, r: number] | null}} Shape */
/** Colors are those of tokens.css, pieces those of the sprite by role. @typedef {{colors: Record<string, string>, pieces: [role: string, shapes: Shape[]][]}} Look */

/** In whichever theme and set the page is now. @param {Element} el where it will be seen @returns {Look} */
export function lookOf(el) {
  const probe = document.createElement('i');
  el.append(probe);
  const style = getComputedStyle(probe);
  /** @type {Look['colors']} */
  const colors = {};
  for (const name of TOKENS) {
    probe.style.color = `var(--${name})`;
    colors[name] = style.color;
  }
  probe.remove();
  return { colors, pieces: [...'KQRBNP'].map((role) => [role, shapesOf(role)]) };
}

/** @param {string} role @returns {Shape[]} */
function shapesOf(role) {
  const set = document.documentElement.dataset.pieces === 'angular' ? 'angular' : 'round';
  return [...document.querySelectorAll(`#p-${role} > .${set} > *`)].map((el) => {
    const [x, y, r] = ['cx', 'cy', 'r'].map((name) => Number(el.getAttribute(name)));
    return { part: el.getAttribute('class') ?? '', d: el.getAttribute('d') ?? '', circle: r ? [x, y, r] : null };
  });
}
