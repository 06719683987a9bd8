// What a group that is being written would have found: its chart with a lane for each member that would have been out,
// and the events per week by sensitivity with the slider on it. Scores and events of all settings come once; dragging
// cuts them here.
import { html, nothing, svg } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, number, plural, short } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { isNetwork } from "../../core/metrics.js";
import { keep } from "../../core/store.js";
import { go } from "../../core/url.js";
import { DAY, duration, moment, weekday, date } from "../../core/time.js";
import { bandAt } from "../../chart/group-layout.js";
import { niceTicks } from "../../chart/scale.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { deviantToken } from "../../parts/peers.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { nameOf, SENSITIVITIES, sensitivityName } from "./words.js";
import "../../chart/group-chart.js";

const SOON = 500;
const POINTS = 500;
const MEMBERS = 200;
const SPANS = [
  [1, "24 h"],
  [7, "7 days"],
  [30, "30 days"],
];
const LANES = 6;
const MORE = 3;
const FEWEST = 3;
const MOST = 10;
const LEAST = 2;
const LONG = 30 * 60_000;

const overlaps = (a, b) => a.object === b.object && a.from < (b.to ?? Infinity) && b.from < (a.to ?? Infinity);

export class OutlierPreview {
  #days = 7;
  #span = [0, 0];
  #asked = "";
  #metric = null;
  #making = false;
  #spec = { inputs: [] };
  #soon = settled((...args) => (this.load.want(...args), redraw()), SOON);

  constructor(draft) {
    this.draft = draft;
    this.load = new Load((_key, group, from, to, signal) =>
      post(
        "/outlier-groups/preview",
        { group, from: String(from), to: String(to), points: POINTS, members: MEMBERS },
        signal,
      ),
    );
    this.again();
  }

  again() {
    const to = Math.floor(Date.now() / 300_000) * 300_000;
    this.#span = [to - this.#days * DAY, to];
    this.#asked = "";
  }

  /** Asks when something that the answer depends on is new; where the slider stands is not among it. */
  want(body) {
    if (!body.objectKind || !body.metrics.length) return;
    const group = { ...body, name: body.name || "unnamed", alert: undefined, description: undefined };
    const key = JSON.stringify([{ ...group, name: "", sensitivity: "" }, this.#span]);
    if (key === this.#asked) return;
    this.#asked = key;
    this.#soon(key, group, ...this.#span);
  }

  get data() {
    return this.load.data;
  }

  /** A sensitivity as a number. */
  valueOf(sensitivity) {
    const named = { low: this.data?.low ?? 6, medium: this.data?.medium ?? 4.5, high: this.data?.high ?? 3.5 };
    return named[sensitivity] ?? Number(sensitivity);
  }

  /** The step of the grid at a sensitivity: the nearest that was tried. */
  #step(at) {
    return this.data.grid.reduce(
      (best, s) => (Math.abs(s.sensitivity - at) < Math.abs(best.sensitivity - at) ? s : best),
      this.data.grid[0],
    );
  }

  #name(object) {
    return this.data.objects.find((o) => o.id === object)?.name ?? (object === null ? "the group" : "\u2026");
  }

  /** Lanes of those that are out at this setting, and of some that only High finds, dashed. */
  #lanes(at, tokens) {
    const now = this.#step(at);
    const high = this.#step(this.data.high);
    const { from, to } = this.data.results;
    const of = (step) => Map.groupBy(step.episodes, (e) => e.object);
    const words = (e) => `${e.to === null ? "open" : duration(e.to - e.from)}, ${short(Math.abs(e.peak))}`;
    const own = [...of(now)].map(([object, list]) => ({
      object,
      name: this.#name(object),
      spans: list.map((e) => ({
        from: e.from,
        to: e.to ?? to,
        token: tokens.get(object) ?? "--deviant-1",
        words: list.length <= 3 ? words(e) : "",
      })),
    }));
    const more =
      at <= this.data.high
        ? []
        : [...of(high)]
            .filter(([object]) => !own.some((l) => l.object === object))
            .slice(0, MORE)
            .map(([object, list]) => ({
              object,
              name: this.#name(object),
              note: "only at High",
              spans: list.map((e) => ({ from: e.from, to: e.to ?? to, dashed: true })),
            }));
    return [...own.slice(0, LANES), ...more].filter((l) => l.spans.some((s) => s.to > from));
  }

  spec(at, opens, closesAfter) {
    const { results } = this.data;
    const metric = results.metrics.find((m) => m.key === this.#metric) ?? results.metrics[0];
    const inputs = [this.data, at, metric];
    if (this.#spec.inputs.length && this.#spec.inputs.every((v, i) => v === inputs[i])) return this.#spec.spec;
    const step = this.#step(at);
    const out = [...new Set(step.episodes.toSorted((a, b) => a.from - b.from).map((e) => e.object))].filter(Boolean);
    const tokens = new Map(out.map((id, i) => [id, deviantToken(i, out.length)]));
    const names = new Map(results.objects.map((o) => [o.id, o.name]));
    const spec = {
      unit: metric.unit,
      network: isNetwork(metric.key),
      log: metric.log,
      from: results.from,
      to: results.to,
      times: results.times,
      stepMillis: results.stepMillis,
      centre: metric.centre,
      ...bandAt(metric, at / results.opensAt, metric.log),
      usualLower: metric.usualLower,
      usualUpper: metric.usualUpper,
      judged: results.judged,
      opensAt: at,
      closesBelow: at * 0.6,
      lane: false,
      opensWords: `${opens.violations} of ${opens.of}`,
      closesWords: String(closesAfter),
      members: metric.members.map((m) => ({
        id: m.objectId,
        name: names.get(m.objectId) ?? "",
        values: m.values,
        scores: m.scores,
        token: tokens.get(m.objectId) ?? null,
      })),
      events: step.episodes.map((e) => ({ from: e.from, to: e.to, token: tokens.get(e.object) })),
      flags: [],
      lanes: this.#lanes(at, tokens),
      words: `${nameOf(metric)} of ${plural(this.data.members, "member")} over ${this.#days} ${this.#days === 1 ? "day" : "days"}; ${plural(step.count, "event")} at this sensitivity${out.length ? `, of ${out.map((id) => this.#name(id)).join(", ")}` : ""}.`,
    };
    this.#spec = { inputs, spec };
    return spec;
  }

  view({ at, opens, closesAfter, set, off }) {
    const { data } = this;
    const setDays = (days) => {
      this.#days = days;
      this.again();
      redraw();
    };
    const ready = this.draft.value("objectKind") && this.draft.value("metrics").length;
    const metric = data?.results.metrics.find((m) => m.key === this.#metric) ?? data?.results.metrics[0];
    const some = metric?.members.some((m) => m.values.some((v) => v !== null));
    const body = !ready
      ? html`<div class="empty">
          Choose an object kind and at least one metric: then this shows what the group would have found.
        </div>`
      : this.load.error && !this.load.loading
        ? failure(this.load.error, () => this.load.again())
        : !data
          ? loaded(this.load, () => nothing, { rows: 8 })
          : some
            ? html`<group-chart
                class=${this.load.loading && this.load.waited > 150 ? "dimmed" : ""}
                .spec=${this.spec(at, opens, closesAfter)}
              ></group-chart>`
            : html`<div class="empty">
                No member has values of ${metric ? nameOf(metric) : "this metric"} in this time.
              </div>`;
    const metrics = data?.results.metrics ?? [];
    return html`<section class="pane preview-pane" aria-label="Preview">
        <div class="ph">
          <h2>Preview</h2>
          ${metrics.length > 1
            ? segments(
                metric.key,
                metrics.map((m) => [m.key, nameOf(m)]),
                (key) => {
                  this.#metric = key;
                  redraw();
                },
                "Metric",
              )
            : nothing}
          <span class="m cut"
            >${data
              ? `${metrics.length > 1 ? "" : `${nameOf(metric)}, `}${plural(data.members, "member")}, as this group would have seen it`
              : ""}</span
          >
          <span class="sp"></span>
          ${this.load.loading && this.load.waited > 900
            ? html`<span class="m" role="status">reading ${this.#days} ${this.#days === 1 ? "day" : "days"}…</span>`
            : nothing}${segments(this.#days, SPANS, setDays, "How far back")}
        </div>
        ${body}
        ${(data?.warnings ?? []).map(
          (w) =>
            html`<p class="row s12 warning-line" role="note">
              ${shape("warning", 11)}
              <span
                >${w.message}${w.hint ? html` <span class="i2">${w.hint}</span>` : nothing}${w.objects.length
                  ? html` <span class="m"
                      >${w.objects
                        .slice(0, 4)
                        .map((o) => o.name)
                        .join(", ")}${w.objects.length > 4 ? ` and ${w.objects.length - 4} more` : ""}</span
                    >`
                  : nothing}${this.#partsButton(w)}</span
              >
            </p>`,
        )}
        ${(data?.issues ?? []).map(
          (i) =>
            html`<p class="row s12 warning-line" role="note">
              ${shape("warning", 11)}
              <span>${i.message}${i.hint ? html` <span class="i2">${i.hint}</span>` : nothing}</span>
            </p>`,
        )}
      </section>
      ${data && ready ? this.#sensitivity(at, set, off) : nothing}${data?.groupEvents.length && ready
        ? this.#whole()
        : nothing}`;
  }

  /** Makes one group for each value of the tag that parts this one; the draft stays as it is. */
  #partsButton({ tag, parts }) {
    const usable = (parts ?? []).filter((p) => p.members >= FEWEST);
    if (!this.draft.isNew || !this.draft.allowed || usable.length < 2) return nothing;
    const words =
      usable
        .slice(0, 6)
        .map((p) => `${p.value} (${p.members})`)
        .join(", ") + (usable.length > 6 ? ` and ${usable.length - 6} more` : "");
    return html` <button
      type="button"
      class="ctl low"
      ?disabled=${this.#making}
      title=${words}
      @click=${() => this.#makeParts(tag, usable)}
    >
      Make ${usable.length} groups, one for each value of ${tag}
    </button>`;
  }

  async #makeParts(tag, parts) {
    const { id: _id, ...group } = this.draft.body();
    this.#making = true;
    redraw();
    let made = 0;
    try {
      for (const { value } of parts) {
        const shared = value === "" ? tag : `${tag}=${value}`;
        await post("/outlier-groups", {
          ...group,
          name: `${group.name} ${value || tag}`.trim().slice(0, 200),
          scope: { ...group.scope, tags: [...(group.scope?.tags ?? []), shared] },
        });
        made++;
      }
      keep(this.draft.memory, null);
      notice(`${made} groups are made; each is judged from its next five minutes on`);
      go("/outliers");
    } catch (error) {
      notice(`${made ? `${made} of ${parts.length} groups are made. ` : ""}Not made: ${error.message}`, {
        seconds: 10,
      });
    }
    this.#making = false;
    redraw();
  }

  /** What the event of the group as a whole would have given at each sensitivity. */
  #whole() {
    const { groupEvents, results } = this.data;
    const chosen = this.draft.value("groupEvent")?.sensitivity ?? "medium";
    const step = groupEvents.find((s) => s.sensitivity === chosen) ?? groupEvents[0];
    const when = (e) =>
      `${moment(e.from)}, ${e.to === null ? "open" : duration(e.to - e.from)}, ${e.side === "high" ? "above" : "below"} what is usual`;
    const line = (s) => html`<b>${s.sensitivity}</b> ${plural(s.count, "event")}`;
    return html`<section class="pane" aria-label="The group as a whole">
      <div class="ph">
        <h2>The group as a whole</h2>
        <span class="m cut">its median against what is usual at the hour</span>
      </div>
      <p class="say pad" role="status">
        ${groupEvents.map((s, i) => html`${i ? ", " : ""}${line(s)}`)} in
        ${duration(results.to - results.from)}.${step.learnedBuckets
          ? ""
          : " Too little of its past is known to say what is usual; 7 days are needed."}
      </p>
      ${step.episodes.slice(0, LANES).map(
        (e) =>
          html`<p class="row s12 pad">
            ${shape("info", 11)}
            <span>${when(e)}</span>
          </p>`,
      )}
    </section>`;
  }

  #sensitivity(at, set, off) {
    const { data } = this;
    const marks = [
      ["low", "Low", data.low],
      ["medium", "Medium", data.medium],
      ["high", "High", data.high],
    ];
    const now = marks.find(([, , v]) => Math.abs(v - at) < 0.05)?.[0] ?? null;
    if (data.grid.length < 2)
      return html`<section class="pane" aria-label="Sensitivity">
        <p class="say pad">
          ${this.#sentence(at)} This method has parameters of its own in the place of a sensitivity.
        </p>
      </section>`;
    return html`<section class="pane sensitivity" aria-label="Sensitivity">
      <div class="ph">
        <h2>Sensitivity</h2>
        <span class="m cut">events per week at each setting; drag</span>
        <span class="sp"></span>
        ${segments(
          now,
          marks.map(([id, name, v]) => [id, html`${name} <span class="n">${number(v, 3)}</span>`]),
          (id) => !off && set(id),
          "Sensitivity",
        )}
      </div>
      ${this.#curve(at, marks, set, off)}
      <p class="say pad" role="status">${this.#sentence(at)}</p>
    </section>`;
  }

  #curve(at, marks, set, off) {
    const grid = this.data.grid.filter((s) => s.sensitivity >= LEAST);
    const [width, height, left, right, base] = [834, 196, 58, 30, 164];
    const most = Math.max(...grid.map((s) => s.perWeek), 1);
    const ticks = niceTicks(0, most, 3);
    const x = (v) => left + ((MOST - v) / (MOST - LEAST)) * (width - left - right);
    const y = (n) => base - (n / ticks.at(-1)) * (base - 22);
    const sorted = grid.toSorted((a, b) => b.sensitivity - a.sensitivity);
    const points = sorted.flatMap((s, i) => [
      [x(s.sensitivity), y(s.perWeek)],
      [x(sorted[i + 1]?.sensitivity ?? LEAST), y(s.perWeek)],
    ]);
    const line = points.map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`).join("L");
    const near = (v) => this.#step(v);
    const put = (event) => set(String(Number((MOST + LEAST - Number(event.target.value)).toFixed(1))));
    const snap = (event) => {
      const v = MOST + LEAST - Number(event.target.value);
      const mark = marks.find(([, , m]) => Math.abs(m - v) < 0.11);
      if (mark) set(mark[0]);
    };
    const words = `${sensitivityName(at)}, ${number(at, 3)} robust deviations, ${short(near(at).perWeek)} events a week`;
    return html`<div class="curve">
      <svg
        viewBox=${`0 0 ${width} ${height}`}
        width="100%"
        role="img"
        aria-label=${`Events per week: ${marks.map(([, name, v]) => `${name} ${short(near(v).perWeek)}`).join(", ")}`}
      >
        ${ticks.map(
          (t) =>
            svg`<line x1=${left} x2=${width - right} y1=${y(t)} y2=${y(t)} stroke="var(--grid)" />
              <text x=${left - 8} y=${y(t) + 4} text-anchor="end">${short(t)}</text>`,
        )}
        <path d=${`M${line}L${x(LEAST)} ${base}L${x(MOST)} ${base}Z`} fill="var(--band)" />
        <path d=${`M${line}`} fill="none" stroke="var(--accent)" stroke-width="1.8" />
        ${marks.map(
          ([, name, v], i) =>
            svg`<line
                x1=${x(v)}
                x2=${x(v)}
                y1="10"
                y2=${base}
                stroke=${Math.abs(v - at) < 0.05 ? "var(--ink)" : "var(--line-strong)"}
                stroke-dasharray=${Math.abs(v - at) < 0.05 ? "" : "3 3"}
              />
              <text
                class=${Math.abs(v - at) < 0.05 ? "on" : ""}
                x=${x(v) + (i === 2 ? 6 : -6)}
                y="17"
                text-anchor=${i === 2 ? "start" : "end"}
                >${name}, ${short(near(v).perWeek)} a week</text
              >`,
        )}
        ${marks.some(([, , v]) => Math.abs(v - at) < 0.05)
          ? nothing
          : svg`<line x1=${x(at)} x2=${x(at)} y1="24" y2=${base} stroke="var(--ink)" />
              <text class="on" x=${x(at)} y="34" text-anchor="middle"
                >${number(at, 3)}, ${short(near(at).perWeek)} a week</text
              >`}
        ${[10, 8, 6, 4, 2].map((v) => svg`<text x=${x(v)} y=${height - 3} text-anchor="middle">${v}</text>`)}
        <text x=${x(9)} y=${height - 3} text-anchor="middle">robust deviations</text>
      </svg>
      <input
        type="range"
        min=${LEAST}
        max=${MOST}
        step="0.1"
        .value=${String(MOST + LEAST - at)}
        ?disabled=${off}
        aria-label="Sensitivity"
        aria-valuetext=${words}
        @input=${put}
        @change=${snap}
      />
    </div>`;
  }

  /** What this setting gives, what High adds and Low would miss. */
  #sentence(at) {
    const { low, high } = this.data;
    const step = this.#step(at);
    const span = this.#days === 1 ? "24 h" : `${this.#days} days`;
    const named =
      SENSITIVITIES.some(([, , v]) => Math.abs(v - at) < 0.05) || [low, high].some((v) => Math.abs(v - at) < 0.05);
    const setting = named ? sensitivityName(at) : number(at, 3);
    const names = (list) => {
      const all = [...new Set(list.map((e) => this.#name(e.object)))];
      return all.length > 3 ? `${all.slice(0, 2).join(", ")} and ${all.length - 2} others` : all.join(" and ");
    };
    const when = (e) => (this.#days > 7 ? date(e.from) : weekday(e.from));
    const first = step.count
      ? html`At <b>${setting}</b>: <b>${plural(step.count, "event")} in ${span}</b>, about ${short(step.perWeek)} a
          week;
          ${step.over30min === step.count
            ? step.count === 1
              ? "it lasted"
              : "all"
            : step.over30min
              ? `${count(step.over30min)} of them`
              : "none"}
          over 30 min, by ${plural(step.members, "member")}.`
      : html`At <b>${setting}</b>: <b>nothing</b> in ${span}.`;
    const more = this.#step(high);
    const added = at > high ? more.episodes.filter((e) => !step.episodes.some((o) => overlaps(o, e))) : [];
    const longest = added.reduce((most, e) => Math.max(most, (e.to ?? this.data.results.to) - e.from), 0);
    const missed = at < low ? step.episodes.filter((e) => !this.#step(low).episodes.some((o) => overlaps(o, e))) : [];
    return html`${first}${added.length
      ? ` High adds ${count(added.length)} of ${names(added)}${longest < LONG ? ", each under 30 min" : ""}.`
      : at > high
        ? " High adds none."
        : ""}
    ${missed.length
      ? ` Low would miss ${missed.length <= 3 ? missed.map((e) => `${this.#name(e.object)} on ${when(e)}`).join(", ") : `${count(missed.length)} of them`}.`
      : ""}`;
  }
}
