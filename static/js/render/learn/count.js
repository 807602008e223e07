// The third step: count the coordinates that change. A move is shown; legal or not, and the server says why.
/** @import {Lesson, Room} from './parts.js' */

import { t } from '../../i18n.js';
import { DRILLS } from '../../learn/positions.js';
import { askPosition } from '../../net/positions.js';
import { h, setText, show } from '../dom.js';
import { reasonText } from '../say.js';
import { button, chips, feedback } from './parts.js';
import { stage } from './stage.js';

const VARIANT = 'fourfold';

/** @param {Room} room @returns {Lesson} */
export function count({ prefs, done }) {
  const table = stage(VARIANT, { prefs });
  const { pieces, shown, change } = table.geometry;
  let at = 0;
  let right = 0;
  const progress = h('p', { class: 'quiet drill-count' });
  const question = h('h2', { class: 'question' });
  const legal = button(t('learn.count.legal'), () => judge(true), { kind: 'big', name: 'legal' });
  const illegal = button(t('learn.count.illegal'), () => judge(false), { kind: 'big', name: 'not-legal' });
  const answers = h('div', { class: 'row drill-answers' }, legal, illegal);
  const told = feedback();
  const why = h('p', { class: 'why' });
  const coordinates = chips();
  const next = button(t('learn.next_one'), () => { at += 1; ask(); }, { kind: 'primary', name: 'next-drill', picture: 'next' });
  const again = button(t('learn.again'), () => { at = 0; right = 0; ask(); }, { name: 'again' });

  function ask() {
    const over = at >= DRILLS.length;
    show(answers, !over);
    show(next, false);
    show(again, over);
    told.say('');
    setText(why, '');
    coordinates.show(table.geometry, '', '');
    if (over) {
      setText(progress, '');
      setText(question, t('learn.count.result', { n: right, all: DRILLS.length }));
      setText(why, t(right > DRILLS.length - 3 ? 'learn.count.well' : 'learn.count.practice'));
      done();
      again.focus();
      return;
    }
    const { fen, from, to } = DRILLS[at];
    setText(progress, t('learn.question_of', { n: at + 1, all: DRILLS.length }));
    setText(question, t('learn.count.question', { piece: t(`role.${pieces(fen).get(from)?.[1]}`), from: shown(from), to: shown(to) }));
    table.set({ fen, mark: { from, to } });
    legal.disabled = illegal.disabled = false;
  }

  /** @param {boolean} said */
  function judge(said) {
    const { fen, from, to } = DRILLS[at];
    legal.disabled = illegal.disabled = true;
    table.attempt(async () => {
      const { explained } = await askPosition(VARIANT, fen, { from, to }).catch((error) => {
        legal.disabled = illegal.disabled = false;
        throw error;
      });
      if (!explained) return;
      const hit = explained.legal === said;
      right += hit ? 1 : 0;
      told.say(t(explained.legal ? (hit ? 'learn.count.yes_legal' : 'learn.count.no_legal') : hit ? 'learn.count.yes_illegal' : 'learn.count.no_illegal'), hit ? 'good' : 'bad');
      const words = change(pieces(fen).get(from)?.[1] ?? 'P', from, to);
      setText(why, explained.legal ? t(words.key, words.args) : reasonText({ reason: explained.reason ?? '', args: explained.args, detail: explained.detail ?? '' }));
      coordinates.show(table.geometry, from, to);
      show(answers, false);
      show(next, true);
      next.focus();
    });
  }

  table.hear({ square: () => true });
  ask();
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.count.text')), h('div', { class: 'card drill' }, progress, question, answers, told.el, why, coordinates.el, h('div', { class: 'row' }, next, again))),
    stage: table.el,
    leave: table.leave,
  };
}
