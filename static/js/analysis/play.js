// Plays moves onto a tree, one after another, by the server's word: what an address, the engine or a pasted text says.
/** @import {Color} from '../types.js' */
/** @import {Token} from './record.js' */
/** @import {Played, Tree} from './tree.js' */

import { sideToMove } from '../position.js';
import { grown } from './tree.js';

/**
 * @typedef {object} Ground
 * @property {() => Tree} tree as it is now: it may grow meanwhile
 * @property {(tree: Tree) => void} keep
 * @property {(text: string, color: Color) => string[] | null} read a turn as it is written
 * @property {(fen: string, turn: string) => Promise<Played | null>} ask what a turn leads to; throws where it is refused
 */

/** @typedef {{why: 'full' | 'unreadable', move: string}} Stopped */

/**
 * @param {Ground} ground
 * @param {number} from
 * @param {(string | Token)[]} line turns, or turns as they are written with the alternatives to each
 * @param {(at: number) => void} reached where the line itself has come to
 * @returns {Promise<Stopped | null>} why it ended before its end
 */
export async function playLine(ground, from, line, reached) {
  let here = from;
  for (const token of line) {
    const node = ground.tree().nodes[here];
    const written = typeof token === 'string' ? token : token.lan;
    const turn = typeof token === 'string' ? token : ground.read(token.lan, sideToMove(node.fen))?.join(',');
    if (!turn) return { why: 'unreadable', move: written };
    let next = node.children.find((id) => ground.tree().nodes[id].turn === turn);
    if (next === undefined) {
      const played = await ground.ask(node.fen, turn);
      if (!played) return { why: 'unreadable', move: written };
      const told = grown(ground.tree(), here, played);
      if (!told) return { why: 'full', move: written };
      ground.keep(told.tree);
      next = told.at;
    }
    for (const other of typeof token === 'string' ? [] : token.others) {
      const stopped = await playLine(ground, here, other, () => {});
      if (stopped) return stopped;
    }
    here = next;
    reached(here);
  }
  return null;
}
