// The metrics of an object as small multiples: its own line, those of compared objects, or its peers or siblings behind
// it.
import { html, nothing, repeat } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { changeText } from "../../core/changes.js";
import { Load } from "../../core/load.js";
import {
  allInstances,
  chooseMetrics,
  chosenMetrics,
  firstMetrics,
  instanceName,
  isNetwork,
  kindWord,
  metricName,
  parseKey,
} from "../../core/metrics.js";
import { namesKnown } from "../../core/super-names.js";
import { range } from "../../core/time.js";
import { href } from "../../core/url.js";
import { medianOf } from "../../chart/decimate.js";
import { failure } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { aheadOf, longer, ObjectBounds } from "./bounds.js";
import { onGrid } from "./peers.js";
import "../../chart/series-chart.js";

export const COMPARED = 6;
const COLOURS = Array.from({ length: COMPARED }, (_, i) => `--series-${i + 1}`);
const SIBLINGS = 40;
const POINTS = 480;

const isAll = (key) => parseKey(key).instance === "*";
const instancesOf = (key, items) => {
  const { group, metric } = parseKey(key);
  return items.filter((m) => m.group === group && m.metric === metric && m.instance !== null).map((m) => m.key);
};
const query = (objects, metrics, withRange, signal) => {
  const { from, to } = range();
  return post(
    "/series/query",
    { objects, metrics, from: String(Math.floor(from)), to: String(Math.ceil(to)), maxPoints: POINTS, withRange },
    signal,
  );
};

/** What the charts of one object read, and the specs made of it. */
export class ObjectSeries {
  #specs = new Map();

  constructor(id) {
    this.id = id;
    this.own = new Load((objects, metrics, _from, _to, signal) =>
      query(objects, metrics, objects.length === 1, signal),
    );
    this.bounds = new ObjectBounds(id);
    this.others = new Load((ids, signal) => post("/objects/query", { ids, limit: ids.length }, signal));
    this.siblings = new Load(async (parent, peers, kind, metrics, _from, _to, signal) => {
      const near = async () =>
        (await get(`/objects/${parent}/children`, { objectKind: [kind], limit: SIBLINGS + 1 }, signal)).items.map(
          (o) => o.id,
        );
      const ids = (peers ?? (await near())).filter((other) => other !== id).slice(0, SIBLINGS);
      return ids.length && metrics.length ? query(ids, metrics, false, signal) : { times: [], series: [] };
    });
  }

  /** Which metrics to draw: those of the address, else the user's choice for the kind, else the important ones. */
  keys(items, kind, fromAddress) {
    if (!items) return [];
    const known = new Set(items.map((m) => m.key));
    const there = (key) => known.has(key) || (isAll(key) && instancesOf(key, items).length > 0);
    const wanted = (fromAddress.length ? fromAddress : (chosenMetrics(kind) ?? [])).filter(there);
    return wanted.length ? wanted : firstMetrics(items.map((m) => m.key));
  }

  choose(kind, keys) {
    chooseMetrics(kind, keys);
  }

  /**
   * `behind` is what stands behind its own line: "peers" of its groups, "siblings" below the same parent, its "own"
   * band, or nothing.
   */
  want({ keys, items, compared, behind, kind, parents, peers }) {
    const { from, to } = range();
    this.items = items;
    this.compared = compared;
    const metrics = [...new Set(keys.flatMap((key) => (isAll(key) ? instancesOf(key, items) : [key])))].slice(0, 100);
    if (metrics.length) this.own.want([this.id, ...compared], metrics, from, to);
    if (compared.length) this.others.want(compared);
    this.behind = compared.length ? "plain" : behind;
    this.peers = peers;
    const parent = parents?.[0]?.id ?? null;
    const single = metrics.filter((key) => keys.includes(key));
    if (this.behind === "siblings" && parent) this.siblings.want(parent, null, kind, single, from, to);
    if (this.behind === "own") this.bounds.want(single, from, to);
    if (this.behind === "peers" && peers.members.data)
      this.siblings.want(null, peers.members.data, kind, single, from, to);
  }

  isEmpty() {
    return (
      this.own.data !== null &&
      !this.own.loading &&
      this.own.data.series.every((s) => s.values.every((v) => v === null))
    );
  }

  name(objectId, object) {
    return objectId === this.id
      ? object.name
      : (this.others.data?.items.find((o) => o.id === objectId)?.name ?? "\u2026");
  }

  /** The spec of one chart, remade only when what it shows is new. */
  spec(key, object, changes, tools, findings) {
    const { from, to } = range();
    const inputs = [
      findings.limits(key),
      findings.alerts.data,
      this.own.data,
      this.behind,
      this.behind === "plain" ? null : this.siblings.data,
      this.bounds.bounds.data,
      this.peers?.accepted(key),
      this.others.data,
      this.compared?.length,
      changes,
      from,
      to,
      namesKnown(),
    ];
    const known = this.#specs.get(key);
    if (known && known.inputs.every((input, i) => input === inputs[i])) return known.spec;
    const spec = {
      ...this.#make(key, object, changes, tools, from, to),
      limits: findings.limits(key),
      washes: findings.washes(key),
      open: findings.worst(key),
    };
    this.#specs.set(key, { inputs, spec });
    return spec;
  }

  #make(key, object, changes, tools, from, to) {
    const data = this.own.data;
    const lines = data ? this.#lines(key, object, data) : [];
    const unit = data?.series.find((s) => matches(key, s.metric))?.unit ?? null;
    const some = lines.some((l) => l.values.some((v) => v !== null));
    const ahead = this.#ahead(from, to);
    const flags = (changes?.items ?? []).map((c) => ({ at: Date.parse(c.time), text: changeText(c) }));
    return {
      title: isAll(key) ? `${metricName(key.replace(":*", ""))} by instance` : metricName(key),
      hint: key,
      unit,
      network: isNetwork(key),
      from,
      to: to + ahead,
      flags,
      tools,
      ...(this.behind === "own"
        ? { medianWord: "usual", note: this.bounds.note(key), forecast: ahead ? to : undefined }
        : {}),
      times: this.#times(data),
      stepMillis: data?.stepMillis ?? 0,
      series: lines,
      labels: isAll(key) ? "within" : null,
      empty: data && !some ? "no data in this range" : undefined,
    };
  }

  /** The times of the charts; with its own band they go on into the time to come. */
  #times(data) {
    if (!data) return [];
    const { from, to } = range();
    return this.behind === "own" ? longer(data.times, data.stepMillis, to + this.#ahead(from, to)) : data.times;
  }

  #ahead(from, to) {
    return this.behind === "own" ? aheadOf(from, to) : 0;
  }

  /** The band of a metric and the middle of it. */
  #band(key, data) {
    const line = this.bounds.line(key, this.#times(data));
    return line ? [line] : [];
  }

  #lines(key, object, data) {
    const found = data.series.filter((s) => matches(key, s.metric));
    if (isAll(key)) {
      return found
        .filter((s) => s.objectId === this.id)
        .map((s, i) => ({
          name: instanceName(s.metric, object.properties),
          values: s.values,
          style: i < COMPARED ? "line" : "peer",
          colour: COLOURS[i],
        }));
    }
    if (this.compared?.length) {
      const order = [this.id, ...this.compared];
      return found.map((s) => ({
        name: this.name(s.objectId, object),
        values: s.values,
        style: "line",
        colour: COLOURS[order.indexOf(s.objectId)],
      }));
    }
    const own = found.find((s) => s.objectId === this.id);
    const behind =
      this.behind === "plain" ? [] : this.behind === "own" ? this.#band(key, data) : this.#behind(key, data);
    const envelope =
      !behind.length && this.behind !== "own" && data.stepMillis > 60_000 ? { min: own?.min, max: own?.max } : {};
    const values = own && this.behind === "own" ? padded(own.values, this.#times(data).length) : own?.values;
    return own ? [...behind, { name: object.name, values, style: "main", ...envelope }] : behind;
  }

  /**
   * The others and their median, when they stand on the same grid as the object's own line; of peers with what is
   * accepted.
   */
  #behind(key, data) {
    const siblings = this.siblings.data;
    if (!siblings || siblings.times.length !== data.times.length || siblings.times[0] !== data.times[0]) return [];
    const lists = siblings.series.filter((s) => s.metric === key).map((s) => s.values);
    const accepted = this.behind === "peers" ? this.peers.accepted(key) : null;
    const band = accepted
      ? { min: onGrid(accepted, accepted.lower, data.times), max: onGrid(accepted, accepted.upper, data.times) }
      : {};
    if (lists.length < 2 && !accepted) return [];
    const name = this.behind === "peers" ? "peer" : "sibling";
    return [
      ...lists.map((values) => ({ name, values, style: "peer" })),
      {
        name: "median",
        values: lists.length < 2 ? onGrid(accepted, accepted.centre, data.times) : medianOf(lists),
        style: "median",
        ...band,
      },
    ];
  }
}

const padded = (values, length) => [...values, ...new Array(Math.max(0, length - values.length)).fill(null)];

const matches = (key, metric) => {
  if (!isAll(key)) return key === metric;
  const wanted = parseKey(key);
  const has = parseKey(metric);
  return has.instance !== null && wanted.group === has.group && wanted.metric === has.metric;
};

let dragged = null;

export function chartGrid({ series, keys, object, flags, setKeys, findings }) {
  if (series.own.error && !series.own.loading)
    return html`<section class="pane">${failure(series.own.error, () => series.own.again())}</section>`;
  const moveTo = (key, at) => {
    const list = keys.filter((k) => k !== key);
    list.splice(Math.max(0, Math.min(at, list.length)), 0, key);
    setKeys(list);
  };
  const tools = (key) =>
    html` ${series.items && !isAll(key) && instancesOf(key, series.items).length > 1
        ? html`<button
            class="icon"
            title="By instance"
            aria-label="By instance"
            @click=${() => moveTo(allInstances(key), keys.indexOf(key) + 1)}
          >
            ${icon("explorer", 13)}
          </button>`
        : nothing}
      <button class="icon" title="Move to the front" aria-label="Move to the front" @click=${() => moveTo(key, 0)}>
        ${icon("left", 13)}
      </button>
      <button
        class="icon"
        title="Remove"
        aria-label=${`Remove ${metricName(key)}`}
        @click=${() => setKeys(keys.length > 1 ? keys.filter((k) => k !== key) : null)}
      >
        ${icon("close", 12)}
      </button>`;
  const stale = series.own.loading && series.own.waited > 150 && series.own.data;
  return html`<div class="charts ${stale ? "dimmed" : ""}" aria-busy=${series.own.loading}>
    ${repeat(
      keys,
      (key) => key,
      (key) =>
        html`<section
          class="pane ${findings.worst(key) ?? ""}"
          aria-label=${metricName(key)}
          @pointerdown=${(e) =>
            (e.currentTarget.draggable = Boolean(e.target.closest("header")) && !e.target.closest("button"))}
          @dragstart=${() => (dragged = key)}
          @dragover=${(e) => dragged && e.preventDefault()}
          @drop=${(e) => {
            e.preventDefault();
            if (dragged && dragged !== key) moveTo(dragged, keys.indexOf(key));
            dragged = null;
          }}
        >
          <series-chart .spec=${series.spec(key, object, flags, tools(key), findings)}></series-chart>
        </section>`,
    )}
  </div>`;
}

/** Names and colours of compared objects, once for all charts. */
export function legend(object, series, compared, drop) {
  if (!compared.length) return nothing;
  const swatch = (i) => html`<i .style=${`border-color:var(${COLOURS[i]})`}></i>`;
  return html`<div class="legend" aria-label="Compared objects">
    <span>${swatch(0)}<b>${object?.name}</b></span>
    ${compared.map(
      (id, i) =>
        html`<span
          >${swatch(i + 1)}<a class="strong" href=${href(`/objects/${id}`)}>${series.name(id, object ?? {})}</a>
          <span class="m">${kindWord(series.others.data?.items.find((o) => o.id === id)?.objectKind ?? "")}</span>
          <button
            class="icon"
            aria-label=${`Stop comparing with ${series.name(id, object ?? {})}`}
            @click=${() => drop(id)}
          >
            ${icon("close", 12)}
          </button></span
        >`,
    )}
  </div>`;
}
