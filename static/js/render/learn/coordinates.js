// The first step: a rook goes along X, Y, Z and W, one after another.
/** @import {Lesson, Room} from './parts.js' */

import { listText, t } from '../../i18n.js';
import { askReach } from '../../net/positions.js';
import { h, setAttr, setText } from '../dom.js';
import { feedback, paragraphs, tasks } from './parts.js';
import { fenOf, stage } from './stage.js';

const VARIANT = 'fourfold';

/** @param {Room} room @returns {Lesson} */
export function coordinates({ prefs, done }) {
  const table = stage(VARIANT, { prefs });
  const { axes, changes, shown } = table.geometry;
  const told = feedback();
  const list = tasks(axes.map((axis) => t(`learn.coordinates.task.${axis}`)), done);
  const values = axes.map((axis) => {
    const value = h('b', { class: 'tab' });
    return { axis, value, el: h('div', { class: 'coordinate', 'data-axis': axis }, h('span', { class: 'tab' }, t(`axis.${axis}`)), value, h('small', {}, t(`learn.coordinates.${axis}`))) };
  });
  const read = h('div', { class: 'coordinates', role: 'group', 'aria-label': t('learn.coordinates.read') }, ...values.map((v) => v.el));
  let at = 'a1@00';
  /** Where the rook may go, by the server's word. @type {string[]} */
  let open = [];

  /** The four numbers of a square, those that differ from the rook's marked. @param {string} square */
  function tell(square) {
    changes(at, square).forEach((c, i) => {
      setText(values[i].value, c.to);
      setAttr(values[i].el, 'data-changed', c.by > 0);
    });
  }

  /** @param {string} [last] the move that led there */
  async function show(last) {
    await table.attempt(async () => {
      const { moves } = await askReach(VARIANT, 'wR', at);
      open = moves;
      table.set({ fen: fenOf(VARIANT, { [at]: 'wR' }), legal: moves.map((to) => at + to), selected: at, last });
      tell(at);
    });
  }

  table.hear({
    pointed: (square) => tell(square ?? at),
    // The rook stays picked up; a square that is not lit says how far away it is.
    square(square) {
      if (open.includes(square)) return false;
      const axes = changes(at, square).filter((c) => c.by > 0).map((c) => t(`axis.${c.axis}`));
      if (axes.length) told.say(t('learn.coordinates.unlit', { square: shown(square), axes: listText(axes) }), 'bad');
      return true;
    },
    move(move) {
      const { from, to } = table.geometry.split(move);
      const axis = changes(from, to).find((c) => c.by > 0)?.axis ?? '';
      const wanted = list.next();
      at = to;
      show(move);
      if (wanted < 0 || axes[wanted] === axis) {
        told.say(t(`learn.coordinates.done.${axis}`, { square: shown(to) }), 'good');
        if (wanted >= 0) list.tick(wanted);
      } else {
        told.say(t('learn.coordinates.other', { axis: t(`axis.${axis}`), wanted: t(`axis.${axes[wanted]}`) }), 'bad');
      }
      if (list.next() < 0) told.say(t('learn.coordinates.all'), 'good');
      return true;
    },
  });
  tell(at);
  show();
  return { panel: h('div', { class: 'lesson-text' }, ...paragraphs('learn.coordinates.text', 'tess.axes', 'learn.coordinates.how'), read, list.el, told.el), stage: table.el, leave: table.leave };
}
