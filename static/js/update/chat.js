// What players say to each other, and spectators among themselves. The server decides which of the two rooms is one's own.
/** @import {ChatLine, GameState, Message, State} from '../types.js' */

import { post, speak } from './common.js';

/** So many lines are kept; the server keeps fewer. */
const KEPT = 200;
export const LONGEST = 500;

/** Lines that take the place of those known. @param {GameState} game @param {ChatLine[]} lines @returns {GameState['chat']} */
export const chatOf = ({ chat }, lines) => ({ ...chat, lines, seen: Math.min(chat.seen, lines.length) });

/** Somebody said something. @param {State} state @param {Message} m @returns {State} */
export function chatLine(state, m) {
  const { game: id, by, color, text, at } = m.message;
  const { game } = state;
  if (!game || game.id !== id) return state;
  const mine = by.name === state.session.player?.name;
  const lines = [...game.chat.lines, { by, color, text, at }];
  const gone = Math.max(0, lines.length - KEPT);
  const seen = Math.max(0, game.chat.seen - gone) + (mine && game.chat.seen === game.chat.lines.length ? 1 : 0);
  const next = { ...state, game: { ...game, chat: { ...game.chat, lines: lines.slice(gone), seen } } };
  return mine || state.prefs.chat.muted ? next : speak(next, 'say.chat', { name: by.name, text });
}

/** @param {State} state @param {GameState} game @param {Message} m @returns {State} */
export function chat(state, game, m) {
  if (m.type === 'game.chat-seen') return { ...state, game: { ...game, chat: { ...game.chat, seen: game.chat.lines.length } } };
  if (m.type === 'game.chat-open') return { ...state, game: { ...game, chat: { ...game.chat, open: m.open } } };
  if (m.type === 'game.chat-unsent') return chatRefused(state, '');
  // Control characters are no text; the server would refuse the line for them.
  const text = m.text.replace(/\p{Cc}+/gu, ' ').trim();
  if (!text || [...text].length > LONGEST) return state;
  return post({ ...state, game: { ...game, chat: { ...game.chat, unsent: '' } } }, { t: 'chat', id: m.id, game: game.id, text });
}

/** A line that was not taken comes back into the field. @param {State} state @param {string} text @returns {State} */
export const chatRefused = (state, text) => (state.game ? { ...state, game: { ...state.game, chat: { ...state.game.chat, unsent: text } } } : state);
