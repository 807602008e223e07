import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clockText, isAccount, remaining, signed, spentText, timeText } from '../../static/js/format.js';
import { setWords, t } from '../../static/js/i18n.js';
import { pauseMs, triesAfter } from '../../static/js/net/backoff.js';
import { routeOf } from '../../static/js/router.js';
import { soundOf } from '../../static/js/sound.js';

test('clocks', () => {
  const cases = [[180_000, '3:00'], [59_999, '0:59'], [10_000, '0:10'], [9_999, '0:09.9'], [940, '0:00.9'], [0, '0:00.0'], [-5, '0:00.0'], [3_723_000, '1:02:03']];
  for (const [ms, text] of cases) assert.equal(clockText(ms), text);
});

test('only the running clock loses time, and never more than it has', () => {
  const clock = { white_ms: 5000, black_ms: 7000, running: 'white', first_move_ms: null, at: 1000 };
  assert.equal(remaining(clock, 'white', 3000), 3000);
  assert.equal(remaining(clock, 'black', 3000), 7000);
  assert.equal(remaining(clock, 'white', 99_000), 0);
});

test('times and ratings as people read them', () => {
  assert.deepEqual([400, 12_300, 72_000].map(spentText), ['0.4', '12', '1:12']);
  assert.deepEqual([{ base_ms: 180_000, increment_ms: 2000 }, { base_ms: 30_000, increment_ms: 0 }].map(timeText), ['3+2', '0:30+0']);
  assert.deepEqual([8, -8, 0].map(signed), ['+8', '−8', '±0']);
});

test('people and bots have accounts, guests and computers have none', () => {
  assert.deepEqual(['guest', 'account', 'bot', 'computer'].filter((kind) => isAccount({ kind })), ['account', 'bot']);
  assert.equal(isAccount(null), false);
});

test('case_21: the pause grows until a connection has lived', () => {
  assert.equal(triesAfter(3, 0), 4);
  assert.equal(triesAfter(3, 9_999), 4);
  assert.equal(triesAfter(3, 10_000), 1);
  for (let tries = 1; tries < 20; tries++) {
    assert.ok(pauseMs(tries, 0.999) <= 4_000);
    assert.ok(pauseMs(tries, 0) >= 250);
    assert.ok(pauseMs(tries + 1, 0) >= pauseMs(tries, 0));
  }
});

test('every path is a place', () => {
  assert.deepEqual(routeOf('/'), { name: 'home' });
  assert.deepEqual(routeOf('/g/0192-a/'), { name: 'game', id: '0192-a' });
  assert.deepEqual(routeOf('/@/Guest%207F3K'), { name: 'profile', player: 'Guest 7F3K' });
  assert.deepEqual(routeOf('/settings'), { name: 'settings' });
  for (const path of ['/x', '/g/', '/g/a/b', '/@/%']) assert.equal(routeOf(path).name, 'not-found');
});

test('words: arguments, plurals, and a key for what nobody wrote', () => {
  const words = Object.assign({}, ...['', 'places/', 'more/'].map((part) => JSON.parse(readFileSync(new URL(`../../static/lang/${part}en.json`, import.meta.url), 'utf8'))));
  setWords('en', words);
  assert.equal(t('profile.games', { n: 1 }), '1 game');
  assert.equal(t('profile.games', { n: 2 }), '2 games');
  assert.equal(t('no.such.key'), 'no.such.key');
  for (const outcome of ['white', 'black']) for (const how of ['checkmate', 'resignation', 'timeout']) assert.ok(words[`result.${outcome}.${how}`]);
});

test('what happens in a game sounds like itself', () => {
  const cases = [
    [{ kind: 'move', lan: 'Ra1@00-a1@01', check: null }, 'move'],
    [{ kind: 'move', lan: 'Ra1@00xa1@01', check: null }, 'capture'],
    [{ kind: 'move', lan: 'Ra1@00xa1@01+', check: 'a4@11' }, 'check'],
    [{ kind: 'ended' }, 'end'],
    [{ kind: 'draw_offered' }, null],
  ];
  for (const [event, name] of cases) assert.equal(soundOf(event), name);
});
