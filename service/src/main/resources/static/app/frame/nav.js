// The rail: places, and at its foot the age of the data, the rate, the lag and who is signed in.
import { html, nothing } from "../core/html.js";
import { openTotal } from "../core/alerts.js";
import { count, NONE, plural } from "../core/format.js";
import { openEventTotal } from "../core/outliers.js";
import { stoppedSources } from "../core/sources.js";
import { dataAge, isStale, summary } from "../core/status.js";
import { ticking } from "../core/ticking.js";
import { duration, moment } from "../core/time.js";
import { session, signOut } from "../core/session.js";
import { href, place } from "../core/url.js";
import { icon, mark, shape } from "../parts/shapes.js";
import { spark } from "../parts/small.js";
import { narrow } from "../core/screen.js";
import { showPlaces } from "./more.js";
import { allPlaces, PLACES } from "./places.js";

/** Pages that a place leads to, whose addresses begin otherwise. */
const BELOW = { "/alerts": "/incidents/", "/dashboards": "/reports" };

const within = (path) =>
  path === "/" ? place.path === "/" : [path, BELOW[path]].some((one) => one && place.path.startsWith(one));
const here = (path) => within(path) || (path === "/explorer" && place.path.startsWith("/objects/"));

/** A dashed ring behind Sources while one has stopped. */
function stoppedAt() {
  const n = stoppedSources();
  return n
    ? html`<span class="n" title=${`${plural(n, "source")} stopped`}
        >${shape("unknown", 11, `${plural(n, "source")} stopped`)}</span
      >`
    : nothing;
}

/** How many are open, behind the places that carry a number; warm for outliers. */
function openAt(path) {
  if (path === "/sources") return stoppedAt();
  const n = path === "/alerts" ? openTotal() : path === "/outliers" ? openEventTotal() : null;
  return n
    ? html`<b class="n ${path === "/outliers" ? "hot" : ""}" title=${`${count(n)} open`}
        >${n < 10_000 ? count(n) : "9999+"}</b
      >`
    : nothing;
}

const item = ({ path, name, icon: picture }) =>
  html`<a href=${href(path)} aria-current=${here(path) ? "page" : nothing} title=${name}
    >${icon(picture)}<span>${name}</span>${openAt(path)}</a
  >`;

// The place one came from: an object opened from an alert stays under Alerts.
let from = "/";
const BAR = [
  ["/", "Overview"],
  ["/alerts", "Alerts"],
  ["/outliers", "Outliers"],
  ["/top-talkers", "Talkers"],
];

/** On small windows: a bar of five. */
function bar() {
  const now = BAR.find(([path]) => within(path))?.[0];
  if (now) from = now;
  else if (!place.path.startsWith("/objects/")) from = "more";
  return html`<nav aria-label="Places" class="places">
    ${BAR.map(
      ([path, name]) =>
        html`<a href=${href(path)} aria-current=${from === path ? "page" : nothing}
          >${icon(allPlaces().find((p) => p.path === path).icon, 20)}${openAt(path)}<span>${name}</span></a
        >`,
    )}
    <button aria-haspopup="dialog" aria-current=${from === "more" ? "page" : nothing} @click=${showPlaces}>
      ${icon("more", 20)}<span>More</span>
    </button>
  </nav>`;
}

export const nav = () => (narrow() ? bar() : rail());

const rail = () =>
  html`<nav aria-label="Places">
    <a class="brand" href=${href("/")} aria-label="Peerlens, Overview">${mark(openTotal() > 0)}<span>peerlens</span></a>
    ${PLACES.map(
      (g) =>
        html`<div class="grp">${g.group}</div>
          ${g.items.map(item)}`,
    )}
    ${foot()}
  </nav>`;

function foot() {
  const status = summary.data;
  const totals = status?.ingest;
  const age = dataAge();
  const newest = totals?.newestSampleAt ? Date.parse(totals.newestSampleAt) : null;
  return html`<div class="foot">
    <a href=${href("/ingest")} class="foot-data" title="Open Ingest">
      <span class="split"
        ><span>Data</span>${age === null
          ? html`<b>${status ? "none yet" : NONE}</b>`
          : isStale()
            ? html`<b class="warn">${shape("unknown", 11)} last ${moment(newest)}</b>`
            : html`<b>${ticking(() => `${duration(dataAge())} old`)}</b>`}</span
      >
      ${spark(status?.history.pointsPerSecond ?? [], { width: 142, height: 18, colour: "--accent", dot: false })}
      <span class="split"
        ><span>${totals ? `${count(totals.pointsPerSecond)} points/s` : NONE}</span
        ><span>lag ${totals?.lag === null || !totals ? NONE : count(totals.lag)}</span></span
      >
    </a>
    <span class="split who">
      <b class="cut" title=${session.info?.name ?? ""}>${session.info?.name ?? "not signed in"}</b>
      ${session.info
        ? html`<span>${session.info.role}</span
            ><button class="link quiet" @click=${signOut} title="Sign out">Sign out</button>`
        : nothing}
    </span>
  </div>`;
}
