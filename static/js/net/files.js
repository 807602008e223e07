// The client's own files that are no modules: words, pictures, and the styles that not every page needs.

/** What has been fetched, or is being fetched: nothing is asked for twice. @type {Map<string, Promise<any>>} */
const asked = new Map();

/** @template T @param {string} path @param {() => Promise<T>} work @returns {Promise<T>} */
function once(path, work) {
  const known = asked.get(path) ?? work();
  asked.set(path, known);
  return known;
}

/** @param {string} path below `static/` @returns {Promise<Response>} */
async function file(path) {
  // The server may be restarting just now: without these files there is no page, so they are asked for until they come.
  for (let pause = 250; ; pause = Math.min(2 * pause, 4000)) {
    const answer = await fetch(new URL(`../../${path}`, import.meta.url)).catch(() => null);
    if (answer?.ok) return answer;
    await new Promise((done) => setTimeout(done, pause));
  }
}

/** @param {string} path @returns {Promise<string>} */
export const textFile = (path) => once(path, async () => (await file(path)).text());

/**
 * Words are kept in parts: the common ones, which a game needs, and those of other places.
 * @param {string} language
 * @param {string} part nothing for the common ones
 * @returns {Promise<Record<string, string>>}
 */
export function wordFile(language, part) {
  const path = `lang/${part ? `${part}/` : ''}${language}.json`;
  return once(path, async () => (await file(path)).json());
}

/** Adds a style sheet to the page, and waits for it. @param {string} name */
export function styleFile(name) {
  return once(name, () => new Promise((done) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = new URL(`../../css/${name}.css`, import.meta.url).href;
    // Without it the place is plain, and can be used.
    link.onload = link.onerror = () => done(null);
    document.head.append(link);
  }));
}
