// Below the moves of a game that is over: its plot, and what can be taken from the ply that is shown.
/** @import {GameInfo, GameState, Send} from '../types.js' */

import { recordOf } from '../analysis/record.js';
import { addWords, spoken, t } from '../i18n.js';
import { askRecord } from '../net/analysis.js';
import { styleFile, wordFile } from '../net/files.js';
import { fenAt } from '../position.js';
import { copyButton } from './copy.js';
import { h } from './dom.js';
import { plotCard } from './plot.js';

/** Its words and its looks. */
export async function furnish() {
  const language = spoken();
  const [words] = await Promise.all([wordFile(language, 'analysis'), wordFile(language, 'more'), styleFile('analysis')]);
  if (language === spoken()) addWords(words);
}

/** @param {GameState} game that is over @param {Send} send */
export function afterGame(game, send) {
  const { id, moves } = game;
  const info = /** @type {GameInfo} */ (game.info);
  let now = game;
  const ply = () => now.view ?? moves.length;
  const plot = plotCard({ ...info, moves }, { go: (at) => send({ type: 'game.view', ply: at }) });
  const copies = h('div', { class: 'copies' },
    copyButton('copy-link', t('copy.link'), () => new URL(now.view === null ? `/g/${id}` : `/g/${id}/${now.view}`, location.href).href),
    copyButton('copy-fen', t('copy.fen'), () => fenAt(now, ply())),
    copyButton('copy-record', t('copy.record'), async () => (now.view === null ? await askRecord(id) : null) ?? recordOf(info.variant, info.start_fen, moves.slice(0, ply()), now.view === null ? info.outcome : null)));
  return {
    el: h('div', { class: 'after' }, plot.el, copies),
    /** @param {GameState} latest */
    update(latest) {
      now = latest;
      plot.update(ply() || null);
    },
    leave: plot.leave,
  };
}
