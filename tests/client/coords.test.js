import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axisChanges, changeWords, coordsOf, nameOf, neighbor, readMove, shownSquare, SQUARES } from '../../static/js/coords.js';

test('every square is named and read back', () => {
  assert.equal(new Set(SQUARES).size, 64);
  for (const square of SQUARES) assert.equal(nameOf(coordsOf(square)), square);
  assert.equal(SQUARES[1 + 4 * 2 + 16 + 32], 'b3@11');
  assert.equal(shownSquare('a1@01'), 'a1[0,1]');
});

const TYPED = [
  ['a1@00a1@01', 'a1@00a1@01'],
  ['a100a101', 'a1@00a1@01'],
  ['Ra1@00-a1@01+', 'a1@00a1@01'],
  ['Bb1@00xc2[0,1]', 'b1@00c2@01'],
  ['a1 [0,0] a1 [0,1]', 'a1@00a1@01'],
  ['A1@00 A1@01', 'a1@00a1@01'],
  ['d2@11xc1@11=Q+', 'd2@11c1@11'],
  ['a1', null],
  ['e1@00 a1@01', null],
  ['a1@02 a1@01', null],
  ['', null],
];
test('typed moves are read in every form that people use', () => {
  for (const [text, move] of TYPED) assert.equal(readMove(text)?.move ?? null, move, text);
});

const WORDS = [
  ['R', 'a1@00', 'a1@01', 'change.1.1'],
  ['R', 'a1@00', 'a4@00', 'change.1.3'],
  ['B', 'a1@00', 'c3@00', 'change.2.2'],
  ['B', 'a1@00', 'b1@01', 'change.2.1'],
  ['Q', 'a1@00', 'b2@11', 'change.4.1'],
  ['K', 'a1@00', 'b1@11', 'change.3.1'],
  ['N', 'b1@00', 'b3@01', 'change.knight'],
  ['P', 'a2@00', 'a3@00', 'change.pawn'],
  ['P', 'a2@00', 'a3@01', 'change.pawn_takes'],
];
test('a move is told by the coordinates that it changes', () => {
  for (const [role, from, to, key] of WORDS) assert.equal(changeWords(role, from, to).key, key, `${role}${from}${to}`);
  assert.deepEqual(changeWords('N', 'b1@00', 'b3@01').args, { two: 'Y', one: 'W' });
  assert.deepEqual(axisChanges('d4@01', 'c3@11').map((c) => c.by), [1, 1, 1, 0]);
});

test('arrows follow the eye, on a turned sheet too, and stay on the board', () => {
  assert.equal(neighbor('a1@00', 'up', false, false), 'a2@00');
  assert.equal(neighbor('a1@00', 'left', false, false), 'a1@00');
  assert.equal(neighbor('a1@00', 'left', false, true), 'b1@00');
  assert.equal(neighbor('a1@00', 'up', true, false), 'a1@01');
  assert.equal(neighbor('c2@01', 'right', true, false), 'c2@11');
  assert.equal(neighbor('a1@11', 'up', true, true), 'a1@10');
});
