// The page of one object: what it is, what it belongs to, what changed, and its metrics on one cursor.
import { html, nothing, ref, repeat } from "../../core/html.js";
import { get } from "../../core/api.js";
import { removedWords, seenFrom } from "../../core/changes.js";
import { Health } from "../../core/health.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { kindWord } from "../../core/metrics.js";
import { keep, kept } from "../../core/store.js";
import { ticking } from "../../core/ticking.js";
import { duration, HOUR, moment, range, setAbsolute } from "../../core/time.js";
import { amend, back, go, href, param, place } from "../../core/url.js";
import { cursor } from "../../chart/cursor.js";
import { showPalette } from "../../frame/palette.js";
import { auditPane } from "../../parts/audit.js";
import { copy, notice } from "../../parts/notice.js";
import { Near } from "../../parts/near.js";
import { failure } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { ObjectAlerts } from "./alerts.js";
import { ObjectAnomalies } from "./anomalies.js";
import { recordChange } from "./change.js";
import { chartGrid, COMPARED, legend, ObjectSeries } from "./charts.js";
import { ObjectDashboards } from "./dashboards.js";
import { ObjectFlows } from "./flows.js";
import { ObjectForecast } from "./forecast.js";
import { lanes } from "./lane.js";
import { ObjectPeers } from "./peers.js";
import { showMetricPicker } from "./picker.js";
import { propertiesPane, relationsPane } from "./side.js";
import { carriers, Verdict } from "../shared/verdict.js";
import { canAsk } from "../why-slow/words.js";

export function page(id) {
  const object = new Load((_tick, signal) => get(`/objects/${id}`, {}, signal));
  const ancestors = new Load((signal) => get(`/objects/${id}/ancestors`, {}, signal));
  const metrics = new Load((signal) => get(`/objects/${id}/metrics`, {}, signal));
  const parents = new Load((_tick, signal) => get(`/objects/${id}/parents`, {}, signal));
  const children = new Load((_tick, signal) => get(`/objects/${id}/children`, { limit: 500 }, signal));
  const changes = new Load((from, to, signal) => get(`/objects/${id}/changes`, { from, to, limit: 200 }, signal));
  const told = memo((page, name) => page && { ...page, items: seenFrom(page.items, id, name) });
  const history = {
    get data() {
      return told(changes.data, object.data?.name);
    },
    get error() {
      return changes.error;
    },
  };
  const series = new ObjectSeries(id);
  const findings = new ObjectAlerts(id);
  const peers = new ObjectPeers(id);
  const near = new Health();
  const flows = new ObjectFlows(id);
  const forecast = new ObjectForecast(id);
  const anomalies = new ObjectAnomalies(id);
  const verdict = new Verdict(id);
  const dashboards = new ObjectDashboards(id);
  // Traffic stands below the charts, the audit log below the relations.
  const below = new Near();
  const beside = new Near();

  const compared = () =>
    param("vs")
      .split(",")
      .filter(Boolean)
      .slice(0, COMPARED - 1);
  /** Lines behind its own: of its peers where it has any, unless somebody chose. */
  const mode = () => {
    const chosen = param("mode", kept("objectMode", "peers"));
    return chosen === "peers" && peers.groups.data && !peers.any ? "siblings" : chosen;
  };
  const keys = () => series.keys(metrics.data?.items, object.data?.objectKind, place.query.getAll("m"));

  function update() {
    const { from, to } = range();
    object.want(to);
    ancestors.want();
    metrics.want();
    parents.want(to);
    children.want(to);
    changes.want(Math.floor(from), Math.floor(to));
    anomalies.want(Math.floor(from), Math.ceil(to));
    forecast.want(Math.floor(Date.now() / HOUR));
    read();
  }

  /** The series wait for the metric keys; called again by `view` when those are there. */
  function read() {
    const { from, to } = range();
    findings.want(object.data, Math.floor(from), Math.ceil(to), Math.floor(to / 300_000));
    peers.want(Math.floor(from), Math.ceil(to), Math.floor(to / 300_000));
    if (parents.data && children.data) near.want([...parents.data.items, ...children.data.items].map((o) => o.id));
    if (findings.alerts.data) verdict.want(findings.alerts.data.items);
    if (below.seen) flows.want(Math.floor(from), Math.floor(to));
    if (!metrics.data || !object.data) return;
    series.want({
      keys: keys(),
      items: metrics.data.items,
      compared: compared(),
      behind: mode(),
      kind: object.data.objectKind,
      parents: parents.data?.items,
      peers,
    });
  }

  function setKeys(list) {
    series.choose(object.data.objectKind, list);
    amend({ m: list ?? [] }, { replace: true });
  }

  const compare = () => {
    if (compared().length >= COMPARED - 1)
      return notice(`At most ${COMPARED} objects compare at once; remove one first.`);
    showPalette({
      label: "Compare with",
      choose: (o) => o.id !== id && amend({ vs: [...new Set([...compared(), o.id])].join(",") }),
    });
  };
  const add = () => metrics.data && showMetricPicker(metrics.data.items, keys, setKeys);
  const link = () => {
    const { from, to, live } = range();
    const fixed =
      live && cursor.pinned ? { range: null, from: new Date(from).toISOString(), to: new Date(to).toISOString() } : {};
    const own = ["vs", "mode", "pin"].filter((k) => param(k)).map((k) => [k, param(k)]);
    copy(
      location.origin + href(`/objects/${id}`, { ...Object.fromEntries(own), m: keys(), ...fixed }),
      "Link copied; it shows this view",
    );
  };
  const record = () => object.data && recordChange(object.data, cursor.at ?? Date.now(), () => changes.again());
  /** Why it is slow: at the moment that is pinned, else at the end of the range. */
  const why = () => ({ object: id, at: cursor.pinned ? new Date(Math.round(cursor.at)).toISOString() : null });
  const setMode = (value) => {
    keep("objectMode", value);
    amend({ mode: value }, { replace: true });
  };

  return {
    get title() {
      return object.data?.name ?? "Object";
    },
    name: "object",
    update,
    escape: () => back("/explorer"),
    keys: () => ({
      V: [compare, "Compare with another object"],
      M: [add, "Add a metric"],
      N: [record, "Record a change"],
      ...(canAsk(object.data) ? { S: [() => go("/why-slow", why()), "Why is it slow?"] } : {}),
      Y: [link, "Copy a link to this view"],
    }),
    view() {
      if (object.error && !object.data)
        return html`<div class="tb">
            <h1>No object to show</h1>
          </div>
          <section class="pane">${failure(object.error, () => object.again())}</section>`;
      const o = object.data;
      read();
      return html`<div class="tb">
          <h1 class="cut">${o?.name ?? "\u00a0"}</h1>
          ${o
            ? html`<span class="m cut where">${kindWord(o.objectKind)}${crumbs(o, ancestors.data?.items)}</span
                >${findings.badges(o)}${stateWords(o)}`
            : nothing}
          <span class="sp"></span>
          ${o && range().live && findings.alerts.data && parents.data && children.data
            ? verdict.view(o, findings.alerts.data.items, carriers(parents.data.items, children.data.items), near)
            : nothing}
          ${compared().length
            ? nothing
            : segments(
                mode(),
                [
                  ...(peers.any ? [["peers", "With peers"]] : []),
                  ["siblings", "With siblings"],
                  ["own", "Own band"],
                  ["plain", "Plain"],
                ],
                setMode,
                "Lines drawn behind",
              )}
          ${o?.objectKind === "BenchmarkRun"
            ? html`<a class="ctl" href=${href(`/benchmark-runs/${id}`)}>Open the run</a>`
            : nothing}
          ${canAsk(o) ? html`<a class="ctl" href=${href("/why-slow", why())}>Why slow? <kbd>S</kbd></a>` : nothing}
          <button class="ctl" @click=${compare}>Compare… <kbd>V</kbd></button>
          <button class="ctl" ?disabled=${!metrics.data} @click=${add}>Add metric <kbd>M</kbd></button>
          <button class="ctl" @click=${link}>Copy link <kbd>Y</kbd></button>
        </div>
        <div class="cols">
          <div class="side">
            ${propertiesPane(object, metrics, history)} ${anomalies.view(metrics.data?.items)} ${forecast.view()}
            ${relationsPane(id, parents, children, near, peers)} ${dashboards.view(o)}
            <div ${o && metrics.data && children.data ? ref(beside.watch) : nothing}>
              ${beside.seen && changes.data ? auditPane(id, changes.data.items.length) : nothing}
            </div>
          </div>
          <div>
            ${lanes(findings.alerts, history, { beside: peers.bars(), record, scores: anomalies.scores })}
            ${legend(o, series, compared(), (gone) =>
              amend({
                vs: compared()
                  .filter((c) => c !== gone)
                  .join(","),
              }),
            )}
            ${o && metrics.data ? empty(o, series) : nothing}
            ${metrics.data
              ? chartGrid({ series, keys: keys(), object: o, flags: history.data, setKeys, findings })
              : metrics.error
                ? html`<section class="pane">${failure(metrics.error, () => metrics.again())}</section>`
                : html`<div class="charts" aria-busy="true">
                    ${Array.from({ length: 9 }, () => html`<section class="pane"></section>`)}
                  </div>`}
            <div ${o && metrics.data && children.data ? ref(below.watch) : nothing}>
              ${o ? flows.view(o, range().from, range().to) : nothing}
            </div>
          </div>
        </div>`;
    },
  };
}

function crumbs(o, ancestors) {
  if (!o.path?.length) return nothing;
  const step = (name) => {
    const found = ancestors?.find((a) => a.object.name === name);
    return found ? html`<a href=${href(`/objects/${found.object.id}`)}>${name}</a>` : name;
  };
  return html` in
  ${repeat(
    o.path,
    (_, i) => i,
    (name, i) => html`${i ? " / " : ""}${step(name)}`,
  )}`;
}

const stateWords = (o) =>
  o.state === "removed"
    ? html`<span class="row nw">${shape("unknown", 12)} ${removedWords(o)} at ${moment(Date.parse(o.removedAt))}</span>`
    : o.state === "silent"
      ? html`<span class="row nw"
          >${shape("unknown", 12)} silent for ${ticking(() => duration(Date.now() - Date.parse(o.lastSeen)))}, last
          sample ${moment(Date.parse(o.lastSeen))}</span
        >`
      : nothing;

/** When the window holds nothing at all: where the data is, and a way there. */
function empty(o, series) {
  if (!series.isEmpty()) return nothing;
  const last = Date.parse(o.lastSeen);
  const length = range().to - range().from;
  const there = last < range().from || last > range().to;
  return html`<p class="say pad">
    No data of ${o.name} in this range. Its samples lie between ${moment(Date.parse(o.firstSeen))} and ${moment(last)}.
    ${there
      ? html`<button class="link" @click=${() => setAbsolute(last - Math.max(length, HOUR) + 60_000, last + 60_000)}>
          Show the newest
        </button>`
      : nothing}
  </p>`;
}
