// A player's bar: name, rating, presence, what they are ahead, clock.
/** @import {Clock, Color, GameState, Send, State} from '../types.js' */

import { clockText, LOW_MS, pointsText, remaining } from '../format.js';
import { spanText, t } from '../i18n.js';
import { fenAt, geometryIn, material, pendingMove, sideToMove } from '../position.js';
import { h, pieceImage, setAttr, setText, show, whenChanged } from './dom.js';
import { playerName, ratingNodes } from './parts.js';

const TICK_MS = 100;
/** From here on seconds say nothing. */
const DAY_MS = 86_400_000;

/** @param {Send} send */
export function playerBars(send) {
  const bars = [bar('top'), bar('bottom')];
  /** @type {State | null} */
  let drawn = null;
  /** Who has been told that time runs low; once for each clock that falls under the line. @type {Set<Color>} */
  const warned = new Set();

  function tick() {
    const game = drawn?.game;
    if (!drawn || !game?.info) return;
    const now = performance.now();
    for (const b of bars) {
      const toMove = !game.info.outcome && sideToMove(fenAt(game)) === b.color;
      const thinks = toMove && game.info[b.color].kind === 'computer';
      const hurried = toMove && !thinks && game.info.speed !== 'correspondence';
      const first = hurried && !pendingMove(game, drawn.outbox) ? game.clock?.first_move_ms ?? null : null;
      if (first !== null) setText(b.note, t('bar.first_move', { n: Math.max(0, Math.ceil((first - (now - (game.clock?.at ?? now))) / 1000)) }));
      else if (thinks) setText(b.note, t('bar.thinks'));
      setAttr(b.note, 'data-thinks', thinks);
      show(b.note, first !== null || thinks);
      show(b.clock, game.clock !== null);
      // Without a clock the frame alone tells whose turn it is.
      if (game.clock) tickClock(game, game.clock, b, now);
      else setAttr(b.el, 'data-running', toMove);
    }
  }

  /** @param {GameState} game @param {Clock} clock @param {ReturnType<typeof bar>} b @param {number} now */
  function tickClock(game, clock, b, now) {
    const left = remaining(clock, b.color, now);
    const runs = clock.running === b.color && !game.info?.outcome;
    setText(b.clock, left >= DAY_MS ? spanText(left) : clockText(left));
    setAttr(b.el, 'data-running', runs);
    setAttr(b.clock, 'data-low', left < LOW_MS && !game.info?.outcome);
    if (left >= LOW_MS) warned.delete(b.color);
    else if (runs && !warned.has(b.color)) {
      warned.add(b.color);
      send({ type: 'game.low', color: b.color });
    }
  }
  const timer = setInterval(tick, TICK_MS);

  return {
    top: bars[0].el,
    bottom: bars[1].el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      drawn = state;
      const turned = (game.you === 'black') !== game.flipped;
      const ahead = material(geometryIn(game).pieces(fenAt(game, game.view ?? undefined)));
      bars.forEach((b, i) => {
        b.color = (i === 1) !== turned ? 'white' : 'black';
        const player = game.info?.[b.color];
        if (!player) return;
        setAttr(b.el, 'data-color', b.color);
        setAttr(b.clock, 'data-clock', b.color);
        setAttr(b.clock, 'aria-label', t('bar.clock', { color: t(`color.${b.color}`) }));
        b.drawName(player);
        setAttr(b.rating, 'data-kind', player.kind);
        b.drawRating(player);
        const points = game.info?.series?.[b.color];
        setText(b.series, points === undefined ? '' : pointsText(points));
        const here = game.presence[b.color] || player.kind === 'computer';
        const state = t(here ? 'bar.here' : 'bar.away');
        setAttr(b.dot, 'data-here', here);
        setAttr(b.dot, 'aria-label', state);
        setAttr(b.dot, 'title', state);
        b.drawAhead(b.color + ahead[b.color].join(''));
      });
      tick();
    },
    leave: () => clearInterval(timer),
  };
}

/** @param {string} place */
function bar(place) {
  const dot = h('span', { class: 'presence', role: 'img' });
  const name = h('span', { class: 'who' });
  const rating = h('span', { class: 'rating tab' });
  const series = h('span', { class: 'bar-series tab', title: t('bar.series') });
  const ahead = h('span', { class: 'ahead' });
  const note = h('span', { class: 'bar-note', hidden: true });
  const clock = h('span', { class: 'clock tab', role: 'timer', 'data-clock': '' });
  const el = h('div', { class: `bar ${place}` }, dot, h('span', { class: 'ident' }, name, rating, series, note), ahead, clock);
  return {
    el, dot, rating, series, note, clock,
    /** @type {Color} */
    color: 'white',
    drawName: whenChanged((/** @type {import('../types.js').Player} */ player) => name.replaceChildren(playerName(player))),
    drawRating: whenChanged((/** @type {import('../types.js').Player} */ player) => rating.replaceChildren(...(player.kind === 'computer' ? [t('bar.computer')] : ratingNodes(player)))),
    // A small picture for each kind of piece ahead, of the side that lost it, and how many where there are several: on no bar does
    // one lie over another, or is one left out.
    drawAhead: whenChanged((/** @type {string} */ key) => {
      const lost = key.startsWith('white') ? 'b' : 'w';
      const roles = [...key.slice(5)];
      ahead.replaceChildren(...[...new Set(roles)].map((role) => {
        const n = roles.filter((other) => other === role).length;
        return h('span', { class: 'ahead-kind' }, pieceImage(lost + role), n > 1 && h('small', { class: 'tab' }, String(n)));
      }));
    }),
  };
}
