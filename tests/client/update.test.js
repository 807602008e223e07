import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pendingMove } from '../../static/js/position.js';
import { emptyGame, initialState } from '../../static/js/state.js';
import { shownPosition } from '../../static/js/turn.js';
import { update } from '../../static/js/update.js';
import { dueCommands } from '../../static/js/update/common.js';

const START = '4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1';
const AFTER = '4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q b 1 1';
const MOVE = 'd1@00d1@11';
const CLOCK = { white_ms: 180_000, black_ms: 180_000, running: null, first_move_ms: 20_000 };
let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: `c-${++n}`, ...m }), state);
const server = (message) => ({ type: 'server', message });
const hello = server({ t: 'hello', player: { name: 'ada', kind: 'account' }, assets: 'x' });
const snapshot = (more = {}) => server({
  t: 'snapshot', id: '1', seq: 0, you: 'white', legal: [MOVE, 'a2@00a3@00'], clock: CLOCK, draw_offer: null,
  presence: { white: true, black: true, spectators: 0 },
  game: { id: 'g', variant: 'fourfold', start_fen: START, moves: [], outcome: null, termination: null, ratings: null, white: { name: 'ada' }, black: { name: 'bob' } },
  ...more,
});
const moved = (seq, more = {}) => server({
  t: 'event', game: 'g', seq, kind: 'move', by: 'white', ply: 0, id: 'x', move: MOVE, lan: 'Qd1@00-d1@11', fen: AFTER, check: null, spent_ms: 0, compensated_ms: 0, legal: ['b3@01b2@01'], clock: CLOCK, ...more,
});
const game = () => run(initialState({ theme: 'auto', variant: 'fourfold', rated: true }), hello,
  { type: 'navigated', route: { name: 'game', id: 'g' }, path: '/g/g' }, snapshot());
const played = () => run(game(), { type: 'game.square', square: 'd1@00' }, { type: 'game.square', square: 'd1@11' });

test('two presses make a move, shown at once', () => {
  const state = played();
  assert.equal(state.outbox.length, 1);
  assert.equal(state.outbox[0].cmd.ply, 0);
  assert.equal(pendingMove(state.game, state.outbox), MOVE);
  assert.equal(shownPosition(state.game, state.outbox).pieces.get('d1@11'), 'wQ');
});

test('a refused move is taken back and said why', () => {
  const before = played();
  const state = run(before, server({ t: 'refused', id: before.outbox[0].cmd.id, game: 'g', code: 'illegal_move', detail: 'No.' }));
  assert.equal(state.outbox.length, 0);
  assert.equal(shownPosition(state.game, state.outbox).pieces.get('d1@00'), 'wQ');
  assert.equal(state.notices.at(-1).args.code, 'illegal_move');
});

test('an unacknowledged move survives a new line and is due again with the same id', () => {
  let state = played();
  const { id } = state.outbox[0].cmd;
  state = run(state, { type: 'line.sent', ids: [id] });
  assert.equal(state.outbox[0].epoch, state.line.epoch);
  state = run(state, { type: 'line.waiting', tries: 1 }, hello);
  assert.equal(state.game.sync, 'needed');
  assert.equal(state.outbox[0].cmd.id, id);
  assert.deepEqual(dueCommands(state), [], 'not before the game has caught up');
  state = run(state, snapshot());
  assert.equal(dueCommands(state)[0].id, id);
  assert.ok(state.line.back);
});

test('one’s own event replaces what was shown ahead; the acknowledgement then changes nothing', () => {
  const before = played();
  const { id } = before.outbox[0].cmd;
  const state = run(before, moved(1, { id }));
  assert.equal(state.outbox.length, 0);
  assert.equal(state.game.moves.length, 1);
  assert.deepEqual(run(state, server({ t: 'ack', id, game: 'g', seq: 1 })), state);
});

test('doubled events are dropped, and a gap asks for what is missing', () => {
  const state = run(game(), moved(1));
  assert.equal(run(state, moved(1)), state);
  const gap = run(state, moved(3, { ply: 2 }));
  assert.equal(gap.game.sync, 'needed');
  assert.equal(gap.game.moves.length, 1);
});

test('snapshot and replay lead to the same game', () => {
  const { t: _, ...event } = moved(1).message;
  const replayed = run(game(), server({ t: 'replay', id: '2', game: 'g', seq: 1, events: [event], clock: CLOCK, presence: { white: true, black: true, spectators: 0 } }));
  const move = { move: MOVE, lan: event.lan, fen: AFTER, check: null, spent_ms: 0, compensated_ms: 0, played_at: undefined };
  const told = run(game(), snapshot({ seq: 1, legal: event.legal, game: { ...snapshot().message.game, moves: [move] } }));
  assert.deepEqual(replayed.game, told.game);
});

test('a move declines the opponent’s draw offer and leaves one’s own', () => {
  const offered = (by) => run(game(), server({ t: 'event', game: 'g', seq: 1, kind: 'draw_offered', by, clock: CLOCK }), moved(2)).game.offer;
  assert.equal(offered('black'), null);
  assert.deepEqual(offered('white'), { by: 'white', offer: 1 });
});

test('resigning takes two presses, and letting go takes none', () => {
  const once = run(game(), { type: 'game.command', what: 'resign' });
  assert.equal(once.outbox.length, 0);
  assert.equal(run(once, { type: 'game.escape' }).game.confirm, null);
  assert.equal(run(once, { type: 'game.command', what: 'resign' }).outbox[0].cmd.t, 'resign');
});

test('only legal moves by the server’s list are sent, typed ones too', () => {
  const state = run(game(), { type: 'game.square', square: 'd1@00' }, { type: 'game.square', square: 'd4@11' });
  assert.deepEqual(state.outbox.map(({ cmd }) => cmd.t), ['explain'], 'why not is asked');
  assert.equal(run(game(), { type: 'game.typed', text: 'd1@00 d4@11' }).game.typedError, 'typed.not_legal');
  assert.equal(run(game(), { type: 'game.typed', text: 'd100d111' }).outbox[0].cmd.move, MOVE);
});

test('the tab that joined goes to the game, another one is told', () => {
  const home = run(initialState({ theme: 'auto', variant: 'fourfold', rated: true }), hello, { type: 'navigated', route: { name: 'home' }, path: '/' });
  const paired = server({ t: 'paired', game: 'g', color: 'white' });
  const joined = run(home, { type: 'pool.join', variant: 'fourfold', time: '3+2', rated: true });
  assert.equal(dueCommands(joined)[0].t, 'join_pool', 'goes out where no game is on the page');
  assert.equal(run(joined, paired).go, '/g/g');
  assert.equal(run(joined, server({ t: 'ack', id: joined.outbox[0].cmd.id }), server({ t: 'pool', waiting: null }), paired).go, '/g/g');
  const other = run(home, server({ t: 'pool', waiting: { variant: 'fourfold', time: '3+2', rated: true } }), paired);
  assert.equal(other.go, null);
  assert.equal(other.notices[0].link.href, '/g/g');
});

test('a pool is joined again when the line that joined is gone', () => {
  const home = run(initialState({ theme: 'auto', variant: 'fourfold', rated: true }), hello, { type: 'navigated', route: { name: 'home' }, path: '/' });
  const joined = run(home, { type: 'pool.join', variant: 'fourfold', time: '3+2', rated: true });
  const acked = run(joined, server({ t: 'ack', id: joined.outbox[0].cmd.id }));
  const again = run(acked, { type: 'line.waiting', tries: 1 }, hello);
  assert.equal(again.outbox.filter(({ cmd }) => cmd.t === 'join_pool').length, 1);
});

test('the past is looked at without moving in it', () => {
  const state = run(game(), moved(1), { type: 'game.step', by: -1 });
  assert.equal(state.game.view, 0);
  assert.equal(shownPosition(state.game, []).pieces.get('d1@00'), 'wQ');
  assert.equal(run(state, { type: 'game.square', square: 'd1@00' }).game.view, null);
});

const AHEAD = [{ type: 'game.square', square: 'a1@00' }, { type: 'game.square', square: 'a1@01' }];
const reply = (legal, more = {}) => moved(2, { by: 'black', ply: 1, move: 'b3@01b2@01', lan: 'b3@01-b2@01', fen: AFTER.replace(' b ', ' w '), legal, ...more });
const sent = (state) => state.outbox.filter(({ cmd }) => cmd.t === 'move').map(({ cmd }) => [cmd.ply, cmd.move]);

test('a move made ahead is played when the opponent has moved, if it is legal then', () => {
  const ahead = run(game(), moved(1), ...AHEAD);
  assert.deepEqual(ahead.game.premove, { from: 'a1@00', to: 'a1@01', ply: 2 });
  assert.deepEqual(sent(ahead), [], 'not before');
  assert.deepEqual(sent(run(ahead, reply(['a1@00a1@01']))), [[2, 'a1@00a1@01']]);
  const later = { ...ahead, game: { ...ahead.game, premove: { ...ahead.game.premove, ply: 4 } } };
  assert.deepEqual(sent(run(later, reply(['a1@00a1@01']))), [], 'not at another ply');
  const dropped = run(ahead, reply(['a2@00a3@00']));
  assert.deepEqual(sent(dropped), []);
  assert.equal(dropped.game.premove, null);
});

test('a move can be made ahead while one’s own is on its way, and belongs to its ply', () => {
  const before = played();
  const { id } = before.outbox[0].cmd;
  const ahead = run(before, ...AHEAD, moved(1, { id }));
  assert.equal(ahead.game.premove.ply, 2);
  assert.deepEqual(sent(run(ahead, reply(['a1@00a1@01']))), [[2, 'a1@00a1@01']]);
});

test('what was made ahead is dropped on Escape, on a new line and with the game', () => {
  const ahead = run(game(), moved(1), ...AHEAD);
  const gone = [{ type: 'game.escape' }, hello, snapshot({ seq: 1 }), server({ t: 'event', game: 'g', seq: 2, kind: 'ended', outcome: 'white', termination: 'resignation', clock: CLOCK })];
  for (const message of gone) assert.equal(run(ahead, message).game.premove, null, message.message?.t ?? message.type);
});

test('a piece picked up while waiting stays picked up, unless it was taken', () => {
  const picked = run(game(), moved(1), AHEAD[0]);
  assert.equal(run(picked, reply(['a1@00a1@01'])).game.selected, 'a1@00');
  assert.equal(run(picked, reply([], { fen: '4/4/PPPP/bNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q w 0 2' })).game.selected, null);
});

test('a profile has no curve until one has been fetched for it', () => {
  const route = { name: 'profile', player: 'ada' };
  const curve = { variant: 'fourfold', speed: 'blitz', points: [] };
  const player = { name: 'ada', kind: 'account', created_at: '2026-11-30T10:00:00Z', ratings: [] };
  const shown = [
    { type: 'navigated', route, path: '/@/ada' },
    { type: 'profile', name: 'ada', player },
    { type: 'curve', name: 'bob', curve },
  ].reduce((state, m) => update(state, { now: 0, id: 'c', ...m }), initialState(/** @type {any} */ ({})));
  assert.equal(shown.profile.curve, null);
  assert.equal(update(shown, { type: 'curve', name: 'ada', curve, now: 0, id: 'c' }).profile.curve, curve);
});

test('a line that is let go because the session changed is not one that is back', () => {
  const hello = { type: 'server', message: { t: 'hello', player: null, assets: 'a' } };
  const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: 'x', ...m }), state);
  const open = run(initialState({}), hello);
  // The server may close the old line before the page has let it go.
  for (const before of [[], [{ type: 'line.waiting', tries: 1 }]]) {
    assert.equal(run(open, ...before, { type: 'line.renewing' }, { type: 'line.connecting' }, hello).line.back, false);
  }
  assert.equal(run(open, { type: 'line.waiting', tries: 1 }, { type: 'line.connecting' }, hello).line.back, true);
});

test('what was said of a game is not left standing beside the next one', () => {
  const said = (key) => ({ ...initialState({}), route: { name: 'game', id: 'a' }, live: { n: 4, said: [{ n: 4, key, args: {} }] } });
  const next = { type: 'navigated', route: { name: 'game', id: 'b' }, path: '/g/b', now: 1, id: 'x' };
  assert.deepEqual(update(said('result.black.checkmate'), next).live, { n: 4, said: [] });
  assert.equal(update(said('say.rematched'), next).live.said[0].key, 'say.rematched');
});

test('of two sentences that come at once both are heard, and who sits down hears which side they have', () => {
  const info = { id: 'a', variant: 'fourfold', start_fen: 'w', outcome: null, termination: null, white: { name: 'ada', kind: 'guest' }, black: { name: 'Line', kind: 'computer', level: 2 } };
  const loading = { ...initialState({}), route: { name: 'game', id: 'a' }, game: emptyGame('a') };
  const start = START;
  const snapshot = { t: 'snapshot', id: 'w', seq: 0, you: 'white', game: { ...info, start_fen: start, moves: [] }, legal: [], clock: null, draw_offer: null, rematch: {}, presence: {} };
  const seated = update(loading, { type: 'server', now: 0, id: 'x', message: snapshot });
  assert.deepEqual(seated.live.said.map(({ key, args }) => [key, args.name, args.level]), [['say.seated', 'Line', 2], ['status.your_turn', undefined, undefined]]);
  // A snapshot of a game that is on the page already says nothing anew.
  assert.equal(update(seated, { type: 'server', now: 0, id: 'y', message: snapshot }).live.n, 2);
  const events = [
    { seq: 1, kind: 'move', by: 'black', ply: 1, move: 'a3@01a2@01', lan: 'a3@01-a2@01', fen: start, check: null, spent_ms: 0 },
    { seq: 2, kind: 'ended', outcome: 'black', termination: 'resignation', ended_at: '', ratings: null },
  ];
  const missed = update(seated, { type: 'server', now: 0, id: 'z', message: { t: 'replay', id: 'w', game: 'a', seq: 2, events, clock: null, presence: {} } });
  assert.deepEqual(missed.live.said.slice(2).map(({ n, key }) => [n, key]), [[3, 'say.moved'], [4, 'result.black.resignation']]);
});

test('what was listed for one player is not left for the next', () => {
  const listed = run(game(), { type: 'mine', games: [{ id: 'g' }] }, { type: 'challenges', received: [{ id: 'c' }], created: [] });
  const guest = { name: 'Guest 1', kind: 'guest' };
  for (const next of [{ type: 'session', player: null }, { type: 'session', player: guest }, server({ t: 'hello', player: null, assets: 'x' })]) {
    const state = run(listed, next);
    assert.equal(state.mine, null);
    assert.deepEqual(state.challenges.received, []);
    assert.deepEqual(state.session.playing, []);
  }
  assert.equal(run(listed, hello).mine.length, 1, 'the same player again');
});
