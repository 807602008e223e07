import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { follower, problemOf } from '../../static/js/analysis/follow.js';
import { LANGUAGES, problemText, setWords } from '../../static/js/i18n.js';
import { Refusal } from '../../static/js/net/rest.js';

/** A follower whose plays end when the test says so: `seen` is where it came to, with why no further. */
function scene() {
  const seen = [];
  const plays = [];
  const works = [];
  const way = follower({
    play: (from, turns, reached) => new Promise((done, fail) => { plays.push({ reached, done, fail }); }),
    reach: (at) => seen.push([at, way.why()?.code ?? null]),
    working: (on) => works.push(on),
  });
  return { way, plays, seen, works };
}

test('while moves are followed the address keeps them, and says where one is once they are played', async () => {
  const { way, plays, seen, works } = scene();
  assert.ok(way.mayWrite());
  const followed = way.follow(0, ['a', 'b']);
  assert.ok(!way.mayWrite());
  plays[0].reached(1);
  // Who walks about meanwhile does not lose what is still to come.
  way.goOn();
  assert.ok(!way.mayWrite());
  plays[0].reached(2);
  plays[0].done(null);
  await followed;
  assert.deepEqual([seen, works, way.mayWrite()], [[[2, null]], [true, false], true]);
});

test('where moves could not be followed to their end, the address keeps them until somebody goes on', async () => {
  const ends = [
    [({ done }) => done({ why: 'unreadable', move: 'x' }), 'analysis.stopped.unreadable'],
    [({ done }) => done({ why: 'full', move: 'x' }), 'analysis.stopped.full'],
    [({ fail }) => fail(new Refusal({ code: 'network', detail: '', status: 0 })), 'network'],
  ];
  for (const [end, code] of ends) {
    const { way, plays, seen, works } = scene();
    const followed = way.follow(0, ['a', 'b']);
    plays[0].reached(1);
    end(plays[0]);
    await followed;
    assert.deepEqual([seen, works, way.mayWrite(), way.why().code], [[[1, code]], [true, false], false, code]);
    way.goOn();
    assert.deepEqual([way.mayWrite(), way.why()], [true, null]);
  }
});

test('moves that others have followed, or that nobody asks for any more, lead nowhere', async () => {
  const { way, plays, seen, works } = scene();
  const [first, second] = [way.follow(0, ['a']), way.follow(0, ['b'])];
  plays[0].done({ why: 'full', move: 'a' });
  await first;
  assert.deepEqual([seen, works.at(-1), way.mayWrite()], [[], true, false]);
  way.drop();
  assert.deepEqual([works.at(-1), way.mayWrite()], [false, true]);
  plays[1].reached(3);
  plays[1].done(null);
  await second;
  assert.deepEqual([seen, way.mayWrite()], [[], true]);
});

test('what is wrong with the program is no refusal, and holds nothing up', async () => {
  const { way, plays } = scene();
  const followed = way.follow(0, ['a']);
  plays[0].fail(new TypeError('a fault'));
  await assert.rejects(followed, /a fault/);
  assert.ok(way.mayWrite());
});

test('moves that cannot be read or kept are told of with a code, in words of each language, and not at any length', () => {
  for (const language of Object.keys(LANGUAGES)) {
    const words = JSON.parse(readFileSync(new URL(`../../static/lang/analysis/${language}.json`, import.meta.url), 'utf8'));
    setWords(language, words);
    for (const why of ['unreadable', 'full']) {
      const problem = problemOf({ why, move: 'Qz9@77' });
      // What shows refusals takes what has no code for a fault of the program.
      assert.ok(problem.code, language);
      assert.equal(problemText(problem), words[`analysis.stopped.${why}`].replace('{move}', 'Qz9@77'), language);
      assert.ok(problemOf({ why, move: '@'.repeat(60_000) }).detail.length < 200, language);
    }
  }
});
