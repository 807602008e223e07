// A finger that rests on something: on a touch screen what a right click is to a mouse.

const REST_MS = 450;
/** A finger is never quite still. */
const SLOP_PX = 8;

/** @param {HTMLElement} root @param {(event: PointerEvent) => void} rested told where the finger came down */
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
    if (Math.hypot(event.clientX - at.x, event.clientY - at.y) > SLOP_PX) end();
  });
  for (const type of ['pointerup', 'pointercancel']) root.addEventListener(type, end);
  return {
    end,
    /** Whether the press that is ending was a rest, so that it is no click. */
    consumed: () => done,
  };
}
