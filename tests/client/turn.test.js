import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startOf } from '../../static/js/games/index.js';
import { initialState } from '../../static/js/state.js';
import { legalNow, shownPosition } from '../../static/js/turn.js';
import { update } from '../../static/js/update.js';
import { dueCommands } from '../../static/js/update/common.js';

const START = startOf('parallel-worlds');
const CLOCK = { white_ms: 180_000, black_ms: 180_000, running: null, first_move_ms: 20_000 };
const FIRST = 'e2@1e4@1';
const SECOND = 'g1@3f3@3';
const LATER = START.replace(/ 0 1$/, ' 4 3');
let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: `c-${++n}`, ...m }), state);
const server = (message) => ({ type: 'server', message });
const press = (...squares) => squares.map((square) => ({ type: 'game.square', square }));
const hello = server({ t: 'hello', player: { name: 'ada', kind: 'account' }, assets: 'x' });
const snapshot = ({ fen = START, legal = [FIRST, SECOND, 'a2@1a2@2'], you = 'white', moves = [] } = {}) => server({
  t: 'snapshot', id: '1', seq: 0, you, legal, clock: CLOCK, draw_offer: null, presence: { white: true, black: true, spectators: 0 },
  game: { id: 'g', variant: 'parallel-worlds', start_fen: fen, moves, outcome: null, termination: null, ratings: null, white: { name: 'ada' }, black: { name: 'bob' } },
});
const game = (more) => run(initialState({ theme: 'auto', variant: 'fourfold', rated: true }), hello,
  { type: 'navigated', route: { name: 'game', id: 'g' }, path: '/g/g' }, snapshot(more));
const asked = (state, t = 'legal') => state.outbox.filter(({ cmd }) => cmd.t === t).map(({ cmd }) => cmd);
const answer = (state, legal, placement = START.split(' ')[0]) => {
  const { id, ply, turn } = asked(state).at(-1);
  return run(state, server({ t: 'legal', id, game: 'g', ply, turn, placement, legal }));
};

test('a move goes into the tray, is shown, and the server is asked what may follow', () => {
  const state = run(game(), ...press('e2@1', 'e4@1'));
  assert.deepEqual(state.game.draft.moves, [FIRST]);
  assert.deepEqual(asked(state, 'move'), []);
  assert.equal(asked(state).length, 1);
  assert.equal(asked(state)[0].turn, FIRST);
  assert.equal(legalNow(state.game), null, 'what may follow is not guessed');
  const shown = shownPosition(state.game, state.outbox);
  assert.equal(shown.pieces.get('e4@1'), 'wP');
  assert.deepEqual([...shown.moved], ['e4@1']);
  assert.deepEqual([...shown.used], [0]);
});

test('what the server says is shown, and only that may follow', () => {
  const placement = '8/8/8/8/4P3/8/8/R3K3|8/8/8/8/8/8/8/8|8/8/8/8/8/8/8/8';
  let state = answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), [SECOND], placement);
  assert.equal(shownPosition(state.game, state.outbox).pieces.get('a1@1'), 'wR');
  assert.deepEqual(legalNow(state.game), [SECOND]);
  assert.equal(asked(state).length, 0);
  state = answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), [SECOND]);
  state = run(state, ...press('g1@3', 'f3@3'));
  assert.deepEqual(state.game.draft.moves, [FIRST, SECOND]);
});

test('a turn is ended by hand and sent as one command', () => {
  const state = run(answer(run(game(), ...press('e2@1', 'e4@1')), [SECOND]), { type: 'game.end-turn' });
  const [cmd] = asked(state, 'move');
  assert.deepEqual([cmd.move, cmd.ply], [FIRST, 0]);
  assert.equal(shownPosition(state.game, state.outbox).pending, true);
  assert.deepEqual(asked(run(state, { type: 'game.end-turn' }), 'move').length, 1, 'once');
});

test('it ends by itself when it is full, and when the server says that nothing may follow', () => {
  const full = run(answer(run(game(), ...press('e2@1', 'e4@1')), [SECOND]), ...press('g1@3', 'f3@3'));
  assert.equal(asked(full, 'move')[0].move, `${FIRST},${SECOND}`, 'two moves are White’s first turn');
  const later = run(answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), [SECOND]), ...press('g1@3', 'f3@3'));
  assert.deepEqual(asked(later, 'move'), [], 'later there are three');
  const captured = answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), []);
  assert.equal(asked(captured, 'move')[0].move, FIRST, 'as after the capture of a king');
});

test('nothing ends before there is a move', () => {
  assert.equal(run(game(), { type: 'game.end-turn' }).outbox.length, 0);
  assert.equal(run(game(), { type: 'game.undo' }).outbox.length, 0);
});

test('the last move is taken back, and what was known before it is known again', () => {
  let state = answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), [SECOND]);
  state = answer(run(state, ...press('g1@3', 'f3@3')), ['a2@1a2@2']);
  const back = run(state, { type: 'game.undo' });
  assert.deepEqual(back.game.draft.moves, [FIRST]);
  assert.deepEqual(legalNow(back.game), [SECOND]);
  assert.equal(asked(back).length, 0);
  const start = run(back, { type: 'game.undo' });
  assert.deepEqual(legalNow(start.game), start.game.legal);
  assert.equal(shownPosition(start.game, []).pieces.get('e2@1'), 'wP');
});

test('the answer to a move that was taken back ends nothing', () => {
  const made = run(game({ fen: LATER }), ...press('e2@1', 'e4@1'));
  const { id, ply, turn } = asked(made)[0];
  const back = run(made, { type: 'game.undo' });
  const state = run(back, server({ t: 'legal', id, game: 'g', ply, turn, placement: START.split(' ')[0], legal: [] }));
  assert.deepEqual(asked(state, 'move'), []);
  assert.deepEqual(state.game.draft.moves, []);
});

test('a question that the line lost is asked again once the game has caught up, and the tray is kept', () => {
  const made = run(game(), ...press('e2@1', 'e4@1'));
  const { id } = asked(made)[0];
  const back = run(made, { type: 'line.sent', ids: [id] }, { type: 'line.waiting', tries: 1 }, hello);
  assert.deepEqual(dueCommands(back), []);
  const caught = run(back, snapshot());
  assert.deepEqual(caught.game.draft.moves, [FIRST]);
  assert.equal(dueCommands(caught)[0].id, id);
});

test('the tray is emptied when the position has changed', () => {
  const made = run(game(), ...press('e2@1', 'e4@1'));
  const event = { t: 'event', game: 'g', seq: 1, kind: 'move', by: 'white', ply: 0, id: 'x', move: SECOND, lan: 'Ng1@3-f3@3', fen: START.replace(' w ', ' b '), check: null, spent_ms: 0, legal: [], clock: CLOCK };
  const state = run(made, server(event));
  assert.deepEqual(state.game.draft.moves, []);
  assert.equal(state.outbox.length, 0, 'nothing more is asked about a position that is gone');
});

test('a turn kept over a reload is taken up again, but not in another position', () => {
  const kept = { type: 'game.restore', fen: START, moves: [FIRST] };
  const state = run(game(), kept);
  assert.deepEqual(state.game.draft.moves, [FIRST]);
  assert.equal(asked(state)[0].turn, FIRST);
  assert.deepEqual(run(game({ fen: LATER }), kept).game.draft.moves, []);
  assert.deepEqual(run(game({ you: null }), kept).game.draft.moves, []);
});

test('moves that the server does not take leave the tray', () => {
  const made = run(game(), { type: 'game.typed', text: 'e2e4@1, a1a5@1' });
  assert.equal(asked(made, 'move')[0].move, 'e2@1e4@1,a1@1a5@1');
  const state = run(made, server({ t: 'refused', id: asked(made, 'move')[0].id, game: 'g', code: 'illegal_move', detail: 'No.' }));
  assert.deepEqual(state.game.draft.moves, []);
  assert.equal(state.notices.at(-1).args.code, 'illegal_move');
  const three = run(answer(run(game({ fen: LATER }), ...press('e2@1', 'e4@1')), [SECOND]), ...press('g1@3', 'f3@3'));
  const refused = run(three, server({ t: 'refused', id: asked(three)[0].id, game: 'g', code: 'illegal_move', detail: 'No.' }));
  assert.deepEqual(refused.game.draft.moves, [FIRST], 'what was found legal stays');
});

test('typed turns: Return in the empty field ends the turn, too many moves are refused', () => {
  const typed = (state, text) => run(state, { type: 'game.typed', text });
  const state = answer(typed(game({ fen: LATER }), 'e2e4@1'), [SECOND]);
  assert.equal(asked(typed(state, ''), 'move')[0].move, FIRST);
  assert.equal(typed(game(), 'e2e4@1, Ng1f3@3, a2a3@2').game.typedError, 'typed.too_many');
  assert.equal(typed(game(), 'e2e5@1').game.typedError, 'typed.not_legal');
  assert.equal(typed(game(), 'e2').game.typedError, 'typed.unreadable.parallel');
});

test('a promotion is asked for, chosen, or let go', () => {
  const legal = ['q', 'r', 'b', 'n'].map((letter) => `a7@1a8@1${letter}`);
  const fen = LATER.replace('pppppppp', 'Ppppppp1').replace('rnbqkbnr', '1nbqkbnr');
  const open = run(game({ fen, legal }), ...press('a7@1', 'a8@1'));
  assert.deepEqual(open.game.choosing, { to: 'a8@1', moves: legal });
  assert.deepEqual(open.game.draft.moves, []);
  assert.deepEqual(run(open, { type: 'game.choose', move: legal[3] }).game.draft.moves, [legal[3]]);
  assert.equal(run(open, { type: 'game.choose', move: 'a7@1b8@1q' }).game.draft.moves.length, 0);
  assert.equal(run(open, { type: 'game.escape' }).game.choosing, null);
});

test('a square that is not offered: the reason is asked for, and the piece stays selected', () => {
  const state = run(game(), ...press('g1@3', 'e4@3'));
  const [cmd] = asked(state, 'explain');
  assert.deepEqual([cmd.from, cmd.to, cmd.turn, cmd.ply], ['g1@3', 'e4@3', '', 0]);
  assert.equal(state.game.selected, 'g1@3');
  const said = { t: 'explained', id: cmd.id, game: 'g', ply: 0, turn: '', from: 'g1@3', to: 'e4@3', legal: false, reason: 'cannot_move', args: { role: 'N' }, detail: 'No.' };
  assert.equal(run(state, server(said)).game.why.said.detail, 'No.');
  const other = run(state, ...press('h5@3'));
  assert.equal(run(other, server(said)).game.why.said, null, 'the reason of another square is not shown');
  const moved = run(state, ...press('f3@3'));
  assert.equal(run(moved, server(said)).game.why, null, 'an answer that comes too late is not shown');
  assert.equal(run(state, server({ t: 'refused', id: cmd.id, game: 'g', code: 'stale_ply', detail: '' })).notices.length, 0);
});

test('on a phone a touched board becomes the large one, with what was touched picked up', () => {
  const state = run(game(), { type: 'game.focus', board: 2, square: 'g1@3' });
  assert.deepEqual([state.game.focus, state.game.selected], [2, 'g1@3']);
  const looked = run(state, { type: 'game.focus', board: 1, square: 'e4@2' });
  assert.deepEqual([looked.game.focus, looked.game.selected], [1, 'g1@3'], 'looking lets go of nothing');
});
