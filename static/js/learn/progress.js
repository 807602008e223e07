// How far somebody has come, kept in this browser.
import { loadKept, saveKept } from '../keep.js';

/** The lessons in their order; the first four are the steps that everything else stands on. */
export const LESSONS = ['coordinates', 'reach', 'count', 'threats', 'setup', 'ends', 'keys', 'try', 'worlds'];
export const STEPS = 4;

/** @typedef {'solved' | 'helped'} How by oneself, or with the answer shown */
/** @typedef {{lessons: string[], puzzles: Record<string, How>}} Progress */

/** What was kept, as far as it is any good. @param {any} kept @returns {Progress} */
export function readProgress(kept) {
  const lessons = Array.isArray(kept?.lessons) ? LESSONS.filter((id) => kept.lessons.includes(id)) : [];
  const puzzles = Object.entries(kept?.puzzles ?? {}).filter(([, how]) => how === 'solved' || how === 'helped');
  return { lessons, puzzles: Object.fromEntries(puzzles) };
}

/** @param {Progress} progress @param {string} id @returns {Progress} */
export const withLesson = (progress, id) => ({ ...progress, lessons: LESSONS.filter((lesson) => lesson === id || progress.lessons.includes(lesson)) });

/** Once solved by oneself, a puzzle stays so. @param {Progress} progress @param {string} id @param {How} how @returns {Progress} */
export const withPuzzle = (progress, id, how) => ({ ...progress, puzzles: { ...progress.puzzles, [id]: progress.puzzles[id] === 'solved' ? 'solved' : how } });

/** The lesson to go on with; none when all are done. @param {Progress} progress */
export const nextLesson = ({ lessons }) => LESSONS.find((id) => !lessons.includes(id)) ?? null;

/** The first puzzle after this one that is not solved; any other one when all are. @param {{id: string}[]} puzzles @param {Progress} progress @param {string | null} after */
export function nextPuzzle(puzzles, { puzzles: done }, after) {
  const at = puzzles.findIndex(({ id }) => id === after);
  const around = [...puzzles.slice(at + 1), ...puzzles.slice(0, at + 1)];
  return (around.find(({ id }) => id !== after && !done[id]) ?? around[0] ?? null)?.id ?? null;
}

export const loadProgress = () => readProgress(loadKept('learn'));

/** @param {(progress: Progress) => Progress} change */
export function saveProgress(change) {
  const progress = change(loadProgress());
  saveKept('learn', progress);
  return progress;
}
