import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FOURFOLD } from '../../static/js/games/fourfold.js';
import { PARALLEL } from '../../static/js/games/parallel.js';
import { MARGIN_PX, pick, pieceBox, sceneOf, solidOf } from '../../static/js/tesseract/scene.js';
import { inside, projector, toSpace } from '../../static/js/tesseract/space.js';

const DEGREE = Math.PI / 180;
const scene = sceneOf(solidOf(FOURFOLD));
const at = (yaw, pitch, turn) => ({ yaw: yaw * DEGREE, pitch: pitch * DEGREE, turn: turn * DEGREE });
const ANGLES = [-180, -117, -24, 0, 45, 90, 151].flatMap((yaw) => [-90, -33, 0, 21, 90].flatMap((pitch) => [-180, -45, 0, 30, 90, 135].map((turn) => at(yaw, pitch, turn))));
const tilesOf = (floors) => new Map(floors.flatMap(({ tiles }) => tiles.map((tile) => [tile.square, tile])));
const near = (a, b) => Math.abs(a - b) < 1e-9;

test('every square has its own place, and each coordinate runs from -1 to 1', () => {
  const { space, squares } = FOURFOLD;
  assert.equal(new Set(squares.map((square) => space(square).join())).size, 64);
  assert.deepEqual(space('a1@00'), [-0.75, -0.75, -1, -1]);
  assert.deepEqual(space('d4@01'), [0.75, 0.75, -1, 1]);
  assert.deepEqual(space('b3@10'), [-0.25, 0.25, 1, -1]);
  assert.equal(PARALLEL.space, null);
  assert.throws(() => solidOf(PARALLEL), /no such view/);
});

test('W = 1 is the outer cube until it is turned, and a quarter turn lets Z and W change places', () => {
  const [inner, outer] = [-1, 1].map((w) => toSpace([1, 1, 1, w], 0));
  assert.ok(near(outer.x, 1) && near(outer.z, 1) && near(outer.scale, 1));
  assert.ok(inner.x > 0.6 && inner.x < 0.7, 'its squares are large enough to be hit');
  assert.ok(inner.z > 0.45 && inner.z < 0.55, 'and its boards are apart from the outer ones');
  for (const [z, w] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
    const [turned, still] = [toSpace([0.5, 0.25, z, w], 90 * DEGREE), toSpace([0.5, 0.25, -w, z], 0)];
    for (const axis of ['x', 'y', 'z', 'scale']) assert.ok(near(turned[axis], still[axis]), `${axis} of ${z},${w}`);
  }
});

test('all of it fits its panel at every turn, whatever the panel’s shape', () => {
  const margin = 10;
  for (const [width, height] of [[540, 400], [520, 830], [340, 340], [300, 90]]) {
    for (const angles of ANGLES) {
      for (const { rim, tiles } of scene(angles, width, height, margin)) {
        for (const { x, y } of rim) {
          assert.ok(x > margin - 1 && x < width - margin + 1 && y > margin - 1 && y < height - margin + 1, `${x},${y} of ${width},${height} at ${JSON.stringify(angles)}`);
        }
        for (const { spot } of tiles) {
          const { left, top, edge } = pieceBox(spot);
          assert.ok(left > 0 && left + edge < width && top > 0 && top + edge < height, `a piece at ${left},${top} of ${width},${height} at ${JSON.stringify(angles)}`);
        }
      }
    }
  }
});

test('it keeps its size and its middle while it is orbited', () => {
  const axis = (yaw) => [-1, 1].map((z) => projector(at(yaw, 21, 0), 540, 400, 10).spot([0, 0, z, 1]));
  for (const yaw of [-170, -24, 60]) {
    axis(yaw).forEach((spot, end) => {
      for (const part of ['x', 'y', 'size']) assert.ok(near(spot[part], axis(0)[end][part]), `${part} at ${yaw}`);
    });
  }
});

test('what is nearer is larger', () => {
  const tiles = tilesOf(scene(at(0, 21, 0), 540, 400, 10));
  const size = (square) => tiles.get(square).spot.size;
  assert.ok(size('a1@01') > size('a4@01'));
  assert.ok(size('a1@11') > size('a1@01'), 'the upper board is nearer to an eye above');
  assert.ok(size('a1@01') > 1.4 * size('a1@00'), 'and the outer cube is larger than the inner one');
});

test('a piece of the inner cube is no small thing on a phone', () => {
  const tiles = tilesOf(scene(at(-24, 21, 0), 355, 364, MARGIN_PX));
  for (const square of ['a1@00', 'd4@10']) assert.ok(pieceBox(tiles.get(square).spot).edge > 29, square);
});

test('boards are drawn from the farthest to the nearest', () => {
  const order = (...angles) => scene(at(...angles), 540, 400, 10).map(({ z, w }) => `${z},${w}`);
  assert.deepEqual(order(0, 60, 0), ['-1,1', '-1,-1', '1,-1', '1,1'], 'from above the lowest first');
  assert.deepEqual(order(0, -60, 0), ['1,1', '1,-1', '-1,-1', '-1,1'], 'from below the highest first');
});

test('every edge between boards is drawn once: eight along Z, eight along W', () => {
  for (const angles of ANGLES) {
    const edges = scene(angles, 540, 400, 10).flatMap(({ before, after }) => [...before, ...after]);
    assert.equal(edges.length, 16);
    assert.equal(edges.filter(({ axis }) => axis === 'w').length, 8);
  }
});

test('what is pointed at is the nearest piece or tile under the pointer', () => {
  const occupied = (square) => square === 'b1@01';
  for (const angles of [at(-24, 21, 0), at(156, 21, 0), at(30, -40, 70), at(0, 90, 0)]) {
    const floors = scene(angles, 540, 400, 10);
    const nearest = floors.at(-1);
    for (const { square, spot } of nearest.tiles) assert.equal(pick(floors, () => false, spot, 0), square);
  }
  const floors = scene(at(0, 21, 0), 540, 400, 10);
  const { spot } = tilesOf(floors).get('b1@01');
  const { top, edge } = pieceBox(spot);
  const head = { x: spot.x, y: top + edge / 4 };
  assert.equal(pick(floors, occupied, head, 0), 'b1@01', 'a piece is hit by its head');
  assert.notEqual(pick(floors, () => false, head, 0), 'b1@01', 'and where none stands what is behind is hit');
  assert.equal(pick(floors, occupied, { x: 2, y: 2 }, 0), null);
});

test('files and ranks are named once, at the near edges of the lowest board', () => {
  for (const angles of [at(-24, 21, 0), at(156, 21, 0), at(40, -30, 120)]) {
    const names = scene(angles, 540, 400, 18).flatMap((floor) => floor.names);
    assert.deepEqual(names.map(({ text }) => text).sort(), ['1', '2', '3', '4', 'a', 'b', 'c', 'd']);
    for (const { spot } of names) assert.ok(spot.x > 0 && spot.x < 540 && spot.y > 0 && spot.y < 400);
  }
  const white = scene(at(0, 21, 0), 540, 400, 18).find(({ names }) => names.length);
  assert.deepEqual([white.z, white.w], [-1, 1]);
  const [a, d] = ['a', 'd'].map((file) => white.names.find(({ text }) => text === file).spot);
  assert.ok(a.x < d.x && a.y > white.tiles.at(-1).spot.y);
});

test('a finger may land a little beside a square', () => {
  const floors = scene(at(0, 90, 0), 400, 400, 40);
  const corner = floors.at(-1).rim.reduce((best, spot) => (spot.x + spot.y < best.x + best.y ? spot : best));
  const beside = { x: corner.x - 2, y: corner.y - 2 };
  assert.equal(pick(floors, () => false, beside, 0), null);
  assert.equal(pick(floors, () => false, beside, 400), 'a4@11');
});

test('a point is inside a polygon or not', () => {
  const square = [{ x: 0, y: 0 }, { x: 4, y: 0 }, { x: 4, y: 4 }, { x: 0, y: 4 }];
  for (const [x, y, is] of [[2, 2, true], [3.9, 0.1, true], [5, 2, false], [-1, 2, false], [2, -1, false]]) assert.equal(inside(square, x, y), is, `${x},${y}`);
});
