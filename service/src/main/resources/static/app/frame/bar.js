// The bar: scope first, search, and at the end the range of the page.
import { html, nothing } from "../core/html.js";
import { range, pause, resume, shift, spanName, windowText, zone, clock, MINUTE } from "../core/time.js";
import { icon } from "../parts/shapes.js";
import { showHelp } from "./help.js";
import { showPalette } from "./palette.js";
import { showRange } from "./rangepicker.js";
import { clearScope, scopeName, showScope } from "./scope.js";
import { narrow } from "../core/screen.js";
import { openTotal } from "../core/alerts.js";
import { back, href, place } from "../core/url.js";
import { mark } from "../parts/shapes.js";
import { isTop, nextTheme, showActions } from "./more.js";
import { cursor } from "../chart/cursor.js";

const toggleLive = () => (range().live ? pause() : resume());

/** On small windows: the way back, the short name of the page, search, and what it can do. */
const smallBar = ({ timed, title }) =>
  html`<header class="bar">
    ${place.path === "/"
      ? html`<a class="brand" href=${href("/")} aria-label="Peerlens, Overview"
          >${mark(openTotal() > 0)}<span>peerlens</span></a
        >`
      : html`${isTop(place.path)
            ? nothing
            : html`<button
                class="icon"
                aria-label="Back"
                @click=${() => back(place.path.replace(/\/[^/]*$/, "") || "/")}
              >
                ${icon("left", 20)}
              </button>`}<span class="bar-title cut" title=${title}>${title}</span>`}
    <span class="sp"></span>
    <button class="icon" aria-label="Search" @click=${() => showPalette()}>${icon("search", 18)}</button>
    <button
      class="icon ${scopeName() ? "dot" : ""}"
      aria-haspopup="dialog"
      aria-label=${scopeName() ? `Actions; the scope is ${scopeName()}` : "Actions"}
      @click=${() => showActions(timed)}
    >
      ${icon("dots", 18)}
    </button>
  </header>`;

export function bar({ timed, title }) {
  if (narrow()) return smallBar({ timed, title });
  const window = range();
  const scope = scopeName();
  return html`<header class="bar">
    <button class="ctl" id="scope" aria-haspopup="dialog" @click=${showScope} title="Scope (P)">
      <span class="k">Scope</span><span class="cut">${scope ?? "Everything"}</span>${icon("caret", 13)}
    </button>
    ${scope
      ? html`<button class="icon" title="Back to everything" aria-label="Drop the scope" @click=${clearScope}>
          ${icon("close", 13)}
        </button>`
      : nothing}
    <button class="ctl find" @click=${() => showPalette()}>
      ${icon("search", 14)}<span class="cut" title="Go to an object, a page or an action"
        >Go to an object, a page or an action</span
      ><span class="sp"></span><kbd>Ctrl K</kbd>
    </button>
    <span class="sp"></span>
    ${timed ? rangeControls(window) : nothing}
    <button
      class="ctl ghost theme"
      title=${`Theme: ${peerlensTheme.choice} (D)`}
      aria-label=${`Theme: ${peerlensTheme.choice}`}
      @click=${nextTheme}
    >
      ${icon("theme", 15)}
    </button>
    <button class="ctl ghost" title="Keys and help (?)" aria-label="Keys and help" @click=${showHelp}>
      <kbd>?</kbd>
    </button>
  </header>`;
}

function rangeControls(window) {
  const live = window.live && !cursor.pinned;
  const name = window.relative ? spanName(window.relative) : windowText(window);
  const end = window.to >= Date.now() - MINUTE;
  return html`<button
      class="live"
      aria-pressed=${window.live}
      @click=${toggleLive}
      title=${window.live ? "Pause (L)" : "Back to live (L)"}
    >
      <i class=${live ? "" : "off"}></i
      ><span
        >${live
          ? "Live, every 60 s"
          : cursor.pinned
            ? `Pinned at ${clock(cursor.at)}`
            : `Paused at ${clock(window.to)}`}</span
      >
    </button>
    <button class="icon" aria-label="One window earlier" title="Earlier ([)" @click=${() => shift(-1)}>
      ${icon("left", 14)}
    </button>
    <button class="ctl" id="range" aria-haspopup="dialog" title="Range (R)" @click=${showRange}>
      <span>${name}</span>${window.relative
        ? html`<span class="k window">${windowText(window)} ${zone()}</span>`
        : html`<span class="k window">${zone()}</span>`}${icon("caret", 13)}
    </button>
    <button class="icon" aria-label="One window later" title="Later (])" ?disabled=${end} @click=${() => shift(1)}>
      ${icon("right", 14)}
    </button>`;
}

/** Keys of the frame, in every page. */
export const frameKeys = (goTo) => ({
  "Ctrl K": [() => showPalette(), "Search objects, pages and actions"],
  "?": [showHelp, "Keys and help"],
  P: [showScope, "Scope"],
  R: [showRange, "Range"],
  L: [toggleLive, "Live or paused"],
  "[": [() => shift(-1), "One window earlier"],
  "]": [() => range().to < Date.now() - MINUTE && shift(1), "One window later"],
  D: [nextTheme, "Theme"],
  ...goTo,
});
