// `/puzzles`: all of them with what has been solved, and one at a time to solve by moving.
/** @import {Send, State, View} from '../types.js' */
/** @import {Judged, Puzzle} from '../net/positions.js' */

import { geometryOf } from '../games/index.js';
import { t } from '../i18n.js';
import { loadProgress, nextPuzzle, saveProgress, withPuzzle } from '../learn/progress.js';
import { askAnswer, askPuzzles, askVerdict } from '../net/positions.js';
import { Refusal } from '../net/rest.js';
import { sideToMove } from '../position.js';
import { h, icon, setText, show } from './dom.js';
import { button, feedback } from './learn/parts.js';
import { stage } from './learn/stage.js';
import { emptyPage } from './lists.js';
import { mateCard } from './mate.js';

/** Asked for once. @type {Puzzle[]} */
let known = [];

/** What kind of puzzle it is: the words for its goal. @param {Puzzle} puzzle */
const kindOf = ({ variant, moves }) => `${variant === 'parallel-worlds' ? 'king' : 'mate'}_${moves}`;
const KINDS = ['mate_1', 'mate_2', 'king_1', 'king_2'];
/** Long enough to see one's own move before the answer. */
const PAUSE_MS = 450;

const path = (/** @type {string} */ id) => `/puzzles/${id}`;

/** @param {Send} send @returns {View} */
export function puzzlesPage(send) {
  const el = h('div', {}, h('p', { class: 'loading', role: 'status' }, t('loading')));
  /** @type {{el?: HTMLElement, leave?: () => void} | null} */
  let inside = null;
  return {
    el,
    /** @param {State} state */
    update({ route, prefs }) {
      if (inside) return;
      inside = {};
      const own = inside;
      const enter = async () => {
        if (!known.length) known = await askPuzzles();
        // Left meanwhile.
        if (inside !== own) return;
        const puzzle = known.find(({ id }) => id === route.id);
        const page = puzzle ? solving(puzzle, prefs, send) : route.id ? { el: emptyPage(t('notfound.title'), t('notfound.text')) } : overview();
        inside = page;
        el.replaceChildren(page.el);
      };
      enter().catch((error) => {
        if (!(error instanceof Refusal)) throw error;
        send({ type: 'problem', problem: { code: error.code, detail: error.detail } });
      });
    },
    leave() {
      inside?.leave?.();
      inside = {};
    },
  };
}

/** Every puzzle by its number, those of a kind together. @param {string} [here] */
function listOf(here) {
  const { puzzles } = loadProgress();
  return KINDS.map((kind) => {
    const own = known.filter((puzzle) => kindOf(puzzle) === kind);
    const solved = own.filter(({ id }) => puzzles[id] === 'solved').length;
    return own.length ? h('section', { class: 'puzzle-kind' },
      h('h2', {}, t(`puzzle.kind.${kind}`), h('small', { class: 'tab' }, ` ${t('puzzle.solved_of', { n: solved, all: own.length })}`)),
      h('ol', { class: 'puzzle-numbers' }, ...own.map(({ id }, i) => h('li', {}, h('a', {
        href: path(id), 'data-puzzle': id, 'data-how': puzzles[id], 'aria-current': id === here ? 'page' : null,
        'aria-label': [t('puzzle.number', { n: i + 1 }), puzzles[id] && t(`puzzle.how.${puzzles[id]}`)].filter(Boolean).join(', '),
      }, h('span', { class: 'tab' }, String(i + 1))))))) : null;
  });
}

function overview() {
  const next = nextPuzzle(known, loadProgress(), null);
  return {
    el: h('div', { class: 'page puzzles' }, h('h1', {}, t('puzzle.title')), h('p', { class: 'lead' }, t('puzzle.lead')),
      next && h('p', {}, h('a', { class: 'button primary big', href: path(next), 'data-action': 'start-puzzles' }, icon('next'), h('span', {}, t('puzzle.start')))),
      ...listOf()),
  };
}

/** @param {Puzzle} puzzle @param {State['prefs']} prefs @param {Send} send */
function solving(puzzle, prefs, send) {
  const { id, variant, fen, moves } = puzzle;
  const { lan, shown, split } = geometryOf(variant);
  const side = sideToMove(fen);
  const table = stage(variant, { prefs, words: true });
  const kind = kindOf(puzzle);
  const number = known.filter((other) => kindOf(other) === kind).findIndex((other) => other.id === id) + 1;
  /** Every turn since the beginning, replies included. @type {string[]} */
  let line = [];
  let locked = false;
  let helped = false;
  let hinted = false;
  let timer = 0;
  const told = feedback();
  const hint = button(t('puzzle.hint'), giveHint, { name: 'hint' });
  const answer = button(t('puzzle.answer'), showAnswer, { name: 'answer' });
  const again = button(t('puzzle.again'), begin, { kind: 'primary', name: 'try-again', picture: 'undo' });
  const next = h('a', { class: 'button primary', 'data-action': 'next-puzzle' }, h('span', {}, t('puzzle.next')), icon('next'));
  const mate = mateCard(table.send);
  mate.el.classList.add('card');
  const toMove = h('p', { class: 'puzzle-side' }, h('i', { class: `pip ${side}`, 'aria-hidden': 'true' }), t(`status.${side}_to_move`));
  const numbers = h('div', { class: 'puzzle-list' });
  const moved = (/** @type {{lan: string}} */ played) => lan(played.lan).join(', ');

  function drawList() {
    numbers.replaceChildren(...listOf(id).filter((section) => section !== null));
    next.href = path(nextPuzzle(known, loadProgress(), id) ?? id);
  }

  function begin() {
    clearTimeout(timer);
    line = [];
    locked = false;
    show(again, false);
    show(next, false);
    show(hint, true);
    show(answer, true);
    rest(false);
    told.say(t(`puzzle.goal.${kind}`, { color: t(`color.${side}`) }));
    table.open(fen);
  }

  /** It has come to an end, for better or worse: nobody is asked to move any more. @param {boolean} yes */
  function rest(yes) {
    show(toMove, !yes);
    table.rest(yes);
  }

  /** @param {Judged} judged */
  function judge({ verdict, played, reply }) {
    line = [...line, played.turn];
    table.play(played);
    if (verdict === 'solved') return finish(t(helped ? 'puzzle.helped' : 'puzzle.solved', { move: moved(played) }), helped ? '' : 'good');
    if (verdict === 'right') told.say(t('puzzle.right', { move: moved(played) }), 'good');
    locked = true;
    timer = setTimeout(() => {
      if (reply) {
        line = [...line, reply.turn];
        table.play(reply);
      }
      if (verdict === 'right') {
        locked = false;
        told.say(t('puzzle.go_on', { move: reply ? moved(reply) : '', n: moves - Math.ceil(line.length / 2) }), 'good');
        return;
      }
      rest(true);
      told.say(t(whyWrong(played, reply), { move: moved(played), reply: reply ? moved(reply) : '' }), 'bad');
      show(again, true);
      again.focus();
    }, PAUSE_MS);
  }

  /** @param {Judged['played']} played @param {Judged['reply']} reply */
  function whyWrong(played, reply) {
    if (played.end) return 'puzzle.wrong.draw';
    if (!reply) return 'puzzle.wrong.late';
    if (reply.end) return reply.end.outcome === 'draw' ? 'puzzle.wrong.draw' : 'puzzle.wrong.lost';
    return kind.startsWith('mate') && played.check ? 'puzzle.wrong.check' : `puzzle.wrong.${kind.startsWith('mate') ? 'mate' : 'king'}`;
  }

  /** @param {string} text @param {'good' | ''} kind */
  function finish(text, kind) {
    locked = true;
    rest(true);
    told.say(text, kind);
    saveProgress((progress) => withPuzzle(progress, id, helped ? 'helped' : 'solved'));
    drawList();
    show(hint, false);
    show(answer, false);
    show(next, true);
    next.focus();
  }

  async function giveHint() {
    await table.attempt(async () => {
      const { answer: turn } = await askAnswer(id);
      const { from, to } = split(turn);
      await resetTo(from);
      told.say(hinted ? t('puzzle.hint_to', { from: shown(from), to: shown(to) }) : t('puzzle.hint_from', { square: shown(from) }));
      hinted = true;
    });
  }

  /** The position as it began, with a piece picked up. @param {string} selected */
  async function resetTo(selected) {
    begin();
    await table.open(fen, { selected });
  }

  async function showAnswer() {
    await table.attempt(async () => {
      const { answer: turn } = await askAnswer(id);
      begin();
      helped = true;
      judge(await askVerdict(id, [turn]));
    });
  }

  table.hear({
    drawn: ({ game }) => game && mate.update(game),
    square: () => locked,
    move(move) {
      locked = true;
      table.attempt(async () => {
        try {
          const judged = await askVerdict(id, [...line, move]);
          locked = false;
          judge(judged);
        } catch (error) {
          locked = false;
          table.takeBack();
          throw error;
        }
      });
      return true;
    },
  });
  drawList();
  begin();
  const el = h('div', { class: 'page lesson puzzle', 'data-puzzle': id },
    h('div', { class: 'lesson-grid' },
      h('section', { class: 'lesson-side' },
        h('p', { class: 'lesson-kind' }, h('a', { href: '/puzzles' }, t('puzzle.title')), ` · ${t(`variant.${variant}`)}`),
        h('h1', {}, t(`puzzle.kind.${kind}`), h('small', { class: 'tab' }, ` ${number}`)),
        h('div', { class: 'card puzzle-card' }, toMove, told.el, h('div', { class: 'row' }, again, next, mate.button, hint, answer)), mate.el),
      table.el,
      h('footer', { class: 'lesson-foot puzzle-foot' }, numbers)));
  return {
    el,
    leave() {
      clearTimeout(timer);
      table.leave();
    },
  };
}
