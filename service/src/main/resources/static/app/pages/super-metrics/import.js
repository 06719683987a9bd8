// Import of files and packs: first what it would do, row by row, with a choice for each; then what it did.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { bytes, count, plural } from "../../core/format.js";
import { may } from "../../core/session.js";
import { go, href, param } from "../../core/url.js";
import { fileChoice } from "../../parts/file-choice.js";
import { failure } from "../../parts/pane.js";
import { ImportState } from "./import-state.js";
import { itemsTable, MOST_IDS } from "./import-table.js";

const ACCEPT = ".json,.zip,.pak,application/json,application/zip";

export function page() {
  const state = new ImportState(param("pack"));
  const { pack } = state;

  return {
    get title() {
      return pack ? `Install ${pack}` : "Import super metrics";
    },
    name: "import",
    timed: false,
    update() {},
    escape: () => go("/super-metrics"),
    view: () =>
      html`<div
        class="import-page"
        @dragover=${(e) => {
          if (!pack && [...e.dataTransfer.types].includes("Files")) {
            e.preventDefault();
            if (!state.over) {
              state.over = true;
              redraw();
            }
          }
        }}
        @dragleave=${(e) => {
          if (!e.currentTarget.contains(e.relatedTarget)) {
            state.over = false;
            redraw();
          }
        }}
        @drop=${(e) => pack || dropped(state, e)}
      >
        <div class="tb">
          <a class="m nw" href=${href("/super-metrics")}>Super metrics /</a>
          <h1>${pack ? `Install ${pack}` : "Import"}</h1>
          <span class="m cut">${state.done ? "done" : state.sources.length ? "nothing is changed yet" : ""}</span>
        </div>
        ${state.sources.length
          ? html`<section class="pane sources ${state.over ? "over" : ""}" aria-label="Files">
                ${repeat(
                  state.sources,
                  (s) => s.name,
                  (s) => sourceLine(state, s),
                )}
              </section>
              ${state.items().length
                ? itemsTable(state)
                : html`<section class="pane rows">
                    ${state.sources.some((s) => s.loading)
                      ? html`<div class="outlines" aria-busy="true">
                          ${Array.from({ length: 6 }, () => html`<span></span>`)}
                        </div>`
                      : html`<div class="empty">
                          There is no super metric in ${state.sources.length === 1 ? "it" : "them"}.
                        </div>`}
                  </section>`}
              ${foot(state)}`
          : dropZone(state)}
      </div>`,
  };
}

/** New ones that nothing here has data for are taken or left together. */
function idleChoice(state) {
  const idle = state
    .items()
    .filter(({ source, item }) => source.file && item.state === "new" && item.validity === "no-data-here");
  if (state.done || state.running || !idle.length) return nothing;
  const left = idle.every(({ source, item }) => source.action(item) === "skip");
  const flip = () => {
    for (const { source, item } of idle) {
      if (left) source.choices.delete(item.id);
      else if (source.choices.size < MOST_IDS) source.choices.set(item.id, "leave");
    }
    redraw();
  };
  return html`<button class="link s12 nw" @click=${flip}>${left ? "Create them too" : "Leave them out"}</button>`;
}

function dropped(state, event) {
  event.preventDefault();
  state.over = false;
  state.add(event.dataTransfer.files);
  redraw();
}

const chooser = (state, words, label, cls) =>
  fileChoice({ words, label, cls, accept: ACCEPT, take: (files) => state.add(files) });

const dropZone = (state) =>
  html`<section class="pane drop-zone ${state.over ? "over" : ""}" aria-label="Files">
    <p class="say">
      <b>Drop export files here</b>, or choose them: the JSON of Super Metrics > Export, the ZIP of a content-management
      export, a management pack (.pak). Several at once are fine.
    </p>
    <div class="row">
      ${chooser(state, "Choose files\u2026", "Files to import", "ctl primary file")}
      <span class="m">Nothing is saved until you confirm.</span>
    </div>
  </section>`;

function sourceLine(state, source) {
  const r = source.result;
  const size = source.file ? bytes(source.file.size) : "";
  const said = source.loading
    ? state.done || state.running
      ? "importing\u2026"
      : "reading\u2026"
    : r
      ? `${plural(r.counts.items, "super metric")}${r.leftAlone.length ? `, ${plural(r.leftAlone.length, "other document")} left alone` : ""}`
      : "";
  return html`<div class="source">
    <div class="row">
      <b class="cut">${source.file ? source.name : `Pack ${source.name}`}</b>
      <span class="m nw">${[said, size].filter(Boolean).join(", ")}</span>
      <span class="sp"></span>
      ${state.done || state.running
        ? nothing
        : html`<button
            class="link quiet"
            aria-label=${`Remove ${source.name}`}
            @click=${() => {
              state.sources = state.sources.filter((s) => s !== source);
              redraw();
            }}
          >
            Remove
          </button>`}
    </div>
    ${source.error ? failure(source.error, () => source.ask(true)) : nothing}
    ${r?.problems.length
      ? html`<details>
          <summary>${plural(r.problemCount, "thing")} in it not taken over</summary>
          <dl class="problems">
            ${r.problems.slice(0, 200).map(
              (p) =>
                html`<dt class="mono">${p.place}</dt>
                  <dd>${p.text}</dd>`,
            )}
          </dl>
        </details>`
      : nothing}
    ${r?.policies.length
      ? html`<details>
          <summary>${plural(r.policies.length, "setting")} of exported policies, shown and not applied</summary>
          <dl class="problems">
            ${r.policies.slice(0, 200).map(
              (p) =>
                html`<dt>${p.policy ?? "policy"}</dt>
                  <dd>${p.enabled ? "enables" : "disables"} <code>${p.superMetric}</code> for ${p.objectKind}</dd>`,
            )}
          </dl>
        </details>`
      : nothing}
  </div>`;
}

function foot(state) {
  const t = state.totals();
  const would = [
    t.create ? `${count(t.create)} ${state.done ? "created" : "to create"}` : "",
    t.overwrite ? `${count(t.overwrite)} ${state.done ? "overwritten" : "to overwrite"}` : "",
    t.skip ? `${count(t.skip)} ${state.done ? "left as they were" : "to leave"}` : "",
  ]
    .filter(Boolean)
    .join(", ");
  const loading = state.sources.some((s) => s.loading);
  const some = t.create + t.overwrite > 0;
  const allowed = may("operator");
  return html`<div class="import-foot pane">
    <span class="strong">${state.done ? "Imported: " : ""}${would || "nothing"}</span>
    <span class="m cut"
      >${[
        t.invalid ? `${count(t.invalid)} invalid: stored and flagged, not computed` : "",
        t["no-data-here"] ? `${count(t["no-data-here"])} without data here: computed once there is some` : "",
      ]
        .filter(Boolean)
        .join("; ")}</span
    >
    ${idleChoice(state)}
    <span class="sp"></span>
    ${state.done
      ? html`<button
            class="ctl"
            @click=${() => {
              state.sources = [];
              state.done = false;
              state.open.clear();
              if (state.pack) go("/super-metrics/import");
              redraw();
            }}
          >
            Import more</button
          ><a class="ctl primary" href=${href("/super-metrics")}>To the list</a>`
      : html`<label class="check"
            ><input
              type="checkbox"
              name="enable"
              .checked=${state.enable}
              @change=${(e) => ((state.enable = e.target.checked), redraw())}
            />Enable new ones at once</label
          >
          ${state.pack ? nothing : chooser(state, "Add files\u2026", "More files to import", "ctl file")}<a
            class="ctl"
            href=${href("/super-metrics")}
            >Cancel</a
          >
          <button
            class="ctl primary"
            ?disabled=${!allowed || loading || state.running || !some}
            title=${allowed ? (some ? nothing : "Nothing would change") : "Needs the role operator"}
            @click=${() => state.run()}
          >
            ${state.running ? "Importing\u2026" : some ? `Import ${count(t.create + t.overwrite)}` : "Import"}
          </button>`}
  </div>`;
}
