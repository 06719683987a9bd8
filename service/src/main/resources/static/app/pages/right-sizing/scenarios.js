// Plans for a cluster side by side: lists of dated changes, and what each leads to over a year. Nothing is stored.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, NONE } from "../../core/format.js";
import { memo } from "../../core/memo.js";
import { DAY, date, moment } from "../../core/time.js";
import { showPalette } from "../../frame/palette.js";
import { failure, pane } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import "./plan-lines.js";

/** Kinds of changes: `[key, words, what it needs]`; what has a size is like the VMs or hosts that are there. */
const KINDS = [
  ["add-vms", "add VMs", "VM"],
  ["remove-vms", "remove VMs", "VM"],
  ["add-hosts", "add hosts", "host"],
  ["remove-hosts", "remove hosts", "count"],
  ["host-failure", "a host fails for good", ""],
  ["grow", "load grows once by", "share"],
  ["grow-per-year", "load grows a year by", "share"],
];
/** What is added or removed: its kind, and what each is like unless somebody says otherwise. */
const SIZED = {
  VM: { objectKind: "VirtualMachine", usual: "like the mean VM" },
  host: { objectKind: "HostSystem", usual: "like the largest host" },
};
const [LIKE, ONE, OWN] = ["like", "one", "own"];
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
  #cluster = null;
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

  /** What changes were like is of another cluster. */
  #turnTo(id) {
    if (this.#cluster !== id) for (const { changes } of this.#plans) for (const c of changes) delete c.like;
    this.#cluster = id;
  }

  view(cluster) {
    this.#turnTo(cluster.object.id);
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
    const sized = needs in SIZED;
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
        ${needs === "count" || sized ? number("count", "of them", { least: 1, most: 100_000, step: "1" }) : nothing}
        ${sized ? this.#each(c, needs) : nothing}
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
      ${sized && c.each === OWN
        ? html`<div class="row wrap">
            <span class="m s12">each; what is empty counts as 0:</span>
            ${AMOUNTS.map(([name, words]) => number(name, words, { most: 100_000_000, placeholder: "0" }))}
          </div>`
        : nothing}
    </div>`;
  }

  /** What each of those added or removed is like: what is usual, one that is there, or amounts. */
  #each(c, needs) {
    const { objectKind, usual } = SIZED[needs];
    const chosen = c.like ? LIKE : (c.each ?? "");
    const set = (each, like = null) => this.#do(() => Object.assign(c, { each, like }));
    const choose = (event) => {
      const { value } = event.target;
      if (value !== ONE) return set(value === OWN ? OWN : null);
      // Until one is chosen it stays what it was.
      event.target.value = chosen;
      showPalette({
        label: `Like which ${needs}`,
        among: { ancestor: this.#cluster, objectKind },
        choose: ({ id, name }) => set(null, { id, name }),
      });
    };
    const option = (value, words) =>
      html`<option value=${value} ?selected=${value === chosen} .selected=${value === chosen}>${words}</option>`;
    return html`<select class="field low each-like" aria-label="What each is like" @change=${choose}>
      ${option("", usual)} ${c.like ? option(LIKE, `like ${c.like.name}`) : nothing}
      ${option(ONE, c.like ? `like another ${needs}\u2026` : `like one ${needs}\u2026`)}${option(OWN, "of own size")}
    </select>`;
  }
}

/** A change of another kind keeps its day. */
function begun({ day }, kind) {
  const [, , needs] = KINDS.find(([key]) => key === kind);
  if (needs === "share") return { day, kind, share: 20 };
  return needs ? { day, kind, count: kind.endsWith("hosts") ? 1 : 10 } : { day, kind };
}

/** As the API takes it: amounts only where each is of own size, which is of none where nothing is said. */
function toBody(/** @type {any} */ { share, each, like, day, kind, count, ...amounts }) {
  return {
    day,
    kind,
    ...(has(count) ? { count } : {}),
    ...(has(share) ? { share: share / 100 } : {}),
    ...(like ? { like: like.id } : each === OWN ? { cpuMhz: 0, ...amounts } : {}),
  };
}

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

const lineSpecs = memo((items, name) => {
  const points = items.map((i) => i.points.map((p) => ({ time: Date.parse(p.day), value: has(p.vms) ? p.vms : null })));
  if (!points.flat().some((p) => p.value !== null)) return null;
  return {
    words: `VMs that fit into ${name} over a year, by plan`,
    lines: points.map((of, at) => ({ points: of, colour: COLOURS[at], dashed: at > 5 })),
  };
});

/** Machines that fit, day by day, one line for each plan. */
function lines(items, cluster) {
  const spec = lineSpecs(items, cluster.object.name);
  return spec
    ? html`<p class="m s12 plan-head">VMs that fit, with 95 % certainty</p>
        <plan-lines .spec=${spec}></plan-lines>`
    : nothing;
}
