// What the list of super metrics can show of each.
import { html, nothing } from "../../core/html.js";
import { count, NONE } from "../../core/format.js";
import { DAY, clock, date, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { kindsText, millis, stateText, unitWord } from "./words.js";

export const isGone = (sm) => sm.state === "deleted";

const quiet = (text) => html`<span class="m">${text}</span>`;
const changed = (ms) => html`<span title=${moment(ms)}>${Date.now() - ms < DAY ? clock(ms) : date(ms)}</span>`;

/**
 * `page` knows how many others read each (`users`, null until that is loaded), and what can be done with a row (`act`).
 */
const state = (sm, page) => {
  const [words, why] = stateText(sm);
  return html`${words}${why ? quiet(`, ${why}`) : nothing}${page.act(sm)}`;
};

// `sort` marks what the page can sort by; without `width` columns share what room is left.
const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    td: "strong",
    title: (s) => s.description ?? s.name,
    cell: (s) => (isGone(s) ? html`<s>${s.name}</s>` : html`<a href=${href(`/super-metrics/${s.id}`)}>${s.name}</a>`),
  },
  kinds: {
    list: "what",
    name: "Assigned to",
    sort: true,
    width: 132,
    td: "i2",
    title: (s) => s.kinds.map((k) => `${k.adapterKind} ${k.objectKind}`).join(", "),
    cell: (s) => (s.kinds.length ? kindsText(s.kinds) : quiet("none")),
  },
  pack: { name: "Pack", sort: true, width: 132, cls: "prio-3", td: "m", cell: (s) => s.pack ?? "" },
  unit: { list: "value", name: "Unit", sort: true, width: 64, cls: "prio-3", td: "m", cell: (s) => unitWord(s.unitId) },
  state: {
    list: "long",
    name: "State",
    sort: true,
    width: 280,
    title: (s) => stateText(s).filter(Boolean).join(", "),
    cell: state,
  },
  users: {
    name: "Used by",
    hint: "how many other super metrics read it",
    width: 72,
    cls: "r prio-3",
    cell: (s, page) => (page.users === null ? "" : page.users.get(s.id) ? count(page.users.get(s.id)) : quiet("0")),
  },
  cost: {
    name: "Per tick",
    sort: true,
    width: 92,
    cls: "r prio-3",
    cell: (s) => (s.evaluation.tick ? millis(s.evaluation.tookMillis) : quiet(NONE)),
  },
  changed: {
    name: "Changed",
    sort: true,
    width: 104,
    cls: "r prio-3",
    td: "m",
    cell: (s) => changed(Date.parse(s.updatedAt)),
  },
  by: { name: "Changed by", width: 104, td: "m", cell: (s) => s.updatedBy },
  owner: { name: "Owner", width: 104, td: "m", cell: (s) => s.owner ?? "" },
  tags: { name: "Tags", width: 132, td: "m", title: (s) => s.tags.join(", "), cell: (s) => s.tags.join(", ") },
  interval: { name: "Interval", width: 72, cls: "r", cell: (s) => s.interval },
  formula: { name: "Formula", td: "mono", title: (s) => s.formula, cell: (s) => s.formula },
};
const USUAL = ["name", "kinds", "pack", "unit", "state", "users", "cost", "changed"];

const column = (id) => ({ id, ...COLUMNS[id] });

export const availableColumns = () => Object.keys(COLUMNS).map(column);

/** The columns to show: the chosen ones, else the usual ones. */
export const shownColumns = (chosen) => (chosen ?? USUAL).filter((id) => id in COLUMNS).map(column);
