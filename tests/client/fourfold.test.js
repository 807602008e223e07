import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOURFOLD } from '../../static/js/games/fourfold.js';

const { change, changes, isDark, lan, layout, nameOf, neighbor, pieces, placeOf, read, shown, split, squares } = FOURFOLD;

test('every square is named and read back', () => {
  assert.equal(new Set(squares).size, 64);
  for (const square of squares) assert.equal(nameOf(placeOf(square)), square);
  assert.equal(squares[1 + 4 * 2 + 16 + 32], 'b3@11');
  assert.equal(shown('a1@01'), 'a1[0,1]');
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
  for (const [text, move] of TYPED) assert.equal(read(text)?.[0] ?? null, move, text);
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
  for (const [role, from, to, key] of WORDS) assert.equal(change(role, from, to).key, key, `${role}${from}${to}`);
  assert.deepEqual(change('N', 'b1@00', 'b3@01').args, { two: 'Y', one: 'W' });
  assert.deepEqual(changes('d4@01', 'c3@11').map((c) => c.by), [1, 1, 1, 0]);
});

test('arrows follow the eye, on a turned sheet too, and stay on the board', () => {
  assert.equal(neighbor('a1@00', 'up', false, false), 'a2@00');
  assert.equal(neighbor('a1@00', 'left', false, false), 'a1@00');
  assert.equal(neighbor('a1@00', 'left', false, true), 'b1@00');
  assert.equal(neighbor('a1@00', 'up', true, false), 'a1@01');
  assert.equal(neighbor('c2@01', 'right', true, false), 'c2@11');
  assert.equal(neighbor('a1@11', 'up', true, true), 'a1@10');
});

test('a FEN puts every piece where it stands', () => {
  const start = pieces('4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1');
  assert.equal(start.size, 32);
  const stands = { 'd1@00': 'wQ', 'a1@10': 'wK', 'a4@11': 'bK', 'd3@01': 'bP' };
  for (const [square, piece] of Object.entries(stands)) assert.equal(start.get(square), piece);
  assert.deepEqual(split('a1@00b2@11'), { from: 'a1@00', to: 'b2@11', more: '' });
});

test('neighbors along every axis differ in shade, and the turned sheet is the sheet turned', () => {
  assert.notEqual(isDark('a1@00'), isDark('a1@10'));
  assert.notEqual(isDark('a1@00'), isDark('a1@01'));
  const boards = (flipped) => layout(flipped).flatMap((cell) => ('board' in cell ? [cell.board] : []));
  assert.deepEqual(boards(true), boards(false).reverse());
});

test('records are shown with brackets', () => {
  assert.deepEqual(lan('Ra1@00-a1@01'), ['Ra1[0,0]–a1[0,1]']);
  assert.deepEqual(lan('d2@11xc1@11=Q+'), ['d2[1,1]×c1[1,1]=Q+']);
});

test('a square’s twin lies in the other cube', () => {
  assert.deepEqual(FOURFOLD.twins('a1@10'), ['a1@11']);
  assert.deepEqual(FOURFOLD.twins('c3@01'), ['c3@00']);
});
