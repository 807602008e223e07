/** @import {Clock, ClockTime, Color} from './types.js' */

import { numberText } from './i18n.js';

/** Below this a clock shows tenths and is spoken of. */
export const LOW_MS = 10_000;

/** `1:02:03`, `3:07`, and under ten seconds `0:09.4`. @param {number} ms */
export function clockText(ms) {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (left < LOW_MS) return `0:0${seconds}.${Math.floor((left % 1000) / 100)}`;
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;
}

/**
 * What a side has left now: the server's word minus what has passed here since it came.
 * @param {Clock} clock
 * @param {Color} color
 * @param {number} now
 */
export function remaining(clock, color, now) {
  const said = color === 'white' ? clock.white_ms : clock.black_ms;
  return Math.max(0, said - (clock.running === color ? now - clock.at : 0));
}

/** Time a move took: `0.8`, `4`, `1:12`. @param {number} ms */
export function spentText(ms) {
  const seconds = ms / 1000;
  if (seconds < 10) return numberText(seconds, 1);
  if (seconds < 60) return `${Math.floor(seconds)}`;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
}

/** `3+2`; bases that are no whole minutes as `½+0` or `0:30+0`. @param {ClockTime} time */
export function timeText(time) {
  const minutes = time.base_ms / 60_000;
  const base = Number.isInteger(minutes) ? String(minutes) : clockLike(time.base_ms);
  return `${base}+${time.increment_ms / 1000}`;
}

/** @param {number} ms */
function clockLike(ms) {
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** Whether somebody has signed up: a person, or a bot. @param {{kind: string} | null} player */
export const isAccount = (player) => player?.kind === 'account' || player?.kind === 'bot';

/** `+8`, `−8`, `±0`. @param {number} diff */
export function signed(diff) {
  const n = Math.round(diff);
  return n > 0 ? `+${n}` : n < 0 ? `−${-n}` : '±0';
}

/** Points of a series: `0`, `½`, `2½`. @param {number} points */
export const pointsText = (points) => `${points === 0.5 ? '' : Math.floor(points)}${points % 1 ? '½' : ''}`;
