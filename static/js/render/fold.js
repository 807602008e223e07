// The chat's place under the moves: folded or open, and how much of it nobody has seen. The chat itself is fetched once it is opened.
/** @import {GameState, Send, State} from '../types.js' */

import { t } from '../i18n.js';
import { styleFile } from '../net/files.js';
import { geometryIn } from '../position.js';
import { h, icon, setAttr, setText, show } from './dom.js';

/** Where moves and chat have room at once, it is open until somebody folds it (game.css). */
const roomy = matchMedia('(min-width: 1360px) and (min-height: 900px) and (min-aspect-ratio: 17/10)');

/** @param {Send} send */
export function chatFold(send) {
  const panel = h('div', { class: 'chat', id: 'chat', hidden: true });
  const count = h('b', { class: 'unread tab' });
  const button = h('button', { type: 'button', class: 'bare', 'data-action': 'chat', 'aria-controls': 'chat', click: toggle }, icon('chat'), count);
  let open = false;
  let muted = false;
  /** Whether there is a column for it. */
  let column = false;
  /** What is opened over the moves is open beside this game alone; who has room and does not want it is not asked again. */
  function toggle() {
    send({ type: 'game.chat-open', open: !open });
    if (column) send({ type: 'pref', change: { chat: { open: open ? false : null, muted } } });
  }
  /** @type {ReturnType<typeof import('./chat.js').chatPanel> | null} */
  let view = null;
  let asked = false;
  /** @type {{state: State, game: GameState} | null} */
  let latest = null;

  async function fetchView() {
    if (asked) return;
    asked = true;
    const [loaded] = await Promise.all([import('./chat.js').catch(() => null), styleFile('chat')]);
    asked = loaded !== null;
    if (!loaded || !latest) return;
    view = loaded.chatPanel(send);
    panel.replaceChildren(view.el);
    view.update(latest.state, latest.game);
  }

  const redraw = () => latest && update(latest.state, latest.game);
  roomy.addEventListener('change', redraw);

  /** @param {State} state @param {GameState} game */
  function update(state, game) {
    latest = { state, game };
    const { chat } = state.prefs;
    muted = chat.muted;
    // A computer has nothing to say to its opponent.
    const lonely = !!game.you && (game.info?.white.kind === 'computer' || game.info?.black.kind === 'computer');
    column = roomy.matches && geometryIn(game).space !== null && state.prefs.tesseract.beside;
    open = !lonely && (game.chat.open ?? (column && chat.open !== false));
    show(button, !lonely);
    show(panel, open);
    const page = panel.closest('.game');
    if (page) setAttr(page, 'data-chat', open);
    const unseen = muted || open ? 0 : game.chat.lines.length - game.chat.seen;
    setText(count, unseen ? String(Math.min(unseen, 99)) : '');
    setAttr(button, 'aria-expanded', open ? 'true' : 'false');
    const label = unseen ? t('chat.unread', { n: unseen }) : t(open ? 'chat.close' : 'chat.open');
    setAttr(button, 'aria-label', label);
    setAttr(button, 'title', label);
    if (!open) return;
    fetchView();
    view?.update(state, game);
    if (game.chat.seen < game.chat.lines.length && !document.hidden) send({ type: 'game.chat-seen' });
  }

  return {
    panel,
    button,
    update,
    leave() {
      latest = null;
      roomy.removeEventListener('change', redraw);
    },
  };
}
