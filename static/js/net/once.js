// Requests that make something: asked again because their answer was lost, they must not make it twice.

import { Refusal } from './rest.js';

/** Of so many things that were asked for, and never answered, the ids are remembered. */
export const MOST_UNANSWERED = 8;

/** Whether a refusal is the server's last word: what failed on the way, or within it, may have been done all the same. @param {unknown} error */
const isAnswer = (error) => error instanceof Refusal && error.status >= 400 && error.status < 500;

/**
 * Posts what is to be made under an id of its own. The same asked for again has the same id until it was answered, by which
 * the server knows it again.
 * @param {(method: string, path: string, body: unknown) => Promise<any>} call
 * @returns {(path: string, content: object, id: string) => Promise<any>} `id` is a new one, for what was not asked for before
 */
export function poster(call) {
  /** By what is asked for. @type {Map<string, string>} */
  const unanswered = new Map();

  return async (path, content, fresh) => {
    const asked = JSON.stringify([path, content]);
    const id = unanswered.get(asked) ?? fresh;
    unanswered.delete(asked);
    unanswered.set(asked, id);
    const [oldest] = unanswered.keys();
    if (unanswered.size > MOST_UNANSWERED) unanswered.delete(oldest);
    try {
      const answer = await call('POST', path, { ...content, id });
      // It broke off on the way.
      if (answer === null) throw new Refusal({ code: 'network', detail: '', status: 0 });
      unanswered.delete(asked);
      return answer;
    } catch (error) {
      if (isAnswer(error)) unanswered.delete(asked);
      throw error;
    }
  };
}
