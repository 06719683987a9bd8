// Which objects a group compares, and by which metrics.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count } from "../../core/format.js";
import { kindWord, metricName } from "../../core/metrics.js";
import { icon, shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { flowOf, flowUnit, withOptions } from "./flows.js";
import { field, numeric } from "./form-field.js";

const FEWEST = 3;
const MOST = 10_000;
const MOST_METRICS = 5;

/** `group` is the state of its page. */
export function membersField({ draft, kinds, scope }) {
  const kind = draft.value("objectKind");
  const all = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
  const at = all.findIndex((k) => k.objectKind === kind?.objectKind && k.adapterKind === kind?.adapterKind);
  const n = kind ? scope.total : null;
  const wrong =
    n === null
      ? ""
      : n < FEWEST
        ? `A group needs at least ${FEWEST} members; ${n === 0 ? "nothing matches" : `only ${n} ${n === 1 ? "matches" : "match"}`}.`
        : n > MOST
          ? `At most ${count(MOST)} members are compared with one another; ${count(n)} match. Narrow the scope.`
          : "";
  return field(
    "Members",
    n === null ? "" : `${count(n)} match now`,
    html`<select
        class="field"
        aria-label="Object kind"
        ?disabled=${!draft.allowed}
        @change=${(e) => {
          const k = all[Number(e.target.value)];
          if (k) draft.set("objectKind", { adapterKind: k.adapterKind, objectKind: k.objectKind });
        }}
      >
        <option value="-1" ?selected=${at < 0}>${kind && at < 0 ? kind.objectKind : "object kind\u2026"}</option>
        ${all.map(
          (k, i) =>
            html`<option value=${i} ?selected=${i === at}>
              ${kindWord(k.objectKind, 2)} (${k.adapterKind}, ${count(k.objects)})
            </option>`,
        )}
      </select>
      ${kind
        ? scope.view({
            scope: draft.value("scope") ?? {},
            set: (s) => draft.set("scope", s),
            kind,
            off: !draft.allowed,
          })
        : nothing}
      ${wrong
        ? html`<p class="row s12">
            ${shape("warning", 11)}
            <span>${wrong}</span>
          </p>`
        : nothing}${draft.said("objectKind")}${draft.said("scope")}`,
  );
}

/** A metric with its least deviation and how it is compared. */
function metricRow(group, m, i) {
  const { draft, units, preview } = group;
  const list = draft.value("metrics");
  const set = (metrics) => draft.set("metrics", metrics);
  const swap = (part) => set(list.with(i, { ...list[i], ...part }));
  const unit =
    flowUnit(m.key) || units.data?.get(m.key) || preview.data?.results.metrics.find((x) => x.key === m.key)?.unit || "";
  return html`<li class="metric-row ${flowOf(m.key) ? "of-flows" : ""}">
    <span class="cut strong" title=${m.key}>${metricName(m.key)}</span>
    <label class="row s12"
      ><span class="m nw">at least</span
      ><input
        class="field low num"
        inputmode="decimal"
        aria-label=${`Minimum deviation of ${metricName(m.key)}`}
        placeholder="auto"
        title="Left empty, it is proposed from the metric"
        .value=${m.minDeviation ?? ""}
        ?disabled=${!draft.allowed}
        @change=${(e) => swap({ minDeviation: numeric(e.target.value) })}
      /><span class="m unit">${unit}</span></label
    >
    <select
      class="field low faint"
      aria-label=${`How ${metricName(m.key)} is compared`}
      title="Linear compares by difference, logarithmic by ratio"
      ?disabled=${!draft.allowed}
      @change=${(e) => swap({ transform: e.target.value })}
    >
      ${["auto", "linear", "log"].map(
        (t) => html`<option value=${t} ?selected=${t === (m.transform ?? "auto")}>${t}</option>`,
      )}
    </select>
    ${!draft.allowed
      ? nothing
      : html`<button
          type="button"
          class="icon"
          aria-label=${`Remove ${metricName(m.key)}`}
          @click=${() => set(list.toSpliced(i, 1))}
        >
          ${icon("close", 11)}
        </button>`}
  </li>`;
}

export function metricsField(group) {
  const { draft, scope, key, flows } = group;
  const list = draft.value("metrics") ?? [];
  const kind = draft.value("objectKind");
  const setMetrics = (metrics) => draft.set("metrics", metrics);
  const chosen = group.source ?? (list.length && list.every((m) => flowOf(m.key)) ? "flows" : "metrics");
  const choose = (to) => {
    group.source = to;
    if (to === "flows" && !list.length && draft.allowed)
      setMetrics(withOptions([], { measures: ["rate"], direction: "both", type: "all", ports: [] }));
    redraw();
  };
  const add =
    chosen === "flows"
      ? flows.view({ metrics: list, set: setMetrics, members: scope.found, most: MOST_METRICS, off: !draft.allowed })
      : !draft.allowed || list.length >= MOST_METRICS
        ? nothing
        : key.view({
            value: "",
            shown: "",
            label: "Add a metric",
            placeholder: list.length ? "add another" : "CPU usage, network sent\u2026",
            cls: "wide-field",
            choose: (k) => k && !list.some((m) => m.key === k) && setMetrics([...list, { key: k }]),
          });
  return field(
    "Compare",
    "1 to 5 metrics; less than the least deviation never counts",
    html`${list.length
      ? html`<ul class="metric-rows">
          ${list.map((m, i) => metricRow(group, m, i))}
        </ul>`
      : nothing}
    ${kind
      ? html`${segments(
          chosen,
          [
            ["metrics", "Metrics"],
            ["flows", "Flows"],
          ],
          choose,
          "What is compared",
        )}${add}`
      : html`<p class="m s12">Choose an object kind first.</p>`}${draft.said("metrics")}`,
  );
}
