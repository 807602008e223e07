/** @import {Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { h, setText, show } from './dom.js';

/** Says on every place that one waits for an opponent, since when, and lets one leave. @param {Send} send */
export function poolBar(send) {
  const text = h('span', {});
  const time = h('span', { class: 'tab' });
  const cancel = h('button', { type: 'button', class: 'small', 'data-action': 'cancel-pool', click: () => send({ type: 'pool.leave' }) }, t('action.cancel'));
  const el = h('div', { class: 'pool-bar', 'data-waiting': '', hidden: true }, h('span', { class: 'pulse', 'aria-hidden': 'true' }), text, time, cancel);
  /** @type {State['pool']} */
  let pool = null;
  const tick = () => {
    if (pool) setText(time, elapsed(performance.now() - pool.since));
  };
  const timer = setInterval(tick, 500);
  return {
    el,
    /** @param {State} state */
    update(state) {
      pool = state.pool;
      show(el, pool !== null);
      if (!pool) return;
      setText(text, t('pool.waiting', { time: pool.time, variant: t(`variant.${pool.variant}`), rated: t(pool.rated ? 'rated' : 'casual') }));
      cancel.disabled = pool.leaving;
      tick();
    },
    leave: () => clearInterval(timer),
  };
}

/** @param {number} ms */
function elapsed(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
