// Which game is offered to whoever has not chosen one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFirstGame, offeredVariant } from '../../static/js/offered.js';
import { initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';

let n = 0;
const run = (state, ...messages) => messages.reduce((s, m) => update(s, { now: 1, id: `o-${++n}`, ...m }), state);
const fresh = (variant = '') => initialState({ variant });
const guest = { type: 'session', player: { name: 'Guest 1', kind: 'guest' } };
const played = (variant) => ({ type: 'played', variant });

test('a first game is one of the small army, until another was chosen or played', () => {
  const cases = [
    [fresh(), 'fourfold-classic', true],
    [run(fresh(), guest, played(null)), 'fourfold-classic', true],
    [run(fresh(), guest, played('fourfold')), 'fourfold', false],
    [run(fresh(), { type: 'pref', change: { variant: 'parallel-worlds' } }), 'parallel-worlds', false],
    [run(fresh('fourfold'), guest, played('fourfold-classic')), 'fourfold', false],
  ];
  for (const [state, variant, first] of cases) assert.deepEqual([offeredVariant(state), isFirstGame(state)], [variant, first]);
});

test('what one person has played last says nothing of the next', () => {
  const state = run(fresh(), guest, played('parallel-worlds'), { type: 'session', player: { name: 'ada', kind: 'account' } });
  assert.deepEqual([offeredVariant(state), isFirstGame(state)], ['fourfold-classic', true]);
});

test('only a game that the server has is offered', () => {
  const state = run(fresh(), { type: 'pools', pools: { variants: ['parallel-worlds'], times: [] } });
  assert.equal(offeredVariant(state), 'parallel-worlds');
});
