// Why it is mate, in words: who gives check, and each square beside the king with whoever keeps it from there.
/** @import {Flights, GameState, Geometry, Send} from '../types.js' */

import { listText, t } from '../i18n.js';
import { geometryIn } from '../position.js';
import { h, setAttr, show, whenChanged } from './dom.js';

/** @param {Send} send */
export function mateCard(send) {
  const button = h('button', { type: 'button', class: 'small', 'data-action': 'why-mate', 'aria-controls': 'mate', 'aria-expanded': 'false', click: () => send({ type: 'game.mate' }) }, t('mate.why'));
  const el = h('div', { class: 'mate', id: 'mate', hidden: true });
  /** @param {string | null} square */
  const point = (square) => send({ type: 'game.mate-point', square });
  const rowOf = (/** @type {Event} */ event) => (event.target instanceof Element ? event.target.closest('[data-flight-row]')?.getAttribute('data-flight-row') ?? null : null);
  for (const type of ['pointerover', 'focusin', 'click']) el.addEventListener(type, (event) => point(rowOf(event)));
  for (const type of ['pointerleave', 'focusout']) el.addEventListener(type, () => point(null));
  /** @type {Geometry | null} */
  let geometry = null;
  const draw = whenChanged((/** @type {Flights | null} */ said) => el.replaceChildren(...(said && geometry ? words(said, geometry) : [h('p', { class: 'quiet' }, t('inspect.asking'))])));
  return {
    el,
    button,
    /** @param {GameState} game */
    update(game) {
      const open = !!game.mate?.open;
      show(button, game.info?.termination === 'checkmate');
      setAttr(button, 'aria-expanded', open ? 'true' : 'false');
      show(el, open);
      if (!open) return;
      geometry = geometryIn(game);
      draw(game.mate?.said ?? null);
    },
  };
}

/** @param {Flights} said @param {Geometry} geometry @returns {HTMLElement[]} */
function words({ king, checkers, flights }, { shown }) {
  const names = (/** @type {Flights['checkers']} */ list) => listText(list.map(({ piece, square }) => t('status.selected', { piece: t(`role.${piece.toUpperCase()}`), square: shown(square) })));
  const guarded = flights.filter(({ own }) => !own);
  const own = flights.filter((flight) => flight.own).map(({ square }) => shown(square));
  const rows = guarded.map(({ square, guards }) => h('li', {}, h('button', { type: 'button', 'data-flight-row': square }, h('b', { class: 'tab' }, shown(square)), ' ', h('span', {}, names(guards)))));
  return [
    h('p', {}, t('mate.check', { n: checkers.length, square: shown(king), by: names(checkers) })),
    ...(rows.length ? [h('p', { id: 'flights-label' }, t('mate.guarded')), h('ul', { class: 'flights', 'aria-labelledby': 'flights-label' }, ...rows)] : []),
    ...(own.length ? [h('p', { class: 'quiet' }, t('mate.own', { squares: listText(own) }))] : []),
  ];
}
