// The one way to the API: JSON in and out, problems as `Problem`, sign-in and CSRF handled here.
import { loadSession, session, signInFirst, signingIn } from "./session.js";

const BASE = "/api/v1";
/** So often a request that changes nothing waits for a server that is busy. */
const BUSY = 5;

/** An error answer (RFC 9457), or no answer at all (`status` 0). */
export class Problem extends Error {
  constructor(body, request) {
    super(body.detail || body.title);
    this.title = body.title;
    this.status = body.status;
    this.code = body.code ?? "";
    this.detail = body.detail ?? "";
    this.hint = body.hint ?? "";
    this.errors = body.errors ?? [];
    this.request = request;
    this.time = new Date().toISOString();
  }

  /** What "Copy details" copies. */
  get details() {
    return [`${this.request} at ${this.time}`, `${this.status} ${this.code} ${this.title}`, this.detail, this.hint]
      .concat(this.errors.map((e) => `${e.field}: ${e.reason}`))
      .filter(Boolean)
      .join("\n");
  }

  /** What is wrong with one field of the request, if the answer says so. */
  field(name) {
    return this.errors.find((e) => e.field === name)?.reason ?? null;
  }
}

// Names that may hold commas are given one by one; all other lists are parted by commas.
const ONE_BY_ONE = ["network", "tier", "path", "owner"];

function address(path, query) {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) {
    if (value === null || value === undefined || value === "") continue;
    if (Array.isArray(value)) {
      if (ONE_BY_ONE.includes(key)) for (const item of value) params.append(key, item);
      else if (value.length) params.set(key, value.join(","));
    } else params.set(key, value);
  }
  const text = params.toString();
  return BASE + path + (text ? `?${text}` : "");
}

async function send(method, url, { body, signal, etag, accept, type }) {
  const headers = { Accept: `${accept ?? "application/json"}, application/problem+json` };
  const raw = body instanceof Blob;
  if (method !== "GET") await signingIn();
  if (body !== undefined) headers["Content-Type"] = raw ? (type ?? "application/octet-stream") : "application/json";
  if (etag) headers["If-Match"] = etag;
  if (session.link) headers.Authorization = `Bearer ${session.link}`;
  if (method !== "GET" && session.info?.csrfToken) headers["X-CSRF-Token"] = session.info.csrfToken;
  try {
    return await fetch(url, {
      method,
      headers,
      signal,
      // A link shows what it shows, whoever is signed in here.
      credentials: session.link ? "omit" : "same-origin",
      body: body === undefined || raw ? body : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem(
      {
        status: 0,
        title: "The server does not answer",
        detail: "The connection failed. What is on the page is from before.",
      },
      `${method} ${url}`,
    );
  }
}

async function problemOf(answer, request) {
  const body = await answer.json().catch(() => null);
  return new Problem(
    body?.title ? body : { status: answer.status, title: answer.statusText || `Error ${answer.status}` },
    request,
  );
}

const content = (answer, accept) =>
  accept === "application/pdf" ? answer.blob() : accept ? answer.text() : answer.json();

/** Whether a request changes nothing, so that it may be sent again. */
const isReading = (method, path) =>
  method === "GET" || /\/(query|latest|preview|match|curves|compare|check)$/.test(path);

/** Waits for a connection that was lost for a moment, as when a laptop changes its network. */
export async function onceMore(signal) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  signal?.throwIfAborted();
}

/** Waits as long as a server that has too much to do says; false = it does not, or wants much time. */
async function busy(answer, signal) {
  const seconds = Number(answer.headers.get("Retry-After") ?? NaN);
  if ((answer.status !== 429 && answer.status !== 503) || !(seconds <= 10)) return false;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  signal?.throwIfAborted();
  return true;
}

/**
 * The whole answer: `{ data, etag }`. A `body` that is a file is sent as it is, as `type` says; what is not JSON is
 * asked for with `accept` and given as text, a PDF as a file. Waits for a sign-in on 401 and then asks again, so nothing
 * typed is lost.
 * @param {string} method
 * @param {string} path
 * @param {{query?: object, body?: any, signal?: AbortSignal, etag?: string, accept?: string, type?: string}} [options]
 */
export async function exchange(method, path, { query, body, signal, etag, accept, type } = {}) {
  const url = address(path, query);
  const request = `${method} ${url}`;
  for (let attempt = 0; ; attempt++) {
    let answer;
    try {
      answer = await send(method, url, { body, signal, etag, accept, type });
    } catch (error) {
      if (attempt > 0 || error.status !== 0 || !isReading(method, path)) throw error;
      await onceMore(signal);
      continue;
    }
    if (answer.ok)
      return {
        data: answer.status === 204 ? null : await content(answer, accept),
        etag: answer.headers.get("ETag"),
      };
    if (answer.status === 401 && !session.link) {
      await signInFirst();
      signal?.throwIfAborted();
      continue;
    }
    if (attempt < BUSY && isReading(method, path) && (await busy(answer, signal))) continue;
    const problem = await problemOf(answer, request);
    // The session was renewed in another tab: take its token and try once more.
    if (problem.code === "csrf" && attempt === 0 && (await loadSession())) continue;
    throw problem;
  }
}

const dataOf = async (exchanged) => (await exchanged).data;
/**
 * @param {string} path
 * @param {object} [query]
 * @param {AbortSignal} [signal]
 */
export const get = (path, query, signal) => dataOf(exchange("GET", path, { query, signal }));

const underway = new Map();
/**
 * What several parts of a page want at the same moment is asked for once; it goes on when one of them no longer wants
 * it.
 */
export function getShared(path) {
  if (!underway.has(path))
    underway.set(
      path,
      get(path).finally(() => underway.delete(path)),
    );
  return underway.get(path);
}
/**
 * @param {string} path
 * @param {unknown} [body]
 * @param {AbortSignal} [signal]
 */
export const post = (path, body, signal) => dataOf(exchange("POST", path, { body, signal }));
export const remove = (path) => dataOf(exchange("DELETE", path));
