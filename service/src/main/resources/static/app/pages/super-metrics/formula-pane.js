// The formula of a super metric: what is set beside it, its text, and what the server says to that.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count, plural } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { amend, href } from "../../core/url.js";
import { read } from "../../formula/tokens.js";
import { failure } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { usersText } from "./effects.js";
import { millis, stateOf, stateText, unitWord } from "./words.js";

export const editor = () => /** @type {any} */ (document.querySelector("code-editor"));

function headStrip(metric) {
  const sm = metric.draft.before;
  const assigned = metric.value("kinds");
  const objects = metric.preview.total;
  const e = sm.evaluation;
  const [words, why] = metric.isNew ? ["not stored yet", ""] : e ? stateText(sm) : ["-", ""];
  const readers = metric.uses.data?.usedBy ?? [];
  const cell = (label, what, name, hint) =>
    html`<button
      class="cell"
      title=${hint ?? nothing}
      @click=${() => {
        amend({ side: name }, { replace: true });
      }}
    >
      <span class="m">${label}</span><span class="cut">${what}</span>
    </button>`;
  return html`<div class="head-strip">
    ${cell("Unit", unitWord(metric.value("unitId")) || "none", "details")}
    ${cell(
      "Assigned to",
      assigned.length
        ? html`${assigned.map((k) => k.objectKind).join(", ")}${objects === null ? nothing : `, ${count(objects)}`}`
        : "no object kind",
      "details",
    )}
    ${cell(
      "Computed now",
      metric.isNew
        ? words
        : html`<span class="row"
            >${sm.state === "computing" && !why ? nothing : shape(stateOf(sm), 11)}<span class="cut"
              >${words}</span
            ></span
          >`,
      "details",
      why,
    )}
    ${cell(
      "Cost per tick",
      e?.tick ? millis(e.tookMillis) : "-",
      "details",
      `Computed every ${metric.value("interval")}`,
    )}
    <a
      class="cell"
      href="#used-by"
      @click=${(ev) => {
        ev.preventDefault();
        document.getElementById("used-by")?.scrollIntoView({ block: "center" });
      }}
      ><span class="m">Used by</span
      ><span class="cut ${readers.length ? "acc" : ""}"
        >${metric.isNew ? "-" : metric.uses.data ? usersText(readers) : "-"}</span
      ></a
    >
  </div>`;
}

/** What the check said, in a line. */
function verdict(metric, wrong, odd) {
  const { check } = metric;
  if (!metric.value("formula").trim())
    return html`<span class="m">Write a formula, or press <kbd>Ctrl Space</kbd> for what it can hold.</span>`;
  if (check.error && !check.loading) return html`<span class="warn">Not checked: ${check.error.message}</span>`;
  if (!check.data) return html`<span class="m">Checking…</span>`;
  if (wrong)
    return html`${shape("critical", 12, "error")}<span class="nw"
        >${plural(wrong, "error")}${odd ? `, ${plural(odd, "remark")}` : ""}</span
      >`;
  if (odd)
    return html`${shape("warning", 12)}<span class="nw"
        >Valid${check.data.validity === "no-data-here" ? ", no data here" : ""}. ${plural(odd, "remark")}</span
      >`;
  return html`<svg width="12" height="12" aria-hidden="true">
      <path d="M2 6.5L5 9.5L10.5 3" fill="none" stroke="var(--added)" stroke-width="1.8" /></svg
    ><span class="cut">Valid. ${dependsOn(metric)}</span>`;
}

const format = ({ check, stale }) => check.data?.formatted && !stale && editor().replace(check.data.formatted);

function statusLine(metric) {
  const { check } = metric;
  const issues = check.data?.issues ?? [];
  const wrong = issues.filter((i) => i.severity === "error").length;
  const odd = issues.length - wrong;
  const field = editor();
  return html`<div class="status-line" role="status">
    ${verdict(metric, wrong, odd)}
    ${issues.length
      ? html`${issues.length > 1
          ? html`<button class="icon" aria-label="Issue before" title="Issue before" @click=${() => field.step(-1)}>
                ${icon("left", 13)}</button
              ><button class="icon" aria-label="Next issue" title="Next issue" @click=${() => field.step(1)}>
                ${icon("right", 13)}
              </button>`
          : nothing}
        ${field?.fix && metric.draft.allowed
          ? html`<button class="link nw" @click=${() => field.mend()}>Use ${field.fix} <kbd>Alt Enter</kbd></button>`
          : nothing}`
      : nothing}
    <span class="sp"></span>
    ${metric.draft.allowed
      ? html`<button
          class="link quiet nw"
          ?disabled=${!check.data?.formatted || metric.stale || check.data.formatted === metric.value("formula")}
          @click=${() => format(metric)}
        >
          Format
        </button>`
      : nothing}
    <a class="link quiet nw" href=${helpAddress("formula-language")}>Formula language</a>
    <span class="m nw keys-said" ?hidden=${issues.length > 0}
      >Complete <kbd>Ctrl Space</kbd>&ensp;Explain at the caret <kbd>Alt E</kbd></span
    >
  </div>`;
}

function dependsOn({ id, check }) {
  const { reads, cycle } = check.data;
  if (cycle.length)
    return html`In a circle with ${names(cycle.filter((c) => c.id !== id))}: they see one another's last values.`;
  return reads.length > 3
    ? `Reads ${plural(reads.length, "super metric")}.`
    : reads.length
      ? html`Reads ${names(reads)}.`
      : "Depends on no other super metric.";
}
const names = (refs) =>
  refs.map(
    (r, i) =>
      html`${i ? ", " : ""}${r.name
        ? html`<a class="acc" href=${href(`/super-metrics/${r.id}`)}>${r.name}</a>`
        : html`<code>${r.id}</code>, which is not here`}`,
  );

/** What the formula reads. */
export function readsTable({ check }) {
  const reads = check.data?.reads ?? [];
  return reads.length
    ? html`<div class="ph inner">
          <h2>What it reads</h2>
          <span class="m">${plural(reads.length, "super metric")}</span>
        </div>
        <table>
          <colgroup>
            <col />
            <col />
          </colgroup>
          <tbody>
            ${reads.map(
              (r) =>
                html`<tr>
                  <td>
                    ${r.name
                      ? html`<a class="acc" href=${href(`/super-metrics/${r.id}`)}>${r.name}</a>`
                      : html`<span class="m">not stored here</span>`}
                  </td>
                  <td class="m"><code>sm_${r.id}</code></td>
                </tr>`,
            )}
          </tbody>
        </table>`
    : nothing;
}

export function formulaPane(metric) {
  const { draft, check, explanation } = metric;
  const issues = metric.known ? check.data.issues : (editor()?.issues ?? []);
  return html` <section class="pane code-pane" aria-label="Formula">
    ${headStrip(metric)}
    <code-editor
      .language=${read}
      label="Formula"
      .value=${draft.there ? (metric.value("formula") ?? "") : ""}
      .issues=${metric.value("formula") ? issues : []}
      .mark=${explanation.mark}
      .words=${metric.words}
      .locked=${!draft.there || !draft.allowed}
      @edited=${(e) => draft.set("formula", e.target.value)}
      @shown=${() => redraw()}
      @explain=${(e) => {
        if (metric.side !== "explain") amend({ side: null }, { replace: true });
        explanation.at(e.detail);
      }}
    ></code-editor>
    ${statusLine(metric)}
    ${draft.error && !draft.error.errors?.length ? failure(draft.error, () => metric.save()) : nothing}
  </section>`;
}
