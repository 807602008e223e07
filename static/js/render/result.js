/** @import {GameState, Send, State} from '../types.js' */

import { signed } from '../format.js';
import { nameText, t } from '../i18n.js';
import { h, setAttr, show, whenChanged } from './dom.js';
import { mateCard } from './mate.js';
import { rematch } from './rematch.js';

/** The card that tells how it ended, why, and what it did to the ratings. @param {Send} send */
export function resultCard(send) {
  const el = h('section', { class: 'card result', hidden: true });
  const more = rematch(send);
  const analyze = h('a', { class: 'button', 'data-action': 'analyze' }, t('action.analyze'));
  const mate = mateCard(send);
  const draw = whenChanged((/** @type {GameState['info']} */ info) => {
    if (!info?.outcome || !info.termination) return;
    const { outcome, termination, ratings } = info;
    const you = el.dataset.side;
    const head = outcome === 'draw' || outcome === 'none' ? t(`outcome.${outcome}`)
      : you ? t(outcome === you ? 'outcome.you_won' : 'outcome.you_lost') : t(`outcome.${outcome}`);
    el.dataset.result = outcome;
    el.dataset.termination = termination;
    const points = { white: '1–0', black: '0–1', draw: '½–½' }[outcome] ?? '';
    /** @param {'white' | 'black'} color */
    const change = (color) => {
      if (!ratings) return null;
      const { before, after } = ratings[color];
      const diff = Math.round(after) - Math.round(before);
      return h('p', { class: 'rating-line', 'data-rating-change': color },
        h('i', { class: `pip ${color}` }), h('span', {}, nameText(info[color])),
        h('span', { class: 'tab' }, `${Math.round(before)} → ${Math.round(after)} `),
        h('b', { class: `tab ${diff > 0 ? 'up' : diff < 0 ? 'down' : ''}` }, signed(diff)));
    };
    el.replaceChildren(
      h('div', { class: 'result-head' }, h('h2', {}, head), h('span', { class: 'points tab' }, points)),
      h('p', { class: 'result-why', 'data-termination': termination }, t(`result.${outcome}.${termination}`), mate.button), mate.el,
      ...[change('white'), change('black')].filter((x) => x !== null),
      ...(!ratings && outcome !== 'none' ? [h('p', { class: 'quiet' }, t(info.rated ? 'result.unrated' : 'result.casual'))] : []),
      more.series, more.line,
      h('div', { class: 'result-actions' }, more.button, more.next, again(info, you, send),
        analyze,
        h('a', { class: 'button', href: '/' }, t('action.new_game')),
        h('a', { class: 'button', href: `/api/v1/games/${info.id}.pgn`, download: `manifold-${info.id}.pgn` }, t('action.pgn'))));
  });
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      el.dataset.side = game.you ?? '';
      show(el, !!game.info?.outcome);
      draw(game.info);
      setAttr(analyze, 'href', `/analysis?game=${game.id}&ply=${game.view ?? game.moves.length}`);
      mate.update(game);
      more.update(state, game);
    },
  };
}

/** After a game against the computer the next one is a press away. @param {NonNullable<GameState['info']>} info @param {string | undefined} you @param {Send} send */
function again(info, you, send) {
  const { variant, time } = info;
  const computer = you && info[you === 'white' ? 'black' : 'white'];
  if (!computer || computer.kind !== 'computer') return null;
  return h('button', {
    type: 'button', class: 'primary', 'data-action': 'play-again',
    click: () => send({ type: 'want.computer', variant, time, level: computer.level, color: you }),
  }, t('computer.again'));
}
