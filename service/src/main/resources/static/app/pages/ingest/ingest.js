// Ingest: how much comes in, how far behind it is, what was rejected and why, and the long work of the store.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { bytes, count, NONE, number, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { dataAge, totals } from "../../core/status.js";
import { ticking } from "../../core/ticking.js";
import { duration, lastTick } from "../../core/time.js";
import { loaded, pane } from "../../parts/pane.js";
import { chip, bar } from "../../parts/small.js";
import { shape } from "../../parts/shapes.js";
import { lagLine, minuteChart } from "./charts.js";
import { ingest, wantIngest } from "./status.js";
import { eventsPane, hasEvents } from "./events.js";
import { flowFigures, flowRates, hasFlows, observers } from "./flows.js";
import { DeadLetters } from "./letters.js";
import { jobsPane } from "./jobs.js";
import "../../chart/series-chart.js";

export function page() {
  const letters = new DeadLetters();
  const mappings = new Load((_tick, signal) => get("/ingest/mappings", {}, signal));
  return {
    title: "Ingest",
    name: "ingest",
    update() {
      letters.update();
      mappings.want(lastTick());
    },
    keys: () => ({ J: [() => letters.step(1), "Next dead letter"], K: [() => letters.step(-1), "Dead letter before"] }),
    view: () => (
      wantIngest(),
      html`<div class="top">
          <h1 class="lead">
            ${ingest.data && totals() ? ticking(() => sentence(ingest.data.nodes, totals())) : "\u00a0"}
          </h1>
        </div>
        <div class="cols">
          <div class="col">
            ${rates()} ${hasFlows() ? flowRates() : nothing} ${letters.reasonsPane()} ${letters.listPane()}
          </div>
          <div class="col">
            ${freshness()} ${partitions()} ${hasFlows() ? html`${flowFigures()} ${observers()}` : nothing}
            ${hasEvents() ? eventsPane() : nothing} ${guards()} ${jobsPane()} ${mappingsPane(mappings)}
          </div>
        </div>`
    ),
  };
}

/** The figures are those at the foot of the navigation. */
function sentence(nodes, { pointsPerSecond, lag, rejectedLastHour }) {
  const age = dataAge();
  if (age === null)
    return hasFlows()
      ? `${count(ingest.data.flows.flowsPerSecond)} flow records/s, no metrics yet.`
      : "Nothing has been ingested yet.";
  const from = nodes.length > 1 ? ` on ${nodes.length} nodes` : "";
  const rejected = rejectedLastHour
    ? `${plural(rejectedLastHour, "line")} rejected in the last hour`
    : "nothing rejected in the last hour";
  return `${count(pointsPerSecond)} points/s${from}, newest sample ${duration(age)} old, ${lagLine(lag)}, ${rejected}.`;
}

function rates() {
  return pane({
    title: "Rates",
    note: "last hour, by minute",
    end: html`<span class="m s12"
      >${ingest.data?.nodes.map((n) => `${n.node} ${count(n.pointsPerSecond)}/s`).join(", ") ?? nothing}</span
    >`,
    body: loaded(
      ingest,
      ({ history, batches }) =>
        html`<div class="four">
            ${minuteChart(history, "pointsPerSecond", "Points", "/s")}
            ${minuteChart(history, "lag", "Records waiting", "")}
            ${minuteChart(history, "rejectedPerSecond", "Rejected", "/s")}
            ${minuteChart(history, "commitMillis", "Commit time", "ms")}
          </div>
          <p class="foot-line">
            Batches of the last 5 min:
            ${batches.recordsP50 === null
              ? "none"
              : html`${number(batches.recordsP50)} records (99 % below ${number(batches.recordsP99)}),
                ${number(batches.pointsP50)} points, committed in ${number(batches.commitMillisP50)} ms (99 % below
                ${number(batches.commitMillisP99)} ms)`}
          </p>`,
      { rows: 6 },
    ),
  });
}

function freshness() {
  return pane({
    title: "Age of the newest sample",
    note: "by kind",
    body: loaded(
      ingest,
      ({ freshness: list }) =>
        html`<table>
          <thead>
            <tr>
              <th>Kind</th>
              <th class="r w-num">Median</th>
              <th class="r w-num">99 % below</th>
            </tr>
          </thead>
          <tbody>
            ${list.map(
              (f) =>
                html`<tr>
                  <td title=${`${f.adapterKind} ${f.objectKind}`}>${kindWord(f.objectKind, 2)}</td>
                  <td class="r">${f.p50Seconds === null ? NONE : duration(f.p50Seconds * 1000)}</td>
                  <td class="r">${f.p99Seconds === null ? NONE : duration(f.p99Seconds * 1000)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      { rows: 3, empty: "No kind reports.", isEmpty: (d) => !d.freshness.length },
    ),
  });
}

function partitions() {
  const list = [...(ingest.data?.partitions ?? []), ...(ingest.data?.flows?.partitions ?? [])];
  const topics = new Set(list.map((p) => p.topic));
  const [topic] = topics;
  const several = topics.size > 1;
  return pane({
    title: "Partitions",
    note: list.length ? `${count(list.length)} of ${several ? `${topics.size} topics` : topic}` : nothing,
    body: loaded(
      ingest,
      () =>
        html`<div class="window-list">
          <table>
            <thead>
              <tr>
                ${several ? html`<th>Topic</th>` : nothing}
                <th class="r w-slim">No.</th>
                <th class="r">Offset</th>
                <th class="r w-slim">Lag</th>
                <th class="r w-slim">/s</th>
                <th>Node</th>
              </tr>
            </thead>
            <tbody>
              ${list.map(
                (p) =>
                  html`<tr>
                    ${several ? html`<td title=${p.topic}>${p.topic.replace(/^peerlens\./, "")}</td>` : nothing}
                    <td class="r">${p.partition}</td>
                    <td class="r">${count(p.committedOffset)}</td>
                    <td class="r">${count(p.lag)}</td>
                    <td class="r">${count(p.recordsPerSecond)}</td>
                    <td title=${p.node ?? "no node reads it"}>
                      ${p.node ?? html`<span class="row">${shape("warning", 11)} none</span>`}
                    </td>
                  </tr>`,
              )}
            </tbody>
          </table>
        </div>`,
      {
        rows: 4,
        empty: "No node reads a partition. Is the broker running, and does a node have the role ingest?",
        isEmpty: () => !list.length,
      },
    ),
  });
}

const GUARDS = {
  "new-objects-per-minute": "New objects",
  "new-metric-names-per-minute": "New metric names",
  "new-sets-per-minute": "New metric sets",
  "too-far-in-future": "Ahead of the clock",
  "oversized-record": "Record size",
};

function guards() {
  return pane({
    title: "Guards",
    note: "what is beyond them waits as a dead letter",
    body: loaded(
      ingest,
      ({ guards: list }) =>
        html`<table>
          <thead>
            <tr>
              <th>Guard</th>
              <th class="r w-num">Limit</th>
              <th class="w-slim">Now</th>
              <th class="r w-num">Held back, 1 h</th>
            </tr>
          </thead>
          <tbody>
            ${list.map(
              (g) =>
                html`<tr>
                  <td>${GUARDS[g.guard] ?? g.guard}</td>
                  <td class="r" title=${g.unit}>
                    ${g.unit === "s"
                      ? duration(g.limit * 1000)
                      : g.unit === "bytes"
                        ? bytes(g.limit)
                        : `${count(g.limit)}/min`}
                  </td>
                  <td title=${g.current === null ? "looks at single records" : `${count(g.current)} in this minute`}>
                    ${g.current === null ? html`<span class="m">each</span>` : bar(g.current / g.limit)}
                  </td>
                  <td class="r">
                    ${g.heldBackLastHour ? html`<b>${count(g.heldBackLastHour)}</b>` : "0"}<span class="m"
                      >${g.heldBackTotal ? ` of ${count(g.heldBackTotal)}` : ""}</span
                    >
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      { rows: 4 },
    ),
  });
}

function mappingsPane(mappings) {
  return pane({
    title: "Mappings",
    note: "in the order in which they are tried",
    body: loaded(
      mappings,
      ({ items }) =>
        items.map(
          (m) =>
            html`<details>
              <summary>
                <b>${m.name}</b>
                <span class="m"
                  >${m.source === "built-in" ? "built in" : "from the directory"},
                  ${m.matchedSeries
                    ? `${plural(m.matchedSeries, "series", "series")} matched since the start`
                    : "not matched yet"}</span
                >
              </summary>
              <p class="pad i2 s12">${m.description ?? ""} <span class="m">${m.file}</span></p>
              <div class="chips pad">${m.objectKinds.map((k) => chip(k))}</div>
              <pre class="payload">${m.content}</pre>
            </details>`,
        ),
      {
        rows: 3,
        empty: "No mapping is in force; lines become objects by the default rule.",
        isEmpty: (d) => !d.items.length,
      },
    ),
  });
}
