// The moves of an analysis: a main line with alternatives, and alternatives to those. Pure; every change makes a new tree.

/** @typedef {{outcome: string, termination: string} | null} End */
/**
 * A position, and the turn that led to it.
 * @typedef {object} Node
 * @property {number} id
 * @property {number | null} parent null at the root
 * @property {number[]} children what was played from here; the first of them is the line that goes on
 * @property {number | null} given the ply of the game that was opened here, which is never cut off; null for what was tried
 * @property {string} turn
 * @property {string} lan
 * @property {string} fen
 * @property {string | null} check
 * @property {string[] | null} legal null until the server was asked
 * @property {End} end
 */
/** @typedef {{nodes: Record<number, Node>, next: number}} Tree the root is node 0 */
/** @typedef {{turn: string, lan: string, fen: string, check?: string | null, legal?: string[] | null, end?: End, given?: number | null}} Played */
/** @typedef {{id: number, others: Line[]}[]} Line moves one after another; `others` are the alternatives to a move, each a line */

/** How much may be tried, in positions: what a browser is asked to keep and to show beside the game, which is always whole. */
export const MOST_NODES = 1000;

/** @param {string} fen @param {Partial<Pick<Node, 'legal' | 'check' | 'end' | 'given'>>} [more] @returns {Tree} */
export const planted = (fen, more = {}) => ({
  nodes: { 0: { id: 0, parent: null, children: [], given: null, turn: '', lan: '', fen, check: null, legal: null, end: null, ...more } },
  next: 1,
});

/** @param {Tree} tree */
export const sizeOf = ({ nodes }) => Object.keys(nodes).length;

/** How many of its positions were tried: the bound is theirs. @param {Tree} tree */
const triedIn = ({ nodes }) => Object.values(nodes).filter(({ given }) => given === null).length;

/** The tree with a move as the first of its siblings: the line goes on with it. @param {Tree} tree @param {number} id @returns {Tree} */
function inFront(tree, id) {
  const parent = tree.nodes[tree.nodes[id].parent ?? 0];
  const children = [id, ...parent.children.filter((child) => child !== id)];
  return { ...tree, nodes: { ...tree.nodes, [parent.id]: { ...parent, children } } };
}

/**
 * The tree with a turn played at a node, and the node where it leads; one that was played there before is not there twice.
 * Null where no more is kept of what is tried.
 * @param {Tree} tree @param {number} at @param {Played} played
 * @returns {{tree: Tree, at: number} | null}
 */
export function grown(tree, at, { turn, lan, fen, check = null, legal = null, end = null, given = null }) {
  const parent = tree.nodes[at];
  const known = parent.children.find((id) => tree.nodes[id].turn === turn);
  if (known !== undefined) return { tree, at: known };
  if (given === null && triedIn(tree) >= MOST_NODES) return null;
  const id = tree.next;
  const node = { id, parent: at, children: [], given, turn, lan, fen, check, legal, end };
  return { tree: { nodes: { ...tree.nodes, [at]: { ...parent, children: [...parent.children, id] }, [id]: node }, next: id + 1 }, at: id };
}

/**
 * The tree with the moves of the game that was opened in it. One that was tried before it was played is the game's from now
 * on; one that was taken back is no longer. What is new to the game goes before what was tried there; what was put before
 * the game since stays so.
 * @param {Tree} tree @param {Omit<Played, 'given'>[]} moves
 */
export function taken(tree, moves) {
  let now = tree;
  let here = 0;
  const line = new Set([here]);
  moves.forEach((move, i) => {
    const next = grown(now, here, { ...move, given: i + 1 });
    if (!next) return;
    here = next.at;
    line.add(here);
    now = tree.nodes[here]?.given === i + 1 ? next.tree : inFront({ ...next.tree, nodes: { ...next.tree.nodes, [here]: { ...next.tree.nodes[here], given: i + 1 } } }, here);
  });
  const nodes = Object.fromEntries(Object.entries(now.nodes).map(([id, node]) => [id, line.has(node.id) || node.given === null ? node : { ...node, given: null }]));
  return { ...now, nodes };
}

/** The tree with what the server has said of a position. @param {Tree} tree @param {number} id @param {Partial<Pick<Node, 'legal' | 'check' | 'end'>>} known @returns {Tree} */
export const learned = (tree, id, known) => (tree.nodes[id] ? { ...tree, nodes: { ...tree.nodes, [id]: { ...tree.nodes[id], ...known } } } : tree);

/** Everything below a node, itself first. @param {Tree} tree @param {number} id */
function below(tree, id) {
  const found = [id];
  for (let i = 0; i < found.length; i++) found.push(...tree.nodes[found[i]].children);
  return found;
}

/** Whether a move and what follows on it may be cut off: all of it was tried here. @param {Tree} tree @param {number} id */
export const canCut = (tree, id) => id !== 0 && below(tree, id).every((each) => tree.nodes[each].given === null);

/** The tree without a move and what follows on it. @param {Tree} tree @param {number} id @returns {{tree: Tree, at: number}} */
export function cut(tree, id) {
  const { parent } = tree.nodes[id];
  if (parent === null || !canCut(tree, id)) return { tree, at: id };
  const nodes = { ...tree.nodes };
  for (const gone of below(tree, id)) delete nodes[gone];
  nodes[parent] = { ...nodes[parent], children: nodes[parent].children.filter((child) => child !== id) };
  return { tree: { ...tree, nodes }, at: parent };
}

/** The moves from the root to a node, the root left out. @param {Tree} tree @param {number} id */
export function pathTo(tree, id) {
  const path = [];
  for (let at = tree.nodes[id]; at.parent !== null; at = tree.nodes[at.parent]) path.unshift(at.id);
  return path;
}

/** The first move of the alternative in which a node lies; null on the main line. @param {Tree} tree @param {number} id */
export function variationOf(tree, id) {
  const path = pathTo(tree, id).reverse();
  return path.find((each) => tree.nodes[tree.nodes[each].parent ?? 0].children[0] !== each) ?? null;
}

/** The tree with the alternative in which a node lies one step up: it takes the place of the line that it is one to. @param {Tree} tree @param {number} id @returns {Tree} */
export function promoted(tree, id) {
  const first = variationOf(tree, id);
  if (first === null) return tree;
  return inFront(tree, first);
}

/** Where one comes by going on from a node to the end of its line. @param {Tree} tree @param {number} id */
export function endOf(tree, id) {
  let at = id;
  while (tree.nodes[at].children.length) at = tree.nodes[at].children[0];
  return at;
}

/**
 * The move before or after; itself at either end.
 * @param {Tree} tree @param {number} id @param {number} by @param {Record<number, number>} [trail] by node, the move that one went on with last
 */
export function stepped(tree, id, by, trail = {}) {
  const { parent, children } = tree.nodes[id];
  if (by < 0) return parent ?? id;
  return children.includes(trail[id]) ? trail[id] : children[0] ?? id;
}

/** The alternative before or after a move, or, where it has none, to the nearest move before that has; itself where there is none. @param {Tree} tree @param {number} id @param {number} by */
export function beside(tree, id, by) {
  for (let at = tree.nodes[id]; at.parent !== null; at = tree.nodes[at.parent]) {
    const { children } = tree.nodes[at.parent];
    if (children.length > 1) return children[children.indexOf(at.id) + by] ?? id;
  }
  return id;
}

/** The line that begins with a move. @param {Tree} tree @param {number} first @returns {Line} */
function lineFrom(tree, first) {
  /** @type {Line} */
  const line = [];
  for (let id = /** @type {number | undefined} */ (first); id !== undefined; id = tree.nodes[id].children[0]) {
    const siblings = tree.nodes[tree.nodes[id].parent ?? 0].children;
    line.push({ id, others: siblings[0] === id ? siblings.slice(1).map((other) => lineFrom(tree, other)) : [] });
  }
  return line;
}

/** The whole tree as it is written. @param {Tree} tree @returns {Line} */
export const outline = (tree) => (tree.nodes[0].children.length ? lineFrom(tree, tree.nodes[0].children[0]) : []);

/** A tree that was kept, as far as it is one. @param {any} kept @returns {Tree | null} */
export function readTree(kept) {
  const text = (/** @type {unknown} */ value) => typeof value === 'string' && value.length <= 512;
  const nodes = Object.values(kept?.nodes ?? {});
  if (!nodes.length || !Number.isInteger(kept.next)) return null;
  const isNode = (/** @type {any} */ n) => Number.isInteger(n?.id) && kept.nodes[n.id] === n && text(n.turn) && text(n.lan) && text(n.fen) && Array.isArray(n.children)
    && (n.given === null || Number.isInteger(n.given))
    && n.id < kept.next && (n.id === 0 ? n.parent === null : n.parent < n.id && kept.nodes[n.parent]?.children.includes(n.id))
    && n.children.every((/** @type {any} */ child) => kept.nodes[child]?.parent === n.id);
  // Parents are older than their children, so that every way up ends at the root.
  return kept.nodes[0] && nodes.every(isNode) && triedIn(kept) <= MOST_NODES ? { nodes: kept.nodes, next: kept.next } : null;
}
