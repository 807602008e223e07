/** @import {State} from '../types.js' */

import { has, nameText, t } from '../i18n.js';
import { fenAt, sideToMove } from '../position.js';

/** The tab's title; in a game it tells whose turn it is. @param {State} state */
export function titleOf({ route, game, challenge }) {
  const site = 'Manifold';
  if (route.name === 'game' && game?.info) {
    const { white, black, outcome } = game.info;
    const players = t('title.game', { white: nameText(white), black: nameText(black) });
    if (outcome) return `${players} · ${site}`;
    if (game.you && sideToMove(fenAt(game)) === game.you) return `● ${t('status.your_turn')} · ${players}`;
    return `${players} · ${site}`;
  }
  if (route.name === 'challenge' && challenge.data) return `${t('title.challenge', { name: nameText(challenge.data.creator) })} · ${site}`;
  if (route.name === 'profile') return `${route.player} · ${site}`;
  if (route.name === 'learn' && has(`learn.${route.id}.title`)) return `${t(`learn.${route.id}.title`)} · ${site}`;
  if (route.name === 'home' || route.name === 'loading') return t('title.home');
  return `${t(`title.${route.name}`)} · ${site}`;
}
