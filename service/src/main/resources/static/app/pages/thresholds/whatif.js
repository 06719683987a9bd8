// What a threshold would have done over the last days: the objects it opens on most, a lane for each, and a slider over
// the bar "alerts per day" for one of its limits.
import { html, nothing, repeat, svg } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, number, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { isNetwork } from "../../core/metrics.js";
import { MARKS } from "../../core/severity.js";
import { DAY, MINUTE, moment } from "../../core/time.js";
import { boundsOf, learningWords, usualLine } from "../../core/bounds.js";
import { href } from "../../core/url.js";
import { failure, loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { byRank, isLearned } from "./words.js";
import "../../chart/series-chart.js";

/** Below this part of the time that could be judged, nothing is said of the rest. */
const MOSTLY_KNOWN = 0.5;
const SOON = 500;
const STEPS = 40;
const CHARTS = 3;
const LANES = 14;
const POINTS = 260;
const DAYS = [
  [1, "1 day"],
  [7, "7 days"],
  [30, "30 days"],
];

const end = (episode, until) => (episode.to ? Date.parse(episode.to) : until);
/** What the slider sets: the limit, or by how much a value must be beyond what is usual. */
const valueOf = (bound) =>
  bound?.type === "number" ? bound.value : bound?.type === "learned" ? (bound.minimumDeviation ?? 0) : null;
const value = (level) => valueOf(level?.bound);
const LEARNING = 5;

export class WhatIf {
  #days = 7;
  #span = [0, 0];
  #asked = "";
  #sweep = null;
  #specs = new Map();
  #swept = "";
  #soon = settled((...args) => (this.preview.want(...args), redraw()), SOON);
  #sweepSoon = settled((...args) => (this.sweep.want(...args), redraw()), SOON);

  constructor(draft) {
    this.draft = draft;
    this.preview = new Load((threshold, id, from, to, signal) =>
      post("/thresholds/preview", { threshold, ...(id ? { id } : {}), from: String(from), to: String(to) }, signal),
    );
    // What other limits would give does not depend on the one that is set: it is asked once for all places of the
    // slider.
    this.sweep = new Load(
      async (_without, threshold, from, to, sweep, signal) =>
        (await post("/thresholds/preview", { threshold, from: String(from), to: String(to), sweep }, signal)).sweep,
    );
    this.series = new Load((objects, metric, from, to, signal) =>
      post(
        "/series/query",
        { objects, metrics: [metric], from: String(from), to: String(to), maxPoints: POINTS, withRange: true },
        signal,
      ),
    );
    this.bounds = new Load(
      async (objects, key, from, to, sensitivity, signal) =>
        new Map(
          await Promise.all(objects.map(async (id) => [id, await boundsOf(id, key, from, to, sensitivity, signal)])),
        ),
    );
    this.learning = new Load(
      async (objects, key, now, signal) =>
        new Map(
          await Promise.all(objects.map(async (id) => [id, await boundsOf(id, key, now, now + 1, "medium", signal)])),
        ),
    );
    this.again();
  }

  again() {
    const to = Math.floor(Date.now() / MINUTE) * MINUTE;
    this.#span = [to - this.#days * DAY, to];
    this.#asked = "";
  }

  /** Whether there is enough of a rule to try it. */
  #ready() {
    const c = this.draft.value("condition");
    if (!this.draft.value("objectKind") || !c.key) return false;
    return c.levels.every((l) =>
      c.type === "no-data"
        ? l.after
        : l.text !== undefined
          ? l.text !== ""
          : (l.bound?.type === "learned" ||
              (l.bound?.type === "number" ? l.bound.value !== null : Boolean(l.bound?.key))) &&
            (!l.upper || l.upper.type !== "number" || l.upper.value !== null),
    );
  }

  /** The limits that the slider goes through, when the unit is known; they stay while the value is within them. */
  #range(level, unit) {
    const v = value(level);
    const c = this.draft.value("condition");
    if (unit === null || v === null || v === undefined || c.type !== "metric") return null;
    const learned = level.bound.type === "learned";
    const of = `${c.key} ${level.severity} ${unit} ${learned}`;
    if (this.#sweep?.of === of && v >= this.#sweep.from && v <= this.#sweep.to) return this.#sweep;
    if (learned) {
      const most = Math.max(v * 2.5, unit === "%" ? 50 : this.#width());
      return most > 0 ? (this.#sweep = { of, severity: level.severity, from: 0, to: most }) : null;
    }
    const [from, to] =
      unit === "%" && v >= 0 && v <= 100 ? [0, 100] : v > 0 ? [v / 4, v * 2.5] : v < 0 ? [v * 2.5, v / 4] : [-1, 1];
    return (this.#sweep = { of, severity: level.severity, from, to });
  }

  /** How wide the widest of the drawn bands is. */
  #width() {
    return Math.max(
      0,
      ...[...(this.bounds.data?.values() ?? [])].flatMap((b) =>
        b.upper.map((u, i) => (u === null ? 0 : u - b.lower[i])),
      ),
    );
  }

  want(level, unit) {
    if (!this.#ready()) return;
    const body = { ...this.draft.body(), name: this.draft.value("name") || "unnamed" };
    const asking = [body, this.draft.id, ...this.#span];
    const asked = JSON.stringify(asking);
    if (asked !== this.#asked) {
      this.#asked = asked;
      this.#soon(...asking);
    }
    this.#wantSweep(body, this.#range(level, unit), level);
    const c = this.draft.value("condition");
    const drawn = (this.preview.data?.firings ?? [])
      .filter((f, i, all) => all.findIndex((o) => o.object.id === f.object.id) === i)
      .slice(0, CHARTS);
    if (drawn.length && c.type === "metric")
      this.series.want(
        drawn.map((f) => f.object.id),
        this.#keyOf(drawn[0]),
        ...this.#span,
      );
    if (!isLearned(c)) return;
    if (drawn.length)
      this.bounds.want(
        drawn.map((f) => f.object.id),
        this.#keyOf(drawn[0]),
        ...this.#span,
        level.bound.sensitivity ?? "medium",
      );
    const learning = (this.preview.data?.learning.items ?? []).slice(0, LEARNING);
    if (learning.length && !c.instances)
      this.learning.want(
        learning.map((o) => o.id),
        c.key,
        this.#span[1],
      );
  }

  #wantSweep(body, range, level) {
    if (!range) return;
    const rule = {
      ...body,
      name: undefined,
      description: undefined,
      tags: undefined,
      owner: undefined,
      alert: undefined,
    };
    const levels = rule.condition.levels.map((l) =>
      l.severity === level.severity
        ? { ...l, bound: l.bound.type === "learned" ? { ...l.bound, minimumDeviation: 0 } : 0, clear: 0 }
        : l,
    );
    const swept = JSON.stringify([{ ...rule, condition: { ...rule.condition, levels } }, this.#span, range]);
    if (swept === this.#swept) return;
    this.#swept = swept;
    this.#sweepSoon(swept, body, ...this.#span, {
      severity: range.severity,
      first: range.from,
      last: range.to,
      steps: STEPS,
    });
  }

  /** The metric of a firing; of an instance, its own. */
  #keyOf(firing) {
    const { key } = this.draft.value("condition");
    return firing.instance ? key.replace("|", `:${firing.instance}|`).replace(/:[^:|]*:/, ":") : key;
  }

  view({ level, unit, setValue, setSensitivity }) {
    const { preview } = this;
    const set = (days) => {
      this.#days = days;
      this.again();
      redraw();
    };
    const body = !this.#ready()
      ? html`<div class="empty">
          What it would have done comes as soon as the sentence is whole: an object kind, a key and a limit.
        </div>`
      : preview.error && !preview.loading && !preview.data
        ? failure(preview.error, () => preview.again())
        : preview.data
          ? html`${preview.error && !preview.loading
                ? html`<p class="row pad warn s12" role="alert">
                    ${preview.error.errors?.[0]?.reason ?? preview.error.message}
                    <button class="link" @click=${() => preview.again()}>Retry</button>
                  </p>`
                : nothing}
              <div class=${preview.loading && preview.waited > 600 ? "dimmed" : ""} aria-busy=${preview.loading}>
                ${this.#charts()}${this.#slider(level, unit, setValue)}${this.#sensitivities(setSensitivity)}
                <p class="say what-said" role="status">${this.#sentence(level)}</p>
                ${this.#computed()}${this.#flapping()}${this.#notJudged()}${this.#lanes()}
              </div>`
          : loaded(preview, () => nothing, { rows: 10 });
    return html`<section class="pane what-if" aria-label="What it would have done">
      <div class="ph">
        <h2>What it would have done</h2>
        <span class="m cut"
          >${this.draft.isNew
            ? "nothing is stored yet"
            : this.draft.edited
              ? "against what is stored"
              : "as it is stored"}</span
        >
        <span class="sp"></span>
        ${preview.loading && preview.waited > 900
          ? html`<span class="m" role="status">trying ${this.#days} ${this.#days === 1 ? "day" : "days"}…</span>`
          : nothing}${segments(this.#days, DAYS, set, "How far back")}
      </div>
      ${body}
    </section>`;
  }

  /** The nearest step of the slider to a value. */
  #step(v) {
    const all = this.sweep.data ?? [];
    if (v === null || !all.length) return null;
    return all.reduce((best, s) => (Math.abs(s.value - v) < Math.abs(best.value - v) ? s : best));
  }

  #sentence(level) {
    const { data } = this.preview;
    const now = value(level);
    // While the slider moves, the bar under it tells; the rest comes with the next answer.
    const moving = this.preview.loading && this.#sweep?.severity === level?.severity;
    const total = moving ? (this.#step(now)?.total ?? data.total) : data.total;
    const span = DAYS.find(([d]) => d === this.#days)[1];
    const word = this.draft.value("alert") ? "alert" : "symptom";
    const part = data.knownShare < 0.01 ? "less than 1" : Math.round(data.knownShare * 100);
    const few =
      !moving &&
      data.knownShare < MOSTLY_KNOWN &&
      data.objects > data.learning.total &&
      this.draft.value("condition")?.type !== "no-data";
    if (few && !total)
      return html`<b>Cannot tell:</b> ${data.knownFrom
          ? `only ${part} % of ${span} could be judged, from ${moment(Date.parse(data.knownFrom))} on, and nothing would have opened then`
          : `there are no values in ${span} to judge by`}. `;
    if (!total)
      return html`<b>Nothing</b> would have opened in ${span} on
        ${plural(data.objects - data.learning.total, "object")}${data.savedTotal && this.draft.edited
          ? html`; the stored one opened ${count(data.savedTotal)}`
          : nothing}${moving ? "" : this.#acknowledged()}.`;
    const perDay = total / this.#days;
    const apart = total - (data.savedTotal ?? total);
    const than =
      this.draft.isNew || !this.draft.edited
        ? ""
        : apart === 0
          ? "as many as now"
          : `${count(Math.abs(apart))} ${apart > 0 ? "more" : "fewer"} than now`;
    const short = data.shorterThan5m ? `${count(data.shorterThan5m)} under 5 min` : "none under 5 min";
    return html`<b>${plural(total, word)}</b> in ${span}, about ${perDay >= 10 ? count(perDay) : number(perDay, 2)} a
      day${than ? html`, <b>${than}</b>` : nothing}${moving ? "" : html`; ${short}${this.#acknowledged()}`}. Judged:
      ${plural(data.objects - data.learning.total, "object")}${few
        ? `, of which ${part} % of the time has values`
        : ""}.`;
  }

  /** That the past of a super metric was computed for this, and not stored. */
  #computed() {
    const until = this.preview.data.computedUntil;
    return until
      ? html`<p class="m s12 pad">
          Nothing of this super metric is stored before ${moment(Date.parse(until))}: until then its values are computed
          from the formula, for this preview only. Back-fill on its page stores them.
        </p>`
      : nothing;
  }

  /** That the severity goes up and down, with an update each time. */
  #flapping() {
    const issue = this.preview.data.issues.find((i) => i.field === "trigger.clearAfter");
    return issue
      ? html`<p class="row s12 pad">
          ${shape("warning", 11)}
          <span>${issue.message.replace(/^./, (c) => c.toUpperCase())}. ${issue.hint}</span>
        </p>`
      : nothing;
  }

  /** What each sensitivity of all levels would give, to choose from. */
  #sensitivities(setSensitivity) {
    const points = this.preview.data.sensitivities;
    if (!points.length || !isLearned(this.draft.value("condition"))) return nothing;
    const set = new Set(this.draft.value("condition").levels.map((l) => l.bound.sensitivity ?? "medium"));
    const options = points.map((p) => [
      p.sensitivity,
      html`${p.sensitivity.replace(/^./, (c) => c.toUpperCase())} <span class="n">${count(p.total)}</span>`,
    ]);
    return html`<div class="row s12 by-sensitivity">
      <b>${this.draft.value("alert") ? "Alerts" : "Symptoms"} by sensitivity</b>
      <span class="m cut">in ${DAYS.find(([d]) => d === this.#days)[1]}, on all levels</span>
      <span class="sp"></span>
      ${segments(
        set.size === 1 ? [...set][0] : null,
        options,
        (s) => this.draft.allowed && setSensitivity(s),
        "Sensitivity of all levels",
      )}
    </div>`;
  }

  /** Of whom too little is known to be judged. */
  #notJudged() {
    const { total, items } = this.preview.data.learning;
    if (!total) return nothing;
    const shown = items.slice(0, LEARNING);
    const word = (o) => {
      const known = this.learning.data?.get(o.id);
      return known ? learningWords(known) : "";
    };
    return html`<div class="not-judged s12" aria-label="Learning">
      <p class="row">
        ${shape("unknown", 11)}
        <b>${plural(total, "object is", "objects are")} not judged yet:</b>
        <span class="m">too little is known of what is usual</span>
      </p>
      <ul>
        ${repeat(
          shown,
          (o) => o.id,
          (o) =>
            html`<li>
              <a class="cut" href=${href(`/objects/${o.id}`)}>${o.name}</a><span class="m nw">${word(o)}</span>
            </li>`,
        )}
      </ul>
      ${total > shown.length ? html`<p class="m">and ${count(total - shown.length)} more</p>` : nothing}
    </div>`;
  }

  /** What becomes of those that people acknowledged: they mattered to somebody. */
  #acknowledged() {
    const { acknowledgedBefore: before, acknowledgedKept: keeps } = this.preview.data;
    if (!before) return "";
    if (keeps === before)
      return `; keeps ${before === 1 ? "the one" : `the ${count(before)}`} that people acknowledged`;
    const all = before === 1 ? "the one" : keeps ? `of the ${count(before)}` : `all ${count(before)}`;
    return html`; <b>${keeps ? `keeps ${count(keeps)} ${all}` : `drops ${all}`}</b> that people acknowledged`;
  }

  #charts() {
    const c = this.draft.value("condition");
    const { data } = this.preview;
    if (c.type !== "metric" || !data.firings.length) return nothing;
    const drawn = data.firings
      .filter((f, i, all) => all.findIndex((o) => o.object.id === f.object.id) === i)
      .slice(0, CHARTS);
    const limits = byRank(c.levels).flatMap((l) =>
      [l.bound, l.upper]
        .filter((b) => b?.type === "number" && b.value !== null)
        .map((b) => ({
          value: (b.factor ?? 1) * b.value + (b.offset ?? 0),
          colour: MARKS[l.severity],
          word: `limit of ${l.severity}`,
        })),
    );
    return html`<div class="multiples" .style=${`--n:${drawn.length}`}>
      ${repeat(
        drawn,
        (f) => f.object.id,
        (f) => html`<div><series-chart .spec=${this.#spec(f, limits)}></series-chart></div>`,
      )}
    </div>`;
  }

  #spec(firing, limits) {
    const { data } = this.series;
    const usual =
      isLearned(this.draft.value("condition")) && data
        ? usualLine(this.bounds.data?.get(firing.object.id), data.times)
        : null;
    const inputs = [data, this.preview.data, this.bounds.data, Boolean(usual), JSON.stringify(limits)];
    const known = this.#specs.get(firing.object.id);
    if (known?.inputs.every((v, i) => v === inputs[i])) return known.spec;
    const line = data?.series.find((s) => s.objectId === firing.object.id);
    const [from, to] = this.#span;
    const spec = {
      title: firing.object.name,
      unit: line?.unit ?? null,
      network: isNetwork(this.draft.value("condition").key),
      from,
      to,
      times: data?.times ?? [],
      stepMillis: data?.stepMillis ?? 0,
      // The envelope of the line would hide in the band, which has its colour.
      series: line
        ? [
            ...(usual ? [usual] : []),
            {
              name: firing.object.name,
              values: line.values,
              ...(usual ? {} : { min: line.min, max: line.max }),
              style: "main",
            },
          ]
        : [],
      medianWord: "usual",
      limits,
      washes: firing.episodes.map((e) => ({ from: Date.parse(e.from), to: end(e, to), colour: "--band" })),
      note: plural(firing.episodes.length, "time"),
      empty: data && !line?.values.some((v) => v !== null) ? "no value in this span" : undefined,
    };
    this.#specs.set(firing.object.id, { inputs, spec });
    return spec;
  }

  #slider(level, unit, setValue) {
    const range = this.#sweep;
    const sweep = this.sweep.data ?? [];
    const v = value(level);
    if (!range || v === null || range.severity !== level.severity)
      return html`<p class="m s12 pad">
        ${level.bound?.type === "learned"
          ? "The slider comes with the unit of the metric, or with something to measure."
          : "A number as the limit of a metric gets a slider here."}
      </p>`;
    const most = Math.max(...sweep.map((s) => s.perDay), 1e-9);
    const x = (value) => ((value - range.from) / (range.to - range.from)) * 1000;
    const width = 1000 / Math.max(1, sweep.length);
    const learned = level.bound.type === "learned";
    const stored = this.draft.isNew
      ? null
      : (this.draft.before.condition?.levels ?? []).find(
          (l) => l.severity === level.severity && (l.bound?.type === "learned") === learned,
        )?.bound;
    const mark = stored ? valueOf(stored) : null;
    const step = Number(((range.to - range.from) / 200).toPrecision(1));
    const put = (event) => setValue(Number(Number(event.target.value).toPrecision(6)));
    return html`<div class="sweep">
      <div class="row s12">
        <b>Alerts per day</b>
        <span class="m"
          >by the ${learned ? "least deviation" : "limit"} for ${level.severity}${unit ? `, ${unit}` : ""}</span
        >
        <span class="sp"></span>
        <span class="m"
          >${sweep.length
            ? `at most ${most >= 10 ? count(most) : number(most, 2)} a day`
            : this.sweep.error
              ? this.sweep.error.message
              : "counting\u2026"}</span
        >
      </div>
      <svg
        viewBox="0 0 1000 56"
        preserveAspectRatio="none"
        height="56"
        width="100%"
        role="img"
        aria-label=${`Alerts per day by ${learned ? "least deviation" : "limit"}: ${sweep
          .filter((_, i) => i % 8 === 0)
          .map((s) => `${number(s.value)}: ${number(s.perDay, 2)}`)
          .join(", ")}`}
      >
        ${sweep.map(
          (s) =>
            svg`<rect
              x=${x(s.value) - width * 0.4}
              width=${width * 0.8}
              y=${56 - (s.perDay / most) * 54}
              height=${Math.max(s.perDay ? 1 : 0, (s.perDay / most) * 54)}
              fill=${
                Math.abs(s.value - v) <= (range.to - range.from) / sweep.length / 2 + 1e-12
                  ? "var(--accent)"
                  : "var(--seq-2)"
              }
            />`,
        )}
        ${mark === null || mark < range.from || mark > range.to
          ? nothing
          : svg`<line
              x1=${x(mark)}
              x2=${x(mark)}
              y1="0"
              y2="56"
              stroke="var(--ink-2)"
              stroke-dasharray="3 2"
              vector-effect="non-scaling-stroke"
            />`}
      </svg>
      <input
        type="range"
        min=${range.from}
        max=${range.to}
        step=${step}
        .value=${String(v)}
        ?disabled=${!this.draft.allowed}
        aria-label=${`${learned ? "Least deviation" : "Limit"} for ${level.severity}`}
        @input=${put}
      />
      <div class="row s12 m">
        <span>${number(range.from)}</span>
        <span class="sp"></span>
        ${mark === null ? nothing : html`<span>stored: ${number(mark)}</span><span class="sp"></span>`}
        <span>${number(range.to)}</span>
      </div>
    </div>`;
  }

  #lanes() {
    const { firings } = this.preview.data;
    if (!firings.length) return nothing;
    const [from, to] = this.#span;
    const x = (time) => ((time - from) / (to - from)) * 1000;
    const words = (e, filled) => {
      const until = e.to ? moment(Date.parse(e.to)) : "the end";
      return `${filled ? "would be open" : "open as stored"} ${moment(Date.parse(e.from))} to ${until}, ${e.severity}`;
    };
    const box = (e, y, filled) =>
      svg`<rect
        x=${x(Date.parse(e.from))}
        width=${Math.max(2.5, x(end(e, to)) - x(Date.parse(e.from)))}
        y=${y}
        height="5"
        rx="1"
        fill=${filled ? "var(--accent)" : "none"}
        stroke=${filled ? "none" : "var(--ink-3)"}
        vector-effect="non-scaling-stroke"
        ><title>${words(e, filled)}</title></rect
      >`;
    const row = (f) =>
      html`<div class="lane-row">
        <a class="cut" href=${href(`/objects/${f.object.id}`)} title=${f.object.name}
          >${f.object.name}${f.instance ? html` <span class="m">${f.instance}</span>` : nothing}</a
        >
        <svg
          viewBox="0 0 1000 16"
          preserveAspectRatio="none"
          height="16"
          width="100%"
          role="img"
          aria-label=${`${f.object.name}: would open ${f.episodes.length} times, ${(f.saved ?? []).length} as stored`}
        >
          <line x1="0" x2="1000" y1="8" y2="8" stroke="var(--line)" />
          ${f.episodes.map((e) => box(e, 1, true))}${(f.saved ?? []).map((e) => box(e, 10, false))}
        </svg>
        <span class="r s12 m">${f.episodes.length}${this.draft.isNew ? "" : ` / ${(f.saved ?? []).length}`}</span>
      </div>`;
    return html`<div class="lane-list">
      <div class="row s12">
        <b>Where</b>
        <span class="legend-mark filled"></span>
        <span class="m">would open, above the line</span>
        ${this.draft.isNew
          ? nothing
          : html`<span class="legend-mark"></span><span class="m">opens as stored, below it</span>`}
      </div>
      ${repeat(firings.slice(0, LANES), (f) => `${f.object.id} ${f.instance}`, row)}${firings.length > LANES
        ? html`<p class="m s12">and ${count(firings.length - LANES)} more</p>`
        : nothing}
    </div>`;
  }
}
