// Records as text: a line of moves is written so that the rules read it, and what people paste is read: a position, or a
// record, with or without its tags and with its variations. Whether its moves are legal the server says. Pure.

import { fullmoveOf, sideToMove } from '../position.js';

/** @typedef {{lan: string, others: Token[][]}} Token a turn as it is written, and the alternatives to it */
/** @typedef {{fen: string, boards: number, line: Token[]}} Pasted `fen` is empty where the text does not say it; `boards` is how many it speaks of, 0 where that is not said */

const FOURFOLD = { variant: 'Fourfold-4x4x2x2', format: 'PGN4D', notation: 'LAN4D', fen: 'FEN4D' };
const PARALLEL = { variant: 'Parallel-Worlds-8x8x3', format: 'PGN3L', notation: 'LAN3L', fen: 'FEN3L' };
/** Lines are broken before they get longer. */
const WIDTH = 79;
/** More is no record of a game that was played. */
const MOST_TEXT = 64 * 1024;
/** So many turns are tried at most: each is a question to the server. */
export const MOST_TURNS = 300;
/** @type {Record<string, string>} */
const RESULTS = { white: '1-0', black: '0-1', draw: '1/2-1/2', none: '*' };

/** @param {string} variant @param {string} fen where the line begins @param {{lan: string}[]} line @param {string | null} outcome */
export function recordOf(variant, fen, line, outcome) {
  const tags = variant === 'parallel-worlds' ? PARALLEL : FOURFOLD;
  const result = RESULTS[outcome ?? 'none'] ?? '*';
  const head = [['Event', 'Analysis'], ['Variant', tags.variant], ['Format', tags.format], ['FormatVersion', '1'], ['Notation', tags.notation],
    ['SetUp', '1'], [tags.fen, fen], ['Result', result]].map(([name, value]) => `[${name} "${value}"]`);
  const black = sideToMove(fen) === 'black' ? 1 : 0;
  const first = fullmoveOf(fen);
  const words = line.flatMap(({ lan }, i) => {
    const number = first + Math.floor((i + black) / 2);
    return [...((i + black) % 2 === 0 ? [`${number}.`] : i === 0 ? [`${number}...`] : []), lan];
  });
  const lines = [''];
  for (const word of [...words, result]) {
    const last = lines.length - 1;
    if (lines[last] && lines[last].length + 1 + word.length > WIDTH) lines.push(word);
    else lines[last] += lines[last] ? ` ${word}` : word;
  }
  return `${head.join('\n')}\n\n${lines.join('\n')}\n`;
}

/** How many boards a FEN has; 0 where the text is none. @param {string} text */
export function boardsOf(text) {
  const [placement = '', side = ''] = text.trim().split(/\s+/);
  if (!/^[1-8pnbrqk/|]+$/i.test(placement) || !/^[wb]$/.test(side)) return 0;
  return placement.split('|').length;
}

/** What somebody pasted; null when it is nothing of this kind. @param {string} text @returns {Pasted | null} */
export function readPasted(text) {
  const trimmed = text.trim();
  if (!trimmed || trimmed.length > MOST_TEXT) return null;
  if (boardsOf(trimmed)) return { fen: trimmed.replace(/\s+/g, ' '), boards: boardsOf(trimmed), line: [] };
  const fen = /^\s*\[(?:FEN4D|FEN3L|FEN)\s+"([^"]*)"\]/m.exec(trimmed)?.[1] ?? '';
  const parallel = /^\s*\[Variant\s+"Parallel/m.test(trimmed);
  const moves = trimmed.replace(/^\s*\[\w+\s+"(?:[^"\\]|\\.)*"\]\s*$/gm, '').replace(/\{[^}]*\}/g, ' ').replace(/;.*$/gm, ' ');
  const line = readLine(moves);
  if (!line || (!line.length && !fen)) return null;
  return { fen, boards: boardsOf(fen) || (parallel || line.some(({ lan }) => /@[123]\b/.test(lan)) ? 3 : 4), line };
}

/** @param {string} text @returns {Token[] | null} */
function readLine(text) {
  /** @type {Token[]} */
  const main = [];
  /** The lines that are open, the innermost last. */
  const open = [main];
  let turns = 0;
  for (const [word] of text.matchAll(/[()]|[^\s()]+/g)) {
    const line = open[open.length - 1];
    if (word === '(') {
      const last = line.at(-1);
      // An alternative is one to the move before it.
      if (!last) return null;
      last.others.push([]);
      open.push(last.others[last.others.length - 1]);
    } else if (word === ')') {
      if (open.length < 2) return null;
      open.pop();
    } else if (!/^(\d+\.*|\.+|1-0|0-1|1\/2-1\/2|\*|\$\d+|[!?]+)$/.test(word)) {
      const lan = word.replace(/^\d+\.+/, '').replace(/[!?]+$/, '');
      if (!lan.includes('@') || ++turns > MOST_TURNS) return null;
      line.push({ lan, others: [] });
    }
  }
  return open.length === 1 ? main : null;
}
