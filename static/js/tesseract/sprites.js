// Pieces as small pictures: their paths are filled once for each size, and copied from then on. A turn of the tesseract draws
// thirty of them in every frame.
/** @import {Look, Shape} from './look.js' */

/** The sprite's pictures are drawn on so many units, */
const PICTURE = 48;
/** and their lines may reach so many beyond. */
const RIM = 2;
/** In how many pixels sizes differ: what lies between is made smaller. */
const STEP_PX = 8;
/** More than all sizes of all pieces on one screen; beyond it a window has been resized. */
const MOST = 160;

/** @typedef {{path: Path2D, part: string}[]} Picture */

/** @param {Shape[]} shapes @returns {Picture} */
const pictureOf = (shapes) => shapes.map(({ part, d, circle }) => {
  const path = new Path2D(d);
  if (circle) path.arc(...circle, 0, 2 * Math.PI);
  return { path, part };
});

export function sprites() {
  /** @type {Map<string, Picture>} */
  let pictures = new Map();
  /** @type {Record<string, string>} */
  let colors = {};
  /** @type {Map<string, ImageBitmap>} */
  const made = new Map();

  /** @param {string} piece as `wK` @param {number} pixels of its edge */
  function make(piece, pixels) {
    const edge = Math.ceil((pixels * (PICTURE + 2 * RIM)) / PICTURE);
    const canvas = new OffscreenCanvas(edge, edge);
    const c = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
    const color = piece[0] === 'w' ? 'white' : 'far';
    c.scale(pixels / PICTURE, pixels / PICTURE);
    c.translate(RIM, RIM);
    c.lineJoin = 'round';
    c.lineCap = 'round';
    c.fillStyle = colors[`${color}-body`];
    c.strokeStyle = colors[`${color}-line`];
    for (const { path, part } of pictures.get(piece[1]) ?? []) {
      if (part === 'pf') {
        c.lineWidth = 2.2;
        c.fill(path);
      } else if (part === 'pd') {
        c.lineWidth = 1.8;
      } else {
        c.fillStyle = c.strokeStyle;
        c.fill(path);
        continue;
      }
      c.stroke(path);
    }
    // A picture that cannot change any more is not looked at anew for each copy.
    return canvas.transferToImageBitmap();
  }

  return {
    /** Other colors, or another set. @param {Look} look */
    renew(look) {
      colors = look.colors;
      pictures = new Map(look.pieces.map(([role, shapes]) => [role, pictureOf(shapes)]));
      made.clear();
    },
    /**
     * @param {OffscreenCanvasRenderingContext2D} c @param {string} piece as `wK` @param {{left: number, top: number, edge: number}} box where it goes
     * @param {number} ratio pixels of the screen to one of the page
     */
    draw(c, piece, { left, top, edge }, ratio) {
      const pixels = Math.ceil((edge * ratio) / STEP_PX) * STEP_PX;
      const key = `${piece}${pixels}`;
      let sprite = made.get(key);
      if (!sprite) {
        if (made.size >= MOST) made.clear();
        sprite = make(piece, pixels);
        made.set(key, sprite);
      }
      const rim = (edge * RIM) / PICTURE;
      // Its pixels were rounded up.
      const whole = (sprite.width / pixels) * edge;
      c.drawImage(sprite, left - rim, top - rim, whole, whole);
    },
  };
}
