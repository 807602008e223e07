/** @import {Command} from '../types.js' */

import { pauseMs, triesAfter } from './backoff.js';

/** A line that says nothing for so long after a ping is dead, whatever the browser thinks. */
const PING_EVERY_MS = 15_000;
const SILENCE_MS = 10_000;

/**
 * The one connection of this tab. It reopens itself; what has to be said again is the caller's business.
 * @param {{message: (message: any) => void, connecting: () => void, renewing: () => void, waiting: (tries: number) => void}} on
 */
export function openLine(on) {
  /** @type {WebSocket | null} */
  let socket = null;
  let tries = 0;
  let openedAt = 0;
  let heardAt = 0;
  /** When the last ping went out that nothing has answered yet; 0 if none did. */
  let pingedAt = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retry;

  function connect() {
    clearTimeout(retry);
    on.connecting();
    const url = new URL('/api/v1/socket', location.href);
    url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
    const mine = new WebSocket(url);
    socket = mine;
    openedAt = 0;
    mine.onopen = () => {
      openedAt = heardAt = performance.now();
      pingedAt = 0;
    };
    mine.onmessage = (event) => {
      if (socket !== mine) return;
      heardAt = performance.now();
      pingedAt = 0;
      const message = JSON.parse(event.data);
      if (message.t !== 'pong') on.message(message);
    };
    mine.onclose = () => {
      if (socket === mine) closed();
    };
  }

  function closed() {
    socket = null;
    tries = triesAfter(tries, openedAt ? performance.now() - openedAt : 0);
    on.waiting(tries);
    retry = setTimeout(connect, pauseMs(tries, Math.random()));
  }

  /** Lets the present line go without waiting for its farewell. */
  function drop() {
    const old = socket;
    socket = null;
    old?.close();
  }

  setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN) return;
    const now = performance.now();
    // Silence counts from the ping: the timers of a hidden tab may sleep longer than any line is quiet.
    if (pingedAt && now - pingedAt > SILENCE_MS) {
      drop();
      closed();
    } else if (!pingedAt && now - heardAt > PING_EVERY_MS / 2) {
      pingedAt = now;
      socket.send(JSON.stringify({ t: 'ping', id: 'p' }));
    }
  }, PING_EVERY_MS / 2);

  // A page that is left may be kept for the back button: it must not keep its place in a pool, or count as present.
  addEventListener('pagehide', () => {
    clearTimeout(retry);
    drop();
  });
  addEventListener('pageshow', (event) => {
    if (event.persisted) connect();
  });

  // The device is back from a tunnel or from sleep: no reason to sit out the pause.
  const hurry = () => {
    if (!socket) connect();
  };
  addEventListener('online', hurry);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) hurry();
  });

  connect();
  return {
    /** @param {Command} cmd Sent now or not at all. */
    send(cmd) {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.send(JSON.stringify(cmd));
      return true;
    },
    /** A new line at once, because the session has changed. */
    restart() {
      drop();
      on.renewing();
      connect();
    },
  };
}
