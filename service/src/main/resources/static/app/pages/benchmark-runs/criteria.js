// Criteria of acceptance: kept for all who use this installation, written as JSON, chosen by name.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { amend, param } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { download } from "../../parts/download.js";
import { failure } from "../../parts/pane.js";
import { fileChoice } from "../../parts/file-choice.js";

const PATH = "/benchmark-runs/criteria";
const MOST = 100_000;

/** Those that are kept, with the version of their list. */
export const kept = new Load((signal) => exchange("GET", PATH, { signal }));

const byName = memo((data) => Object.fromEntries((data?.items ?? []).map((one) => [one.name, one])));
const allCriteria = () => byName(kept.data?.data);
/** Those that the address names, null = none, or not read yet. */
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

/** Opens the list of criteria, as it is now, with the text of one. */
export async function showCriteria({ limit, latency }) {
  await kept.again();
  const all = allCriteria();
  const off = !may("operator");
  let name = param("criteria") in all ? param("criteria") : (Object.keys(all)[0] ?? "");
  const textOf = (one) => JSON.stringify(one, null, 2);
  let text = textOf(all[name] ?? example(limit, latency));
  let wrong = "";
  let error = null;
  let busy = false;

  function take(next) {
    text = next;
    wrong = "";
    error = null;
    redraw();
  }

  /** Keeps these in the place of all; says whether that went well. */
  async function put(items) {
    busy = true;
    error = null;
    redraw();
    try {
      await exchange("PUT", PATH, { body: { items }, etag: kept.data?.etag });
      await kept.again();
    } catch (failed) {
      error = failed;
      if (failed.status === 412) kept.again();
    }
    busy = false;
    redraw();
    return error === null;
  }

  async function save() {
    // What is kept already needs no rights to be chosen.
    if (name in allCriteria() && text === textOf(allCriteria()[name])) {
      closeLayer();
      return choose(name);
    }
    let parsed;
    try {
      parsed = JSON.parse(text);
    } catch (failed) {
      wrong = `This is no JSON: ${failed.message}.`;
      return redraw();
    }
    if (typeof parsed?.name !== "string" || !parsed.name.trim() || !Array.isArray(parsed.criteria)) {
      wrong = 'It needs a "name" and a list "criteria".';
      return redraw();
    }
    wrong = "";
    if (!(await put(Object.values({ ...allCriteria(), [parsed.name]: parsed })))) return;
    closeLayer();
    choose(parsed.name);
  }

  async function drop() {
    if (!(await put(Object.values(allCriteria()).filter((one) => one.name !== name)))) return;
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
          Each names a figure, an operator, a limit and its unit; <code>at</code> reads it on a curve. All who use this
          installation see them.
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
          ?readonly=${off}
          .value=${text}
          @input=${(e) => ((text = e.target.value), redraw())}
        ></textarea>
        <p class="crit s12" role="alert">${wrong}</p>
        ${error ? failure(error, null) : nothing}
        <div class="row wrap">
          ${fileChoice({
            words: "From a file\u2026",
            label: "File with criteria",
            accept: ".json,application/json",
            disabled: off,
            take: read,
          })}
          <button class="ctl" @click=${() => download("criteria", "json", text, plural(1, "set of criteria"))}>
            Save as a file
          </button>
          ${name in all
            ? html`<button class="ctl" ?disabled=${off || busy} title=${off ? NEEDS : nothing} @click=${drop}>
                Remove
              </button>`
            : nothing}
        </div>
        <div class="row">
          <span class="sp"></span>
          <button class="ctl" @click=${closeLayer}>Cancel</button>
          <button
            class="ctl primary"
            ?disabled=${busy || (off && !(name in all))}
            title=${off && !(name in all) ? NEEDS : nothing}
            @click=${save}
          >
            Judge by these
          </button>
        </div>`,
    { label: "Criteria" },
  );
}
