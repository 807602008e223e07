/** @import {Send, State, View} from '../types.js' */

import { dayText, problemText, t } from '../i18n.js';
import { filterPath } from '../list-query.js';
import { curveFigure } from './curve.js';
import { h, setAttr, setText, show, whenChanged } from './dom.js';
import { gameForm } from './form.js';
import { growingList } from './games.js';
import { emptyPage } from './lists.js';
import { botMark } from './parts.js';

/** @param {Send} send @returns {View} */
export function profilePage(send) {
  const name = h('h1', {});
  const bot = botMark();
  const since = h('p', { class: 'quiet' });
  const ratings = h('div', { class: 'ratings' });
  const curve = h('div', {});
  const list = growingList(send);
  /** The buttons that choose a curve. @type {Map<string, HTMLElement>} */
  const cards = new Map();
  const keyOf = (/** @type {{variant: string, speed: string}} */ { variant, speed }) => `${variant} ${speed}`;
  const card = (/** @type {State['profile']['ratings'][number]} */ rating, /** @type {HTMLElement} */ el) => {
    cards.set(keyOf(rating), el);
    return el;
  };
  let blocked = false;
  const block = h('button', { type: 'button', class: 'small', 'data-action': 'block', click: () => send({ type: 'want.block', player: name.textContent, block: !blocked }) });
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const ask = h('details', { class: 'friend card' });
  /** @type {ReturnType<typeof gameForm> | null} */
  let form = null;
  // Made for the player whose page it is; another one's page is another view.
  const makeForm = whenChanged((/** @type {string} */ player) => {
    form = gameForm(send, player);
    ask.replaceChildren(h('summary', {}, t('profile.challenge', { name: player })), form.el);
  });
  const narrow = h('a', { 'data-action': 'narrow' }, t('games.narrow'));
  const ready = h('div', { class: 'page medium' }, h('div', { class: 'page-head' }, h('div', {}, h('div', { class: 'bot-name' }, name, bot), since), block), problem, ask, ratings, curve, h('div', { class: 'page-head' }, h('h2', {}, t('title.games')), narrow), list.el);
  const missing = emptyPage(t('profile.missing_title'), t('profile.missing_text'));
  const draw = whenChanged((/** @type {State['profile']['ratings']} */ all) => {
    cards.clear();
    ratings.replaceChildren(...all.map((r) => card(r, h('button', { class: 'card rating-card', type: 'button', 'aria-pressed': 'false', click: () => send({ type: 'want.curve', variant: r.variant, speed: r.speed }) },
      h('span', { class: 'quiet' }, `${t(`variant.${r.variant}`)} · ${t(`speed.${r.speed}`)}`),
      h('b', { class: 'tab', title: r.provisional ? t('profile.provisional') : null }, `${Math.round(r.rating)}${r.provisional ? '?' : ''}`),
      h('small', { class: 'quiet' }, t('profile.rating', { deviation: Math.round(r.deviation), games: t('profile.games', { n: r.games }) }))))));
    if (!all.length) ratings.append(h('p', { class: 'quiet' }, t('profile.unrated')));
  });
  const drawCurve = whenChanged((/** @type {State['profile']['curve']} */ shown) => {
    for (const [key, el] of cards) el.setAttribute('aria-pressed', String(shown !== null && keyOf(shown) === key));
    curve.replaceChildren(...(shown ? [curveFigure(shown)] : []));
  });
  return {
    el: h('div', {}, ready, missing),
    /** @param {State} state */
    update({ profile, games, ...rest }) {
      show(ready, profile.status !== 'missing');
      show(missing, profile.status === 'missing');
      setText(name, profile.name);
      show(bot, profile.kind === 'bot');
      setAttr(narrow, 'href', filterPath({ player: profile.name }));
      if (profile.status === 'ready') {
        setText(since, profile.created_at ? t('profile.since', { day: dayText(profile.created_at) }) : '');
        draw(profile.ratings);
        drawCurve(profile.curve);
      }
      const me = rest.session.player;
      const other = profile.status === 'ready' && profile.kind !== 'computer' && profile.name.toLowerCase() !== me?.name.toLowerCase();
      blocked = !!rest.blocks?.some(({ player }) => player.name === profile.name);
      show(block, other && rest.blocks !== null);
      block.disabled = rest.form.busy;
      setText(block, t(blocked ? 'profile.unblock' : 'profile.block'));
      setAttr(block, 'title', blocked ? null : t('profile.block_hint'));
      setText(problem, rest.form.at === 'block' && rest.form.problem ? problemText(rest.form.problem) : '');
      show(ask, other && !blocked);
      if (other) makeForm(profile.name);
      form?.update({ ...rest, profile, games });
      list.update({ ...rest, profile, games });
    },
  };
}
