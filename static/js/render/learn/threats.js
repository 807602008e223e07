// The fourth step: threats across W. Which black piece attacks the marked one? The server's legal moves know.
/** @import {Lesson, Room} from './parts.js' */

import { t } from '../../i18n.js';
import { THREATS } from '../../learn/positions.js';
import { askPosition } from '../../net/positions.js';
import { h, setText, show } from '../dom.js';
import { reasonText } from '../say.js';
import { button, chips, feedback } from './parts.js';
import { stage } from './stage.js';

const VARIANT = 'fourfold';

/** @param {Room} room @returns {Lesson} */
export function threats({ prefs, done }) {
  const table = stage(VARIANT, { prefs });
  const { pieces, shown, split, change } = table.geometry;
  let at = 0;
  let solved = false;
  const progress = h('p', { class: 'quiet drill-count' });
  const question = h('h2', { class: 'question' });
  const told = feedback();
  const why = h('p', { class: 'why' });
  const coordinates = chips();
  const next = button(t('learn.next_one'), () => { at = (at + 1) % THREATS.length; ask(); }, { kind: 'primary', name: 'next-drill', picture: 'next' });

  const role = (/** @type {string} */ square) => pieces(THREATS[at].fen).get(square)?.[1] ?? 'P';

  function ask() {
    const { fen, target } = THREATS[at];
    solved = false;
    show(next, false);
    told.say('');
    setText(why, '');
    coordinates.show(table.geometry, '', '');
    setText(progress, t('learn.question_of', { n: at + 1, all: THREATS.length }));
    setText(question, t('learn.threats.question', { piece: t(`role_in.${role(target)}`), square: shown(target) }));
    table.set({ fen, check: target, you: 'white' });
  }

  /** @param {string} square */
  function point(square) {
    const { fen, target } = THREATS[at];
    const piece = pieces(fen).get(square);
    if (solved || piece?.[0] !== 'b') {
      if (!solved && piece) told.say(t('learn.threats.own'), 'bad');
      return true;
    }
    table.attempt(async () => {
      const { legal, explained } = await askPosition(VARIANT, fen, { from: square, to: target });
      if (THREATS[at].target !== target) return;
      coordinates.show(table.geometry, square, target);
      if (legal.some((move) => split(move).from === square && split(move).to === target)) {
        const words = change(role(square), square, target);
        solved = true;
        told.say(t('learn.threats.right', { piece: t(`role.${role(square)}`), square: shown(square) }), 'good');
        setText(why, t(words.key, words.args));
        table.set({ fen, check: target, you: 'white', mark: { from: square, to: target } });
        if (at === THREATS.length - 1) {
          done();
          setText(progress, t('learn.threats.all'));
        }
        show(next, at < THREATS.length - 1);
        next.focus();
      } else {
        told.say(t('learn.threats.wrong', { piece: t(`role.${role(square)}`), square: shown(square) }), 'bad');
        setText(why, explained && !explained.legal ? reasonText({ reason: explained.reason ?? '', args: explained.args, detail: explained.detail ?? '' }) : '');
      }
    });
    return true;
  }

  table.hear({ square: point });
  ask();
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.threats.text')), h('p', {}, t('learn.threats.how')), h('div', { class: 'card drill' }, progress, question, told.el, why, coordinates.el, h('div', { class: 'row' }, next))),
    stage: table.el,
    leave: table.leave,
  };
}
