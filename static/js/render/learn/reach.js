// The second step: every piece's reach, from b2 of the bottom-left board and from wherever it is taken.
/** @import {Lesson, Room} from './parts.js' */

import { listText, t } from '../../i18n.js';
import { askReach } from '../../net/positions.js';
import { h, pieceImage, setAttr, setText } from '../dom.js';
import { button } from './parts.js';
import { fenOf, stage } from './stage.js';

const VARIANT = 'fourfold';
const START = 'b2@00';
const ROLES = ['R', 'B', 'Q', 'K', 'N', 'P'];

/** @param {Room} room @returns {Lesson} */
export function reach({ prefs, done }) {
  const table = stage(VARIANT, { prefs });
  const { changes, shown, split } = table.geometry;
  const seen = new Set();
  let role = 'R';
  let at = START;
  const inputs = ROLES.map((value) => {
    const input = h('input', { type: 'radio', name: 'reach-piece', value, checked: value === role, change: () => choose(value) });
    return h('label', { 'data-role': value }, input, h('span', {}, pieceImage(`w${value}`), h('small', {}, t(`role.${value}`))));
  });
  const chooser = h('fieldset', { class: 'choice piece-choice' }, h('legend', { class: 'unseen' }, t('learn.reach.choose')), ...inputs);
  const head = h('h2', {});
  const rule = h('p', { class: 'rule' });
  const total = h('p', { class: 'reach-total', role: 'status' });
  const counts = h('ul', { class: 'reach-counts' });
  const left = h('p', { class: 'quiet' });
  const back = button(t('learn.reach.back', { square: shown(START) }), () => { at = START; show(); }, { kind: 'small', name: 'back-to-start' });

  /** @param {string} value */
  function choose(value) {
    role = value;
    show();
  }

  /** @param {string} [last] */
  async function show(last) {
    const [piece, from] = [role, at];
    await table.attempt(async () => {
      const { moves, captures } = await askReach(VARIANT, `w${piece}`, from);
      if (piece !== role || from !== at) return;
      // A pawn captures where it does not go: something stands there to be captured.
      const only = captures.filter((square) => !moves.includes(square));
      const all = [...moves, ...only];
      const pieces = { ...Object.fromEntries(only.map((square) => [square, 'bP'])), [from]: `w${piece}` };
      table.set({ fen: fenOf(VARIANT, pieces), legal: all.map((to) => from + to), selected: from, last });
      tell(all, moves.length, only.length);
    });
  }

  /** @param {string[]} all @param {number} moves @param {number} only squares on which it only captures */
  function tell(all, moves, only) {
    seen.add(role);
    if (seen.size === ROLES.length) done();
    setText(head, t('status.selected', { piece: t(`role.${role}`), square: shown(at) }));
    setText(rule, t(`rule.${role}`));
    setText(total, only ? `${t('learn.reach.squares', { n: moves })} ${t('learn.reach.captures', { n: only })}` : t('learn.reach.squares', { n: all.length }));
    const groups = [1, 2, 3, 4].map((n) => ({ n, to: all.filter((square) => changes(at, square).filter((c) => c.by).length === n) })).filter(({ to }) => to.length);
    counts.replaceChildren(...groups.map(({ n, to }) => h('li', {}, h('b', { class: 'tab' }, String(to.length)), h('span', {}, t('learn.reach.changing', { n })))));
    const rest = ROLES.filter((r) => !seen.has(r)).map((r) => t(`role_in.${r}`));
    setText(left, rest.length ? t('learn.reach.left', { pieces: listText(rest) }) : t('learn.reach.all'));
    back.disabled = at === START;
    for (const label of inputs) setAttr(label, 'data-seen', seen.has(label.dataset.role));
  }

  table.hear({
    square: (square) => square === at,
    move(move) {
      at = split(move).to;
      show(move);
      return true;
    },
  });
  show();
  return {
    panel: h('div', { class: 'lesson-text' }, h('p', {}, t('learn.reach.text')), chooser, h('div', { class: 'card reach-card' }, head, rule, total, counts), h('div', { class: 'row' }, back), left),
    stage: table.el,
    leave: table.leave,
  };
}
