// One run of a benchmark: what it says, its totals with ours and the tool's figures, its course, its latencies, what
// could not be read of its import, and what people say of it.
import { html, nothing, repeat, svg } from "../../core/html.js";
import { get, remove } from "../../core/api.js";
import { bytes, NONE, number, plural, scale } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { copy, notice, soon } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { onObject } from "./comparison.js";
import { RunEdit } from "./run-edit.js";
import {
  elapsed,
  figureName,
  parameterName,
  parameterValue,
  runWords,
  toolWords,
  valueText,
  wholeSeries,
  workload,
} from "./words.js";
import "../../chart/xy-chart.js";

const BARS = 40;
const MOST_PARTS = 40;
const sideOf = ({ name }) => (name.startsWith("read_") ? 1 : name.startsWith("write_") ? 2 : 0);
const CHARTS = ["iops", "throughput", "latency"];

export function page(id) {
  const run = new Load((signal) => get(`/benchmark-runs/${id}`, {}, signal));
  const series = new Load((signal) => get(`/benchmark-runs/${id}/series`, {}, signal));
  const origin = new Load((benchmarkImport, signal) => get(`/benchmark-imports/${benchmarkImport}`, {}, signal));
  const hosts = new Load((signal) => get(`/benchmark-runs/${id}/hosts`, {}, signal));
  const match = new Load((signal) => get(`/benchmark-runs/${id}/load-profile`, {}, signal));
  const edit = new RunEdit(id, (data) => {
    run.data = data;
    match.again();
    hosts.again();
  });
  let gone = false;

  function update() {
    run.want();
    series.want();
    hosts.want();
    match.want();
  }

  function drop() {
    gone = true;
    const { summary } = run.data;
    soon(
      `${runWords(summary)} is deleted, with its object${run.data.change ? " and the change on what was tested" : ""}`,
      () => remove(`/benchmark-runs/${id}`).catch((error) => notice(`Not deleted: ${error.message}`, { seconds: 8 })),
      () => go(`/benchmark-runs/${id}`),
    );
    go("/benchmark-runs");
  }

  const specs = memo((all, summary) => CHARTS.map((metric) => chartOf(all, metric, summary)).filter(Boolean));

  const deleteButton = () =>
    html`<button
      class="ctl"
      ?disabled=${!may("operator") || gone}
      title=${may("operator") ? nothing : NEEDS}
      @click=${drop}
    >
      Delete
    </button>`;

  const compareLink = (summary) =>
    html`<a class="ctl" href=${href("/benchmark-runs", { a: id, row: id, tested: summary.object?.id ?? "all" })}
      >Compare</a
    >`;

  function said(data) {
    const { summary } = data;
    return html`<section class="pane say-lines" aria-label="What it says">
      ${marked(data.steady === "not-steady" && "not steady", data.steadySentence)}
      ${data.drift ? marked(data.driftAlert && "drifts", data.drift) : nothing}
      ${data.remarks.map((r) => html`<p class="i2">${r}</p>`)}
      ${summary.object && summary.start
        ? html`<p class="i2">
            Shown on <a class="acc" href=${onObject(summary)}>${summary.object.name}</a> as a change,
            ${spanWords(summary)}.
            ${data.change
              ? html`<a class="acc" href=${href("/compare", { change: data.change })}>Compare before and after</a>`
              : nothing}
          </p>`
        : html`<p class="m">
            ${summary.object ? "Nobody says when it began" : "Nobody says what was tested"}, so it is not shown as a
            change${summary.object ? "; import it again with its time" : ""}.
          </p>`}
    </section>`;
  }

  function totals({ summary }) {
    const told = summary.figures.filter((f) => f.toolValue !== null || f.reason);
    const others = summary.figures.filter((f) => !told.includes(f));
    const bySide = (list) => list.toSorted((a, b) => sideOf(a) - sideOf(b));
    const value = (f) =>
      html`<td class="r">
        ${f.value === null ? html`<span class="m">not known</span>` : valueText(f.value, f.unit)}
      </td>`;
    const row = (f) =>
      html`<tr>
          <td>${figureName(f.name)}</td>
          ${value(f)}
          ${told.length
            ? html`<td class="r m">${f.toolValue === null ? NONE : valueText(f.toolValue, f.unit)}</td>`
            : nothing}
        </tr>
        ${f.reason
          ? html`<tr class="reason-row">
              <td colspan="3" class="i2">${f.reason}</td>
            </tr>`
          : nothing}`;
    return pane({
      title: "Totals",
      note: told.length
        ? "ours, and the tool's where that is something else"
        : "nothing that the tool says was found wrong",
      body: html`<table class="totals">
        <thead>
          <tr>
            <th>Figure</th>
            <th class="r">Value</th>
            ${told.length ? html`<th class="r">Tool says</th>` : nothing}
          </tr>
        </thead>
        <tbody>
          ${repeat([...bySide(told), ...bySide(others)], (f) => f.name, row)}
        </tbody>
      </table>`,
    });
  }

  const course = (data) =>
    pane({
      title: "Over its time",
      note: data.summary.steady === "steady" ? "before the steady part shaded" : "by interval, as the tool reported it",
      body: loaded(
        series,
        ({ series: all }) => {
          const charts = specs(all, data.summary);
          return html`<div class="run-series">
            ${charts.map(
              (spec) =>
                html`<figure>
                  <figcaption><b>${spec.title}</b> <span class="m s12">${spec.note}</span></figcaption>
                  <elapsed-chart .spec=${spec}></elapsed-chart>
                </figure>`,
            )}
          </div>`;
        },
        {
          rows: 5,
          isEmpty: ({ series: all }) => !specs(all, data.summary).length,
          empty: "The tool wrote no values by interval, so nothing is known of the course of this run.",
        },
      ),
    });

  function origins({ summary }) {
    origin.want(summary.benchmarkImport);
    return pane({
      title: "Where it is from",
      body: loaded(
        origin,
        (data) =>
          html`<dl class="props pad">
              <dt>File</dt>
              <dd>
                <a class="acc" download href=${`/api/v1/benchmark-imports/${data.id}/file`}>${data.fileName}</a>
                <span class="m">${bytes(data.size)}</span>
              </dd>
              <dt>Brought</dt>
              <dd>${moment(Date.parse(data.importedAt))} by ${data.importedBy}</dd>
              <dt>With it</dt>
              <dd>
                <a class="acc" href=${href("/benchmark-runs", { import: data.id })}>${plural(data.runs, "run")}</a>
              </dd>
            </dl>
            ${problemList(data.problems)}`,
        { rows: 3 },
      ),
    });
  }

  const parameters = ({ summary, ownParameters }) =>
    pane({
      title: "Parameters",
      note: toolWords(summary),
      end: html`<a class="link" href=${href(`/objects/${id}`)}>Its object</a>`,
      body: html`<dl class="props pad">
        ${Object.entries(summary.parameters).map(
          ([name, value]) =>
            html`<dt title=${name}>${parameterName(name)}</dt>
              <dd title=${value}>
                ${parameterValue(name, value)}${name in ownParameters
                  ? html` <span class="m s12">by hand</span>`
                  : nothing}
              </dd>`,
        )}
        ${summary.measuredSeconds
          ? html`<dt>measured</dt>
              <dd>${elapsed(summary.measuredSeconds)}</dd>`
          : nothing}
      </dl>`,
    });

  const meanwhile = () =>
    pane({
      title: "Hosts meanwhile",
      body: loaded(
        hosts,
        (data) =>
          html`<p class="reading-line">${data.sentence}</p>
            ${data.metrics.length
              ? html`<dl class="props compared">
                  ${data.metrics.map(
                    (m) =>
                      html`<dt title=${m.metric}>${m.name}</dt>
                        <dd>
                          ${number(m.mean, 3)}
                          ${m.unit}${m.before === undefined || m.before === null
                            ? nothing
                            : html`<span class="m">, was ${number(m.before, 3)}</span>`}<span class="m"
                            >; highest ${number(m.highest, 3)} on ${m.highestHost}</span
                          >
                        </dd>`,
                  )}
                </dl>`
              : nothing}`,
        { rows: 3 },
      ),
    });

  const own = () =>
    pane({
      title: "Like your own load?",
      body: loaded(match, (data) => html`<p class="reading-line">${data.sentence}</p>`, { rows: 1 }),
    });

  return {
    get title() {
      return run.data ? runWords(run.data.summary) : "Benchmark run";
    },
    short: "Benchmark run",
    name: "benchmark-run",
    timed: false,
    update,
    keys: () => ({ Y: [() => copy(location.href, "Link copied; it shows this run"), "Copy link"] }),
    escape: () => leaveField() || back("/benchmark-runs"),
    acts: () => (run.data ? html`${compareLink(run.data.summary)}${deleteButton()}` : nothing),
    view() {
      if (run.error && !run.loading)
        return html`<section class="pane">${failure(run.error, () => run.again())}</section>`;
      if (!run.data) return html`<section class="pane">${loaded(run, () => nothing, { rows: 8 })}</section>`;
      const { data } = run;
      const { summary } = data;
      return html`<div class="tb">
          <a class="m nw" href=${href("/benchmark-runs")}>Benchmark runs /</a>
          <h1>${workload(summary) || summary.name}</h1>
          ${summary.reference ? html`<span class="chip">reference</span>` : nothing}
          <span class="m s12 cut" title=${summary.name}
            >${[summary.start ? moment(Date.parse(summary.start)) : "", summary.object?.name, summary.name]
              .filter(Boolean)
              .join(", ")}</span
          >
          <span class="sp"></span>
          ${narrow() ? nothing : html`${compareLink(summary)}${deleteButton()}`}
        </div>
        <div class="run-grid">
          <div>${said(data)} ${course(data)} ${latencyPane(data)} ${totals(data)}</div>
          <div>${own()} ${meanwhile()} ${parameters(data)} ${edit.view(data)} ${origins(data)}</div>
        </div>`;
    },
  };
}

/** A sentence, with the shape of a warning where somebody has to look. */
const marked = (word, text) =>
  html`<p class="marked">${word ? shape("warning", 12, word) : nothing}<span>${text}</span></p>`;

/** From when to when a run was measured, with seconds where it was short. */
function spanWords({ start, measuredSeconds }) {
  const from = Date.parse(start);
  const exact = (measuredSeconds ?? 0) < 300;
  return measuredSeconds ? `${moment(from, exact)} to ${moment(from + measuredSeconds * 1000, exact)}` : moment(from);
}

/** What could not be read of a file, where, and what to do about it. */
export const problemList = (problems) =>
  problems.length
    ? html`<ul class="import-problems" aria-label="What could not be read">
        ${problems.map(
          (p) =>
            html`<li>
              ${shape("warning", 12, "not read")}
              <span
                >${p.file
                  ? html`<span class="mono">${p.file}${p.line ? `, line ${p.line}` : ""}</span>: `
                  : nothing}${p.what}. <span class="i2">${p.remedy}</span></span
              >
            </li>`,
        )}
      </ul>`
    : nothing;

/** The chart of a metric: the run as a whole, reads and writes, its machines behind it. */
function chartOf(all, metric, summary) {
  const whole = wholeSeries(all, metric);
  const side = (name) =>
    wholeSeries(
      all.filter((s) => s.metric === `${name}_${metric}`),
      `${name}_${metric}`,
    );
  const [reads, writes] = [side("read"), side("write")];
  const main = whole ?? reads ?? writes;
  if (!main) return null;
  const parts = all.filter((s) => s.instance && s.metric === main.metric).slice(0, MOST_PARTS);
  const known = main.values.filter((v) => v !== null);
  if (!known.length) return null;
  const most = known.reduce((a, b) => Math.max(a, b));
  const units =
    main.unit === "B/s" ? scale("bytes/s", most) : { unit: main.unit === "IO/s" ? "" : main.unit, factor: 1 };
  const line = (s, name, cls) => ({
    name,
    cls,
    seconds: s.endSeconds,
    values: s.values.map((v) => v && v * units.factor),
  });
  const lines = parts.length > 1 ? parts.map((s) => line(s, "", "part")) : [];
  if (!whole && reads && writes) lines.push(line(writes, "writes", "writes"), line(reads, "reads", "run"));
  else lines.push(line(main, "", "run"));
  const long = elapsed(main.endSeconds.at(-1));
  const ofParts = parts.length > 1 ? `thin: ${plural(parts.length, "machine or job", "machines or jobs")}` : "";
  return {
    title: figureName(metric).replace(/^./, (c) => c.toUpperCase()),
    note: [units.unit, ofParts].filter(Boolean).join(", "),
    words: `${figureName(metric)} over ${long}: at most ${valueText(most, main.unit)}, last ${valueText(known.at(-1), main.unit)}.`,
    lines,
    steadyFrom: summary.steadyFromSeconds ?? null,
    steadyWords: summary.steadyFromSeconds ? `steady from ${elapsed(summary.steadyFromSeconds)} of ${long}` : "",
    zero: true,
    text: number,
  };
}

/** Operations by latency, in bars of equal width on a logarithmic axis. */
function barsOf({ bounds, counts }) {
  const all = counts.reduce((sum, n) => sum + n, 0);
  const first = counts.findIndex((n) => n > 0);
  const last = counts.findLastIndex((n) => n > 0);
  if (first < 0) return null;
  const lowOf = (i) => (i > 0 ? bounds[i - 1] : (bounds[0] ?? 1) / 2) || (bounds[i] ?? 1) / 2;
  const low = lowOf(first);
  const high = bounds[last] ?? lowOf(last) * 2;
  const span = Math.log(high / low) || 1;
  const bars = new Array(BARS).fill(0);
  for (let i = first; i <= last; i++) {
    // What a bucket holds is spread over the bars that it covers.
    const from = (Math.log(lowOf(i) / low) / span) * BARS;
    const to = (Math.log((bounds[i] ?? high) / low) / span) * BARS;
    const wide = Math.max(to - from, 1e-9);
    for (let b = Math.max(0, Math.floor(from)); b < Math.min(BARS, Math.ceil(to)); b++)
      bars[b] += (counts[i] * Math.max(0, Math.min(to, b + 1) - Math.max(from, b))) / wide;
  }
  const top = Math.max(...bars);
  const at = (b) => low * Math.exp((b / BARS) * span);
  return { all, low, high, bars, top, at };
}

const DIRECTIONS = { both: "All operations", read: "Reads", write: "Writes" };

function latencyPane({ latencies, summary }) {
  const all = latencies.map((l) => ({ direction: l.direction, of: barsOf(l) })).filter((l) => l.of);
  // Of one side alone it is that of all operations.
  const both = all.find((l) => l.direction === "both");
  const shown = all.filter((l) => l === both || !both || l.of.all < both.of.all).toSorted((l) => (l === both ? -1 : 1));
  const percentiles = summary.figures.filter((f) => /^(read_|write_)?latency_p/.test(f.name) && f.value !== null);
  const reach = (of) => `${number(of.low, 2)} to ${number(of.high, 2)} ms`;
  const said = percentiles.map((p) => `${figureName(p.name)} ${valueText(p.value, p.unit)}`).join(", ");
  return pane({
    title: "Latencies",
    note: shown.length ? "operations by their latency; the axis is logarithmic" : "",
    body: shown.length
      ? shown.map(
          ({ direction, of }) =>
            html`<div class="histogram">
              <b>${DIRECTIONS[direction]}</b> <span class="m s12">${plural(Math.round(of.all), "operation")}</span>
              <svg
                viewBox="0 0 ${BARS * 10} 100"
                preserveAspectRatio="none"
                role="img"
                aria-label=${`${DIRECTIONS[direction]} by latency, ${reach(of)}; ${said}`}
              >
                ${of.bars.map(
                  (n, b) =>
                    svg`<rect
                      x=${b * 10}
                      width="9"
                      y=${100 - (n / of.top) * 100}
                      height=${(n / of.top) * 100}
                      fill="var(--seq-3)"
                      ><title>
                        ${number(of.at(b), 2)} to ${number(of.at(b + 1), 2)} ms: ${number((n / of.all) * 100, 2)} %
                      </title></rect
                    >`,
                )}
              </svg>
              <div class="scale m s12">
                <span>${number(of.low, 2)} ms</span><span>${number(of.at(BARS / 2), 2)}</span
                ><span>${number(of.high, 2)} ms</span>
              </div>
            </div>`,
        )
      : html`<div class="empty">
          The tool wrote no distribution of
          latencies${percentiles.length ? "; its percentiles are among the totals" : ""}.
        </div>`,
  });
}
