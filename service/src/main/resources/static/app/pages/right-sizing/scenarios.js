// Plans for a cluster side by side: lists of dated changes, and what each leads to over a year. Nothing is stored.
import { html, nothing, repeat, svg } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, NONE } from "../../core/format.js";
import { DAY, date, moment } from "../../core/time.js";
import { failure, pane } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";

/** Kinds of changes: `[key, words, what it needs]`. */
const KINDS = [
  ["add-vms", "add VMs", "amounts"],
  ["remove-vms", "remove VMs", "amounts"],
  ["add-hosts", "add hosts", "amounts"],
  ["remove-hosts", "remove hosts", "count"],
  ["host-failure", "a host fails for good", ""],
  ["grow", "load grows once by", "share"],
  ["grow-per-year", "load grows a year by", "share"],
];
const AMOUNTS = [
  ["cpuMhz", "MHz"],
  ["memoryGb", "GB memory"],
  ["diskGb", "GB disk"],
  ["iops", "IOPS"],
];
const MOST = 8;
const YEAR = 365;
const SUPPLIES = { cpu: "CPU", memory: "memory", disk: "disk space", iops: "IOPS" };
const COLOURS = [
  "--series-6",
  "--series-1",
  "--series-2",
  "--series-3",
  "--series-4",
  "--series-5",
  "--series-1",
  "--series-2",
];
const has = (v) => v !== null && v !== undefined;
const dayText = (ms) => new Date(ms).toISOString().slice(0, 10);
const change = () => ({ day: dayText(Date.now() + 30 * DAY), kind: "add-vms", count: 10 });

export class Scenarios {
  #plans = [
    { name: "As it is", changes: [] },
    { name: "Plan 1", changes: [change()] },
  ];
  #answer = null;
  #error = null;
  #busy = false;

  async #compare(event, cluster) {
    event.preventDefault();
    if (this.#busy) return;
    this.#busy = true;
    this.#error = null;
    redraw();
    try {
      this.#answer = await post("/right-sizing/scenarios", {
        cluster: cluster.object.id,
        scenarios: this.#plans.map(({ name, changes }) => ({ name: name.trim(), changes: changes.map(toBody) })),
      });
    } catch (error) {
      this.#error = error;
    }
    this.#busy = false;
    redraw();
  }

  #do(act) {
    act();
    this.#answer = null;
    redraw();
  }

  view(cluster) {
    const answer = this.#answer?.cluster.id === cluster.object.id ? this.#answer : null;
    return pane({
      title: "Plans side by side",
      name: "plans-pane",
      note: `${cluster.object.name}, over a year; the growth that was measured goes on`,
      body: html`<form @submit=${(e) => this.#compare(e, cluster)}>
          <div class="plans">${this.#plans.map((plan, i) => this.#plan(plan, i))}</div>
          <div class="row pad wrap">
            <button
              type="button"
              class="ctl"
              ?disabled=${this.#plans.length >= MOST}
              @click=${() =>
                this.#do(() => this.#plans.push({ name: `Plan ${this.#plans.length}`, changes: [change()] }))}
            >
              Add a plan
            </button>
            <span class="sp"></span>
            <button class="ctl primary" ?disabled=${this.#busy}>${this.#busy ? "Comparing" : "Compare"}</button>
          </div>
        </form>
        ${this.#error ? failure(this.#error, null) : nothing} ${answer ? results(answer, cluster) : nothing}`,
    });
  }

  #plan(plan, i) {
    return html`<fieldset class="plan">
      <legend class="unseen">${plan.name}</legend>
      <div class="row">
        <i class="plan-colour" .style=${`background:var(${COLOURS[i]})`}></i>
        <input
          class="field"
          aria-label="Name of the plan"
          required
          maxlength="100"
          .value=${plan.name}
          @input=${(e) => (plan.name = e.target.value)}
        />
        ${i
          ? html`<button
              type="button"
              class="icon"
              aria-label=${`Without ${plan.name}`}
              @click=${() => this.#do(() => this.#plans.splice(i, 1))}
            >
              ${icon("close", 11)}
            </button>`
          : nothing}
      </div>
      ${repeat(
        plan.changes,
        (c) => c,
        (c, at) => this.#change(plan, c, at),
      )}
      <button type="button" class="link s12" @click=${() => this.#do(() => plan.changes.push(change()))}>
        Add a change
      </button>
    </fieldset>`;
  }

  #change(plan, c, at) {
    const [, , needs] = KINDS.find(([key]) => key === c.kind);
    const number = (name, words, { least = 0, most, step = "any", placeholder = "" }) =>
      html`<label class="amount"
        ><input
          class="field low"
          type="number"
          min=${least}
          max=${most}
          step=${step}
          placeholder=${placeholder}
          aria-label=${words}
          ?required=${!placeholder}
          .value=${has(c[name]) ? String(c[name]) : ""}
          @input=${(e) => (e.target.value === "" ? delete c[name] : (c[name] = Number(e.target.value)))}
        /><span class="m s12">${words}</span></label
      >`;
    return html`<div class="change-line">
      <div class="row wrap">
        <input
          class="field low"
          type="date"
          aria-label="Day"
          required
          .value=${c.day}
          @change=${(e) => e.target.value && (c.day = e.target.value)}
        />
        <select
          class="field low"
          aria-label="What changes"
          @change=${(e) => this.#do(() => plan.changes.splice(at, 1, begun(c, e.target.value)))}
        >
          ${KINDS.map(([key, words]) => html`<option value=${key} ?selected=${key === c.kind}>${words}</option>`)}
        </select>
        ${needs === "count" || needs === "amounts"
          ? number("count", "of them", { least: 1, most: 100_000, step: "1" })
          : nothing}
        ${needs === "share" ? number("share", "%", { least: -99, most: 10_000 }) : nothing}
        <button
          type="button"
          class="icon"
          aria-label="Without this change"
          @click=${() => this.#do(() => plan.changes.splice(at, 1))}
        >
          ${icon("close", 11)}
        </button>
      </div>
      ${needs === "amounts"
        ? html`<div class="row wrap">
            <span class="m s12">each, empty as usual:</span>
            ${AMOUNTS.map(([name, words]) => number(name, words, { most: 100_000_000, placeholder: "usual" }))}
          </div>`
        : nothing}
    </div>`;
  }
}

/** A change of another kind keeps its day. */
function begun({ day }, kind) {
  const [, , needs] = KINDS.find(([key]) => key === kind);
  if (needs === "share") return { day, kind, share: 20 };
  return needs ? { day, kind, count: kind.endsWith("hosts") ? 1 : 10 } : { day, kind };
}

const toBody = (/** @type {any} */ { share, ...rest }) => ({ ...rest, ...(has(share) ? { share: share / 100 } : {}) });

/** "in 122 days, on 30 Mar", "not within a year". */
function fullWords({ days }, now) {
  if (!has(days)) return "not known";
  if (days > YEAR) return "not within a year";
  return days < 1 ? "it is full now" : `in ${count(days)} days, on ${date(now + days * DAY)}`;
}

function results({ evaluatedAt, items }, cluster) {
  const now = Date.parse(evaluatedAt);
  const row = (name, of) =>
    html`<tr>
      <th scope="row">${name}</th>
      ${items.map((i) => html`<td class="r">${of(i)}</td>`)}
    </tr>`;
  const last = (i) => i.points.at(-1);
  return html`<div class="plan-results">
    ${lines(items, cluster)}
    <div class="scrolls-x">
      <table class="plan-table">
        <thead>
          <tr>
            <td></td>
            ${items.map(
              (i, at) =>
                html`<th class="r">
                  <i class="plan-colour" .style=${`background:var(${COLOURS[at]})`}></i> ${i.name}
                </th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${row("Full", (i) => fullWords(i, now))}
          ${row("At the fastest growth", (i) =>
            has(i.earliestDays) ? fullWords({ days: i.earliestDays }, now) : NONE,
          )}
          ${row("Full first", (i) => (i.fullFirst ? SUPPLIES[i.fullFirst] : NONE))}
          ${row("VMs that fit today", (i) => count(i.points[0]?.vms))}
          ${row("Fewest in the year", (i) => {
            const known = i.points.map((p) => p.vms).filter(has);
            return known.length ? count(Math.min(...known)) : NONE;
          })}
          ${row("In a year", (i) => count(last(i)?.vms))}
        </tbody>
      </table>
    </div>
    <ul class="plan-reasons">
      ${items.map((i) => html`<li><b>${i.name}:</b> ${i.reason}</li>`)}
      <li class="m">Load and capacity are those of ${moment(now)}.</li>
    </ul>
  </div>`;
}

const WIDTH = 1100;
const HEIGHT = 170;
const LEFT = 44;
const BOTTOM = 20;

/** Machines that fit, day by day, one line for each plan. */
function lines(items, cluster) {
  const points = items.flatMap((i) => i.points);
  const known = points.map((p) => p.vms).filter(has);
  if (!known.length) return nothing;
  const times = points.map((p) => Date.parse(p.day));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const top = Math.max(...known, 1) * 1.08;
  const x = (t) => LEFT + ((t - from) / (to - from || 1)) * (WIDTH - LEFT - 8);
  const y = (v) => HEIGHT - BOTTOM - (v / top) * (HEIGHT - BOTTOM - 8);
  const path = (list) => {
    let text = "";
    list.forEach((p, i) => {
      if (has(p.vms))
        text += `${i && has(list[i - 1].vms) ? "L" : "M"}${x(Date.parse(p.day)).toFixed(1)} ${y(p.vms).toFixed(1)}`;
    });
    return text;
  };
  const marks = [0, Math.round(top / 2.16), Math.round(top / 1.08)];
  return html`<svg
    class="plan-lines"
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label=${`VMs that fit into ${cluster.object.name} over a year, by plan`}
  >
    ${marks.map(
      (v) =>
        svg`<line x1=${LEFT} x2=${WIDTH - 8} y1=${y(v)} y2=${y(v)} stroke="var(--grid)"
          /><text class="axis" x=${LEFT - 6} y=${y(v) + 4} text-anchor="end">${count(v)}</text>`,
    )}
    ${items.map(
      (i, at) =>
        svg`<path d=${path(i.points)} fill="none" stroke=${`var(${COLOURS[at]})`} stroke-width="2"
          stroke-linejoin="round" stroke-dasharray=${at > 5 ? "4 3" : nothing} />`,
    )}
    ${[0.08, 0.36, 0.64, 0.92].map(
      (part) =>
        svg`<text class="axis" x=${x(from + part * (to - from))} y=${HEIGHT - 4}
          text-anchor="middle">${date(from + part * (to - from))}</text>`,
    )}
  </svg>`;
}
