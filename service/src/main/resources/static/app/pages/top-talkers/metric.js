// Ranking by any metric in the place of traffic: who reads the most, who waits longest for a CPU.
import { html } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { firstMetrics, kindWord, metricName } from "../../core/metrics.js";
import { lastTick } from "../../core/time.js";
import { amend, param } from "../../core/url.js";
import { Suggest } from "../../parts/suggest.js";

const AGGREGATIONS = {
  avg: "mean",
  max: "greatest",
  min: "least",
  last: "newest",
  sum: "sum",
  percentile: "95th percentile",
};
const MOST = 40;

const kinds = new Load(async (_tick, signal) =>
  (await get("/adapter-kinds", {}, signal)).items.flatMap((a) => a.objectKinds).filter((k) => k.objects > 0),
);
const metrics = new Load(async (kind, signal) => {
  const { items } = await get(
    `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/metrics`,
    {},
    signal,
  );
  return { kind: kind.objectKind, items: items.filter((m) => m.aggregated) };
});

const USUAL = "VirtualMachine";
/** The kind of object that is ranked; null while kinds are not read or there is none. */
const kind = () => kinds.data?.find((k) => k.objectKind === param("kind", USUAL)) ?? kinds.data?.[0] ?? null;

const field = new Suggest(async (typed) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (metrics.data?.items ?? [])
    .map((m) => ({ value: m.key, label: metricName(m.key), hint: m.key }))
    .filter((o) => words.every((w) => `${o.label} ${o.hint}`.toLowerCase().includes(w)));
  return found.sort((a, b) => a.label.localeCompare(b.label)).slice(0, MOST);
});

export const byMetric = () => param("by") === "metric";

/** Reads what can be chosen; a page that names no metric gets the first of the kind. */
export function wantMetrics() {
  kinds.want(Math.floor(lastTick() / 600_000));
  const of = kind();
  if (!of) return;
  metrics.want({ adapterKind: of.adapterKind, objectKind: of.objectKind });
  if (!param("metric") && metrics.data?.kind === of.objectKind && metrics.data.items.length)
    amend(
      {
        metric: firstMetrics(
          metrics.data.items.map((m) => m.key),
          1,
        )[0],
      },
      { replace: true },
    );
}

export const aggregation = () => (AGGREGATIONS[param("agg")] ? param("agg") : "avg");

/** The question as the API takes it; null until it is known what to ask. */
export function metricQuery(scope) {
  const of = kind();
  if (!of || !param("metric")) return null;
  return {
    metric: param("metric"),
    objectKind: of.objectKind,
    adapterKind: of.adapterKind,
    aggregation: aggregation(),
    order: param("order") === "asc" ? "asc" : "desc",
    ancestor: scope,
    sparkline: true,
  };
}

/** Of what, by which metric, how put together, and which end is first. */
export function metricControls() {
  const of = kind();
  const select = (label, name, value, options, gone = {}) =>
    html`<label class="ctl pick-one"
      ><select aria-label=${label} @change=${(e) => amend({ [name]: e.target.value, ...gone, row: null })}>
        ${options.map(([id, words]) => html`<option value=${id} ?selected=${id === value}>${words}</option>`)}
      </select></label
    >`;
  return html`${select(
    "Kind of object",
    "kind",
    of?.objectKind ?? "",
    (kinds.data ?? []).map((k) => [k.objectKind, `${kindWord(k.objectKind, 2)} (${count(k.objects)})`]),
    { metric: null },
  )}
  ${field.view({
    value: param("metric"),
    shown: param("metric") ? metricName(param("metric")) : "",
    choose: (key) =>
      key &&
      amend({ metric: (metrics.data?.items ?? []).find((m) => metricName(m.key) === key)?.key ?? key, row: null }),
    label: "Metric",
    placeholder: "Metric, such as ready or iops",
    cls: "metric-field",
  })}
  ${select("Of the values in the range", "agg", aggregation(), Object.entries(AGGREGATIONS))}
  ${select("First", "order", param("order") === "asc" ? "asc" : "desc", [
    ["desc", "most first"],
    ["asc", "least first"],
  ])}`;
}

export const metricWords = () =>
  param("metric") ? `${AGGREGATIONS[aggregation()]} of ${metricName(param("metric"))}` : "";
