// What an account asks about itself: its password, its browsers, its tokens.
/** @import {Message, Send, State} from '../types.js' */

import { isAccount } from '../format.js';
import { call } from '../net/rest.js';

/**
 * @param {() => State} now
 * @param {Send} send
 * @param {(work: () => Promise<void>, where: 'password' | 'logins' | 'tokens' | 'bot') => Promise<void>} attempt
 * @param {{restart: () => void, leave: () => void}} go `restart` the line, because the session has changed; `leave` as one who is logged out
 */
export function accountEffects(now, send, attempt, { restart, leave }) {
  const own = () => isAccount(now().session.player);

  async function load() {
    if (!own()) return;
    const [{ sessions }, { tokens }] = await Promise.all([call('GET', '/sessions'), call('GET', '/tokens')]);
    send({ type: 'account', change: { logins: sessions, tokens } });
  }

  /** @type {Record<string, (m: Message) => void>} */
  const wants = {
    'want.password': (m) => attempt(async () => {
      send({ type: 'account', change: { changed: false } });
      await call('PUT', '/account/password', { old: m.old, new: m.new });
      send({ type: 'account', change: { changed: true } });
      restart();
      await load();
    }, 'password'),
    'want.end-session': (m) => attempt(async () => {
      await call('DELETE', `/sessions/${encodeURIComponent(m.access)}`);
      await load();
    }, 'logins'),
    'want.logout-everywhere': () => attempt(async () => {
      await call('DELETE', '/sessions');
      leave();
    }, 'logins'),
    'want.token': (m) => attempt(async () => {
      const { name, token } = await call('POST', '/tokens', { name: m.name });
      send({ type: 'account', change: { made: { name, token } } });
      await load();
    }, 'tokens'),
    'want.end-token': (m) => attempt(async () => {
      await call('DELETE', `/tokens/${encodeURIComponent(m.access)}`);
      await load();
    }, 'tokens'),
    'want.bot': () => attempt(async () => {
      const { player } = await call('POST', '/account/bot');
      send({ type: 'session', player });
      restart();
    }, 'bot'),
  };
  return { load, wants };
}
