/** @import {State, Message, GameState} from '../types.js' */

import { geometryIn, sideToMove } from '../position.js';
import { NO_REMATCH } from '../state.js';
import { chatOf } from './chat.js';
import { notify, speak } from './common.js';
import { explainedToLoser } from './mate.js';
import { claimableAt, FRESH, offerEvent } from './offers.js';
import { playAhead } from './premove.js';

/** An untimed game has no clock. @param {any} clock @param {number} at @returns {GameState['clock']} */
const clockAt = (clock, at) => clock && { ...clock, at };

/** @param {State} state @param {Message} m @returns {State} */
export function gameSnapshot(state, m) {
  const s = m.message;
  const { game } = state;
  if (!game || game.id !== s.game.id) return state;
  const { moves, ...info } = s.game;
  /** @type {State} */
  const next = {
    ...state,
    game: explainedToLoser({
      ...game,
      status: 'ready',
      sync: 'ok',
      seq: s.seq,
      you: s.you,
      info,
      moves,
      legal: s.legal,
      clock: clockAt(s.clock, m.now),
      offer: s.draw_offer,
      takeback: s.takeback_offer ?? null,
      rematch: { ...NO_REMATCH, ...s.rematch, declined: game.rematch.declined },
      chat: chatOf(game, s.chat ?? []),
      presence: { ...s.presence, at: m.now },
      // As many moves may be others: some were taken back meanwhile.
      ...(moves.length === game.moves.length && moves.at(-1)?.fen === game.moves.at(-1)?.fen ? {} : FRESH),
      view: game.view !== null && game.view < moves.length ? game.view : null,
      confirm: info.outcome ? null : game.confirm,
      premove: null,
    }, m.id),
  };
  return game.status === 'loading' ? seated(next) : next;
}

/** Who sits down hears which side they have, and against whom. @param {State} state @returns {State} */
function seated(state) {
  const { you, info, moves } = /** @type {GameState} */ (state.game);
  if (!you || !info || info.outcome) return state;
  const { name, level } = info[you === 'white' ? 'black' : 'white'];
  const told = firstMove(speak(state, 'say.seated', { color: you, name, ...(level && { level }) }));
  return speak(told, sideToMove(moves.at(-1)?.fen ?? info.start_fen) === you ? 'status.your_turn' : 'status.their_turn');
}

/** @param {State} state @param {Message} m @returns {State} */
export function gameReplay(state, m) {
  const s = m.message;
  if (!state.game || state.game.id !== s.game) return state;
  let next = state;
  for (const event of s.events) next = gameEvent(next, { ...m, message: { game: s.game, clock: s.clock, ...event } });
  if (!next.game) return next;
  if ((next.game.seq ?? 0) < s.seq) return { ...next, game: { ...next.game, sync: 'needed', seq: null } };
  return { ...next, game: { ...next.game, sync: 'ok', clock: clockAt(s.clock, m.now), presence: { ...s.presence, at: m.now }, chat: s.chat ? chatOf(next.game, s.chat) : next.game.chat } };
}

/** @param {State} state @param {Message} m @returns {State} */
export function gamePresence(state, m) {
  const { game } = state;
  if (!game || game.id !== m.message.game) return state;
  const { white, black, spectators, claim_in_ms } = m.message;
  const next = { ...game, presence: { white, black, spectators, claim_in_ms, at: m.now } };
  const left = claimableAt(game) === null && claimableAt(next) !== null;
  const other = game.info?.[game.you === 'white' ? 'black' : 'white'];
  return left && other ? speak({ ...state, game: next }, 'say.left', { name: other.name }) : { ...state, game: next };
}

/** Who has to make their first move hears how soon. @param {State} state @returns {State} */
function firstMove(state) {
  const { you, clock, moves, info } = /** @type {GameState} */ (state.game);
  const mine = you && you === sideToMove(moves.at(-1)?.fen ?? info?.start_fen ?? '');
  return mine && clock && clock.first_move_ms !== null ? speak(state, 'first.call', { n: Math.ceil(clock.first_move_ms / 1000) }) : state;
}

/**
 * One event. One that is known already is dropped; before one that does not follow on the last, the missing ones are
 * asked for.
 * @param {State} state @param {Message} m @returns {State}
 */
export function gameEvent(state, m) {
  const s = m.message;
  const { game } = state;
  if (!game || game.id !== s.game || game.seq === null || s.seq <= game.seq) return state;
  if (s.seq > game.seq + 1) return game.sync === 'asked' ? state : { ...state, game: { ...game, sync: 'needed' } };
  /** @type {GameState} */
  const seen = { ...game, seq: s.seq, clock: s.clock ? clockAt(s.clock, m.now) : game.clock };
  switch (s.kind) {
    case 'move':
      return moved(state, seen, m);
    case 'resumed':
      return notify({ ...state, game: seen }, 'notice.resumed');
    case 'ended':
      return ended(state, seen, m);
    default:
      // Or an event of a newer server: its number counts, its content is not ours to guess.
      return offerEvent(state, seen, s) ?? { ...state, game: seen };
  }
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function moved(state, game, m) {
  const s = m.message;
  const { move, lan, fen, check, spent_ms, compensated_ms, played_at } = s;
  const moves = [...game.moves, { move, lan, fen, check, spent_ms, compensated_ms, played_at }];
  const mine = s.by === game.you;
  const geometry = geometryIn(game);
  const next = {
    ...state,
    // Also when another tab of ours moved: a move of this ply that still waits can only be refused.
    outbox: state.outbox.filter(({ cmd }) => !(cmd.game === game.id && (cmd.id === s.id || cmd.ply === s.ply))),
    game: {
      ...game,
      moves,
      legal: s.legal ?? [],
      offer: game.offer && game.offer.by !== s.by ? null : game.offer,
      takeback: null,
      ...FRESH,
      // A piece that was picked up meanwhile stays so, if it still stands.
      selected: !mine && geometry.pieces(fen).get(game.selected ?? '')?.[0] === game.you?.[0] ? game.selected : null,
      premove: mine ? game.premove : null,
      confirm: game.confirm === 'resign' ? game.confirm : null,
    },
  };
  const args = { color: s.by, move: geometry.lan(lan).join(', '), square: check ? geometry.shown(check) : '' };
  if (mine) return speak(next, check ? 'say.you_moved_check' : 'say.you_moved', args);
  return playAhead(firstMove(speak(next, check ? 'say.moved_check' : 'say.moved', args)), game.premove, m.id);
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
function ended(state, game, m) {
  const { outcome, termination, ended_at, ratings } = m.message;
  const info = game.info && { ...game.info, outcome, termination, ended_at, ratings: ratings ?? null };
  const next = {
    ...state,
    // What was said is heard after the end, too.
    outbox: state.outbox.filter(({ cmd }) => cmd.game !== game.id || cmd.t === 'chat'),
    session: { ...state.session, playing: state.session.playing.filter((id) => id !== game.id) },
    game: explainedToLoser({ ...game, info, legal: [], offer: null, takeback: null, ...FRESH, premove: null, confirm: null }, m.id),
  };
  return speak(next, `result.${outcome}.${termination}`, {});
}
