import assert from 'node:assert/strict';
import { test } from 'node:test';

import { curveShape } from '../../static/js/curve.js';
import { routeOf } from '../../static/js/router.js';

const SIZE = { width: 600, height: 200 };
const point = (day, rating, deviation) => ({ at: `2026-11-${day}T12:00:00Z`, rating, deviation });

test('a curve goes from left to right by time, and higher is up', () => {
  const { places } = curveShape([point('01', 1500, 100), point('02', 1600, 90), point('11', 1550, 80)], SIZE);
  assert.deepEqual(places.map(([x]) => x), [0, 60, 600]);
  const [first, second, third] = places.map(([, y]) => y);
  assert.ok(second < third && third < first);
});

test('the band lies inside the picture and around the line', () => {
  const { band, places } = curveShape([point('01', 1500, 300), point('09', 1700, 60)], SIZE);
  const heights = [...band.matchAll(/[ML]\S+ (\S+?)(?=[MLZ])/g)].map(([, y]) => Number(y));
  assert.equal(heights.length, 4);
  assert.ok(heights.every((y) => y > 0 && y < SIZE.height), `${heights}`);
  assert.ok(Math.min(...heights) < places[1][1] && Math.max(...heights) > places[0][1]);
});

test('one game, and games of one moment, lie in the middle', () => {
  assert.deepEqual(curveShape([point('01', 1500, 100)], SIZE).places.map(([x]) => x), [300]);
  assert.deepEqual(curveShape([point('01', 1500, 100), point('01', 1520, 90)], SIZE).places.map(([x]) => x), [300, 300]);
});

test('the band of a single game can be seen, and is that of the last of one moment', () => {
  for (const points of [[point('01', 1500, 100)], [point('01', 1500, 300), point('01', 1500, 100)]]) {
    const { band, scale, places } = curveShape(points, SIZE);
    const corners = [...band.matchAll(/[ML](\S+) (\S+?)(?=[MLZ])/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const [xs, ys] = [0, 1].map((i) => [Math.min(...corners.map((c) => c[i])), Math.max(...corners.map((c) => c[i]))]);
    assert.ok(xs[0] < 300 && xs[1] > 300 && xs[1] - xs[0] > 20, `${xs}`);
    const [, y] = places[places.length - 1];
    assert.ok(Math.abs((ys[0] + ys[1]) / 2 - y) < 0.2 && scale.length > 0, `${ys} around ${y}`);
  }
});

test('the scale has a few round numbers', () => {
  for (const [low, high] of [[1490, 1510], [1000, 2000], [400, 3200]]) {
    const { scale } = curveShape([point('01', low, 0), point('02', high, 0)], SIZE);
    assert.ok(scale.length >= 1 && scale.length <= 5, `${low} to ${high}: ${scale.map(({ value }) => value)}`);
    assert.ok(scale.every(({ value, y }) => value % 25 === 0 && y >= 0 && y <= SIZE.height));
  }
});

test('a leaderboard has an address', () => {
  assert.deepEqual(routeOf('/leaderboard'), { name: 'leaders', variant: '', speed: '' });
  assert.deepEqual(routeOf('/leaderboard/parallel-worlds/rapid'), { name: 'leaders', variant: 'parallel-worlds', speed: 'rapid' });
  assert.deepEqual(routeOf('/leaderboard/fourfold'), { name: 'not-found' });
});
