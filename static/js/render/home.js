/** @import {Send, State, View} from '../types.js' */

import { geometryOf, startOf, VARIANTS } from '../games/index.js';
import { nameText, t } from '../i18n.js';
import { isFirstGame, offeredVariant } from '../offered.js';
import { computerForm } from './computer.js';
import { h, setAttr, setText, show, whenChanged } from './dom.js';
import { gameForm } from './form.js';
import { gameList, hasAccount, miniSheet } from './lists.js';
import { mine } from './mine.js';
import { choice, gameKind } from './parts.js';
import { seekList } from './seeks.js';

/** @param {Send} send @returns {View} */
export function homePage(send) {
  const variants = choice('variant', t('home.variant'), VARIANTS.map((value) => ({
    value, text: t(`variant.${value}`), props: { 'data-variant': value },
  })), (variant) => send({ type: 'pref', change: { variant } }));
  const rated = choice('rated', t('home.rated'), [
    { value: 'true', text: t('rated'), props: { 'data-rated': 'true' } }, { value: 'false', text: t('casual'), props: { 'data-rated': 'false' } },
  ], (value) => send({ type: 'pref', change: { rated: value === 'true' } }));
  const about = h('p', { class: 'quiet variant-about' });
  const guests = h('p', { class: 'quiet' }, t('home.guests'), ' ', h('a', { href: '/signup' }, t('nav.signup')));
  const pools = h('div', { class: 'pools', role: 'group', 'aria-labelledby': 'find' });
  const computer = computerForm(send);
  const make = gameForm(send, null);
  const makeBox = h('details', { class: 'friend card' }, h('summary', {}, t('home.make')), make.el);
  const seeks = seekList(send);
  const own = mine(send);
  const counts = h('p', { class: 'counts', hidden: true });
  const resume = h('div', { class: 'resume' });
  const picture = h('div', { class: 'show' });
  const live = h('div');
  const recent = h('div');
  const liveBox = h('section', {}, h('h2', {}, t('home.live')), live);
  const recentBox = h('section', {}, h('h2', {}, t('home.recent')), recent);
  /** @type {State | null} */
  let state = null;
  let known = 0;
  const wantsRated = () => !!state && state.prefs.rated && hasAccount(state);

  const drawPools = whenChanged((/** @type {State['pools']} */ list) => {
    pools.replaceChildren(...(list?.times ?? []).map(({ time, speed }) => h('button', {
      type: 'button', class: 'pool', 'data-pool': time,
      click: () => {
        const waits = state?.pool;
        if (waits && waits.time === time && state && waits.variant === offeredVariant(state)) send({ type: 'pool.leave' });
        else if (state) send({ type: 'want.pool', variant: offeredVariant(state), time, rated: wantsRated() });
      },
    }, h('b', { class: 'tab' }, time), ' ', h('small', {}, t(`speed.${speed}`)), ' ', h('small', { class: 'crowd' }))));
  });
  const drawLive = whenChanged((/** @type {State['lobby']['live']} */ games) => {
    show(liveBox, games.length > 0);
    live.replaceChildren(gameList(games, ''));
  });
  const drawRecent = whenChanged((/** @type {State['lobby']['recent']} */ games) => recent.replaceChildren(gameList(games, t('home.none'))));
  const drawResume = whenChanged((/** @type {string} */ ids) => {
    const games = ids ? ids.split(' ') : [];
    resume.replaceChildren(...games.map((id) => h('a', { class: 'notice info', href: `/g/${id}` }, h('span', {}, t('home.playing')), h('span', { class: 'button small primary' }, t('action.go_to_game')))));
  });
  const drawShow = whenChanged((/** @type {string} */ key) => {
    const [variant, fen, id, label, under] = JSON.parse(key);
    const sheet = miniSheet(geometryOf(variant), fen, label);
    picture.replaceChildren(id ? h('a', { href: `/g/${id}`, 'aria-label': label }, sheet) : sheet, h('p', { class: 'quiet' }, under));
  });

  const el = h('div', { class: 'page home' },
    h('section', { class: 'play' },
      h('h1', {}, t('home.title')), h('p', { class: 'lead' }, t('home.lead'), ' ', h('a', { href: '/learn', 'data-action': 'learn' }, t('learn.invite'))), resume, own.el,
      h('div', { class: 'variants' }, variants.el, about),
      h('section', { class: 'find' }, h('div', { class: 'find-head' }, h('h2', { id: 'find' }, t('home.pools')), rated.el), pools, guests),
      makeBox, computer.el),
    h('div', { class: 'aside' }, counts, seeks.el, picture, liveBox, recentBox, h('p', {}, h('a', { href: '/analysis' }, t('analysis.invite')))));

  return {
    el,
    /** @param {State} next */
    update(next) {
      state = next;
      const variant = offeredVariant(next);
      variants.offer(next.pools?.variants ?? VARIANTS);
      variants.set(variant);
      const account = hasAccount(next);
      rated.set(String(account && next.prefs.rated));
      rated.disable('true', !account);
      show(guests, next.session.loaded && !account);
      setText(about, t(isFirstGame(next) ? 'home.first_game' : `variant.${variant}.about`));
      drawPools(next.pools);
      for (const button of pools.querySelectorAll('[data-pool]')) {
        const time = button.getAttribute('data-pool');
        const crowd = next.seeks.pools.find((pool) => pool.variant === variant && pool.time === time && pool.rated === wantsRated());
        setText(/** @type {Element} */ (button.lastChild), crowd ? t('home.waiting', { n: crowd.waiting }) : '');
        setAttr(button, 'aria-pressed', String(next.pool !== null && next.pool.time === button.getAttribute('data-pool') && next.pool.variant === variant));
      }
      drawLive(next.lobby.live);
      drawRecent(next.lobby.recent);
      // What the list of one's games has is told there.
      const listed = next.mine?.map(({ info }) => info.id);
      drawResume(listed ? next.session.playing.filter((id) => !listed.includes(id)).join(' ') : '');
      own.update(next);
      seeks.update(next);
      const { online, games } = next.seeks;
      // Until the server has told what is there, nothing is said of it.
      show(counts, online !== null);
      show(seeks.el, online !== null);
      setText(counts, online === null ? '' : `${t('home.online', { n: online })} · ${t('home.games', { n: games })}`);
      computer.update(next);
      make.update(next);
      // What was put into the lobby is seen there; the form has done its work.
      if (next.seeks.items.length > known && next.seeks.items.at(-1)?.owner.name === next.session.player?.name) makeBox.open = false;
      known = next.seeks.items.length;
      drawShow(JSON.stringify(shown(next)));
    },
  };
}

/** What the picture shows: a game that is being played, else how the chosen game begins. @param {State} state */
function shown(state) {
  const { lobby: { shown: game } } = state;
  const variant = offeredVariant(state);
  // A game under way is the best picture of how it is played, as long as it is the one that was chosen.
  if (game?.moves && !game.outcome && game.variant === variant) {
    const fen = game.moves.at(-1)?.fen ?? game.start_fen;
    const label = t('home.watch', { white: nameText(game.white), black: nameText(game.black) });
    return [game.variant, fen, game.id, label, `${label} · ${gameKind(game)}`];
  }
  const fen = startOf(variant);
  return [variant, fen, null, t('home.start_label', { variant: t(`variant.${variant}`) }), t('home.start', { variant: t(`variant.${variant}`), n: geometryOf(variant).pieces(fen).size / 2 })];
}
