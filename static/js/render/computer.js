// Playing the computer: everything is chosen beforehand, so that one press starts a game.
/** @import {Send, State} from '../types.js' */

import { levelText, problemText, t } from '../i18n.js';
import { offeredVariant } from '../offered.js';
import { h, icon, setText, show, whenChanged } from './dom.js';
import { timeSelect } from './lists.js';
import { choice } from './parts.js';

/** @param {Send} send */
export function computerForm(send) {
  /** @param {Partial<State['prefs']['computer']>} change */
  const prefer = (change) => state && send({ type: 'pref', change: { computer: { ...state.prefs.computer, ...change } } });
  /** @type {State | null} */
  let state = null;
  const levels = h('div', { class: 'level-slot' });
  /** @type {ReturnType<typeof choice> | null} */
  let level = null;
  const colors = choice('computer-color', t('challenge.color'), ['white', 'random', 'black'].map((value) => ({ value, text: t(`challenge.color.${value}`), props: { 'data-computer-color': value } })), (color) => prefer({ color }));
  const time = timeSelect('computer-time', (chosen) => prefer({ time: chosen }));
  const kind = h('small', { class: 'quiet' });
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'primary big', 'data-action': 'play-computer' }, icon('next'), h('span', {}, t('computer.play')));
  const el = h('form', {
    class: 'card computer',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!state) return;
      const { level, color, time } = state.prefs.computer;
      const clock = state.pools?.times.find((pool) => pool.time === time);
      send({ type: 'want.computer', variant: offeredVariant(state), level, color, time: clock ? { base_ms: clock.base_ms, increment_ms: clock.increment_ms } : null });
    },
  }, h('h2', {}, t('home.computer'), ' ', kind), levels, h('div', { class: 'computer-row' }, colors.el, time.el, button), problem);
  const drawLevels = whenChanged((/** @type {State['computers']} */ all) => {
    if (!all) return;
    level = choice('computer-level', t('computer.level'), all.map((c) => ({
      value: String(c.level), text: levelText(c.level, c.name), hint: String(c.level), props: { 'data-level-choice': c.level },
    })), (value) => prefer({ level: Number(value) }));
    level.el.classList.add('level-choice');
    levels.replaceChildren(level.el);
  });
  return {
    el,
    /** @param {State} next */
    update(next) {
      state = next;
      const { computer } = next.prefs;
      setText(kind, t(`variant.${offeredVariant(next)}`));
      drawLevels(next.computers);
      level?.set(String(computer.level));
      colors.set(computer.color);
      time.update(next.pools?.times ?? [], computer.time);
      // A time that was kept and is no longer offered must not become none at all.
      const offered = computer.time === '' || !!next.pools?.times.some((pool) => pool.time === computer.time);
      button.disabled = next.form.busy || !offered;
      // Problems of the friend's form are shown there.
      setText(problem, next.form.at === 'computer' && next.form.problem ? problemText(next.form.problem) : '');
      show(el, next.computers === null || next.computers.length > 0);
    },
  };
}
