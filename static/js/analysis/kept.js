// The trees that were worked on last, kept for as long as the tab lives: a reload and the back button lose nothing of them.
/** @import {Tree} from './tree.js' */

import { loadForTab, saveForTab } from '../keep.js';
import { readTree } from './tree.js';

const NAME = 'analysis';
const MOST_TREES = 4;

/** @returns {{key: string, tree: unknown}[]} the last one first */
function all() {
  const kept = loadForTab(NAME);
  return Array.isArray(kept) ? kept.filter((each) => typeof each?.key === 'string').slice(0, MOST_TREES) : [];
}

/** @param {string} key what is analyzed @returns {Tree | null} */
export const keptTree = (key) => readTree(all().find((each) => each.key === key)?.tree);

/** @param {string} key @param {Tree} tree */
export function keepTree(key, tree) {
  // What is legal is asked again: it would be most of what is kept.
  const nodes = Object.fromEntries(Object.entries(tree.nodes).map(([id, node]) => [id, { ...node, legal: null }]));
  saveForTab(NAME, [{ key, tree: { ...tree, nodes } }, ...all().filter((each) => each.key !== key)].slice(0, MOST_TREES));
}
