// How the games of Fourfold begin. Both colors can be moved, to get a feeling for it.
/** @import {Lesson, Room} from './parts.js' */

import { startOf } from '../../games/index.js';
import { t } from '../../i18n.js';
import { h, setText } from '../dom.js';
import { choice } from '../parts.js';
import { button, paragraphs } from './parts.js';
import { stage } from './stage.js';

const SETS = ['fourfold-classic', 'fourfold'];

/** @param {Room} room @returns {Lesson} */
export function setup({ prefs, done }) {
  // Both sets are played by one geometry, and by the same rules.
  const table = stage('fourfold', { prefs, words: true, both: true });
  const about = h('p', {});
  let set = SETS[0];
  const sets = choice('set', t('learn.setup.which'), SETS.map((value) => ({ value, text: t(`variant.${value}`) })), (value) => {
    set = value;
    if (value === 'fourfold') done();
    show();
  });
  sets.set(set);

  function show() {
    const n = table.geometry.pieces(startOf(set)).size / 2;
    setText(about, `${t(`learn.setup.${set}`)} ${t('learn.setup.pieces', { n })}`);
    table.open(startOf(set));
  }
  table.hear({ played: done });
  show();
  return {
    panel: h('div', { class: 'lesson-text' }, ...paragraphs('learn.setup.text'), sets.el, about, ...paragraphs('learn.setup.pawns', 'learn.setup.none'),
      h('div', { class: 'row' }, button(t('learn.again'), show, { name: 'again', kind: 'small', picture: 'undo' }))),
    stage: table.el,
    leave: table.leave,
  };
}
