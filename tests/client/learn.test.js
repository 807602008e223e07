import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FOURFOLD } from '../../static/js/games/fourfold.js';
import { geometryOf, startOf } from '../../static/js/games/index.js';
import { DRILLS, ENDS, THREATS, TRY, WORLDS } from '../../static/js/learn/positions.js';
import { LESSONS, nextLesson, nextPuzzle, readProgress, withLesson, withPuzzle } from '../../static/js/learn/progress.js';
import { answerOf, eventsOf, passOn, putOn, tableState } from '../../static/js/learn/table.js';
import { marksIn } from '../../static/js/render/marks.js';
import { routeOf } from '../../static/js/router.js';
import { update } from '../../static/js/update.js';

const PREFS = { theme: 'auto', sound: false };
const START = startOf('fourfold-classic');
let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: `s-${++n}`, ...m }), state);
const hear = (state, ...messages) => run(state, ...messages.map((message) => ({ type: 'server', message })));
const press = (...squares) => squares.map((square) => ({ type: 'game.square', square }));
const table = (setup, variant = 'fourfold-classic') => putOn(tableState(PREFS), variant, setup, 'table-1');
const asked = (state, t) => state.outbox.filter(({ cmd }) => cmd.t === t).map(({ cmd }) => cmd);
const where = ({ of }, is) => FOURFOLD.squares.filter((square) => is(of(square)));

test('what is put on the table is shown as a game is, and only what the server listed can be moved', () => {
  const state = table({ fen: START, legal: ['a1@00a1@01', 'a1@00a1@10', 'd2@00d3@00'], selected: 'a1@00' });
  const marks = marksIn(FOURFOLD, state, state.game);
  assert.deepEqual(where(marks, (m) => m.open === 'move'), ['a1@10', 'a1@01']);
  assert.deepEqual(where(marks, (m) => m.movable), ['a1@00', 'd2@00']);
  const still = table({ fen: START });
  assert.deepEqual(where(marksIn(FOURFOLD, still, still.game), (m) => m.movable), []);
});

test('a move that is talked about and a square in danger are marked', () => {
  const state = table({ fen: START, check: 'b2@00', mark: { from: 'a4@11', to: 'b3@01' }, you: 'white' });
  const marks = marksIn(FOURFOLD, state, state.game);
  assert.deepEqual(where(marks, (m) => m.check), ['b2@00']);
  assert.deepEqual([marks.of('a4@11').premove, marks.of('b3@01').premove], ['from', 'to']);
  assert.deepEqual(where(marks, (m) => m.last), []);
});

test('a turn is asked about, and what the server says of it is played', () => {
  const state = run(table({ fen: START, legal: ['a1@00a1@01'] }), ...press('a1@00', 'a1@01'));
  const [move] = asked(state, 'move');
  assert.equal(move.move, 'a1@00a1@01');
  const played = { turn: move.move, lan: 'Ra1@00-a1@01', fen: START.replace(' w ', ' b '), check: null, legal: ['a3@11a2@11'], end: null };
  const after = hear(state, ...eventsOf(state.game, played, move.id));
  assert.deepEqual(after.outbox, []);
  assert.equal(after.game.moves.length, 1);
  assert.deepEqual(after.game.legal, played.legal);
  // The reply is told in the same way, and one person may move both colors.
  const reply = { ...played, turn: 'a3@11a2@11', lan: 'a3@11-a2@11', fen: START, end: { outcome: 'draw', termination: 'stalemate' } };
  const over = hear(after, ...eventsOf(after.game, reply, ''));
  assert.deepEqual([over.game.moves.length, over.game.info.outcome, over.game.info.termination], [2, 'draw', 'stalemate']);
  const other = passOn(after);
  assert.equal(other.game.you, 'black');
  assert.equal((other.game.you === 'black') !== other.game.flipped, false, 'the sheet stays as it lies');
});

test('why a square is not offered is asked and told', () => {
  const state = run(table({ fen: START, legal: ['a1@00a1@01'] }), ...press('a1@00', 'b1@01'));
  const [cmd] = asked(state, 'explain');
  assert.deepEqual([cmd.from, cmd.to], ['a1@00', 'b1@01']);
  const explained = { legal: false, reason: 'rook_shape', args: { changes: 'X+1 W+1' }, detail: '…' };
  const told = hear(state, answerOf(cmd, { explained }));
  assert.deepEqual(told.game.why.said, { reason: 'rook_shape', args: explained.args, detail: '…' });
});

test('an answer about what was on the table before changes nothing', () => {
  const fen = WORLDS[0].fen;
  const state = run(table({ fen, legal: ['e2@1e4@1'] }, 'parallel-worlds'), ...press('e2@1', 'e4@1'));
  const [cmd] = asked(state, 'legal');
  const next = putOn(state, 'parallel-worlds', { fen, legal: ['a2@1a3@1'] }, 'table-2');
  assert.deepEqual(hear(next, answerOf(cmd, { placement: 'x', legal: ['g1@3f3@3'] })).game, next.game);
  const known = hear(state, answerOf(cmd, { placement: fen.split(' ')[0], legal: ['g1@3f3@3'] }));
  assert.deepEqual(known.game.draft.answers['e2@1e4@1'].legal, ['g1@3f3@3']);
});

test('the positions of the lessons hold what is said of them', () => {
  const { pieces, isSquare } = FOURFOLD;
  for (const { fen, from, to } of DRILLS) assert.ok(pieces(fen).get(from)?.[0] === 'w' && isSquare(to), fen);
  for (const { fen, target } of THREATS) assert.equal(pieces(fen).get(target)?.[0], 'w', fen);
  for (const { fen, move } of ENDS) assert.equal(pieces(fen).get(move.slice(0, 5))?.[0], 'w', fen);
  assert.equal(pieces(startOf(TRY.variant)).get(TRY.move.slice(0, 5)), 'wR');
  for (const { fen, selected } of WORLDS) assert.ok(!selected || geometryOf('parallel-worlds').pieces(fen).has(selected), fen);
});

test('each lesson and each kind of end has its words', () => {
  const words = JSON.parse(readFileSync(new URL('../../static/lang/learn/en.json', import.meta.url), 'utf8'));
  for (const id of LESSONS) for (const part of ['title', 'short', 'about', 'text']) assert.ok(words[`learn.${id}.${part}`], `${id}.${part}`);
  for (const { name } of ENDS) assert.ok(words[`learn.ends.${name}`], name);
  for (const { name } of WORLDS) for (const part of ['title', 'text', 'task', 'done', 'not_yet']) assert.ok(words[`learn.worlds.${name}.${part}`], `${name}.${part}`);
});

test('progress that was kept is read as far as it is any good', () => {
  assert.deepEqual(readProgress(null), { lessons: [], puzzles: {} });
  assert.deepEqual(readProgress({ lessons: 'x', puzzles: 7 }), { lessons: [], puzzles: {} });
  assert.deepEqual(readProgress({ lessons: ['try', 'gone', 'reach'], puzzles: { a: 'solved', b: 'no' } }), { lessons: ['reach', 'try'], puzzles: { a: 'solved' } });
});

test('the next lesson is the first that is not done, the next puzzle the next that is not solved', () => {
  const empty = readProgress(null);
  assert.equal(nextLesson(empty), 'coordinates');
  assert.equal(nextLesson(withLesson(empty, 'coordinates')), 'reach');
  assert.equal(nextLesson(LESSONS.reduce(withLesson, empty)), null);
  const puzzles = ['a', 'b', 'c'].map((id) => ({ id }));
  const solved = withPuzzle(empty, 'b', 'solved');
  assert.equal(nextPuzzle(puzzles, solved, null), 'a');
  assert.equal(nextPuzzle(puzzles, solved, 'a'), 'c');
  assert.equal(nextPuzzle(puzzles, solved, 'c'), 'a');
  assert.equal(nextPuzzle(puzzles, withPuzzle(withPuzzle(solved, 'a', 'helped'), 'c', 'helped'), 'a'), 'b', 'all are known: any other one');
  assert.equal(nextPuzzle([], solved, null), null);
  assert.equal(withPuzzle(solved, 'b', 'helped').puzzles.b, 'solved', 'what was solved stays so');
});

test('lessons and puzzles have addresses', () => {
  assert.deepEqual(routeOf('/learn'), { name: 'learn' });
  assert.deepEqual(routeOf('/learn/reach'), { name: 'learn', id: 'reach' });
  assert.deepEqual(routeOf('/puzzles/m1-01/'), { name: 'puzzles', id: 'm1-01' });
  assert.deepEqual(routeOf('/learn/a/b'), { name: 'not-found' });
});
