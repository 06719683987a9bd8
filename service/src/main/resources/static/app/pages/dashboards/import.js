// Import of dashboards: files are read as soon as they are chosen, and nothing is changed. First the one figure, then
// what becomes of each dashboard, panel and column, what would bring the rest, and what there is to settle.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { bytes, count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { back, go, href } from "../../core/url.js";
import { asCsv, download } from "../../parts/download.js";
import { fileChoice } from "../../parts/file-choice.js";
import { failure } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { outcomeMark } from "./import-marks.js";
import { settlePane, sourcesPane, storedPane } from "./import-side.js";
import { ImportState } from "./import-state.js";
import { ImportTree } from "./import-tree.js";
import {
  contentsWords,
  doneWords,
  figureWords,
  importWords,
  OUTCOMES,
  percent,
  reportLines,
  totals,
} from "./import-words.js";

const ACCEPT = ".zip,.json,.xml,.pak,application/zip,application/json,application/xml,text/xml";
const MOST_PROBLEMS = 200;

const chooser = (state, words, label, cls) =>
  fileChoice({
    words,
    label,
    cls,
    accept: ACCEPT,
    disabled: !may("operator") || state.running,
    take: (files) => state.add(files),
  });

const dropZone = (state) =>
  html`<section class="pane drop-zone ${state.over ? "over" : ""}" aria-label="Files">
    <p class="say">
      <b>Drop export files here</b>, or choose them: dashboards (JSON or ZIP) and views (XML or ZIP) as vRealize, Aria
      or VCF Operations export them, a content-management export, a management pack, or files of Peerlens. Several at
      once are fine; views belong into one ZIP with the dashboards that show them.
    </p>
    <div class="row">
      ${chooser(state, "Choose files\u2026", "Files to import", "ctl primary file")}
      <span class="m">${may("operator") ? "Nothing is saved until you confirm." : NEEDS}</span>
    </div>
  </section>`;

/** A file that is not read, or of which something is not taken over. */
function fileLine(state, file) {
  const problems = file.result?.problems ?? [];
  const wrong = file.result?.superMetrics?.problems ?? [];
  const all = [...problems, ...wrong];
  return html`<div class="source">
    <div class="row">
      <b class="cut">${file.name}</b>
      <span class="m nw"
        >${[
          file.loading ? (state.running ? "importing\u2026" : "reading\u2026") : file.imported ? "imported" : "",
          bytes(file.file.size),
        ]
          .filter(Boolean)
          .join(", ")}</span
      >
      <span class="sp"></span>
      ${file.imported || state.running
        ? nothing
        : html`<button class="link quiet" aria-label=${`Remove ${file.name}`} @click=${() => state.remove(file)}>
            Remove
          </button>`}
    </div>
    ${file.error ? failure(file.error, () => file.ask(true)) : nothing}
    ${all.length
      ? html`<details>
          <summary>${plural(all.length, "thing")} in it not taken over</summary>
          <dl class="problems">
            ${all.slice(0, MOST_PROBLEMS).map(
              (p) =>
                html`<dt class="mono">${p.place}</dt>
                  <dd>${p.text}</dd>`,
            )}
          </dl>
        </details>`
      : nothing}
  </div>`;
}

/** The files, where there is more to say of them than their name. */
function filesPane(state) {
  const tells = (f) => f.error || f.result?.problems.length || f.result?.superMetrics?.problems?.length;
  if (state.files.length < 2 && !state.files.some(tells)) return nothing;
  return html`<section class="pane sources ${state.over ? "over" : ""}" aria-label="Files">
    ${repeat(
      state.files,
      (f) => f.name,
      (f) => fileLine(state, f),
    )}
  </section>`;
}

const SEGMENTS = [
  ["--seq-5", ["carried"]],
  ["--seq-4", ["replaced"]],
  ["--seq-2", ["waits"]],
  ["--warning-mark", ["choose", "missing"]],
  ["--line-strong", ["cannot"]],
];

/** The one figure, and all columns by what becomes of them. */
function figures(t) {
  const words = figureWords(t);
  const said = Object.keys(OUTCOMES)
    .map((outcome) => `${count(t[outcome])} ${outcome}`)
    .join(", ");
  return html`<section class="pane import-figures" aria-label="How much of it has data here">
    <div class="the-figure">
      <p class="figure-line">
        <span class="huge">${percent(t.answerable, t.columns)} %</span> <span class="what">has data here today</span>
      </p>
      <p class="i2">${words.share ? html`<b>${words.share}</b> ` : nothing}${words.text}</p>
    </div>
    <div class="the-bar">
      <div class="outcome-bar" role="img" aria-label=${`Of ${plural(t.columns, "column")}: ${said}`}>
        ${SEGMENTS.map(([token, outcomes]) => {
          const n = /** @type {string[]} */ (outcomes).reduce((sum, outcome) => sum + t[outcome], 0);
          return n ? html`<span .style=${`flex-grow:${n};background:var(${token})`}></span>` : nothing;
        })}
      </div>
      <ul class="outcome-list">
        ${Object.entries(OUTCOMES).map(
          ([outcome, means]) =>
            html`<li>
              <span class="outcome">${outcomeMark(outcome)}<b>${count(t[outcome])}</b><span>${outcome}</span></span
              ><span class="m s12">${means}</span>
            </li>`,
        )}
      </ul>
    </div>
  </section>`;
}

export function page() {
  const state = new ImportState();
  const tree = new ImportTree(state);

  function csv() {
    const lines = reportLines(state.results);
    download("import", "csv", asCsv(lines), plural(lines.length - 1, "line"));
  }

  function importAction() {
    const t = totals(state.pending.map((f) => f.result));
    const some = t.actions.create + t.actions.overwrite > 0;
    const allowed = may("operator");
    return html`<button
      class="ctl primary"
      ?disabled=${!allowed || !some || state.loading || state.running}
      title=${allowed ? (some ? nothing : "Nothing would change") : NEEDS}
      @click=${() => state.run()}
    >
      ${state.running ? "Importing\u2026" : importWords(t)}
    </button>`;
  }

  /** The dashboard that was imported, where there is but one. */
  function only() {
    const stored = state.results.flatMap((r) => r.dashboards).filter((d) => d.action !== "skip");
    return stored.length === 1 ? stored[0] : null;
  }

  /** What stands at the end of the head: on a phone it is the bar at the foot. */
  function acts() {
    if (!state.results.length) return nothing;
    const one = state.done ? only() : null;
    return html`${state.done
        ? html`<button class="ctl" @click=${() => (state.reset(), redraw())}>Import more</button>`
        : chooser(state, "Other file", "Other files to import", "ctl file")}<button class="ctl" @click=${csv}>
        CSV
      </button>
      ${state.done
        ? one
          ? html`<a class="ctl primary" href=${href(`/dashboards/${one.id}`)}>Open it</a>`
          : html`<a class="ctl primary" href=${href("/dashboards")}>To the list</a>`
        : importAction()}`;
  }

  function head() {
    const { results, files } = state;
    const contents = results.length ? contentsWords(results) : state.loading ? "reading, nothing is changed" : "";
    return html`<div class="tb">
      <a class="m nw" href=${href("/dashboards")}>Dashboards /</a>
      <h1>Import dashboards</h1>
      ${results.length
        ? html`<span class="chip"
            >${state.done ? "imported" : files.some((f) => f.imported) ? "partly imported" : "dry run"}</span
          >`
        : nothing}
      <span class="m s12 mono cut file-name" title=${files.map((f) => f.name).join(", ")}
        >${files.length > 1 ? plural(files.length, "file") : (files[0]?.name ?? "")}</span
      >
      <span class="m s12 cut" role="status" title=${contents}>${contents}</span>
      <span class="sp"></span>
      ${narrow() ? nothing : html`<span class="row">${acts()}</span>`}
    </div>`;
  }

  /** How what is new is stored. */
  function wishes(t) {
    if (state.done)
      return html`<div class="import-foot pane" role="status">
        <span class="strong">Imported: ${doneWords(t)}</span>
      </div>`;
    return html`<div class="import-foot pane">
      <span class="strong">New ones are</span>
      ${segments(
        state.visibility,
        [
          ["private", "private"],
          ["shared", "shared"],
        ],
        (visibility) => state.want({ visibility }),
        "Who sees new dashboards and views",
      )}
      ${t.superMetrics
        ? html`<label class="check"
            ><input
              type="checkbox"
              name="enable"
              .checked=${state.enable}
              @change=${(e) => state.want({ enable: e.target.checked })}
            />Turn on new super metrics</label
          >`
        : nothing}
      <span class="sp"></span>
      <span class="m cut">${t.invalid ? `${plural(t.invalid, "has mistakes", "have mistakes")}: left out` : ""}</span>
    </div>`;
  }

  const report = (t) =>
    html`${figures(t)} ${wishes(t)}
      <div class="import-columns">
        ${tree.view(t)}
        <div class="import-side">${sourcesPane(t, state.enable)} ${settlePane(state)} ${storedPane(state)}</div>
      </div>`;

  const waiting = () =>
    html`<section class="pane rows">
      <div class="outlines" aria-busy="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>
    </section>`;

  return {
    title: "Import dashboards",
    name: "dashboard-import",
    timed: false,
    update() {},
    escape: () => leaveField() || back("/dashboards"),
    keys: () => (state.results.length ? tree.keys() : {}),
    acts,
    view() {
      const { files, results } = state;
      return html`<div
        class="import-page"
        @dragover=${(e) => {
          if (![...e.dataTransfer.types].includes("Files")) return;
          e.preventDefault();
          if (state.over) return;
          state.over = true;
          redraw();
        }}
        @dragleave=${(e) => {
          if (e.currentTarget.contains(e.relatedTarget)) return;
          state.over = false;
          redraw();
        }}
        @drop=${(e) => {
          e.preventDefault();
          state.over = false;
          if (may("operator")) state.add(e.dataTransfer.files);
          redraw();
        }}
      >
        ${head()} ${files.length ? filesPane(state) : dropZone(state)}
        ${results.length
          ? report(totals(results))
          : state.loading
            ? waiting()
            : files.length
              ? html`<div class="row pad">
                  ${chooser(state, "Choose another\u2026", "Files to import", "ctl primary file")}<button
                    class="ctl"
                    @click=${() => go("/dashboards")}
                  >
                    Cancel
                  </button>
                </div>`
              : nothing}
      </div>`;
    },
  };
}
