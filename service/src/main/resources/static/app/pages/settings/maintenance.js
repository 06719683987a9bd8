// One maintenance window: when, and which objects it covers.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { HOUR, lastTick, moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { ZONES, zoneName } from "../../core/zone.js";
import { auditPane } from "../../parts/audit.js";
import { Draft } from "../../parts/draft.js";
import { failure, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { whenField } from "../../parts/when.js";
import { occurrence } from "./maintenance-next.js";
import { DAYS, nextText, whenText } from "./maintenance-words.js";
import { cleanScope, ScopeFields, scopeWords } from "../shared/scope-fields.js";

const soon = () => {
  const from = new Date(Date.now() + HOUR);
  from.setMinutes(0, 0, 0);
  return { from: from.toISOString(), to: new Date(from.getTime() + 2 * HOUR).toISOString() };
};
const weekly = () => ({ days: ["sat"], start: "22:00", duration: "2h", zone: zoneName() });
const BLANK = () => ({ name: "", reason: null, scope: {}, enabled: true, oneOff: soon(), recurring: null });
const FIELDS = {
  name: "Name",
  reason: "Reason",
  scope: "Objects",
  enabled: "Enabled",
  oneOff: "Once",
  recurring: "Every week",
};

function toBody({ oneOff, recurring, ...rest }) {
  return {
    ...rest,
    scope: cleanScope(rest.scope),
    ...(oneOff ? { oneOff } : {}),
    ...(recurring ? { recurring: Object.fromEntries(Object.entries(recurring).filter(([, v]) => v)) } : {}),
  };
}

function shown(name, v) {
  if (name === "scope") return scopeWords(v, "every object");
  if (name === "oneOff") return v ? whenText({ oneOff: v }) : "no";
  if (name === "recurring") return v ? whenText({ recurring: v }) : "no";
  if (name === "enabled") return v ? "yes" : "no";
  return `${v ?? ""}` || "none";
}

export function page(address) {
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const draft = new Draft({
    api: "/maintenance-windows",
    place: "/settings/maintenance",
    list: () => go("/settings"),
    address,
    blank: BLANK(),
    labels: FIELDS,
    show: shown,
    toBody,
  });
  const scope = new ScopeFields({
    label: "Objects",
    kinds: () => (kinds.data?.items ?? []).flatMap((a) => a.objectKinds),
  });

  function toggle(kind) {
    if ((kind === "once") === Boolean(draft.value("oneOff"))) return;
    draft.set("oneOff", kind === "once" ? (draft.before.oneOff ?? soon()) : null);
    draft.set("recurring", kind === "once" ? null : (draft.before.recurring ?? weekly()));
  }

  /** When it takes effect next: as it is stored, or as it would be once this is saved. */
  function nextWords() {
    if (!draft.isNew && !draft.edited) return `next: ${nextText(draft.before)}`;
    const next = occurrence({
      enabled: draft.value("enabled"),
      oneOff: draft.value("oneOff"),
      recurring: draft.value("recurring"),
    });
    return next ? `next, once saved: ${nextText(next)}` : "";
  }

  function whenPane() {
    const off = !draft.allowed;
    const once = draft.value("oneOff");
    const every = draft.value("recurring");
    const set = (part) => draft.set("recurring", { ...draft.value("recurring"), ...part });
    const at = (name, ms) => draft.set("oneOff", { ...draft.value("oneOff"), [name]: new Date(ms).toISOString() });
    const order = DAYS.map(([d]) => d);
    const day = (d) =>
      set({
        days: every.days.includes(d)
          ? every.days.filter((x) => x !== d)
          : [...every.days, d].sort((a, b) => order.indexOf(a) - order.indexOf(b)),
      });
    return html`<section class="pane" aria-label="When">
      <div class="ph">
        <h2>When</h2>
        <span class="m cut">${whenText({ oneOff: once, recurring: every })}</span>
      </div>
      <div class="form">
        <div>
          ${segments(
            once ? "once" : "weekly",
            [
              ["once", "Once"],
              ["weekly", "Every week"],
            ],
            (v) => !off && toggle(v),
            "How often",
          )}
        </div>
        ${once
          ? html`<div class="two">
                <label class="lab"
                  >From${whenField({ value: once.from, disabled: off, change: (ms) => at("from", ms) })}</label
                ><label class="lab"
                  >To${whenField({ value: once.to, disabled: off, change: (ms) => at("to", ms) })}${Date.parse(
                    once.to,
                  ) > Date.parse(once.from)
                    ? nothing
                    : html`<span class="crit s12" role="alert">lies before the beginning</span>`}</label
                >
              </div>
              <p class="m s12">Times in ${zoneName()}.</p>`
          : nothing}
        ${every
          ? html`<div class="row wrap" role="group" aria-label="Days">
                ${DAYS.map(
                  ([d, w]) =>
                    html`<button
                      type="button"
                      class="ctl low"
                      aria-pressed=${every.days.includes(d)}
                      ?disabled=${off}
                      @click=${() => day(d)}
                    >
                      ${w}
                    </button>`,
                )}
              </div>
              <div class="three">
                <label class="lab"
                  >Begins at<input
                    class="field"
                    type="time"
                    .value=${every.start}
                    ?disabled=${off}
                    @change=${(e) => e.target.value && set({ start: e.target.value.slice(0, 5) })} /></label
                ><label class="lab"
                  >For<input
                    class="field"
                    placeholder="2h"
                    .value=${every.duration}
                    ?disabled=${off}
                    aria-invalid=${/^[1-9]\d{0,5}[mhd]$/.test(every.duration) ? "false" : "true"}
                    @input=${(e) => set({ duration: e.target.value.trim() })}
                /></label>
                <label class="lab"
                  >Time zone<input
                    class="field"
                    list="zones"
                    autocomplete="off"
                    .value=${every.zone}
                    ?disabled=${off}
                    aria-invalid=${ZONES.includes(every.zone) || every.zone === "UTC" ? "false" : "true"}
                    @change=${(e) => set({ zone: e.target.value.trim() })}
                /></label>
              </div>
              <datalist id="zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>
              <div class="two">
                <label class="lab"
                  >First day, empty: from now on<input
                    class="field"
                    type="date"
                    .value=${every.from ?? ""}
                    ?disabled=${off}
                    @change=${(e) => set({ from: e.target.value || undefined })} /></label
                ><label class="lab"
                  >Last day, empty: for ever<input
                    class="field"
                    type="date"
                    .value=${every.until ?? ""}
                    ?disabled=${off}
                    @change=${(e) => set({ until: e.target.value || undefined })}
                /></label>
              </div>
              <p class="m s12">It may go on past midnight. When the clocks change it begins at the same clock time.</p>`
          : nothing}
        ${draft.said("oneOff")}${draft.said("recurring")}
      </div>
    </section>`;
  }

  return {
    get title() {
      return draft.value("name") || "Maintenance window";
    },
    name: "rule-page",
    timed: false,
    update() {
      draft.want();
      kinds.want(lastTick());
    },
    escape: () => leaveField() || back("/settings"),
    keys: () => ({ "Ctrl S": [() => draft.save(), "Save"] }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No maintenance window to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      const w = draft.before;
      const off = !draft.allowed;
      const head = html`<div class="tb">
        <a class="m nw" href=${href("/settings")}>Settings /</a>
        <h1 class="cut">${draft.value("name") || (draft.isNew ? "New maintenance window" : "\u00a0")}</h1>
        ${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}
        <span class="m s12 nw" role="status">${draft.there ? nextWords() : nothing}</span>
        <span class="sp"></span>
        ${draft.saveButtons()}
      </div>`;
      if (!draft.there)
        return html`${head}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 6 })}</section>`;
      return html`${head}${draft.error && !draft.error.errors?.length
          ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
          : nothing}
        <div class="cols">
          <div class="col">
            <section class="pane" aria-label="What">
              <div class="ph">
                <h2>What</h2>
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
                  >What is done<textarea
                    class="field tall"
                    name="reason"
                    rows="2"
                    maxlength="2000"
                    .value=${draft.value("reason") ?? ""}
                    ?disabled=${off}
                    @input=${(e) => draft.set("reason", e.target.value || null)}
                  ></textarea
                  >${draft.said("reason")}</label
                >
              </div>
            </section>
            ${whenPane()}
          </div>
          <div class="col">
            <section class="pane" aria-label="Objects">
              <div class="ph">
                <h2>Objects</h2>
                <span class="m cut">${scopeWords(draft.value("scope"), "every object")}</span>
              </div>
              <div class="pad">
                ${scope.view({ scope: draft.value("scope"), set: (s) => draft.set("scope", s), off })}${draft.said(
                  "scope",
                )}
              </div>
            </section>
            ${draft.isNew
              ? nothing
              : html`<section class="pane" aria-label="Kept">
                    <div class="row pad">
                      <span class="m s12"
                        >Version ${w.version}, ${w.updatedBy}, ${moment(Date.parse(w.updatedAt))}</span
                      >
                      <span class="sp"></span>
                      <button
                        class="ctl"
                        ?disabled=${off}
                        title=${off ? "Needs the role operator" : nothing}
                        @click=${() => draft.remove("Alerts that it holds back are open with the next tick.")}
                      >
                        Delete…
                      </button>
                    </div>
                  </section>
                  ${auditPane(w.id, w.version)}`}
          </div>
        </div>`;
    },
  };
}
