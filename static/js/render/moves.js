/** @import {GameState, Move, Send, State} from '../types.js' */

import { spentText } from '../format.js';
import { numberText, t } from '../i18n.js';
import { fenAt, fullmoveOf, geometryIn, sideToMove } from '../position.js';
import { chatFold } from './fold.js';
import { h, icon, setAttr } from './dom.js';

/** The moves, and the keys to walk through them. @param {Send} send */
export function moveList(send) {
  const list = h('ol', { class: 'moves tab' });
  const none = h('p', { class: 'quiet' }, t('moves.none'));
  const scroller = h('div', { class: 'moves-scroll', tabindex: '0', role: 'group', 'aria-label': t('moves.label') }, list, none);
  /** @type {[string, string, Record<string, unknown>][]} */
  const steps = [['first', 'moves.first', { type: 'game.view', ply: 0 }], ['prev', 'moves.prev', { type: 'game.step', by: -1 }],
    ['next', 'moves.next', { type: 'game.step', by: 1 }], ['last', 'moves.last', { type: 'game.view', ply: Infinity }]];
  const buttons = steps.map(([name, key, message]) => h('button', {
    type: 'button', class: 'bare', 'data-step': name, 'aria-label': t(key), title: t(key), click: () => send(/** @type {any} */ (message)),
  }, icon(name)));
  const chat = chatFold(send);
  const el = h('section', { class: 'card move-card', 'aria-label': t('moves.label') }, scroller, chat.panel, h('div', { class: 'steps' }, ...buttons, chat.button));
  /** @type {HTMLElement[]} */
  let entries = [];
  /** The moves that they are of. @type {Move[]} */
  let drawn = [];
  let first = '';
  let current = -2;
  const scroll = () => {
    const entry = entries[current];
    const middle = entry ? entry.offsetTop - scroller.clientHeight / 2 : 0;
    scroller.scrollTop = current === entries.length - 1 ? scroller.scrollHeight : middle;
  };
  // The result card takes room from the list; the move that is shown stays in sight.
  const resized = new ResizeObserver(scroll);
  resized.observe(scroller);
  list.addEventListener('click', (event) => {
    const ply = event.target instanceof Element ? event.target.closest('[data-ply]')?.getAttribute('data-ply') : null;
    if (ply) send({ type: 'game.view', ply: Number(ply) + 1 });
  });

  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      chat.update(state, game);
      const { moves } = game;
      const over = !!game.info?.outcome;
      const black = sideToMove(fenAt(game, 0)) === 'black' ? 1 : 0;
      const number = fullmoveOf(fenAt(game, 0));
      // Moves that were taken back may have been followed by others since the last time.
      if (entries.length > moves.length || drawn.some((move, i) => move.fen !== moves[i].fen) || `${game.id} ${over}` !== first) {
        first = `${game.id} ${over}`;
        entries = [];
        list.replaceChildren();
        current = -2;
      }
      while (entries.length < moves.length) {
        const i = entries.length;
        const half = i + black;
        if (half % 2 === 0 || i === 0) {
          list.append(h('li', {}, h('span', { class: 'number' }, `${number + Math.floor(half / 2)}.`), half % 2 ? h('span', { class: 'quiet' }, '…') : null));
        }
        const entry = h('button', { type: 'button', 'data-ply': i }, h('span', { class: 'turn' }, ...geometryIn(game).lan(moves[i].lan).map((move) => h('span', {}, move))), timeOf(moves[i], over));
        list.lastElementChild?.append(entry);
        entries.push(entry);
      }
      drawn = moves;
      none.hidden = moves.length > 0;
      const shown = (game.view ?? moves.length) - 1;
      buttons[0].disabled = buttons[1].disabled = shown < 0;
      buttons[2].disabled = buttons[3].disabled = game.view === null;
      if (shown === current) return;
      mark(entries[current], false);
      current = shown;
      mark(entries[shown], true);
      scroll();
    },
    leave() {
      resized.disconnect();
      chat.leave();
    },
  };
}

/** The move that the boards show as the last one, told apart to the eye and the ear. @param {HTMLElement | undefined} entry @param {boolean} is */
function mark(entry, is) {
  if (!entry) return;
  setAttr(entry, 'aria-current', is ? 'true' : null);
  setAttr(entry, 'title', is ? t('square.last') : null);
}

/** How long a move took; after the game also what was given back for the way through the network. @param {Move} move @param {boolean} over */
function timeOf({ spent_ms, compensated_ms = 0 }, over) {
  const given = over && compensated_ms >= GIVEN_SHOWN_MS;
  const title = given ? t('moves.compensated', { spent: spentText(spent_ms), given: numberText(compensated_ms / 1000, 2) }) : null;
  return h('small', { title }, spentText(spent_ms), given && h('i', {}, ` +${numberText(compensated_ms / 1000, 1)}`));
}

/** Less would be shown as nothing. */
const GIVEN_SHOWN_MS = 50;
