// The frame around every place: header, notices, live region; and which page is mounted.
/** @import {Send, State, View} from '../types.js' */

import { isAccount } from '../format.js';
import { addWords, problemText, spoken, t } from '../i18n.js';
import { styleFile, wordFile } from '../net/files.js';
import { h, icon, setAttr, setText, show, whenChanged } from './dom.js';
import { LOOKS } from '../keep.js';
import { titleOf } from './title.js';
import { botMark } from './parts.js';
import { poolBar } from './pool.js';
import { sentence } from './say.js';
import { profilePath } from '../router.js';

/** @typedef {(send: Send) => View} Page */
/** The places, each with the modules that only it needs. @type {Record<string, () => Promise<Page>>} */
const PAGES = {
  home: () => import('./home.js').then((m) => m.homePage),
  game: () => import('./game.js').then((m) => m.gamePage),
  challenge: () => import('./challenge.js').then((m) => m.challengePage),
  profile: () => import('./profile.js').then((m) => m.profilePage),
  leaders: () => import('./leaders.js').then((m) => m.leadersPage),
  games: () => import('./games.js').then((m) => m.gamesPage),
  learn: () => import('./learn.js').then((m) => m.learnPage),
  puzzles: () => import('./puzzles.js').then((m) => m.puzzlesPage),
  analysis: () => import('./analysis.js').then((m) => m.analysisPage),
  settings: () => import('./settings.js').then((m) => m.settingsPage),
  login: () => import('./auth.js').then((m) => m.loginPage),
  signup: () => import('./auth.js').then((m) => m.signupPage),
  'not-found': () => import('./lists.js').then(({ emptyPage }) => () => ({ el: emptyPage(t('notfound.title'), t('notfound.text')), update() {} })),
};

/** The parts of the words, and the style sheets, that all places but a game need at once; `more` is refusals and reasons, which a game may need. */
const PLACES = { words: ['places', 'more'], styles: ['pages', 'parallel'] };

/** Places to which one goes now and then, and which are large: they have words and a style of their own, and are fetched when one does. */
const APART = ['learn', 'puzzles', 'analysis'];

/** Begins to fetch what a place needs besides its modules. @param {string} name @param {string} language */
export function prepare(name, language) {
  if (name === 'game') return [];
  const part = name === 'analysis' ? name : 'learn';
  const own = APART.includes(name) ? [wordFile(language, part), styleFile(part)] : [];
  return [...PLACES.words.map((part) => wordFile(language, part)), ...PLACES.styles.map(styleFile), ...own];
}

/** What a place needs besides its modules, in the language that is spoken. @param {string} name */
async function furnish(name) {
  const language = spoken();
  const words = await Promise.all(prepare(name, language));
  if (language === spoken()) addWords(Object.assign({}, ...words));
}

/** Fetches what the other places need while nothing else happens, so that going there waits for nothing. */
function fetchAhead() {
  setTimeout(() => {
    furnish('home');
    for (const [name, load] of Object.entries(PAGES)) if (!APART.includes(name)) load().catch(() => {});
  }, AHEAD_MS);
}
/** Late enough not to share the line with what the first place asks for. */
const AHEAD_MS = 3000;

/**
 * @param {string} sprite the text of pieces.svg
 * @param {Send} send
 */
export function startPage(sprite, send) {
  const parsed = new DOMParser().parseFromString(sprite, 'image/svg+xml').documentElement;
  const pictures = document.importNode(parsed, true);
  pictures.setAttribute('class', 'sprite');
  pictures.setAttribute('aria-hidden', 'true');
  document.addEventListener('click', (event) => followLink(event, send));
  let frame = frameOf(pictures, send, 0);
  return {
    /** @param {State} state */
    draw: (state) => frame.draw(state),
    /** Everything anew, in other words. @param {State} state */
    build(state) {
      const { id } = document.activeElement ?? {};
      frame.leave();
      frame = frameOf(pictures, send, state.live.n, id);
      frame.draw(state);
    },
  };
}

/** @param {Node} pictures @param {Send} send @param {number} told how much of what is spoken has been heard @param {string} [focused] the id of what had the focus */
function frameOf(pictures, send, told, focused = '') {
  const head = header(send);
  const main = h('main', { id: 'main', tabindex: '-1' });
  const notices = h('div', { class: 'notices' });
  const live = h('div', { class: 'unseen', role: 'log', 'aria-live': 'polite', 'aria-atomic': 'false', 'aria-relevant': 'additions' });
  const pool = poolBar(send);
  document.body.replaceChildren(pictures, h('a', { class: 'skip', href: '#main' }, t('nav.skip')), head.el, main, pool.el, notices, live);

  /** @type {View | undefined} */
  let view;
  let place = '';
  let left = false;
  /** @type {State} */
  let latest;
  const drawNotices = whenChanged((/** @type {State['notices']} */ list) => {
    notices.replaceChildren(...list.map((n) => notice(n, send)));
  });
  /** The sentences on the page. @type {Map<number, HTMLElement>} */
  const heard = new Map();
  // Each new one is a paragraph of its own: of two that come at once neither takes the other's place before it is read.
  const speak = whenChanged((/** @type {State['live']} */ { n: last, said }) => {
    for (const [n, el] of heard) {
      if (said.some((one) => one.n === n)) continue;
      el.remove();
      heard.delete(n);
    }
    for (const one of said.filter(({ n }) => n > told)) {
      const el = h('p', {}, sentence(one));
      heard.set(one.n, el);
      live.append(el);
    }
    told = last;
  });

  /** Shows a place once its modules are there; until then the one before stays. @param {string} here */
  async function enter(here) {
    const first = place === '';
    place = here;
    const { name } = latest.route;
    // Without its modules there is no place: the server serves other ones now, and a fresh page has them.
    const [page] = await Promise.all([PAGES[name]().catch(() => location.reload()), furnish(name)]);
    if (!page || place !== here || left) return;
    view?.leave?.();
    view = page(send);
    main.replaceChildren(view.el);
    document.body.dataset.route = name;
    if (first) {
      fetchAhead();
      document.getElementById(focused)?.focus();
    } else {
      main.focus({ preventScroll: true });
    }
    shown = here;
    draw(latest);
  }
  /** The place whose view is on the page. */
  let shown = '';

  /** @param {State} state */
  function draw(state) {
    latest = state;
    const { route } = state;
    const here = `${route.name} ${route.id ?? route.player ?? ''}`;
    if (here !== place && PAGES[route.name]) enter(here);
    for (const what of /** @type {(keyof typeof LOOKS)[]} */ (Object.keys(LOOKS))) setAttr(document.documentElement, `data-${what}`, state.prefs[what]);
    head.update(state);
    if (here === shown) view?.update(state);
    pool.update(state);
    drawNotices(state.notices);
    speak(state.live);
    const title = titleOf(state);
    if (document.title !== title) document.title = title;
  }
  return {
    draw,
    leave() {
      left = true;
      view?.leave?.();
      pool.leave();
    },
  };
}

/** Links inside the site change the place without loading it anew. @param {MouseEvent} event @param {Send} send */
function followLink(event, send) {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (link.origin !== location.origin || link.hasAttribute('download') || link.target || link.pathname.startsWith('/api/')) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  send({ type: 'visit', path: link.pathname + link.search });
}

/** @param {State['notices'][0]} n @param {Send} send */
function notice(n, send) {
  const text = n.key === 'problem' ? problemText(/** @type {any} */ (n.args)) : t(n.key, n.args);
  const link = n.link && (n.link.href
    ? h('a', { class: 'button small', href: n.link.href }, t(n.link.key))
    : h('button', { class: 'small', type: 'button', click: () => send({ type: 'want.reload' }) }, t(n.link.key)));
  return h('div', { class: `notice ${n.kind}`, role: n.kind === 'error' ? 'alert' : null },
    h('span', {}, text), link,
    h('button', { class: 'bare', type: 'button', 'aria-label': t('action.dismiss'), click: () => send({ type: 'dismiss', n: n.n }) }, icon('cross')));
}

/** @param {Send} send */
function header(send) {
  const links = [['/', 'nav.play', 'home'], ['/learn', 'nav.learn', 'learn'], ['/puzzles', 'nav.puzzles', 'puzzles'], ['/leaderboard', 'nav.leaders', 'leaders'], ['/games', 'nav.games', 'games']]
    .map(([href, key, name]) => ({ name, el: h('a', { href }, t(key)) }));
  // Where the header has no room for all of them, the others are a press away (base.css).
  const others = links.slice(1).map(({ name, el }) => ({ name, el: /** @type {HTMLAnchorElement} */ (el.cloneNode(true)) }));
  const summary = h('summary', { class: 'button bare', 'aria-label': t('nav.more'), title: t('nav.more') }, icon('menu'));
  const menu = h('details', {
    class: 'nav-more',
    click: (/** @type {Event} */ event) => {
      if (event.target instanceof HTMLAnchorElement) menu.open = false;
    },
    keydown: (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Escape' || !menu.open) return;
      menu.open = false;
      summary.focus();
    },
    focusout: (/** @type {FocusEvent} */ event) => {
      if (event.relatedTarget instanceof Node && !menu.contains(event.relatedTarget)) menu.open = false;
    },
  }, summary, h('div', { class: 'nav-list' }, ...others.map((l) => l.el)));
  const connection = h('span', { class: 'connection', 'data-connection': 'connecting', role: 'status' });
  const themeIcon = h('span', { class: 'icon-slot' });
  let theme = 'auto';
  const next = () => ({ auto: 'light', light: 'dark', dark: 'auto' })[theme] ?? 'auto';
  const themeButton = h('button', { class: 'bare', type: 'button', 'data-action': 'theme', click: () => send({ type: 'pref', change: { theme: next() } }) }, themeIcon);
  const settings = h('a', { class: 'button bare', href: '/settings', 'aria-label': t('nav.settings'), title: t('nav.settings') }, icon('settings'));
  const me = h('span', { class: 'me' });
  const el = h('header', { class: 'masthead' },
    h('a', { class: 'brand', href: '/' }, mark(), 'Manifold'),
    h('nav', { 'aria-label': t('nav.label') }, ...links.map((l) => l.el), menu),
    connection, h('div', { class: 'corner' }, themeButton, settings, me));
  const drawTheme = whenChanged((/** @type {string} */ name) => {
    theme = name;
    if (name === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    themeIcon.replaceChildren(icon(name));
    setAttr(themeButton, 'aria-label', t('theme.switch', { theme: t(`theme.${name}`) }));
    setAttr(themeButton, 'title', t('theme.switch', { theme: t(`theme.${name}`) }));
  });
  const drawMe = whenChanged((/** @type {string} */ key) => {
    const [loaded, kind, name] = JSON.parse(key);
    if (!loaded) me.replaceChildren();
    else if (isAccount({ kind })) {
      me.replaceChildren(h('a', { class: 'my-name', 'data-me': name, href: profilePath(name) }, name), ...(kind === 'bot' ? [botMark()] : []),
        h('button', { class: 'quiet-button', type: 'button', 'data-action': 'logout', click: () => send({ type: 'want.logout' }) }, t('action.logout')));
    } else {
      me.replaceChildren(...(name ? [h('span', { class: 'my-name guest', 'data-me': name }, name)] : []),
        h('a', { href: '/login' }, t('nav.login')), h('a', { class: 'button small', href: '/signup' }, t('nav.signup')));
    }
  });
  return {
    el,
    /** @param {State} state */
    update(state) {
      for (const l of [...links, ...others]) setAttr(l.el, 'aria-current', l.name === state.route.name ? 'page' : null);
      setAttr(settings, 'aria-current', state.route.name === 'settings' ? 'page' : null);
      const { status, back } = state.line;
      const shown = status === 'open' && back ? 'back' : status === 'waiting' ? 'reconnecting' : status;
      setAttr(connection, 'data-connection', shown);
      setText(connection, shown === 'open' || shown === 'connecting' ? '' : t(`connection.${shown}`));
      show(connection, shown !== 'open' && shown !== 'connecting');
      drawTheme(state.prefs.theme);
      drawMe(JSON.stringify([state.session.loaded, state.session.player?.kind, state.session.player?.name ?? '']));
    },
  };
}

/** The four boards, as small as they get. */
function mark() {
  return h('span', { class: 'mark', 'aria-hidden': 'true' }, h('i'), h('i'), h('i'), h('i'));
}
