// What the game asks for now, and what the move under the pointer would change, in words and chips.
/** @import {GameState, State} from '../types.js' */

import { t } from '../i18n.js';
import { fenAt, geometryIn, pendingMove, sideToMove } from '../position.js';
import { h, setText } from './dom.js';

export function sayCard() {
  const title = h('strong', { class: 'say-title' });
  const chips = h('span', { class: 'chips' });
  const text = h('span', { class: 'say-text' });
  const el = h('section', { class: 'say' }, h('div', { class: 'say-head' }, title, chips), text);
  return {
    el,
    /** @param {State} state @param {GameState} game */
    update(state, game) {
      const { pointed, selected } = game;
      const move = selected && pointed && game.legal.includes(selected + pointed) ? selected + pointed : null;
      el.classList.toggle('about-move', move !== null);
      if (move) return aboutMove(game, move);
      chips.replaceChildren();
      const [head, body] = status(state, game);
      setText(title, head);
      setText(text, body);
    },
  };

  /** @param {GameState} game @param {string} move */
  function aboutMove(game, move) {
    const geometry = geometryIn(game);
    const { from, to } = geometry.split(move);
    const pieces = geometry.pieces(fenAt(game));
    const role = pieces.get(from)?.[1] ?? 'P';
    const victim = pieces.get(to);
    const args = { piece: t(`role.${role}`), from: geometry.shown(from), to: geometry.shown(to), victim: victim ? t(`role_in.${victim[1]}`) : '' };
    setText(title, t(victim ? 'say.takes' : 'say.goes', args));
    chips.replaceChildren(...geometry.changes(from, to).map((c) => h('span', { class: `chip tab${c.by ? ' on' : ''}`, 'data-axis': c.axis },
      `${t(`axis.${c.axis}`)} ${c.by ? `${c.from}→${c.to}` : c.from}`)));
    const words = geometry.change(role, from, to);
    setText(text, t('say.because', { piece: t(`role_in.${role}`), change: t(words.key, words.args) }));
  }
}

/** @param {State} state @param {GameState} game @returns {[string, string]} */
function status(state, game) {
  const { info } = game;
  if (!info) return ['', ''];
  const { pieces, rule, shown } = geometryIn(game);
  if (game.view !== null) {
    return [t('status.replay', { n: game.view, all: game.moves.length }), t(info.outcome || !game.you ? 'status.replay_keys' : 'status.replay_back')];
  }
  if (info.outcome) return [t('status.over'), t('status.replay_keys')];
  const side = sideToMove(fenAt(game));
  const check = game.moves.at(-1)?.check;
  if (!game.you) return [t(`status.${side}_to_move`), check ? t('status.in_check', { square: shown(check) }) : t('status.watching', { n: game.presence.spectators })];
  const waits = pendingMove(game, state.outbox) !== null;
  if (waits && state.line.status !== 'open') return [t('status.sending'), t('status.sending_later')];
  if (waits || side !== game.you) return [t('status.their_turn'), check && !waits ? t('status.they_in_check') : t('status.wait')];
  if (check) return [t('status.check'), t('status.check_hint', { square: shown(check) })];
  if (game.selected) {
    const piece = pieces(fenAt(game)).get(game.selected)?.[1] ?? 'P';
    const n = game.legal.filter((m) => m.startsWith(game.selected ?? '')).length;
    return [t('status.selected', { piece: t(`role.${piece}`), square: shown(game.selected) }), n ? t(rule(piece, game.selected)) : t('status.no_moves')];
  }
  return [t('status.your_turn'), t('status.choose')];
}
