// One relay: who may send to it, how a sender is told, and what came through. Nothing that is typed here is kept in the browser.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { get, post } from "../core/api.js";
import { count } from "../core/format.js";
import { Load } from "../core/load.js";
import { may, NEEDS } from "../core/session.js";
import { lastTick, moment } from "../core/time.js";
import { back, go, href } from "../core/url.js";
import { Draft } from "../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../parts/history.js";
import { copy, notice } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { segments } from "../parts/small.js";
import { shape } from "../parts/shapes.js";
import { AlertNotified } from "./alert-notified.js";
import { secretField, wantSecrets } from "./notify-target-fields.js";
import { authWord, relayState, urlOf } from "./notify-relays.js";
import { clean } from "./notify-target.js";
import { issueLines, listOf } from "./notify-words.js";

const FIELDS = { name: "Name", description: "Who sends", enabled: "Enabled", auth: "Authentication", labels: "Labels" };
const BLANK = { name: "", description: null, enabled: true, auth: { type: "basic", username: "" }, labels: {} };
const AUTHS = ["basic", "bearer", "certificate"].map((type) => [type, authWord(type)]);
const CRITICALITIES = ["CRITICAL", "IMMEDIATE", "WARNING", "INFORMATION"];
const SENDERS = [["vrops", "vRealize Operations"], ["alertmanager", "Alertmanager"]];
const MOST = 200;

function toBody({ name, description, enabled, auth, labels }) {
  const said = clean(labels ?? {});
  return { name, enabled, auth: clean(auth), ...(description ? { description } : {}), ...(Object.keys(said).length ? { labels: said } : {}) };
}

function shown(name, v) {
  if (name === "enabled") return v ? "yes" : "no";
  if (v && typeof v === "object") return JSON.stringify(v, (key, x) => (key === "value" ? "\u2022\u2022\u2022" : x));
  return `${v ?? ""}` || "none";
}

/** What is written where alerts come from; secrets are left for people to put in. */
export function snippet(sender, { name, auth }, url) {
  if (sender === "alertmanager") {
    const http = { basic: [`basic_auth: { username: ${JSON.stringify(auth.username || "USER")}, password_file: /etc/alertmanager/peerlens-password }`], bearer: ["authorization: { type: Bearer, credentials_file: /etc/alertmanager/peerlens-token }"], certificate: ["tls_config:", "  cert_file: /etc/alertmanager/client.pem", "  key_file: /etc/alertmanager/client-key.pem"] }[auth.type] ?? [];
    return ["receivers:", "  - name: peerlens", "    webhook_configs:", `      - url: ${url}`, "        send_resolved: true", "        http_config:", ...http.map((line) => `          ${line}`)].join("\n");
  }
  const who = { basic: [`User name      ${auth.username || "USER"}`, "Password       the one of this relay"], bearer: ["Credential     bearer token (webhook plug-in only)"], certificate: ["Credential     client certificate (webhook plug-in only)"] }[auth.type] ?? [];
  return [`Plug-in        ${auth.type === "basic" ? "REST or Webhook Notification" : "Webhook Notification"}`, `Instance       peerlens-${name || "NAME"}`, `URL            ${url}`, ...who, "Content type   application/json"].join("\n");
}

export function page(address) {
  const draft = new Draft({ api: "/notification-relays", place: "/notifications/relays", list: () => go("/notifications", { tab: "relays" }), address, blank: BLANK, labels: FIELDS, show: shown, toBody, role: "admin", saved: "Saved; the next sender is asked for it", remember: false });
  const states = new Load((_tick, signal) => get("/notification-relays/states", {}, signal));
  const alerts = new Load((_tick, open, signal) => get(`/notification-relays/${address}/alerts`, { limit: MOST, ...(open ? { open: true } : {}) }, signal));
  const why = new AlertNotified();
  let sender = "vrops";
  let onlyOpen = false;
  let chosen = null;

  const relay = () => ({ name: draft.value("name"), auth: draft.value("auth") });
  const url = () => urlOf({ path: `/relay/${draft.value("name") || "NAME"}` });

  const readAlerts = () => alerts.want(lastTick(), onlyOpen);
  function choose(id) {
    chosen = id;
    why.reset();
    if (id) why.want(id, lastTick());
    redraw();
  }

  function bar() {
    return html`<div class="tb"><a class="m nw" href=${href("/notifications", { tab: "relays" })}>Notifications / Relays /</a><h1 class="cut">${draft.value("name") || (draft.isNew ? "New relay" : "\u00a0")}</h1>${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.value("enabled") ? nothing : html`<span class="chip">disabled</span>`}${draft.meanwhile()}
      <span class="sp"></span>${draft.isNew ? nothing : historyButton(draft)}${draft.saveButtons()}</div>`;
  }

  function authPane(off) {
    const auth = draft.value("auth");
    const put = (part) => draft.set("auth", { ...draft.value("auth"), ...part });
    const lines = (name, label, hint) => html`<label class="lab">${label}<textarea class="field mono" rows="2" aria-label=${label} placeholder=${hint} spellcheck="false" .value=${(auth[name] ?? []).join("\n")} ?disabled=${off} aria-invalid=${draft.wrong(`auth.${name}`) ? "true" : "false"} @change=${(e) => put({ [name]: e.target.value.split("\n").map((l) => l.trim()).filter(Boolean) })}></textarea>${draft.said(`auth.${name}`)}</label>`;
    const fields = {
      basic: () => html`<div class="two"><label class="lab">User<input class="field" aria-label="User" maxlength="200" autocomplete="off" .value=${auth.username ?? ""} ?disabled=${off} aria-invalid=${draft.wrong("auth.username") ? "true" : "false"} @input=${(e) => put({ username: e.target.value })} />${draft.said("auth.username")}</label>${secretField({ label: "Password", ref: auth.password, set: (password) => put({ password }), off, wrong: draft.said("auth.password") })}</div>`,
      bearer: () => html`<div class="two">${secretField({ label: "Token", ref: auth.token, set: (token) => put({ token }), off, wrong: draft.said("auth.token") })}</div>`,
      certificate: () => html`<div class="two">${lines("fingerprints", "SHA-256 fingerprints, one a line", "4f:9a:\u2026")}${lines("subjects", "Subjects, one a line", "CN=vrops,O=Example")}</div><p class="m s12">The server has to ask for certificates: <code>server.ssl.client-auth=want</code>, and to trust those who issued them: <code>server.ssl.trust-certificate</code>.</p>`,
    };
    return html`<section class="pane" aria-label="Authentication"><div class="ph"><h2>Authentication</h2><span class="m cut">how senders prove who they are; tokens of people are not taken</span></div><div class="form"><div class="row">${off ? html`<span>${authWord(auth.type)}</span>` : segments(auth.type, AUTHS, (type) => type !== auth.type && draft.set("auth", { type }), "By")}</div>${fields[auth.type]?.() ?? nothing}${draft.said("auth")}</div></section>`;
  }

  function labelsPane(off) {
    const labels = draft.value("labels") ?? {};
    const put = (part) => draft.set("labels", clean({ ...draft.value("labels"), ...part }));
    const severities = labels.severities ?? {};
    const of = (criticality) => Object.keys(severities).filter((v) => severities[v] === criticality);
    const setOf = (criticality, text) => put({ severities: { ...Object.fromEntries(Object.entries(severities).filter(([, c]) => c !== criticality)), ...Object.fromEntries(listOf(text).map((v) => [v.toLowerCase(), criticality])) } });
    const usual = { CRITICAL: "critical, page, emergency", IMMEDIATE: "error, high, major", WARNING: "everything else", INFORMATION: "info, low, notice, none" };
    return html`<section class="pane" aria-label="Labels"><div class="ph"><h2>Labels of Alertmanager</h2><span class="m cut">what they mean; vRealize Operations says it itself</span></div><div class="form">
      <div class="three"><label class="lab">How bad it is<input class="field mono" aria-label="Severity label" placeholder="severity" .value=${labels.severity ?? ""} ?disabled=${off} @change=${(e) => put({ severity: e.target.value.trim() })} />${draft.said("labels.severity")}</label>
        <label class="lab">Names the object, the best first<input class="field mono" aria-label="Object labels" placeholder="vm, vmname, host, hostname, node, instance" .value=${(labels.object ?? []).join(", ")} ?disabled=${off} @change=${(e) => put({ object: listOf(e.target.value) })} />${draft.said("labels.object")}</label>
        <label class="lab">Kind of the objects<input class="field" aria-label="Kind of the objects" placeholder="any, if the name is of one only" .value=${labels.objectKind ?? ""} ?disabled=${off} @change=${(e) => put({ objectKind: e.target.value.trim() })} />${draft.said("labels.objectKind")}</label></div>
      <div class="two">${CRITICALITIES.map((c) => html`<label class="lab">${c}<input class="field mono" aria-label=${`Values that are ${c}`} placeholder=${usual[c]} .value=${of(c).join(", ")} ?disabled=${off} @change=${(e) => setOf(c, e.target.value)} /></label>`)}</div>${draft.said("labels.severities")}</div></section>`;
  }

  function senderPane() {
    const text = snippet(sender, relay(), url());
    return html`<section class="pane" aria-label="For senders"><div class="ph"><h2 class="cut">For senders</h2><span class="sp"></span><span class="low-seg">${segments(sender, SENDERS, (s) => { sender = s; redraw(); }, "Sender")}</span></div>
      <div class="form"><div class="row"><code class="mono cut" title=${url()}>${url()}</code><span class="sp"></span><button class="ctl" @click=${() => copy(url(), "URL copied")}>Copy URL <kbd>U</kbd></button></div>
        <pre class="mono s12 snippet">${text}</pre><div class="row"><span class="m s12">${sender === "vrops" ? "No slash at the end: the id of the alert is added. Test sends a sample, which is not passed on." : "One alert is one fingerprint. Secrets stay in files of Alertmanager."}</span><span class="sp"></span><button class="link nw" @click=${() => copy(text, "Copied")}>Copy all</button></div></div></section>`;
  }

  function statePane() {
    const r = { ...draft.before, state: states.data?.items.find((s) => s.relay === draft.id) ?? null };
    const s = r.state;
    const [, mark, state, hint] = relayState(r);
    const at = (iso) => (iso ? moment(Date.parse(iso), true) : "never");
    return html`<section class="pane" aria-label="How it does"><div class="ph"><h2>How it does</h2></div>
      ${states.error && !states.data ? failure(states.error, () => states.again()) : html`<p class="row pad">${mark}<span>${state}</span></p>${hint ? html`<p class="pad s12 m">${hint}</p>` : nothing}
        <dl class="props"><dt>Last received</dt><dd>${at(s?.receivedAt)}</dd><dt>Received</dt><dd>${count(s?.received ?? 0)}; ${count(s?.events ?? 0)} said something new</dd><dt>Refused</dt><dd>${count(s?.refused ?? 0)}</dd><dt>Last trouble</dt><dd title=${s?.error ?? nothing}>${s?.error ? at(s.errorAt) : "none"}</dd><dt>Last test</dt><dd>${at(s?.testedAt)}</dd><dt>Open</dt><dd>${count(s?.open ?? 0)}</dd></dl>`}</section>`;
  }

  async function end(alert) {
    if (!may("operator")) return notice(NEEDS);
    try {
      await post(`/notification-relays/${draft.id}/alerts/${alert.id}/end`);
      notice(`${alert.name} is over`);
    } catch (error) {
      notice(`Not ended: ${error.message}`, { seconds: 8 });
    }
    alerts.again();
  }

  function alertRow(a) {
    const on = chosen === a.id;
    const severity = a.criticality.toLowerCase();
    return html`<tr class="${on ? "sel" : ""} ${a.open ? "" : "quiet"}" @click=${() => choose(on ? null : a.id)}>
      <td>${a.open ? shape(severity === "information" ? "info" : severity, 12, severity) : shape("alike", 12, "over")}</td><td class="strong" title=${a.info ?? a.name}>${a.name}</td><td title=${a.objectKind ?? ""}>${a.objectName ?? html`<span class="m">none</span>`}</td><td class="m cut" title=${a.info ?? ""}>${a.info ?? ""}</td>
      <td class="r m">${moment(Date.parse(a.openedAt))}</td><td class="r m">${moment(Date.parse(a.updatedAt))}</td>
      <td class="r"><button class="link" aria-expanded=${on} aria-label=${`Why ${a.name}`}>Why?</button>${a.open && may("operator") ? html`\u00a0 <button class="link" title="As if the sender had said so" aria-label=${`End ${a.name}`} @click=${(e) => { e.stopPropagation(); end(a); }}>End</button>` : nothing}</td></tr>
      ${on ? html`<tr class="inside-row"><td></td><td colspan="6"><p class="s12 m row">${a.key} <a class="acc" href=${href("/notifications", { tab: "deliveries", alert: a.id, since: "30d" })}>Deliveries</a>${a.url && /^https?:/.test(a.url) ? html` <a class="acc" href=${a.url} rel="noreferrer noopener" target="_blank">At the sender</a>` : nothing}</p>${why.section(a, true)}</td></tr>` : nothing}`;
  }

  function alertsPane() {
    const list = alerts.data?.items ?? [];
    return html`<section class="pane relayed" aria-label="Alerts that came through"><div class="ph"><h2>Alerts that came through</h2><span class="m cut">${alerts.data ? `${count(alerts.data.total)}${alerts.data.total > MOST ? `, the last ${MOST} are shown` : ""}` : ""}</span><span class="sp"></span><label class="check"><input type="checkbox" .checked=${onlyOpen} @change=${(e) => { onlyOpen = e.target.checked; readAlerts(); redraw(); }} />Only open ones</label></div>
      ${loaded(alerts, () => (list.length ? html`<div class="scrolls"><table><colgroup><col class="w-state" /><col class="w-why" /><col class="w-name" /><col /><col class="w-stamp" /><col class="w-stamp" /><col class="w-acts" /></colgroup><thead><tr><td></td><th>Alert</th><th>Object</th><th>Says</th><th class="r">Opened</th><th class="r">Last news</th><th></th></tr></thead><tbody>${list.map(alertRow)}</tbody></table></div>` : html`<div class="empty s12">${onlyOpen ? "None is open." : "Nothing has come yet, or it is forgotten."}</div>`), { rows: 4 })}</section>`;
  }

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
      states.want(lastTick());
      readAlerts();
      if (chosen) why.want(chosen, lastTick());
    },
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else back("/notifications?tab=relays");
    },
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      U: [() => copy(url(), "URL copied"), "Copy the URL for senders"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data) return html`<div class="tb"><h1>No relay to show</h1></div><section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there) return html`<div class="tb"><h1>\u00a0</h1></div><section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      const off = !draft.allowed;
      return html`${bar()}<div class="cols"><div class="col">
          ${draft.error && !draft.error.errors?.length ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>` : nothing}
          <section class="pane" aria-label="Relay"><div class="ph"><h2>Relay</h2><span class="sp"></span><label class="check"><input type="checkbox" name="enabled" .checked=${draft.value("enabled")} ?disabled=${off} @change=${(e) => draft.set("enabled", e.target.checked)} />Enabled</label></div>
            <div class="form"><div class="two"><label class="lab">Name: part of the URL, and what rules name as source<input class="field mono" name="name" maxlength="63" autocomplete="off" spellcheck="false" placeholder="vrops-east" .value=${draft.value("name")} ?disabled=${off || !draft.isNew} title=${draft.isNew ? nothing : "Senders and rules know it by that"} aria-invalid=${draft.wrong("name") ? "true" : "false"} @input=${(e) => draft.set("name", e.target.value.trim())} />${draft.said("name")}</label>
                <label class="lab">Who sends<input class="field" name="description" maxlength="2000" autocomplete="off" .value=${draft.value("description") ?? ""} ?disabled=${off} @input=${(e) => draft.set("description", e.target.value || null)} />${draft.said("description")}</label></div>
              ${off ? html`<span class="m s12">Needs the role admin to be changed.</span>` : nothing}</div>
            ${draft.edited || draft.isNew ? nothing : issueLines(draft.before.issues)}</section>
          ${authPane(off)}${labelsPane(off)}</div>
        <div class="col">${draftHistory(draft)}
          ${senderPane()}${draft.isNew ? nothing : statePane()}
          ${draft.isNew ? nothing : html`<section class="pane" aria-label="Kept"><div class="row pad"><span class="m s12">Version ${draft.before.version}, ${draft.before.updatedBy}, ${moment(Date.parse(draft.before.updatedAt))}</span><span class="sp"></span><button class="ctl" ?disabled=${off} title=${off ? "Needs the role admin" : nothing} @click=${() => draft.remove("Its open alerts end; its history stays.")}>Delete\u2026</button></div></section>`}</div></div>
        ${draft.isNew ? nothing : alertsPane()}`;
    },
  };
}
