// A button that puts a text where it can be pasted from, and says so for a moment.
import { t } from '../i18n.js';
import { h, icon, setText } from './dom.js';

const SAID_MS = 2000;

/**
 * @param {string} name its `data-action`
 * @param {string} label
 * @param {() => string | Promise<string>} text
 */
export function copyButton(name, label, text) {
  const words = h('span', {}, label);
  const told = h('span', { class: 'unseen', role: 'status' });
  const el = h('button', { type: 'button', class: 'small', 'data-action': name, click: copy }, icon('link'), words, told);
  let timer = 0;

  async function copy() {
    const whole = await text();
    const is = await putAway(whole);
    el.dataset.copied = whole;
    setText(words, t(is ? 'copy.done' : 'copy.failed'));
    setText(told, t(is ? 'copy.done' : 'copy.failed'));
    clearTimeout(timer);
    timer = setTimeout(() => {
      setText(words, label);
      setText(told, '');
    }, SAID_MS);
  }
  return el;
}

/** @param {string} text @returns {Promise<boolean>} whether it can be pasted now */
async function putAway(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without a secure connection have no clipboard but this one.
    const field = h('textarea', { class: 'unseen', 'aria-hidden': 'true' });
    field.value = text;
    document.body.append(field);
    const focused = document.activeElement;
    field.select();
    const is = document.execCommand('copy');
    field.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return is;
  }
}
