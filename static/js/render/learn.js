// `/learn` and its lessons: words on one side, a table to play on on the other.
/** @import {Send, State, View} from '../types.js' */
/** @import {Lesson, Room} from './learn/parts.js' */

import { t } from '../i18n.js';
import { LESSONS, loadProgress, nextLesson, saveProgress, STEPS, withLesson } from '../learn/progress.js';
import { h, icon, setAttr, setText, show } from './dom.js';
import { coordinates } from './learn/coordinates.js';
import { count } from './learn/count.js';
import { ends } from './learn/ends.js';
import { keys } from './learn/keys.js';
import { reach } from './learn/reach.js';
import { setup } from './learn/setup.js';
import { fenOf, stage } from './learn/stage.js';
import { threats } from './learn/threats.js';
import { tryIt } from './learn/try.js';
import { worlds } from './learn/worlds.js';
import { askReach } from '../net/positions.js';

/** @type {Record<string, (room: Room) => Lesson>} */
const ROOMS = { coordinates, reach, count, threats, setup, ends, keys, try: tryIt, worlds };

const path = (/** @type {string} */ id) => `/learn/${id}`;

/** @param {Send} send @returns {View} */
export function learnPage(send) {
  const el = h('div', {});
  /** @type {{leave: () => void} | null} */
  let inside = null;
  return {
    el,
    /** @param {State} state */
    update({ route, prefs }) {
      if (inside) return;
      const id = route.id ?? '';
      const page = Object.hasOwn(ROOMS, id) ? lesson(id, { prefs, send }) : overview(prefs, send);
      inside = page;
      el.replaceChildren(page.el);
    },
    leave: () => inside?.leave(),
  };
}

/** @param {string} id @param {Pick<Room, 'prefs' | 'send'>} room */
function lesson(id, { prefs, send }) {
  const at = LESSONS.indexOf(id);
  const links = LESSONS.map((name, i) => h('a', { href: path(name), 'aria-current': name === id ? 'page' : null, 'data-lesson': name },
    h('b', { class: 'tab' }, String(i + 1)), h('span', {}, t(`learn.${name}.short`)), h('span', { class: 'unseen done-word' })));
  const finished = h('p', { class: 'finished', role: 'status' });
  const after = LESSONS[at + 1];
  const next = h('a', { class: 'button', href: after ? path(after) : '/puzzles', 'data-action': 'next-lesson' }, h('span', {}, after ? t(`learn.${after}.title`) : t('puzzle.title')), icon('next'));
  const back = LESSONS[at - 1];
  const drawDone = (/** @type {string[]} */ lessons) => links.forEach((link) => {
    const is = lessons.includes(link.dataset.lesson ?? '');
    setAttr(link, 'data-done', is);
    setText(/** @type {Node} */ (link.lastChild), is ? t('learn.done') : '');
  });
  drawDone(loadProgress().lessons);
  show(finished, false);
  const { panel, stage: table, leave } = ROOMS[id]({
    prefs,
    send,
    done() {
      drawDone(saveProgress((progress) => withLesson(progress, id)).lessons);
      setText(finished, t('learn.lesson_done'));
      show(finished, true);
      next.classList.add('primary');
    },
  });
  const el = h('div', { class: 'page lesson', 'data-lesson': id },
    h('nav', { class: 'lesson-nav', 'aria-label': t('learn.lessons') }, h('a', { class: 'lesson-home', href: '/learn' }, icon('prev'), h('span', {}, t('learn.title'))), h('div', { class: 'lesson-links' }, ...links)),
    h('div', { class: 'lesson-grid' },
      h('section', { class: 'lesson-side' }, h('p', { class: 'lesson-kind' }, at < STEPS ? t('learn.step_of', { n: at + 1, all: STEPS }) : t('learn.more_kind')), h('h1', {}, t(`learn.${id}.title`)), panel),
      table,
      h('footer', { class: 'lesson-foot' }, back ? h('a', { class: 'button', href: path(back), 'aria-label': t('learn.previous', { lesson: t(`learn.${back}.title`) }) }, icon('prev')) : null, finished, next)));
  requestAnimationFrame(() => links[at].scrollIntoView({ block: 'nearest', inline: 'center' }));
  return { el, leave };
}

/** @param {State['prefs']} prefs @param {Send} send */
function overview(prefs, send) {
  const { lessons } = loadProgress();
  const go = nextLesson({ lessons, puzzles: {} });
  const card = (/** @type {string} */ id, /** @type {number} */ i) => h('li', {}, h('a', { class: 'lesson-card', href: path(id), 'data-lesson': id, 'data-done': lessons.includes(id) },
    h('b', { class: 'tab lesson-number', 'aria-hidden': 'true' }, lessons.includes(id) ? '✓' : String(i + 1)),
    h('span', {}, h('strong', {}, t(`learn.${id}.title`)), h('small', {}, t(`learn.${id}.about`)), lessons.includes(id) && h('span', { class: 'unseen' }, t('learn.done')))));
  // A tesseract to turn, with all that a queen reaches.
  const picture = stage('fourfold', { prefs });
  picture.hear({ square: () => true });
  picture.attempt(async () => {
    const { moves } = await askReach('fourfold', 'wQ', 'b2@00');
    picture.set({ fen: fenOf('fourfold', { 'b2@00': 'wQ' }), legal: moves.map((to) => `b2@00${to}`), selected: 'b2@00' });
  });
  const el = h('div', { class: 'page learn' },
    h('section', { class: 'learn-head' }, h('h1', {}, t('learn.heading')), h('p', { class: 'lead' }, t('learn.lead')),
      h('p', {}, h('a', { class: 'button primary big', href: go ? path(go) : '/puzzles', 'data-action': 'start-learning' }, icon('next'),
        h('span', {}, go === null ? t('puzzle.title') : lessons.length ? t('learn.go_on', { lesson: t(`learn.${go}.title`) }) : t('learn.start'))))),
    h('div', { class: 'learn-picture' }, picture.el),
    h('ol', { class: 'lesson-cards steps-list' }, ...LESSONS.slice(0, STEPS).map(card)),
    h('h2', {}, t('learn.then')),
    h('ul', { class: 'lesson-cards' }, ...LESSONS.slice(STEPS).map((id, i) => card(id, i + STEPS)),
      h('li', {}, h('a', { class: 'lesson-card', href: '/puzzles' }, h('b', { class: 'tab lesson-number', 'aria-hidden': 'true' }, '#'), h('span', {}, h('strong', {}, t('puzzle.title')), h('small', {}, t('puzzle.about'))))),
      h('li', {}, h('button', { type: 'button', class: 'lesson-card', 'data-action': 'play-computer', click: () => send({ type: 'want.computer', variant: 'fourfold-classic', level: 1, color: 'white', time: null }) },
        h('b', { class: 'tab lesson-number', 'aria-hidden': 'true' }, '1'), h('span', {}, h('strong', {}, t('learn.computer')), h('small', {}, t('learn.computer_about')))))));
  return { el, leave: picture.leave };
}
