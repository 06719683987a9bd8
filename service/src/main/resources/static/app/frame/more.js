// What small windows keep behind "More" and behind the three dots: a sheet of places, and one of what this page can do.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { activeKeys } from "../core/keys.js";
import { session, signOut } from "../core/session.js";
import { range, spanName, windowText } from "../core/time.js";
import { helpAddress, helpFor } from "../core/help.js";
import { href, place } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { icon } from "../parts/shapes.js";
import { showPalette } from "./palette.js";
import { PLACES } from "./places.js";
import { showRange } from "./rangepicker.js";
import { scopeName, showScope } from "./scope.js";

const BAR = ["/", "/alerts", "/outliers", "/top-talkers"];
/** Whether a place is one of those in the bar, and so nothing that one goes back from. */
export const isTop = (path) => BAR.includes(path);

const THEMES = { light: "dark", dark: "system", system: "light" };

/** The next theme: light, dark, as the system has it. */
export function nextTheme() {
  peerlensTheme.choice = THEMES[peerlensTheme.choice];
  redraw();
}

const line = (picture, words, note, run) =>
  html`<li>
    <button @click=${run}>
      ${picture ? icon(picture, 18) : nothing}<span>${words}</span><span class="sp"></span
      ><span class="m cut" title=${note}>${note}</span>
    </button>
  </li>`;
const then = (run) => () => (closeLayer(), run());

export const showPlaces = () => showLayer("dialog sheet", placesView, { label: "More" });

function helpLine() {
  const of = helpFor(place.path);
  return html`<li>
    <a href=${of ? helpAddress(of.page, of.section) : href("/help")} @click=${closeLayer}
      >${icon("help", 18)}<span>Help</span></a
    >
  </li>`;
}

const placesView = () =>
  html`<h2 class="title">More</h2>
    <ul class="menu sheet-list">
      ${line(
        "search",
        "Search",
        "",
        then(() => showPalette()),
      )}
      ${PLACES.flatMap((g) => g.items)
        .filter((p) => !BAR.includes(p.path))
        .map(
          (p) =>
            html`<li>
              <a href=${href(p.path)} @click=${closeLayer}>${icon(p.icon, 18)}<span>${p.name}</span></a>
            </li>`,
        )}
      <li>
        <a href=${href("/notifications", { tab: "silences" })} @click=${closeLayer}
          >${icon("notifications", 18)}<span>Silences</span></a
        >
      </li>
      ${helpLine()} ${line("theme", "Theme", peerlensTheme.choice, nextTheme)}
      ${session.info ? line("person", "Sign out", session.info.name, then(signOut)) : nothing}
    </ul>`;

// Keys that only move about in a list: there one taps.
const MOVES = /^(modal|Enter|Escape|Arrow|[JKX/]$)/;

/** What this page can do, by the keys it has: each of them is an act with words. */
export function showActions(timed) {
  const [page] = activeKeys().length > 1 ? activeKeys() : [[]];
  const acts = page.filter(([name, value]) => !MOVES.test(name) && value[1] && value[1] !== "Open it beside");
  const window = range();
  showLayer(
    "dialog sheet",
    () =>
      html`<h2 class="title">Actions</h2>
        <ul class="menu sheet-list">
          ${timed
            ? line("", "Range", window.relative ? spanName(window.relative) : windowText(window), showRange)
            : nothing}
          ${line("", "Scope", scopeName() ?? "Everything", showScope)}
          ${acts.map(([, [act, words]]) => line("", words, "", then(act)))}
        </ul>`,
    { label: "Actions" },
  );
}
