// What of an object fills up, and when it is full: the growth of four weeks carried on, with its interval.
import { html, nothing, svg } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { number, plural, scale, withUnit } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { metricName } from "../../core/metrics.js";
import { date, DAY, lastTick } from "../../core/time.js";
import { pane } from "../../parts/pane.js";

/** The service says no more than this: more than a year, or no growth that is certain. */
const MOST = 366;
const WIDTH = 250;
const HEIGHT = 44;

export class ObjectForecast {
  constructor(id) {
    this.forecasts = new Load((_hour, signal) => get(`/objects/${id}/forecasts`, {}, signal));
    this.latest = new Load((metrics, _tick, signal) =>
      post("/series/latest", { objects: [id], metrics, maxAge: "30m" }, signal),
    );
  }

  want(hour) {
    this.forecasts.want(hour);
  }

  #now(key) {
    return this.latest.data?.values.find((v) => v.metric === key)?.value ?? null;
  }

  /** Nothing where nothing of the object is known to fill up. */
  view() {
    const items = this.forecasts.data?.items ?? [];
    if (items.length)
      this.latest.want(
        items.map((f) => f.key),
        lastTick(),
      );
    return items.length
      ? pane({ title: "Fills up", body: html`<div class="fills">${items.map((f) => row(f, this.#now(f.key)))}</div>` })
      : nothing;
  }
}

const days = (n) => (n >= MOST ? "over a year" : n < 1 ? "less than a day" : plural(Math.round(n), "day"));

/** How long is left, in words: "41 days", "full", "no growth". */
export function left(f) {
  if (f.level >= f.limit) return "full";
  if (f.days < MOST) return days(f.days);
  return f.earliest < MOST ? `not before ${days(f.earliest)}` : f.perDay <= 0 ? "not growing" : "over a year";
}

/** A part of the limit that what is used now must be above the level of the forecast, to be told. */
const APART = 0.1;

function row(f, now) {
  const units = scale(f.unit, f.limit);
  const of = (v) => number(v * units.factor, 3);
  const on = (days) => date(Date.parse(f.asOf) + days * DAY);
  const when =
    f.days >= MOST || f.level >= f.limit
      ? nothing
      : html`, full
        ${Math.round(f.latest) - Math.round(f.earliest) < 1
          ? `on ${on(f.days)}`
          : `between ${on(f.earliest)} and ${f.latest >= MOST ? "in a year or later" : on(f.latest)}`}`;
  return html`<div class="fill" title=${f.daysKey}>
    <b class="cut">${metricName(f.key)}</b>
    <b class="r">${left(f)}</b>
    ${now !== null && now - f.level > APART * f.limit
      ? html`<span class="warn"
          >now ${of(now)} of ${of(f.limit)} ${units.unit}: far above the level of the last three days, which the
          forecast carries on</span
        >`
      : nothing}
    <span class="m"
      >at ${of(f.level)} of ${of(f.limit)} ${units.unit},
      ${f.perDay > 0 ? `grows ${withUnit(f.perDay, f.unit)} a day` : "does not grow"}${when}</span
    >
    ${picture(f)}
  </div>`;
}

/** Today at the left; the wedge is where it can be, the dashed line above it the limit. */
function picture(f) {
  if (f.level >= f.limit || f.earliest >= MOST) return nothing;
  const end = Math.min(MOST, Math.max(14, 1.15 * (f.days < MOST ? f.latest : f.earliest)));
  const least = Math.min(f.level, f.level + f.perDayLeast * end);
  const x = (d) => (d / end) * WIDTH;
  const y = (v) => 5 + ((f.limit - v) / (f.limit - least || 1)) * (HEIGHT - 10);
  /** @returns {[number, number]} */
  const at = (perDay) => {
    const until = perDay > 0 ? Math.min(end, (f.limit - f.level) / perDay) : end;
    return [x(until), y(f.level + perDay * until)];
  };
  const point = ([a, b]) => `${a.toFixed(1)} ${b.toFixed(1)}`;
  const [fast, middle, slow] = [at(f.perDayMost), at(f.perDay), at(f.perDayLeast)];
  const corner = fast[0] < slow[0] && slow[1] > 5.1 ? `L${WIDTH} 5` : "";
  return html`<svg
    class="cone"
    width=${WIDTH}
    height=${HEIGHT}
    viewBox="0 0 ${WIDTH} ${HEIGHT}"
    role="img"
    aria-label=${`${left(f)}, earliest ${days(f.earliest)}, latest ${days(f.latest)}`}
  >
    <path
      d=${`M0 ${y(f.level).toFixed(1)}L${point(fast)}${corner}L${point(slow)}Z`}
      fill="var(--band)"
      stroke="var(--band-edge)"
      stroke-width="0.7"
    />
    <path d=${`M0 ${y(f.level).toFixed(1)}L${point(middle)}`} stroke="var(--accent)" stroke-width="1.3" fill="none" />
    <line x1="0" x2=${WIDTH} y1="5" y2="5" stroke="var(--ink-3)" stroke-dasharray="3 3" />
    ${svg`<text x=${WIDTH} y=${HEIGHT - 2} text-anchor="end">${plural(Math.round(end), "day")}</text>`}
  </svg>`;
}
