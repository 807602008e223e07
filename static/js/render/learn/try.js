// Try it: the rook's move along W, a small computer's answer, and on from there for as long as one likes.
/** @import {Lesson, Room} from './parts.js' */
/** @import {Played} from '../../net/positions.js' */

import { startOf } from '../../games/index.js';
import { t } from '../../i18n.js';
import { TRY } from '../../learn/positions.js';
import { askPosition, askReply } from '../../net/positions.js';
import { Refusal } from '../../net/rest.js';
import { sideToMove } from '../../position.js';
import { h, show } from '../dom.js';
import { button, feedback } from './parts.js';
import { stage } from './stage.js';

/** @param {Room} room @returns {Lesson} */
export function tryIt({ prefs, send, done }) {
  const table = stage(TRY.variant, { prefs, words: true });
  const { split, shown, lan } = table.geometry;
  const { from, to } = split(TRY.move);
  const told = feedback();
  let moved = false;
  const start = startOf(TRY.variant);
  const again = button(t('learn.again'), begin, { name: 'again', picture: 'undo' });
  const answer = button(t('learn.try.ask_again'), reply, { name: 'ask-again' });
  const play = button(t('learn.try.play'), () => send({ type: 'want.computer', variant: TRY.variant, level: TRY.level, color: 'white', time: null }), { kind: 'primary big', name: 'play-computer', picture: 'next' });

  function begin() {
    moved = false;
    show(answer, false);
    told.say(t('learn.try.first', { from: shown(from), to: shown(to) }));
    table.open(start, { mark: { from, to }, selected: from });
  }

  async function reply() {
    show(answer, false);
    const { fen } = table;
    try {
      const { turn } = await askReply(TRY.variant, fen, TRY.level);
      const { after } = await askPosition(TRY.variant, fen, { turn });
      if (table.fen === fen && after) table.play(after);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      table.tell(error);
      show(answer, true);
    }
  }

  table.hear({
    /** @param {Played} played */
    played(played) {
      if (played.end) {
        told.say(t(`result.${played.end.outcome}.${played.end.termination}`), 'good');
        return;
      }
      const mine = sideToMove(played.fen) === 'black';
      const move = lan(played.lan).join(', ');
      if (mine) {
        told.say(t(moved ? 'learn.try.thinks' : played.turn === TRY.move ? 'learn.try.done' : 'learn.try.instead', { move }), 'good');
        moved = true;
        reply();
      } else {
        told.say(t(played.check ? 'learn.try.answered_check' : 'learn.try.answered', { move }), 'good');
        done();
      }
    },
  });
  begin();
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.try.text')), told.el, h('div', { class: 'row' }, answer, again), h('div', { class: 'card try-more' }, h('h2', {}, t('learn.try.more')), h('p', {}, t('learn.try.more_text')), play)),
    stage: table.el,
    leave: table.leave,
  };
}
