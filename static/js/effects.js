// What follows from a message outside the state: requests, the socket, the address bar, storage. The counterpart of
// update.js, run right after it with the new state.
/** @import {State, Message, Send} from './types.js' */

import { loadPrefs, loadTurn, savePrefs, saveTurn } from './keep.js';
import { call, Refusal } from './net/rest.js';
import { openLine } from './net/socket.js';
import { routeOf } from './router.js';
import { sound, soundOf, wakeSound } from './sound.js';
import { NO_DRAFT } from './turn.js';
import { dueCommands } from './update/common.js';

const PAGE = 30;
const LOBBY = 8;

/**
 * @param {() => State} now
 * @param {Send} send
 * @param {() => void} translate has the page speak the language that is preferred
 */
export function startEffects(now, send, translate) {
  const line = openLine({
    message: (message) => send({ type: 'server', message }),
    connecting: () => send({ type: 'line.connecting' }),
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
    const { game } = now();
    const url = new URL(path, location.href);
    if (how === 'push' && url.href !== location.href) history.pushState(null, '', url);
    if (how === 'replace') history.replaceState(null, '', url);
    send({ type: 'navigated', route: routeOf(url.pathname), path: url.pathname });
    const after = now().game;
    if (game && game.id !== after?.id) line.send({ t: 'unwatch', id: 'u', game: game.id });
    if (how === 'push') scrollTo(0, 0);
    load();
  }
  addEventListener('popstate', () => visit(location.pathname, 'none'));

  /** Runs a request; what it refuses is shown in the form, or as a notice. @param {() => Promise<void>} work @param {'form' | 'computer' | 'notice'} where */
  async function attempt(work, where) {
    if (where !== 'notice') send({ type: 'form.busy', at: where });
    try {
      await work();
      if (where !== 'notice') send({ type: 'form.done' });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const problem = { code: error.code, detail: error.detail };
      send(where !== 'notice' ? { type: 'form.done', problem } : { type: 'problem', problem });
    }
  }

  /** Makes a guest of a visitor who does something that needs a session; the line then has to carry the new cookie. */
  async function ensureSession() {
    if (now().session.player) return;
    const { player } = await call('POST', '/guests');
    send({ type: 'session', player });
    line.restart();
  }

  async function refreshSession() {
    send({ type: 'session', ...(await call('GET', '/session')) });
  }

  async function loadLobby() {
    const [live, recent] = await Promise.all([
      call('GET', `/games?status=live&limit=${LOBBY}`),
      call('GET', `/games?status=ended&limit=${LOBBY}`),
    ]);
    const top = live.games[0] ?? null;
    const shown = top && (await call('GET', `/games/${top.id}`).catch(() => null));
    send({ type: 'lobby', live: live.games, recent: recent.games, shown });
  }

  /** @param {{status?: string, cursor?: string | null}} [more] */
  async function loadGames({ status = '', cursor = null } = {}) {
    const { route } = now();
    send({ type: 'games.busy', status, keep: cursor !== null });
    const query = new URLSearchParams({ limit: String(PAGE) });
    if (status) query.set('status', status);
    if (cursor) query.set('cursor', cursor);
    const of = route.player ? `/players/${encodeURIComponent(route.player)}` : '';
    const { games, next } = await call('GET', `${of}/games?${query}`);
    if (now().route === route) send({ type: 'games', items: games, next, keep: cursor !== null });
  }

  /** What the present place needs to know. */
  function load() {
    const { route } = now();
    if (route.name === 'home') {
      attempt(async () => {
        if (!now().pools) send({ type: 'pools', pools: await call('GET', '/pools') });
        if (!now().computers) send({ type: 'computers', computers: (await call('GET', '/computers').catch(() => ({ computers: [] }))).computers });
        await loadLobby();
      }, 'notice');
      refreshSession().catch(() => {});
    } else if (route.name === 'challenge') {
      loadChallenge().catch(() => send({ type: 'challenge', data: null }));
    } else if (route.name === 'profile') {
      const name = route.player ?? '';
      call('GET', `/players/${encodeURIComponent(name)}`)
        .then(({ player }) => send({ type: 'profile', name, player }))
        .catch(() => send({ type: 'profile', name, player: null }));
      loadGames().catch(() => send({ type: 'games', items: [], next: null }));
    } else if (route.name === 'games') {
      attempt(() => loadGames(), 'notice');
    }
  }

  async function loadChallenge() {
    const { id } = now().route;
    const { challenge } = await call('GET', `/challenges/${encodeURIComponent(id ?? '')}`);
    send({ type: 'challenge', data: challenge });
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
    const sent = dueCommands(state).filter((cmd) => line.send(cmd)).map((cmd) => cmd.id);
    if (sent.length) send({ type: 'line.sent', ids: sent });
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

  wakeSound();

  /** @param {Message} m */
  function makeSound({ type, message, color }) {
    const { game, prefs } = now();
    if (!game || !prefs.sound) return;
    // Only what happens now: events that were missed come as a replay, and are silent.
    const name = type === 'game.low' && color === game.you ? 'low'
      : type === 'server' && message.t === 'event' && message.game === game.id ? soundOf(message) : null;
    if (name) sound(name);
  }

  /** @type {Record<string, (m: Message) => void>} */
  const intents = {
    visit: (m) => visit(m.path, 'push'),
    pref: (m) => {
      if (!m.kept) savePrefs(now().prefs);
      translate();
    },
    'want.pool': (m) => attempt(async () => {
      await ensureSession();
      send({ type: 'pool.join', variant: m.variant, time: m.time, rated: m.rated });
    }, 'notice'),
    'want.computer': (m) => attempt(async () => {
      await ensureSession();
      const { variant, level, color, time } = m;
      const { game } = await call('POST', '/games', { variant, level, color, time });
      visit(`/g/${game}`, 'push');
    }, now().route.name === 'home' ? 'computer' : 'notice'),
    'want.challenge': (m) => attempt(async () => {
      await ensureSession();
      const { challenge } = await call('POST', '/challenges', m.options);
      send({ type: 'visit', path: `/c/${challenge.id}` });
    }, 'form'),
    'want.accept': (m) => attempt(async () => {
      await ensureSession();
      const { game } = await call('POST', `/challenges/${encodeURIComponent(m.challenge)}/accept`);
      visit(`/g/${game}`, 'replace');
    }, 'form'),
    'want.cancel-challenge': (m) => attempt(async () => {
      await call('DELETE', `/challenges/${encodeURIComponent(m.challenge)}`);
      visit('/', 'push');
    }, 'form'),
    'want.login': (m) => attempt(async () => {
      const { player } = await call('POST', m.signup ? '/accounts' : '/session', { name: m.name, password: m.password });
      send({ type: 'session', player });
      line.restart();
      visit(cameFrom, 'push');
    }, 'form'),
    'want.logout': () => attempt(async () => {
      await call('DELETE', '/session');
      send({ type: 'session', player: null, playing: [] });
      line.restart();
      visit('/', 'push');
    }, 'notice'),
    'want.games': ({ status, cursor }) => attempt(() => loadGames({ status, cursor }), 'notice'),
    'want.reload': () => location.reload(),
  };

  // Another tab, or a page that this one was left for and that the back button leaves again, may have changed them.
  const again = () => send({ type: 'pref', change: loadPrefs(), kept: true });
  addEventListener('storage', again);
  addEventListener('pageshow', (event) => {
    if (event.persisted) again();
  });

  // The lists of the first page age; a page that nobody looks at need not ask.
  setInterval(() => {
    if (now().route.name === 'home' && !document.hidden && now().line.status === 'open') loadLobby().catch(() => {});
  }, 10_000);

  return {
    /** @param {Message} m */
    after(m) {
      intents[m.type]?.(m);
      const { message } = m;
      if (m.type === 'server' && message.t === 'hello') {
        if (now().line.back) setTimeout(() => send({ type: 'line.settled' }), 3000);
        // A challenge may have been taken while the line was down.
        if (now().route.name === 'challenge' && now().challenge.data?.yours) loadChallenge().catch(() => {});
      }
      if (m.type === 'server' && message.t === 'snapshot') restoreTurn();
      keepTurn();
      makeSound(m);
      flush(now());
      const { go } = now();
      if (go) visit(go, now().route.name === 'challenge' ? 'replace' : 'push');
    },
    start: () => visit(location.pathname, 'none'),
  };
}
