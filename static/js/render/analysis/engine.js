// What the engine thinks, once it is asked: how it stands, and the line that it would play, move by move to press.
/** @import {Geometry} from '../../types.js' */
/** @import {Advice} from '../../net/analysis.js' */

import { chanceOf, verdictOf } from '../../analysis/score.js';
import { problemText, t } from '../../i18n.js';
import { fullmoveOf, sideToMove } from '../../position.js';
import { h, setAttr, setText, show, svg, whenChanged } from '../dom.js';
import { verdictSign, verdictWords } from '../verdict.js';

/** @typedef {{code: string, detail: string, retryMs: number | null}} Why */

/** What a refusal says, and when to come back where the server has told that. @param {Why} why */
export function waitText({ code, detail, retryMs }) {
  const seconds = Math.ceil((retryMs ?? 0) / 1000);
  return seconds > 0 && (code === 'too_many_requests' || code === 'busy') ? t('analysis.wait', { n: seconds }) : problemText({ code, detail });
}

/**
 * @param {Geometry} geometry
 * @param {{ask: () => void, stop: () => void, play: (turns: string[]) => void}} acts
 */
export function engineCard(geometry, acts) {
  const ask = h('button', { type: 'button', class: 'small', 'data-action': 'ask-engine', click: () => (busy ? acts.stop() : acts.ask()) }, h('span', {}, t('analysis.ask')));
  let busy = false;
  const score = h('b', { class: 'score tab', 'data-score': '' });
  const words = h('span', { class: 'unseen', role: 'status' });
  const depth = h('small', { class: 'quiet tab' });
  const share = svg('rect', { class: 'balance-white', x: 0, y: 0, width: 50, height: 6 });
  const balance = svg('svg', { class: 'balance', viewBox: '0 0 100 6', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { class: 'balance-black', x: 0, y: 0, width: 100, height: 6 }), share);
  const line = h('ol', { class: 'engine-line tab', 'aria-label': t('analysis.line') });
  const note = h('p', { class: 'engine-note', role: 'status' });
  const el = h('section', { class: 'card engine', 'aria-label': t('analysis.engine') }, h('div', { class: 'engine-head' }, score, depth, words, ask), balance, line, note);

  const draw = whenChanged((/** @type {Advice | null} */ advice) => {
    setText(depth, advice ? t('analysis.depth', { n: advice.depth }) : t('analysis.engine'));
    show(line, !!advice);
    balance.toggleAttribute('hidden', !advice);
    if (!advice) {
      setText(score, '');
      setText(words, '');
      return;
    }
    const side = sideToMove(advice.fen);
    const verdict = verdictOf(advice.score, side);
    setText(score, verdictSign(verdict));
    setText(words, `${verdictWords(verdict)} ${t('analysis.best', { move: geometry.lan(advice.lan).join(', ') })}`);
    share.setAttribute('width', String(50 + 50 * chanceOf(verdict)));
    const first = fullmoveOf(advice.fen);
    const black = side === 'black' ? 1 : 0;
    line.replaceChildren(...advice.line.map(({ lan }, i) => {
      const number = (i + black) % 2 === 0 ? `${first + (i + black) / 2}.` : i === 0 ? `${first}…` : '';
      return h('li', {}, h('button', { type: 'button', 'data-line': i, click: () => acts.play(advice.line.slice(0, i + 1).map(({ move }) => move)) },
        number && h('span', { class: 'number' }, number), geometry.lan(lan).join(', ')));
    }));
  });

  return {
    el,
    /** @param {{advice: Advice | null, thinks: boolean, why: Why | null, silent: string}} now `silent` is the key of why it is not asked here */
    update({ advice, thinks, why, silent }) {
      busy = thinks;
      draw(advice);
      setAttr(el, 'data-thinks', thinks);
      setText(ask, t(thinks ? 'analysis.stop' : advice ? 'analysis.again' : 'analysis.ask'));
      ask.disabled = silent !== '';
      setText(note, silent ? t(silent) : why ? waitText(why) : thinks ? t('analysis.thinks') : '');
      setAttr(note, 'data-bad', why !== null && !silent);
    },
  };
}
