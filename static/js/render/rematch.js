// After the end: another game with the same opponent, and how the two stand.
/** @import {GameState, Send, State} from '../types.js' */

import { pointsText } from '../format.js';
import { nameText, t } from '../i18n.js';
import { h, icon, setAttr, setText, show } from './dom.js';

/** What a game's end is worth to its players. @type {Record<string, {white: number, black: number}>} */
const POINTS = { white: { white: 1, black: 0 }, black: { white: 0, black: 1 }, draw: { white: 0.5, black: 0.5 } };

/** @param {Send} send */
export function rematch(send) {
  const act = (/** @type {string} */ what) => () => send({ type: 'game.command', what });
  const series = h('p', { class: 'series tab', hidden: true });
  const word = h('span', {});
  // To agree is to press the same button that asks: it stays where it is whatever the other one does meanwhile.
  const ask = h('button', { type: 'button', class: 'primary', 'data-action': 'rematch', click: act('rematch') }, icon('again'), word);
  const next = h('a', { class: 'button primary', 'data-action': 'next-game', hidden: true }, t('action.next_game'));
  const note = h('span', {});
  const decline = h('button', { type: 'button', class: 'small', 'data-action': 'decline-rematch', click: act('decline-rematch') }, t('action.decline'));
  const line = h('p', { class: 'rematch-note', hidden: true }, note, decline);
  return {
    series,
    button: ask,
    next,
    line,
    /** @param {State} state @param {GameState} game */
    update(state, { you, info, rematch, presence, id }) {
      if (!info?.outcome) return;
      const points = POINTS[info.outcome];
      const before = info.series;
      show(series, !!before);
      if (before) {
        const now = (/** @type {'white' | 'black'} */ side) => pointsText(before[side] + (points?.[side] ?? 0));
        setText(series, `${nameText(info.white)} ${now('white')} : ${now('black')} ${nameText(info.black)}`);
      }
      const other = you === 'white' ? 'black' : 'white';
      const theirs = !!you && rematch.offer?.by === other;
      const mine = !!you && rematch.offer?.by === you;
      const sent = state.outbox.some(({ cmd }) => cmd.game === id && (cmd.t === 'offer_rematch' || cmd.t === 'accept_rematch'));
      const refused = !!you && rematch.declined === you;
      // With a clock both have to be there.
      const gone = !!you && !!info.time?.base_ms && !presence[other] && info[other].kind !== 'computer';
      show(ask, !!you && !rematch.next && info.white.kind !== 'computer' && info.black.kind !== 'computer');
      ask.disabled = mine || sent || gone || (refused && !theirs);
      setText(word, t(theirs ? 'action.rematch_accept' : mine || sent ? 'action.rematch_offered' : 'action.rematch'));
      setAttr(next, 'href', rematch.next && `/g/${rematch.next}`);
      show(next, !!rematch.next);
      const name = nameText(info[other]);
      const said = rematch.next || !you ? '' : theirs ? t('offer.rematch', { name }) : refused ? t('result.refused', { name }) : gone ? t('result.gone', { name }) : '';
      setText(note, said);
      show(line, said !== '');
      show(decline, theirs);
    },
  };
}
