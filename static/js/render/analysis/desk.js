// The table of an analysis with its tree: what is played on the boards grows it, and what is chosen in it is put on them.
/** @import {GameInfo, Prefs, Send, State} from '../../types.js' */
/** @import {Place} from '../../analysis/address.js' */
/** @import {Pasted} from '../../analysis/record.js' */
/** @import {Advice} from '../../net/analysis.js' */

import { placePath } from '../../analysis/address.js';
import { follower, problemOf } from '../../analysis/follow.js';
import { keptTree, keepTree } from '../../analysis/kept.js';
import { playLine } from '../../analysis/play.js';
import { recordOf } from '../../analysis/record.js';
import { beside, cut, endOf, grown, learned, pathTo, planted, promoted, stepped, taken } from '../../analysis/tree.js';
import { geometryOf, startOf } from '../../games/index.js';
import { nameText, t } from '../../i18n.js';
import { askEngine } from '../../net/analysis.js';
import { askPosition } from '../../net/positions.js';
import { Refusal } from '../../net/rest.js';
import { sideToMove } from '../../position.js';
import { h, icon, show, whenChanged } from '../dom.js';
import { stage } from '../learn/stage.js';
import { plotCard } from '../plot.js';
import { engineCard } from './engine.js';
import { treeList } from './moves.js';
import { toolCard, variantOf } from './tools.js';

/** Long enough for a word that is worth something. */
const THINK_MS = 1500;
/** Who walks through the moves in haste asks nothing of the server, and leaves the address alone. */
const WALK_MS = 150;

/** @typedef {{variant: string, fen: string, game: GameInfo | null}} Base what is analyzed: a game, or a position */

/** By which its tree is kept. @param {Base} base */
export const keyOf = ({ variant, fen, game }) => game?.id ?? `${variant} ${fen}`;

/**
 * @param {Base} base
 * @param {{prefs: Prefs, send: Send, turned: boolean, wrote: (path: string) => void}} room `turned`: seen from Black's side; `wrote`: the address follows
 */
export function desk(base, { prefs, send, turned, wrote }) {
  const { variant, fen, game } = base;
  const geometry = geometryOf(variant);
  const about = h('div', { class: 'game-about' });
  const table = stage(variant, { prefs: calm(prefs), words: true, both: true, about });
  const key = keyOf(base);
  let tree = keptTree(key) ?? planted(fen, { given: game && 0 });
  let at = 0;
  /** By node, the move that one went on with last. @type {Record<number, number>} */
  let trail = {};
  /** What the engine has said of a node. @type {Map<number, Advice>} */
  const advice = new Map();
  /** @type {{id: number, stop: AbortController} | null} */
  let asked = null;
  /** @type {{id: number, why: {code: string, detail: string, retryMs: number | null}} | null} */
  let refused = null;
  let left = false;
  let timer = 0;
  let looking = 0;
  let overwritten = false;

  const moves = treeList(geometry, { go, step: (by) => go(stepped(tree, at, by, trail)), end: (last) => go(last ? endOf(tree, at) : 0), promote: () => change(promoted(tree, at)), cut: cutOff });
  const engine = engineCard(geometry, { ask, stop: () => asked?.stop.abort(), play: (turns) => way.follow(at, turns) });
  const tools = toolCard({
    variant,
    fen: () => tree.nodes[at].fen,
    link: () => new URL(pathOf(at), location.href).href,
    record: () => {
      const line = pathTo(tree, endOf(tree, at)).map((id) => tree.nodes[id]);
      return recordOf(variant, tree.nodes[0].fen, line, line.at(-1)?.end?.outcome ?? null);
    },
    async begin(other, from) {
      // The server says whether it is a position before the page is left for it.
      if (from !== startOf(other)) await askPosition(other, from);
      send({ type: 'visit', path: placePath({ variant: other, fen: from === startOf(other) ? '' : from }) });
    },
    paste,
  });
  const plot = game && plotCard(game, { go: (ply) => go(givenAt(ply)) });
  const heading = h('h1', {}, ...(game
    ? [h('a', { href: `/g/${game.id}` }, `${nameText(game.white)} – ${nameText(game.black)}`), h('small', {}, t('title.analysis'))]
    : [t('title.analysis'), h('small', {}, t(`variant.${variant}`))]));
  const flip = h('button', { type: 'button', class: 'bare', 'data-action': 'flip', 'aria-label': t('action.flip'), title: t('action.flip_title'), 'aria-keyshortcuts': 'f', click: table.flip }, icon('flip'));
  about.append(flip);
  const head = h('div', { class: 'desk-head' }, heading, about);
  const working = h('p', { class: 'quiet working', role: 'status', hidden: true }, t('analysis.working'));
  const el = h('div', { class: `desk ${geometry.name}`, 'data-desk': key }, head, table.el,
    h('div', { class: 'desk-side' }, engine.el, working, moves.el, plot?.el, tools.copies, tools.el));

  table.hear({
    played(played) {
      const next = grown(tree, at, played);
      if (!next) {
        put();
        return table.tell({ code: 'analysis.full', detail: t('analysis.full') });
      }
      const { legal, check, end } = played;
      tree = learned(next.tree, next.at, { legal, check, end });
      go(next.at);
    },
    preferred: (changed) => send({ type: 'pref', change: changed }),
  });

  /** The sheet as it lies now. */
  const isTurned = () => (table.game ? (table.game.you === 'black') !== table.game.flipped : turned);
  let began = false;

  /** Puts the node that is looked at on the table. */
  function put() {
    const { fen: here, legal, turn, lan, check, end } = tree.nodes[at];
    const black = began ? isTurned() : turned;
    began = true;
    table.set({ fen: here, legal: end ? [] : legal ?? [], last: turn, lan, check, end, flipped: (sideToMove(here) === 'black') !== black });
  }

  /** Somebody goes to a node. @param {number} id */
  function go(id) {
    way.goOn();
    reach(id);
  }

  /** @param {number} id */
  function reach(id) {
    const path = pathTo(tree, id);
    [0, ...path].forEach((each, i) => {
      if (i < path.length) trail = { ...trail, [each]: path[i] };
    });
    at = id;
    if (asked && asked.id !== id) asked.stop.abort();
    put();
    draw();
    clearTimeout(timer);
    timer = setTimeout(settled, WALK_MS);
  }

  /** Somebody has stopped at a node: what may be played there is asked, and the address says where it is. */
  function settled() {
    if (way.mayWrite()) wrote(pathOf(at));
    keepTree(key, tree);
    const id = at;
    if (tree.nodes[id].legal) return;
    const now = ++looking;
    table.attempt(async () => {
      const { legal, check, end } = await askPosition(variant, tree.nodes[id].fen);
      if (left) return;
      tree = learned(tree, id, { legal, check, end });
      if (now === looking && at === id) put();
      draw();
    }).then(sayWhy);
  }

  /** @param {typeof tree} next */
  function change(next) {
    tree = next;
    go(at);
  }

  function cutOff() {
    const next = cut(tree, at);
    tree = next.tree;
    go(next.at);
  }

  function draw() {
    const node = tree.nodes[at];
    moves.update(tree, at);
    tools.update(node.fen);
    const silent = game && !game.outcome ? 'analysis.under_way' : node.end ? 'analysis.over' : '';
    engine.update({ advice: advice.get(at) ?? null, thinks: asked?.id === at, why: refused?.id === at ? refused.why : null, silent });
    plot?.update(node.given);
  }

  /** The node of a ply of the game. @param {number} ply */
  const givenAt = (ply) => Number(Object.values(tree.nodes).find(({ given }) => given === ply)?.id ?? 0);

  /** The address of a node. @param {number} id */
  function pathOf(id) {
    const path = [0, ...pathTo(tree, id)];
    const from = path.map((each) => tree.nodes[each].given !== null).lastIndexOf(true);
    const turns = path.slice(Math.max(from, 0) + 1).map((each) => tree.nodes[each].turn);
    if (game) return placePath({ game: game.id, ply: tree.nodes[path[from]].given ?? 0, moves: turns });
    return placePath({ variant, fen: fen === startOf(variant) ? '' : fen, moves: turns });
  }

  async function ask() {
    const id = at;
    const { given, fen: here } = tree.nodes[id];
    const mine = { id, stop: new AbortController() };
    asked?.stop.abort();
    asked = mine;
    refused = null;
    draw();
    try {
      advice.set(id, await askEngine(game && given !== null ? { game: game.id, ply: given } : { variant, fen: here }, THINK_MS, mine.stop.signal));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!mine.stop.signal.aborted) refused = { id, why: error };
    } finally {
      if (asked === mine) asked = null;
      if (!left) draw();
    }
  }

  const ground = {
    tree: () => tree,
    keep: (/** @type {typeof tree} */ next) => { tree = next; },
    read: geometry.read,
    ask: async (/** @type {string} */ here, /** @type {string} */ turn) => (await askPosition(variant, here, { turn })).after,
  };

  const way = follower({
    play: (from, turns, reached) => playLine(ground, from, turns, reached),
    reach(id) {
      reach(id);
      sayWhy();
    },
    working: (on) => show(working, on),
  });

  /** Why moves led no further; the table forgets it when another position is put on it. */
  function sayWhy() {
    if (way.why()) table.tell(way.why());
  }

  /** @param {Pasted} pasted */
  async function paste({ fen: from, boards, line }) {
    const other = variantOf(boards, variant);
    const start = from || startOf(other);
    await askPosition(other, start);
    let pasted = planted(start);
    const ask = async (/** @type {string} */ here, /** @type {string} */ turn) => (await askPosition(other, here, { turn })).after;
    show(working, true);
    const stopped = await playLine({ tree: () => pasted, keep: (next) => { pasted = next; }, read: geometryOf(other).read, ask }, 0, line, () => {}).finally(() => show(working, false));
    if (left) return;
    if (stopped) throw new Refusal({ ...problemOf(stopped), status: 0 });
    const target = keyOf({ variant: other, fen: start, game: null });
    if (target === key) {
      tree = pasted;
      return go(endOf(tree, 0));
    }
    // Another table finds it where trees are kept.
    keepTree(target, pasted);
    overwritten = true;
    send({ type: 'visit', path: placePath({ variant: other, fen: start === startOf(other) ? '' : start, moves: pathTo(pasted, endOf(pasted, 0)).map((id) => pasted.nodes[id].turn) }) });
  }

  const prefer = whenChanged((/** @type {Prefs} */ now) => table.prefer(calm(now)));

  return {
    el,
    key,
    /** @param {Place} place */
    open({ ply, moves: turns }) {
      const from = game ? givenAt(ply) : 0;
      way.drop();
      reach(from);
      if (turns.length) way.follow(from, turns);
    },
    /** @param {GameInfo} info what was played in the game, which may have gone on since the tree was kept */
    take(info) {
      tree = taken(tree, (info.moves ?? []).map(({ move, lan, fen, check }) => ({ turn: move, lan, fen, check })));
    },
    /** @param {State} state */
    update: (state) => prefer(state.prefs),
    /** @param {KeyboardEvent} event */
    pressed(event) {
      /** @type {Record<string, () => number>} */
      const walks = {
        ArrowLeft: () => stepped(tree, at, -1), ArrowRight: () => stepped(tree, at, 1, trail), ArrowUp: () => beside(tree, at, -1), ArrowDown: () => beside(tree, at, 1),
        Home: () => 0, End: () => endOf(tree, at),
      };
      if (event.key === 'f') return table.flip();
      if (!walks[event.key]) return;
      const id = walks[event.key]();
      // Where there is nothing beside, the page may scroll.
      if (id === at && /Up|Down/.test(event.key)) return;
      event.preventDefault();
      go(id);
    },
    leave() {
      left = true;
      way.drop();
      clearTimeout(timer);
      asked?.stop.abort();
      plot?.leave();
      if (!overwritten) keepTree(key, tree);
      table.leave();
    },
  };
}

/** Moves that are only tried are not asked about twice. @param {Prefs} prefs @returns {Prefs} */
const calm = (prefs) => ({ ...prefs, confirm: false });
