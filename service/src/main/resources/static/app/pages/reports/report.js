// One report: what it shows, when it is sent and to whom; beside it its runs.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { readPages } from "../../core/outliers.js";
import { narrow } from "../../core/screen.js";
import { NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, back, go, href, param, place } from "../../core/url.js";
import { download } from "../../parts/download.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { scheduleWords } from "../shared/sending-fields.js";
import { Runs } from "./runs.js";
import { sendingPane } from "./sending.js";
import { Showing } from "./showing.js";
import { questionWords, timeWords } from "./words.js";

const BLANK = {
  name: "",
  description: null,
  dashboard: null,
  view: null,
  loadProfile: null,
  variables: {},
  each: null,
  time: null,
  schedule: null,
  targets: [],
  files: ["pdf", "csv"],
};
const FIELDS = {
  name: "Name",
  description: "What it is for",
  dashboard: "Dashboard",
  view: "View",
  loadProfile: "Load profile",
  variables: "With",
  each: "One for each",
  time: "Of what time",
  schedule: "Runs",
  targets: "To",
  files: "Files",
};

/** What is stored of the fields: those that say nothing are left out. */
export const toBody = (fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ""));

/** Whether what is wrong stands at a field. */
const isMarked = (error) => (error.errors ?? []).some((e) => e.field.match(/^\w+/)?.[0] in FIELDS);

/** The question of an address; null where it is none. */
function asked(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    return null;
  }
}

/** Begins with the dashboard or load profile that one came from; a reload does not ask for it again. */
function takeAsked(draft) {
  const chosen = [...place.query].filter(([name]) => name.startsWith("v."));
  const last = param("last");
  const fixed = param("fixed") ? { from: param("from"), to: param("to") } : null;
  draft.begin({
    name: param("name"),
    dashboard: param("dashboard"),
    loadProfile: asked(param("loadProfile")),
    variables: Object.fromEntries(chosen.map(([name, value]) => [name.slice(2), value])),
    time: last ? { last } : fixed,
  });
  const gone = ["dashboard", "loadProfile", "name", "last", "fixed", ...chosen.map(([name]) => name)];
  queueMicrotask(() => amend(Object.fromEntries(gone.map((name) => [name, null])), { replace: true }));
}

export function page(address) {
  let previewing = false;
  const draft = new Draft({
    api: "/reports",
    address,
    list: () => go("/reports"),
    blank: BLANK,
    labels: FIELDS,
    show,
    toBody,
    saved: () => "Saved",
  });
  const showing = new Showing(draft);
  const runs = new Runs(draft);
  const targets = new Load((_tick, signal) => readPages("/notification-targets", {}, signal));

  function show(name, v) {
    if (name === "dashboard" || name === "view") return v ? showing.nameOf(name, v) : "none";
    if (name === "loadProfile") return v ? questionWords(v) : "none";
    if (name === "variables")
      return (
        Object.entries(v ?? {})
          .map(([variable, value]) => `${variable}: ${value}`)
          .join(", ") || "none"
      );
    if (name === "time") return timeWords(v);
    if (name === "schedule") return scheduleWords(v, "only when somebody runs it");
    if (name === "targets")
      return v?.length
        ? v.map((id) => targets.data?.items.find((t) => t.id === id)?.name ?? "one that is gone").join(", ")
        : "nobody";
    return Array.isArray(v) ? v.join(", ") || "none" : `${v ?? ""}` || "none";
  }

  async function preview() {
    if (previewing || !(showing.what || showing.question)) return;
    previewing = true;
    draft.error = null;
    redraw();
    const name = String(draft.value("name") ?? "").trim() || "Preview";
    try {
      const body = { ...draft.body(), name };
      const { data } = await exchange("POST", "/reports/preview", { body, accept: "application/pdf" });
      const slug = name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
      download(`preview-${slug}`, "pdf", data, "The preview as of now was");
    } catch (failed) {
      draft.error = failed;
    }
    previewing = false;
    redraw();
  }

  function bar() {
    const why = showing.what || showing.question ? null : "Choose a dashboard or a view first";
    return html`<div class="tb">
      <a class="m nw" href=${href("/reports")}>Reports /</a>
      <h1 class="cut">${draft.value("name") || (draft.isNew ? "New report" : "\u00a0")}</h1>
      ${draft.edited && !draft.isNew ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}
      <span class="sp"></span>
      ${historyButton(draft)}<button
        class="ctl"
        ?disabled=${why !== null || previewing}
        title=${why ?? "The first part as PDF, as of now; nothing is kept or sent"}
        @click=${preview}
      >
        ${previewing ? "Making the PDF" : html`Preview <kbd>P</kbd>`}</button
      >${draft.saveButtons()}
    </div>`;
  }

  const edited = () =>
    html`<div class="col">
      ${namePane(draft)}${showing.view()}${sendingPane(draft, targets)}${draft.isNew ? nothing : keptPane(draft)}
    </div>`;
  // On small windows one comes to read: the runs are first.
  const read = () => (draft.isNew ? nothing : html`<div class="col">${draftHistory(draft)}${runs.view()}</div>`);

  if (address === "new" && (param("dashboard") || param("loadProfile"))) takeAsked(draft);

  return {
    get title() {
      return draft.value("name") || "Report";
    },
    name: "rule-page report-page",
    timed: false,
    update() {
      draft.want();
      targets.want(lastTick());
      runs.want();
    },
    escape: () => leaveField() || back("/reports"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      P: [preview, "Preview as PDF"],
      ...historyKey(draft),
      ...(draft.isNew ? {} : { R: [() => !draft.edited && runs.run(false), "Run it now"] }),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No report to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`${bar()}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      showing.want();
      return html`${bar()}${draft.error && !isMarked(draft.error)
          ? html`<section class="pane">${failure(draft.error, null)}</section>`
          : nothing}
        <div class="cols ${draft.isNew ? "alone" : ""}">${narrow() ? [read(), edited()] : [edited(), read()]}</div>`;
    },
  };
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
          .value=${draft.value("name") ?? ""}
          ?disabled=${off}
          aria-invalid=${draft.wrong("name") ? "true" : "false"}
          @input=${(e) => draft.set("name", e.target.value)}
        />${draft.said("name")}</label
      >
      <label class="lab"
        >What it is for; stands at its head<textarea
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
  const { version, updatedBy, updatedAt, owner } = draft.before;
  return html`<section class="pane" aria-label="Kept">
    <div class="row pad wrap">
      <span class="m s12"
        >It reads what ${owner} may read. Version ${version}, ${updatedBy}, ${moment(Date.parse(updatedAt))}</span
      >
      <span class="sp"></span>
      <button
        class="ctl"
        ?disabled=${!draft.allowed}
        title=${!draft.allowed ? NEEDS : nothing}
        @click=${() => draft.remove("Its runs go with it.")}
      >
        Delete…
      </button>
    </div>
  </section>`;
}
