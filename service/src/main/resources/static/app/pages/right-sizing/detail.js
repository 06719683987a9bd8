// Why a size is recommended, or why something can be given back: the chart that proves it, the figures, what was decided.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { number, plural, short } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, date, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { usageChart } from "./evidence.js";
import { age, amount, decided, gb, hours, IGNORE, percent } from "./words.js";

const POINTS = 360;
const has = (v) => v !== null && v !== undefined;

const fact = (term, value) =>
  value === nothing || value === ""
    ? nothing
    : html`<dt>${term}</dt>
        <dd>${value}</dd>`;

/** "why 16 to 8 vCPUs". */
function why(r) {
  if (r.kind === "too-small" || r.kind === "too-large") return `why ${short(r.now)} to ${amount(r.size, r.unit)}`;
  return (
    { "not-known": "why not known", idle: "why idle", "powered-off": "why powered off", snapshot: "snapshot" }[
      r.kind
    ] ?? "disk"
  );
}

export class Why {
  #detail = new Load((id, _at, signal) => get(`/right-sizing/recommendations/${id}`, {}, signal));
  #series = new Load(async (object, { key, factor, from, to }, signal) => {
    const [begin, end] = [Date.parse(from), Date.parse(to)];
    const data = await post(
      "/series/query",
      { objects: [object], metrics: [key], from: String(begin), to: String(end), maxPoints: POINTS, withRange: true },
      signal,
    );
    const times = (v) => (has(v) ? v * factor : null);
    const [one] = data.series;
    return {
      times: data.times,
      values: (one?.values ?? []).map(times),
      highs: (one?.max ?? []).map(times),
      from: begin,
      to: end,
    };
  });

  /** `acts` has `approve(list)`, `ignore(list, days)`, `reopen(list)`, `ticket(r)` and `close()`. */
  constructor(acts) {
    this.acts = acts;
  }

  again() {
    if (this.#detail.data) this.#detail.again();
  }

  view(r, evaluatedAt) {
    if (this.#detail.of !== r.id) {
      this.#detail.reset();
      this.#series.reset();
      this.#detail.of = r.id;
    }
    this.#detail.want(r.id, evaluatedAt);
    return html`<section class="pane size-why" tabindex="-1" aria-label=${`Why: ${r.object.name}`}>
      <div class="ph">
        <h2 class="cut" title=${r.object.name}>${r.object.name}</h2>
        <span class="m cut">${why(r)}</span>
        <span class="sp"></span>
        <a class="acc s12" href=${href(`/objects/${r.object.id}`)}>Object</a>
        <button class="link s12" @click=${this.acts.close}>Close</button>
      </div>
      ${loaded(this.#detail, (detail) => this.#body(r, detail), { rows: 8 })} ${this.#foot(r)}
    </section>`;
  }

  #chart(r, series) {
    if (!series)
      return r.resource || r.kind === "idle"
        ? html`<div class="empty">${r.kind === "not-known" ? r.reason : "There is no series to draw of it."}</div>`
        : nothing;
    this.#series.want(r.object.id, series);
    return html`<div class="usage">
      ${loaded(
        this.#series,
        (lines) =>
          lines.values.some(has)
            ? usageChart(r, lines)
            : html`<div class="empty">Its history is not kept that far back any more.</div>`,
        { rows: 4 },
      )}
    </div>`;
  }

  /** "90 days"; of a machine that is known for less, "the 14 days that are known". */
  #window({ from, to }) {
    const all = Math.round((Date.parse(to) - Date.parse(from)) / DAY);
    const lines = this.#series.data;
    const first = lines?.values.findIndex(has) ?? -1;
    const known = first < 0 ? all : Math.ceil((lines.to - lines.times[first]) / DAY);
    return known < all - 1 ? `the ${plural(known, "day")} that are known` : plural(all, "day");
  }

  #body(r, { series, sizing, other, idleness, growthGbPerDay, tickets }) {
    const window = series ? this.#window(series) : "the history";
    const regret = () => {
      if (r.kind === "too-small")
        return has(r.regretNowHoursPerWeek)
          ? html`${hours(r.regretNowHoursPerWeek)} a week full at ${short(r.now)}<span class="m">, today's size</span>`
          : "";
      if (!has(r.regretHoursPerWeek)) return "";
      const between =
        sizing && has(sizing.regretLeastHoursPerWeek)
          ? html`,
              <span class="m"
                >${number(sizing.regretLeastHoursPerWeek, 2)} to ${number(sizing.regretMostHoursPerWeek, 2)}</span
              >`
          : nothing;
      return html`${hours(r.regretHoursPerWeek)} a week over ${short(r.size)}${between}`;
    };
    return html`${this.#chart(r, series)}
      <p class="why-reason">${r.reason}</p>
      <dl class="props about why-facts">
        ${has(r.p95)
          ? fact("p95, p99", html`${short(r.p95)} and ${amount(r.p99, r.unit)} <span class="m">in ${window}</span>`)
          : nothing}
        ${sizing ? fact("Step", sizing.step) : nothing} ${fact("Regret", regret())}
        ${sizing
          ? fact(
              "Size is likely",
              html`${short(sizing.least)} to ${amount(sizing.most, r.unit)} <span class="m">with 90 % certainty</span>`,
            )
          : nothing}
        ${sizing?.growthPerDay
          ? fact("Growth", `${amount(sizing.growthPerDay * 30, r.unit)} in 30 days, added`)
          : nothing}
        ${sizing && has(sizing.wasteNow)
          ? fact("Unused", html`${percent(sizing.wasteNow)} now<span class="m">, ${percent(sizing.waste)} then</span>`)
          : nothing}
        ${r.proof.map((p) =>
          fact(
            "It waits",
            html`${p.words} ${short(p.p95)} ${p.unit} at p95<span class="m"
                >, ${hours(p.hoursPerWeek)} a week at its bound</span
              >`,
          ),
        )}
        ${other ? fact(other.resource === "memory" ? "Memory" : "CPU", other.reason) : nothing}
        ${idleness
          ? fact(
              "Quiet",
              html`${percent(idleness.quietShare)} of the hours of
              ${plural(idleness.days, "day")}${idleness.batchShare
                ? html`<span class="m">; ${percent(idleness.batchShare)} more are discounted</span>`
                : nothing}`,
            )
          : nothing}
        ${(idleness?.batches ?? []).map((b) =>
          fact("By the clock", html`${b.words}<span class="m">, on ${percent(b.regularity)} of its days</span>`),
        )}
        ${has(r.ageDays)
          ? fact(
              { snapshot: "Made", "orphaned-disk": "Last changed", "powered-off": "Off for" }[r.kind] ?? "Since",
              r.kind === "powered-off" ? age(r.ageDays) : `${age(r.ageDays)} ago`,
            )
          : nothing}
        ${r.instance ? fact(r.kind === "snapshot" ? "Snapshot" : "File", r.instance) : nothing}
        ${has(growthGbPerDay) ? fact("Grows", `${gb(growthGbPerDay)} a day`) : nothing}
        ${sizing ? fact("Change", sizing.restart ? "needs a restart" : "without a restart") : nothing}
        ${r.owner ? fact("Owner", r.owner) : nothing}
        ${r.decision.state === "open"
          ? nothing
          : fact(
              "Decision",
              html`${decided(r)}<span class="m"
                  >${r.decision.at ? `, ${date(Date.parse(r.decision.at))}` : ""}${r.decision.note
                    ? `: ${r.decision.note}`
                    : ""}</span
                >`,
            )}
        ${tickets.map((t) =>
          fact(
            "Ticket",
            html`${t.delivered ? nothing : shape("warning", 11, "not delivered")} ${t.targetName},
            ${moment(Date.parse(t.at))} by
            ${t.by}${t.delivered ? nothing : html`<span class="warn">: ${t.reason}</span>`}`,
          ),
        )}
      </dl>`;
  }

  #foot(r) {
    const off = !may("operator");
    const title = off ? NEEDS : nothing;
    if (r.kind === "not-known" || r.decision.state === "done") return nothing;
    const reopen = html`<button class="ctl" ?disabled=${off} title=${title} @click=${() => this.acts.reopen([r])}>
      ${r.decision.state === "ignored" ? "Show again" : "Not approved"}
    </button>`;
    return html`<div class="side-foot">
      ${r.decision.state === "open"
        ? html`<button
              class="ctl primary wide-acts"
              ?disabled=${off}
              title=${title}
              @click=${() => this.acts.approve([r])}
            >
              Approve</button
            ><label class="ctl pick-one ignore-until"
              ><span>Ignore until</span
              ><select
                aria-label="Ignore until"
                ?disabled=${off}
                @change=${(e) => {
                  const days = Number(e.target.value);
                  e.target.value = "";
                  if (days) this.acts.ignore([r], days);
                }}
              >
                <option value=""></option>
                ${IGNORE.map(([days, words]) => html`<option value=${days}>${words}</option>`)}
              </select></label
            >`
        : reopen}
      <span class="sp"></span>
      <button class="link" ?disabled=${off} title=${title} @click=${() => this.acts.ticket(r)}>Make a ticket</button>
    </div>`;
  }
}
