// The moves of an analysis: the main line in rows as on a game page, alternatives below the move to which they are one.
/** @import {Geometry} from '../../types.js' */
/** @import {Line, Tree} from '../../analysis/tree.js' */

import { canCut, outline, variationOf } from '../../analysis/tree.js';
import { t } from '../../i18n.js';
import { fullmoveOf, sideToMove } from '../../position.js';
import { h, icon, setAttr, whenChanged } from '../dom.js';

/**
 * @param {Geometry} geometry
 * @param {{go: (id: number) => void, step: (by: number) => void, end: (last: boolean) => void, promote: () => void, cut: () => void}} acts
 */
export function treeList(geometry, acts) {
  const list = h('div', { class: 'moves tab tree', click: pressed });
  const none = h('p', { class: 'quiet' }, t('analysis.no_moves'));
  const scroller = h('div', { class: 'moves-scroll', tabindex: '0', role: 'group', 'aria-label': t('moves.label') }, list, none);
  /** @type {[string, string, () => void][]} */
  const steps = [['first', 'moves.first', () => acts.end(false)], ['prev', 'moves.prev', () => acts.step(-1)], ['next', 'moves.next', () => acts.step(1)], ['last', 'analysis.last', () => acts.end(true)]];
  const buttons = steps.map(([name, key, click]) => h('button', { type: 'button', class: 'bare', 'data-step': name, 'aria-label': t(key), title: t(key), click }, icon(name)));
  const promote = h('button', { type: 'button', class: 'bare', 'data-action': 'promote', 'aria-label': t('analysis.promote'), title: t('analysis.promote'), click: acts.promote }, icon('up'));
  const cut = h('button', { type: 'button', class: 'bare', 'data-action': 'cut', 'aria-label': t('analysis.cut'), title: t('analysis.cut'), click: acts.cut }, icon('cross'));
  const el = h('section', { class: 'card move-card', 'aria-label': t('moves.label') }, scroller, h('div', { class: 'steps' }, ...buttons, promote, cut));
  /** @type {Map<number, HTMLElement>} */
  const entries = new Map();
  /** @type {HTMLElement | undefined} */
  let current;

  /** @param {Event} event */
  function pressed(event) {
    const id = event.target instanceof Element ? event.target.closest('[data-node]')?.getAttribute('data-node') : null;
    if (id) acts.go(Number(id));
  }

  /** `12.` for White's and `12…` for Black's. @param {Tree} tree @param {number} id */
  function numberOf(tree, id) {
    const { fen } = tree.nodes[tree.nodes[id].parent ?? 0];
    return `${fullmoveOf(fen)}${sideToMove(fen) === 'white' ? '.' : '…'}`;
  }

  /** @param {Tree} tree @param {number} id @param {string} number */
  function entry(tree, id, number) {
    const el = h('button', { type: 'button', 'data-node': id, 'data-given': tree.nodes[id].given !== null },
      number && h('span', { class: 'number' }, number), h('span', { class: 'turn' }, ...geometry.lan(tree.nodes[id].lan).map((move) => h('span', {}, move))));
    entries.set(id, el);
    return el;
  }

  /** One alternative with those to its own moves, as it would be written in brackets. @param {Tree} tree @param {Line} line @returns {HTMLElement} */
  function variation(tree, line) {
    const numbered = line.map(({ id, others }, i) => [
      entry(tree, id, i === 0 || sideToMove(tree.nodes[tree.nodes[id].parent ?? 0].fen) === 'white' || line[i - 1].others.length ? numberOf(tree, id) : ''),
      ...others.map((other) => variation(tree, other)),
    ]);
    return h('div', { class: 'variation', role: 'group', 'aria-label': t('analysis.variation') }, ...numbered.flat());
  }

  const draw = whenChanged((/** @type {Tree} */ tree) => {
    entries.clear();
    current = undefined;
    /** @type {HTMLElement[]} */
    const rows = [];
    /** The row that waits for Black's move. @type {HTMLElement | null} */
    let row = null;
    for (const { id, others } of outline(tree)) {
      const white = sideToMove(tree.nodes[tree.nodes[id].parent ?? 0].fen) === 'white';
      if (white || !row) {
        row = h('div', { class: 'row-of' }, h('span', { class: 'number' }, numberOf(tree, id).replace('…', '.')), !white && h('span', { class: 'quiet' }, '…'));
        rows.push(row);
      }
      row.append(entry(tree, id, ''));
      if (others.length) rows.push(...others.map((other) => variation(tree, other)));
      if (others.length || !white) row = null;
    }
    list.replaceChildren(...rows);
    none.hidden = rows.length > 0;
  });

  return {
    el,
    /** @param {Tree} tree @param {number} at */
    update(tree, at) {
      draw(tree);
      buttons[0].disabled = buttons[1].disabled = at === 0;
      buttons[2].disabled = buttons[3].disabled = !tree.nodes[at].children.length;
      promote.disabled = variationOf(tree, at) === null;
      cut.disabled = !canCut(tree, at);
      const next = entries.get(at);
      if (next === current && next) return;
      if (current) setAttr(current, 'aria-current', null);
      current = next;
      if (current) setAttr(current, 'aria-current', 'true');
      scroller.scrollTop = current ? current.offsetTop - scroller.clientHeight / 2 : 0;
    },
  };
}
