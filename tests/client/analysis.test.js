import assert from 'node:assert/strict';
import { test } from 'node:test';

import { placePath, readPlace } from '../../static/js/analysis/address.js';
import { isOpenAtEnd, judgeAll, keepVerdicts, verdictsOf } from '../../static/js/analysis/judge.js';
import { playLine } from '../../static/js/analysis/play.js';
import { chanceWay, columnAt, plyAt, timeBars } from '../../static/js/analysis/plot.js';
import { boardsOf, readPasted, recordOf } from '../../static/js/analysis/record.js';
import { chanceOf, verdictAtEnd, verdictOf } from '../../static/js/analysis/score.js';
import { beside, canCut, cut, endOf, grown, MOST_NODES, outline, pathTo, planted, promoted, readTree, sizeOf, stepped, taken, variationOf } from '../../static/js/analysis/tree.js';
import { FOURFOLD } from '../../static/js/games/fourfold.js';
import { PARALLEL } from '../../static/js/games/parallel.js';
import { routeOf } from '../../static/js/router.js';
import { initialState } from '../../static/js/state.js';
import { update } from '../../static/js/update.js';

const FEN = (ply) => `4/4/4/4|4/4/4/4|4/4/4/4|4/4/4/4 ${ply % 2 ? 'b' : 'w'} 0 ${1 + Math.floor(ply / 2)}`;
const played = (name, ply, given = null) => ({ turn: name, lan: name, fen: FEN(ply), given });

/** `a b (c d (e)) f`: moves with alternatives to the move before a bracket. */
function treeOf(text, given = false) {
  let tree = planted(FEN(0), { given: given ? 0 : null });
  const ids = { root: 0 };
  let at = 0;
  const stack = [];
  for (const [word] of text.matchAll(/[()]|[a-z]/g)) {
    if (word === '(') {
      stack.push(at);
      at = tree.nodes[at].parent;
    } else if (word === ')') at = stack.pop();
    else {
      const ply = pathTo(tree, at).length + 1;
      const next = grown(tree, at, played(word, ply, given && !stack.length ? ply : null));
      ({ tree, at } = next);
      ids[word] = at;
    }
  }
  return { tree, ids };
}

/** The other way round. */
function textOf(tree) {
  const line = (moves) => moves.map(({ id, others }) => tree.nodes[id].turn + others.map((other) => ` (${line(other)})`).join('')).join(' ');
  return line(outline(tree));
}

test('a tree is written as it was played, and a move is not there twice', () => {
  for (const text of ['a', 'a b (c d (e) f) g', 'a (b) (c d (e)) f']) assert.equal(textOf(treeOf(text).tree), text);
  const { tree, ids } = treeOf('a b');
  const again = grown(tree, ids.a, played('b', 2));
  assert.deepEqual([again.at, again.tree], [ids.b, tree]);
});

test('an alternative takes the place of the line to which it is one', () => {
  const cases = [['a b (c d)', 'd', 'a c (b) d'], ['a (b c (d e)) f', 'e', 'a (b d (c) e) f'], ['a b', 'b', 'a b'], ['a (b) (c)', 'c', 'c (a) (b)']];
  for (const [before, at, after] of cases) {
    const { tree, ids } = treeOf(before);
    assert.equal(textOf(promoted(tree, ids[at])), after, before);
  }
});

test('a move is cut off with all that follows on it', () => {
  const { tree, ids } = treeOf('a b (c d (e) f) g');
  const less = cut(tree, ids.d);
  assert.deepEqual([textOf(less.tree), less.at, sizeOf(less.tree)], ['a b (c e) g', ids.c, 6]);
  assert.equal(textOf(cut(tree, ids.a).tree), '');
});

test('what was played in the game is never cut off, nor what it follows on', () => {
  const { tree, ids } = treeOf('a b (c d) e', true);
  assert.deepEqual([ids.root, ids.a, ids.b, ids.e, ids.c, ids.d].map((id) => canCut(tree, id)), [false, false, false, false, true, true]);
  assert.equal(cut(tree, ids.b).tree, tree);
});

/** What the game's moves are in a tree, in their order. */
const givenIn = (tree) => Object.values(tree.nodes).filter(({ given }) => given !== null).sort((a, b) => a.given - b.given).map(({ turn }) => turn).join(' ').trim();
const game = (text) => text.split(' ').filter((name) => name).map((name, i) => played(name, i + 1));

test('a move of the game is the game’s, whether it was tried before it was played or not', () => {
  // What was opened of the game, what was tried on it, the game as it is now, and how it is written then.
  const cases = [
    ['a', 'a b (c)', 'a c d', 'a c (b) d'], ['a', 'a b', 'a c', 'a c (b)'], ['', 'a (b d)', 'b e', 'b (a) e (d)'], ['', 'a b', 'a b', 'a b'],
    // A move that was taken back is one that was tried.
    ['a b', 'a b', 'a c', 'a c (b)'], ['a b', 'a b', '', 'a b'],
  ];
  for (const [opened, tried, now, after] of cases) {
    let tree = taken(planted(FEN(0), { given: 0 }), game(opened));
    const { tree: wanted } = treeOf(tried);
    const copy = (from, to) => wanted.nodes[from].children.forEach((id) => {
      const next = grown(tree, to, played(wanted.nodes[id].turn, pathTo(wanted, id).length));
      tree = next.tree;
      copy(id, next.at);
    });
    copy(0, 0);
    assert.equal(textOf(tree), tried);
    const next = taken(tree, game(now));
    assert.deepEqual([textOf(next), givenIn(next)], [after, now], `${opened}, ${tried}, ${now}`);
    for (const node of Object.values(next.nodes)) if (node.given !== null) assert.ok(!canCut(next, node.id), node.turn);
    assert.deepEqual(Object.values(next.nodes).filter(({ given }) => given > 0).map(({ id, given }) => [pathTo(next, id).length, given]).filter(([ply, given]) => ply !== given), []);
    assert.equal(textOf(taken(next, game(now))), after);
  }
});

test('what was put before the game stays there when it is opened again', () => {
  const { tree, ids } = treeOf('a b (c) d', true);
  const chosen = promoted(tree, ids.c);
  assert.equal(textOf(taken(chosen, game('a b d e'))), 'a c (b d e)');
});

test('a long game is whole, and leaves as much to be tried as any', () => {
  const tree = taken(planted(FEN(0), { given: 0 }), Array.from({ length: MOST_NODES + 200 }, (_, i) => played(`m${i}`, i + 1)));
  assert.equal(sizeOf(tree), MOST_NODES + 201);
  assert.deepEqual(readTree(JSON.parse(JSON.stringify(tree))), tree);
  let grove = { tree, at: 0 };
  for (let i = 0; i < MOST_NODES; i++) grove = grown(grove.tree, 0, played(`x${i}`, 1));
  assert.equal(grown(grove.tree, 0, played('y', 1)), null);
  assert.equal(readTree({ ...grove.tree, nodes: { ...grove.tree.nodes, 5: { ...grove.tree.nodes[5], given: null } } }), null);
});

test('one walks along a line, back into the one that was left, and to alternatives beside', () => {
  const { tree, ids } = treeOf('a b (c d) (e) f');
  assert.deepEqual([stepped(tree, ids.a, -1), stepped(tree, 0, -1), stepped(tree, ids.a, 1), stepped(tree, ids.f, 1)], [0, 0, ids.b, ids.f]);
  assert.equal(stepped(tree, ids.a, 1, { [ids.a]: ids.c }), ids.c);
  assert.deepEqual([beside(tree, ids.b, 1), beside(tree, ids.c, 1), beside(tree, ids.e, 1), beside(tree, ids.b, -1)], [ids.c, ids.e, ids.e, ids.b]);
  // From within a line to the one beside it; where there is none nothing happens.
  assert.deepEqual([beside(tree, ids.d, -1), beside(tree, ids.f, 1), beside(tree, ids.a, 1), beside(tree, 0, 1)], [ids.b, ids.c, ids.a, 0]);
  assert.deepEqual([endOf(tree, ids.a), endOf(tree, ids.c), variationOf(tree, ids.d), variationOf(tree, ids.f)], [ids.f, ids.d, ids.c, null]);
});

test('a tree has a bound, and one that was kept is read only if it is a tree', () => {
  let grove = { tree: planted(FEN(0)), at: 0 };
  for (let i = 1; i < MOST_NODES; i++) grove = grown(grove.tree, grove.at, played(`m${i}`, i));
  assert.equal(grown(grove.tree, 0, played('x', 1)), null);
  assert.equal(grown(grove.tree, 0, played('m1', 1)).at, 1);
  const { tree, ids } = treeOf('a b (c)');
  assert.deepEqual(readTree(JSON.parse(JSON.stringify(tree))), tree);
  for (const break_ of [(t) => delete t.nodes[0], (t) => (t.nodes[ids.c].parent = ids.c), (t) => (t.nodes[ids.a].children = [99]), (t) => { t.nodes[0].children = []; t.nodes[ids.a].parent = ids.b; t.nodes[ids.b].children = [ids.a]; }, (t) => (t.nodes[ids.b].fen = 7), (t) => (t.nodes[ids.b].given = 'x'), (t) => (t.next = 1), (t) => (t.nodes = null)]) {
    const copy = JSON.parse(JSON.stringify(tree));
    break_(copy);
    assert.equal(readTree(copy), null, String(break_));
  }
  assert.equal(readTree(null), null);
});

test('an address says where one is, and is read back', () => {
  const places = [
    { game: '0192-ab', ply: 12, moves: [] }, { game: '0192-ab', ply: 3, moves: ['a1@00a1@01', 'b2@10b3@10'] },
    { variant: 'fourfold-classic', moves: ['a1@00a1@01'] }, { variant: 'parallel-worlds', fen: '8/8|8/8|8/8 w KQkq|- - 0 1', moves: ['e2@1e4@1,g1@3f3@3', 'a7@1a8@1q'] }, {},
  ];
  for (const place of places) {
    const path = placePath(place);
    const url = new URL(path, 'http://x');
    assert.equal(url.pathname, '/analysis');
    assert.deepEqual(readPlace(url.search), { game: null, ply: 0, variant: '', fen: '', moves: [], ...place }, path);
    assert.deepEqual(routeOf(path), { name: 'analysis', search: url.search });
  }
});

test('an address that somebody wrote is read as far as it is one', () => {
  assert.deepEqual(readPlace('?moves=a1@00a1@01.<script>.b1@00b2@00').moves, ['a1@00a1@01']);
  assert.equal(readPlace('?game=../x&ply=-3').game, null);
  assert.equal(readPlace('?ply=1e9.5').ply, 0);
  assert.equal(readPlace(`?moves=${Array(500).fill('a1@00a1@01').join('.')}`).moves.length, 200);
  assert.equal(readPlace(`?fen=${'8'.repeat(9999)}`).fen.length, 512);
});

test('a ply of a game has an address, and lists have a query', () => {
  assert.deepEqual(routeOf('/g/abc/12'), { name: 'game', id: 'abc', ply: 12 });
  assert.deepEqual(routeOf('/g/abc/0'), { name: 'game', id: 'abc', ply: 0 });
  assert.deepEqual(routeOf('/g/abc'), { name: 'game', id: 'abc' });
  assert.deepEqual(routeOf('/g/abc/x'), { name: 'not-found' });
  assert.deepEqual(routeOf('/games?status=live&player=ada'), { name: 'games', search: '?status=live&player=ada' });
});

test('a link to a ply shows it, in a game that is opened and in the one that is open', () => {
  const visit = (state, path) => update(state, { type: 'navigated', route: routeOf(path), path, now: 0, id: 'n' });
  const opened = visit(initialState({}), '/g/abc/2');
  assert.equal(opened.game.view, 2);
  const open = { ...opened, game: { ...opened.game, moves: [{}, {}, {}] } };
  const views = ['/g/abc/1', '/g/abc/0', '/g/abc/3', '/g/abc/99', '/g/abc'].map((path) => visit(open, path).game.view);
  assert.deepEqual(views, [1, 0, null, null, null]);
  assert.equal(visit(open, '/g/xyz').game.view, null);
});

test('records are written as the rules write them', () => {
  const line = [{ lan: 'Qd1@00-c2@01' }, { lan: 'b3@01-b2@01' }, { lan: 'Qc2@01-b3@00#' }];
  const text = recordOf('fourfold', 'x w 0 1', line, 'white');
  assert.ok(text.endsWith('\n1. Qd1@00-c2@01 b3@01-b2@01 2. Qc2@01-b3@00# 1-0\n'), text);
  assert.ok(text.includes('[FEN4D "x w 0 1"]') && text.includes('[Result "1-0"]'));
  assert.ok(recordOf('parallel-worlds', 'x b - 7', line, null).endsWith('\n7... Qd1@00-c2@01 8. b3@01-b2@01 Qc2@01-b3@00# *\n'));
  assert.ok(recordOf('fourfold', 'x w 0 1', Array(60).fill(line[0]), null).split('\n').every((l) => l.length < 80));
});

test('what people paste is read: positions, records, moves with their variations', () => {
  const start = '4/4/PPPP/RNBQ|4/4/PPPP/KBNR|rnbq/pppp/4/4|kbnr/pppp/4/4 w 0 1';
  assert.deepEqual(readPasted(` ${start}\n`), { fen: start, boards: 4, line: [] });
  assert.equal(boardsOf('8/8|8/8|8/8 w - 0 1'), 3);
  const token = (lan, ...others) => ({ lan, others });
  const written = recordOf('fourfold', start, [{ lan: 'Qd1@00-c2@01' }, { lan: 'b3@01-b2@01' }], null);
  assert.deepEqual(readPasted(written), { fen: start, boards: 4, line: [token('Qd1@00-c2@01'), token('b3@01-b2@01')] });
  const nested = '1. a2@00-a3@00 {a comment (with a bracket)} (1. b2@00-b3@00 c3@01-c2@01 (1... d3@01-d2@01)) 1... b3@01-b2@01 $1 ; the rest';
  assert.deepEqual(readPasted(nested).line, [
    token('a2@00-a3@00', [token('b2@00-b3@00'), token('c3@01-c2@01', [token('d3@01-d2@01')])]), token('b3@01-b2@01'),
  ]);
  assert.equal(readPasted('1. e2@1-e4@1,Ng1@3-f3@3 e7@1-e5@1').boards, 3);
  for (const text of ['', 'hello', '1. (a2@00-a3@00)', '1. a2@00-a3@00 (', '1. a2@00-a3@00 )', 'e4 e5', `1. ${'a2@00-a3@00 '.repeat(400)}`]) assert.equal(readPasted(text), null, text);
});

test('moves are played on by the word of the server, alternatives too, until one is not to be read', async () => {
  let tree = planted(FEN(0));
  const asked = [];
  const ground = { tree: () => tree, keep: (next) => { tree = next; }, read: FOURFOLD.read, ask: async (fen, turn) => { asked.push(turn); return { turn, lan: turn, fen: FEN(asked.length) }; } };
  const token = (lan, ...others) => ({ lan, others });
  let at = 0;
  const line = [token('Qd1@00-c2@01', [token('a2@00-a3@00')]), token('b3@01-b2@01'), token('nonsense@')];
  assert.deepEqual(await playLine(ground, 0, line, (id) => { at = id; }), { why: 'unreadable', move: 'nonsense@' });
  assert.deepEqual(asked, ['d1@00c2@01', 'a2@00a3@00', 'b3@01b2@01']);
  assert.equal(textOf(tree), 'd1@00c2@01 (a2@00a3@00) b3@01b2@01');
  assert.equal(tree.nodes[at].turn, 'b3@01b2@01');
  // Again nothing is asked.
  assert.equal(await playLine(ground, 0, line.slice(0, 2), () => {}), null);
  assert.equal(asked.length, 3);
  assert.deepEqual(PARALLEL.read('e2@1-e4@1,Ng1@3-f3@3', 'white'), ['e2@1e4@1', 'g1@3f3@3']);
});

test('a verdict is White’s, whoever is to move', () => {
  assert.deepEqual(verdictOf({ centipawns: 35 }, 'white'), { pawns: 0.35 });
  assert.deepEqual(verdictOf({ centipawns: 35 }, 'black'), { pawns: -0.35 });
  assert.deepEqual(verdictOf({ mate_in: 2 }, 'black'), { winner: 'black', turns: 2 });
  assert.deepEqual(verdictOf({ mated_in: 2 }, 'black'), { winner: 'white', turns: 2 });
  assert.deepEqual([verdictAtEnd('black'), verdictAtEnd('draw')], [{ winner: 'black', turns: 0 }, { pawns: 0 }]);
  const chances = [{ winner: 'black', turns: 1 }, { pawns: -9 }, { pawns: -1 }, { pawns: 0 }, { pawns: 1 }, { winner: 'white', turns: 9 }].map(chanceOf);
  assert.deepEqual(chances, [...chances].sort((a, b) => a - b));
  assert.deepEqual([chances[0], chances[3], chances[5]], [-1, 0, 1]);
});

test('bars stand over their moves, White’s up and Black’s down, and fit the picture', () => {
  const size = { width: 400, height: 100, black: false };
  const bars = timeBars([100, 400, 1600, 0], size);
  assert.deepEqual(bars.map(({ height }) => height), [12.5, 25, 50, 0]);
  assert.deepEqual(bars.map(({ y, height }) => (y < 50 ? y + height : y)), [50, 50, 50, 50]);
  assert.deepEqual(bars.map(({ y }) => y < 50), [true, false, true, false]);
  assert.deepEqual(timeBars([100, 100], { ...size, black: true }).map(({ y }) => y < 50), [false, true]);
  for (const { x, width, ply } of bars) {
    assert.ok(x > (ply - 1) * 100 && x + width < ply * 100);
    assert.equal(plyAt(columnAt(ply, 4, 400), 4, 400), ply);
  }
  assert.deepEqual([plyAt(-5, 4, 400), plyAt(400, 4, 400), plyAt(9999, 4, 400)], [1, 4, 4]);
});

test('the way of the evaluation goes up for White, and has gaps where nothing is known', () => {
  const { way, area, places } = chanceWay([0, 1, null, -1], { width: 400, height: 100 });
  assert.deepEqual(places, [[50, 50], [150, 0], [350, 100]]);
  assert.equal(way.split('M').length - 1, 2);
  assert.equal(area.split('Z').length - 1, 2);
  assert.equal(chanceWay([null, null], { width: 400, height: 100 }).way, '');
});

test('a game is judged move by move, with pauses where the server wants them, and goes on where it was stopped', async () => {
  const verdicts = verdictsOf('a game', 4);
  assert.equal(verdictsOf('a game', 4), verdicts);
  assert.notEqual(verdictsOf('a game', 5), verdicts);
  const said = [];
  let haste = true;
  let stop = false;
  const by = {
    ask: async (ply) => {
      if (ply === 2 && haste) {
        haste = false;
        throw Object.assign(new Error(), { retryMs: 6000 });
      }
      said.push(ply);
      return { pawns: ply };
    },
    wait: async (ms) => { said.push(`wait ${ms}`); },
    told: () => { stop = said.at(-1) === 3; },
    given_up: () => stop,
  };
  await judgeAll(verdicts, by);
  assert.deepEqual(said, [1, 'wait 6000', 2, 3]);
  assert.equal(verdicts[3], null);
  stop = false;
  await judgeAll(verdicts, { ...by, told() {} });
  assert.deepEqual(said, [1, 'wait 6000', 2, 3, 4]);
  await assert.rejects(judgeAll([null], { ...by, ask: () => Promise.reject(new Error('gone')) }), /gone/);
});

test('what the engine said of a game outlives a reload, and of a mate it is asked nothing', async () => {
  const kept = new Map();
  globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
  keepVerdicts('kept', [{ pawns: 1 }, null]);
  for (let n = 0; n < 6; n++) keepVerdicts(`other ${n}`, [{ pawns: n }]);
  // As a fresh page reads it.
  const fresh = await import('../../static/js/analysis/judge.js?again');
  assert.deepEqual(fresh.verdictsOf('kept', 2), [{ pawns: 1 }, null]);
  assert.deepEqual(fresh.verdictsOf('kept', 3), [null, null, null], 'a game that has gone on is another one');
  for (let n = 6; n < 9; n++) keepVerdicts(`other ${n}`, [{ pawns: n }]);
  assert.deepEqual((await import('../../static/js/analysis/judge.js?later')).verdictsOf('kept', 2), [null, null], 'only the last few are');
  delete globalThis.sessionStorage;
  assert.deepEqual(['checkmate', 'repetition', 'resignation', 'timeout', null].map(isOpenAtEnd), [false, false, true, true, true]);
});
