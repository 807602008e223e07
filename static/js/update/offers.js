// What the two sides ask of each other: draws, takebacks, rematches, and a game claimed from who has left.
/** @import {Command, GameState, Message, State} from '../types.js' */

import { NO_DRAFT } from '../turn.js';
import { notify, post, speak } from './common.js';

/** What belongs to one position alone and ends with it. */
export const FRESH = { selected: null, choosing: null, why: null, draft: NO_DRAFT };

/**
 * An event about an offer; null when it is about something else.
 * @param {State} state @param {GameState} game with the event counted @param {any} s the event
 * @returns {State | null}
 */
export function offerEvent(state, game, s) {
  const offer = { by: s.by, offer: s.seq };
  const mine = s.by === game.you;
  /** @param {Partial<GameState>} change @param {string} key @returns {State} */
  const told = (change, key) => speak({ ...state, game: { ...game, ...change } }, key, { color: s.by });
  switch (s.kind) {
    case 'draw_offered':
      return told({ offer }, mine ? 'say.draw_offered_by_you' : 'say.draw_offered');
    case 'draw_declined':
      return notify(told({ offer: null }, 'say.draw_declined'), 'say.draw_declined');
    case 'takeback_offered':
      return told({ takeback: offer }, mine ? 'say.takeback_offered_by_you' : 'say.takeback_offered');
    case 'takeback_declined':
      return notify(told({ takeback: null }, 'say.takeback_declined'), 'say.takeback_declined');
    case 'taken_back':
      return takenBack(state, game, s);
    case 'rematch_offered':
      return told({ rematch: { ...game.rematch, offer } }, mine ? 'say.rematch_offered_by_you' : 'say.rematch_offered');
    case 'rematch_declined':
      return told({ rematch: { ...game.rematch, offer: null, declined: s.by === 'white' ? 'black' : 'white' } }, 'say.rematch_declined');
    case 'rematched':
      return rematched(told({ rematch: { ...game.rematch, offer: null, next: s.next } }, 'say.rematched'), game, s.next);
    default:
      return null;
  }
}

/** @param {State} state @param {GameState} game @param {any} s @returns {State} */
function takenBack(state, game, { ply, legal }) {
  const view = game.view !== null && game.view < ply ? game.view : null;
  const next = { ...game, ...FRESH, moves: game.moves.slice(0, ply), legal: legal ?? [], view, offer: null, takeback: null, premove: null, confirm: null };
  return speak({ ...state, game: next }, 'say.taken_back', { n: ply });
}

/** The players go on to their next game; who watches is shown the way. @param {State} state @param {GameState} game @param {string} next @returns {State} */
const rematched = (state, game, next) => (game.you ? { ...state, go: `/g/${next}` } : state);

/** Whether the other side of a game is away, and when (by performance.now()) the game may be claimed; null when it cannot. @param {GameState} game */
export function claimableAt({ you, info, presence, clock }) {
  if (!you || !info || info.outcome) return null;
  const other = you === 'white' ? 'black' : 'white';
  const wait = presence.claim_in_ms?.[other] ?? null;
  // Only on the absentee's own turn: on one's own there is a move to make.
  return wait === null || clock?.running !== other ? null : (presence.at ?? 0) + wait;
}

/** Offers, exits and claims. What ends a game or binds takes a second press. @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function command(state, game, m) {
  const { what } = m;
  if ((what === 'resign' || what === 'draw' || what === 'abort') && game.confirm !== what) return { ...state, game: { ...game, confirm: what } };
  const asked = game.rematch.offer?.by !== game.you ? game.rematch.offer?.offer : undefined;
  /** @type {Record<string, Partial<Command> & {t: string}>} */
  const commands = {
    resign: { t: 'resign' },
    abort: { t: 'abort' },
    draw: { t: 'offer_draw' },
    'accept-draw': { t: 'accept_draw', offer: game.offer?.offer },
    'decline-draw': { t: 'decline_draw', offer: game.offer?.offer },
    takeback: { t: 'offer_takeback' },
    'accept-takeback': { t: 'accept_takeback', offer: game.takeback?.offer },
    'decline-takeback': { t: 'decline_takeback', offer: game.takeback?.offer },
    'claim-win': { t: 'claim_win' },
    'claim-draw': { t: 'claim_draw' },
    // To offer while the other one's offer is open is to accept it.
    rematch: asked === undefined ? { t: 'offer_rematch' } : { t: 'accept_rematch', offer: asked },
    'decline-rematch': { t: 'decline_rematch', offer: asked },
  };
  const cmd = commands[what];
  const next = { ...state, game: { ...game, confirm: null } };
  if (!cmd || state.outbox.some((o) => o.cmd.t === cmd.t && o.cmd.game === game.id)) return next;
  return post(next, { ...cmd, id: m.id, game: game.id });
}
