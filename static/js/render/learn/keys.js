// Playing by keyboard: each key is tried once.
/** @import {Lesson, Room} from './parts.js' */

import { startOf } from '../../games/index.js';
import { t } from '../../i18n.js';
import { h } from '../dom.js';
import { feedback, tasks } from './parts.js';
import { stage } from './stage.js';

const TASKS = ['tab', 'arrows', 'alt', 'enter', 'escape', 'move'];
const VARIANT = 'fourfold-classic';

/** @param {Room} room @returns {Lesson} */
export function keys({ prefs, done }) {
  const table = stage(VARIANT, { prefs, words: true, both: true });
  const told = feedback();
  const list = tasks(TASKS.map((name) => t(`learn.keys.${name}`)), () => {
    told.say(t('learn.keys.all'), 'good');
    done();
  });
  const tick = (/** @type {string} */ name) => list.tick(TASKS.indexOf(name));
  /** By which key the last square was pressed; a mouse is no key. */
  let byKey = false;
  table.el.addEventListener('keydown', (event) => {
    byKey = event.key === 'Enter' || event.key === ' ';
    if (event.key.startsWith('Arrow')) tick(event.altKey ? 'alt' : 'arrows');
    if (event.key === 'Escape' && table.game?.selected) tick('escape');
  }, true);
  table.el.addEventListener('pointerdown', () => { byKey = false; });
  table.el.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement && target.matches('.square') && target.matches(':focus-visible')) tick('tab');
  });
  table.hear({
    drawn: ({ game }) => { if (byKey && game?.selected) tick('enter'); },
    played: () => { if (byKey) tick('move'); },
  });
  table.open(startOf(VARIANT));
  const row = (/** @type {string} */ name, /** @type {string[]} */ ...caps) => h('li', {}, h('span', { class: 'caps' }, ...caps.map((cap) => h('kbd', {}, cap))), h('span', {}, t(`learn.keys.list.${name}`)));
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.keys.text')), list.el, told.el,
      h('h2', {}, t('learn.keys.more')),
      h('ul', { class: 'key-list' }, row('typed', 'm'), row('walk', '←', '→'), row('ends', 'Home', 'End'), row('turn', 'PgUp', 'PgDn'))),
    stage: table.el,
    leave: table.leave,
  };
}
