// Where an analysis begins, and what can be taken from it: the game, the position as text, its record, a link.

import { boardsOf, readPasted } from '../../analysis/record.js';
import { geometryOf, startOf, VARIANTS } from '../../games/index.js';
import { problemText, t } from '../../i18n.js';
import { copyButton } from '../copy.js';
import { h, setAttr, setText } from '../dom.js';
import { choice } from '../parts.js';
/** @import {Pasted} from '../../analysis/record.js' */

/** The variant that a text of so many boards is of: the one at hand if it may be. @param {number} boards @param {string} variant */
export const variantOf = (boards, variant) => (!boards || geometryOf(variant).boards.length === boards ? variant : VARIANTS.find((name) => geometryOf(name).boards.length === boards) ?? variant);

/**
 * @param {{variant: string, fen: () => string, record: () => string, link: () => string, begin: (variant: string, fen: string) => Promise<void>, paste: (pasted: Pasted) => Promise<void>}} acts
 *  what refuses throws a refusal
 */
export function toolCard({ variant, fen, record, link, begin, paste }) {
  const variants = choice('analysis-variant', t('home.variant'), VARIANTS.map((value) => ({ value, text: t(`variant.${value}`), props: { 'data-variant': value } })), (value) => begin(value, startOf(value)));
  variants.set(variant);
  const problem = h('p', { class: 'field-error', role: 'alert', id: 'analysis-problem' });
  const field = h('input', { id: 'analysis-fen', class: 'tab', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': 'analysis-problem', focus: () => field.select() });
  const text = h('textarea', { id: 'analysis-paste', class: 'tab', rows: '3', spellcheck: 'false', 'aria-describedby': 'analysis-problem', placeholder: t('analysis.paste_hint') });
  let busy = false;

  /** @param {() => Promise<void>} work @param {HTMLElement} where */
  async function attempt(work, where) {
    if (busy) return;
    busy = true;
    setText(problem, '');
    setAttr(where, 'aria-invalid', null);
    try {
      await work();
    } catch (error) {
      const { code, detail } = /** @type {{code?: string, detail?: string}} */ (error);
      if (!code) throw error;
      setText(problem, code === 'bad_position' && detail ? t('analysis.bad_position', { detail }) : problemText({ code, detail: detail ?? '' }));
      setAttr(where, 'aria-invalid', 'true');
    } finally {
      busy = false;
    }
  }
  const unreadable = () => Promise.reject({ code: 'analysis.unreadable', detail: t('analysis.unreadable') });

  const fenForm = h('form', {
    class: 'fen-form',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      const typed = field.value.trim();
      const boards = boardsOf(typed);
      attempt(() => (boards ? begin(variantOf(boards, variant), typed) : unreadable()), field);
    },
  }, h('label', { for: 'analysis-fen' }, t('analysis.fen')), field, h('button', { type: 'submit', class: 'small' }, t('analysis.open')));
  const pasteForm = h('form', {
    class: 'paste-form',
    submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      attempt(async () => {
        const pasted = readPasted(text.value);
        if (!pasted) return unreadable();
        await paste(pasted);
        text.value = '';
        el.open = false;
      }, text);
    },
  }, h('label', { for: 'analysis-paste' }, t('analysis.paste')), text, h('button', { type: 'submit', class: 'small', 'data-action': 'paste' }, t('analysis.read')));
  const el = h('details', { class: 'card tools' }, h('summary', {}, t('analysis.position')), variants.el, fenForm, pasteForm, problem);
  const copies = h('div', { class: 'copies' }, copyButton('copy-link', t('copy.link'), link), copyButton('copy-fen', t('copy.fen'), fen), copyButton('copy-record', t('copy.record'), record));
  return {
    el,
    copies,
    /** @param {string} now the position that is shown */
    update(now) {
      if (document.activeElement !== field && field.value !== now) field.value = now;
    },
  };
}
