// Which alerts a rule takes: severity, events, conditions of a list, objects, and a condition in CEL.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { helpAddress } from "../../core/help.js";
import { SEVERITIES } from "../../core/severity.js";
import { celIssue, readCel } from "../../template/cel.js";
import { conditionFields } from "./rule-conditions.js";
import { BLANK, editOf, whoWords } from "./rule-words.js";
import { EVENTS } from "./words.js";

function severityFields(draft) {
  const off = !draft.allowed;
  const s = draft.value("severities");
  const how = s?.anyOf ? "anyOf" : s?.atLeast ? "atLeast" : "all";
  const set = (h) =>
    draft.set("severities", h === "all" ? null : h === "atLeast" ? { atLeast: "warning" } : { anyOf: ["critical"] });
  return html`<select class="field inline" aria-label="Severity" ?disabled=${off} @change=${(e) => set(e.target.value)}>
      ${[
        ["all", "any severity"],
        ["atLeast", "at least"],
        ["anyOf", "exactly"],
      ].map(([v, w]) => html`<option value=${v} ?selected=${v === how}>${w}</option>`)}
    </select>
    ${how === "atLeast"
      ? html`<select
          class="field inline"
          aria-label="Least severity"
          ?disabled=${off}
          @change=${(e) => draft.set("severities", { atLeast: e.target.value })}
        >
          ${SEVERITIES.map((v) => html`<option ?selected=${v === s.atLeast}>${v}</option>`)}
        </select>`
      : nothing}
    ${how === "anyOf"
      ? html`<span class="row wrap inline-checks"
          >${SEVERITIES.map(
            (v) =>
              html`<label class="check s12"
                ><input
                  type="checkbox"
                  .checked=${s.anyOf.includes(v)}
                  ?disabled=${off}
                  @change=${() => {
                    const next = SEVERITIES.filter((x) => (x === v ? !s.anyOf.includes(x) : s.anyOf.includes(x)));
                    if (next.length) draft.set("severities", { anyOf: next });
                    else redraw();
                  }}
                />${v}</label
              >`,
          )}</span
        >`
      : nothing}${draft.said("severities")}`;
}

function eventFields(draft) {
  const on = draft.value("events") ?? [];
  const has = (e) => !on.length || on.includes(e);
  const flip = (e) => {
    const next = EVENTS.map(([x]) => x).filter((x) => (x === e ? !has(x) : has(x)));
    draft.set("events", next.length === 3 ? [] : next);
  };
  const say = { NEW: "opens", UPDATE: "changes", CANCEL: "is over" };
  return html`<span class="row wrap inline-checks" role="group" aria-label="Events"
      >${EVENTS.map(
        ([e]) =>
          html`<label class="check"
            ><input
              type="checkbox"
              .checked=${has(e)}
              ?disabled=${!draft.allowed || (has(e) && on.length === 1)}
              @change=${() => flip(e)}
            />${say[e]}</label
          >`,
      )}</span
    >${draft.said("events")}`;
}

/** What is wrong with the condition in CEL; the same list as long as that is the same. */
function celIssues(rule, cel) {
  const wrong = cel ? (rule.draft.wrong("when") ?? rule.simulator.wrong("when")) : null;
  if (rule.issues.cel !== cel || rule.issues.wrong !== wrong)
    rule.issues = { cel, wrong, list: wrong ? [celIssue(cel, wrong)] : [] };
  return rule.issues.list;
}

/** `rule` is the state of its page. */
export function criteriaPane(rule) {
  const { draft, scope } = rule;
  const off = !draft.allowed;
  const cel = draft.value("when") ?? "";
  return html`<section class="pane code-pane" aria-label="Which alerts">
    <div class="ph">
      <h2>Which alerts</h2>
      <span class="m cut"
        >${whoWords({
          ...BLANK,
          ...editOf(Object.fromEntries(Object.keys(BLANK).map((n) => [n, draft.value(n)]))),
        })}</span
      >
    </div>
    <div class="sentence">
      <p class="row wrap">When an alert ${eventFields(draft)}</p>
      <p class="row wrap">of ${severityFields(draft)}</p>
      ${conditionFields(rule)}
      <p>on objects</p>
      ${scope.view({ scope: draft.value("scope") ?? {}, set: (s) => draft.set("scope", s), off })}${draft.said("scope")}
    </div>
    <div class="ph inner">
      <h3>And only when</h3>
      <span class="m cut">a condition in CEL on what templates see; empty for none</span>
      <span class="sp"></span>
      <a class="link" href=${helpAddress("notifications", "templates")}>Fields and CEL</a>
    </div>
    <code-editor
      class="cel"
      label="Condition in CEL"
      .language=${readCel}
      .words=${rule.words}
      .value=${cel}
      .issues=${celIssues(rule, cel)}
      .locked=${off}
      @edited=${(e) => draft.set("when", e.target.value.trim() ? e.target.value : null)}
    ></code-editor>
  </section>`;
}
