// Moving a piece by dragging it, with mouse, pen or finger. A press that never moves stays a click, or is a finger that rests.

import { setAttr } from './dom.js';

const SLOP_PX = 5;
const REST_MS = 450;
/** A finger is never quite still. */
const REST_SLOP_PX = 8;

/**
 * @param {HTMLElement} root
 * @param {{canLift: (square: string) => boolean, lift: (square: string) => void, over: (square: string | null) => void, drop: (square: string | null) => void}} on
 */
export function dragging(root, on) {
  /** @type {{square: string, button: HTMLElement, x: number, y: number, id: number, ghost: HTMLElement | null} | null} */
  let held = null;
  let swallow = false;

  /** @param {PointerEvent} event */
  const squareAt = (event) => {
    const el = document.elementFromPoint(event.clientX, event.clientY)?.closest('[data-square]');
    return el && root.contains(el) ? el.getAttribute('data-square') : null;
  };

  root.addEventListener('pointerdown', (event) => {
    swallow = false;
    const button = event.target instanceof Element ? event.target.closest('[data-square]') : null;
    if (!(button instanceof HTMLElement) || event.button !== 0 || !event.isPrimary) return;
    const square = button.dataset.square ?? '';
    if (!on.canLift(square)) return;
    held = { square, button, x: event.clientX, y: event.clientY, id: event.pointerId, ghost: null };
    addEventListener('pointermove', move);
    addEventListener('pointerup', up);
    addEventListener('pointercancel', end);
  });

  /** @param {PointerEvent} event */
  function move(event) {
    if (!held || event.pointerId !== held.id) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLOP_PX) return;
      on.lift(held.square);
      held.ghost = ghostOf(held.button);
      setAttr(held.button, 'data-lifted', true);
    }
    held.ghost.style.translate = `${event.clientX}px ${event.clientY}px`;
    on.over(squareAt(event));
  }

  /** @param {PointerEvent} event */
  function up(event) {
    if (!held || event.pointerId !== held.id) return;
    const { ghost, square } = held;
    const target = squareAt(event);
    end();
    if (!ghost) return;
    // The browser sends a click when it ends on the square where it began; that piece stays selected.
    swallow = true;
    setTimeout(() => { swallow = false; }, 0);
    on.drop(target === square ? null : target);
  }

  function end() {
    removeEventListener('pointermove', move);
    removeEventListener('pointerup', up);
    removeEventListener('pointercancel', end);
    held?.ghost?.remove();
    if (held) setAttr(held.button, 'data-lifted', false);
    held = null;
  }

  return { end, consumed: () => swallow };
}

/** @param {HTMLElement} button */
function ghostOf(button) {
  const ghost = document.createElement('div');
  ghost.className = 'ghost';
  const size = button.getBoundingClientRect().width;
  ghost.style.width = ghost.style.height = `${size}px`;
  const piece = button.querySelector('svg');
  if (piece) ghost.append(piece.cloneNode(true));
  document.body.append(ghost);
  return ghost;
}

/** A finger that rests on something: on a touch screen what a right click is to a mouse. @param {HTMLElement} root @param {(event: PointerEvent) => void} rested told where the finger came down */
export function resting(root, rested) {
  let timer = 0;
  let done = false;
  let at = { x: 0, y: 0 };
  const end = () => clearTimeout(timer);
  root.addEventListener('pointerdown', (event) => {
    done = false;
    end();
    if (event.pointerType === 'mouse' || !event.isPrimary) return;
    at = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => {
      done = true;
      rested(event);
    }, REST_MS);
  });
  root.addEventListener('pointermove', (event) => {
    if (Math.hypot(event.clientX - at.x, event.clientY - at.y) > REST_SLOP_PX) end();
  });
  for (const type of ['pointerup', 'pointercancel']) root.addEventListener(type, end);
  return {
    end,
    /** Whether the press that is ending was a rest, so that it is no click. */
    consumed: () => done,
  };
}
