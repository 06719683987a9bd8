// One alert: what it says, its chart, what happened to it, what else is up, what to do, and what people noted.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion } from "../../core/alerts.js";
import { get, post } from "../../core/api.js";
import { boundsOf, isUsual, usualLine } from "../../core/bounds.js";
import { changeText } from "../../core/changes.js";
import { count, plural } from "../../core/format.js";
import { getIncident, isSure } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { isNetwork, kindWord, metricName } from "../../core/metrics.js";
import { NEEDS } from "../../core/session.js";
import { against, found, MARKS, titleOf } from "../../core/severity.js";
import { DAY, date, duration, HOUR, MINUTE, moment, setAbsolute, weekday } from "../../core/time.js";
import { href } from "../../core/url.js";
import { auditPane } from "../../parts/audit.js";
import { loaded } from "../../parts/pane.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { sentence } from "../../parts/say.js";
import { chip } from "../../parts/small.js";
import { AlertNotified } from "./notified.js";
import { acknowledge, act, actButton, mayAct, suspend } from "./actions.js";
import { controlWords, isClosed, numberOf, openFor, stateWords } from "./words.js";
import { canAsk } from "../why-slow/words.js";
import { EventLines } from "../outliers/lines.js";
import { silenceAlerts } from "./silence-sheet.js";
import "../../chart/group-chart.js";
import "../../chart/series-chart.js";

const POINTS = 420;
const BEFORE = [HOUR, 2 * DAY];

/** What the chart spans: enough from before it began to see how it was, until now or a while after it closed. */
function span(alert) {
  const since = Date.parse(alert.since);
  const end = alert.canceledAt
    ? Math.min(Date.now(), Date.parse(alert.canceledAt) + Math.max(30 * MINUTE, openFor(alert) / 3))
    : Date.now();
  const before = Math.min(BEFORE[1], Math.max(BEFORE[0], (end - since) * 0.75));
  return [Math.floor((since - before) / MINUTE) * MINUTE, Math.ceil(end / MINUTE) * MINUTE];
}

/** Limits of members as lines of a chart; what is usual is a band. */
export const limitsOf = (members, word = "limit") =>
  members
    .filter((m) => !isUsual(m) && m.operator !== "no-data")
    .flatMap((m) =>
      [m.bound, m.upper]
        .filter((v) => v !== null && v !== undefined)
        .map((value) => ({ value, colour: MARKS[m.severity], word: `${word} of ${m.severity}` })),
    );

const worstMember = (alert) =>
  alert.members?.[0] ?? {
    object: alert.object,
    key: alert.key,
    severity: alert.severity,
    bound: alert.bound,
    upper: alert.upper,
  };
const isMetric = (member, alert) =>
  Boolean(member.key) && (member.value ?? alert.value) !== null && (member.text ?? null) === null;

export class AlertDetail {
  #spec = { inputs: [] };
  #note = "";
  #busy = false;

  constructor() {
    this.whole = new Load((id, _version, signal) => get(`/alerts/${id}`, {}, signal));
    this.history = new Load((id, _version, signal) => get(`/alerts/${id}/history`, { limit: 200 }, signal));
    this.related = new Load((id, _version, signal) => get(`/alerts/${id}/related`, {}, signal));
    this.incident = new Load((number, _version, signal) => getIncident(number, signal));
    this.bounds = new Load(async (_id, object, key, threshold, severity, from, to, signal) => {
      // Without its rule the band is as wide as most are.
      const rule = await get(`/thresholds/${threshold}`, {}, signal).catch(() => null);
      const level = rule?.condition.levels.find((l) => l.severity === severity);
      return boundsOf(object, key, from, to, level?.bound?.sensitivity ?? "medium", signal);
    });
    this.series = new Load((_id, object, metric, from, to, signal) =>
      post(
        "/series/query",
        {
          objects: [object],
          metrics: [metric],
          from: String(from),
          to: String(to),
          maxPoints: POINTS,
          withRange: true,
        },
        signal,
      ),
    );
  }

  peers = new EventLines({ points: 200, members: 60 });
  notified = new AlertNotified();

  leave() {
    for (const load of [this.whole, this.history, this.related, this.series, this.bounds, this.notified, this.incident])
      load.reset();
  }

  #of = null;

  /** Reads what belongs to an alert; what was of another one is not shown under its name. */
  #want(alert) {
    if (this.#of !== alert.id) {
      this.leave();
      this.#of = alert.id;
      this.#note = "";
    }
    const version = alertVersion();
    this.whole.want(alert.id, version);
    this.history.want(alert.id, version);
    this.related.want(alert.id, version);
    this.notified.want(alert.id, version);
    if (alert.incident) this.incident.want(alert.incident, version);
    const member = worstMember(alert);
    if (isMetric(member, alert)) this.series.want(alert.id, member.object.id, member.key, ...span(alert));
    if (isUsual(member))
      this.bounds.want(alert.id, member.object.id, member.key, member.threshold.id, member.severity, ...span(alert));
  }

  /** The newest that is known of an alert. */
  #newest(alert) {
    const whole = this.whole.data?.id === alert.id ? this.whole.data : null;
    return whole && whole.updatedAt >= alert.updatedAt ? whole : alert;
  }

  head(a, { back = false } = {}) {
    const state = controlWords(a);
    return html`<div class="row">
        ${isClosed(a) ? severityShape(null, 16) : severityShape(a.severity, 16)}
        <h2
          class="title cut"
          title=${a.definition.source === "outlier-group"
            ? `${titleOf(a)}, group ${a.definition.name}`
            : a.definition.name}
        >
          ${back ? titleOf(a) : html`<a href=${href(`/alerts/${a.id}`)}>${titleOf(a)}</a>`}
        </h2>
        <span class="sp"></span>
        ${a.flapping
          ? chip("flapping", "It closes and opens again; it stays open until it has been quiet for a while")
          : nothing}${chip(numberOf(a))}
      </div>
      ${state ? html`<p class="m s12">${state}</p>` : nothing}${a.silence
        ? html`<p class="m s12">
            <a class="acc" href=${href(`/notifications/silences/${a.silence.id}`)}
              >Silenced until ${moment(Date.parse(a.silence.until))}</a
            >
            by ${a.silence.by}: ${a.silence.comment}
          </p>`
        : nothing}${a.incident ? this.#cause(a) : nothing}`;
  }

  /** The likely cause, under the title: what explains this alert, or what it explains. */
  #cause(a) {
    const i = this.incident.data?.incident;
    const link = (text) => html`<a class="acc" href=${href(`/incidents/${a.incident}`)}>${text}</a>`;
    if (i?.number !== a.incident)
      return html`<p>${isClosed(a) ? "Was part" : "Part"} of ${link(`incident I-${a.incident}`)}</p>`;
    const likely = isSure(i) ? "Likely" : "Possible";
    const others = plural(i.alertCount - 1, "other alert");
    if (!i.cause) return html`<p>${others} of the same kind here: ${link(html`I-${i.number} ${i.title}`)}</p>`;
    if (i.cause.id === a.id) return html`<p>${likely} cause of ${others}: ${link(`incident I-${i.number}`)}</p>`;
    return html`<p>
      ${likely} cause: ${link(html`<b>${i.title}</b>`)}
      <span class="m">I-${i.number}, ${plural(i.alertCount, "alert")}</span>
    </p>`;
  }

  say(a) {
    const e = a.explanation;
    if (!e?.text) return nothing;
    return html`<p class="say">${sentence(e, a.severity)}</p>`;
  }

  actions(a) {
    if (isClosed(a))
      return html`<div class="row wrap">
        <span class="m">Closed after ${duration(openFor(a))}.</span>
        <span class="sp"></span>
        ${this.#links(a)}
      </div>`;
    const aside = a.controlState === "suspended";
    return html`<div class="row wrap">
      ${a.owner
        ? actButton("Give back", "", () => act("release", [a]))
        : actButton("Take", "I", () => act("take", [a]), { primary: true })}
      ${actButton(a.controlState === "acknowledged" ? "Acknowledged" : "Acknowledge", "A", () => acknowledge([a]))}
      ${aside ? actButton("Resume", "", () => act("resume", [a])) : actButton("Suspend\u2026", "Z", () => suspend([a]))}
      <span class="m s12 cut">${a.owner ? `with ${a.owner}` : "unassigned"}</span>
      <span class="sp"></span>
      ${this.#links(a)}
    </div>`;
  }

  #links(a) {
    const [from, to] = span(a);
    const group =
      a.definition.source === "outlier-group"
        ? html`<a class="acc s12 nw" href=${href(`/outliers/${a.definition.id}`)}>Open group</a>`
        : nothing;
    const silence =
      mayAct() && !isClosed(a)
        ? html`<button
            class="link s12 nw"
            title="Notifications are held back for a while (M)"
            @click=${() => silenceAlerts([a])}
          >
            Silence…
          </button>`
        : nothing;
    const why = canAsk(worstMember(a).object)
      ? html`<a class="acc s12 nw" href=${href("/why-slow", { alert: a.id })} title="Where its time is lost (S)"
          >Why slow?</a
        >`
      : nothing;
    return html`${silence}${group}${why}<a
        class="acc s12 nw"
        href=${href(`/objects/${worstMember(a).object.id}`)}
        @click=${() => setAbsolute(from, to)}
        >Open object</a
      >`;
  }

  /** Outlier alerts show all members of the group, then. */
  #groupChart(a) {
    const member = worstMember(a);
    const [from, to] = span(a);
    this.peers.want(
      [{ id: a.id, group: { id: a.definition.id }, object: member.object, metrics: [{ key: member.key }] }],
      from,
      to,
    );
    const found = this.peers.of({ id: a.id, object: member.object });
    if (!found) return html`<section class="sec chart-sec" aria-label="Chart"></section>`;
    const { data, metric } = found;
    const inputs = [found, a.id, a.canceledAt];
    if (!this.#spec.inputs.length || !this.#spec.inputs.every((v, i) => v === inputs[i])) {
      const names = new Map(data.objects.map((o) => [o.id, o.name]));
      this.#spec = {
        inputs,
        spec: {
          unit: metric.unit,
          network: isNetwork(metric.key),
          log: metric.log,
          from: data.from,
          to: data.to,
          times: data.times,
          stepMillis: data.stepMillis,
          centre: metric.centre,
          lower: metric.lower,
          upper: metric.upper,
          judged: data.judged,
          members: metric.members.map((m) => ({
            id: m.objectId,
            name: names.get(m.objectId) ?? "",
            values: m.values,
            scores: m.scores,
            token: m.objectId === member.object.id ? "--deviant-1" : null,
          })),
          events: [{ from: Date.parse(a.since), to: a.canceledAt ? Date.parse(a.canceledAt) : null }],
          flags: [],
          opensAt: data.opensAt,
          closesBelow: data.closesBelow,
          lane: false,
          margin: false,
          words: a.explanation?.text ?? metric.name,
        },
      };
    }
    return html`<section class="sec chart-sec" aria-label="Chart">
      <group-chart class="in-detail" .spec=${this.#spec.spec}></group-chart>
    </section>`;
  }

  chart(a) {
    if (a.definition.source === "outlier-group") return this.#groupChart(a);
    if (a.definition.source === "talker-report") return nothing; // a share is no stored metric
    const member = worstMember(a);
    if (!isMetric(member, a)) return nothing;
    const words = member.object.id === a.object.id ? "" : `of ${member.object.name}, `;
    return html`<section class="sec chart-sec" aria-label="Chart">
      ${this.series.error && !this.series.loading
        ? html`<p class="warn s12">
            No chart: ${this.series.error.message}
            <button class="link" @click=${() => this.series.again()}>Retry</button>
          </p>`
        : html`<series-chart .spec=${this.#made(a, member, words)}></series-chart>`}
    </section>`;
  }

  #made(a, member, words) {
    const [from, to] = span(a);
    const inputs = [this.series.data, this.bounds.data, a.id, a.bound, a.upper, a.canceledAt, a.severity, from, to];
    if (this.#spec.inputs.every((v, i) => v === inputs[i]) && this.#spec.inputs.length) return this.#spec.spec;
    const data = this.series.data;
    const line = data?.series.find((s) => s.metric === member.key);
    const some = line?.values.some((v) => v !== null);
    const usual = isUsual(member) && data ? usualLine(this.bounds.data, data.times) : null;
    const spec = {
      title: metricName(member.key),
      hint: member.key,
      unit: line?.unit ?? a.unit,
      network: isNetwork(member.key),
      from,
      to,
      times: data?.times ?? [],
      stepMillis: data?.stepMillis ?? 0,
      series: line
        ? [
            ...(usual ? [usual] : []),
            {
              name: member.object.name,
              values: line.values,
              ...(usual ? {} : { min: line.min, max: line.max }),
              style: "main",
            },
          ]
        : [],
      medianWord: "usual",
      limits: limitsOf(
        (a.members?.length ? a.members : [member]).filter(
          (m) => m.key === member.key && m.object.id === member.object.id,
        ),
      ),
      washes: [{ from: Date.parse(a.since), to: a.canceledAt ? Date.parse(a.canceledAt) : to }],
      note: `${words}${against({ bound: member.bound, upper: member.upper }, member.operator ?? a.operator, member.unit ?? a.unit, member.key)}`,
      empty: data && !some ? "no value in this span" : undefined,
    };
    this.#spec = { inputs, spec };
    return spec;
  }

  members(a) {
    if (!(a.memberCount > 1)) return nothing;
    const shown = a.members ?? [];
    return section(
      "Symptoms",
      `${a.memberCount} together`,
      html`${shown
        .slice(0, 12)
        .map((m) => symptom(m, m.object.id === a.object.id ? "" : m.object.name))}${a.memberCount >
      Math.min(12, shown.length)
        ? html`<p class="m s12">and ${a.memberCount - Math.min(12, shown.length)} more</p>`
        : nothing}`,
    );
  }

  historySection(a) {
    return section(
      "History",
      nothing,
      loaded(this.history, ({ items }) => html`${items.filter((h) => h.event !== "note").map((h) => step(h, a))}`, {
        rows: 3,
        isEmpty: ({ items }) => !items.length,
        empty: "Nothing has happened to it yet.",
      }),
    );
  }

  relatedSection() {
    const { data } = this.related;
    if (data && !data.symptoms.length && !data.changes.length && !data.earlier.length)
      return section(
        "Related",
        nothing,
        html`<p class="m s12">
          No other symptom on it or beside it, no change near its beginning, no earlier alert of the same rule.
        </p>`,
      );
    return section(
      "Related",
      nothing,
      loaded(
        this.related,
        ({ symptoms, changes, earlier }) =>
          html` ${symptoms.map(({ relation, symptom: s }) => symptom(s, RELATIONS[relation]?.(s) ?? s.object.name))}
          ${changes.map(change)}
          ${earlier.map(
            (e) =>
              html`<a class="ev" href=${href(`/alerts/${e.id}`)}
                ><span class="m nw">${when(e.openedAt)}</span>${isClosed(e)
                  ? severityShape(null, 10)
                  : severityShape(e.severity, 10)}<span class="cut"
                  >Same alert,
                  ${duration(openFor(e))}${stateWords(e) && isClosed(e)
                    ? `, ${stateWords(e).split(", ").slice(1).join(", ")}`
                    : ""}</span
                ></a
              >`,
          )}`,
        { rows: 3 },
      ),
    );
  }

  /** Around that time when it was explained, part by part. */
  around(a) {
    const { around: parts, since } = a.explanation ?? {};
    if (!parts?.symptoms.length && !parts?.changes.length) return nothing;
    const more = (total, shown) =>
      total > shown ? html`<p class="m s12">and ${count(total - shown)} more</p>` : nothing;
    return section(
      "Around that time",
      `when it began, ${when(since)}`,
      html`${parts.symptoms.map(({ relation, symptom: s }) =>
        symptom(s, RELATIONS[relation]?.(s) ?? s.object.name),
      )}${more(parts.symptomCount, parts.symptoms.length)}
      ${parts.changes.map(change)}${more(parts.changeCount, parts.changes.length)}`,
    );
  }

  recommended(a) {
    if (!a.recommendations?.length) return nothing;
    return section(
      "Recommended",
      nothing,
      html`<ol class="steps">
        ${a.recommendations.map((r) => html`<li>${r}</li>`)}
      </ol>`,
    );
  }

  notes(a) {
    const all = (this.history.data?.items ?? []).filter((h) => h.event === "note");
    const add = async (event) => {
      event.preventDefault();
      const text = this.#note.trim();
      if (!text || this.#busy) return;
      this.#busy = true;
      redraw();
      if ((await act("note", [a], { note: text })).length) {
        this.#note = "";
        this.history.again();
      }
      this.#busy = false;
      redraw();
    };
    return section(
      "Notes",
      nothing,
      html`${repeat(
          all,
          (n) => n.time,
          (n) =>
            html`<p class="note-line">
              <span class="m s12">${n.by ?? ""}, ${moment(Date.parse(n.time))}</span><br />${n.note}
            </p>`,
        )}
        <form class="row" @submit=${add}>
          <input
            class="field"
            id="note"
            maxlength="4000"
            autocomplete="off"
            placeholder=${mayAct() ? "What you found or did" : NEEDS}
            aria-label="Note"
            ?disabled=${!mayAct()}
            .value=${this.#note}
            @input=${(e) => ((this.#note = e.target.value), redraw())}
          />
          <button
            class="ctl"
            ?disabled=${!mayAct() || this.#busy || !this.#note.trim()}
            title=${mayAct() ? nothing : NEEDS}
          >
            Add
          </button>
        </form>`,
    );
  }

  /** What one sees of it beside a list. */
  view(alert) {
    this.#want(alert);
    const a = this.#newest(alert);
    return html`<div class="detail-scroll">
      <div class="sec first">${this.head(a)}${this.say(a)}${this.actions(a)}</div>
      ${this.chart(a)}${this.members(a)}${this.around(a)}${this.historySection(a)}${this.notified.section(
        a,
      )}${this.relatedSection()}${this.recommended(a)}${this.notes(a)}
    </div>`;
  }

  /** The same on a page of its own. */
  page(alert) {
    this.#want(alert);
    const a = this.#newest(alert);
    return html`<div class="cols">
      <div class="col">
        <section class="pane">
          <div class="sec first">
            ${this.head(a, { back: true })}${this.say(a)}
            <div class="wide-acts">${this.actions(a)}</div>
          </div>
          ${this.chart(a)}
        </section>
        ${a.memberCount > 1 ? html`<section class="pane">${this.members(a)}</section>` : nothing}
        <section class="pane">${this.notified.section(a, true)}</section>
        <section class="pane">${this.around(a)}${this.relatedSection()}</section>
      </div>
      <div class="col">
        <section class="pane">${this.historySection(a)}</section>
        ${a.recommendations?.length ? html`<section class="pane">${this.recommended(a)}</section>` : nothing}
        <section class="pane">${this.notes(a)}</section>
        ${auditPane(a.id, a.updatedAt)}
      </div>
    </div>`;
  }
}

const section = (title, note, body) =>
  html`<section class="sec" aria-label=${title}>
    <h3>${title} <span class="m">${note}</span></h3>
    ${body}
  </section>`;

/** A clock time today, a weekday within the last week, else a date. */
function when(time) {
  const ms = Date.parse(time);
  const words = moment(ms);
  if (words.length <= 5) return words;
  return Date.now() - ms < 6 * DAY ? `${weekday(ms)} ${words.slice(-5)}` : date(ms);
}

const lower = (kind) => kindWord(kind).toLowerCase().replace("vm", "VM");
const RELATIONS = {
  self: () => "",
  parent: (s) => `its ${lower(s.object.objectKind)} ${s.object.name}`,
  ancestor: (s) => `above it, ${s.object.name}`,
  child: (s) => `below it, ${s.object.name}`,
  sibling: (s) => `beside it, ${s.object.name}`,
};

function symptom(s, where) {
  return html`<a class="ev" href=${href(`/objects/${s.object.id}`)}
    ><span class="m nw">${when(s.since)}</span>${s.unknown ? shape("unknown", 10) : severityShape(s.severity, 10)}
    <span class="cut" title=${s.threshold.name}
      >${where ? html`<b>${where}</b>: ` : nothing}${s.threshold.name}${s.instance ? `, ${s.instance}` : ""}
      <span class="m">${found(s, s.unit, s.key)}</span></span
    ></a
  >`;
}

const change = (c) =>
  html`<a class="ev" href=${href(`/objects/${c.object.id}`)}
    ><span class="m nw">${when(c.time)}</span>${shape("alike", 10)}<span class="cut" title=${changeText(c)}
      ><b>${c.object.name}</b> ${changeText(c)}</span
    ></a
  >`;

const EVENTS = {
  opened: (h, a) => `New: ${figures(h, a)}`,
  reopened: (h, a) => `Opened again: ${figures(h, a)}`,
  severity: (h, a) => `Now ${h.severity}: ${figures(h, a)}`,
  members: (h, a) => `Updated: ${figures(h, a)}`,
  canceled: (h, a) =>
    `Closed${h.by ? ` by ${h.by}` : ""}${h.value === null ? "" : ` at ${found({ ...h, unknown: false }, a.unit, a.key)}`}`,
  acknowledged: (h) => `Acknowledged by ${h.by}`,
  unacknowledged: (h) => `No longer acknowledged, ${h.by}`,
  assigned: (h) => (h.note ? `Assigned to ${h.note} by ${h.by}` : `Taken by ${h.by}`),
  released: (h) => `Given back by ${h.by}`,
  suspended: (h) => `Suspended by ${h.by}`,
  resumed: (h) => `Open again${h.by ? `, ${h.by}` : ""}`,
  suppressed: (h) => `Held back by maintenance${h.note ? `: ${h.note}` : ""}`,
  unsuppressed: () => "No longer held back by maintenance",
  incident: (h) => html`Joined <a class="acc" href=${href(`/incidents/${h.note?.slice(2)}`)}>${h.note}</a>`,
  flapping: () => "It flaps: it stays open until it has been quiet",
};

function figures(h, a) {
  const limit = against({ bound: h.bound, upper: h.upper }, a.operator, a.unit, a.key);
  return `${found({ value: h.value, text: h.text, unknown: false, bound: h.bound, upper: h.upper }, a.unit, a.key)}${limit ? `, ${limit}` : ""}`;
}

function step(h, a) {
  const words = EVENTS[h.event]?.(h, a) ?? h.event;
  const quiet = ["canceled", "released", "suspended", "suppressed"].includes(h.event);
  return html`<div class="ev" title=${h.explanation ?? (typeof words === "string" ? words : nothing)}>
    <span class="m nw">${when(h.time)}</span>
    ${quiet ? severityShape(null, 10) : severityShape(h.severity, 10)}
    <span class="cut">${words}</span>
  </div>`;
}
