import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CHOICES, filterPath, filterQuery, readFilter } from '../../static/js/list-query.js';
import { routeOf } from '../../static/js/router.js';

const NONE = { player: '', status: '', variant: '', speed: '', rated: '', outcome: '' };

test('the address of a list says what it shows, and is read back', () => {
  assert.deepEqual(readFilter(''), NONE);
  assert.equal(filterPath(NONE), '/games');
  for (const [name, values] of Object.entries(CHOICES)) {
    for (const value of values) {
      const path = filterPath({ ...NONE, player: 'ada_1', [name]: value });
      const { search } = routeOf(path);
      assert.deepEqual(readFilter(search), { ...NONE, player: 'ada_1', [name]: value }, path);
      assert.deepEqual(filterQuery(readFilter(search)), [[name, value]]);
    }
  }
});

test('what an address asks for that there is not, is not asked of the server', () => {
  assert.deepEqual(readFilter(`?status=lost&rated=perhaps&color=red&player=${'x'.repeat(99)}`), { ...NONE, player: 'x'.repeat(20) });
});
