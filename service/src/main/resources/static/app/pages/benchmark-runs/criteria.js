// Criteria of acceptance: kept in this browser, written as JSON, chosen by name.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { plural } from "../../core/format.js";
import { keep, kept } from "../../core/store.js";
import { amend, param } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { download } from "../../parts/download.js";
import { fileChoice } from "../../parts/file-choice.js";

const KEPT = "benchmark.criteria";
const MOST = 100_000;

/** By their names. */
export const allCriteria = () => kept(KEPT, {});
/** Those that the address names, null = none. */
export const chosenCriteria = () => allCriteria()[param("criteria")] ?? null;

const choose = (name) => amend({ criteria: name }, { replace: true });

/** Criteria to begin with, about what is shown: each is one that the service understands. */
const example = (limit, latency) => ({
  name: "acceptance",
  criteria: [
    { figure: "iops", at: { latency, limit: limit ?? 1 }, operator: ">=", limit: 100_000, unit: "IO/s" },
    { figure: "latency_p99", operator: "<=", limit: 2, unit: "ms" },
    { figure: "scatter", of: "iops", operator: "<=", limit: 5, unit: "%" },
  ],
});

/** Opens the list of criteria with the text of one. */
export function showCriteria({ limit, latency }) {
  const all = allCriteria();
  let name = param("criteria") in all ? param("criteria") : (Object.keys(all)[0] ?? "");
  const textOf = (one) => JSON.stringify(one, null, 2);
  let text = textOf(all[name] ?? example(limit, latency));
  let wrong = "";

  function take(next) {
    text = next;
    wrong = "";
    redraw();
  }

  function save() {
    let parsed;
    try {
      parsed = JSON.parse(text);
    } catch (error) {
      wrong = `This is no JSON: ${error.message}.`;
      return redraw();
    }
    if (typeof parsed?.name !== "string" || !parsed.name.trim() || !Array.isArray(parsed.criteria)) {
      wrong = 'It needs a "name" and a list "criteria".';
      return redraw();
    }
    keep(KEPT, { ...allCriteria(), [parsed.name]: parsed });
    closeLayer();
    choose(parsed.name);
  }

  function drop() {
    const rest = allCriteria();
    delete rest[name];
    keep(KEPT, Object.keys(rest).length ? rest : null);
    closeLayer();
    if (param("criteria") === name) choose(null);
  }

  /** @param {FileList} files */
  async function read(files) {
    const [file] = files;
    if (!file) return;
    if (file.size > MOST) {
      wrong = `${file.name} is larger than criteria are.`;
      return redraw();
    }
    take(await file.text());
  }

  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">Criteria</h2>
        <p class="i2">
          Each names a figure, an operator, a limit and its unit; <code>at</code> reads it on a curve. They are kept in
          this browser.
        </p>
        ${Object.keys(all).length
          ? html`<label class="lab"
              >Which<select
                class="field"
                @change=${(e) => {
                  name = e.target.value;
                  take(textOf(all[name] ?? example(limit, latency)));
                }}
              >
                ${Object.keys(all).map((n) => html`<option value=${n} ?selected=${n === name}>${n}</option>`)}
                <option value="">new</option>
              </select></label
            >`
          : nothing}
        <textarea
          class="field mono criteria-text"
          autofocus
          rows="14"
          spellcheck="false"
          aria-label="Criteria as JSON"
          maxlength=${MOST}
          .value=${text}
          @input=${(e) => (text = e.target.value)}
        ></textarea>
        <p class="crit s12" role="alert">${wrong}</p>
        <div class="row wrap">
          ${fileChoice({
            words: "From a file\u2026",
            label: "File with criteria",
            accept: ".json,application/json",
            take: read,
          })}
          <button class="ctl" @click=${() => download("criteria", "json", text, plural(1, "set of criteria"))}>
            Save as a file
          </button>
          ${name in all ? html`<button class="ctl" @click=${drop}>Remove</button>` : nothing}
          <span class="sp"></span>
          <button class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary" @click=${save}>Judge by these</button>
        </div>`,
    { label: "Criteria" },
  );
}
