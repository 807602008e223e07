import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { FOURFOLD } from '../../static/js/games/fourfold.js';
import { marksIn } from '../../static/js/render/marks.js';
import { emptyGame, initialState } from '../../static/js/state.js';

const FEN = '4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/p1pp/4/1pQ1|kbnr/pppp/4/4 w 0 2';
const LEGAL = ['c1@01b1@01', 'c1@01d1@01', 'a2@00a3@00'];
/** White is to move; each played move led to the same position, which is enough for what is marked. */
function marks(more) {
  const info = { variant: 'fourfold', start_fen: FEN, outcome: null };
  const moves = [{ move: 'd1@00c1@01', fen: FEN, check: null }, { move: 'b2@01b1@01', fen: FEN, check: 'a1@10' }];
  const game = { ...emptyGame('g'), status: 'ready', you: 'white', info, moves, legal: LEGAL, ...more };
  return marksIn(FOURFOLD, { ...initialState({}), game }, game);
}
/** The squares of which this holds. */
const where = ({ of }, is) => FOURFOLD.squares.filter((square) => is(of(square)));

test('a selected piece lights up where it may go, told apart by what stands there', () => {
  const shown = marks({ selected: 'c1@01' });
  assert.deepEqual(where(shown, (m) => m.selected), ['c1@01']);
  assert.deepEqual(where(shown, (m) => m.open === 'capture'), ['b1@01']);
  assert.deepEqual(where(shown, (m) => m.open === 'move'), ['d1@01']);
  assert.deepEqual(where(marks({}), (m) => m.open), []);
});

test('what has a legal move may be picked up', () => {
  assert.deepEqual(where(marks({}), (m) => m.movable), ['a2@00', 'c1@01']);
  assert.deepEqual(where(marks({ view: 0 }), (m) => m.movable), []);
});

test('the last move and the king in check are those of the position that is looked at', () => {
  const now = marks({});
  assert.deepEqual(where(now, (m) => m.last === 'from'), ['b2@01']);
  assert.deepEqual(where(now, (m) => m.last === 'to'), ['b1@01']);
  assert.deepEqual(where(now, (m) => m.check), ['a1@10']);
  const before = marks({ view: 1 });
  assert.deepEqual(where(before, (m) => m.last === 'to'), ['c1@01']);
  assert.deepEqual(where(before, (m) => m.check), []);
});

test('a square that is pointed at shows its twin', () => {
  const shown = marks({ pointed: 'c3@10' });
  assert.deepEqual(where(shown, (m) => m.pointed), ['c3@10']);
  assert.deepEqual(where(shown, (m) => m.twin), ['c3@11']);
});

test('a move made ahead and a square that is asked about are marked', () => {
  const shown = marks({ premove: { from: 'a2@00', to: 'a3@00', ply: 3 }, why: { id: 'x', from: 'c1@01', to: 'd4@10', said: null } });
  assert.deepEqual([shown.of('a2@00').premove, shown.of('a3@00').premove], ['from', 'to']);
  assert.deepEqual(where(shown, (m) => m.why), ['d4@10']);
});

test('a mark that colors a square leaves the dot or ring of another one there', async () => {
  const css = await readFile(new URL('../../static/css/board.css', import.meta.url), 'utf8');
  const rules = [...css.matchAll(/(\.square[^{}]*\[data-[^{}]*)\{([^}]*)\}/g)];
  assert.ok(rules.length > 10);
  for (const [, selector, body] of rules) {
    const shorthand = /(?:^|[;\s])background:([^;]*)/.exec(body)?.[1];
    assert.ok(!shorthand || shorthand.includes('gradient') || selector.includes('::'), `${selector.trim()} takes pictures away: background:${shorthand}`);
  }
});
