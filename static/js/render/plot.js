// A finished game at a glance: how long each move took, and, once the engine is asked, how it stood after each.
/** @import {GameInfo} from '../types.js' */

import { isOpenAtEnd, judgeAll, keepVerdicts, verdictsOf } from '../analysis/judge.js';
import { chanceWay, columnAt, plyAt, timeBars } from '../analysis/plot.js';
import { chanceOf, verdictAtEnd, verdictOf } from '../analysis/score.js';
import { spentText } from '../format.js';
import { geometryOf } from '../games/index.js';
import { problemText, t } from '../i18n.js';
import { askEngine } from '../net/analysis.js';
import { Refusal } from '../net/rest.js';
import { fullmoveOf, sideToMove } from '../position.js';
import { h, setAttr, setText, show, svg } from './dom.js';
import { verdictSign } from './verdict.js';

const SIZE = { width: 600, height: 96 };
/** A glance at each position; there are many. */
const THINK_MS = 250;

/**
 * @param {GameInfo} game with its moves
 * @param {{go: (ply: number) => void}} acts
 */
export function plotCard({ id, variant, moves = [], start_fen, outcome, termination }, { go }) {
  const { lan } = geometryOf(variant);
  const plies = moves.length;
  const black = sideToMove(start_fen) === 'black';
  const first = fullmoveOf(start_fen);
  const verdicts = verdictsOf(id, plies);
  const colorOf = (/** @type {number} */ ply) => ((ply % 2 === 1) !== black ? 'white' : 'black');
  const nameOf = (/** @type {number} */ ply) => {
    const half = ply - 1 + (black ? 1 : 0);
    return `${first + Math.floor(half / 2)}${half % 2 ? '…' : '.'} ${lan(moves[ply - 1].lan).join(', ')}`;
  };
  /** @type {AbortController | null} */
  let running = null;

  const bars = timeBars(moves.map(({ spent_ms }) => spent_ms), { ...SIZE, black });
  const area = svg('path', { class: 'plot-area' });
  const way = svg('path', { class: 'plot-way' });
  const here = svg('path', { class: 'plot-here' });
  const picture = svg('svg', { class: 'plot', viewBox: `0 0 ${SIZE.width} ${SIZE.height}`, preserveAspectRatio: 'none', role: 'img', 'aria-label': summary() },
    area, ...bars.map(({ x, y, width, height, ply }) => svg('rect', { class: `plot-bar ${colorOf(ply)}`, x: x.toFixed(1), y: y.toFixed(1), width: width.toFixed(1), height: height.toFixed(1) })),
    svg('path', { class: 'plot-middle', d: `M0 ${SIZE.height / 2}H${SIZE.width}` }), way, here);
  const title = h('h2', {});
  const under = h('span', { class: 'plot-under tab' });
  const line = h('span', { class: 'plot-line' }, t('plot.way'));
  const key = h('span', { class: 'plot-key' }, h('i', { class: 'pip white' }), t('plot.white'), h('i', { class: 'pip black' }), t('plot.black'), line);
  const judge = h('button', { type: 'button', class: 'small', 'data-action': 'judge', click: () => (running ? running.abort() : start()) });
  const note = h('span', { class: 'plot-note', role: 'status' });
  const table = h('details', { class: 'plot-table', toggle: () => table.open && drawTable() }, h('summary', {}, t('plot.table')));
  const el = h('section', { class: 'card plot-card', 'aria-label': t('plot.title'), hidden: plies === 0 },
    title, h('p', { class: 'plot-how' }, t('plot.how')), h('div', { class: 'plot-frame' }, picture), h('div', { class: 'plot-row' }, key, under, note, judge), table);

  const at = (/** @type {PointerEvent | MouseEvent} */ event) => {
    const { left, width } = picture.getBoundingClientRect();
    return plyAt(event.clientX - left, plies, width);
  };
  picture.addEventListener('click', (event) => go(at(event)));
  picture.addEventListener('pointermove', (event) => tell(at(event)));
  picture.addEventListener('pointerleave', () => tell(shown));
  /** @type {number | null} */
  let shown = null;

  /** @param {number | null} ply */
  function tell(ply) {
    if (!ply || ply > plies) return setText(under, '');
    const verdict = verdicts[ply - 1];
    setText(under, [nameOf(ply), t('plot.seconds', { time: spentText(moves[ply - 1].spent_ms) }), verdict && verdictSign(verdict)].filter((part) => part).join(' · '));
  }

  function summary() {
    const spent = (/** @type {string} */ color) => spentText(moves.reduce((sum, { spent_ms }, i) => sum + (colorOf(i + 1) === color ? spent_ms : 0), 0));
    const longest = moves.reduce((most, { spent_ms }, i) => (spent_ms > moves[most].spent_ms ? i : most), 0);
    if (!plies) return '';
    return t('plot.label', { n: plies, white: spent('white'), black: spent('black'), move: nameOf(longest + 1), time: spentText(moves[longest].spent_ms) });
  }

  function draw() {
    const shape = chanceWay(verdicts.map((verdict) => verdict && chanceOf(verdict)), SIZE);
    setAttr(area, 'd', shape.area || null);
    setAttr(way, 'd', shape.way || null);
    const known = verdicts.filter((verdict) => verdict).length;
    show(line, known > 0);
    setText(title, t(known ? 'plot.title' : 'plot.times'));
    show(judge, outcome !== null && (known < plies || running !== null));
    setText(judge, t(running ? 'analysis.stop' : known ? 'plot.judge_on' : 'plot.judge'));
    if (running) setText(note, t('plot.progress', { done: known, all: plies }));
    if (table.open) drawTable();
  }

  /** The same in words and numbers. */
  function drawTable() {
    const head = h('tr', {}, ...['plot.move', 'plot.time', 'plot.verdict'].map((name) => h('th', { scope: 'col' }, t(name))));
    const rows = moves.map(({ spent_ms }, i) => {
      const verdict = verdicts[i];
      return h('tr', {}, h('th', { scope: 'row' }, h('button', { type: 'button', class: 'quiet-button', click: () => go(i + 1) }, nameOf(i + 1))), h('td', {}, spentText(spent_ms)), h('td', {}, verdict ? verdictSign(verdict) : '–'));
    });
    table.replaceChildren(/** @type {Node} */ (table.firstChild), h('div', { class: 'plot-scroll', tabindex: '0', role: 'group', 'aria-label': t('plot.table') }, h('table', { class: 'tab' }, h('thead', {}, head), h('tbody', {}, ...rows))));
  }

  async function start() {
    const mine = new AbortController();
    running = mine;
    draw();
    try {
      await judgeAll(verdicts, {
        ask: (ply) => ask(ply, mine.signal),
        wait: (ms) => new Promise((done) => {
          const timer = setTimeout(done, ms);
          mine.signal.addEventListener('abort', () => done(clearTimeout(timer)));
        }),
        told(ms) {
          draw();
          keepVerdicts(id, verdicts);
          if (ms) setText(note, t('analysis.wait', { n: Math.ceil(ms / 1000) }));
          tell(shown);
        },
        given_up: () => mine.signal.aborted,
      });
      setText(note, '');
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      setText(note, problemText(error));
    } finally {
      running = null;
      draw();
    }
    if (mine.signal.aborted) setText(note, '');
  }

  /** @param {number} ply @param {AbortSignal} signal */
  async function ask(ply, signal) {
    // Nothing is to be thought about a game that its rules have ended.
    if (ply === plies && !isOpenAtEnd(termination)) return verdictAtEnd(outcome ?? '');
    const { score } = await askEngine({ game: id, ply }, THINK_MS, signal);
    return verdictOf(score, sideToMove(moves[ply - 1].fen));
  }

  draw();
  return {
    el,
    /** @param {number | null} ply that is shown; null where none of the game's is */
    update(ply) {
      if (ply === shown) return;
      shown = ply;
      setAttr(here, 'd', ply ? `M${columnAt(ply, plies, SIZE.width).toFixed(1)} 0V${SIZE.height}` : null);
      tell(ply);
    },
    leave: () => running?.abort(),
  };
}
