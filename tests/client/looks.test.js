import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOOKS, lookOf } from '../../static/js/keep.js';

const read = (path) => readFileSync(new URL(`../../static/${path}`, import.meta.url), 'utf8');

test('what was chosen holds where there is such a look, else the first one', () => {
  assert.equal(lookOf('boards', 'wood'), 'wood');
  for (const unknown of ['', 'glass', null, 7]) assert.equal(lookOf('boards', unknown), 'stone');
});

test('each look but the first has a rule of its own', () => {
  const css = read('css/tokens.css') + read('css/base.css');
  for (const [what, [, ...others]] of Object.entries(LOOKS)) {
    for (const look of others) assert.ok(css.includes(`:root[data-${what}="${look}"]`), `${what} ${look}`);
  }
});

test('each piece is there in each set, of what a canvas can draw', () => {
  const sprite = read('img/pieces.svg');
  for (const role of 'KQRBNP') {
    const [, picture] = new RegExp(`<symbol id="p-${role}"[^>]*>(.*?)</symbol>`, 's').exec(sprite);
    for (const set of LOOKS.pieces) {
      const [, parts] = new RegExp(`<g class="${set}">(.*?)</g>`, 's').exec(picture);
      assert.match(parts, /<path class="pf"/, `${set} ${role}`);
      assert.equal(parts.replace(/<(path|circle) class="p[fde]"[^>]*\/>/g, '').trim(), '', `${set} ${role}`);
    }
  }
});
