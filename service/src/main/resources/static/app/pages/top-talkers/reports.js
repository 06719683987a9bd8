// Saved reports of top talkers: what each asks, when it is sent, and what its limit says.
import { html } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { byName, reportList } from "../shared/report-list.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { at, queryWords, shareWords } from "./report-words.js";

const stamp = (name) => (a, b) => (a[name] ?? "").localeCompare(b[name] ?? "");
const ORDERS = {
  name: byName,
  next: stamp("nextAt"),
  last: stamp("lastAt"),
  share: (a, b) => (a.shareAbove ?? 2) - (b.shareAbove ?? 2),
};

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    col: "w-name",
    least: 160,
    td: "strong",
    title: (r) => r.description ?? r.name,
    cell: (r) => html`<a href=${href(`/top-talkers/reports/${r.id}`)}>${r.name}</a>`,
  },
  question: {
    list: "what",
    name: "Question",
    least: 220,
    title: (r) => queryWords(r.query),
    cell: (r) => queryWords(r.query),
  },
  schedule: {
    name: "Sent",
    width: 216,
    td: "i2",
    title: (r) => scheduleWords(r.schedule),
    cell: (r) => scheduleWords(r.schedule),
  },
  targets: {
    name: "To",
    width: 90,
    cls: "prio-3",
    td: "m",
    cell: (r) => (r.targets?.length ? plural(r.targets.length, "target") : "nobody"),
  },
  share: {
    name: "Share limit",
    sort: true,
    width: 112,
    cell: (r) => html`<span class=${r.shareAbove ? "" : "m"}>${shareWords(r.shareAbove)}</span>`,
  },
  next: { list: "long", name: "Next", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.nextAt) },
  last: { name: "Last", sort: true, width: 116, cls: "r prio-3", td: "m", cell: (r) => at(r.lastAt) },
  by: { name: "Changed by", width: 104, td: "m", cell: (r) => r.updatedBy },
  changed: { name: "Changed", width: 116, cls: "r", td: "m", cell: (r) => at(r.updatedAt) },
};

export const page = () =>
  reportList({
    title: "Reports of top talkers",
    asked: "/talker-reports",
    address: "/top-talkers/reports",
    above: ["/top-talkers", "Top talkers"],
    kept: "talker-reports",
    definitions: COLUMNS,
    usual: ["name", "question", "schedule", "targets", "share", "next", "last"],
    orders: ORDERS,
    text: (r) => `${r.name} ${r.description ?? ""} ${queryWords(r.query)}`,
    placeholder: "name, what it asks",
    mark: (r) =>
      shape(r.schedule || r.shareAbove ? "info" : "alike", 12, r.schedule || r.shareAbove ? "at work" : "kept only"),
    none: (button) =>
      html`<section class="pane words">
        <p class="say">
          <b>No report is saved yet.</b> A report keeps a question of top talkers. With a schedule its answer is sent to
          notification targets; with a limit of share it raises an alert while one talker has more than that of the
          whole.
        </p>
        <p class="say row">
          <a class="ctl primary" href=${href("/top-talkers")}>Ask something first</a>
          ${button("ctl")}
        </p>
      </section>`,
  });
