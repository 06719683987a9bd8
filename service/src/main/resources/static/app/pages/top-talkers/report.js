// One saved report: its question, when and to whom it is sent, its limit of share; beside it what it showed.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { readPages } from "../../core/outliers.js";
import { DIMENSIONS, MEASURES, narrowing } from "../../core/talkers.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { questionPane, USUAL } from "./report-question.js";
import { runsPane } from "./report-runs.js";
import { limitPane, schedulePane } from "./report-sending.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { filled, queryWords, shareWords, windowOk } from "./report-words.js";

const BLANK = {
  name: "",
  description: null,
  query: USUAL,
  schedule: null,
  targets: [],
  templates: [],
  shareAbove: null,
  alert: null,
};
const FIELDS = {
  name: "Name",
  description: "What it is for",
  query: "Question",
  schedule: "Sent",
  targets: "To",
  templates: "As",
  shareAbove: "Share limit",
  alert: "Alert",
};

function toBody({ query, schedule, targets, templates, shareAbove, alert, ...rest }) {
  const question = Object.fromEntries(Object.entries(query).filter(([, v]) => filled(v)));
  return {
    ...rest,
    query: question,
    ...(schedule ? { schedule } : {}),
    targets: targets ?? [],
    ...(templates?.length ? { templates } : {}),
    ...(shareAbove ? { shareAbove } : {}),
    ...(shareAbove && alert
      ? { alert: { ...alert, recommendations: (alert.recommendations ?? []).map((r) => r.trim()).filter(Boolean) } }
      : {}),
  };
}

/** Begins with what was asked on the page one came from; a reload does not ask for it again. */
function takeAsked(draft) {
  const q = narrowing();
  draft.begin({
    query: {
      by: DIMENSIONS[param("by")] ? param("by") : "vm",
      measure: MEASURES[param("measure")] ? param("measure") : "bytes",
      direction: param("direction") || "sent",
      trafficType: q.traffic ?? undefined,
      ports: q.ports,
      scope: q.of,
      peerScope: q.peers,
      network: q.networks,
      tier: q.tiers,
      window: windowOk(param("window")) ? param("window") : "24h",
      limit: Math.min(1000, Math.max(1, Number(param("limit")) || 20)),
    },
  });
  queueMicrotask(() =>
    amend(
      {
        by: null,
        measure: null,
        direction: null,
        window: null,
        limit: null,
        traffic: null,
        ports: null,
        network: null,
        of: null,
        peer: null,
        tier: null,
      },
      { replace: true },
    ),
  );
}

export function page(address) {
  const draft = new Draft({
    api: "/talker-reports",
    place: "/top-talkers/reports",
    list: () => go("/top-talkers/reports"),
    address,
    blank: BLANK,
    labels: FIELDS,
    show,
    toBody,
    saved: () => "Saved",
  });
  const targets = new Load((_tick, signal) => readPages("/notification-targets", {}, signal));
  const runs = new Load((id, _version, _tick, signal) => get(`/talker-reports/${id}/runs`, { limit: 50 }, signal));

  function show(name, v) {
    if (name === "query") return v ? queryWords(v) : "none";
    if (name === "schedule") return scheduleWords(v);
    if (name === "targets")
      return v?.length
        ? v.map((id) => targets.data?.items.find((t) => t.id === id)?.name ?? "one that is gone").join(", ")
        : "nobody";
    if (name === "shareAbove") return shareWords(v);
    if (name === "alert") return v ? `${v.severity ?? "warning"}, ${v.impact ?? "risk"}` : "warning, risk";
    return Array.isArray(v) ? v.join(", ") || "none" : `${v ?? ""}` || "none";
  }

  if (address === "new" && param("by")) takeAsked(draft);

  return {
    get title() {
      return draft.value("name") || "Report";
    },
    name: "rule-page",
    timed: false,
    update() {
      draft.want();
      targets.want(lastTick());
      if (!draft.isNew && draft.stored.data) runs.want(draft.id, draft.before.version, lastTick());
    },
    escape: () => leaveField() || back("/top-talkers/reports"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No report to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`${bar(draft)}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      if (!draft.isNew) runs.want(draft.id, draft.before.version, lastTick());
      return html`${bar(draft)}${draft.error && !draft.error.errors?.length
          ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
          : nothing}
        <div class="cols">
          <div class="col">
            ${namePane(draft)}${questionPane(draft)}${schedulePane(draft, targets)}${limitPane(draft)}
            ${draft.isNew ? nothing : keptPane(draft)}
          </div>
          <div class="col">${draftHistory(draft)}${draft.isNew ? nothing : runsPane(draft, runs)}</div>
        </div>`;
    },
  };
}

function bar(draft) {
  return html`<div class="tb">
    <a class="m nw" href=${href("/top-talkers/reports")}>Reports /</a>
    <h1 class="cut">${draft.value("name") || (draft.isNew ? "New report" : "\u00a0")}</h1>
    ${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}
    <span class="sp"></span>
    ${historyButton(draft)}${draft.saveButtons()}
  </div>`;
}

function namePane(draft) {
  const off = !draft.allowed;
  return html`<section class="pane" aria-label="What it is called">
    <div class="form">
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
        @click=${() => draft.remove("What it showed goes with it; its alert is closed.")}
      >
        Delete…
      </button>
    </div>
  </section>`;
}
