// How long to wait before the next try. Pure: time and chance come in as arguments.

const FIRST_MS = 500;
/** Short, for a clock may be running: after a restart the time until the line is back is the player's own. */
const MOST_MS = 4_000;
/** Only a connection that lived so long shows that the server is well, and lets the pause start small again. */
const HEALTHY_MS = 10_000;

/**
 * The number of tries that failed in a row, after a connection ended.
 * @param {number} tries
 * @param {number} livedMs 0 when it never opened
 */
export const triesAfter = (tries, livedMs) => (livedMs >= HEALTHY_MS ? 1 : tries + 1);

/**
 * The pause before the next try, spread so that a thousand clients do not come back in the same second.
 * @param {number} tries at least 1
 * @param {number} chance in [0, 1)
 */
export function pauseMs(tries, chance) {
  const full = Math.min(MOST_MS, FIRST_MS * 2 ** (tries - 1));
  return full / 2 + (full / 2) * chance;
}
