// Parallel Worlds: five ideas, each with something to do. The tray is the game's own.
/** @import {Lesson, Room} from './parts.js' */
/** @import {Played} from '../../net/positions.js' */

import { t } from '../../i18n.js';
import { WORLDS } from '../../learn/positions.js';
import { h, setAttr, setText, show } from '../dom.js';
import { button, feedback } from './parts.js';
import { stage } from './stage.js';

const VARIANT = 'parallel-worlds';

/** @param {Room} room @returns {Lesson} */
export function worlds({ prefs, done }) {
  const table = stage(VARIANT, { prefs, words: true });
  const { split, placeOf } = table.geometry;
  const seen = new Set();
  let at = 0;
  const title = h('h2', {});
  const text = h('p', {});
  const task = h('p', { class: 'task' });
  const told = feedback();
  const tabs = WORLDS.map(({ name }, i) => h('button', { type: 'button', 'data-idea': name, click: () => open(i) }, h('b', { class: 'tab' }, String(i + 1)), h('span', {}, t(`learn.worlds.${name}.title`))));
  const next = button(t('learn.next_one'), () => open(at + 1), { kind: 'primary', name: 'next-drill', picture: 'next' });
  const again = button(t('learn.again'), () => open(at), { name: 'again', kind: 'small', picture: 'undo' });

  /** Whether a turn has done what was to be done. @type {Record<string, (played: Played) => boolean>} */
  const wanted = {
    levels: () => true,
    turn: ({ turn }) => turn.split(',').length === 3,
    crossing: ({ turn }) => turn.split(',').some((move) => placeOf(split(move).from).board === 1 && placeOf(split(move).to).board === 1),
    vertical: ({ turn }) => turn.split(',').some((move) => placeOf(split(move).from).board !== placeOf(split(move).to).board),
    king: ({ end }) => end?.termination === 'king_captured',
  };

  /** @param {number} i */
  function open(i) {
    at = i;
    const { name, fen, selected } = WORLDS[i];
    setText(title, t(`learn.worlds.${name}.title`));
    setText(text, t(`learn.worlds.${name}.text`));
    setText(task, t(`learn.worlds.${name}.task`));
    told.say('');
    show(next, false);
    tabs.forEach((tab, n) => {
      setAttr(tab, 'aria-pressed', String(n === i));
      setAttr(tab, 'data-seen', seen.has(n));
    });
    table.open(fen, { selected });
  }

  table.hear({
    played(played) {
      const { name } = WORLDS[at];
      if (!wanted[name](played)) {
        told.say(t(`learn.worlds.${name}.not_yet`), 'bad');
        return;
      }
      told.say(t(`learn.worlds.${name}.done`), 'good');
      seen.add(at);
      setAttr(tabs[at], 'data-seen', true);
      if (seen.size === WORLDS.length) done();
      if (at < WORLDS.length - 1) {
        show(next, true);
        next.focus();
      }
    },
  });
  open(0);
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.worlds.text')), h('div', { class: 'ideas', role: 'group', 'aria-label': t('learn.worlds.ideas') }, ...tabs),
      h('div', { class: 'card' }, title, text, task, told.el, h('div', { class: 'row' }, next, again))),
    stage: table.el,
    leave: table.leave,
  };
}
