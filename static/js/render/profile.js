/** @import {Send, State, View} from '../types.js' */

import { dayText, problemText, t } from '../i18n.js';
import { filterPath } from '../list-query.js';
import { curveFigure } from './curve.js';
import { h, setAttr, setText, show, whenChanged } from './dom.js';
import { gameForm } from './form.js';
import { growingList } from './games.js';
import { emptyPage } from './lists.js';
import { botMark, ratingNodes } from './parts.js';

/** From this deviation on a rating is provisional; `rating.provisional_deviation` of the server's settings, unless its owner has changed that. */
const PROVISIONAL = 110;

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
  /** In the form's place, where there is nothing to be asked. */
  const apart = h('p', { class: 'apart', hidden: true });
  const provisional = h('p', { class: 'quiet provisional', hidden: true }, t('profile.provisional_means', { n: PROVISIONAL }));
  const ask = h('details', { class: 'friend card' });
  /** @type {ReturnType<typeof gameForm> | null} */
  let form = null;
  // Made for the player whose page it is; another one's page is another view.
  const makeForm = whenChanged((/** @type {string} */ player) => {
    form = gameForm(send, player);
    ask.replaceChildren(h('summary', {}, t('profile.challenge', { name: player })), form.el);
  });
  const narrow = h('a', { 'data-action': 'narrow' }, t('games.narrow'));
  const ready = h('div', { class: 'page medium' }, h('div', { class: 'page-head' }, h('div', {}, h('div', { class: 'bot-name' }, name, bot), since), block), problem, ask, apart, ratings, provisional, curve, h('div', { class: 'page-head' }, h('h2', {}, t('title.games')), narrow), list.el);
  const missing = emptyPage(t('profile.missing_title'), t('profile.missing_text'));
  const draw = whenChanged((/** @type {State['profile']['ratings']} */ all) => {
    cards.clear();
    ratings.replaceChildren(...all.map((r) => card(r, h('button', { class: 'card rating-card', type: 'button', 'aria-pressed': 'false', click: () => send({ type: 'want.curve', variant: r.variant, speed: r.speed }) },
      h('span', { class: 'quiet' }, `${t(`variant.${r.variant}`)} · ${t(`speed.${r.speed}`)}`),
      h('b', { class: 'tab' }, ...ratingNodes(r)),
      h('small', { class: 'quiet' }, t('profile.rating', { deviation: Math.round(r.deviation), games: t('profile.games', { n: r.games }) }))))));
    show(provisional, all.some((r) => r.provisional));
    if (!all.length) ratings.append(h('p', { class: 'quiet' }, t('profile.unrated')));
  });
  const drawCurve = whenChanged((/** @type {State['profile']['curve']} */ shown) => {
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
        for (const [key, el] of cards) setAttr(el, 'aria-pressed', String(profile.curve !== null && keyOf(profile.curve) === key));
      }
      const me = rest.session.player;
      const other = profile.status === 'ready' && profile.kind !== 'computer' && profile.name.toLowerCase() !== me?.name.toLowerCase();
      blocked = !!rest.blocks?.some(({ player }) => player.name === profile.name);
      show(block, other && rest.blocks !== null);
      block.disabled = rest.form.busy;
      setText(block, t(blocked ? 'profile.unblock' : 'profile.block'));
      setAttr(block, 'title', blocked ? null : t('profile.block_hint'));
      setText(problem, rest.form.at === 'block' && rest.form.problem ? problemText(rest.form.problem) : '');
      const isApart = other && (blocked || profile.blocked);
      show(ask, other && !isApart);
      show(apart, isApart);
      setText(apart, !isApart ? '' : blocked ? t('profile.blocked_by_you', { name: profile.name }) : t('profile.blocked'));
      if (other) makeForm(profile.name);
      form?.update({ ...rest, profile, games });
      list.update({ ...rest, profile, games });
    },
  };
}
