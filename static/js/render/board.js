// The boards of a game. Built once; afterwards only what differs is touched, so that focus and pointers stay where they are.
/** @import {Geometry, Send, State, GameState} from '../types.js' */

import { t } from '../i18n.js';
import { h, icon, pieceImage, setAttr, setText, whenChanged } from './dom.js';
import { dragging, resting } from './drag.js';
import { marksIn } from './marks.js';
import { choice, readingOrder } from './parts.js';

/** @type {Record<string, 'left' | 'right' | 'up' | 'down'>} */
const ARROWS = { ArrowLeft: 'left', ArrowRight: 'right', ArrowUp: 'up', ArrowDown: 'down' };

/** Where boards do not all have room, one is large and the others are looked at (board.css). */
const narrow = matchMedia('(max-width: 860px)');

/** @param {Geometry} geometry @param {Send} send */
export function sheet(geometry, send) {
  /** @type {Map<string, {el: HTMLButtonElement, piece: string}>} */
  const squares = new Map();
  for (const square of geometry.squares) {
    const el = h('button', {
      type: 'button', class: `square${geometry.isDark(square) ? ' dark' : ''}`, 'data-square': square, 'data-piece': '', tabindex: '-1',
    });
    squares.set(square, { el, piece: '' });
  }
  const { side } = geometry;
  const boards = geometry.boards.map(({ id, label, title }, b) => {
    const own = readingOrder(geometry, b);
    const board = h('div', { class: 'board', role: 'group', 'aria-label': t(label.key, label.args), 'data-board': id });
    const state = h('span', { class: 'board-state' });
    // Said where a board is small; a reader of the screen hears every board at its full size.
    const head = title && h('p', { class: 'board-title' }, h('b', {}, t(title.key, title.args)), state, h('span', { class: 'board-enlarge', 'aria-hidden': 'true' }, icon('enlarge'), h('span', {}, t('board.enlarge'))));
    const el = head ? h('div', { class: 'titled', 'data-level': id }, head, board) : board;
    return { own, board, el, label: t(label.key, label.args), state, stop: own[own.length - side] };
  });
  const el = h('div', { class: `sheet ${geometry.name}`, role: 'group', 'aria-label': t(`board.sheet.${geometry.name}`), 'aria-describedby': 'board-keys' });
  // In their order, whichever is large: where one is, and on which something has just happened.
  const levels = geometry.boards.flatMap(({ title }, board) => (title ? [{ board, value: String(board), text: t(title.key, title.args) }] : []));
  const tabs = levels.length ? choice(`level-${geometry.name}`, t('board.choose'), levels, (value) => send({ type: 'game.focus', board: Number(value) })) : null;
  tabs?.el.classList.add('level-tabs');
  const tabMarks = [...(tabs?.el.querySelectorAll('label') ?? [])];
  /** Where pawns become what one likes. @type {ReturnType<typeof import('./choose.js').chooser> | null} */
  let choose = null;
  if (geometry.most('') > 1) {
    import('./choose.js').then(({ chooser }) => {
      choose = chooser(send);
      el.append(choose.el);
    }).catch(() => location.reload());
  }
  /** Who attacks and who defends what is looked at. @type {ReturnType<typeof import('./arrows.js').arrows> | null} */
  let over = null;
  let asked = false;
  /** @type {ReturnType<typeof marksIn>['arrows']} */
  let latest = [];
  const drawArrows = whenChanged((/** @type {string} */ _) => over?.draw(latest));
  let flipped = false;
  /** Whether the focus has come to a square by keys. */
  let byKeys = false;
  /** @type {State | null} */
  let drawn = null;
  /** @type {ReturnType<typeof marksIn>['of'] | null} What each square was drawn with. */
  let marks = null;
  const buttonOf = (/** @type {string} */ square) => /** @type {{el: HTMLButtonElement}} */ (squares.get(square)).el;

  /** @param {boolean} turn */
  function lay(turn) {
    flipped = turn;
    const focus = document.activeElement;
    for (const { board, own } of boards) {
      const turned = turn ? [...own].reverse() : own;
      board.replaceChildren(...turned.map((square, i) => {
        const button = buttonOf(square);
        setAttr(button, 'data-file', i >= own.length - side ? square[0] : null);
        setAttr(button, 'data-rank', i % side === 0 ? square[1] : null);
        return button;
      }));
    }
    el.replaceChildren(...(tabs ? [tabs.el] : []), ...geometry.layout(turn).map((cell) => (
      'board' in cell ? boards[cell.board].el : h('span', { class: cell.name }, t(cell.label.key, cell.label.args)))), ...(choose ? [choose.el] : []), ...(over ? [over.el] : []));
    if (focus instanceof HTMLElement && el.contains(focus)) focus.focus();
  }

  /** One stop of the Tab key a board: the square that had the focus last. @param {string} square */
  function stopAt(square) {
    const board = boards[geometry.placeOf(square).board];
    setAttr(buttonOf(board.stop), 'tabindex', '-1');
    board.stop = square;
    setAttr(buttonOf(square), 'tabindex', '0');
  }

  /** @param {EventTarget | null} target */
  const squareOf = (target) => (target instanceof Element ? target.closest('[data-square]')?.getAttribute('data-square') ?? null : null);

  const drag = dragging(el, {
    canLift: (square) => !!marks?.(square).movable,
    lift: (square) => send({ type: 'game.square', square, hold: true }),
    over: (square) => send({ type: 'game.point', square }),
    drop: (square) => {
      // Dropped where it cannot go it asks why; a piece of one's own there would be picked up by it.
      if (square && drawn?.game?.selected && marks?.(square).piece[0] !== drawn.game.you?.[0]) send({ type: 'game.square', square });
    },
  });
  const rest = resting(el, (event) => send({ type: 'game.inspect', square: squareOf(event.target) }));
  el.addEventListener('click', (event) => {
    const square = squareOf(event.target);
    // The words over a small board do what they say.
    const titled = event.target instanceof Element && !square ? boards.findIndex(({ el: box }) => box.matches('.titled') && box.contains(/** @type {Element} */ (event.target))) : -1;
    if (titled >= 0 && narrow.matches) send({ type: 'game.focus', board: titled });
    // A click by keyboard has no detail; one that ended a lift has selected already.
    if (!square || drag.consumed() || rest.consumed()) return;
    const { board } = geometry.placeOf(square);
    const small = narrow.matches && geometry.boards[board].title && board !== drawn?.game?.focus;
    if (small && !marks?.(square).open) send({ type: 'game.focus', board, square });
    else send({ type: 'game.square', square });
  });
  el.addEventListener('pointerover', (event) => {
    if (event.pointerType === 'mouse') send({ type: 'game.point', square: squareOf(event.target) });
  });
  el.addEventListener('contextmenu', (event) => {
    event.preventDefault();
    // A finger that rests has been heard already.
    if (event instanceof PointerEvent && event.pointerType === 'touch') return;
    const square = squareOf(event.target);
    // What was made ahead is called back by the same button, wherever it is pressed.
    if (drawn?.game?.premove || !square) send({ type: 'game.escape' });
    else send({ type: 'game.inspect', square });
  });
  el.addEventListener('pointerleave', () => send({ type: 'game.point', square: null }));
  el.addEventListener('focusin', (event) => {
    const square = squareOf(event.target);
    if (!square) return;
    stopAt(square);
    byKeys = /** @type {Element} */ (event.target).matches(':focus-visible');
    send({ type: 'game.point', square });
  });
  el.addEventListener('keydown', (event) => {
    const square = squareOf(event.target);
    const direction = ARROWS[event.key];
    if (square && event.key === 'i' && !event.ctrlKey && !event.metaKey && !event.altKey) send({ type: 'game.inspect', square });
    if (!square || !direction || event.ctrlKey || event.metaKey) return;
    // Who has pressed a square with a mouse walks through the moves by the arrow keys; the page sees to that.
    if (!byKeys && !event.altKey) return;
    event.preventDefault();
    byKeys = true;
    const next = geometry.neighbor(square, direction, event.altKey, flipped);
    send({ type: 'game.focus', board: geometry.placeOf(next).board });
    buttonOf(next).focus();
  });

  lay(false);
  for (const board of boards) stopAt(board.stop);

  /** The arrows are fetched when the first one is to be drawn. @param {ReturnType<typeof marksIn>['arrows']} list */
  function point(list) {
    if (list.length && !asked) {
      asked = true;
      import('./arrows.js').then(({ arrows }) => {
        over = arrows(el, buttonOf);
        el.append(over.el);
        point(latest);
      }).catch(() => { asked = false; });
    }
    latest = list;
    drawArrows(`${over ? flipped : ''}${JSON.stringify(list)}`);
  }

  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      drawn = state;
      const turn = (game.you === 'black') !== game.flipped;
      if (turn !== flipped) lay(turn);
      const { used, of, arrows: reaching } = marksIn(geometry, state, game);
      marks = of;
      setAttr(el, 'data-focus', geometry.boards[game.focus]?.id);
      boards.forEach(({ el: box, board, label: name, state: note }, i) => {
        setAttr(board, 'aria-label', used.has(i) ? `${name}, ${t('board.used')}` : name);
        setAttr(box, 'data-used', used.has(i));
        setAttr(box, 'data-large', i === game.focus);
        setText(note, used.has(i) ? t('board.used') : '');
      });
      tabs?.set(String(game.focus));
      levels.forEach(({ board }, i) => {
        const happened = geometry.squares.some((square) => geometry.placeOf(square).board === board && of(square).last);
        setAttr(tabMarks[i], 'data-last', happened);
        setAttr(tabMarks[i], 'title', happened ? t('board.moved_here') : null);
      });
      choose?.update(game, el, buttonOf);
      point(reaching);
      for (const [square, entry] of squares) {
        const button = entry.el;
        const { piece, open, selected, last, check, pending, movable, premove, pointed, twin, moved, why, inspected, attack, flight } = of(square);
        if (piece !== entry.piece) {
          entry.piece = piece;
          button.replaceChildren(...(piece ? [pieceImage(piece)] : []));
          setAttr(button, 'data-piece', piece);
        }
        setAttr(button, 'data-legal', open);
        setAttr(button, 'data-selected', selected);
        setAttr(button, 'data-last', last);
        setAttr(button, 'data-check', check);
        setAttr(button, 'data-pending', pending);
        setAttr(button, 'data-movable', movable);
        setAttr(button, 'data-premove', premove);
        setAttr(button, 'data-pointed', pointed);
        setAttr(button, 'data-twin', twin);
        setAttr(button, 'data-moved', moved);
        setAttr(button, 'data-why', why);
        setAttr(button, 'data-inspected', inspected);
        setAttr(button, 'data-attack', attack);
        setAttr(button, 'data-flight', flight);
        setAttr(button, 'aria-pressed', selected ? 'true' : null);
        const is = [selected && 'square.selected', open && (piece ? 'square.capture' : 'square.legal'), check && 'square.check', moved ? 'square.moved' : last && 'square.last', attack && `square.${attack}`, flight && `square.flight.${flight}`];
        setAttr(button, 'aria-label', label(geometry.shown(square), piece, is));
      }
    },
    leave() {
      drag.end();
      rest.end();
      over?.leave();
    },
  };
}

/** @param {string} square as it is shown @param {string} piece @param {(string | false | null)[]} is keys of its states */
function label(square, piece, is) {
  const what = piece ? t('square.piece', { piece: t(`piece.${piece}`), square }) : t('square.empty', { square });
  return [what, ...is.flatMap((key) => (key ? [t(key)] : []))].join(', ');
}
