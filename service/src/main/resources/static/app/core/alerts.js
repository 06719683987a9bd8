// Alerts as they change: one stream of events for the whole application, and how many are open. When the stream breaks,
// a poll takes its place until it is back.
import { redraw } from "./bus.js";
import { get } from "./api.js";
import { session } from "./session.js";
import { summary } from "./status.js";

const LEAST = 1000;
const POLL = 15_000;
const RETRY = 30_000;
const ICONS = ["/app/mark.svg", "/app/mark-open.svg"];

const PAGE = 1000;
const AGAIN = 200;
/** As many alerts as one list holds; beyond that a filter has to help. */
export const MOST_ALERTS = 10_000;

let reading = 0;

/** What counts as open: neither suspended nor in maintenance. */
export const OPEN = ["open", "acknowledged"];
export const ASIDE = ["suspended", "suppressed"];

/** All alerts of a query, worst first, up to `MOST_ALERTS`: `{ items, total }`. */
export async function readAlerts(query, signal) {
  const items = [];
  let page = { nextCursor: null, total: 0 };
  reading++;
  try {
    do {
      page = await get("/alerts", { limit: PAGE, ...query, cursor: page.nextCursor }, signal);
      items.push(...page.items);
    } while (page.nextCursor && items.length < MOST_ALERTS && !query.limit);
  } finally {
    reading--;
  }
  return { items, total: page.total };
}

export const stream = { live: false };

let version = 0;
let asked = false;
/** @type {(value?: unknown) => void} */
let heard = () => {};
let source = null;
let pending = false;
let last = 0;
let retry;

/**
 * Grows at most once a second while alerts or outlier events change: what was read under an older number is read again.
 */
export const alertVersion = () => version;

/**
 * Something has changed: reads again at once when nothing was read within the last second, else when that is over;
 * never before what is being read is there, since a long list would else be begun again and again.
 */
export function alertsChanged() {
  if (pending) return;
  pending = true;
  // A server that takes long to answer is not asked more often for it.
  const least = Math.max(LEAST, 3 * summary.took);
  const change = () => {
    if (reading) return void setTimeout(change, AGAIN);
    pending = false;
    last = performance.now();
    version++;
    wantSummary();
    redraw();
  };
  setTimeout(change, Math.max(0, last + least - performance.now()));
}

function listen() {
  clearTimeout(retry);
  if (source || document.visibilityState !== "visible" || !session.info) return;
  source = new EventSource("/api/v1/alerts/events");
  source.onopen = () => {
    // What happened while nobody listened is read.
    if (!stream.live && asked) alertsChanged();
    stream.live = true;
    heard();
  };
  source.addEventListener("alert", alertsChanged);
  source.addEventListener("outlier", alertsChanged);
  source.addEventListener("reset", alertsChanged);
  source.onerror = () => {
    stream.live = false;
    heard();
    if (source?.readyState !== EventSource.CLOSED) return;
    hush();
    retry = setTimeout(listen, RETRY);
  };
}

/** A window that nobody sees holds no connection: browsers have few of them for one server. */
function hush() {
  source?.close();
  source = null;
  stream.live = false;
}

function wantSummary() {
  asked = true;
  summary.want(version);
}

/**
 * Begins to listen. What is read after the promise is kept need not be read again when the stream opens; it is kept
 * after a second at the latest.
 */
export function startAlerts() {
  const listening = new Promise((resolve) => {
    heard = resolve;
    setTimeout(resolve, LEAST);
  }).then(wantSummary);
  listen();
  if (!source) heard();
  document.addEventListener("visibilitychange", () => (document.visibilityState === "visible" ? listen() : hush()));
  setInterval(() => {
    if (document.visibilityState !== "visible" || !session.info) return;
    if (!source) listen();
    if (!stream.live) alertsChanged();
  }, POLL);
  return listening;
}

/** How many alerts are open; null while that is not known. */
export const openTotal = () => summary.data?.openAlerts.reduce((n, { count }) => n + count, 0) ?? null;

let shown = 0;
/** The mark in the browser's tab is warm only while something is open. */
export function markTab() {
  const now = openTotal() ? 1 : 0;
  if (now === shown) return;
  shown = now;
  /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]")).href = ICONS[now];
}
