// Everything a view shows is in the address: path, scope, range, filters, selection, pinned cursor.
// Pages read `place.query` and write with `go` (a new entry in the history) or `amend` (the same entry).
import { settled } from "./bus.js";

const listeners = new Set();

// `since` is when one set out for this place: going back arrives later than it was asked for.
export const place = { path: "/", query: new URLSearchParams(), since: 0 };
let setOut = null;

function read() {
  place.path = location.pathname.replace(/\/+$/, "") || "/";
  place.query = new URLSearchParams(location.search);
  place.since = setOut ?? performance.now();
  setOut = null;
}

export function onPlace(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function arrived() {
  read();
  for (const listener of listeners) listener(place);
}

// What stays when one goes to another page; all else belongs to the page that is left.
const KEPT = ["scope", "range", "from", "to", "live"];

/** The address of `path` with the scope and range of now, plus `params` (null or "" removes one). */
export function href(path, params = {}) {
  const query = new URLSearchParams();
  for (const key of KEPT) if (place.query.has(key)) query.set(key, place.query.get(key));
  return build(path, query, params);
}

function build(path, query, params) {
  for (const [key, value] of Object.entries(params)) {
    query.delete(key);
    if (Array.isArray(value)) for (const item of value) query.append(key, item);
    else if (value !== null && value !== undefined && value !== "") query.set(key, value);
  }
  // Colons, commas and slashes are legal in a query and read better plain; a bar is not, and Tomcat refuses it.
  const text = query.toString().replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%2F/g, "/");
  return path + (text ? `?${text}` : "");
}

// How many entries of the history are ours, so that "back" never leaves the pages.
let entries = 0;
function push(address) {
  entries++;
  history.pushState(null, "", address);
}

export function go(path, params) {
  push(href(path, params));
  arrived();
}

export function back(otherwise) {
  if (entries <= 0) return go(otherwise);
  setOut = performance.now();
  history.back();
}

/** Has the address read once more, when what it leads to is another page than before. */
export const lookAgain = () => arrived();

/** Changes parameters of this page; `replace` when going back to the state before would be of no use. */
export function amend(params, { replace = false } = {}) {
  const next = build(location.pathname, new URLSearchParams(location.search), params);
  if (next === location.pathname + location.search) return;
  if (replace) history.replaceState(null, "", next);
  else push(next);
  arrived();
}

/**
 * What puts the text of a filter into the address: a little after the last letter, or when the field is left, so that a
 * row which is chosen then stays chosen.
 */
export function filterToAddress() {
  const soon = settled((q) => amend({ q, row: null }, { replace: true }), 250);
  const typed = (q) => {
    soon(q);
    document.activeElement?.addEventListener("blur", soon.now, { once: true });
  };
  return Object.assign(typed, { cancel: soon.cancel });
}

export const param = (name, fallback = "") => place.query.get(name) ?? fallback;

export function startPlace() {
  addEventListener("popstate", () => {
    entries--;
    arrived();
  });
  document.addEventListener("click", (event) => {
    const link = /** @type {HTMLAnchorElement} */ (/** @type {HTMLElement} */ (event.target).closest?.("a[href]"));
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
    event.preventDefault();
    push(url.pathname + url.search);
    arrived();
    document.getElementById("main")?.scrollTo(0, 0);
  });
  read();
}
