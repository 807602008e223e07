// What the game asks for now, what the last move changed, and what the move under the pointer would change: in words and chips.
/** @import {GameState, Reason, State} from '../types.js' */

import { has, listText, nameText, problemText, t } from '../i18n.js';
import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { legalNow, standing } from '../turn.js';
import { unconfirmed } from '../update/turn.js';
import { h, setAttr, setText, show, whenChanged } from './dom.js';
import { aboutSquare, inspectSentence } from './inspect.js';

/** @param {{both?: boolean}} [options] `both`: one person moves both sides, so that no turn is theirs and no king */
export function sayCard({ both = false } = {}) {
  const title = h('strong', { class: 'say-title' });
  const text = h('span', { class: 'say-text' });
  const list = h('ul', { class: 'say-moves' });
  const el = h('section', { class: 'say' }, title, text, list);
  // One line a move: its words, then a chip for each coordinate, those that change in bold.
  const drawMoves = whenChanged((/** @type {string} */ key) => {
    const moves = JSON.parse(key);
    list.replaceChildren(...moves.map((/** @type {Said['moves'][0]} */ { words, changes, kind }) => h('li', { 'data-kind': kind },
      words && h('span', {}, words),
      h('span', { class: 'chips' }, ...changes.map((c) => h('span', { class: `chip tab${c.by ? ' on' : ''}`, 'data-axis': c.axis },
        `${t(`axis.${c.axis}`)} ${c.by ? `${c.from}→${c.to}` : c.from}`))))));
    show(list, moves.length > 0);
  });
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const { pointed, selected, why } = game;
      const move = selected && pointed && legalNow(game)?.find((m) => m.startsWith(selected + pointed));
      el.classList.toggle('about-move', !!move || why !== null);
      setAttr(el, 'data-about', game.inspect && 'square');
      const { head, body, moves } = game.inspect ? aboutSquare(state, game) : move ? aboutMove(game, move) : why ? aboutWhy(game, why) : status(state, game, both);
      setText(title, head);
      setText(text, body);
      drawMoves(JSON.stringify(moves));
    },
  };
}

/** @typedef {{head: string, body: string, moves: {words: string, changes: import('../types.js').AxisChange[], kind?: string}[]}} Said */

/** @param {GameState} game @param {string} move @param {string} words */
function told(game, move, words) {
  const { changes, split } = geometryIn(game);
  const { from, to } = split(move);
  return { words, changes: changes(from, to) };
}

/** @param {GameState} game @param {string} move @returns {Said} */
function aboutMove(game, move) {
  const geometry = geometryIn(game);
  const { from, to } = geometry.split(move);
  const pieces = standing(game);
  const role = pieces.get(from)?.[1] ?? 'P';
  const victim = pieces.get(to)?.[1];
  const args = { piece: t(`role.${role}`), from: geometry.shown(from), to: geometry.shown(to), victim: victim ? t(`role_taken.${victim}`) : '' };
  const words = geometry.change(role, from, to);
  return { head: t(victim ? 'say.takes' : 'say.goes', args), body: t(words.key, words.args), moves: [told(game, move, '')] };
}

/** The server's reason in our words where we have them, else in its own. @param {Reason} said */
export const reasonText = ({ reason, args, detail }) => (has(`reason.${reason}`) ? t(`reason.${reason}`, reasonArgs(args)) : detail);

/** What a screen reader is told. @param {import('../types.js').Words} said */
export function sentence({ key, args }) {
  if (key === 'problem') return problemText(/** @type {any} */ (args));
  if (key === 'inspect') return inspectSentence(args);
  if (key === 'reason') return reasonText(/** @type {any} */ (args));
  return t(key, worded(args));
}

/** Colors and the computer's names in sentences are words of the language. @param {Record<string, string | number>} args */
const worded = ({ color, level, ...args }) => ({
  ...args,
  ...(color && { color: t(`color.${color}`) }),
  ...(level && { name: nameText({ kind: 'computer', name: String(args.name), level: Number(level) }) }),
});

/** @type {Record<string, string>} */
const LETTERS = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' };

/** What a reason mentions, in words: the server names pieces in English, and changes as `X+2 W-1`. @param {Reason['args']} args @returns {Reason['args']} */
function reasonArgs({ role, attacker, changes, ...others }) {
  const piece = (/** @type {string | number} */ name) => t(`role_in.${LETTERS[name]}`);
  const changed = changes ? String(changes).split(' ').map((c) => ({ axis: c[0], by: Math.abs(Number(c.slice(1))) })) : [];
  return {
    ...others,
    ...(role && { role: piece(role) }),
    ...(attacker && { attacker: piece(attacker) }),
    axes: listText(changed.map((c) => c.axis)),
    distances: listText(changed.map((c) => t('axis.by', c))),
  };
}

/** @param {GameState} game @param {NonNullable<GameState['why']>} why @returns {Said} */
function aboutWhy(game, why) {
  const { shown } = geometryIn(game);
  const piece = standing(game).get(why.from)?.[1] ?? 'P';
  const head = t('say.not_there', { piece: t(`role.${piece}`), from: shown(why.from), to: shown(why.to) });
  return { head, body: why.said ? reasonText(why.said) : '', moves: [] };
}

/** The last turn, move by move: who moved what, and which coordinates that changed. @param {GameState} game @param {number} ply how many turns had been played then */
function lastTurn(game, ply) {
  const geometry = geometryIn(game);
  const last = game.moves[ply - 1];
  // A position that was set up has no turn before it.
  if (!last?.move) return [];
  const shown = geometry.lan(last.lan);
  return last.move.split(',').map((move, i) => {
    const [, letter, rest] = /^([KQRBN]?)(.*)$/.exec(shown[i]) ?? [];
    const role = letter || (rest.startsWith('O') ? 'K' : 'P');
    const words = i ? 'say.played' : geometry.most('') > 1 ? 'say.last_turn' : 'say.last_move';
    return told(game, move, t(words, { piece: t(`role.${role}`), move: rest }));
  });
}

/** @param {State} state @param {GameState} game @param {boolean} both @returns {Said} */
function status(state, game, both) {
  const { info } = game;
  /** @param {string} head @param {string} body @param {boolean} [last] whether the last turn is told as well @returns {Said} */
  const say = (head, body, last = false) => ({ head: t(head), body, moves: last ? lastTurn(game, game.view ?? game.moves.length) : [] });
  if (!info) return { head: '', body: '', moves: [] };
  const { name, rule, shown } = geometryIn(game);
  if (game.view !== null) {
    const keys = t(info.outcome || !game.you ? 'status.replay_keys' : 'status.replay_back');
    return { ...say('', keys, true), head: t('status.replay', { n: game.view, all: game.moves.length }) };
  }
  if (info.outcome) return say('status.over', t('status.replay_keys'), true);
  const side = sideToMove(fenAt(game));
  const check = game.moves.at(-1)?.check;
  const begun = game.moves.length > 0;
  if (!game.you) {
    const body = check ? t('status.in_check', { square: shown(check) }) : begun ? '' : t('status.watching', { n: game.presence.spectators });
    return say(`status.${side}_to_move`, body, begun);
  }
  const waits = pendingMove(game, state.outbox) !== null;
  if (waits && state.line.status !== 'open') return say('status.sending', t('status.sending_later'));
  if (game.premove) return say('status.premove', t('status.premove_hint', { from: shown(game.premove.from), to: shown(game.premove.to) }));
  if (waits || side !== game.you) return say('status.their_turn', check && !waits ? t('status.they_in_check') : t(`status.wait.${name}`));
  // A person answers when they like; the computer when it moves.
  if (game.offer?.by === game.you && info[game.you === 'white' ? 'black' : 'white'].kind === 'computer') return say('status.your_turn', t('status.draw_waits'));
  if (game.selected) {
    const piece = standing(game).get(game.selected)?.[1] ?? 'P';
    const legal = legalNow(game);
    const none = legal && !legal.some((m) => m.startsWith(game.selected ?? ''));
    return { head: t('status.selected', { piece: t(`role.${piece}`), square: shown(game.selected) }), body: t(none ? 'status.no_moves' : rule(piece, game.selected)), moves: [] };
  }
  const turn = both ? `status.${side}_to_move` : 'status.your_turn';
  if (check) return both ? say(turn, t('status.in_check', { square: shown(check) }), true) : say('status.check', t('status.check_hint', { square: shown(check) }), true);
  if (game.draft.moves.length) return say(turn, t(unconfirmed(game) ? 'say.confirm_move' : 'status.choose_next'));
  return begun ? say(turn, '', true) : say(turn, t(`status.choose.${name}`));
}
