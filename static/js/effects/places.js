// What follows from messages on all places but a game: requests to the REST API.
/** @import {GameInfo, Message, OwnGame, Send, State} from '../types.js' */

import { startOf } from '../games/index.js';
import { filterQuery, nextPart, readFilter } from '../list-query.js';
import { poster } from '../net/once.js';
import { call, Refusal } from '../net/rest.js';
import { sideToMove } from '../position.js';
import { accountEffects } from './account.js';

const PAGE = 30;
const LIVE = 8;
/** So many of one's own games are looked at one by one. */
const OWN = 20;
/** Among so many of them is one that was played to its end. */
const LAST = 5;
const DAY_MS = 86_400_000;
const AGAIN_MS = 10_000;

/**
 * @param {() => State} now
 * @param {Send} send
 * @param {{visit: (path: string, how: 'push' | 'replace' | 'none') => void, restart: () => void, back: () => void}} go `restart` the line, because the session has changed
 */
export function placeEffects(now, send, { visit, restart, back }) {
  const post = poster(call);

  /** Runs a request; what it refuses is shown in the form, or as a notice. @param {() => Promise<void>} work @param {State['form']['at'] | 'notice'} where */
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
    restart();
  }

  async function refreshSession() {
    send({ type: 'session', ...(await call('GET', '/session')) });
    await Promise.all([loadLast().catch(() => {}), loadChallenges(), loadMine().catch(() => send({ type: 'mine', games: [] }))]);
  }

  async function loadChallenges() {
    if (!now().session.player) return;
    const { received, created } = await call('GET', '/challenges');
    send({ type: 'challenges', received: received ?? [], created: created ?? [] });
  }

  /** One's own games under way, with whose turn it is and how long there is time. */
  async function loadMine() {
    const { player } = now().session;
    if (!player) return;
    const { games } = await call('GET', `/players/${encodeURIComponent(player.name)}/games?status=live&limit=${OWN}`);
    const mine = await Promise.all(games.map(async (/** @type {GameInfo} */ listed) => own(await call('GET', `/games/${listed.id}`).catch(() => listed), player.name)));
    send({ type: 'mine', games: mine });
  }

  /** What was played last, for whoever has not chosen a game in this browser. One that was aborted says nothing. */
  async function loadLast() {
    const { prefs, session: { player, last } } = now();
    if (!player || prefs.variant || last) return;
    const { games } = await call('GET', `/players/${encodeURIComponent(player.name)}/games?status=ended&limit=${LAST}`);
    send({ type: 'played', variant: games.find((/** @type {GameInfo} */ game) => game.outcome !== 'none')?.variant ?? null });
  }

  async function loadLists() {
    const [live, recent] = await Promise.all([call('GET', `/games?status=live&limit=${LIVE}`), call('GET', `/games?status=ended&limit=${LIVE}`)]);
    const top = live.games[0] ?? null;
    const shown = top && (await call('GET', `/games/${top.id}`).catch(() => null));
    send({ type: 'lobby', live: live.games, recent: recent.games, shown });
  }

  /** The games of a profile, or those that the address of the list asks for. @param {{cursor?: string | null}} [more] */
  async function loadGames({ cursor = null } = {}) {
    const { route } = now();
    send({ type: 'games.busy', keep: cursor !== null });
    const filter = readFilter(route.search ?? '');
    const player = route.player ?? filter.player;
    /** @param {string | null} from */
    const ask = (from) => call('GET', `/games?${new URLSearchParams([['limit', String(PAGE)], ...filterQuery({ ...filter, player }), ...(from ? [['cursor', from]] : [])])}`);
    // Who has gone elsewhere asks no further.
    const { games, next } = await nextPart(async (from) => (now().route === route ? ask(from) : { games: [], next: null }), cursor);
    if (now().route === route) send({ type: 'games', items: games, next, keep: cursor !== null });
  }

  /** A part of the list that could not be had can be asked for again. @param {string | null} cursor */
  async function growGames(cursor) {
    const { route } = now();
    await attempt(() => loadGames({ cursor }), 'notice');
    if (now().route === route && now().games.busy) send({ type: 'games', items: [], next: cursor, keep: cursor !== null });
  }

  async function loadChallenge() {
    const { challenge } = await call('GET', `/challenges/${encodeURIComponent(now().route.id ?? '')}`);
    send({ type: 'challenge', data: challenge });
  }

  async function loadLeaders() {
    const { route, leaders } = now();
    const { players } = await call('GET', `/leaderboards/${leaders.variant}/${leaders.speed}`);
    if (now().route === route) send({ type: 'leaders', players });
  }

  async function loadProfile() {
    const name = now().route.player ?? '';
    const { player } = await call('GET', `/players/${encodeURIComponent(name)}`);
    send({ type: 'profile', name, player });
    return player;
  }

  /** How one of the ratings on a profile has gone. @param {{variant: string, speed: string}} rating */
  function loadCurve({ variant, speed }) {
    const { name } = now().profile;
    return attempt(async () => {
      send({ type: 'curve', name, curve: await call('GET', `/players/${encodeURIComponent(name)}/ratings/${variant}/${speed}`) });
    }, 'notice');
  }

  /** Of nobody there is nothing to ask. */
  async function loadBlocks() {
    if (!now().session.player) return;
    const { blocks } = await call('GET', '/blocks');
    send({ type: 'blocks', blocks });
  }

  function loggedOut() {
    send({ type: 'session', player: null, playing: [] });
    restart();
    visit('/', 'push');
  }
  const account = accountEffects(now, send, attempt, { restart, leave: loggedOut });

  /** @type {Record<string, () => void>} */
  const loads = {
    home: () => {
      attempt(async () => {
        if (!now().pools) send({ type: 'pools', pools: await call('GET', '/pools') });
        if (!now().computers) send({ type: 'computers', computers: (await call('GET', '/computers').catch(() => ({ computers: [] }))).computers });
        await loadLists();
      }, 'notice');
      refreshSession().catch(() => {});
    },
    challenge: () => { loadChallenge().catch(() => send({ type: 'challenge', data: null })); },
    profile: () => {
      const name = now().route.player ?? '';
      loadProfile()
        .then((player) => {
          const [most] = [...player.ratings].sort((a, b) => b.games - a.games);
          if (most) loadCurve(most);
        })
        .catch(() => send({ type: 'profile', name, player: null }));
      loadGames().catch(() => send({ type: 'games', items: [], next: null }));
      loadBlocks().catch(() => {});
      loadLast().catch(() => {});
    },
    leaders: () => { loadLeaders().catch(() => send({ type: 'leaders', players: [] })); },
    games: () => { growGames(null); },
    settings: () => {
      loadBlocks().catch(() => {});
      account.load().catch(() => {});
    },
  };

  const path = (/** @type {Message} */ m, tail = '') => `/challenges/${encodeURIComponent(m.challenge)}${tail}`;
  /** @type {Record<string, (m: Message) => void>} */
  const wants = {
    'want.pool': (m) => attempt(async () => {
      await ensureSession();
      send({ type: 'pool.join', variant: m.variant, time: m.time, rated: m.rated });
    }, 'notice'),
    'want.seek': (m) => attempt(async () => {
      await ensureSession();
      send({ type: 'seek.make', options: m.options });
    }, 'form'),
    'want.accept-seek': (m) => attempt(async () => {
      await ensureSession();
      send({ type: 'seek.accept', seek: m.seek });
    }, 'notice'),
    'want.computer': (m) => attempt(async () => {
      await ensureSession();
      const { variant, level, color, time } = m;
      const { game } = await post('/games', { variant, level, color, time }, m.id);
      visit(`/g/${game}`, 'push');
    }, now().route.name === 'home' ? 'computer' : 'notice'),
    'want.challenge': (m) => attempt(async () => {
      await ensureSession();
      const { challenge } = await post('/challenges', m.options, m.id);
      visit(`/c/${challenge.id}`, 'push');
    }, 'form'),
    'want.accept': (m) => attempt(async () => {
      await ensureSession();
      const { game } = await call('POST', path(m, '/accept'));
      visit(`/g/${game}`, now().route.name === 'challenge' ? 'replace' : 'push');
    }, now().route.name === 'challenge' ? 'form' : 'notice'),
    'want.decline': (m) => attempt(async () => {
      await call('POST', path(m, '/decline'));
      if (now().route.name === 'challenge') visit('/', 'push');
      else await loadChallenges();
    }, now().route.name === 'challenge' ? 'form' : 'notice'),
    'want.cancel-challenge': (m) => attempt(async () => {
      await call('DELETE', path(m));
      if (now().route.name === 'challenge') visit('/', 'push');
      else await loadChallenges();
    }, now().route.name === 'challenge' ? 'form' : 'notice'),
    'want.block': (m) => attempt(async () => {
      await call(m.block ? 'PUT' : 'DELETE', `/blocks/${encodeURIComponent(m.player)}`);
      // The other one may have blocked, too.
      await Promise.all([loadBlocks(), now().route.name === 'profile' ? loadProfile() : null]);
    }, 'block'),
    'want.login': (m) => attempt(async () => {
      const who = { name: m.name, password: m.password };
      const { player } = m.signup ? await post('/accounts', who, m.id) : await call('POST', '/session', who);
      send({ type: 'session', player });
      restart();
      back();
    }, 'form'),
    'want.logout': () => attempt(async () => {
      await call('DELETE', '/session');
      loggedOut();
    }, 'notice'),
    ...account.wants,
    'want.curve': ({ variant, speed }) => loadCurve({ variant, speed }),
    'want.games': ({ cursor }) => { growGames(cursor); },
  };

  let round = 0;
  // The lists of the first page age; a page that nobody looks at need not ask.
  setInterval(() => {
    if (now().route.name === 'home' && !document.hidden && now().line.status === 'open') Promise.all([loadLists(), ++round % 3 ? null : loadMine()]).catch(() => {});
  }, AGAIN_MS);

  return {
    load: () => loads[now().route.name]?.(),
    /** @param {Message} m */
    want: (m) => wants[m.type]?.(m),
    /** A line is open, perhaps after a while without one. */
    opened() {
      const { route, challenge } = now();
      // A challenge may have been taken meanwhile, and others may have come.
      if (route.name === 'challenge' && challenge.data?.yours) loadChallenge().catch(() => {});
      // Who it is was not known before.
      if (route.name === 'settings' && !now().account.logins) account.load().catch(() => {});
      if ((route.name === 'settings' || route.name === 'profile') && !now().blocks) loadBlocks().catch(() => {});
      if (route.name === 'home') loadChallenges().catch(() => {});
    },
  };
}

/** @param {GameInfo} info @param {string} name of the player whose game it is @returns {OwnGame} */
function own(info, name) {
  const last = info.moves?.at(-1);
  const side = sideToMove(last?.fen ?? info.start_fen ?? startOf(info.variant));
  const days = info.time?.days_per_move;
  const since = new Date(last?.played_at ?? info.created_at).getTime();
  return { info, turn: info[side].name === name, due: days ? since + days * DAY_MS : null };
}
