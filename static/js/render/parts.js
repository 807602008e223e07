// Pieces of pages that more than one page uses.
/** @import {GameInfo, Geometry, Player} from '../types.js' */

import { isAccount, timeText } from '../format.js';
import { nameText, t } from '../i18n.js';
import { profilePath } from '../router.js';
import { h, show } from './dom.js';

/** A player's name; an account's leads to its profile. @param {Player} player */
export function playerName(player) {
  const name = isAccount(player) ? h('a', { class: 'name', href: profilePath(player.name) }, player.name) : h('span', { class: 'name' }, nameText(player));
  return player.kind === 'bot' ? h('span', { class: 'bot-name' }, name, botMark()) : name;
}

/** A player's name where it leads nowhere. @param {Player} player */
export const plainName = (player) => (player.kind === 'bot' ? h('b', { class: 'bot-name' }, player.name, botMark()) : h('b', {}, nameText(player)));

/** What stands beside the name of an account that a program plays for. */
export const botMark = () => h('span', { class: 'bot-mark', role: 'img', 'aria-label': t('bot.what'), title: t('bot.what') }, t('bot.mark'));

/** A rating, with its question mark explained where it has one; nothing for who has none. @param {Pick<Player, 'rating' | 'provisional'>} player */
export function ratingNodes({ rating, provisional }) {
  if (rating === null || rating === undefined) return [];
  return [String(Math.round(rating)), ...(provisional ? [h('abbr', { title: t('rating.provisional') }, '?')] : [])];
}

/** The squares of a board as one reads them, the last rank first. @param {Geometry} geometry @param {number} board */
export function readingOrder({ squares, side }, board) {
  const first = board * side * side;
  const ranks = Array.from({ length: side }, (_, y) => squares.slice(first + y * side, first + (y + 1) * side));
  return ranks.reverse().flat();
}

/** A clock as people read it, the days of a move, or that there is neither. @param {GameInfo['time']} time */
export function clockName(time) {
  if (!time) return t('speed.untimed');
  return time.days_per_move === undefined ? timeText(time) : t('time.days', { n: time.days_per_move });
}

/** @param {GameInfo} game */
export function gameKind(game) {
  return t('game.kind', { time: clockName(game.time), variant: t(`variant.${game.variant}`), rated: t(game.rated ? 'rated' : 'casual') });
}

/**
 * A set of choices of which one holds, as radio buttons that look like a switch.
 * @param {string} name
 * @param {string} label
 * @param {{value: string, text: string, hint?: string, props?: Record<string, unknown>}[]} options `hint` is written over the text
 * @param {(value: string) => void} chosen
 */
export function choice(name, label, options, chosen) {
  const inputs = options.map(({ value, text, hint, props }) => {
    const input = h('input', { type: 'radio', name, value, ...props, change: () => chosen(value) });
    return { value, input, el: h('label', {}, input, h('span', {}, hint && h('b', { class: 'tab' }, hint), text)) };
  });
  const el = h('fieldset', { class: 'choice' }, h('legend', { class: 'unseen' }, label), ...inputs.map((i) => i.el));
  return {
    el,
    /** @param {string} value */
    set(value) {
      for (const i of inputs) if (i.input.checked !== (i.value === value)) i.input.checked = i.value === value;
    },
    /** Only these can be chosen. @param {string[]} values */
    offer(values) {
      for (const i of inputs) show(i.el, values.includes(i.value));
    },
    /** @param {string} value @param {boolean} off */
    disable(value, off) {
      for (const i of inputs) if (i.value === value) i.input.disabled = off;
    },
  };
}
