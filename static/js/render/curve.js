/** @import {State} from '../types.js' */

import { curveShape } from '../curve.js';
import { dayText, t } from '../i18n.js';
import { h, svg } from './dom.js';

const SIZE = { width: 640, height: 200 };
/** Room for the scale's numbers. */
const LEFT = 56;

/** How a rating has gone. @param {NonNullable<State['profile']['curve']>} curve */
export function curveFigure({ variant, speed, points }) {
  const name = `${t(`variant.${variant}`)} · ${t(`speed.${speed}`)}`;
  if (points.length === 0) return h('p', { class: 'quiet' }, t('curve.none'));
  const { line, band, places, scale } = curveShape(points, SIZE);
  const [first, last] = [points[0], points[points.length - 1]];
  const [endX, endY] = places[places.length - 1];
  const label = t('curve.label', {
    kind: name, n: points.length, from: Math.round(first.rating), to: Math.round(last.rating), deviation: Math.round(last.deviation),
  });
  return h('figure', { class: 'curve' }, h('h2', {}, `${t('curve.title')}: ${name}`),
    svg('svg', { viewBox: `${-LEFT} -8 ${SIZE.width + LEFT + 12} ${SIZE.height + 16}`, role: 'img', 'aria-label': label },
      ...scale.flatMap(({ value, y }) => [
        svg('path', { class: 'rule', d: `M0 ${y.toFixed(1)}H${SIZE.width}` }),
        svg('text', { x: -8, y: (y + 5).toFixed(1) }, String(value)),
      ]),
      svg('path', { class: 'band', d: band }),
      svg('path', { class: 'way', d: line }),
      svg('circle', { class: 'end', cx: endX.toFixed(1), cy: endY.toFixed(1), r: 4.5 })),
    h('figcaption', { class: 'quiet' }, h('span', {}, dayText(first.at)), h('span', {}, t('curve.band')), h('span', {}, dayText(last.at))));
}
