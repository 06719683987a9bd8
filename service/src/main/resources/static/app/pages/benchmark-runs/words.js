// How runs of benchmarks read: names of parameters and figures, values with their units, and what a curve says.
import { NONE, number, plural, withUnit } from "../../core/format.js";
import { moment } from "../../core/time.js";

const PARAMETERS = {
  block_size: "block size",
  read_share: "read share",
  random_share: "random share",
  working_set: "working set",
  outstanding: "outstanding IO",
  queue_depth: "queue depth",
  rate_limit: "rate limit",
  warm_up: "warm-up",
  working_set_percent: "working set of disk",
  hcibench_vms: "VMs of HCIBench",
};
const TOOLS = {
  hcibench: "HCIBench",
  diskspd: "DiskSpd",
  ioblazer: "IOBlazer",
  iometer: "IOMeter",
  "login-enterprise": "Login Enterprise",
};
const BASES = {
  iops: "IOPS",
  throughput: "throughput",
  latency: "mean latency",
  latency_max: "highest latency",
  latency_stddev: "standard deviation of latency",
  cpu: "CPU",
};

export const parameterName = (name) => PARAMETERS[name] ?? name;

/** The tool of a run as its makers write it, with its version where that is known. */
export const toolWords = ({ tool, version }) => [TOOLS[tool] ?? tool, version].filter(Boolean).join(" ");

/** "4K", "70 %", "no limit": the value of a parameter as people write it. */
export function parameterValue(name, text) {
  const v = text === "" ? NaN : Number(text);
  if (!Number.isFinite(v)) return text === "" ? (name === "rate_limit" ? "no limit" : NONE) : text;
  switch (name) {
    case "block_size":
      return v < 1024 ? number(v) : v < 1024 ** 2 ? `${number(v / 1024, 3)}K` : `${number(v / 1024 ** 2, 3)}M`;
    case "working_set":
      return withUnit(v, "bytes");
    case "read_share":
    case "random_share":
    case "working_set_percent":
      return `${number(v)} %`;
    case "rate_limit":
      return `${number(v)} IO/s`;
    case "warm_up":
      return elapsed(v);
    default:
      return number(v);
  }
}

/** "p99 of reads", "IOPS", "mean latency of writes". */
export function figureName(name) {
  const [, side, base] = /^(read_|write_)?(.*)$/.exec(name);
  const percentile = /^latency_p(.+)$/.exec(base);
  const words = percentile ? `p${percentile[1]}` : (BASES[base] ?? base.replaceAll("_", " "));
  return side ? `${words} of ${side === "read_" ? "reads" : "writes"}` : words;
}

/** A value in the unit of the API, with its unit: "192,140", "1.28 ms", "750.5 MiB/s". */
export function valueText(v, unit) {
  if (v === null || v === undefined) return NONE;
  if (unit === "IO/s") return number(v);
  if (unit === "B/s") return withUnit(v, "bytes/s");
  return unit ? `${number(v, 3)} ${unit}` : number(v);
}

/** A length in seconds: "40 s", "5 min", "1.5 h". */
export function elapsed(seconds) {
  if (seconds < 120) return `${number(seconds, 3)} s`;
  return seconds < 7200 ? `${number(Math.round(seconds / 60))} min` : `${number(seconds / 3600, 2)} h`;
}

export const figureOf = (run, name) => run.figures.find((f) => f.name === name) ?? null;

const VALUES = new WeakMap();
/** A figure of a run as a number, of its reads where nothing is said of the whole; null = not known. */
export function valueOf(run, name) {
  if (!VALUES.has(run)) VALUES.set(run, new Map(run.figures.map((f) => [f.name, f.value])));
  const known = VALUES.get(run);
  const own = known.get(name);
  if (own !== undefined && own !== null) return own;
  const [reads, writes] = [known.get(`read_${name}`) ?? null, known.get(`write_${name}`) ?? null];
  if (name === "iops" || name === "throughput") return reads === null ? writes : reads + (writes ?? 0);
  // Of one side alone it is that of the whole; two sides do not add up.
  return reads === null ? writes : writes === null ? reads : null;
}

/** What a run did: "4K, all reads, random". */
export function workload({ parameters: p }) {
  const reads = Number(p.read_share);
  const random = Number(p.random_share);
  return [
    p.block_size && parameterValue("block_size", p.block_size),
    p.read_share &&
      (reads === 100 ? "all reads" : reads === 0 ? "all writes" : `${number(reads)}/${number(100 - reads)}`),
    p.random_share && (random === 100 ? "random" : random === 0 ? "sequential" : `${number(random)} % random`),
  ]
    .filter(Boolean)
    .join(", ");
}

/** "4K, all reads, random, 22 Nov 02:14": what a run is called in a sentence. */
export const runWords = (run) =>
  [workload(run) || run.name, run.start ? moment(Date.parse(run.start)) : ""].filter(Boolean).join(", ");

/** Figures of which the tool says something else than is right. */
export const wrongFigures = (run) => run.figures.filter((f) => f.toolValue !== null && f.toolValue !== undefined);

/** Those that are looked at first. */
const HEADS = [/^latency_p95$/, /_p95$/, /_p99$/, /latency/, /^iops$/];
/** The figure of a run that the tool has wrong and people look at most; null = none. */
export function worstFigure(run) {
  const wrong = wrongFigures(run);
  for (const head of HEADS) {
    const found = wrong.find((f) => head.test(f.name));
    if (found) return found;
  }
  return wrong[0] ?? null;
}

const STEADY = { steady: "steady", "not-steady": "not steady", "not-known": "not known" };
export function steadyWords(run) {
  if (run.steady !== "steady") return STEADY[run.steady];
  return run.steadyFromSeconds ? `from ${elapsed(run.steadyFromSeconds)}` : "from the start";
}

/** Parameters that say how much is asked at once: with these a latency is a limit of what is carried. */
const LOADS = ["outstanding", "queue_depth", "threads", "rate_limit", "machines"];
const isLoad = ({ curve }) => Number(LOADS.includes(curve.parameter) && curve.points.length > 2);
const newestOf = ({ members }) =>
  members.map((run) => run.start ?? run.importedAt ?? "").reduce((a, b) => (a > b ? a : b), "");

/**
 * Curves with a name that tells each from the others: its title, with what differs beside it; those of more and more
 * load first, of these the ones with the newest runs.
 */
export function namedCurves(curves, runs) {
  const byId = new Map(runs.map((run) => [run.id, run]));
  const all = curves
    .filter((curve) => curve.points.length > 1)
    .map((curve) => {
      const ids = curve.points.flatMap((p) => p.runs);
      const members = ids.map((id) => byId.get(id)).filter(Boolean);
      return { curve, ids, members, name: curve.title || "all runs", apart: "" };
    });
  for (const one of all) {
    const alike = all.filter((o) => o.curve.parameter === one.curve.parameter && o.name === one.name);
    if (alike.length < 2) continue;
    const names = [...new Set(alike.flatMap((o) => o.members.flatMap((run) => Object.keys(run.parameters))))].filter(
      (name) => name !== one.curve.parameter,
    );
    // What all runs of a curve have in common, and not all of the others.
    const common = (o, name) => {
      const values = new Set(o.members.map((run) => run.parameters[name] ?? ""));
      return values.size === 1 ? [...values][0] : null;
    };
    one.apart = names
      .filter((name) => common(one, name) && alike.some((o) => common(o, name) !== common(one, name)))
      .toSorted((a, b) => Number(b in PARAMETERS) - Number(a in PARAMETERS))
      .slice(0, 2)
      .map((name) => `${parameterName(name)} ${parameterValue(name, common(one, name))}`)
      .join(", ");
  }
  return all
    .toSorted((a, b) => isLoad(b) - isLoad(a) || newestOf(b).localeCompare(newestOf(a)))
    .map((one) => ({ ...one, label: one.apart ? `${one.name}; ${one.apart}` : one.name }));
}

const small = (text) => text.replace(/^At least/, "at least");

/** The title of the page: what a curve says at the limit. */
export function headline(tested, curve, total) {
  const who = tested ?? "What was tested";
  if (!curve)
    return total ? `${plural(total, "run")}${tested ? ` on ${tested}` : ""}, no two differ in one parameter only.` : "";
  if (!curve.reading) return `${who}: ${small(curve.sentence)}`;
  const [head] = curve.reading.split(/[;:]/);
  switch (curve.readingState) {
    case "reached":
    case "at-least":
      return `${who} carries ${small(head)}.`;
    case "not-reached":
      return `${who}: ${head}.`;
    default:
      return `${who}: ${curve.reading}`;
  }
}

/**
 * A limit of a latency to begin with, about in the middle of what was measured and reached by some of it: 0.5, 1, 2, 5 and
 * so on.
 */
export function proposedLimit(points) {
  const known = points.map((p) => p.latencyMillis).filter((v) => v > 0);
  if (!known.length) return null;
  const least = Math.min(...known);
  const middle = Math.sqrt(least * Math.max(...known));
  const power = 10 ** Math.floor(Math.log10(middle));
  const steps = [1, 2, 5, 10];
  const below = steps.findLast((m) => m * power <= middle * 1.0001) ?? 1;
  const step = below * power >= least ? below : steps.find((m) => m * power >= least);
  return Number((step * power).toPrecision(1));
}

/**
 * The series of a metric of a run as a whole, added up of machines or of reads and writes where it is reported by
 * these; null where there is none, or their intervals differ.
 */
export function wholeSeries(series, metric) {
  const own = series.filter((s) => s.metric === metric);
  const whole = own.find((s) => !s.instance);
  if (whole) return whole;
  if (own.length) return added(metric, own);
  if (/^(read|write)_/.test(metric)) return null;
  const sides = ["read", "write"].map((side) => wholeSeries(series, `${side}_${metric}`)).filter(Boolean);
  return sides.length ? added(metric, sides) : null;
}

function added(metric, parts) {
  if (metric.includes("latency")) return parts.length === 1 ? { ...parts[0], metric } : null;
  const [first] = parts;
  const alike = parts.every(
    (s) => s.endSeconds.length === first.endSeconds.length && s.endSeconds.every((t, i) => t === first.endSeconds[i]),
  );
  if (!alike) return null;
  const values = first.values.map((_, i) =>
    parts.some((s) => s.values[i] === null) ? null : parts.reduce((sum, s) => sum + s.values[i], 0),
  );
  return { ...first, metric, instance: "", values };
}
