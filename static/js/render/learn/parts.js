// What lessons are made of.
import { t } from '../../i18n.js';
import { h, icon, setAttr, setText, whenChanged } from '../dom.js';
/** @import {AxisChange, Geometry, Prefs, Send} from '../../types.js' */

/**
 * What a lesson is given.
 * @typedef {object} Room
 * @property {Prefs} prefs
 * @property {Send} send
 * @property {() => void} done the lesson has been gone through
 */
/**
 * A lesson on the page: words and controls on one side, a table on the other.
 * @typedef {object} Lesson
 * @property {HTMLElement} panel
 * @property {HTMLElement} stage
 * @property {() => void} leave
 */

/** A line that tells how it went, to the eye and the ear. */
export function feedback() {
  const el = h('p', { class: 'feedback', role: 'status' });
  return {
    el,
    /** @param {string} text @param {'good' | 'bad' | ''} [kind] */
    say(text, kind = '') {
      setAttr(el, 'data-kind', kind || null);
      setText(el, text);
    },
  };
}

/** Things to do, one after another or in any order, each ticked once it is done. @param {string[]} texts @param {() => void} whole when all are */
export function tasks(texts, whole) {
  const items = texts.map((text) => h('li', {}, h('span', { class: 'tick', 'aria-hidden': 'true' }), h('span', {}, text), h('span', { class: 'unseen' })));
  const el = h('ol', { class: 'tasks' }, ...items);
  const done = new Set();
  const next = () => texts.findIndex((_, i) => !done.has(i));
  const draw = () => items.forEach((item, i) => {
    setAttr(item, 'data-done', done.has(i));
    setAttr(item, 'aria-current', i === next() ? 'step' : null);
    setText(/** @type {Node} */ (item.lastChild), done.has(i) ? t('learn.task_done') : '');
  });
  draw();
  return {
    el,
    /** The first that is not done; -1 when all are. */
    next,
    /** @param {number} i */
    tick(i) {
      if (done.has(i)) return;
      done.add(i);
      draw();
      if (done.size === texts.length) whole();
    },
  };
}

/** One chip for each coordinate, those that change in bold. */
export function chips() {
  const el = h('p', { class: 'chips' });
  const draw = whenChanged((/** @type {string} */ key) => {
    el.replaceChildren(...JSON.parse(key).map((/** @type {AxisChange} */ c) => h('span', { class: `chip tab${c.by ? ' on' : ''}`, 'data-axis': c.axis },
      `${t(`axis.${c.axis}`)} ${c.by ? `${c.from}→${c.to}` : c.from}`)));
  });
  return {
    el,
    /** @param {Geometry} geometry @param {string} from @param {string} to nothing to show no move */
    show: (geometry, from, to) => draw(JSON.stringify(from ? geometry.changes(from, to) : [])),
  };
}

/** @param {string} text @param {() => void} click @param {{kind?: string, name?: string, picture?: string}} [more] */
export function button(text, click, { kind = '', name, picture } = {}) {
  return h('button', { type: 'button', class: kind, 'data-action': name, click }, picture && icon(picture), h('span', {}, text));
}

/** @param {...string} keys */
export const paragraphs = (...keys) => keys.map((key) => h('p', {}, t(key)));
