// One threshold: its rule as a sentence, and beside it what the rule would have done.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { lastTick, moment } from "../../core/time.js";
import { go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory } from "../../parts/history.js";
import { shape } from "../../parts/shapes.js";
import { alertFields, detailFields } from "../shared/rule-fields.js";
import { cleanScope, ScopeFields, scopeWords } from "../shared/scope-fields.js";
import { definitionPage, nameField, notStored, scopePane } from "./definition-page.js";
import { Overrides } from "./overrides.js";
import { ThresholdRule } from "./rule.js";
import { WhatIf } from "./whatif.js";
import { BLANK, byRank, conditionText, FIELDS, openOf, stateOf, triggerText } from "./words.js";

const ALERT = { impact: "health", recommendations: [] };

const withoutNothing = (level) =>
  Object.fromEntries(Object.entries(level).filter(([, v]) => v !== undefined && v !== null));

/** Without parts that say nothing. */
function toBody({ alert, ...body }) {
  const { operator, ...condition } = body.condition;
  const levels = body.condition.levels.map(withoutNothing);
  const said = alert
    ? { alert: { ...alert, recommendations: (alert.recommendations ?? []).filter((r) => r.trim()) } }
    : {};
  return {
    ...body,
    ...said,
    scope: cleanScope(body.scope),
    condition: { ...condition, ...(condition.type === "no-data" ? {} : { operator }), levels: byRank(levels) },
    overrides: (body.overrides ?? []).map((o) => ({
      ...o,
      scope: cleanScope(o.scope),
      ...(o.levels ? { levels: o.levels.map(withoutNothing) } : {}),
    })),
  };
}

function shown(name, v) {
  if (name === "condition") return conditionText(v);
  if (name === "scope") return scopeWords(v, "every object");
  if (name === "trigger") return triggerText(v);
  if (name === "alert")
    return v
      ? `${v.impact}${v.recommendations?.length ? `, ${plural(v.recommendations.length, "recommendation")}` : ""}`
      : "none, a symptom only";
  if (name === "overrides") return (v ?? []).map((o) => `${o.name}: ${scopeWords(o.scope)}`).join("; ") || "none";
  if (name === "objectKind") return v?.objectKind ?? "none";
  if (name === "enabled") return v ? "yes" : "no";
  return Array.isArray(v) ? v.join(", ") || "none" : `${v ?? ""}` || "none";
}

/** A new threshold on the metric that the address names, else a blank one. */
function blank() {
  if (!param("metric")) return BLANK;
  const objectKind = param("objectKind")
    ? { adapterKind: param("adapterKind"), objectKind: param("objectKind") }
    : null;
  return { ...BLANK, name: param("name"), objectKind, condition: { ...BLANK.condition, key: param("metric") } };
}

export function page(address) {
  const draft = new Draft({
    api: "/thresholds",
    place: "/thresholds",
    list: () => go("/thresholds"),
    address,
    blank: blank(),
    remember: !(address === "new" && param("metric")),
    labels: FIELDS,
    show: shown,
    toBody,
  });
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const unit = new Load(async (kind, key, signal) => {
    const path = `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/keys`;
    return { unit: (await get(path, { q: key, limit: 100 }, signal)).items.find((k) => k.key === key)?.unit ?? "" };
  });
  const rule = new ThresholdRule(draft, kinds);
  const scope = new ScopeFields({ label: "Scope" });
  const overrides = new Overrides(draft);
  const whatIf = new WhatIf(draft);
  let active = null;

  const condition = () => draft.value("condition");
  const level = () =>
    condition().levels.find((l) => l.severity === active) ??
    byRank(condition().levels).findLast((l) => ["number", "learned"].includes(l.bound?.type)) ??
    condition().levels[0];
  // Null while it is not known yet.
  const unitNow = () => (unit.data && !unit.loading ? unit.data.unit : null);
  const unitText = () => unitNow() ?? draft.before.unit ?? "";

  function update() {
    draft.want();
    kinds.want(lastTick());
    arrived();
  }

  function arrived() {
    if (!draft.there) return;
    const kind = draft.value("objectKind");
    if (kind && condition().key) unit.want(kind, condition().key);
    whatIf.want(level(), unitNow());
  }

  function setValue(v) {
    const { severity, bound, clear } = level();
    if (bound.type === "learned") {
      // Where it clears is no further out.
      const nearer = clear?.minimumDeviation > v ? { clear: { ...clear, minimumDeviation: v } } : {};
      draft.set("condition", {
        ...condition(),
        levels: condition().levels.map((l) =>
          l.severity === severity ? { ...l, ...nearer, bound: { ...bound, minimumDeviation: v } } : l,
        ),
      });
      return;
    }
    // The level at which it clears keeps its distance.
    const moved =
      clear?.type === "number"
        ? { clear: { ...clear, value: Number((clear.value + v - bound.value).toPrecision(6)) } }
        : {};
    draft.set("condition", {
      ...condition(),
      levels: condition().levels.map((l) =>
        l.severity === severity ? { ...l, ...moved, bound: { ...l.bound, value: v } } : l,
      ),
    });
  }

  function setSensitivity(sensitivity) {
    draft.set("condition", {
      ...condition(),
      levels: condition().levels.map((l) => ({
        ...l,
        bound: { ...l.bound, sensitivity },
        ...(l.clear ? { clear: { ...l.clear, sensitivity } } : {}),
      })),
    });
  }

  function marks() {
    const { state, name } = draft.before;
    const { count: open } = openOf(state);
    const [kind, words] = draft.isNew
      ? ["unknown", "not stored yet"]
      : state
        ? stateOf(draft.before)
        : ["unknown", "-"];
    return html`<span
        class="row s12 m nw"
        title=${state?.tick ? `as of ${moment(Date.parse(state.tick), true)}` : nothing}
        >${shape(kind, 11, "")}${words}</span
      >
      ${open ? html`<a class="acc s12 nw" href=${href("/alerts", { q: `rule:"${name}"` })}>Open them</a>` : nothing}`;
  }

  const links = () =>
    html`<a
      class="ctl ghost"
      href=${href("/notifications/rules/new", { definition: draft.id, name: draft.before.name })}
      >Notify…</a
    >`;

  const issues = () =>
    draft.edited
      ? nothing
      : (draft.before.issues ?? []).map(
          (i) =>
            html`<p class="row s12 pad">
              ${shape("warning", 11)}
              <span>${i.message}${i.hint ? `; ${i.hint}` : ""}</span>
            </p>`,
        );

  function choose(severity) {
    if (active === severity) return;
    active = severity;
    redraw();
  }

  function columns() {
    arrived();
    return html`<div class="col">
        ${notStored(draft)}
        <section class="pane" aria-label="Rule">
          ${nameField(draft, 200)} ${issues()} ${rule.view({ unit: unitText(), active: level()?.severity, choose })}
        </section>
        ${scopePane(draft, scope)} ${overrides.view(unitText())} ${alertFields({ draft, blank: ALERT })}
        ${detailFields({
          draft,
          remove: () => draft.remove("Its open alerts are canceled with the next tick; its history stays."),
        })}
      </div>
      <div class="col side-col">
        ${draftHistory(draft)} ${whatIf.view({ level: level(), unit: unitText(), setValue, setSensitivity })}
      </div>`;
  }

  return definitionPage({
    draft,
    kind: "Threshold",
    name: "threshold",
    list: "Thresholds",
    listAddress: href("/thresholds"),
    marks,
    links,
    update,
    columns,
  });
}
