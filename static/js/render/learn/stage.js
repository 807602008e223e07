// The table of a lesson or puzzle: the game page's boards, tesseract, tray and words, over a game that is on no server.
/** @import {Command, Message, Prefs, State} from '../../types.js' */
/** @import {Played} from '../../net/positions.js' */
/** @import {Setup} from '../../learn/table.js' */

import { geometryOf } from '../../games/index.js';
import { problemText, t } from '../../i18n.js';
import { answerOf, emptied, eventsOf, passOn, putOn, tableState } from '../../learn/table.js';
import { lookAtMate, lookInto } from '../../effects/inspect.js';
import { askPosition } from '../../net/positions.js';
import { Refusal } from '../../net/rest.js';
import { fenAt } from '../../position.js';
import { sound, soundOf } from '../../sound.js';
import { update } from '../../update.js';
import { sheet } from '../board.js';
import { h, setAttr, setText, show } from '../dom.js';
import { sayCard, sentence } from '../say.js';
import { tesseract } from '../tesseract.js';
import { turnTray } from '../tray.js';
import { views } from '../views.js';

/**
 * What a lesson wants to hear.
 * @typedef {object} Hooks
 * @property {(square: string) => boolean | void} [square] a square was pressed; true where the lesson has dealt with it
 * @property {(move: string) => boolean | void} [move] a turn is to be played; true where the lesson deals with it
 * @property {(played: Played) => void} [played] a turn was played, by the server's word
 * @property {(square: string | null) => void} [pointed]
 * @property {(change: Partial<Prefs>) => void} [preferred] what is shown was chosen otherwise
 * @property {(state: State) => void} [drawn]
 */

/**
 * @param {string} variant
 * @param {{prefs: Prefs, words?: boolean, both?: boolean, about?: HTMLElement | null}} options `words`: the card that tells what
 *   a move changes; `both`: one person moves both colors; `about`: where the buttons of the views go, between which one
 *   chooses as on the game page
 */
export function stage(variant, { prefs, words = false, both = false, about = null }) {
  const geometry = geometryOf(variant);
  /** @type {Hooks} */
  let hooks = {};
  let state = putOn(tableState(prefs), variant, { fen: emptyFen(variant) }, 'table-0');
  let tables = 0;
  let ids = 0;
  let frame = 0;

  const boards = sheet(geometry, send);
  const other = geometry.space && about ? views(geometry, boards.el, about, send) : null;
  const tess = geometry.space && !about ? tesseract(geometry, send) : null;
  const say = words ? sayCard({ both }) : null;
  const tray = geometry.most('') > 1 ? turnTray(send) : null;
  const live = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
  const problem = h('p', { class: 'field-error stage-problem', role: 'alert' });
  const el = h('div', { class: `stage ${geometry.name}`, keydown: pressed }, boards.el,
    tess && h('section', { class: 'tess', 'aria-label': t('tess.title') }, tess.el), other?.tabs, other?.panel, tray?.el, say?.el, problem, live,
    h('span', { id: 'board-keys', class: 'unseen' }, t(`legend.keys.${geometry.name}`)));

  /** @param {{type: string, [key: string]: any}} message */
  function send(message) {
    if (message.type === 'game.square' && !message.hold && hooks.square?.(message.square)) return;
    // A picture is no position that anybody could be asked about.
    if (message.type === 'game.inspect' && !isPosition(state.game)) return;
    if (message.type === 'game.point') hooks.pointed?.(message.square);
    if (message.type === 'pref') hooks.preferred?.(message.change);
    /** @type {Message} */
    const m = { ...message, now: performance.now(), id: message.id ?? `s-${++ids}` };
    const before = state;
    state = update(state, m);
    for (const { cmd } of state.outbox) if (!before.outbox.some((out) => out.cmd.id === cmd.id)) answer(cmd);
    if (m.type === 'game.inspect') lookInto(state.game, send);
    askMate();
    changed();
  }

  /** The last question why it is mate. */
  let askedMate = '';
  function askMate() {
    const { game } = state;
    if (!game?.mate?.open || game.mate.said || game.mate.id === askedMate) return;
    askedMate = game.mate.id;
    lookAtMate(game, send);
  }

  function changed() {
    frame ||= requestAnimationFrame(draw);
  }

  function draw() {
    frame = 0;
    const { game } = state;
    if (!game) return;
    boards.update(state, game);
    tess?.update(state, game);
    other?.update(state, game);
    say?.update(state, game);
    // While a move is proposed the lesson says what it is.
    if (say) setAttr(say.el, 'data-quiet', game.premove !== null);
    if (say) setAttr(say.el, 'data-over', !!game.info?.outcome);
    tray?.update(state, game);
    const said = state.live.said.at(-1);
    if (said) setText(live, sentence(said));
    hooks.drawn?.(state);
  }

  /** @param {{code: string, detail: string} | null} why */
  function tell(why) {
    setText(problem, why ? problemText(why) : '');
    show(problem, why !== null);
  }
  tell(null);

  /** Runs what asks the server, and shows what it refuses. @param {() => Promise<void>} work */
  async function attempt(work) {
    try {
      await work();
      tell(null);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      tell(error);
    }
  }

  /** What the socket would answer on a game page. @param {Command} cmd */
  function answer(cmd) {
    const { game } = state;
    if (!game) return;
    if (cmd.t === 'move' && hooks.move?.(String(cmd.move))) return;
    const { id, t: kind } = cmd;
    const turn = String(kind === 'move' ? cmd.move : cmd.turn ?? '');
    const squares = kind === 'explain' ? { from: String(cmd.from), to: String(cmd.to) } : {};
    attempt(async () => {
      try {
        const position = await askPosition(variant, fenAt(game), { turn, ...squares });
        if (state.game?.id !== game.id) return;
        if (kind !== 'move') hear(answerOf(cmd, position));
        else if (position.after) play(position.after, id);
      } catch (error) {
        if (error instanceof Refusal) hear({ t: 'refused', id, code: error.code, detail: error.detail });
        throw error;
      }
    });
  }

  /** @param {unknown} message */
  const hear = (message) => send({ type: 'server', message });

  /** A turn on the table, as the server told it. @param {Played} played @param {string} [id] */
  function play(played, id = '') {
    if (!state.game) return;
    // A position that is still being opened would come too late.
    tables += 1;
    state = { ...state, game: { ...state.game, premove: null } };
    for (const event of eventsOf(/** @type {import('../../types.js').GameState} */ (state.game), played, id)) {
      hear(event);
      const heard = soundOf(event);
      if (heard && state.prefs.sound) sound(heard);
    }
    if (both && !played.end) state = passOn(state);
    changed();
    hooks.played?.(played);
  }

  /** @param {KeyboardEvent} event */
  function pressed(event) {
    if (event.key === 'Escape') send({ type: 'game.escape' });
    if (event.ctrlKey || event.metaKey || event.altKey || !tray) return;
    if (event.key === 'Backspace' || (event.key === 'Enter' && event.shiftKey)) {
      event.preventDefault();
      send({ type: event.key === 'Enter' ? 'game.end-turn' : 'game.undo' });
    }
  }

  changed();
  return {
    el,
    geometry,
    /** @param {Hooks} own */
    hear(own) {
      hooks = own;
    },
    /** @param {Setup} setup */
    set(setup) {
      state = putOn(state, variant, setup, `table-${++tables}`);
      tell(null);
      changed();
    },
    /** A position as the server knows it, to be played on. @param {string} fen @param {Partial<Setup>} [more] */
    async open(fen, more = {}) {
      const at = ++tables;
      state = putOn(state, variant, { fen, ...more }, `table-${at}`);
      changed();
      await attempt(async () => {
        const { legal } = await askPosition(variant, fen);
        if (at !== tables) return;
        state = putOn(state, variant, { fen, legal, ...more }, `table-${at}`);
        changed();
      });
    },
    play,
    /** For what is beside the table and about its game. */
    send,
    /** Nothing more is to be moved: what is left of the card's words is the last move. @param {boolean} yes */
    rest(yes) {
      if (say) setAttr(say.el, 'data-rest', yes);
    },
    attempt,
    tell,
    /** A turn that the lesson has not taken goes back. */
    takeBack() {
      state = emptied(state);
      changed();
    },
    /** The whole sheet is turned around. */
    flip() {
      send({ type: 'game.flip' });
    },
    /** @param {Prefs} now */
    prefer(now) {
      if (now === state.prefs) return;
      state = { ...state, prefs: now };
      changed();
    },
    get fen() {
      return state.game ? fenAt(state.game) : '';
    },
    get game() {
      return state.game;
    },
    leave() {
      cancelAnimationFrame(frame);
      // Answers that are still under way belong to nothing.
      tables += 1;
      state = { ...state, game: null };
      boards.leave();
      tess?.leave();
      other?.leave();
    },
  };
}

/** Whether both kings are there. @param {State['game']} game */
const isPosition = (game) => !!game && /K.*k|k.*K/.test(fenAt(game).split(' ')[0]);

/** @typedef {ReturnType<typeof stage>} Stage */

/** @param {string} variant */
function emptyFen(variant) {
  const { side, boards } = geometryOf(variant);
  const board = Array(side).fill(String(side)).join('/');
  return `${boards.map(() => board).join('|')} w 0 1`;
}

/** A board with nothing but these pieces on it: a picture for `set`, no position of a game. @param {string} variant @param {Record<string, string>} pieces as `wR` by square */
export function fenOf(variant, pieces) {
  const { side, boards, nameOf } = geometryOf(variant);
  const line = (/** @type {number} */ board, /** @type {number} */ y) => Array.from({ length: side }, (_, x) => {
    const piece = pieces[nameOf({ x, y, board })];
    return piece ? (piece[0] === 'w' ? piece[1] : piece[1].toLowerCase()) : '1';
  }).join('').replace(/1+/g, (ones) => String(ones.length));
  const placement = boards.map((_, board) => Array.from({ length: side }, (_, i) => line(board, side - 1 - i)).join('/'));
  return `${placement.join('|')} w 0 1`;
}
