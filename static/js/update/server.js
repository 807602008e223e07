/** @import {State, Message} from '../types.js' */

import { chatLine, chatRefused } from './chat.js';
import { notify, post, speak, welcome } from './common.js';
import { gameEvent, gamePresence, gameReplay, gameSnapshot } from './events.js';
import { lobbyAcked, lobbyRefused, lobbyTold } from './lobby.js';
import { answered, explained, takeOut, turnRefused } from './turn.js';

/**
 * What the server said over the socket.
 * @param {State} state
 * @param {Message} m `m.message` is one message of docs/protocol.md
 * @returns {State}
 */
export function updateServer(state, m) {
  const s = m.message;
  switch (s.t) {
    case 'hello':
      return hello(state, m);
    case 'snapshot':
      return gameSnapshot(state, m);
    case 'replay':
      return gameReplay(state, m);
    case 'event':
      return gameEvent(state, m);
    case 'legal':
      return answered(state, m);
    case 'explained':
      return explained(state, m);
    case 'presence':
      return gamePresence(state, m);
    case 'chat':
      return chatLine(state, m);
    case 'ack':
      return acknowledged(state, s);
    case 'refused':
      return refused(state, m);
    case 'pool':
      return pool(state, m);
    case 'paired':
      return paired(state, s);
    case 'lobby':
      return lobbyTold(pool(state, m), s);
    default:
      return lobbyTold(state, s);
  }
}

/** @param {State} state @param {Message} m @returns {State} */
function hello(state, m) {
  const { player, assets } = m.message;
  const { line } = state;
  const outdated = line.assets !== null && line.assets !== assets;
  /** @type {State} */
  let next = {
    ...welcome(state, player),
    line: { status: 'open', epoch: line.epoch + 1, everOpen: true, back: line.everOpen && line.status !== 'connecting', assets },
    // What was made ahead was made for a position that may be long gone.
    game: state.game && { ...state.game, sync: 'needed', premove: null },
    seeks: state.seeks.sync === 'off' ? state.seeks : { ...state.seeks, sync: 'needed' },
    // Commands that are no retry keys are not repeated on a new line: what they asked for is asked for anew below.
    outbox: state.outbox.filter(({ cmd, epoch }) => cmd.game !== undefined || epoch === null),
  };
  if (next.line.back) next = speak(next, 'line.back');
  if (outdated) next = notify(next, 'notice.outdated', { link: { href: '', key: 'action.reload' } });
  if (next.pool && !next.outbox.some(({ cmd }) => cmd.t === 'join_pool')) {
    // The line that joined is gone and took our place in the pool with it.
    const { variant, time, rated, mine } = next.pool;
    next = mine ? post(next, { t: 'join_pool', id: m.id, variant, time, rated }) : { ...next, pool: null };
  }
  return next;
}

/** @param {State} state @param {any} s @returns {State} */
function acknowledged(state, s) {
  const out = state.outbox.find((o) => o.cmd.id === s.id);
  if (!out) return state;
  const next = { ...state, outbox: state.outbox.filter((o) => o !== out) };
  return out.cmd.t === 'leave_pool' ? { ...next, pool: null, seeking: false } : lobbyAcked(next, out.cmd.t, s);
}

/** @param {State} state @param {Message} m @returns {State} */
function refused(state, m) {
  const s = m.message;
  if (state.game && s.id !== null && s.id === state.game.watchId) {
    if (s.code === 'not_found' || s.code === 'bad_message') return { ...state, game: { ...state.game, status: 'missing', sync: 'ok' } };
    return notify({ ...state, game: { ...state.game, sync: 'ok' } }, 'problem', { kind: 'error', args: { code: s.code, detail: s.detail } });
  }
  const out = state.outbox.find((o) => o.cmd.id === s.id);
  if (!out) return state;
  // Dropping the command also takes back what was shown ahead of the answer.
  let next = { ...state, outbox: state.outbox.filter((o) => o !== out) };
  const { t } = out.cmd;
  const asked = turnRefused(next, s, t);
  if (asked) return asked;
  next = lobbyRefused(next, out.cmd, s.code);
  if (t === 'move') next = takeOut(next);
  if (t === 'chat') next = chatRefused(next, String(out.cmd.text));
  if (t === 'join_pool') next = { ...next, pool: null, seeking: false };
  if (t === 'leave_pool' && (s.code === 'not_waiting' || s.code === 'already_paired')) return { ...next, pool: null };
  if (s.code === 'stale_ply' && next.game) next = { ...next, game: { ...next.game, selected: null } };
  const link = s.game ? { href: `/g/${s.game}`, key: 'action.go_to_game' } : null;
  next = notify(next, 'problem', { kind: 'error', args: { code: s.code, detail: s.detail }, link });
  return speak(next, 'problem', { code: s.code, detail: s.detail });
}

/** @param {State} state @param {Message} m @returns {State} */
function pool(state, m) {
  const { waiting } = m.message;
  if (!waiting) return state.pool?.mine && state.outbox.some(({ cmd }) => cmd.t === 'join_pool') ? state : { ...state, pool: null };
  const known = state.pool;
  const same = known && known.variant === waiting.variant && known.time === waiting.time && known.rated === waiting.rated;
  return same ? state : { ...state, pool: { ...waiting, since: m.now, mine: false, leaving: false }, seeking: false };
}

/** @param {State} state @param {any} s @returns {State} */
function paired(state, s) {
  // Who has put something into the lobby, and is still there, waits for this as well.
  const waits = state.seeking || (state.seeks.made && state.route.name === 'home');
  const next = { ...state, pool: null, seeking: false, seeks: { ...state.seeks, made: false } };
  const href = `/g/${s.game}`;
  if (waits) return speak({ ...next, go: href }, 'say.paired', {});
  if (state.route.name === 'game' && state.route.id === s.game) return next;
  return notify(next, 'notice.paired', { link: { href, key: 'action.go_to_game' } });
}
