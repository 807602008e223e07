// Small tools of the renderers: make elements, change only what differs.

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * An element. In `props`, functions become listeners, `null` and `false` are left out, `true` is an empty attribute.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') el.addEventListener(name, /** @type {EventListener} */ (value));
    else setAttr(el, name, value);
  }
  for (const child of children) if (child) el.append(child);
  return el;
}

/** @param {Element} el @param {string} name @param {unknown} value */
export function setAttr(el, name, value) {
  if (value === null || value === undefined || value === false) {
    if (el.hasAttribute(name)) el.removeAttribute(name);
  } else {
    const text = value === true ? '' : String(value);
    if (el.getAttribute(name) !== text) el.setAttribute(name, text);
  }
}

/** @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {HTMLElement} el @param {boolean} shown */
export function show(el, shown) {
  if (el.hidden === shown) el.hidden = !shown;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, unknown>} props
 * @param {...Node | string} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function svg(tag, props, ...children) {
  const el = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(props)) setAttr(el, name, value);
  el.append(...children);
  return el;
}

/** A picture of the sprite. @param {string} id @param {string} className */
export function picture(id, className) {
  return svg('svg', { class: className, 'aria-hidden': 'true' }, svg('use', { href: `#${id}` }));
}

/** @param {string} name */
export const icon = (name) => picture(`i-${name}`, 'icon');

/** A piece as `wK`. @param {string} piece */
export const pieceImage = (piece) => picture(`p-${piece[1]}`, `piece ${piece[0] === 'w' ? 'white' : 'black'}`);

/**
 * Runs `work` only when `value` is another one than last time. For parts that are built anew as a whole.
 * @template T
 * @param {(value: T) => void} work
 */
export function whenChanged(work) {
  /** @type {T | symbol} */
  let last = Symbol('nothing yet');
  return (/** @type {T} */ value) => {
    if (value === last) return;
    last = value;
    work(value);
  };
}
