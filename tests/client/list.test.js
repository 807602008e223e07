import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placeEffects } from '../../static/js/effects/places.js';
import { CHOICES, filterPath, filterQuery, MOST_PARTS, nextPart, noneOf, readFilter } from '../../static/js/list-query.js';
import { routeOf } from '../../static/js/router.js';
import { initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';

const NONE = { player: '', status: '', variant: '', speed: '', rated: '', outcome: '' };

test('the address of a list says what it shows, and is read back', () => {
  assert.deepEqual(readFilter(''), NONE);
  assert.equal(filterPath(NONE), '/games');
  for (const [name, values] of Object.entries(CHOICES)) {
    for (const value of values) {
      const path = filterPath({ ...NONE, player: 'ada_1', [name]: value });
      const { search } = routeOf(path);
      assert.deepEqual(readFilter(search), { ...NONE, player: 'ada_1', [name]: value }, path);
      assert.deepEqual(filterQuery(readFilter(search)), [['player', 'ada_1'], [name, value]]);
    }
  }
});

test('what an address asks for that there is not, is not asked of the server', () => {
  assert.deepEqual(readFilter(`?status=lost&rated=perhaps&color=red&player=${'x'.repeat(99)}`), { ...NONE, player: 'x'.repeat(20) });
});

test('a list says that it is empty only where it ends, and not while it is read', () => {
  const cases = [
    [{ items: [], next: null, busy: false }, 'games.none'], [{ items: [], next: 'c', busy: false }, 'games.none_so_far'],
    [{ items: [], next: null, busy: true }, null], [{ items: [{}], next: null, busy: false }, null], [{ items: [{}], next: 'c', busy: false }, null],
  ];
  for (const [games, said] of cases) assert.equal(noneOf(games), said, JSON.stringify(games));
});

test('parts without games are followed by the next, until there are games, or an end, or it was asked often enough', async () => {
  const walk = async (parts) => {
    const cursors = [];
    const part = await nextPart(async (cursor) => { cursors.push(cursor); return parts[cursors.length - 1]; }, 'c0');
    return [cursors.join(' '), part];
  };
  const empty = (n) => ({ games: [], next: `c${n}` });
  assert.deepEqual(await walk([{ games: [1], next: 'c1' }]), ['c0', { games: [1], next: 'c1' }]);
  assert.deepEqual(await walk([empty(1), empty(2), { games: [1], next: null }]), ['c0 c1 c2', { games: [1], next: null }]);
  assert.deepEqual(await walk([empty(1), { games: [], next: null }]), ['c0 c1', { games: [], next: null }]);
  const many = Array.from({ length: 99 }, (_, i) => empty(i + 1));
  assert.deepEqual(await walk(many), [Array.from({ length: MOST_PARTS }, (_, i) => `c${i}`).join(' '), empty(MOST_PARTS)]);
});

/** The page of a list over a server that answers as it is told to. */
function page(t, ...answers) {
  const asked = [];
  let state = { ...initialState({}), route: routeOf('/games?variant=fourfold') };
  t.mock.method(globalThis, 'setInterval', () => 0);
  t.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(url);
    const answer = answers.shift();
    if (!answer) throw new TypeError('the line is gone');
    return new Response(JSON.stringify(answer), { status: 200 });
  });
  const effects = placeEffects(() => state, (m) => { state = update(state, { now: 0, id: 'i', ...m }); }, { visit() {}, restart() {}, back() {} });
  return { asked, effects, games: () => state.games, leave: () => { state = { ...state, route: routeOf('/games') }; } };
}
const settled = () => new Promise((done) => setImmediate(() => setImmediate(done)));

test('a narrowed list goes on to the games that it is narrowed to', async (t) => {
  const { asked, effects, games } = page(t, { games: [], next: 'c1' }, { games: [{ id: 'g' }], next: 'c2' });
  effects.load();
  await settled();
  assert.deepEqual(asked, ['/api/v1/games?limit=30&variant=fourfold', '/api/v1/games?limit=30&variant=fourfold&cursor=c1']);
  assert.deepEqual(games(), { items: [{ id: 'g' }], next: 'c2', busy: false });
});

test('a part of a list that could not be had is asked for again', async (t) => {
  const { effects, games } = page(t, { games: [{ id: 'g' }], next: 'c1' });
  effects.load();
  await settled();
  effects.want({ type: 'want.games', cursor: 'c1' });
  await settled();
  assert.deepEqual(games(), { items: [{ id: 'g' }], next: 'c1', busy: false });
});

test('who has gone elsewhere hears no more of a list', async (t) => {
  const { asked, effects, games, leave } = page(t, { games: [], next: 'c1' }, { games: [], next: 'c2' });
  effects.load();
  leave();
  await settled();
  assert.equal(asked.length, 1);
  // What is read where one is now is not ended by it.
  assert.ok(games().busy);
});
