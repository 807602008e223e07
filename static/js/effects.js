// What follows from a message outside the state: requests, the socket, the address bar, storage. The counterpart of
// update.js, run right after it with the new state.
/** @import {State, Message, Send} from './types.js' */

import { loadPrefs, loadTurn, savePrefs, saveTurn } from './keep.js';
import { openLine } from './net/socket.js';
import { routeOf } from './router.js';
import { NO_DRAFT } from './turn.js';
import { dueCommands } from './update/common.js';

/** So long a seek that is gone keeps its place in the list. */
const GONE_MS = 2500;
/** Long enough to be read. */
const NOTICE_MS = 6000;
/** The id of the question for the lobby's list, and after how long it is put again when that was too much haste. */
const LOBBY = 'lobby';
const HASTE_MS = 4000;
/** The address follows when somebody has stopped walking through a game. */
const ADDRESS_MS = 200;

/**
 * @param {() => State} now
 * @param {Send} send
 * @param {() => void} translate has the page speak the language that is preferred
 */
export function startEffects(now, send, translate) {
  const line = openLine({
    message: (message) => send({ type: 'server', message }),
    connecting: () => send({ type: 'line.connecting' }),
    renewing: () => send({ type: 'line.renewing' }),
    waiting: (tries) => send({ type: 'line.waiting', tries }),
  });

  /** Where to go once somebody is logged in: back to the challenge or game from which they went to do it. */
  let cameFrom = '/';

  /** @param {string} path @param {'push' | 'replace' | 'none'} how */
  function visit(path, how) {
    const here = location.pathname;
    if (path === '/login' || path === '/signup') {
      if (/^\/[cg]\//.test(here)) cameFrom = here;
    } else {
      cameFrom = '/';
    }
    const { game, seeks } = now();
    const url = new URL(path, location.href);
    if (how === 'push' && url.href !== location.href) history.pushState(null, '', url);
    if (how === 'replace') history.replaceState(null, '', url);
    send({ type: 'navigated', route: routeOf(url.pathname + url.search), path: url.pathname });
    const after = now().game;
    if (seeks.sync !== 'off' && now().seeks.sync === 'off') line.send({ t: 'leave_lobby', id: LOBBY });
    if (game && game.id !== after?.id) line.send({ t: 'unwatch', id: 'u', game: game.id });
    if (how === 'push') scrollTo(0, 0);
    load();
  }
  const here = () => location.pathname + location.search;
  addEventListener('popstate', () => visit(here(), 'none'));

  /** Requests, which no game needs to be shown: fetched by whoever makes the first. @type {Promise<ReturnType<typeof import('./effects/places.js').placeEffects>> | null} */
  let fetched = null;
  const places = () => (fetched ??= import('./effects/places.js').then((m) => m.placeEffects(now, send, { visit, restart: line.restart, back: () => visit(cameFrom, 'push') })));

  /** What the present place needs to know. */
  function load() {
    if (now().route.name !== 'game') places().then((p) => p.load()).catch(() => location.reload());
  }

  /** @param {State} state */
  function flush(state) {
    if (state.line.status !== 'open') return;
    const { game } = state;
    if (game?.sync === 'needed') {
      const watchId = `w-${Math.random().toString(36).slice(2, 10)}`;
      send({ type: 'line.watching', watchId });
      line.send({ t: 'watch', id: watchId, game: game.id, ...(game.seq !== null ? { seen: game.seq } : {}) });
    }
    if (state.seeks.sync === 'needed' && line.send({ t: 'lobby', id: LOBBY })) send({ type: 'lobby.asked' });
    const sent = dueCommands(state).filter((cmd) => line.send(cmd)).map((cmd) => cmd.id);
    if (sent.length) send({ type: 'line.sent', ids: sent });
  }

  let addressTimer = 0;
  /** The address of a game says how many of its moves are shown; that of a game that one plays is always at its end. */
  function keepAddress() {
    const { game, route } = now();
    if (route.name !== 'game' || game?.status !== 'ready') return;
    const isAtEnd = game.view === null || (game.you !== null && !game.info?.outcome);
    const path = isAtEnd ? `/g/${game.id}` : `/g/${game.id}/${game.view}`;
    clearTimeout(addressTimer);
    // Browsers take so many changes and no more; a key that is held down makes many.
    if (path !== location.pathname) addressTimer = setTimeout(() => now().route === route && history.replaceState(null, '', path), ADDRESS_MS);
  }

  /** The last question why it is mate. */
  let askedMate = '';
  function askMate() {
    const { game } = now();
    if (!game?.mate?.open || game.mate.said || game.mate.id === askedMate) return;
    const about = (askedMate = game.mate.id);
    // Without its module it says so, and can be asked again.
    const missing = () => send({ type: 'game.mate-said', about, problem: { code: 'network', detail: '' } });
    import('./effects/inspect.js').then(({ lookAtMate }) => lookAtMate(game, send), missing);
  }

  /** The turn in the tray as it was last kept. */
  let kept = NO_DRAFT;

  function keepTurn() {
    const { game } = now();
    if (!game || game.status !== 'ready' || game.draft === kept) return;
    kept = game.draft;
    saveTurn(game);
  }

  function restoreTurn() {
    const { game } = now();
    const turn = game && loadTurn(game.id);
    if (turn) send({ type: 'game.restore', ...turn });
  }

  /** The last notice that was seen here. */
  let told = 0;
  /** What asks for nothing goes by itself: on a phone it lies over the boards. */
  function letGo() {
    for (const { n, kind, link } of now().notices) {
      if (n > told && kind === 'info' && !link) setTimeout(() => send({ type: 'dismiss', n }), NOTICE_MS);
    }
    told = Math.max(told, ...now().notices.map(({ n }) => n));
  }

  /** Nothing can be heard before somebody has touched the page. @type {typeof import('./sound.js') | null} */
  let sounds = null;
  for (const type of ['pointerdown', 'keydown']) {
    addEventListener(type, () => {
      if (sounds) sounds.wakeSound();
      else import('./sound.js').then((m) => { sounds = m; m.wakeSound(); }).catch(() => {});
    }, { passive: true });
  }

  /** @param {Message} m */
  function makeSound({ type, message, color }) {
    const { game, prefs } = now();
    if (!sounds || !game || !prefs.sound) return;
    // Only what happens now: events that were missed come as a replay, and are silent.
    const name = type === 'game.low' && color === game.you ? 'low'
      : type === 'server' && message.t === 'event' && message.game === game.id ? sounds.soundOf(message) : null;
    if (name) sounds.sound(name);
  }

  /** @type {Record<string, (m: Message) => void>} */
  const intents = {
    visit: (m) => visit(m.path, 'push'),
    address: (m) => history.replaceState(null, '', m.path),
    pref: (m) => {
      if (!m.kept) savePrefs(now().prefs);
      translate();
    },
    'want.reload': () => location.reload(),
    'game.inspect': () => { import('./effects/inspect.js').then(({ lookInto }) => lookInto(now().game, send)).catch(() => {}); },
  };

  // Another tab, or a page that this one was left for and that the back button leaves again, may have changed them.
  const again = () => send({ type: 'pref', change: loadPrefs(), kept: true });
  addEventListener('storage', again);
  addEventListener('pageshow', (event) => {
    if (event.persisted) again();
  });

  return {
    /** @param {Message} m */
    after(m) {
      intents[m.type]?.(m);
      if (!intents[m.type] && m.type.startsWith('want.')) places().then((p) => p.want(m)).catch(() => location.reload());
      const { message } = m;
      if (m.type === 'server' && message.t === 'hello') {
        if (now().line.back) setTimeout(() => send({ type: 'line.settled' }), 3000);
        fetched?.then((p) => p.opened());
      }
      if (m.type === 'server' && message.t === 'refused' && message.id === LOBBY && message.code === 'rate_limited') setTimeout(() => send({ type: 'lobby.again' }), HASTE_MS);
      if (m.type === 'server' && message.t === 'seek_removed') setTimeout(() => send({ type: 'seek.prune' }), GONE_MS);
      if (m.type === 'server' && message.t === 'snapshot') restoreTurn();
      keepTurn();
      askMate();
      keepAddress();
      letGo();
      makeSound(m);
      flush(now());
      const { go } = now();
      if (go) visit(go, now().route.name === 'challenge' ? 'replace' : 'push');
    },
    start: () => visit(here(), 'none'),
  };
}
