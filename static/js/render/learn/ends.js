// Ends and draws: each played, and told by the server.
/** @import {Lesson, Room} from './parts.js' */

import { t } from '../../i18n.js';
import { ENDS } from '../../learn/positions.js';
import { h, setAttr, setText } from '../dom.js';
import { feedback, paragraphs } from './parts.js';
import { stage } from './stage.js';

/** @param {Room} room @returns {Lesson} */
export function ends({ prefs, done }) {
  const table = stage('fourfold', { prefs });
  const { split, shown } = table.geometry;
  const seen = new Set();
  let at = 0;
  const title = h('h2', {});
  const text = h('p', {});
  const told = feedback();
  const buttons = ENDS.map(({ name }, i) => h('button', { type: 'button', 'data-end': name, click: () => show(i) }, t(`termination.${name}`)));

  /** @param {number} i */
  function show(i) {
    at = i;
    const { name, fen, move } = ENDS[i];
    const { from, to } = split(move);
    buttons.forEach((button, n) => {
      setAttr(button, 'aria-pressed', String(n === i));
      setAttr(button, 'data-seen', seen.has(n));
    });
    setText(title, t(`termination.${name}`));
    setText(text, t(`learn.ends.${name}`));
    told.say(t('learn.ends.play', { from: shown(from), to: shown(to) }));
    table.open(fen, { mark: { from, to }, selected: from });
  }

  table.hear({
    played({ end }) {
      if (!end || end.termination !== ENDS[at].name) {
        told.say(t('learn.ends.other'), 'bad');
        return;
      }
      told.say(t(`result.${end.outcome}.${end.termination}`), 'good');
      seen.add(at);
      setAttr(buttons[at], 'data-seen', true);
      if (seen.size === ENDS.length) done();
    },
  });
  show(0);
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.ends.text')), h('div', { class: 'row ends', role: 'group', 'aria-label': t('learn.ends.text') }, ...buttons),
      h('div', { class: 'card' }, title, text, told.el), ...paragraphs('learn.ends.repetition_text', 'learn.ends.others')),
    stage: table.el,
    leave: table.leave,
  };
}
