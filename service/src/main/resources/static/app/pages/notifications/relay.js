// One relay: who may send to it, how a sender is told, and what came through. Nothing that is typed here is kept in the
// browser.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { lastTick, moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { AlertNotified } from "../alerts/notified.js";
import { alertsPane, MOST, readAlerts } from "./relay-alerts.js";
import { authPane, labelsPane } from "./relay-fields.js";
import { relayUrl, senderPane } from "./relay-sender.js";
import { wantSecrets } from "./target-fields.js";
import { relayState } from "./relays.js";
import { clean } from "./target.js";
import { issueLines } from "./words.js";

const FIELDS = { name: "Name", description: "Who sends", enabled: "Enabled", auth: "Authentication", labels: "Labels" };
const BLANK = { name: "", description: null, enabled: true, auth: { type: "basic", username: "" }, labels: {} };

function toBody({ name, description, enabled, auth, labels }) {
  const said = clean(labels ?? {});
  return {
    name,
    enabled,
    auth: clean(auth),
    ...(description ? { description } : {}),
    ...(Object.keys(said).length ? { labels: said } : {}),
  };
}

function shown(name, v) {
  if (name === "enabled") return v ? "yes" : "no";
  if (v && typeof v === "object") return JSON.stringify(v, (key, x) => (key === "value" ? "\u2022\u2022\u2022" : x));
  return `${v ?? ""}` || "none";
}

export function page(address) {
  const draft = new Draft({
    api: "/notification-relays",
    place: "/notifications/relays",
    list: () => go("/notifications", { tab: "relays" }),
    address,
    blank: BLANK,
    labels: FIELDS,
    show: shown,
    toBody,
    role: "admin",
    saved: () => "Saved; the next sender is asked for it",
    remember: false,
  });
  const state = {
    draft,
    states: new Load((_tick, signal) => get("/notification-relays/states", {}, signal)),
    alerts: new Load((_tick, open, signal) =>
      get(`/notification-relays/${address}/alerts`, { limit: MOST, ...(open ? { open: true } : {}) }, signal),
    ),
    /** Why one of them was sent or not. */
    why: new AlertNotified(),
    sender: "vrops",
    onlyOpen: false,
    chosen: null,
  };

  return {
    get title() {
      return draft.value("name") || "Relay";
    },
    name: "relay",
    timed: false,
    update() {
      draft.want();
      wantSecrets();
      if (draft.isNew) return;
      state.states.want(lastTick());
      readAlerts(state);
      if (state.chosen) state.why.want(state.chosen, lastTick());
    },
    escape: () => leaveField() || back("/notifications?tab=relays"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      U: [() => copy(relayUrl(draft), "URL copied"), "Copy the URL for senders"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No relay to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`<div class="tb">
            <h1>&nbsp;</h1>
          </div>
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      return html`${bar(draft)}
        <div class="cols">
          <div class="col">
            ${draft.error && !draft.error.errors?.length
              ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
              : nothing}
            ${relayPane(draft)}${authPane(draft)}${labelsPane(draft)}
          </div>
          <div class="col">
            ${draftHistory(draft)} ${senderPane(state)}${draft.isNew ? nothing : statePane(state)}
            ${draft.isNew ? nothing : keptPane(draft)}
          </div>
        </div>
        ${draft.isNew ? nothing : alertsPane(state)}`;
    },
  };
}

function bar(draft) {
  return html`<div class="tb">
    <a class="m nw" href=${href("/notifications", { tab: "relays" })}>Notifications / Relays /</a>
    <h1 class="cut">${draft.value("name") || (draft.isNew ? "New relay" : "\u00a0")}</h1>
    ${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled")
      ? nothing
      : html`<span class="chip">disabled</span>`}${draft.meanwhile()}
    <span class="sp"></span>
    ${draft.isNew ? nothing : historyButton(draft)}${draft.saveButtons()}
  </div>`;
}

function relayPane(draft) {
  const off = !draft.allowed;
  return html`<section class="pane" aria-label="Relay">
    <div class="ph">
      <h2>Relay</h2>
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
          >Name: part of the URL, and what rules name as source<input
            class="field mono"
            name="name"
            maxlength="63"
            autocomplete="off"
            spellcheck="false"
            placeholder="vrops-east"
            .value=${draft.value("name")}
            ?disabled=${off || !draft.isNew}
            title=${draft.isNew ? nothing : "Senders and rules know it by that"}
            aria-invalid=${draft.wrong("name") ? "true" : "false"}
            @input=${(e) => draft.set("name", e.target.value.trim())}
          />${draft.said("name")}</label
        >
        <label class="lab"
          >Who sends<input
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
      ${off ? html`<span class="m s12">Needs the role admin to be changed.</span>` : nothing}
    </div>
    ${draft.edited || draft.isNew ? nothing : issueLines(draft.before.issues)}
  </section>`;
}

function statePane({ draft, states }) {
  const r = { ...draft.before, state: states.data?.items.find((s) => s.relay === draft.id) ?? null };
  const s = r.state;
  const [, mark, state, hint] = relayState(r);
  const at = (iso) => (iso ? moment(Date.parse(iso), true) : "never");
  return html`<section class="pane" aria-label="How it does">
    <div class="ph">
      <h2>How it does</h2>
    </div>
    ${states.error && !states.data
      ? failure(states.error, () => states.again())
      : html`<p class="row pad">
            ${mark}
            <span>${state}</span>
          </p>
          ${hint ? html`<p class="pad s12 m">${hint}</p>` : nothing}
          <dl class="props">
            <dt>Last received</dt>
            <dd>${at(s?.receivedAt)}</dd>
            <dt>Received</dt>
            <dd>${count(s?.received ?? 0)}; ${count(s?.events ?? 0)} said something new</dd>
            <dt>Refused</dt>
            <dd>${count(s?.refused ?? 0)}</dd>
            <dt>Last trouble</dt>
            <dd title=${s?.error ?? nothing}>${s?.error ? at(s.errorAt) : "none"}</dd>
            <dt>Last test</dt>
            <dd>${at(s?.testedAt)}</dd>
            <dt>Open</dt>
            <dd>${count(s?.open ?? 0)}</dd>
          </dl>`}
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
        title=${!draft.allowed ? "Needs the role admin" : nothing}
        @click=${() => draft.remove("Its open alerts end; its history stays.")}
      >
        Delete…
      </button>
    </div>
  </section>`;
}
