// Why a panel shows nothing: a dashed ring, one line, one sentence, one thing to do.
import { html, nothing } from "../core/html.js";
import { href } from "../core/url.js";
import { shape } from "../parts/shapes.js";

/** How the source of an answer is added, and what its kind is called in the list of sources. */
const SOURCES = {
  vcenter: { label: "Add a vCenter", href: "/sources?add=vcenter", kind: "vcenter" },
  telegraf: {
    label: "Send it by Telegraf",
    href: "/help/mappings?section=ready-configurations-of-telegraf",
    kind: "telegraf",
  },
  otlp: { label: "Send it by OpenTelemetry", href: "/help/otlp", kind: "opentelemetry" },
  flows: { label: "Send flows", href: "/help/flows", kind: "flow-exporter" },
};

/** Where a reason leads to, `{ label, href }`; null = nowhere. */
export function actionOf(/** @type {any} */ { reason, source, superMetric }) {
  const known = SOURCES[source];
  switch (reason) {
    case "no-kind":
    case "never-reported":
      return { label: known?.label ?? "Open the sources", href: known?.href ?? "/sources" };
    case "not-enabled":
      return { label: "Turn on", href: superMetric ? `/super-metrics/${superMetric}` : "/super-metrics" };
    case "stopped":
      return { label: "Open the source", href: known ? `/sources?q=kind:${known.kind}` : "/sources" };
    default:
      return null;
  }
}

const TITLES = {
  choose: "Choose an object",
  "no-kind": "No object of this kind is known",
  "no-match": "No object matches",
  "not-allowed": "Your role may not read it",
  "not-enabled": "The super metric is not enabled",
  "never-reported": "Nothing here has sent this yet",
  stopped: "It no longer reports",
};

/** Our own pages keep scope and range; elsewhere is elsewhere. */
function address(to) {
  const url = new URL(to.replace(/^#\/?/, "/"), location.origin);
  return url.origin === location.origin ? href(url.pathname, Object.fromEntries(url.searchParams)) : url.href;
}

/** `act` is what is done in place of a link, `{ label, run }`. */
export function emptyPanel(empty, act = null) {
  const action = actionOf(empty);
  const [before, after] =
    empty.key && empty.text?.includes(empty.key) ? split(empty.text, empty.key) : [empty.text, null];
  return html`<div class="empty-panel">
    ${shape("unknown", 16)}
    <div class="empty-why">
      <b>${empty.title ?? TITLES[empty.reason] ?? "Nothing to show"}</b>
      <p class="i2">${before}${after === null ? nothing : html`<code>${empty.key}</code>${after}`}</p>
    </div>
    ${act
      ? html`<button class="ctl low" @click=${act.run}>${act.label}</button>`
      : action
        ? html`<a class="ctl low" href=${address(action.href)}>${action.label}</a>`
        : nothing}
  </div>`;
}

function split(text, key) {
  const at = text.indexOf(key);
  return [text.slice(0, at), text.slice(at + key.length)];
}
