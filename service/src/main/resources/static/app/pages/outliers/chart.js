// The chart of one metric of a group: what was judged over the range of the page, at the sensitivity of the group or,
// to look at only, at another one.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get, post } from "../../core/api.js";
import { changeText } from "../../core/changes.js";
import { count, number, plural, scale } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { isNetwork } from "../../core/metrics.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, moment, range } from "../../core/time.js";
import { episodes } from "../../chart/cut.js";
import { bandAt } from "../../chart/group-layout.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { deviantToken } from "../../parts/peers.js";
import { segments } from "../../parts/small.js";
import { groupEdit, nameOf, SENSITIVITIES, sensitivityName, usualText, valueText } from "./words.js";
import "../../chart/group-chart.js";

const POINTS = 420;
const MEMBERS = 200;
const MONTH = 30 * DAY;
const CLOSES = 0.6;
const LEAST = 2;
const SETTLED = 10 * 60_000;
const MOST = 10;
const STEPS = 200;

export class OutlierChart {
  #spec = { inputs: [] };
  #tried = null;
  #log = null;
  #table = false;
  #busy = false;
  #key = null;
  #young = false;

  pointed = null;

  constructor(id) {
    this.id = id;
    this.results = new Load((metric, from, to, _bucket, signal) =>
      get(`/outlier-groups/${id}/results`, { metric, from, to, points: POINTS, members: MEMBERS }, signal),
    );
    // Of a group that is younger than the range: what it would have judged before it was there.
    this.before = new Load(
      async (group, from, to, signal) =>
        (
          await post(
            "/outlier-groups/preview",
            { group, from: String(from), to: String(to), points: POINTS, members: MEMBERS },
            signal,
          )
        ).results,
    );
    // How many events a month other sensitivities would have given is asked for when somebody tries one.
    this.month = new Load((group, from, to, signal) =>
      post("/outlier-groups/preview", { group, from: String(from), to: String(to), points: 10, members: 0 }, signal),
    );
  }

  want(group, key) {
    const { from, to } = range();
    this.between(group, key, from, to, group.now.bucket);
    if (this.#tried !== null) {
      const until = Math.floor(Date.now() / 300_000) * 300_000;
      this.month.want(groupEdit(group), until - MONTH, until);
    }
  }

  /** Reads what was judged of one metric; again when `mark` is another. */
  between(group, key, from, to, mark) {
    this.#key = key;
    this.results.want(key, String(Math.floor(from)), String(Math.ceil(to)), mark);
    this.#young = Date.parse(group.createdAt) > from + group.bucketMillis;
    if (this.#young)
      this.before.want(groupEdit(group), Math.floor(from / 60_000) * 60_000, Math.floor(to / 60_000) * 60_000);
  }

  /** The sensitivity that the page shows. */
  sensitivity(group) {
    return this.#tried ?? group.opensAt;
  }

  #try(group, value) {
    this.#tried = Math.abs(value - group.opensAt) < 0.005 ? null : value;
    redraw();
  }

  async #keep(group, etag, done) {
    this.#busy = true;
    redraw();
    try {
      await exchange("PUT", `/outlier-groups/${this.id}`, {
        body: { ...groupEdit(group), sensitivity: String(number(this.#tried, 3)) },
        etag,
      });
      this.#tried = null;
      notice("Kept; the next bucket uses it");
      done();
    } catch (error) {
      notice(
        error.status === 412
          ? "Somebody else changed the group meanwhile; it is read again"
          : `Not kept: ${error.message}`,
        { seconds: 8 },
      );
      done();
    }
    this.#busy = false;
    redraw();
  }

  /** What is drawn: what was judged, of a young group what it would have judged. */
  get data() {
    return (this.#young ? this.before.data : null) ?? this.results.data;
  }

  get metric() {
    return this.data?.metrics.find((m) => m.key === this.#key) ?? this.data?.metrics[0] ?? null;
  }

  /** Colours of members that differ, in the order in which they began to. */
  tokens(events) {
    const list = events
      .filter((e) => e.object)
      .toSorted((a, b) => a.since.localeCompare(b.since) || a.id.localeCompare(b.id))
      .map((e) => e.object.id);
    const ids = [...new Set(list)];
    return new Map(ids.map((id, i) => [id, deviantToken(i, ids.length)]));
  }

  /** Values of a member of the metric shown, for its line in the table. */
  values(objectId) {
    return this.#byId().get(objectId)?.values ?? [];
  }

  #lines = { of: null, map: new Map() };
  #byId() {
    const { metric } = this;
    if (this.#lines.of !== metric)
      this.#lines = { of: metric, map: new Map((metric?.members ?? []).map((m) => [m.objectId, m])) };
    return this.#lines.map;
  }

  /** The spec of the chart; made anew only when what it shows is. */
  spec({ group, events, changes, words }) {
    const { data, metric } = this;
    const inputs = [data, metric, this.#tried, this.#log, events, changes, group.version, words];
    if (this.#spec.inputs.length && this.#spec.inputs.every((v, i) => v === inputs[i])) return this.#spec.spec;
    const at = this.sensitivity(group);
    const log = this.#log ?? metric.log;
    const band = bandAt(metric, at / data.opensAt, log);
    const names = new Map(data.objects.map((o) => [o.id, o.name]));
    const open = events.filter((e) => !e.closedAt || Date.parse(e.closedAt) >= data.from);
    const cut = this.#tried === null ? null : this.#cut(group, at);
    const tokens = cut ? new Map([...cut.keys()].map((id, i) => [id, deviantToken(i, cut.size)])) : this.tokens(open);
    const spec = {
      unit: metric.unit,
      network: isNetwork(metric.key),
      log,
      from: data.from,
      to: data.to,
      times: data.times,
      stepMillis: data.stepMillis,
      centre: metric.centre,
      ...band,
      usualLower: metric.usualLower,
      usualUpper: metric.usualUpper,
      judged: data.judged,
      opensAt: at,
      closesBelow: this.#tried === null ? data.closesBelow : at * CLOSES,
      opensWords: `${group.opens.violations} of ${group.opens.of}`,
      closesWords: String(group.closesAfter),
      members: metric.members.map((m) => ({
        id: m.objectId,
        name: names.get(m.objectId) ?? "",
        values: m.values,
        scores: m.scores,
        token: tokens.get(m.objectId) ?? null,
      })),
      events: cut
        ? [...cut].flatMap(([id, list]) =>
            list.map((e) => ({
              from: data.times[e.from],
              to: e.to === null ? null : data.times[e.to],
              token: tokens.get(id),
            })),
          )
        : open.map((e) => ({
            from: Date.parse(e.since),
            to: e.closedAt ? Date.parse(e.closedAt) : null,
            token: tokens.get(e.object?.id) ?? "--deviant-1",
          })),
      flags: changes,
      words,
    };
    this.#spec = { inputs, spec };
    return spec;
  }

  /** Who would have been out at a sensitivity, in the values on the page. */
  #cut(group, opensAt) {
    const found = new Map();
    const { violations, of } = group.opens;
    for (const m of this.metric.members) {
      const list = episodes(m.scores, {
        opensAt,
        closesBelow: opensAt * CLOSES,
        violations,
        of,
        closesAfter: group.closesAfter,
        side: group.side,
      });
      if (list.length) found.set(m.objectId, list);
    }
    return found;
  }

  /** "at High: 2 more events in 30 days". */
  #effect(group) {
    const at = this.#tried;
    const named = `${sensitivityName(at) === "Own" ? number(at, 3) : `${sensitivityName(at)} ${number(at, 3)}`}`;
    const { data, error } = this.month;
    if (error && !data) return html`<span class="m">at ${named}; ${error.message}</span>`;
    if (!data) return html`<span class="m">at ${named}: counting the events of 30 days…</span>`;
    const near = (v) =>
      data.grid.reduce(
        (best, s) => (Math.abs(s.sensitivity - v) < Math.abs(best.sensitivity - v) ? s : best),
        data.grid[0],
      );
    const apart = near(at).count - near(group.opensAt).count;
    const events = Math.abs(apart) === 1 ? "event" : "events";
    return html`<span
      >at ${named}:
      <b>${apart === 0 ? "as many events" : `${count(Math.abs(apart))} ${apart > 0 ? "more" : "fewer"} ${events}`}</b>
      in 30 days</span
    >`;
  }

  #slider(group, etag, done) {
    if (group.method.type !== "peers") return html`<span class="m s12">${group.method.type.toUpperCase()}</span>`;
    const at = this.sensitivity(group);
    // To the right is more sensitive, that is, fewer deviations.
    const put = (event) => this.#try(group, LEAST + MOST - Number(event.target.value));
    const snap = (event) => {
      const near = SENSITIVITIES.find(([, , v]) => Math.abs(v - this.sensitivity(group)) < 0.16);
      if (near) this.#try(group, near[2]);
      event.target.blur();
    };
    const operator = may("operator");
    return html`${this.#tried === null
        ? nothing
        : html`<span
              class="s12 effect"
              role="status"
              title="The page shows it only; Keep makes it the sensitivity of the group"
              >${this.#effect(group)}</span
            ><button
              class="ctl low"
              ?disabled=${!operator || this.#busy}
              title=${operator ? "Makes it the sensitivity of the group" : NEEDS}
              @click=${() => this.#keep(group, etag, done)}
            >
              Keep</button
            ><button class="link s12" @click=${() => this.#try(group, group.opensAt)}>Back</button>`}
      <label class="row s12 sense"
        >${this.#tried === null ? html`<span class="m">Sensitivity</span>` : nothing}<input
          type="range"
          min=${LEAST}
          max=${MOST}
          step="0.1"
          .value=${String(LEAST + MOST - at)}
          aria-label="Sensitivity"
          aria-valuetext=${`${sensitivityName(at)}, ${number(at, 3)} robust deviations`}
          @input=${put}
          @change=${snap}
        /><span class="at">${sensitivityName(at)} <span class="m">${number(at, 3)}</span></span></label
      >`;
  }

  /** The pane with the chart, or why there is none. */
  view({ group, etag, metric, events, changes, words, done }) {
    const { data } = this;
    const shown = this.metric;
    const unit = shown
      ? scale(shown.unit, Math.max(...shown.upper.filter((v) => v !== null), 0), isNetwork(shown.key)).unit
      : "";
    const log = this.#log ?? shown?.log ?? false;
    const some = shown?.members.some((m) => m.values.some((v) => v !== null));
    const body =
      this.results.error && !this.results.loading
        ? failure(this.results.error, () => this.results.again())
        : !data
          ? loaded(this.results, () => nothing, { rows: 8 })
          : some
            ? html`<group-chart
                class=${this.results.loading && this.results.waited > 150 ? "dimmed" : ""}
                .spec=${this.spec({ group, events, changes, words })}
                .pointed=${this.pointed}
                .table=${this.#table}
              ></group-chart>`
            : html`<div class="empty">
                ${group.now.bucket
                  ? `Nothing was judged between ${moment(range().from)} and ${moment(range().to)}.`
                  : "No bucket was judged yet; the first is judged shortly after its end."}
              </div>`;
    const more =
      data && data.members > data.objects.length
        ? `${count(data.objects.length)} of ${plural(data.members, "member")}, the farthest`
        : "";
    const young =
      this.#young && this.before.data
        ? `before ${moment(Date.parse(group.createdAt))} as it would have been judged`
        : "";
    return html`<section class="pane group-pane" aria-label=${nameOf(metric)}>
      <div class="ph">
        <h2>${nameOf(metric)}</h2>
        ${this.#tried === null
          ? html`<span class="m cut">${[unit, usualText(metric), more, young].filter(Boolean).join(", ")}</span>`
          : nothing}
        <span class="sp"></span>
        ${this.#slider(group, etag, done)}
        <button
          class="icon"
          title=${this.#table ? "Show as chart" : "Show as table"}
          aria-label=${this.#table ? "Show as chart" : "Show as table"}
          aria-pressed=${this.#table}
          @click=${() => {
            this.#table = !this.#table;
            redraw();
          }}
        >
          <svg width="13" height="13" viewBox="0 0 13 13" fill="none" stroke="currentColor" stroke-width="1.2">
            <path d="M1.5 2h10v9h-10zM1.5 5h10M1.5 8h10M5 2v9" />
          </svg>
        </button>
        ${segments(
          log,
          [
            [true, "Log"],
            [false, "Linear"],
          ],
          (v) => {
            this.#log = v;
            redraw();
          },
          "Axis",
        )}
      </div>
      ${body}
    </section>`;
  }
}

/**
 * What changed on or around a member, what people noted of its event (`steps`), and who joined or left after the group
 * had `begun`, as flags of the chart.
 */
export function flagsOf(nearby, steps, membership = [], begun = 0) {
  const words = { joined: "joined", left: "left", marked: "marked as expected", unmarked: "no longer marked" };
  return [
    ...nearby
      .filter((c) => c.kind !== "membership" || !membership.length)
      .map((c) => ({ at: Date.parse(c.time), text: nearbyText(c) })),
    ...membership
      .filter((m) => Date.parse(m.time) > begun + SETTLED)
      .map((m) => ({ at: Date.parse(m.time), text: `${m.object.name} ${words[m.kind] ?? m.kind}` })),
    ...steps
      .filter((s) => s.event === "note" && s.note)
      .map((s) => ({ at: Date.parse(s.time), text: s.by ? `${s.by}: ${s.note}` : s.note, note: true })),
  ];
}

/** The steps in the life of an event, newest first; of the one that is asked for last. */
export const eventSteps = () =>
  new Load((id, _version, _noteCount, signal) => get(`/outlier-events/${id}/history`, { limit: STEPS }, signal));

/** A change near an event in words; without the name of `subject`, where it goes without saying. */
export function nearbyText(c, subject = null) {
  const name = c.object?.name && c.object.id !== subject ? `${c.object.name} ` : "";
  if (c.kind === "rule") return `rule ${c.key ?? ""} ${c.after ?? "changed"}`;
  if (c.kind === "maintenance") return `maintenance ${c.key ?? ""} ${c.after ?? ""}`;
  if (c.kind === "membership") return `${name}${c.after ?? c.before ?? "changed"}`;
  return `${name}${changeText({ ...c, object: c.object ?? { objectKind: "" } })}`;
}

/** What the chart shows, in words, when nothing is out. */
export const plainWords = (group, metric) =>
  `${nameOf(metric)} of ${plural(group.now.members, "member")} of ${group.name}, ${group.now.judged} judged, median ${metric.centre === null ? "unknown" : valueText(metric.centre, metric)}, accepted ${metric.lower === null ? "unknown" : `${valueText(metric.lower, metric)} to ${valueText(metric.upper, metric)}`}.`;
