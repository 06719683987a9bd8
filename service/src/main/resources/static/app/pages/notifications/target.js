// One target: how a receiver is reached. Nothing that is typed here is kept in the browser: addresses and fields may
// hold secrets.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { ticking } from "../../core/ticking.js";
import { duration, lastTick, moment } from "../../core/time.js";
import { back, go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { copy } from "../../parts/notice.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { failure, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { deliveriesOf } from "./deliveries.js";
import { settingsFields, wantSecrets } from "./target-fields.js";
import { resumable, resume, targetState } from "./targets.js";
import { showTest } from "./test.js";
import { issueLines, placeOf, TYPES, typeWord } from "./words.js";

const SETTINGS = {
  webhook: { url: "", auth: { type: "none" } },
  email: { host: "", from: "", to: [] },
  snmp: { host: "", version: "v3", authProtocol: "SHA-256", privProtocol: "AES-128" },
};
const FIELDS = {
  name: "Name",
  description: "Who is reached",
  enabled: "Enabled",
  type: "Type",
  webhook: "Webhook",
  email: "E-mail",
  snmp: "SNMP",
  limits: "Limits",
  heartbeat: "Heartbeat",
};
const blank = () => {
  const type = TYPES.some(([t]) => t === param("type")) ? param("type") : "webhook";
  return {
    name: "",
    description: null,
    enabled: true,
    type,
    webhook: null,
    email: null,
    snmp: null,
    [type]: SETTINGS[type],
    limits: {},
    heartbeat: null,
  };
};

const said = (v) =>
  v !== null &&
  v !== undefined &&
  v !== "" &&
  !(Array.isArray(v) && !v.length) &&
  !(typeof v === "object" && !Array.isArray(v) && !Object.keys(v).length);
/** Without members that say nothing, all the way down. */
export const clean = (v) =>
  Array.isArray(v)
    ? v.map(clean).filter(said)
    : v && typeof v === "object"
      ? Object.fromEntries(
          Object.entries(v)
            .map(([k, x]) => [k, clean(x)])
            .filter(([, x]) => said(x)),
        )
      : v;

function toBody({ name, description, enabled, type, limits, heartbeat, ...settings }) {
  return {
    name,
    enabled,
    type,
    [type]: clean(settings[type]),
    ...(description ? { description } : {}),
    ...(said(clean(limits)) ? { limits: clean(limits) } : {}),
    ...(heartbeat ? { heartbeat } : {}),
  };
}

function shown(name, v) {
  if (name === "enabled") return v ? "yes" : "no";
  if (v && typeof v === "object") return JSON.stringify(v, (key, x) => (key === "value" ? "\u2022\u2022\u2022" : x));
  return `${v ?? ""}` || "none";
}

const BREAKER = { closed: "normal", "half-open": "tried with one message", open: "left alone for a while" };
/** Back to the rule that a target was made for, with it chosen. */
const RULE = /^\/notifications\/rules\/(new|[0-9a-f-]{36})$/;
const made = ({ id }) =>
  RULE.test(param("rule"))
    ? go(param("rule"), { definition: param("definition"), name: param("name"), target: id })
    : go(`/notifications/targets/${id}`);

export function page(address) {
  const draft = new Draft({
    made,
    api: "/notification-targets",
    place: "/notifications/targets",
    list: () => go("/notifications", { tab: "targets" }),
    address,
    blank: blank(),
    labels: FIELDS,
    show: shown,
    toBody,
    role: "admin",
    saved: () => "Saved; the next attempt uses it",
    remember: false,
  });
  const states = new Load((_tick, signal) => get("/notification-targets/states", {}, signal));
  const test = () =>
    showTest({
      target: draft.before,
      note: draft.edited ? "What is tested is what is stored, without your changes." : "",
    });

  function setType(type) {
    if (!draft.isNew || type === draft.value("type")) return;
    draft.set("type", type);
    for (const [t] of TYPES) draft.set(t, t === type ? (draft.value(t) ?? SETTINGS[t]) : null);
  }

  function bar() {
    const t = draft.before;
    return html`<div class="tb">
      <a class="m nw" href=${href("/notifications", { tab: "targets" })}>Notifications / Targets /</a>
      <h1 class="cut">${draft.value("name") || (draft.isNew ? "New target" : "\u00a0")}</h1>
      ${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled")
        ? nothing
        : html`<span class="chip">disabled</span>`}${draft.meanwhile()}
      <span class="sp"></span>
      ${draft.isNew
        ? nothing
        : html`<span class="m s12 nw" title=${t.usedBy.map((r) => r.name).join(", ")}
              >${t.usedBy.length
                ? `used by ${plural(t.usedBy.length, "rule")}`
                : html`used by no rule,
                    <a class="acc" href=${href("/notifications/rules/new", { target: draft.id })}>make one</a>`}</span
            >${historyButton(draft)}<button class="ctl" @click=${test}>
              Test… <kbd>T</kbd>
            </button>`}${draft.saveButtons()}
    </div>`;
  }

  function statePane() {
    const t = { ...draft.before, state: states.data?.items.find((s) => s.target === draft.id) ?? null };
    const s = t.state;
    const [, mark, state, hint] = targetState(t);
    const at = (iso) => (iso ? `${moment(Date.parse(iso))}` : "-");
    return html`<section class="pane" aria-label="How it does">
      <div class="ph">
        <h2>How it does</h2>
        <span class="sp"></span>
        ${resumable(t)
          ? html`<button class="link" @click=${() => resume(t, () => states.again())}>Try again now</button>`
          : nothing}
      </div>
      ${states.error && !states.data
        ? failure(states.error, () => states.again())
        : html`<p class="row pad">
              ${mark}
              <span>${state}</span>
            </p>
            ${hint && hint !== state ? html`<p class="pad s12 m">${hint}</p>` : nothing}
            <dl class="props">
              <dt>Waiting</dt>
              <dd>
                ${s?.waiting ?? 0}${s?.oldestWaiting
                  ? ticking(() => `, the oldest for ${duration(Date.now() - Date.parse(s.oldestWaiting))}`)
                  : ""}
              </dd>
              <dt>Gave up, 24 h</dt>
              <dd>${s?.dead ?? 0}</dd>
              <dt>Last success</dt>
              <dd>${at(s?.lastSuccess)}</dd>
              <dt>Last failure</dt>
              <dd>${at(s?.lastFailure)}</dd>
              <dt>Delivery</dt>
              <dd>${BREAKER[s?.breaker ?? "closed"]}</dd>
            </dl>`}
    </section>`;
  }

  return {
    get title() {
      return draft.value("name") || "Target";
    },
    name: "target",
    timed: false,
    update() {
      draft.want();
      wantSecrets();
      if (!draft.isNew) states.want(lastTick());
    },
    escape: () => leaveField() || back("/notifications?tab=targets"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      T: [() => !draft.isNew && test(), "Test"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No target to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`<div class="tb">
            <h1>&nbsp;</h1>
          </div>
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      const off = !draft.allowed;
      const type = draft.value("type");
      const limits = draft.value("limits") ?? {};
      const limit = (name, label, hint, text = false) =>
        html`<label class="lab"
          >${label}<input
            class="field"
            inputmode=${text ? "text" : "numeric"}
            placeholder=${hint}
            aria-label=${label}
            .value=${limits[name] ?? ""}
            ?disabled=${off}
            @change=${(e) =>
              draft.set(
                "limits",
                clean({
                  ...draft.value("limits"),
                  [name]: text ? e.target.value.trim() : Number(e.target.value) || null,
                }),
              )}
          />${draft.said(`limits.${name}`)}</label
        >`;
      return html`${bar()}
        <div class="cols">
          <div class="col">
            ${draft.error && !draft.error.errors?.length
              ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
              : nothing}
            <section class="pane" aria-label="Target">
              <div class="ph">
                <h2>Target</h2>
                <span class="m cut">${draft.isNew ? "" : `${typeWord(type)}, ${placeOf(draft.before)}`}</span>
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
                <div class="two">
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
                    >Who is reached<input
                      class="field"
                      name="description"
                      maxlength="2000"
                      autocomplete="off"
                      .value=${draft.value("description") ?? ""}
                      ?disabled=${off}
                      @input=${(e) => draft.set("description", e.target.value || null)}
                    />${draft.said("description")}</label
                  >
                </div>
                ${draft.isNew || off
                  ? html`<div class="row">
                      ${draft.isNew ? segments(type, TYPES, setType, "Type") : nothing}${off
                        ? html`<span class="m s12">Needs the role admin to be changed.</span>`
                        : nothing}
                    </div>`
                  : nothing}
              </div>
              ${draft.edited ? nothing : issueLines(draft.before.issues)}
            </section>
            ${settingsFields({ draft, type, off })}
          </div>
          <div class="col">
            ${draftHistory(draft)} ${draft.isNew ? nothing : statePane()}
            <section class="pane" aria-label="Limits">
              <div class="ph">
                <h2>Limits</h2>
                <span class="m cut">what the receiver can take</span>
              </div>
              <div class="form">
                <div class="two">
                  ${limit("perMinute", "Messages a minute", "no limit")}${limit(
                    "burst",
                    "Burst",
                    "as many as a minute has",
                  )}${limit("connections", "At the same time", "4")}${limit("maxAge", "Retry for", "24h", true)}${limit(
                    "digestAfter",
                    "Digest above (per minute)",
                    "never",
                  )}
                  <label class="lab"
                    >Heartbeat every<input
                      class="field"
                      placeholder="never"
                      aria-label="Heartbeat every"
                      .value=${draft.value("heartbeat") ?? ""}
                      ?disabled=${off}
                      @change=${(e) => draft.set("heartbeat", e.target.value.trim() || null)}
                    />${draft.said("heartbeat")}</label
                  >
                </div>
              </div>
            </section>
            ${draft.isNew
              ? nothing
              : html`<section class="pane" aria-label="Kept">
                  <div class="row pad">
                    <span class="m s12"
                      >Version ${draft.before.version}, ${draft.before.updatedBy},
                      ${moment(Date.parse(draft.before.updatedAt))}</span
                    >
                    <span class="sp"></span>
                    <button
                      class="ctl"
                      ?disabled=${off || draft.before.usedBy.length > 0}
                      title=${off
                        ? "Needs the role admin"
                        : draft.before.usedBy.length
                          ? `Used by ${draft.before.usedBy.map((r) => r.name).join(", ")}`
                          : nothing}
                      @click=${() => draft.remove("What waits for it is dropped; its history stays.")}
                    >
                      Delete…
                    </button>
                  </div>
                </section>`}
          </div>
        </div>
        ${draft.isNew ? nothing : deliveriesOf({ target: draft.id }, { title: "Deliveries to this target" })}`;
    },
  };
}
