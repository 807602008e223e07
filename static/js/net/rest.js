/** @import {Problem} from '../types.js' */

/** What the server refused, or that it could not be reached. */
export class Refusal extends Error {
  /** @param {Problem & {status: number, retryMs?: number | null}} problem `retryMs` is when to come back, where the server has said that */
  constructor({ code, detail, status, retryMs = null }) {
    super(detail);
    this.code = code;
    this.detail = detail;
    this.status = status;
    this.retryMs = retryMs;
  }
}

/**
 * One request to the API; its JSON, or null for 204.
 * @param {string} method
 * @param {string} path below /api/v1
 * @param {unknown} [body]
 * @param {AbortSignal} [signal] gives the request up
 * @returns {Promise<any>}
 */
export async function call(method, path, body, signal) {
  /** @type {Response} */
  let response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method,
      signal,
      credentials: 'same-origin',
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal({ code: 'network', detail: '', status: 0 });
  }
  if (response.status === 204) return null;
  const json = await response.json().catch(() => null);
  if (response.ok) return json;
  const seconds = Number(response.headers.get('Retry-After'));
  throw new Refusal({ code: json?.code ?? 'internal', detail: json?.detail ?? '', status: response.status, retryMs: seconds > 0 ? seconds * 1000 : null });
}
