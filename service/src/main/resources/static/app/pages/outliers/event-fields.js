// When a group has an event, and what that raises.
import { html, nothing } from "../../core/html.js";
import { SEVERITIES } from "../../core/severity.js";
import { severityShape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { flowOf } from "./flows.js";
import { BLANK, BUCKETS, METHODS } from "./definition-words.js";
import { field, numeric } from "./form-field.js";
import { recommendationFields } from "../shared/rule-fields.js";

const IMPACTS = ["health", "risk", "efficiency"];

export function timingField(draft) {
  const opens = draft.value("opens");
  const whole = (name, label, value, put, most) =>
    html`<input
      class="field low tiny"
      type="number"
      min="1"
      max=${most}
      aria-label=${label}
      name=${name}
      .value=${String(value)}
      ?disabled=${!draft.allowed}
      @change=${(e) => put(Math.min(most, Math.max(1, Math.round(Number(e.target.value) || 1))))}
    />`;
  return field(
    "Bucket and persistence",
    "",
    html`<p class="wiz-sentence">
        Every
        <select
          class="field low"
          aria-label="Bucket"
          ?disabled=${!draft.allowed}
          @change=${(e) => draft.set("bucket", e.target.value)}
        >
          ${[
            ...new Set([
              ...BUCKETS.filter(
                (b) => !["1m", "2m"].includes(b) || !(draft.value("metrics") ?? []).some((m) => flowOf(m.key)),
              ),
              draft.value("bucket"),
            ]),
          ].map((b) => html`<option value=${b} ?selected=${b === draft.value("bucket")}>${b}</option>`)}</select
        >, opens with
        ${whole(
          "violations",
          "Buckets over the limit",
          opens.violations,
          (v) => draft.set("opens", { violations: v, of: Math.max(v, opens.of) }),
          16,
        )}
        of
        ${whole(
          "of",
          "Of how many buckets",
          opens.of,
          (v) => draft.set("opens", { violations: Math.min(v, opens.violations), of: v }),
          16,
        )},
        closes after
        ${whole(
          "closes",
          "Buckets until it closes",
          draft.value("closesAfter"),
          (v) => draft.set("closesAfter", v),
          100,
        )};
        waits
        <select
          class="field low"
          aria-label="Evaluation delay"
          ?disabled=${!draft.allowed}
          @change=${(e) => draft.set("evaluationDelay", e.target.value)}
        >
          ${[...new Set(["0s", "30s", "1m", "2m", "5m", "10m", draft.value("evaluationDelay")])].map(
            (b) => html`<option value=${b} ?selected=${b === draft.value("evaluationDelay")}>${b}</option>`,
          )}
        </select>
        for late values.
      </p>
      ${draft.said("bucket")}${draft.said("opens")}${draft.said("closesAfter")}${draft.said("evaluationDelay")}`,
  );
}

/** Whether the middle of the group is held against what is usual for it at the hour. */
export function wholeField(draft) {
  const whole = draft.value("groupEvent");
  const choose = (v) => draft.allowed && draft.set("groupEvent", v === "off" ? null : { ...whole, sensitivity: v });
  const share = (e) => {
    const percent = numeric(e.target.value);
    draft.set("groupEvent", {
      ...draft.value("groupEvent"),
      minimumRelativeDeviation: percent === undefined ? undefined : Math.min(100, percent / 100),
    });
  };
  return field(
    "The group as a whole",
    whole
      ? "an event when its median is not where it usually is at this hour of the week"
      : "a change of all members is not seen",
    html`<div class="row wrap">
        ${segments(
          whole?.sensitivity ?? (whole ? "medium" : "off"),
          [
            ["off", "Off"],
            ["low", "Low"],
            ["medium", "Medium"],
            ["high", "High"],
          ],
          choose,
          "Sensitivity of the group as a whole",
        )}
        ${whole
          ? html`<label class="row s12"
              ><span class="m nw">beyond it by at least</span
              ><input
                class="field low tiny"
                inputmode="decimal"
                aria-label="By how many percent it has to be beyond what is usual"
                placeholder="0"
                .value=${whole.minimumRelativeDeviation
                  ? String(Number((whole.minimumRelativeDeviation * 100).toFixed(3)))
                  : ""}
                ?disabled=${!draft.allowed}
                @change=${share}
              /><span class="m unit">%</span></label
            >`
          : nothing}
      </div>
      ${draft.said("groupEvent")}`,
  );
}

export function alertField(draft) {
  const alert = draft.value("alert");
  const set = (part) => draft.set("alert", { ...draft.value("alert"), ...part });
  return field(
    "Raises",
    alert ? "" : "events only, no alert",
    html`<div class="row wrap">
        <label class="check"
          ><input
            type="checkbox"
            name="alert"
            .checked=${Boolean(alert)}
            ?disabled=${!draft.allowed}
            @change=${(e) => draft.set("alert", e.target.checked ? (draft.before.alert ?? BLANK.alert) : null)}
          />an alert</label
        >
        ${alert
          ? html`${severityShape(alert.severity, 12)}<select
                class="field low"
                aria-label="Severity"
                ?disabled=${!draft.allowed}
                @change=${(e) => set({ severity: e.target.value })}
              >
                ${SEVERITIES.map((s) => html`<option value=${s} ?selected=${s === alert.severity}>${s}</option>`)}
              </select>
              <select
                class="field low"
                aria-label="What suffers"
                ?disabled=${!draft.allowed}
                @change=${(e) => set({ impact: e.target.value })}
              >
                ${IMPACTS.map((s) => html`<option value=${s} ?selected=${s === alert.impact}>${s}</option>`)}
              </select>`
          : nothing}
      </div>
      ${alert
        ? recommendationFields({
            all: alert.recommendations ?? [],
            set: (recommendations) => set({ recommendations }),
            off: !draft.allowed,
          })
        : nothing}${draft.said("alert")}`,
  );
}

export function methodField(draft) {
  const m = draft.value("method");
  const number = (name, label, placeholder) =>
    html`<label class="row s12"
      ><span class="m">${label}</span
      ><input
        class="field low tiny"
        inputmode="decimal"
        aria-label=${label}
        placeholder=${placeholder}
        .value=${m[name] ?? ""}
        ?disabled=${!draft.allowed}
        @change=${(e) => draft.set("method", { ...draft.value("method"), [name]: numeric(e.target.value) })}
    /></label>`;
  const grafana = m.sensitivity !== undefined && m.sensitivity !== null;
  return field(
    "Method",
    "",
    html`${segments(m.type, METHODS, (type) => draft.allowed && draft.set("method", { type }), "Method")}
    ${m.type === "peers"
      ? html`<label class="check s12"
          ><input
            type="checkbox"
            name="interchangeable"
            .checked=${Boolean(m.interchangeable)}
            ?disabled=${!draft.allowed}
            @change=${(e) => draft.set("method", { ...draft.value("method"), interchangeable: e.target.checked })}
          />Members do the same work: a lasting difference between them counts too</label
        >`
      : html`<p class="m s12">
            For people who come from elsewhere: the parameters are those of ${grafana ? "Grafana" : "Datadog"}.
            <button
              type="button"
              class="link"
              ?disabled=${!draft.allowed}
              @click=${() => draft.set("method", grafana ? { type: m.type } : { type: m.type, sensitivity: 0.5 })}
            >
              ${grafana ? "Datadog's" : "Grafana's"} instead
            </button>
          </p>
          <div class="row wrap">
            ${grafana
              ? number("sensitivity", "sensitivity", "0.5")
              : html`${number("tolerance", "tolerance", "3")}${m.type === "mad"
                  ? number("percent", "percent", "20")
                  : nothing}`}
            <label class="row s12"
              ><span class="m">window</span
              ><input
                class="field low tiny"
                aria-label="window"
                placeholder="1h"
                .value=${m.window ?? ""}
                ?disabled=${!draft.allowed}
                @change=${(e) =>
                  draft.set("method", { ...draft.value("method"), window: e.target.value.trim() || undefined })}
            /></label>
          </div>`}${draft.said("method")}`,
  );
}
