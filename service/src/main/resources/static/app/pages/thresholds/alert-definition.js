// One alert definition: thresholds on an object and its neighbours, combined into one alert.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { IMPACTS } from "../../core/health.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { SEVERITIES } from "../../core/severity.js";
import { lastTick } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory } from "../../parts/history.js";
import { segments } from "../../parts/small.js";
import { conditionTree, treeText } from "./alert-tree.js";
import { definitionPage, nameField, notStored, scopePane } from "./definition-page.js";
import { detailFields, recommendationFields } from "../shared/rule-fields.js";
import { cleanScope, ScopeFields, scopeWords } from "../shared/scope-fields.js";

const BLANK = {
  name: "",
  description: null,
  enabled: true,
  objectKind: null,
  scope: {},
  impact: "health",
  severity: "auto",
  condition: { type: "all", conditions: [{ type: "threshold", on: "self" }] },
  waitCycles: 1,
  cancelCycles: 1,
  recommendations: [],
  type: null,
  subType: null,
  tags: [],
  owner: null,
  interval: "1m",
};
const FIELDS = {
  name: "Name",
  description: "Description",
  enabled: "Enabled",
  objectKind: "Object kind",
  scope: "Scope",
  impact: "Impact",
  severity: "Severity",
  condition: "Condition",
  waitCycles: "Wait cycles",
  cancelCycles: "Cancel cycles",
  recommendations: "Recommendations",
  type: "Type",
  subType: "Subtype",
  tags: "Tags",
  owner: "Owner",
  interval: "Judged every",
};

const toBody = (body) => ({
  ...body,
  scope: cleanScope(body.scope),
  recommendations: body.recommendations.filter((r) => r.trim()),
});

export function page(address) {
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const thresholds = new Load((_tick, signal) => get("/thresholds", { limit: 1000 }, signal));
  const known = () => thresholds.data?.items ?? [];
  const shown = (name, v) => {
    if (name === "condition") return treeText(v, known());
    if (name === "scope") return scopeWords(v, "every object");
    if (name === "objectKind") return v?.objectKind ?? "none";
    if (name === "enabled") return v ? "yes" : "no";
    return Array.isArray(v) ? v.join("; ") || "none" : `${v ?? ""}` || "none";
  };
  const draft = new Draft({
    api: "/alert-definitions",
    place: "/thresholds/definitions",
    list: () => go("/thresholds", { tab: "definitions" }),
    address,
    blank: BLANK,
    labels: FIELDS,
    show: shown,
    toBody,
  });
  const scope = new ScopeFields({ label: "Scope" });

  function update() {
    draft.want();
    kinds.want(lastTick());
    thresholds.want(lastTick());
  }

  function marks() {
    const { error, openAlerts, name } = draft.before;
    if (error) return html`<span class="warn s12 cut" title=${error}>${error}</span>`;
    if (!openAlerts) return nothing;
    const address = href("/alerts", { q: `rule:"${name}"` });
    return html`<a class="acc s12 nw" href=${address}>${plural(openAlerts, "alert")} open</a>`;
  }

  function rulePane() {
    const off = !draft.allowed;
    const kind = draft.value("objectKind");
    const all = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
    const at = all.findIndex((k) => k.objectKind === kind?.objectKind && k.adapterKind === kind?.adapterKind);
    const cycles = (name, label) =>
      html`<input
        class="field inline tiny"
        type="number"
        min="1"
        max="100"
        aria-label=${label}
        .value=${String(draft.value(name))}
        ?disabled=${off}
        @change=${(e) => draft.set(name, Math.min(100, Math.max(1, Math.round(Number(e.target.value) || 1))))}
      />`;
    return html`<section class="pane" aria-label="Rule">
      ${nameField(draft, 1000)}
      <div class="sentence">
        <p>
          An alert for each
          <select
            class="field inline"
            aria-label="Object kind"
            ?disabled=${off}
            @change=${(e) => {
              const k = all[Number(e.target.value)];
              if (k) draft.set("objectKind", { adapterKind: k.adapterKind, objectKind: k.objectKind });
            }}
          >
            <option value="-1" ?selected=${at < 0}>${kind && at < 0 ? kind.objectKind : "object kind\u2026"}</option>
            ${all.map(
              (k, i) =>
                html`<option value=${i} ?selected=${i === at}>
                  ${kindWord(k.objectKind)} (${k.adapterKind}, ${count(k.objects)})
                </option>`,
            )}
          </select>
          in the scope below, when
        </p>
        ${draft.said("objectKind")}
        ${conditionTree({
          condition:
            draft.value("condition").type === "threshold"
              ? { type: "all", conditions: [draft.value("condition")] }
              : draft.value("condition"),
          set: (c) => draft.set("condition", c),
          thresholds: known(),
          kinds,
          off,
        })}${draft.said("condition")}
        <p>
          It opens after ${cycles("waitCycles", "Ticks until it opens")} ticks in a row and clears after
          ${cycles("cancelCycles", "Ticks until it clears")} without. Severity:
          <select
            class="field inline"
            aria-label="Severity"
            ?disabled=${off}
            @change=${(e) => draft.set("severity", e.target.value)}
          >
            ${["auto", ...SEVERITIES].map(
              (s) =>
                html`<option value=${s} ?selected=${s === draft.value("severity")}>
                  ${s === "auto" ? "that of the worst symptom" : s}
                </option>`,
            )}
          </select>
        </p>
        <p class="m s12 in-words" role="status">In words: ${treeText(draft.value("condition"), known())}.</p>
      </div>
    </section>`;
  }

  function alertPane() {
    const off = !draft.allowed;
    return html`<section class="pane" aria-label="Alert">
      <div class="ph">
        <h2>Alert</h2>
      </div>
      <div class="form">
        <div class="lab" role="group" aria-label="What suffers">
          <span>What suffers</span>
          <div>
            ${segments(
              draft.value("impact"),
              IMPACTS.map((i) => [i, i]),
              (v) => !off && draft.set("impact", v),
              "What suffers",
            )}
          </div>
        </div>
        ${recommendationFields({
          all: draft.value("recommendations"),
          set: (list) => draft.set("recommendations", list),
          off,
        })}
      </div>
    </section>`;
  }

  const columns = () =>
    html`<div class="col">${notStored(draft)} ${rulePane()} ${scopePane(draft, scope)}</div>
      <div class="col">
        ${draftHistory(draft)} ${alertPane()}
        ${detailFields({
          draft,
          remove: () => draft.remove("Its open alerts are canceled with the next tick; its history stays."),
        })}
      </div>`;

  return definitionPage({
    draft,
    kind: "Alert definition",
    name: "definition",
    list: "Alert definitions",
    listAddress: href("/thresholds", { tab: "definitions" }),
    marks,
    update,
    columns,
  });
}
