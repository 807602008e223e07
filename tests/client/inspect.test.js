import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { FOURFOLD } from '../../static/js/games/fourfold.js';
import { setWords } from '../../static/js/i18n.js';
import { aboutSquare } from '../../static/js/render/inspect.js';
import { marksIn } from '../../static/js/render/marks.js';
import { sentence } from '../../static/js/render/say.js';
import { emptyGame, initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';

setWords('en', JSON.parse(readFileSync(new URL('../../static/lang/en.json', import.meta.url), 'utf8')));

const FEN = '1k2/1Q2/4/4|4/4/4/4|4/4/2K1/4|4/4/4/4 b 1 30';
const SAID = [{ square: 'b4@00', piece: 'k', exposes_king: true }, { square: 'c2@01', piece: 'K', exposes_king: false }];

function looking(square = 'b3@00', more = {}) {
  const info = { variant: 'fourfold', start_fen: FEN.replace(' b ', ' w '), outcome: null };
  const moves = [{ move: 'a2@11b3@00', fen: FEN, check: 'b4@00' }];
  const game = { ...emptyGame('g'), status: 'ready', sync: 'ok', you: 'black', info, moves, ...more };
  return step({ ...initialState({}), game }, { type: 'game.inspect', square, id: 'look' });
}
const step = (state, message) => update(state, { now: 0, id: 'x', ...message });
const told = (state) => step(state, { type: 'game.attackers', about: 'look', said: SAID });
const where = (state, is) => FOURFOLD.squares.filter((square) => is(marksIn(FOURFOLD, state, state.game).of(square)));

test('a square that is looked at is asked about on the position that is shown', () => {
  assert.deepEqual(looking().game.inspect, { id: 'look', square: 'b3@00', fen: FEN, turn: '', said: null });
});

test('the answer marks who attacks and who defends, with an arrow each', () => {
  const state = told(looking());
  assert.deepEqual(where(state, (m) => m.inspected), ['b3@00']);
  assert.deepEqual(where(state, (m) => m.attack === 'attack'), ['b4@00']);
  assert.deepEqual(where(state, (m) => m.attack === 'defense'), ['c2@01']);
  assert.deepEqual(marksIn(FOURFOLD, state, state.game).arrows, [{ from: 'b4@00', to: 'b3@00', kind: 'attack' }, { from: 'c2@01', to: 'b3@00', kind: 'defense' }]);
});

test('it is told as a list and in one sentence', () => {
  const state = told(looking());
  const { head, body, moves } = aboutSquare(state, state.game);
  assert.equal(head, 'White queen, b3[0,0]');
  assert.equal(body, 'Attacked by 1 · Defended by 1');
  assert.deepEqual(moves.map(({ kind, words }) => [kind, words]), [['attack', 'Black king, b4[0,0], but its king would stand attacked'], ['defense', 'White king, c2[0,1]']]);
  // The king of White is one step away along X, Y and W.
  assert.deepEqual(moves[1].changes.map(({ axis }) => axis), ['x', 'y', 'w']);
  assert.equal(sentence(state.live.said.at(-1)), 'White queen, b3[0,0]. Attacked by 1: Black king, b4[0,0]. Defended by 1: White king, c2[0,1].');
});

test('an empty square has no side: its own reach it, and the others', () => {
  const state = told(looking('b3@10'));
  assert.equal(aboutSquare(state, state.game).body, 'White attacks it with 1 · Black attacks it with 1');
});

test('it ends with the second look, Escape, another press, and when the boards change', () => {
  const state = told(looking());
  for (const message of [
    { type: 'game.inspect', square: 'b3@00' }, { type: 'game.escape' }, { type: 'game.square', square: 'a1@00' }, { type: 'game.view', ply: 0 },
    { type: 'server', message: { t: 'event', game: 'g', seq: 1, kind: 'taken_back', by: 'white', offer: 0, ply: 0, legal: [], clock: null } },
  ]) {
    const before = message.type === 'server' ? { ...state, game: { ...state.game, seq: 0 } } : state;
    assert.equal(step(before, message).game.inspect, null, message.type);
  }
  assert.equal(step(state, { type: 'game.point', square: 'a1@00' }).game.inspect, state.game.inspect);
});

test('an answer to what is no more asked changes nothing, and a refusal is told', () => {
  const other = looking('a1@00');
  assert.equal(step(other, { type: 'game.attackers', about: 'before', said: SAID }), other);
  const refused = step(other, { type: 'game.attackers', about: 'look', problem: { code: 'too_many_requests', detail: '' } });
  assert.equal(refused.game.inspect, null);
  assert.equal(refused.notices[0].args.code, 'too_many_requests');
});

test('a move in the tray is part of what is asked', () => {
  assert.equal(looking('b3@00', { draft: { moves: ['b4@00b3@00'], answers: {} } }).game.inspect.turn, 'b4@00b3@00');
});

const FLIGHTS = {
  king: 'b4@00', checkers: [{ square: 'b3@00', piece: 'Q' }],
  flights: [{ square: 'a4@00', own: null, guards: [{ square: 'b3@00', piece: 'Q' }, { square: 'c2@01', piece: 'K' }] }, { square: 'c4@00', own: 'p', guards: [] }],
};
/** The game has just ended in mate, as `you` saw it. */
function mated(you) {
  const info = { id: 'g', variant: 'fourfold', start_fen: FEN, outcome: null, white: { name: 'a', kind: 'guest' }, black: { name: 'b', kind: 'guest' } };
  const game = { ...emptyGame('g'), status: 'ready', sync: 'ok', you, info, seq: 0, moves: [{ move: 'b2@00b3@00', lan: 'Qb2@00-b3@00', fen: FEN, check: 'b4@00', spent_ms: 0 }] };
  const ended = { t: 'event', game: 'g', seq: 1, kind: 'ended', outcome: 'white', termination: 'checkmate', ended_at: '', ratings: null, clock: null };
  return step({ ...initialState({}), session: { loaded: true, player: null, playing: [] }, game }, { type: 'server', message: ended, id: 'end' });
}
const answer = (state) => step(state, { type: 'game.mate-said', about: state.game.mate.id, said: FLIGHTS });

test('the mated player is told why at once, others when they ask, and with the ear then', () => {
  const lost = answer(mated('black'));
  assert.deepEqual([lost.game.mate.open, lost.live.said.at(-1).key], [true, 'result.white.checkmate']);
  for (const you of ['white', null]) assert.equal(mated(you).game.mate, null);
  const asked = answer(step(mated('white'), { type: 'game.mate', id: 'why' }));
  assert.deepEqual([asked.game.mate.open, sentence(asked.live.said.at(-1))], [true, '2 squares are beside the king on b4[0,0]. Each is guarded or taken.']);
  // Folded, and not opened again by a snapshot.
  for (const message of [{ type: 'game.mate' }, { type: 'game.escape' }]) {
    const folded = step(lost, message);
    assert.equal(folded.game.mate.open, false);
    const { moves, info } = folded.game;
    const snapshot = { t: 'snapshot', id: 'w', seq: 1, you: 'black', game: { ...info, moves }, legal: [], clock: null, draw_offer: null, rematch: {}, presence: {} };
    assert.equal(step(folded, { type: 'server', message: snapshot }).game.mate.open, false);
  }
});

test('what keeps the king from each square is seen on it, and who does as arrows', () => {
  const state = answer(mated('black'));
  assert.deepEqual([where(state, (m) => m.flight === 'guarded'), where(state, (m) => m.flight === 'own')], [['a4@00'], ['c4@00']]);
  const arrows = (at) => marksIn(FOURFOLD, at, at.game).arrows.map(({ from, to }) => `${from} ${to}`);
  assert.deepEqual(arrows(state), ['b3@00 b4@00']);
  const row = step(state, { type: 'game.mate-point', square: 'a4@00' });
  assert.deepEqual([arrows(row), where(row, (m) => m.inspected)], [['b3@00 a4@00', 'c2@01 a4@00'], ['a4@00']]);
  // Of another position nothing is said, and a square that is looked at has the boards for itself.
  for (const message of [{ type: 'game.view', ply: 0 }, { type: 'game.inspect', square: 'a1@00' }]) {
    assert.deepEqual(where(step(state, message), (m) => m.flight !== null), []);
  }
});
