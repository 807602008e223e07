// The lobby's list as it lives, challenges that name somebody, and what follows from them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';
import { dueCommands } from '../../static/js/update/common.js';

const PREFS = { theme: 'auto', variant: 'fourfold', rated: true, confirm: false, chat: { open: null, muted: false } };
let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: `c-${++n}`, ...m }), state);
const server = (message) => ({ type: 'server', message });
const hello = server({ t: 'hello', player: { name: 'ada', kind: 'account' }, assets: 'x' });
const goTo = (name, more = {}) => ({ type: 'navigated', route: { name, ...more }, path: '/x' });
const home = () => run(initialState(PREFS), hello, goTo('home'));
const seek = (id, more = {}) => ({ id, owner: { name: 'bob', kind: 'account' }, owner_rating: 1500, variant: 'fourfold', color: 'random', time: { days_per_move: 3 }, rated: false, rating: null, ...more });
const list = (...seeks) => server({ t: 'lobby', id: 'l', online: 4, games: 1, waiting: null, seeks });
const shown = (state) => state.seeks.items.map(({ id, gone }) => (gone ? `-${id}` : id));

test('the list is asked for on the first page and on every new line, and let go elsewhere', () => {
  assert.equal(home().seeks.sync, 'needed');
  const open = run(home(), { type: 'lobby.asked' }, list(seek('a')));
  assert.deepEqual([open.seeks.sync, open.seeks.online], ['ok', 4]);
  assert.equal(run(open, hello).seeks.sync, 'needed');
  assert.equal(run(home(), { type: 'lobby.asked' }, { type: 'lobby.again' }).seeks.sync, 'needed', 'when it was refused for haste');
  assert.equal(run(open, { type: 'lobby.again' }).seeks.sync, 'ok');
  const away = run(open, goTo('games'));
  assert.equal(away.seeks.sync, 'off');
  assert.equal(run(away, hello).seeks.sync, 'off');
});

test('seeks come last, change in their place, and go without moving the others', () => {
  const state = run(home(), list(seek('a'), seek('b')), server({ t: 'seek_added', seek: seek('c') }));
  assert.deepEqual(shown(state), ['a', 'b', 'c']);
  const renamed = run(state, server({ t: 'seek_added', seek: seek('a', { owner: { name: 'eve', kind: 'account' } }) }));
  assert.deepEqual([shown(renamed), renamed.seeks.items[0].owner.name], [['a', 'b', 'c'], 'eve']);
  const gone = run(state, server({ t: 'seek_removed', seek: 'a' }), server({ t: 'seek_removed', seek: 'never shown' }));
  assert.deepEqual(shown(gone), ['-a', 'b', 'c']);
  assert.deepEqual(shown(run(gone, { type: 'seek.prune' })), ['b', 'c']);
  assert.deepEqual(shown(run(gone, list(seek('d')))), ['d'], 'a whole list takes the place of what was known');
});

test('a seek is made, canceled and accepted once a press', () => {
  const options = { variant: 'fourfold', color: 'white', time: { base_ms: 180_000, increment_ms: 2000 }, rated: true };
  const { id: _, ...made } = dueCommands(run(home(), { type: 'seek.make', options: { ...options, rating: { min: 1500, max: null } } }))[0];
  assert.deepEqual(made, { t: 'seek', ...options, rating: { min: 1500, max: null } });
  assert.ok(!('rating' in dueCommands(run(home(), { type: 'seek.make', options: { ...options, rating: null } }))[0]));
  const accept = { type: 'seek.accept', seek: 'a' };
  const accepted = run(home(), list(seek('a'), seek('b')), accept, accept, { type: 'seek.accept', seek: 'b' });
  assert.deepEqual(dueCommands(accepted).map(({ t, seek: of }) => [t, of]), [['accept_seek', 'a']]);
  const { id } = dueCommands(accepted)[0];
  assert.equal(run(accepted, server({ t: 'ack', id, game: 'g' })).go, '/g/g');
  const late = run(accepted, server({ t: 'refused', id, code: 'seek_gone', detail: '' }));
  assert.deepEqual([shown(late), late.notices.at(-1).args.code], [['-a', 'b'], 'seek_gone']);
});

test('who has put something into the lobby goes to its game from there, and is told elsewhere', () => {
  const asked = run(home(), { type: 'seek.make', options: { variant: 'fourfold', color: 'random', time: { days_per_move: 3 }, rated: false, rating: null } });
  const made = run(asked, server({ t: 'ack', id: dueCommands(asked)[0].id, seek: 's' }));
  const paired = server({ t: 'paired', game: 'g', color: 'white' });
  assert.equal(run(made, paired).go, '/g/g');
  const away = run(made, goTo('games'), paired);
  assert.deepEqual([away.go, away.notices.at(-1).link.href], [null, '/g/g']);
  assert.equal(run(home(), paired).go, null, 'another tab stays');
});

const challenge = (more = {}) => ({ id: 'c', creator: { name: 'bob', kind: 'account' }, opponent: { name: 'ada', kind: 'account' }, variant: 'fourfold', color: 'white', time: null, status: 'open', game: null, yours: false, ...more });

test('who is challenged sees it at once: on the first page in its list, elsewhere as a notice', () => {
  const told = server({ t: 'challenged', challenge: challenge() });
  const here = run(home(), told, told);
  assert.deepEqual([here.challenges.received.length, here.notices.length, here.live.said.at(-1).key], [1, 0, 'notice.challenged']);
  const elsewhere = run(home(), goTo('games'), told);
  assert.equal(elsewhere.notices.at(-1).link.href, '/c/c');
  const over = run(elsewhere, server({ t: 'challenge', challenge: 'c', status: 'canceled', game: null, by: { name: 'bob' } }));
  assert.deepEqual([over.challenges.received, over.notices], [[], []], 'what is over cannot be accepted any more');
});

test('the creator is told who declined, and where the game is', () => {
  const made = run(home(), { type: 'challenges', received: [], created: [challenge({ yours: true })] });
  const declined = run(made, server({ t: 'challenge', challenge: 'c', status: 'declined', game: null, by: { name: 'bob' } }));
  assert.deepEqual([declined.challenges.created, declined.notices.at(-1).key, declined.notices.at(-1).args.name], [[], 'notice.declined', 'bob']);
  const accepted = server({ t: 'challenge', challenge: 'c', status: 'accepted', game: 'g', by: { name: 'bob' } });
  assert.equal(run(made, accepted).notices.at(-1).link.href, '/g/g');
  const onItsPage = run(home(), goTo('challenge', { id: 'c' }), { type: 'challenge', data: challenge({ yours: true }) }, accepted);
  assert.equal(onItsPage.go, '/g/g');
});
