// Reports: dashboards and views that are answered by a schedule, kept and sent.
import { html } from "../../core/html.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { readPages } from "../../core/outliers.js";
import { lastTick, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { byName, reportList } from "../shared/report-list.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { readSources } from "./sources.js";
import { deadOf, outcome, outcomeShape, questionWords } from "./words.js";

const ORDERS = {
  name: byName,
  next: (a, b) => (a.nextAt ?? "9").localeCompare(b.nextAt ?? "9"),
  changed: (a, b) => a.updatedAt.localeCompare(b.updatedAt),
};
const at = (iso) => (iso ? moment(Date.parse(iso)) : "-");

const COLUMNS = {
  name: {
    list: "name",
    name: "Name",
    sort: true,
    col: "w-name",
    least: 160,
    td: "strong",
    title: (r) => r.description || r.name,
    cell: (r) => html`<a href=${href(`/reports/${r.id}`)}>${r.name}</a>`,
  },
  shows: {
    list: "what",
    name: "Shows",
    least: 180,
    title: (r, more) => more.shows(r),
    cell: (r, more) => more.shows(r),
  },
  schedule: {
    name: "Runs",
    width: 226,
    td: "i2",
    title: (r) => scheduleWords(r.schedule, "when somebody runs it"),
    cell: (r) => scheduleWords(r.schedule, "when somebody runs it"),
  },
  targets: {
    name: "To",
    width: 140,
    cls: "prio-3",
    td: "m",
    title: (r, more) => more.targets(r),
    cell: (r, more) => more.targets(r),
  },
  next: { list: "long", name: "Next", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.nextAt) },
  last: {
    list: "value",
    name: "Last run",
    hint: "when it was due, and how it went",
    width: 232,
    title: (r, more) => more.last(r)?.words ?? "",
    cell: (r, more) => more.last(r)?.view ?? "",
  },
  owner: { name: "Reads as", width: 104, td: "m", title: (r) => r.owner, cell: (r) => r.owner },
  by: { name: "Changed by", width: 104, td: "m", title: (r) => r.updatedBy, cell: (r) => r.updatedBy },
  changed: { name: "Changed", sort: true, width: 116, cls: "r", td: "m", cell: (r) => at(r.updatedAt) },
};

export function page() {
  const sources = new Load((signal) => readSources(signal));
  const targets = new Load((signal) => readPages("/notification-targets", {}, signal));
  const lost = new Load((_tick, signal) => get("/deliveries", { event: "REPORT", state: "dead", limit: 100 }, signal));

  /** "dashboard Cluster capacity, one for each cluster". */
  function shows(r) {
    if (r.loadProfile) return `load profile of ${questionWords(r.loadProfile)}`;
    const what = r.view ? "view" : "dashboard";
    const id = r.view ?? r.dashboard;
    const name = sources.data ? (sources.data.find((s) => s.id === id)?.name ?? "that is gone or private") : "";
    return `${what} ${name}${r.each ? `, one for each ${r.each}` : ""}`;
  }

  function names(r) {
    if (!r.targets?.length) return "nobody";
    return r.targets.map((id) => targets.data?.items.find((t) => t.id === id)?.name ?? "\u2026").join(", ");
  }

  /** The newest run of a report; null where there is none. */
  function last(r) {
    const run = r.lastRun;
    if (!run) return null;
    const dead = deadOf(lost.data);
    const words = `, ${outcome(run, dead).words}`;
    const text = `${at(run.dueAt)}${words}`;
    return {
      words: [text, run.reason].filter(Boolean).join(": "),
      view: html`${outcomeShape(run, dead)} ${at(run.dueAt)}<span class="went">${words}</span>`,
    };
  }

  return reportList({
    title: "Reports",
    asked: "/reports",
    address: "/reports",
    above: ["/dashboards", "Dashboards"],
    kept: "reports",
    definitions: COLUMNS,
    usual: ["name", "shows", "schedule", "targets", "next", "last"],
    orders: ORDERS,
    text: (r) => `${r.name} ${r.description ?? ""} ${shows(r)}`,
    known: () => sources.data,
    placeholder: "name, what it shows",
    mark: (r) => shape(r.schedule ? "info" : "alike", 12, r.schedule ? "runs by itself" : "runs when somebody asks"),
    none: (button) =>
      html`<section class="pane words">
        <p class="say">
          <b>There is no report yet.</b> A report shows a dashboard or a view, one part for each cluster if you like. It
          runs when you want it to, every Monday at 07:00 or whenever you ask. Each run is kept with its data and can go
          out as mail with pictures, PDF and CSV, or to a web hook.
        </p>
        <p class="say row wrap">
          ${button("ctl primary")}
          <a class="ctl" href=${href("/dashboards")}>Begin at a dashboard</a>
          <span class="m s12">its menu has "Send as a report"</span>
        </p>
      </section>`,
    more: { shows, targets: names, last },
    update() {
      lost.want(lastTick());
      sources.want();
      targets.want();
    },
  });
}
