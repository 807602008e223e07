/** @import {Send, State, View} from '../types.js' */

import { dayText, t } from '../i18n.js';
import { h, setText, show, whenChanged } from './dom.js';
import { growingList } from './games.js';
import { emptyPage } from './parts.js';

/** @param {Send} send @returns {View} */
export function profilePage(send) {
  const name = h('h1', {});
  const since = h('p', { class: 'quiet' });
  const ratings = h('div', { class: 'ratings' });
  const list = growingList(send);
  const ready = h('div', { class: 'page medium' }, name, since, ratings, h('h2', {}, t('title.games')), list.el);
  const missing = emptyPage(t('profile.missing_title'), t('profile.missing_text'));
  const draw = whenChanged((/** @type {State['profile']['ratings']} */ all) => {
    ratings.replaceChildren(...all.map((r) => h('div', { class: 'card rating-card' },
      h('span', { class: 'quiet' }, `${t(`variant.${r.variant}`)} · ${t(`speed.${r.speed}`)}`),
      h('b', { class: 'tab', title: r.provisional ? t('profile.provisional') : null }, `${Math.round(r.rating)}${r.provisional ? '?' : ''}`),
      h('small', { class: 'quiet' }, t('profile.rating', { deviation: Math.round(r.deviation), games: t('profile.games', { n: r.games }) })))));
    if (!all.length) ratings.append(h('p', { class: 'quiet' }, t('profile.unrated')));
  });
  return {
    el: h('div', {}, ready, missing),
    /** @param {State} state */
    update({ profile, games, ...rest }) {
      show(ready, profile.status !== 'missing');
      show(missing, profile.status === 'missing');
      setText(name, profile.name);
      if (profile.status === 'ready') {
        setText(since, profile.created_at ? t('profile.since', { day: dayText(profile.created_at) }) : '');
        draw(profile.ratings);
      }
      list.update({ ...rest, profile, games });
    },
  };
}
