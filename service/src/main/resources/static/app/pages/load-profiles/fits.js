// How many average machines of a group fit into what a benchmark run measured, and whether the run was like their load.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { count, NONE } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { lastTick } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { iops } from "./words.js";

const MOST = 100;
const WORDS = { mean: "By their mean", p50: "By their median", p95: "By their p95" };

/** The newest benchmark runs. */
export const runs = new Load((_tick, signal) => get("/benchmark-runs", { limit: MOST }, signal));
export const wantRuns = () => runs.want(lastTick());

export class Fits {
  #failures = 1;
  #answer = new Load((id, query, signal) => get(`/load-profiles/${id}/fits`, query, signal));

  constructor(id) {
    this.id = id;
  }

  view(group) {
    wantRuns();
    return loaded(
      { ...runs, waited: runs.data ? 0 : runs.waited, again: () => runs.again() },
      ({ items }) => this.#fields(group, items),
      {
        rows: 2,
        isEmpty: ({ items }) => !items.length,
        empty: html`No benchmark run is imported yet; one says what the storage can carry.
          <a class="acc" href=${href("/benchmark-runs")}>Benchmark runs</a>`,
      },
    );
  }

  #fields(group, items) {
    const run = items.find((r) => r.id === param("run")) ?? null;
    if (run) this.#answer.want(this.id, { run: run.id, group: group.name, failures: this.#failures });
    return html`<div class="form load-form">
        <label class="lab"
          >Run<select class="field" @change=${(e) => amend({ run: e.target.value }, { replace: true })}>
            <option value="" ?selected=${!run}>choose one</option>
            ${items.map((r) => html`<option value=${r.id} ?selected=${r === run}>${r.name}</option>`)}
          </select></label
        >
        <label class="lab"
          >Hosts that may fail<input
            class="field"
            type="number"
            min="0"
            max="9999"
            .value=${String(this.#failures)}
            @change=${(e) => {
              if (!e.target.reportValidity() || e.target.value === "") return;
              this.#failures = Math.round(Number(e.target.value));
              redraw();
            }}
        /></label>
      </div>
      ${run ? loaded(this.#answer, answered, { rows: 4 }) : nothing}`;
  }
}

function answered(answer) {
  return html`<p class="fits-say">${answer.sentence}</p>
    ${answer.alikeSentence ? html`<p class="fits-say i2">${answer.alikeSentence}</p>` : nothing}
    <table class="shares">
      <colgroup>
        <col class="w-first" />
        <col />
        <col />
        <col />
      </colgroup>
      <thead>
        <tr>
          <th>Machines that fit</th>
          <th class="r">IOPS each</th>
          <th class="r">Fit</th>
          <th class="r" title="with 95 % certainty">Between</th>
        </tr>
      </thead>
      <tbody>
        ${answer.fits.map(
          (f) =>
            html`<tr>
              <th scope="row">${WORDS[f.at]}</th>
              <td class="r">${iops(f.iops)}</td>
              <td class="r strong">${f.fit === null ? NONE : count(f.fit)}</td>
              <td class="r m">${f.low === null ? NONE : `${count(f.low)} to ${count(f.high)}`}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${answer.remarks.length ? html`<p class="fits-say m s12">${answer.remarks.join(" ")}</p>` : nothing}`;
}
