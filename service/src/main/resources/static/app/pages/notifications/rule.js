// One rule: which alerts, when, in which form and to whom, as sentences; beside it what it would have sent.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { lastTick, moment } from "../../core/time.js";
import { back, go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { copy } from "../../parts/notice.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { failure, loaded } from "../../parts/pane.js";
import { Suggest } from "../../parts/suggest.js";
import { CelWords } from "../../template/cel.js";
import { fitting, pathItems, sampleContext } from "../../template/context-names.js";
import { deliveriesOf } from "./deliveries.js";
import { BLANK, editOf, FIELDS, shown } from "./rule-words.js";
import { criteriaPane } from "./rule-criteria.js";
import { deliveryPane } from "./rule-delivery.js";
import { timingPane } from "./rule-timing.js";
import { Simulator } from "./simulator.js";
import { issueLines } from "./words.js";
import { ScopeFields } from "../shared/scope-fields.js";

/** A new rule for the alerts of the definition that the address names, else a blank one. */
const blank = () =>
  param("definition") ? { ...BLANK, name: param("name"), definitions: [param("definition")] } : BLANK;

/** The editor, which this page alone of its group needs: loaded before the page is drawn. */
export const loads = () => import("../../editor/code-editor.js");

export function page(address) {
  const draft = new Draft({
    api: "/notification-rules",
    place: "/notifications/rules",
    list: () => go("/notifications"),
    address,
    blank: blank(),
    remember: !(address === "new" && param("definition")),
    labels: FIELDS,
    show: shown,
    toBody: editOf,
    saved: () => "Saved; the next event goes by it",
  });
  const simulator = new Simulator(draft);
  const rule = {
    draft,
    simulator,
    templates: new Load((_tick, signal) => get("/notification-templates", { limit: 1000 }, signal)),
    targets: new Load((_tick, signal) => get("/notification-targets", { limit: 1000 }, signal)),
    kinds: new Load((_tick, signal) => get("/adapter-kinds", {}, signal)),
    definitions: new Load(async (_tick, signal) =>
      (
        await Promise.all(
          ["/thresholds", "/alert-definitions", "/outlier-groups", "/talker-reports"].map((p) =>
            get(p, { limit: 1000 }, signal),
          ),
        )
      )
        .flatMap((page) => page.items)
        .map(({ id, name }) => ({ id, name })),
    ),
    scope: new ScopeFields({ label: "Objects" }),
    words: new CelWords(sampleContext),
    by: new Suggest(async (typed) =>
      fitting(pathItems(await sampleContext()), typed)
        .slice(0, 14)
        .map((i) => ({ value: i.insert, label: i.label, hint: i.end })),
    ),
    // Conditions that were opened and say nothing yet.
    opened: new Set(),
    issues: { cel: "", wrong: null, list: [] },
  };

  // A target that was made for this rule is chosen.
  let offered = param("target");
  function takeOffered() {
    if (!offered) return;
    const chosen = draft.value("targets") ?? [];
    if (!chosen.includes(offered)) draft.set("targets", [...chosen, offered]);
    offered = "";
  }

  function update() {
    draft.want();
    for (const load of [rule.templates, rule.targets, rule.kinds]) load.want(lastTick());
  }

  return {
    get title() {
      return draft.value("name") || "Rule";
    },
    name: "notify-rule",
    timed: false,
    update,
    leave: () => simulator.leave(),
    escape: () => leaveField() || back("/notifications"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      S: [() => simulator.run(), "Try it on past alerts"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No rule to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`${bar(draft)}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      takeOffered();
      simulator.want();
      return html`${bar(draft)}
        <div class="cols">
          <div class="col">
            ${draft.error && !draft.error.errors?.length
              ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
              : nothing}
            ${namePane(draft)}${criteriaPane(rule)}${deliveryPane(rule)}${timingPane(rule)}
            ${draft.isNew ? nothing : keptPane(draft)}
          </div>
          <div class="col side-col">${draftHistory(draft)} ${simulator.view()}</div>
        </div>
        ${draft.isNew ? nothing : deliveriesOf({ rule: draft.id }, { title: "Deliveries by this rule" })}`;
    },
  };
}

function bar(draft) {
  const r = draft.before;
  return html`<div class="tb">
    <a class="m nw" href=${href("/notifications")}>Notifications / Rules /</a>
    <h1 class="cut">${draft.value("name") || (draft.isNew ? "New rule" : "\u00a0")}</h1>
    ${r.pack ? html`<span class="chip">pack ${r.pack}</span>` : nothing}${draft.edited
      ? html`<span class="chip accent">edited</span>`
      : nothing}${draft.value("enabled") ? nothing : html`<span class="chip">disabled</span>`}${draft.meanwhile()}
    <span class="sp"></span>
    ${historyButton(draft)}${draft.saveButtons()}
  </div>`;
}

function namePane(draft) {
  const off = !draft.allowed;
  return html`<section class="pane" aria-label="What it is called">
    <div class="form">
      <div class="name-line">
        <label class="lab"
          >Name<input
            class="field"
            name="name"
            maxlength="200"
            autocomplete="off"
            .value=${draft.value("name")}
            ?disabled=${off}
            aria-invalid=${draft.wrong("name") ? "true" : "false"}
            @input=${(e) => draft.set("name", e.target.value)}
          />${draft.said("name")}</label
        >
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
      <label class="lab"
        >What it is for<textarea
          class="field tall"
          name="description"
          rows="1"
          maxlength="20000"
          .value=${draft.value("description") ?? ""}
          ?disabled=${off}
          @input=${(e) => draft.set("description", e.target.value || null)}
        ></textarea
        >${draft.said("description")}</label
      >
    </div>
    ${draft.edited ? nothing : issueLines(draft.before.issues)}
  </section>`;
}

function keptPane(draft) {
  const { version, updatedBy, updatedAt } = draft.before;
  return html`<section class="pane" aria-label="Kept">
    <div class="row pad">
      <span class="m s12">Version ${version}, ${updatedBy}, ${moment(Date.parse(updatedAt))}</span>
      <span class="sp"></span>
      <button
        class="ctl"
        ?disabled=${!draft.allowed}
        title=${!draft.allowed ? "Needs the role operator" : nothing}
        @click=${() => draft.remove("What waits is still sent; its history stays.")}
      >
        Delete…
      </button>
    </div>
  </section>`;
}
