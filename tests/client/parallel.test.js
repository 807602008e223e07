import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf } from '../../static/js/games/index.js';
import { PARALLEL } from '../../static/js/games/parallel.js';

const START = startOf('parallel-worlds');
const { boards, change, changes, displace, isDark, lan, layout, most, neighbor, pieces, placeOf, nameOf, read, rule, split, squares } = PARALLEL;

test('192 squares on three levels are named and read back', () => {
  assert.equal(new Set(squares).size, 192);
  for (const square of squares) assert.equal(nameOf(placeOf(square)), square);
  assert.equal(squares[8 * 1 + 4], 'e2@1');
  assert.equal(squares[64 * 2 + 63], 'h8@3');
  assert.ok(isDark('a1@1') && isDark('a1@2') && !isDark('h1@3'), 'shaded like a chess board on each level');
});

test('a FEN puts both armies on levels 1 and 3', () => {
  const start = pieces(START);
  assert.equal(start.size, 64);
  assert.deepEqual(['e1@1', 'e8@1', 'e1@3', 'e8@3', 'e1@2'].map((square) => start.get(square)), ['wK', 'bK', 'wK', 'bK', undefined]);
  assert.equal(pieces(START.split(' ')[0]), start, 'the placement alone is enough');
});

test('White’s very first turn has two moves, every other three', () => {
  const turn = (side, number) => most(START.replace(' w ', ` ${side} `).replace(/1$/, number));
  assert.deepEqual([turn('w', 1), turn('b', 1), turn('w', 2), turn('w', 11)], [2, 3, 3, 3]);
});

test('moves are taken apart, promotions too', () => {
  assert.deepEqual(split('a7@1a8@1q'), { from: 'a7@1', to: 'a8@1', more: 'q' });
  assert.deepEqual(split('e2@1e2@2'), { from: 'e2@1', to: 'e2@2', more: '' });
});

const TYPED = [
  ['e2@1e4@1', ['e2@1e4@1']],
  ['e2e4@1', ['e2@1e4@1']],
  ['e2@1-e4@1,Ng1@3-f3@3', ['e2@1e4@1', 'g1@3f3@3']],
  ['e2e4@1, Ng1f3@3', ['e2@1e4@1', 'g1@3f3@3']],
  ['e2e4@1 d2@3 d2@2; c2c3@3', ['e2@1e4@1', 'd2@3d2@2', 'c2@3c3@3']],
  ['Qd1@1xe8@1#', ['d1@1e8@1']],
  ['a7@1-a8@1=Q', ['a7@1a8@1q']],
  ['a7a8@3n', ['a7@3a8@3n']],
  ['e2@1', null],
  ['e2e4', null],
  ['e2e4@4', null],
  ['e2e4@1 nonsense', null],
  ['', null],
];
test('typed turns are read as they are written in records, and shorter', () => {
  for (const [text, moves] of TYPED) assert.deepEqual(read(text, 'white'), moves, text);
  assert.deepEqual(read('O-O@1', 'white'), ['e1@1g1@1']);
  assert.deepEqual(read('o-o-o@3', 'black'), ['e8@3c8@3']);
});

test('records say the level once where it stays the same', () => {
  assert.deepEqual(lan('e2@1-e4@1,Ng1@3-f3@3,d2@1-d2@2'), ['e2–e4@1', 'Ng1–f3@3', 'd2@1–d2@2']);
  assert.deepEqual(lan('Qd1@1xe8@1#'), ['Qd1×e8@1#']);
  assert.deepEqual(lan('O-O-O@3,a7@1-a8@1=Q'), ['O-O-O@3', 'a7–a8@1=Q']);
});

const WORDS = [
  ['P', 'e2@1', 'e4@1', 'change.chess'],
  ['K', 'e1@1', 'g1@1', 'change.castles'],
  ['K', 'e1@1', 'e2@1', 'change.chess'],
  ['K', 'e1@2', 'g1@2', 'change.crossing'],
  ['N', 'e1@2', 'e8@2', 'change.crossing'],
  ['R', 'a1@1', 'a1@2', 'change.level_up'],
  ['R', 'a1@3', 'a1@2', 'change.level_down'],
];
test('a move is told by file, rank and level, and by what is special about it', () => {
  for (const [role, from, to, key] of WORDS) assert.equal(change(role, from, to).key, key, `${role}${from}${to}`);
  assert.deepEqual(changes('e2@1', 'e4@1').map((c) => [c.axis, c.by]), [['file', 0], ['rank', 2], ['level', 0]]);
  assert.equal(rule('K', 'e1@1'), 'rule.world_king');
  assert.equal(rule('N', 'e1@2'), 'rule.crossing');
});

test('arrows follow the eye, levels keep their order for both sides', () => {
  assert.equal(neighbor('e2@1', 'up', false, false), 'e3@1');
  assert.equal(neighbor('e2@1', 'up', false, true), 'e1@1');
  assert.equal(neighbor('h1@1', 'right', false, false), 'h1@1');
  for (const flipped of [false, true]) {
    assert.equal(neighbor('e2@1', 'up', true, flipped), 'e2@2');
    assert.equal(neighbor('e2@2', 'right', true, flipped), 'e2@3');
    assert.equal(neighbor('e2@3', 'right', true, flipped), 'e2@3');
    assert.equal(neighbor('e2@2', 'down', true, flipped), 'e2@1');
    assert.deepEqual(layout(flipped), [{ board: 0 }, { board: 1 }, { board: 2 }]);
  }
  assert.deepEqual(boards.map((board) => board.id), ['1', '2', '3']);
});

test('a move is shown ahead with what the pawn becomes', () => {
  const before = pieces('8/P7/8/8/8/8/8/8|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8');
  const after = displace(before, 'a7@1a8@1n');
  assert.deepEqual([...after], [['a8@1', 'wN']]);
  assert.deepEqual([...before], [['a7@1', 'wP']], 'what was read before stays as it was');
});

test('a square’s twins lie straight above and below', () => {
  assert.deepEqual(PARALLEL.twins('e4@2'), ['e4@1', 'e4@3']);
});
