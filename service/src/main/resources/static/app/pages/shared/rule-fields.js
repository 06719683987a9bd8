// What thresholds and alert definitions have in common beside what they judge: the alert they raise, and their details.
import { html, nothing } from "../../core/html.js";
import { IMPACTS } from "../../core/health.js";
import { duration, moment } from "../../core/time.js";
import { icon } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { millisOf } from "../thresholds/words.js";

const INTERVALS = ["5s", "10s", "20s", "30s", "1m", "5m", "10m", "15m", "30m", "1h"];
const list = (text) =>
  text
    .split(",")
    .map((t) => t.trim())
    .filter(Boolean);

/** What to do about it, the best first. */
export function recommendationFields({ all, set, off }) {
  return html`<div class="lab" role="group" aria-label="Recommendations">
    <span>What to do about it, the best first</span> ${all.map(
      (r, i) =>
        html`<div class="row recommendation">
          <span class="m">${i + 1}.</span>
          <textarea
            class="field tall"
            rows="1"
            maxlength="2000"
            aria-label=${`Recommendation ${i + 1}`}
            .value=${r}
            ?disabled=${off}
            @input=${(e) => set(all.with(i, e.target.value))}
          ></textarea>
          ${off
            ? nothing
            : html`<button
                  type="button"
                  class="icon"
                  aria-label=${`Move recommendation ${i + 1} up`}
                  ?disabled=${i === 0}
                  @click=${() => set(all.toSpliced(i, 1).toSpliced(i - 1, 0, r))}
                >
                  ${icon("up", 12)}</button
                ><button
                  type="button"
                  class="icon"
                  aria-label=${`Remove recommendation ${i + 1}`}
                  @click=${() => set(all.toSpliced(i, 1))}
                >
                  ${icon("close", 12)}
                </button>`}
        </div>`,
    )}
    ${off || all.length >= 20
      ? nothing
      : html`<button type="button" class="link" @click=${() => set([...all, ""])}>Add a step</button>`}
  </div>`;
}

/** Whether a threshold raises alerts by itself, and which. */
export function alertFields({ draft, blank }) {
  const alert = draft.value("alert");
  const off = !draft.allowed;
  const set = (part) => draft.set("alert", { ...draft.value("alert"), ...part });
  return html`<section class="pane" aria-label="Alert">
    <div class="ph">
      <h2>Alert</h2>
      <span class="m cut">${alert ? "it raises one by itself" : "a symptom only, for alert definitions"}</span>
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="alert"
          .checked=${Boolean(alert)}
          ?disabled=${off}
          @change=${(e) => draft.set("alert", e.target.checked ? (draft.before.alert ?? blank) : null)}
        />Raises an alert</label
      >
    </div>
    ${alert
      ? html`<div class="form">
          <div class="lab" role="group" aria-label="What suffers">
            <span>What suffers</span>
            <div>
              ${segments(
                alert.impact,
                IMPACTS.map((i) => [i, i]),
                (impact) => !off && set({ impact }),
                "What suffers",
              )}
            </div>
          </div>
          ${recommendationFields({
            all: alert.recommendations ?? [],
            set: (recommendations) => set({ recommendations }),
            off,
          })}${draft.said("alert")}
        </div>`
      : nothing}
  </section>`;
}

export function detailFields({ draft, remove }) {
  const off = !draft.allowed;
  const stored = draft.isNew ? null : draft.before;
  const interval = draft.value("interval");
  return html`<section class="pane details" aria-label="Details">
    <div class="ph">
      <h2>Details</h2>
      <span class="m cut"
        >${stored
          ? `version ${stored.version}, ${stored.updatedBy}, ${moment(Date.parse(stored.updatedAt))}`
          : ""}</span
      >
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="enabled"
          .checked=${draft.value("enabled")}
          ?disabled=${off}
          @change=${(e) => draft.set("enabled", e.target.checked)}
        />Enabled</label
      >
    </div>
    <div class="form">
      <label class="lab"
        >What it says and how to read it<textarea
          class="field tall"
          name="description"
          rows="2"
          maxlength="20000"
          .value=${draft.value("description") ?? ""}
          ?disabled=${off}
          @input=${(e) => draft.set("description", e.target.value || null)}
        ></textarea
        >${draft.said("description")}</label
      >
      <div class="three">
        <label class="lab"
          >Judged every<select
            class="field"
            name="interval"
            ?disabled=${off}
            @change=${(e) => draft.set("interval", e.target.value)}
          >
            ${[...new Set([...INTERVALS, interval])]
              .sort((a, b) => millisOf(a) - millisOf(b))
              .map(
                (s) => html`<option value=${s} ?selected=${s === interval}>${duration(millisOf(s))}</option>`,
              )}</select
          >${draft.said("interval")}</label
        >
        <label class="lab"
          >Tags, with commas between<input
            class="field"
            name="tags"
            autocomplete="off"
            .value=${(draft.value("tags") ?? []).join(", ")}
            ?disabled=${off}
            @change=${(e) => draft.set("tags", list(e.target.value))}
          />${draft.said("tags")}</label
        >
        <label class="lab"
          >Owner<input
            class="field"
            name="owner"
            maxlength="200"
            autocomplete="off"
            .value=${draft.value("owner") ?? ""}
            ?disabled=${off}
            @input=${(e) => draft.set("owner", e.target.value || null)}
          />${draft.said("owner")}</label
        >
      </div>
    </div>
    ${stored
      ? html`<div class="row pad end">
          <span class="m s12">Made ${moment(Date.parse(stored.createdAt))} by ${stored.createdBy}</span>
          <span class="sp"></span>
          <button class="ctl" ?disabled=${off} title=${off ? "Needs the role operator" : nothing} @click=${remove}>
            Delete…
          </button>
        </div>`
      : nothing}
  </section>`;
}
