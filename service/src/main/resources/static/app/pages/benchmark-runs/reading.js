// What a curve says at the limit, judged by criteria, beside the theoretical maximum and the load that is really there.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { number } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { chosenCriteria, showCriteria } from "./criteria.js";
import { latencyKind } from "./curve-pane.js";

const MARKS = {
  pass: () => html`<span class="met" role="img" aria-label="met">${icon("check", 13)}</span>`,
  fail: () => shape("warning", 12, "not met"),
  "not-known": () => shape("unknown", 12, "not known"),
};
const HUES = ["--seq-5", "--seq-4", "--seq-3", "--seq-2"];

export class Reading {
  #check = new Load((body, signal) => post("/benchmark-runs/check", body, signal));
  #match = new Load((run, signal) => get(`/benchmark-runs/${run}/load-profile`, {}, signal));

  /** Asks anew where something else is shown; `again` says that runs have changed. */
  want({ chosen, theoretical }) {
    const criteria = chosenCriteria();
    if (chosen && criteria) this.#check.want({ runs: chosen.ids, criteria, ...(theoretical ? { theoretical } : {}) });
    else this.#check.reset();
    if (chosen) this.#match.want(chosen.ids[0]);
    else this.#match.reset();
  }

  again() {
    this.#check.reset();
    this.#match.reset();
  }

  #outcomes() {
    return loaded(
      this.#check,
      (data) =>
        html`<p class="reading-line strong">${data.sentence}</p>
          <ul class="criteria-met">
            ${data.outcomes.map(
              (o) =>
                html`<li class=${o.state}>
                  ${MARKS[o.state]()}
                  <div>
                    <b>${o.name}</b>
                    <p class="i2 s12">${o.sentence.replace(`${o.name}: `, "")}</p>
                  </div>
                </li>`,
            )}
          </ul>`,
      { rows: 4 },
    );
  }

  #load() {
    return loaded(
      this.#match,
      (data) => {
        const most = data.mixtures.slice(0, HUES.length);
        const rest = 100 - most.reduce((sum, m) => sum + m.percent, 0);
        return html`<p class="i2 s12">${data.sentence}</p>
          ${most.length
            ? html`<div
                  class="mixture-bar"
                  role="img"
                  aria-label=${`Hours: ${data.mixtures.map((m) => `${m.name} ${number(m.percent, 2)} %`).join(", ")}`}
                >
                  ${most.map(
                    (m, i) =>
                      html`<span
                        title=${`${m.name}, ${number(m.percent, 2)} %`}
                        .style=${`flex-grow:${m.percent};background:var(${HUES[i]})`}
                      ></span>`,
                  )}${rest > 0.5 ? html`<span .style=${`flex-grow:${rest}`} class="rest"></span>` : nothing}
                </div>
                <p class="m s12 mixture-words">
                  ${most.map(
                    (m, i) =>
                      html`<span
                        ><i .style=${`background:var(${HUES[i]})`}></i>${m.name}, ${number(m.percent, 2)} %</span
                      >`,
                  )}
                </p>`
            : nothing}`;
      },
      { rows: 2 },
    );
  }

  view({ chosen, limit }) {
    const criteria = chosenCriteria();
    const { curve } = chosen;
    const open = () => showCriteria({ limit, latency: latencyKind() });
    return html`<section class="pane reading-pane" aria-label="Reading">
      <div class="ph">
        <h2>Reading</h2>
        <span class="m cut">${criteria?.name ?? ""}</span>
        <span class="sp"></span>
        <button class="link" aria-haspopup="dialog" @click=${open}>${criteria ? "Change" : "Choose criteria"}</button>
      </div>
      <div class="pane-scroll" tabindex="0">
        ${curve.reading ? html`<p class="reading-line">${curve.reading}</p>` : nothing}
        ${curve.theoretical ? html`<p class="reading-line">${curve.theoretical.sentence}</p>` : nothing}
        ${criteria
          ? this.#outcomes()
          : html`<p class="reading-line m">
              Criteria say what has to be carried; each is then met or not, with its margin.
            </p>`}
        <div class="own-load">
          <div class="row">
            <h3>Like your own load?</h3>
            <span class="sp"></span>
            <a
              class="link s12"
              href=${this.#match.data?.profile
                ? href(`/load-profiles/${this.#match.data.profile}`)
                : href("/load-profiles")}
              >Load profile</a
            >
          </div>
          ${this.#load()}
        </div>
      </div>
    </section>`;
  }
}
