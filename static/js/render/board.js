// The four boards. Built once; afterwards only what differs is touched, so that focus and pointers stay where they are.
/** @import {Send, State, GameState} from '../types.js' */

import { SQUARES, neighbor, shownSquare } from '../coords.js';
import { t } from '../i18n.js';
import { shownPosition } from '../position.js';
import { canMove } from '../update/game.js';
import { h, pieceImage, setAttr, setText } from './dom.js';
import { dragging } from './drag.js';
import { isDark } from './parts.js';

/** @type {Record<string, 'left' | 'right' | 'up' | 'down'>} */
const ARROWS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };
/** Rank 4 first, as one reads. @type {(a: string, b: string) => number} */
const reading = (a, b) => Number(b[1]) - Number(a[1]) || a.charCodeAt(0) - b.charCodeAt(0);

/** @param {Send} send */
export function sheet(send) {
  /** @type {Map<string, {el: HTMLButtonElement, piece: string}>} */
  const squares = new Map();
  for (const square of SQUARES) {
    const el = h('button', {
      type: 'button', class: `square${isDark(square) ? ' dark' : ''}`, 'data-square': square, 'data-piece': '', tabindex: '-1',
    });
    squares.set(square, { el, piece: '' });
  }
  const boards = [0, 1, 2, 3].map((b) => {
    const own = SQUARES.slice(16 * b, 16 * b + 16).sort(reading);
    const label = t('board.label', { z: b & 1, w: b >> 1 });
    const el = h('div', { class: 'board', role: 'group', 'aria-label': label, 'data-board': `${b & 1}${b >> 1}` });
    return { own, el, stop: own[12] };
  });
  const zNames = [h('span', { class: 'z-name' }), h('span', { class: 'z-name' })];
  const wNames = [h('span', { class: 'w-name' }), h('span', { class: 'w-name' })];
  const el = h('div', { class: 'sheet', role: 'group', 'aria-label': t('board.sheet') });
  let flipped = false;
  /** @type {State | null} */
  let drawn = null;

  /** @param {boolean} turn */
  function lay(turn) {
    flipped = turn;
    const focus = document.activeElement;
    // Rows from the top: W = 1, W = 0; turned by 180° everything comes in the opposite order.
    const order = turn ? [1, 0, 3, 2] : [2, 3, 0, 1];
    const [left, right] = turn ? [1, 0] : [0, 1];
    zNames.forEach((name, i) => setText(name, t('board.z', { n: [left, right][i] })));
    wNames.forEach((name, i) => setText(name, t('board.w', { n: turn ? i : 1 - i })));
    for (const board of boards) {
      const own = turn ? [...board.own].reverse() : board.own;
      board.el.replaceChildren(...own.map((square, i) => {
        const button = /** @type {{el: HTMLButtonElement}} */ (squares.get(square)).el;
        setAttr(button, 'data-file', i >= 12 ? square[0] : null);
        setAttr(button, 'data-rank', i % 4 === 0 ? square[1] : null);
        return button;
      }));
    }
    const [a, b, c, d] = order.map((i) => boards[i].el);
    el.replaceChildren(...zNames, wNames[0], a, b, wNames[1], c, d);
    if (focus instanceof HTMLElement && el.contains(focus)) focus.focus();
  }

  /** One stop of the Tab key a board: the square that had the focus last. @param {string} square */
  function stopAt(square) {
    const board = boards[Number(square[3]) + 2 * Number(square[4])];
    setAttr(/** @type {{el: Element}} */ (squares.get(board.stop)).el, 'tabindex', '-1');
    board.stop = square;
    setAttr(/** @type {{el: Element}} */ (squares.get(square)).el, 'tabindex', '0');
  }

  /** @param {EventTarget | null} target */
  const squareOf = (target) => (target instanceof Element ? target.closest('[data-square]')?.getAttribute('data-square') ?? null : null);

  const drag = dragging(el, {
    // What may be picked up is what has a legal move, by the server's list.
    canLift: (square) => !!drawn?.game && canMove(drawn, drawn.game) && drawn.game.legal.some((move) => move.startsWith(square)),
    lift: (square) => send({ type: 'game.square', square, hold: true }),
    over: (square) => send({ type: 'game.point', square }),
    drop: (square) => {
      if (drawn?.game?.selected && square && drawn.game.legal.includes(drawn.game.selected + square)) send({ type: 'game.square', square });
    },
  });
  el.addEventListener('click', (event) => {
    const square = squareOf(event.target);
    // A click by keyboard has no detail; one that ended a lift has selected already.
    if (square && !drag.consumed()) send({ type: 'game.square', square });
  });
  el.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'mouse') send({ type: 'game.point', square: squareOf(event.target) });
  });
  el.addEventListener('pointerleave', () => send({ type: 'game.point', square: null }));
  el.addEventListener('focusin', (event) => {
    const square = squareOf(event.target);
    if (!square) return;
    stopAt(square);
    send({ type: 'game.point', square });
  });
  el.addEventListener('keydown', (event) => {
    const square = squareOf(event.target);
    const direction = ARROWS[event.key];
    if (!square || !direction || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    squares.get(neighbor(square, direction, event.altKey, flipped))?.el.focus();
  });

  lay(false);
  for (const board of boards) stopAt(board.stop);

  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      drawn = state;
      const turn = (game.you === 'black') !== game.flipped;
      if (turn !== flipped) lay(turn);
      const { pieces, last, check, pending } = shownPosition(game, state.outbox);
      const able = canMove(state, game);
      const { selected } = game;
      const targets = new Set(selected ? game.legal.filter((move) => move.startsWith(selected)).map((move) => move.slice(5, 10)) : []);
      const movable = new Set(able ? game.legal.map((move) => move.slice(0, 5)) : []);
      for (const [square, entry] of squares) {
        const button = entry.el;
        const piece = pieces.get(square) ?? '';
        if (piece !== entry.piece) {
          entry.piece = piece;
          button.replaceChildren(...(piece ? [pieceImage(piece)] : []));
          setAttr(button, 'data-piece', piece);
        }
        const legal = targets.has(square);
        const isLast = !!last && (square === last.from || square === last.to);
        setAttr(button, 'data-legal', legal ? (piece ? 'capture' : 'move') : null);
        setAttr(button, 'data-selected', square === selected);
        setAttr(button, 'data-last', isLast ? (square === last?.from ? 'from' : 'to') : null);
        setAttr(button, 'data-check', square === check);
        setAttr(button, 'data-pending', pending && square === last?.to);
        setAttr(button, 'data-movable', movable.has(square));
        setAttr(button, 'data-pointed', square === game.pointed && legal);
        setAttr(button, 'aria-pressed', square === selected ? 'true' : null);
        setAttr(button, 'aria-label', label(square, piece, { selected: square === selected, legal, isLast, check: square === check }));
      }
    },
    leave: drag.end,
  };
}

/**
 * @param {string} square
 * @param {string} piece
 * @param {{selected: boolean, legal: boolean, isLast: boolean, check: boolean}} is
 */
function label(square, piece, is) {
  const what = piece ? t('square.piece', { piece: t(`piece.${piece}`), square: shownSquare(square) }) : t('square.empty', { square: shownSquare(square) });
  const states = [is.selected && 'square.selected', is.legal && (piece ? 'square.capture' : 'square.legal'), is.check && 'square.check', is.isLast && 'square.last'];
  return [what, ...states.flatMap((key) => (key ? [t(key)] : []))].join(', ');
}
