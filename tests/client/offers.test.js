// What players ask of each other: draws, takebacks, rematches, claims and chat.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointsText } from '../../static/js/format.js';
import { shownPosition } from '../../static/js/turn.js';
import { initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';
import { claimableAt } from '../../static/js/update/offers.js';
import { unconfirmed } from '../../static/js/update/turn.js';

const START = '4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1';
const AFTER = '4/4/PPPP/RNB1|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/3Q b 1 1';
const MOVE = 'd1@00d1@11';
const CLOCK = { white_ms: 180_000, black_ms: 180_000, running: null, first_move_ms: null };
const PREFS = { theme: 'auto', variant: 'fourfold', rated: true, confirm: false, chat: { open: null, muted: false } };
let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1000, id: `c-${++n}`, ...m }), state);
const server = (message) => ({ type: 'server', message });
const event = (seq, kind, more = {}) => server({ t: 'event', game: 'g', seq, kind, clock: CLOCK, ...more });
const hello = server({ t: 'hello', player: { name: 'ada', kind: 'account' }, assets: 'x' });
const played = { move: MOVE, lan: 'Qd1@00-d1@11', fen: AFTER, check: null, spent_ms: 0, compensated_ms: 0 };
const snapshot = ({ game, ...more } = {}) => server({
  t: 'snapshot', id: '1', seq: 0, you: 'white', legal: [MOVE], clock: CLOCK, draw_offer: null, takeback_offer: null,
  rematch: { offer: null, next: null }, chat: [], presence: { white: true, black: true, spectators: 0, claim_in_ms: { white: null, black: null } },
  game: { id: 'g', variant: 'fourfold', rated: false, start_fen: START, moves: [], outcome: null, termination: null, ratings: null, white: { name: 'ada' }, black: { name: 'bob' }, ...game },
  ...more,
});
const game = (more, prefs = {}) => run(initialState({ ...PREFS, ...prefs }), hello, { type: 'navigated', route: { name: 'game', id: 'g' }, path: '/g/g' }, snapshot(more));
const over = (more) => game({ game: { outcome: 'white', termination: 'resignation' }, legal: [], ...more });
const press = (what) => ({ type: 'game.command', what });
const sent = (state) => state.outbox.map(({ cmd: { t, offer } }) => (offer === undefined ? t : `${t} ${offer}`));

test('an offer is answered by its number, and a snapshot tells the same as its event', () => {
  for (const [kind, field, told] of [['draw_offered', 'offer', 'draw_offer'], ['takeback_offered', 'takeback', 'takeback_offer']]) {
    const heard = run(game(), event(1, kind, { by: 'black' }));
    assert.deepEqual(heard.game[field], { by: 'black', offer: 1 });
    assert.deepEqual(game({ [told]: { by: 'black', offer: 1 } }).game[field], { by: 'black', offer: 1 });
    const what = kind.split('_')[0];
    assert.deepEqual(sent(run(heard, press(`accept-${what}`))), [`accept_${what} 1`]);
    assert.deepEqual(sent(run(heard, press(`decline-${what}`))), [`decline_${what} 1`]);
    const declined = run(heard, event(2, `${what}_declined`, { by: 'white', offer: 1 }));
    assert.equal(declined.game[field], null);
    assert.equal(declined.notices.at(-1).key, `say.${what}_declined`);
  }
});

test('a takeback is asked for once, and any move closes the question', () => {
  const asked = run(game(), press('takeback'), press('takeback'));
  assert.deepEqual(sent(asked), ['offer_takeback']);
  const open = run(game(), event(1, 'takeback_offered', { by: 'white' }), event(2, 'move', { by: 'white', ply: 0, id: 'x', legal: [], ...played }));
  assert.equal(open.game.takeback, null);
});

test('what is taken back is gone with everything that belonged to it', () => {
  const ahead = run(game({ game: { moves: [played, { ...played, fen: START }] } }), event(1, 'draw_offered', { by: 'white' }), { type: 'game.square', square: 'd1@00' });
  assert.equal(ahead.game.selected, 'd1@00');
  const back = run(ahead, event(2, 'taken_back', { by: 'black', offer: 1, ply: 1, legal: ['b3@01b2@01'] }));
  const { moves, legal, selected, offer, takeback, premove } = back.game;
  assert.deepEqual([moves.length, legal, selected, offer, takeback, premove], [1, ['b3@01b2@01'], null, null, null, null]);
  assert.equal(run(back, { type: 'game.step', by: -1 }, event(3, 'taken_back', { by: 'black', offer: 1, ply: 0, legal: [MOVE] })).game.view, null);
});

test('a rematch is offered, or accepted when the other one has offered, by one press', () => {
  assert.deepEqual(sent(run(over(), press('rematch'), press('rematch'))), ['offer_rematch']);
  const theirs = run(over(), event(1, 'rematch_offered', { by: 'black' }));
  assert.deepEqual(sent(run(theirs, press('rematch'))), ['accept_rematch 1']);
  assert.deepEqual(sent(run(theirs, press('decline-rematch'))), ['decline_rematch 1']);
  const mine = run(over(), event(1, 'rematch_offered', { by: 'white' }), event(2, 'rematch_declined', { by: 'black', offer: 1 }));
  assert.deepEqual(mine.game.rematch, { offer: null, next: null, declined: 'white' });
});

test('both players go to the rematch; who watches is shown the way, and so is who comes later', () => {
  const rematched = event(1, 'rematched', { by: 'black', offer: 0, next: 'h' });
  assert.equal(run(over(), rematched).go, '/g/h');
  const watched = run(over({ you: null }), rematched);
  assert.equal(watched.go, null);
  assert.equal(watched.game.rematch.next, 'h');
  const late = over({ rematch: { offer: null, next: 'h' } });
  assert.deepEqual([late.go, late.game.rematch.next], [null, 'h']);
});

test('a game is claimed on the absentee’s own turn only, and not before its time', () => {
  const away = (running, claim) => game({ clock: { ...CLOCK, running }, presence: { white: true, black: false, spectators: 0, claim_in_ms: { white: null, black: claim } } });
  assert.equal(claimableAt(away('black', 8000).game), 9000);
  assert.equal(claimableAt(away('white', 8000).game), null, 'on one’s own turn');
  assert.equal(claimableAt(away('black', null).game), null, 'the other one is there');
  const back = run(away('black', 8000), server({ t: 'presence', game: 'g', white: true, black: true, spectators: 0, claim_in_ms: { white: null, black: null } }));
  assert.equal(claimableAt(back.game), null);
  const gone = run(back, server({ t: 'presence', game: 'g', white: true, black: false, spectators: 0, claim_in_ms: { white: null, black: 9000 } }));
  assert.deepEqual([gone.live.said.at(-1).key, gone.live.said.at(-1).args.name], ['say.left', 'bob']);
  assert.deepEqual(sent(run(away('black', 0), press('claim-win'))), ['claim_win']);
  assert.deepEqual(sent(run(away('black', 0), press('claim-draw'))), ['claim_draw']);
});

const line = (text, name = 'bob') => ({ by: { name, kind: 'account' }, color: 'black', text, at: '2026-11-30T10:00:01Z' });
const said = (text, name) => server({ t: 'chat', game: 'g', ...line(text, name) });

test('a line is sent once, without control characters, and comes back into the field when it is refused', () => {
  const state = run(game(), { type: 'game.chat', text: '  Good\n luck! ' });
  assert.deepEqual([state.outbox[0].cmd.t, state.outbox[0].cmd.text], ['chat', 'Good  luck!']);
  for (const text of ['', '   ', '\u0007', 'x'.repeat(501)]) assert.equal(run(game(), { type: 'game.chat', text }).outbox.length, 0);
  assert.equal(run(game(), { type: 'game.chat', text: '\u{1f40e}'.repeat(500) }).outbox.length, 1);
  const refused = run(state, server({ t: 'refused', id: state.outbox[0].cmd.id, code: 'rate_limited', detail: '' }));
  assert.equal(refused.game.chat.unsent, 'Good  luck!');
  assert.equal(refused.notices.at(-1).args.code, 'rate_limited');
});

test('what others say is spoken, unless the chat is muted, and counts until it is seen', () => {
  const heard = run(game(), said('Hello'), said('there'));
  assert.deepEqual(heard.live.said.at(-1).args, { name: 'bob', text: 'there' });
  assert.equal(heard.game.chat.lines.length - heard.game.chat.seen, 2);
  assert.equal(run(heard, { type: 'game.chat-seen' }).game.chat.seen, 2);
  const mine = run(game(), said('Hello', 'ada'));
  assert.equal(mine.game.chat.seen, 1);
  assert.equal(run(game({}, { chat: { open: null, muted: true } }), said('Hello')).live.said.some(({ key }) => key === 'say.chat'), false);
});

test('what is opened over the moves of one game is not open over those of the next', () => {
  const open = run(game(), { type: 'game.chat-open', open: true });
  assert.equal(open.game.chat.open, true);
  assert.equal(run(open, { type: 'navigated', route: { name: 'game', id: 'next' }, path: '/g/next' }).game.chat.open, null);
});

test('chat outlives the end of a game, and a replay brings all of it', () => {
  const state = run(game(), { type: 'game.chat', text: 'Thanks' }, event(1, 'ended', { outcome: 'white', termination: 'resignation' }));
  assert.deepEqual(sent(state), ['chat']);
  const back = run(state, server({ t: 'replay', id: '2', game: 'g', seq: 1, events: [], clock: null, presence: { white: true, black: true, spectators: 0 }, chat: [line('a'), line('b')] }));
  assert.deepEqual(back.game.chat.lines.map(({ text }) => text), ['a', 'b']);
});

test('a move that asks first is sent by its square, by a button or by Return, and taken back by anything else', () => {
  const ready = run(game({}, { confirm: true }), { type: 'game.square', square: 'd1@00' }, { type: 'game.square', square: 'd1@11' });
  assert.deepEqual(sent(ready), []);
  assert.equal(unconfirmed(ready.game), MOVE);
  assert.equal(shownPosition(ready.game, []).pieces.get('d1@11'), 'wQ', 'it is shown');
  for (const message of [{ type: 'game.square', square: 'd1@11' }, { type: 'game.end-turn' }]) assert.deepEqual(sent(run(ready, message)), ['move']);
  for (const message of [{ type: 'game.square', square: 'a1@11' }, { type: 'game.escape' }, { type: 'game.undo' }]) {
    const back = run(ready, message);
    assert.deepEqual([unconfirmed(back.game), sent(back).includes('move')], [null, false], message.type);
  }
  assert.equal(run(ready, { type: 'game.square', square: 'd1@00' }).game.selected, 'd1@00', 'another move may begin');
  assert.deepEqual(sent(run(game({}, { confirm: true }), { type: 'game.typed', text: 'd100d111' })), ['move'], 'what was typed is meant');
});

test('points are written as people write them', () => {
  assert.deepEqual([0, 0.5, 1, 2.5].map(pointsText), ['0', '½', '1', '2½']);
});
