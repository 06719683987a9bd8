// The columns of the table of runs, and the orders in which they can be.
import { html, nothing } from "../../core/html.js";
import { NONE, number } from "../../core/format.js";
import { DAY, date, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { spark } from "../../parts/small.js";
import {
  figureName,
  parameterValue,
  steadyWords,
  toolWords,
  valueOf,
  valueText,
  workload,
  worstFigure,
  wrongFigures,
} from "./words.js";

const LONG_AGO = 365 * DAY;
export const runAddress = (run) => `/benchmark-runs/${run.id}`;
const most = (of) => (a, b) => (of(b) ?? -Infinity) - (of(a) ?? -Infinity);
export const newest = (a, b) =>
  (b.start ?? b.importedAt).localeCompare(a.start ?? a.importedAt) || a.name.localeCompare(b.name);
const parameter = (name) => (run) => (run.parameters[name] === undefined ? null : Number(run.parameters[name]));
export const ORDERS = {
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }),
  newest,
  tool: (a, b) => a.tool.localeCompare(b.tool),
  outstanding: most(parameter("outstanding")),
  block: most(parameter("block_size")),
  reads: most(parameter("read_share")),
  iops: most((run) => valueOf(run, "iops")),
  throughput: most((run) => valueOf(run, "throughput")),
  latency: most((run) => valueOf(run, "latency")),
  p95: most((run) => valueOf(run, "latency_p95")),
  p99: most((run) => valueOf(run, "latency_p99")),
};

/** When it began; of runs of years ago the day is enough. */
function whenWords(run) {
  if (!run.start) return run.name;
  const at = Date.parse(run.start);
  return Date.now() - at > LONG_AGO ? date(at) : moment(at);
}
const figureCell = (name) => (run) => {
  const v = valueOf(run, name);
  return v === null ? NONE : number(v, 3);
};
const parameterCell = (name) => (run) => parameterValue(name, run.parameters[name] ?? "");

/** "tool says 1.21": where a figure is another than the tool's. */
function toolSays(run) {
  const shown = worstFigure(run);
  return shown
    ? html`<span
        class="chip"
        title=${wrongFigures(run)
          .map(
            (f) =>
              `${figureName(f.name)}: the tool says ${valueText(f.toolValue, f.unit)}, ${f.value === null ? "what is right is not known" : `right is ${valueText(f.value, f.unit)}`}. ${f.reason}`,
          )
          .join("\n")}
        >tool says ${shown.unit === "ms" ? number(shown.toolValue, 3) : valueText(shown.toolValue, shown.unit)}<span
          class="unseen"
        >
          for ${figureName(shown.name)}. ${shown.reason}</span
        ></span
      >`
    : nothing;
}

export const COLUMNS = {
  name: {
    list: "name",
    name: "Run",
    sort: true,
    least: 216,
    td: "strong",
    title: (run) => [`${workload(run)}, ${whenWords(run)}`, run.name, run.note].filter(Boolean).join("\n"),
    cell: (run) =>
      html`<span class="run-name"
        ><span class="cut"
          ><a href=${href(runAddress(run))}>${workload(run) || run.name}</a
          ><span class="m run-when">, ${whenWords(run)}</span></span
        >${run.reference
          ? html`<span class="chip" title="Later runs are compared with it">reference</span>`
          : nothing}${toolSays(run)}</span
      >`,
  },
  tool: {
    list: "what",
    name: "Tool",
    sort: true,
    width: 86,
    td: "i2",
    title: toolWords,
    cell: (run) =>
      html`${toolWords({ tool: run.tool, version: null })}<span class="run-when-below">, ${whenWords(run)}</span>`,
  },
  outstanding: {
    name: "OIO",
    hint: "outstanding IO, in all",
    sort: true,
    width: 52,
    cls: "r",
    cell: parameterCell("outstanding"),
  },
  iops: {
    list: "value",
    name: "IOPS",
    sort: true,
    width: 76,
    cls: "r",
    cell: (run) => valueText(valueOf(run, "iops"), "IO/s"),
  },
  throughput: {
    name: "Throughput",
    sort: true,
    width: 104,
    cls: "r",
    cell: (run) => valueText(valueOf(run, "throughput"), "B/s"),
  },
  latency: { name: "Mean, ms", hint: "mean latency", sort: true, width: 84, cls: "r", cell: figureCell("latency") },
  p95: { name: "p95, ms", sort: true, width: 62, cls: "r", cell: figureCell("latency_p95") },
  p99: { name: "p99, ms", sort: true, width: 62, cls: "r prio-3", cell: figureCell("latency_p99") },
  steady: {
    list: "long",
    name: "Steady state",
    hint: "the load over the time of the run, and from when on it was steady",
    width: 152,
    title: (run) => `${steadyWords(run)}; the load over the time of the run`,
    cell: (run) =>
      html`<span class="row nw"
        >${spark(run.loadShape, {
          width: 60,
          height: 18,
          dot: false,
          zero: true,
          colour: run.steady === "not-steady" ? "--warning-mark" : "--peer-strong",
        })}<span class=${run.steady === "not-steady" ? "warn" : "m"}>${steadyWords(run)}</span></span
      >`,
  },
  block: { name: "Block size", sort: true, width: 84, cls: "r", cell: parameterCell("block_size") },
  reads: { name: "Reads", sort: true, width: 72, cls: "r", cell: parameterCell("read_share") },
  object: {
    name: "Tested",
    width: 140,
    title: (run) => run.object?.name ?? "",
    cell: (run) => run.object?.name ?? NONE,
  },
  note: {
    name: "Note",
    col: "w-wide",
    least: 140,
    td: "m",
    title: (run) => run.note ?? "",
    cell: (run) => run.note || NONE,
  },
};
