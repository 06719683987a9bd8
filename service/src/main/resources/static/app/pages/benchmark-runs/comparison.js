// Two runs beside each other: the verdict first, both loads over the same minutes, what differs, the hosts meanwhile.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { number } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { elapsed, figureName, parameterName, parameterValue, runWords, valueText, wholeSeries } from "./words.js";
import "../../chart/xy-chart.js";

const FEW = 6;

export class Comparison {
  #answer = new Load((run, base, signal) => post("/benchmark-runs/compare", { run, base }, signal));
  #series = new Load(async (run, base, signal) =>
    Promise.all([run, base].map((id) => get(`/benchmark-runs/${id}/series`, {}, signal))),
  );
  #spec = memo((series, a, b) => spec(series, a, b));

  want(a, b) {
    if (!a || !b) {
      this.#answer.reset();
      this.#series.reset();
      return;
    }
    this.#answer.want(a.id, b.id);
    this.#series.want(a.id, b.id);
  }

  #rows(data) {
    const totals = data.totals.slice(0, FEW);
    return html`<dl class="props compared">
      ${totals.map(
        (t) =>
          html`<dt>${figureName(t.name)}</dt>
            <dd>
              ${valueText(t.base, t.unit)} <span class="m">to</span> ${valueText(t.run, t.unit)}${t.percent === null
                ? nothing
                : html` <span class="m">${t.percent > 0 ? "+" : ""}${number(t.percent, 2)} %</span>`}
            </dd>`,
      )}
      ${data.differences.map(
        (d) =>
          html`<dt>${parameterName(d.parameter)}</dt>
            <dd>
              ${parameterValue(d.parameter, d.base)} <span class="m">to</span> ${parameterValue(d.parameter, d.run)}
            </dd>`,
      )}
      ${data.differences.length
        ? nothing
        : html`<dt>Differs</dt>
            <dd class="m">no parameter</dd>`}
      ${data.hosts.map(
        (h) =>
          html`<dt>${h.name} of hosts</dt>
            <dd>${number(h.base, 3)} <span class="m">to</span> ${number(h.run, 3)} ${h.unit}</dd>`,
      )}
      ${data.hosts.length
        ? nothing
        : html`<dt>Hosts then</dt>
            <dd class="m">nothing is known of both times</dd>`}
    </dl>`;
  }

  /** `a` is judged against `b`. */
  view({ a, b, swap, clear }) {
    const body = () => {
      if (!a || !b)
        return html`<div class="empty">
          ${a ? html`<b>A is ${runWords(a)}.</b> Mark another one.` : "Mark two runs to compare them."}
          <span class="keys-said"><kbd>X</kbd> marks the chosen row.</span>
        </div>`;
      const picture = this.#series.data && this.#spec(this.#series.data, a, b);
      return html`${loaded(
        this.#answer,
        (data) =>
          html`<p class="reading-line verdict-line"><b>${data.sentence}</b></p>
            <p class="m s12 which-line">A is ${runWords(a)}; B is ${runWords(b)}.</p>
            ${data.remarks.length
              ? html`<ul class="compare-warnings">
                  ${data.remarks.map((r) => html`<li>${r}</li>`)}
                </ul>`
              : nothing}
            ${picture ? html`<elapsed-chart .spec=${picture}></elapsed-chart>` : nothing} ${this.#rows(data)}`,
        { rows: 6 },
      )}`;
    };
    const days = a?.start && b?.start ? Math.abs(Date.parse(a.start) - Date.parse(b.start)) / 1000 : null;
    return html`<section class="pane comparison-pane" aria-label="A against B" tabindex="-1">
      <div class="ph">
        <h2>A against B</h2>
        <span class="m cut">${days === null ? "" : `${elapsed(days)} apart`}</span>
        <span class="sp"></span>
        ${a && b ? html`<button class="link" @click=${swap}>Swap</button>` : nothing}
        ${a ? html`<button class="link" @click=${clear}>Clear</button>` : nothing}
      </div>
      <div class="pane-scroll" tabindex="0">${body()}</div>
      ${a?.object && a.start
        ? html`<div class="foot-line">
            <span
              >A is shown on <a class="acc" href=${onObject(a)}>${a.object.name}</a> as a change,
              ${moment(Date.parse(a.start))}</span
            >
          </div>`
        : nothing}
    </section>`;
  }
}

/** The page of what was tested, at the time of the run. */
export function onObject(run) {
  const start = Date.parse(run.start);
  const seconds = run.measuredSeconds ?? 60;
  const around = Math.max(seconds * 1000, 1_800_000);
  return href(`/objects/${run.object.id}`, {
    range: null,
    from: new Date(start - around).toISOString(),
    to: new Date(start + seconds * 1000 + around).toISOString(),
  });
}

function spec([one, other], a, b) {
  for (const metric of ["iops", "throughput"]) {
    const [x, y] = [wholeSeries(one.series, metric), wholeSeries(other.series, metric)];
    if (!x || !y) continue;
    const last = (s) => s.values.findLast((v) => v !== null);
    return {
      words: `${figureName(metric)} over the time of both runs. A: ${runWords(a)}, ends at ${valueText(last(x), x.unit)}. B: ${runWords(b)}, ends at ${valueText(last(y), y.unit)}.`,
      lines: [
        { name: `B ${valueText(last(y), y.unit)}`, cls: "base", seconds: y.endSeconds, values: y.values },
        { name: `A ${valueText(last(x), x.unit)}`, cls: "run", seconds: x.endSeconds, values: x.values },
      ],
      steadyFrom: a.steadyFromSeconds ?? null,
      steadyWords: a.steadyFromSeconds ? `A steady from ${elapsed(a.steadyFromSeconds)}` : "",
      zero: false,
      text: (v) => valueText(v, x.unit),
    };
  }
  return null;
}
