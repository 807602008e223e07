import assert from 'node:assert/strict';
import { test } from 'node:test';

import { startOf } from '../../static/js/games/index.js';
import { placeEffects } from '../../static/js/effects/places.js';
import { MOST_UNANSWERED, poster } from '../../static/js/net/once.js';
import { Refusal } from '../../static/js/net/rest.js';
import { initialState } from '../../static/js/state.js';

const refused = (status) => new Refusal({ code: 'x', detail: '', status });

/** Posts to a server that answers as it is told to; the ids that it has seen. */
function scene(...answers) {
  const ids = [];
  const post = poster(async (method, path, { id }) => {
    ids.push(id);
    const answer = answers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return answer === 'cut' ? null : answer;
  });
  return { ids, post: (path, content, id) => post(path, content, id).catch((error) => assert.ok(error instanceof Refusal, error)) };
}

test('what was asked for and not answered is asked for again under its own id, and what was answered under a new one', async () => {
  const cases = [
    [{}, false], ['cut', true], [refused(0), true], [refused(500), true], [refused(503), true],
    [refused(400), false], [refused(409), false], [refused(429), false],
  ];
  for (const [answer, same] of cases) {
    const { ids, post } = scene(answer);
    await post('/games', { level: 1 }, 'a');
    await post('/games', { level: 1 }, 'b');
    await post('/games', { level: 1 }, 'c');
    assert.deepEqual(ids, same ? ['a', 'a', 'c'] : ['a', 'b', 'c'], String(answer.status ?? answer));
  }
});

test('something else has an id of its own, and two presses at once have one', async () => {
  const { ids, post } = scene(refused(0), refused(0));
  await Promise.all([post('/games', { level: 1 }, 'a'), post('/games', { level: 1 }, 'b')]);
  await post('/games', { level: 2 }, 'c');
  await post('/challenges', { level: 1 }, 'd');
  await post('/games', { level: 1 }, 'e');
  assert.deepEqual(ids, ['a', 'a', 'c', 'd', 'a']);
});

test('ids that were never answered are not kept without end', async () => {
  const { ids, post } = scene(...Array.from({ length: MOST_UNANSWERED + 1 }, () => refused(0)));
  for (let level = 0; level <= MOST_UNANSWERED; level++) await post('/games', { level }, `n${level}`);
  await post('/games', { level: 1 }, 'again');
  await post('/games', { level: 0 }, 'new');
  assert.deepEqual(ids.slice(-2), ['n1', 'new']);
});

test('a game against the computer, a challenge and a sign-up whose answer is lost are asked for again under the same id', async (t) => {
  const bodies = [];
  t.mock.method(globalThis, 'setInterval', () => 0);
  t.mock.method(globalThis, 'fetch', async (url, { body }) => {
    bodies.push(JSON.parse(body));
    throw new TypeError('the line is gone');
  });
  const state = { ...initialState({}), session: { loaded: true, player: { name: 'ada', kind: 'guest' }, playing: [] } };
  const { want } = placeEffects(() => state, () => {}, { visit() {}, restart() {}, back() {} });
  const wanted = [
    { type: 'want.computer', variant: 'fourfold', level: 2, color: 'white', time: null },
    { type: 'want.challenge', options: { variant: 'fourfold', color: 'random', fen: startOf('fourfold') } },
    { type: 'want.login', signup: true, name: 'ada', password: 'correct horse' },
  ];
  for (const message of wanted) {
    bodies.length = 0;
    await want({ ...message, id: 'c-1', now: 0 });
    await want({ ...message, id: 'c-2', now: 1 });
    assert.deepEqual(bodies.map(({ id }) => id), ['c-1', 'c-1'], message.type);
    assert.deepEqual(bodies[0], bodies[1]);
  }
});
