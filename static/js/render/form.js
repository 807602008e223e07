// One form for every way to a game against a person: in the lobby, by link, or with somebody in particular.
/** @import {Send, State} from '../types.js' */

import { startOf, VARIANTS } from '../games/index.js';
import { problemText, t } from '../i18n.js';
import { isFirstGame, offeredVariant } from '../offered.js';
import { h, setAttr, setText, show } from './dom.js';
import { hasAccount } from './lists.js';
import { choice } from './parts.js';

const MINUTES = [0.5, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180];
const SECONDS = [0, 1, 2, 3, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120, 180];
const DAYS = [1, 2, 3, 5, 7, 10, 14];
const RATINGS = [800, 1000, 1200, 1300, 1400, 1500, 1600, 1700, 1800, 2000, 2200, 2400];

/** A select with its label over it. @param {string} name @param {string} label @param {(string | number)[]} values @param {string | number} chosen @param {string} [none] */
function select(name, label, values, chosen, none) {
  const el = h('select', { name },
    none !== undefined && h('option', { value: '' }, none),
    ...values.map((v) => h('option', { value: v, selected: v === chosen }, v === 0.5 ? '½' : String(v))));
  return { el, box: h('label', {}, h('span', {}, label), el) };
}

/**
 * @param {Send} send
 * @param {string | null} opponent whom alone it can be offered to; null where that is to be chosen
 */
export function gameForm(send, opponent) {
  let wanted = opponent === null ? 'lobby' : 'player';
  /** As long as nothing is known of the lobby nothing can be put there. */
  const target = () => (wanted === 'lobby' && state?.seeks.online === null ? 'link' : wanted);
  let pace = 'clock';
  let color = 'random';
  /** An open game is rated where that is liked; one that somebody is asked for only where it was chosen for it. @type {Record<string, boolean | undefined>} */
  const rated = {};
  /** @type {State | null} */
  let state = null;
  const redraw = () => state && update(state);
  /** @param {string} name @param {string} label @param {string[]} values @param {(value: string) => string} text @param {(value: string) => void} chosen */
  const options = (name, label, values, text, chosen) => choice(`make-${name}`, t(label), values.map((value) => ({ value, text: text(value), props: { [`data-make-${name}`]: value } })), (value) => {
    chosen(value);
    redraw();
  });
  const whoms = options('whom', 'make.whom', ['lobby', 'link', 'player'], (v) => t(`make.whom.${v}`), (v) => { wanted = v; });
  const variants = options('variant', 'home.variant', VARIANTS, (v) => t(`variant.${v}`), (variant) => send({ type: 'pref', change: { variant } }));
  const about = h('p', { class: 'quiet variant-about' });
  const paces = options('pace', 'challenge.time', ['clock', 'days', 'none'], (v) => t(`make.pace.${v}`), (v) => { pace = v; });
  const colors = options('color', 'challenge.color', ['white', 'random', 'black'], (v) => t(`challenge.color.${v}`), (v) => { color = v; });
  const rateds = options('rated', 'home.rated', ['true', 'false'], (v) => t(v === 'true' ? 'rated' : 'casual'), (v) => { rated[target()] = v === 'true'; });
  const ratedMeans = h('p', { class: 'quiet rated-means' });
  const name = h('input', { name: 'opponent', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', maxlength: '20' });
  const nameBox = h('label', {}, h('span', {}, t('make.name')), name);
  const minutes = select('minutes', t('challenge.minutes'), MINUTES, 5);
  const seconds = select('seconds', t('challenge.seconds'), SECONDS, 3);
  const clock = h('div', { class: 'pair' }, minutes.box, seconds.box);
  const days = select('days', t('make.days'), DAYS, 3);
  const least = select('least', t('make.least'), RATINGS, '', t('make.any'));
  const most = select('most', t('make.most'), RATINGS, '', t('make.any'));
  const range = h('div', { class: 'pair' }, least.box, most.box);
  const fen = h('input', { name: 'fen', class: 'tab', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', input: redraw });
  const position = h('details', { class: 'position' }, h('summary', {}, t('make.position')), h('label', {}, h('span', {}, t('make.fen')), fen));
  const problem = h('p', { class: 'field-error', role: 'alert' });
  const button = h('button', { type: 'submit', class: 'primary big', 'data-action': 'create-challenge' });
  const hint = h('p', { class: 'quiet' });

  function time() {
    if (pace === 'days') return { days_per_move: Number(days.el.value) };
    return pace === 'none' ? null : { base_ms: Number(minutes.el.value) * 60_000, increment_ms: Number(seconds.el.value) * 1000 };
  }

  const el = h('form', {
    class: 'challenge-form',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      if (!state) return;
      const terms = { variant: offeredVariant(state), color, time: time() };
      if (target() === 'lobby') {
        const [min, max] = [least, most].map(({ el: { value } }) => (value ? Number(value) : null));
        send({ type: 'want.seek', options: { ...terms, rated: isRated(), rating: min === null && max === null ? null : { min, max } } });
      } else {
        const text = fen.value.trim();
        const player = opponent ?? name.value.trim();
        send({ type: 'want.challenge', options: { ...terms, ...(isRated() ? { rated: true } : {}), ...(text ? { fen: text } : {}), ...(target() === 'player' ? { opponent: player } : {}) } });
      }
    },
  }, opponent === null && whoms.el, nameBox, variants.el, about, paces.el, clock, days.box, h('div', { class: 'switches' }, colors.el, rateds.el), ratedMeans, range, position, button, problem, hint);

  /** Rated are games between accounts, with a time, from where all begin. */
  const mayRate = () => !!state && hasAccount(state) && pace !== 'none' && (target() === 'lobby' || !fen.value.trim());
  const isRated = () => (rated[target()] ?? (target() === 'lobby' && !!state?.prefs.rated)) && mayRate();

  /** @param {State} next */
  function update(next) {
    state = next;
    const variant = offeredVariant(next);
    const whom = target();
    if (whom === 'lobby' && pace === 'none') pace = 'clock';
    whoms.offer(next.seeks.online === null ? ['link', 'player'] : ['lobby', 'link', 'player']);
    whoms.set(whom);
    variants.offer(next.pools?.variants ?? VARIANTS);
    variants.set(variant);
    setText(about, isFirstGame(next) ? t('home.first_game') : '');
    show(about, isFirstGame(next));
    paces.offer(whom === 'lobby' ? ['clock', 'days'] : ['clock', 'days', 'none']);
    paces.set(pace);
    colors.set(color);
    rateds.set(String(isRated()));
    rateds.disable('true', !mayRate());
    setText(ratedMeans, t(isRated() ? 'make.rated_means' : 'make.casual_means'));
    show(nameBox, opponent === null && whom === 'player');
    name.required = opponent === null && whom === 'player';
    show(clock, pace === 'clock');
    show(days.box, pace === 'days');
    show(range, whom === 'lobby');
    show(position, whom !== 'lobby');
    setAttr(fen, 'placeholder', startOf(variant));
    button.disabled = next.form.busy;
    setText(button, t(whom === 'lobby' ? 'make.seek' : whom === 'link' ? 'challenge.create' : 'make.challenge'));
    setText(hint, t(`make.hint.${whom}`));
    setText(problem, next.form.at === 'form' && next.form.problem ? problemText(next.form.problem) : '');
  }

  return { el, update };
}
