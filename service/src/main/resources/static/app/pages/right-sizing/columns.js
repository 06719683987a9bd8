// The columns of the lists of right-sizing, tab by tab.
import { html, nothing } from "../../core/html.js";
import { NONE, short } from "../../core/format.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { strip } from "./evidence.js";
import { age, besideSize, decided, gb, givesBack, hours, worth } from "./words.js";

const has = (v) => v !== null && v !== undefined;
const most = (of) => (a, b) => (of(b) ?? -Infinity) - (of(a) ?? -Infinity);

/** What counts of the regret: of what is too small that of today. */
const regret = (r) => (r.kind === "too-small" ? r.regretNowHoursPerWeek : r.regretHoursPerWeek);

/** Orders; `usual` is that of the API. */
export const ORDERS = {
  usual: (a, b) => a.at - b.at,
  name: (a, b) => a.object.name.localeCompare(b.object.name),
  givesBack: most(worth),
  regret: most(regret),
  age: most((r) => r.ageDays),
  size: most((r) => r.givesBackDiskGb ?? r.now),
};

function fromTo(r) {
  const beside = besideSize(r);
  if (r.kind === "not-known")
    return html`${has(r.now) ? html`${short(r.now)} ${r.unit} ` : nothing}<span class="s12 m"
        >${r.resource ?? ""}</span
      >`;
  return html`${short(r.now)} <span class="m">to</span>
    <b class=${r.kind === "too-small" ? "warn" : ""}>${short(r.size)}</b> ${r.unit}${beside
      ? html` <span class="s12 m">${beside}</span>`
      : nothing}`;
}

function regretCell(r) {
  if (!has(regret(r))) return html`<span class="m">${NONE}</span>`;
  return r.kind === "too-small" ? html`${hours(regret(r))} <span class="m">now</span>` : hours(regret(r));
}

/** What was decided, or what can be; `acts` as in the page. */
function decisionCell(r, acts) {
  const { state } = r.decision;
  if (r.kind === "not-known") return html`<span class="m">${NONE}</span>`;
  if (state !== "open")
    return html`<span class=${state === "approved" ? "i2" : "m"} title=${r.decision.note ?? ""}>${decided(r)}</span>`;
  if (!acts.allowed) return html`<span class="m">open</span>`;
  return html`<button class="link" @click=${() => acts.approve([r])}>Approve</button>${r.kind === "too-small"
      ? nothing
      : html`<button class="link quiet" @click=${() => acts.ignore([r])}>Ignore</button>`}`;
}

const OBJECT = {
  list: "name",
  sort: true,
  width: 164,
  td: "strong",
  title: (r) => r.object.name,
  cell: (r) => html`<a href=${href(`/objects/${r.object.id}`)}>${r.object.name}</a>`,
};

export const COLUMNS = {
  name: { ...OBJECT, name: "VM" },
  datastore: { ...OBJECT, name: "Datastore" },
  fromTo: {
    list: "value",
    name: "From, to",
    width: 200,
    title: (r) => besideSize(r),
    cell: fromTo,
  },
  use: {
    name: "Use against size",
    hint: "bar p50 to p95, dark rule p99, petrol rule the new size",
    least: 100,
    cell: (r) => (r.kind === "not-known" ? html`<span class="s12 m" title=${r.reason}>${r.reason}</span>` : strip(r)),
  },
  regret: {
    name: "Regret a week",
    hint: "hours a week over the new size; now: at the size of today",
    sort: true,
    width: 104,
    cls: "r",
    cell: regretCell,
  },
  givesBack: {
    list: "what",
    name: "Gives back",
    sort: true,
    width: 252,
    title: (r) => givesBack(r),
    cell: (r) => givesBack(r),
  },
  reason: { name: "Why", least: 200, td: "i2", title: (r) => r.reason, cell: (r) => r.reason },
  thing: {
    list: "what",
    name: "Snapshot or file",
    least: 180,
    td: "i2",
    title: (r) => r.instance ?? "",
    cell: (r) => r.instance ?? NONE,
  },
  age: {
    name: "For",
    hint: "days off, old, or unchanged",
    sort: true,
    width: 96,
    cls: "r",
    cell: (r) => (has(r.ageDays) ? age(r.ageDays) : NONE),
  },
  size: {
    list: "value",
    name: "Takes",
    hint: "disk space",
    sort: true,
    width: 92,
    cls: "r",
    cell: (r) => gb(r.givesBackDiskGb ?? r.now),
  },
  owner: {
    name: "Owner",
    width: 110,
    cls: "prio-3",
    td: "m",
    title: (r) => r.owner ?? "",
    cell: (r) => r.owner ?? NONE,
  },
  found: { name: "Found", width: 116, cls: "r", td: "m", cell: (r) => moment(Date.parse(r.firstSeenAt)) },
  decision: {
    list: "long",
    name: "Decision",
    width: 164,
    cls: "r",
    td: "decision",
    title: (r) => decided(r),
    cell: decisionCell,
  },
};

/** What each tab shows first. */
export const USUAL = {
  size: ["name", "fromTo", "use", "regret", "decision"],
  idle: ["name", "reason", "givesBack", "decision"],
  "powered-off": ["name", "reason", "age", "size", "decision"],
  snapshot: ["name", "thing", "age", "size", "decision"],
  "orphaned-disk": ["datastore", "thing", "age", "size", "decision"],
};
