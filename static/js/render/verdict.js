// A verdict in signs for the eye and in words for the ear.
/** @import {Verdict} from '../analysis/score.js' */

import { numberText, t } from '../i18n.js';

/** `+0.8`, `−2.1`, `#3` for White, `#−3` for Black, and the points of a game that is over. @param {Verdict} verdict */
export function verdictSign(verdict) {
  if ('winner' in verdict) {
    if (!verdict.turns) return verdict.winner === 'white' ? '1–0' : '0–1';
    return `#${verdict.winner === 'white' ? '' : '−'}${verdict.turns}`;
  }
  const value = numberText(Math.abs(verdict.pawns), 1);
  return `${Number(verdict.pawns.toFixed(1)) === 0 ? '' : verdict.pawns > 0 ? '+' : '−'}${value}`;
}

/** @param {Verdict} verdict */
export function verdictWords(verdict) {
  if ('winner' in verdict) return verdict.turns ? t(`verdict.wins.${verdict.winner}`, { n: verdict.turns }) : t(`outcome.${verdict.winner}`);
  const side = Number(verdict.pawns.toFixed(1)) === 0 ? 'even' : verdict.pawns > 0 ? 'white' : 'black';
  return t(`verdict.${side}`, { pawns: numberText(Math.abs(verdict.pawns), 1) });
}
