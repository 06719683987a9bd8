// What people do with an incident: take, acknowledge, silence, comment, take alerts out of it, merge it, end it.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { alertsChanged } from "../core/alerts.js";
import { get, post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { incidentNumber } from "../core/incidents.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { NEEDS } from "../core/session.js";
import { titleOf } from "../core/severity.js";
import { HOUR, moment } from "../core/time.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { notice } from "../parts/notice.js";
import { severityShape } from "../parts/shapes.js";
import { mayAct } from "./alerts-actions.js";

const DONE = { take: "taken by you", release: "given back", acknowledge: "acknowledged", unacknowledge: "no longer acknowledged", comment: "commented", split: "parted", merge: "merged", end: "ended" };
const BACK = { take: "release", acknowledge: "unacknowledge" };

/** Does `action`; gives the incident as it is then, null when it was refused, which it says. */
export async function actOnIncident(incident, action, more = {}) {
  if (!mayAct()) return notice(NEEDS), null;
  try {
    const after = await post(`/incidents/${incident.number}/actions`, { action, ...more });
    alertsChanged();
    const undo = BACK[action] ? () => actOnIncident(incident, BACK[action]) : null;
    if (action !== "comment") notice(`${incidentNumber(incident)} ${DONE[action]}`, { seconds: undo ? 10 : 4, undo });
    return after;
  } catch (error) {
    notice(`${incidentNumber(incident)} not ${DONE[action].replace(" by you", "")}: ${error.errors?.[0]?.reason ?? error.message}`, { seconds: 8 });
    return null;
  }
}

const ENDS = [["1 hour", HOUR], ["4 hours", 4 * HOUR], ["12 hours", 12 * HOUR], ["24 hours", 24 * HOUR]];

/** Asks which alerts of an incident nobody is to be told of, until when and why; those that join it later are among them. */
export function silenceIncident(incident, alerts) {
  if (!mayAct()) return notice(NEEDS);
  const kinds = [...new Set(alerts.map((a) => a.object.objectKind))];
  const state = { kind: "", critical: false, for: HOUR, comment: "", busy: false, error: null };
  const wanted = () => ({
    matchers: [{ path: "incident.name", operator: "equals", value: incidentNumber(incident) }, ...(state.kind ? [{ path: "object.kind", operator: "equals", value: state.kind }] : [])],
    ...(state.critical ? {} : { when: 'alert.criticality != "CRITICAL"' }),
  });
  const cover = new Load((_of, signal) => post("/silences/preview", { ...wanted(), limit: 0 }, signal));
  const set = (part) => (Object.assign(state, part, { error: null }), redraw());
  const submit = async (event) => {
    event.preventDefault();
    state.busy = true;
    redraw();
    try {
      const to = Date.now() + state.for;
      const made = await post("/silences", { ...wanted(), comment: state.comment.trim(), to: new Date(Math.round(to / 1000) * 1000).toISOString() });
      closeLayer();
      notice(`${incidentNumber(incident)} silenced until ${moment(to)}`, { seconds: 10, undo: () => post(`/silences/${made.id}/expire`).catch((error) => notice(`Not ended: ${error.message}`, { seconds: 8 })) });
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  const of = (kind) => alerts.filter((a) => a.status !== "canceled" && (!kind || a.object.objectKind === kind)).length;
  showLayer("dialog", () => {
    cover.want(JSON.stringify(wanted()));
    const n = cover.data?.covered;
    return html`<form class="form-lines" @submit=${submit}><h2 class="title">Silence ${incidentNumber(incident)}</h2>
      <div class="row wrap" role="group" aria-label="What">${[["", "all"], ...kinds.map((k) => [k, `${kindWord(k, 2)} only`])].map(([kind, words]) => html`<button type="button" class="ctl" aria-pressed=${state.kind === kind} @click=${() => set({ kind })}>${words} <span class="m">${count(of(kind))}</span></button>`)}</div>
      <div class="row wrap" role="group" aria-label="How long">${ENDS.map(([words, ms]) => html`<button type="button" class="ctl" aria-pressed=${state.for === ms} @click=${() => set({ for: ms })}>${words}</button>`)}</div>
      <label class="row"><input type="checkbox" .checked=${state.critical} @change=${(e) => set({ critical: e.target.checked })} /> critical ones too; else they get through</label>
      <label class="lab">Why<input class="field" name="comment" autofocus maxlength="2000" autocomplete="off" placeholder="CHG-20418" .value=${state.comment} @input=${(e) => set({ comment: e.target.value })} /></label>
      <p role="status">${cover.error && !cover.loading ? html`<span class="crit">${cover.error.message}</span>` : n === undefined ? html`<span class="m">counting\u2026</span>` : html`Until ${moment(Date.now() + state.for)} nobody is told of ${n === 1 ? "this alert" : html`these <b>${count(n)}</b> alerts`}, nor of what joins.`}</p>
      ${state.error ? html`<p class="crit s12" role="alert">${state.error.errors?.[0]?.reason ?? state.error.message}</p>` : nothing}
      <div class="row"><span class="sp"></span><button type="button" class="ctl" @click=${closeLayer}>Cancel</button><button class="ctl primary" ?disabled=${state.busy || !state.comment.trim()}>${state.comment.trim() ? `Silence until ${moment(Date.now() + state.for)}` : "Say why first"}</button></div></form>`;
  }, { label: "Silence" });
}

/** Asks what is wrong with it: alerts that do not belong, another incident that it is part of, or that it is none. */
export function correctIncident(incident, alerts, done = () => {}) {
  if (!mayAct()) return notice(NEEDS);
  const others = new Load((signal) => get("/incidents", { limit: 100 }, signal));
  const out = new Set();
  const turn = (id) => (out.delete(id) || out.add(id), redraw());
  const run = async (action, more) => {
    closeLayer();
    if (await actOnIncident(incident, action, more)) done(action, more);
  };
  const open = alerts.filter((a) => a.status !== "canceled");
  showLayer("dialog", () => {
    others.want();
    const into = (others.data?.items ?? []).filter((i) => i.number !== incident.number);
    return html`<div class="form-lines correct"><h2 class="title">Merge or split ${incidentNumber(incident)}</h2>
      <section><h3>These alerts do not belong to it</h3>
        <div class="choices" tabindex="0" role="group" aria-label="Alerts">${open.map((a) => html`<label class="row"><input type="checkbox" ?disabled=${a.id === incident.cause?.id} .checked=${out.has(a.id)} @change=${() => turn(a.id)} />${severityShape(a.severity, 11)}<span>${titleOf(a)} on <b>${a.object.name}</b>${a.id === incident.cause?.id ? html` <span class="m">the cause</span>` : nothing}</span></label>`)}</div>
        <button class="ctl" ?disabled=${!out.size} @click=${() => run("split", { alerts: [...out] })}>Take ${out.size ? plural(out.size, "alert") : "them"} out</button></section>
      <section><h3>It is part of another incident</h3>
        ${into.length ? html`<div class="choices">${into.map((i) => html`<button class="ctl" @click=${() => run("merge", { into: i.number })}>${severityShape(i.severity, 11)} ${incidentNumber(i)} ${i.title}</button>`)}</div>` : html`<p class="m s12">${others.data ? "No other incident is open." : "\u2026"}</p>`}</section>
      <section><h3>It is no incident, or it is dealt with</h3><p class="m s12">Its ${plural(open.length, "open alert")} ${open.length === 1 ? "stays" : "stay"}, in no incident, until ${open.length === 1 ? "it opens" : "they open"} again.</p><button class="ctl" @click=${() => run("end")}>End it</button></section>
      <div class="row"><span class="sp"></span><button class="ctl" @click=${closeLayer}>Close</button></div></div>`;
  }, { label: "Merge or split" });
}
