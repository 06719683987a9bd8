// When a report is sent and to whom, and the limit of share above which it raises an alert.
import { html } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { IMPACTS } from "../../core/health.js";
import { SEVERITIES } from "../../core/severity.js";
import { percent } from "../../core/talkers.js";
import { segments } from "../../parts/small.js";
import { recommendationFields } from "../shared/rule-fields.js";
import { scheduleFields, scheduleSwitch, scheduleWords, targetChecks } from "../shared/sending-fields.js";
import { at, filled } from "./report-words.js";

/** `targets` are those to choose from. */
export function schedulePane(draft, targets) {
  const s = draft.value("schedule");
  return html`<section class="pane" aria-label="When and to whom">
    <div class="ph">
      <h2>When, and to whom</h2>
      <span class="m cut"
        >${scheduleWords(s)}${s && !draft.isNew && !draft.edited && draft.before.nextAt
          ? `, next ${at(draft.before.nextAt)}`
          : ""}</span
      >
      <span class="sp"></span>
      ${scheduleSwitch(draft, "Sent by itself")}
    </div>
    ${s
      ? html`<div class="form">${scheduleFields(draft)} ${targetChecks(draft, targets)}</div>`
      : html`<p class="m s12 pad">It is kept and can be opened; nothing is sent.</p>`}
  </section>`;
}

export function limitPane(draft) {
  const share = draft.value("shareAbove");
  const alert = draft.value("alert") ?? {};
  const put = (part) => draft.set("alert", { ...alert, ...part });
  return html`<section class="pane" aria-label="Share limit">
    <div class="ph">
      <h2>Share limit</h2>
      <span class="m cut"
        >${filled(share) ? `an alert while one has more than ${percent(share)} of the whole` : "no alert"}</span
      >
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="limited"
          .checked=${filled(share)}
          ?disabled=${!draft.allowed}
          @change=${(e) => draft.set("shareAbove", e.target.checked ? (draft.before.shareAbove ?? 0.3) : null)}
        />Raises an alert</label
      >
    </div>
    ${filled(share)
      ? html`<div class="form">
          <div class="three">
            <label class="lab"
              >More than, in %<input
                class="field"
                name="share"
                inputmode="decimal"
                .value=${String(Number((share * 100).toFixed(3)))}
                ?disabled=${!draft.allowed}
                aria-invalid=${share > 0 && share < 1 ? "false" : "true"}
                @change=${(e) => {
                  const n = Number(e.target.value.replace(",", "."));
                  if (n > 0 && n < 100) draft.set("shareAbove", Number((n / 100).toFixed(5)));
                  else redraw();
                }}
            /></label>
            <label class="lab"
              >Severity<select
                class="field"
                ?disabled=${!draft.allowed}
                @change=${(e) => put({ severity: e.target.value })}
              >
                ${SEVERITIES.map((v) => html`<option ?selected=${v === (alert.severity ?? "warning")}>${v}</option>`)}
              </select></label
            >
            <div class="lab">
              <span>What suffers</span>
              <div>
                ${segments(
                  alert.impact ?? "risk",
                  IMPACTS.map((i) => [i, i]),
                  (impact) => draft.allowed && put({ impact }),
                  "What suffers",
                )}
              </div>
            </div>
          </div>
          ${recommendationFields({
            all: alert.recommendations ?? [],
            set: (recommendations) => put({ recommendations }),
            off: !draft.allowed,
          })}${draft.said("shareAbove")}${draft.said("alert")}
        </div>`
      : html`<p class="m s12 pad">With a limit it is looked at whenever 5 more minutes of flows are there.</p>`}
  </section>`;
}
