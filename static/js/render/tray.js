// The turn while it is put together: its moves, the levels they have used, and how it ends.
/** @import {GameState, Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { fenAt, geometryIn, pendingMove } from '../position.js';
import { standing, usedBoards } from '../turn.js';
import { canMove } from '../update/turn.js';
import { h, icon, pieceImage, setAttr, setText, show, whenChanged } from './dom.js';
import { reasonText } from './say.js';

/** @param {Send} send */
export function turnTray(send) {
  const levels = h('span', { class: 'levels', role: 'img' });
  const list = h('ol', { class: 'tray-moves' });
  const hint = h('p', { class: 'tray-hint' });
  const undo = h('button', {
    type: 'button', class: 'tray-undo', 'data-action': 'undo-move', 'aria-label': t('tray.undo'), title: t('tray.undo_title'), 'aria-keyshortcuts': 'Backspace',
    click: () => send({ type: 'game.undo' }),
  }, icon('undo'));
  const end = h('button', {
    type: 'button', class: 'primary tray-end', 'data-action': 'end-turn', title: t('tray.end_title'), 'aria-keyshortcuts': 'Shift+Enter',
    click: () => send({ type: 'game.end-turn' }),
  }, icon('check'), h('span', {}, t('tray.end')));
  const el = h('section', { class: 'tray', 'aria-label': t('tray.label'), hidden: true }, levels, list, hint, h('div', { class: 'tray-acts' }, undo, end));

  const drawLevels = whenChanged((/** @type {string} */ key) => {
    const marks = key.split(' ').map((mark) => ({ id: mark.slice(1), used: mark[0] === '+' }));
    levels.replaceChildren(...marks.map(({ id, used }) => h('i', { 'data-level': id, 'data-used': used }, id)));
    const used = marks.filter((mark) => mark.used).map((mark) => mark.id).join(', ');
    setAttr(levels, 'aria-label', used ? t('tray.used', { levels: used }) : t('tray.unused'));
  });
  const drawMoves = whenChanged((/** @type {string} */ key) => {
    const { moves, slots } = JSON.parse(key);
    list.replaceChildren(...Array.from({ length: Math.max(slots, moves.length) }, (_, i) => {
      if (!moves[i]) return h('li', { class: 'slot', 'aria-hidden': 'true' }, String(i + 1));
      const [piece, text] = moves[i];
      return h('li', { class: 'tab', 'data-tray-move': i }, piece ? pieceImage(piece) : '', h('span', {}, text));
    }));
  });

  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const { most, boards, split, shown } = geometryIn(game);
      const slots = most(fenAt(game));
      const pending = pendingMove(game, state.outbox) !== null;
      const mine = canMove(state, game);
      // It keeps its place through the opponent's turn, so that nothing on the page jumps.
      show(el, game.you !== null && !game.info?.outcome && geometryIn(game).most('') > 1);
      if (el.hidden) return;
      const { moves } = game.draft;
      const used = usedBoards(game);
      drawLevels(boards.map(({ id }, i) => (used.has(i) ? '+' : '-') + id).join(' '));
      const pieces = standing(game);
      drawMoves(JSON.stringify({
        slots: mine || pending ? slots : 0,
        moves: moves.map((move) => {
          const { from, to } = split(move);
          const sameBoard = from.slice(2) === to.slice(2);
          return [pieces.get(to) ?? '', `${sameBoard ? from.slice(0, 2) : shown(from)}–${shown(to)}`];
        }),
      }));
      setAttr(el, 'data-active', mine);
      // Beside the boards, where one looks: on a phone the words about moves are below.
      const why = game.why?.said;
      setAttr(hint, 'data-why', !!why);
      setText(hint, why ? reasonText(why) : pending ? t('tray.sent') : !mine ? t('tray.theirs') : hintOf(moves.length, slots));
      undo.disabled = !mine || moves.length === 0;
      end.disabled = !mine || moves.length === 0;
    },
  };
}

/** @param {number} made @param {number} slots */
function hintOf(made, slots) {
  if (made === 0) return t('tray.begin', { n: slots });
  return slots - made === 1 ? t('tray.last') : t('tray.left', { n: slots - made });
}
