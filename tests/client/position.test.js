import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

import { fullmoveOf, sideToMove } from '../../static/js/position.js';

test('a FEN says whose move it is and which, and one that was cut short says the first', () => {
  const cases = [['4/4/4/4 w 0 1', 'white', 1], ['4/4/4/4 b 3 17', 'black', 17], ['8/8|8/8|8/8 b KQkq|- - 0 205', 'black', 205], ['4/4/4/4 w', 'white', 1], ['', 'white', 1]];
  for (const [fen, side, number] of cases) assert.deepEqual([sideToMove(fen), fullmoveOf(fen)], [side, number], fen);
});

test('the fields of a FEN are read in one place', () => {
  const root = new URL('../../static/js/', import.meta.url);
  const reads = /split\(' '\)(?:\[1\]|\.at\(-1\))/;
  const found = readdirSync(root, { recursive: true }).filter((name) => name.endsWith('.js') && reads.test(readFileSync(new URL(name, root), 'utf8')));
  assert.deepEqual(found, ['position.js']);
});
