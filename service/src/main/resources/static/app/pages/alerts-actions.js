// What people do with alerts: acknowledge, take, assign, suspend, note. Each says what it did and can be taken back.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { alertsChanged } from "../core/alerts.js";
import { post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { may, NEEDS, session } from "../core/session.js";
import { titleOf } from "../core/severity.js";
import { clock, DAY, HOUR, moment } from "../core/time.js";
import { nextAt, parseMoment } from "../core/zone.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { notice } from "../parts/notice.js";
import { whenField } from "../parts/when.js";

export const mayAct = () => may("operator");
const MOST = 1000;

const DONE = {
  acknowledge: "acknowledged", unacknowledge: "no longer acknowledged", take: "taken by you", assign: "assigned", release: "given back", suspend: "suspended", resume: "open again", note: "noted",
};
const BACK = { acknowledge: "unacknowledge", take: "release", assign: "release", suspend: "resume" };

/** Does `action` to alerts. Gives those to which it was done; says so, and what was refused. */
export async function act(action, alerts, more = {}) {
  if (!alerts.length || !mayAct()) {
    if (!mayAct()) notice(NEEDS);
    return [];
  }
  const results = [];
  try {
    for (let i = 0; i < alerts.length; i += MOST) results.push(...(await post("/alerts/actions", { ids: alerts.slice(i, i + MOST).map((a) => a.id), action, ...more })).items);
  } catch (error) {
    notice(`Not ${DONE[action].replace(" by you", "")}: ${error.message}`, { seconds: 8 });
    return [];
  }
  alertsChanged();
  const done = alerts.filter((a) => results.some((r) => r.id === a.id && r.done));
  const refused = results.find((r) => !r.done);
  const words = `${done.length === 1 ? titleOf(done[0]) : plural(done.length, "alert")} ${DONE[action]}${action === "assign" ? ` to ${more.owner}` : ""}${more.until ? ` until ${moment(Date.parse(more.until))}` : ""}`;
  const undo = BACK[action] && done.length ? () => act(BACK[action], done) : null;
  if (action !== "note" || refused) notice(refused ? `${done.length ? `${words}; ` : ""}${count(results.length - done.length)} not: ${refused.reason}` : words, { seconds: undo ? 10 : 4, undo });
  return done;
}

export const acknowledge = (alerts) => {
  const left = alerts.filter((a) => a.controlState !== "acknowledged");
  return left.length || !alerts.length ? act("acknowledge", left) : act("unacknowledge", alerts);
};

/** Asks for whom; you are proposed. */
export function assign(alerts, owners, done = () => {}) {
  if (!mayAct()) return notice(NEEDS);
  const submit = async (event) => {
    event.preventDefault();
    const owner = new FormData(event.target).get("owner").trim();
    closeLayer();
    if (owner === session.info?.name) await act("take", alerts);
    else if (owner) await act("assign", alerts, { owner });
    else await act("release", alerts);
    done();
  };
  showLayer("dialog", () => html`<form class="form-lines" @submit=${submit}><h2 class="title">Assign ${alerts.length === 1 ? titleOf(alerts[0]) : plural(alerts.length, "alert")}</h2>
    <label class="lab">To whom; empty gives ${alerts.length === 1 ? "it" : "them"} back<input class="field" name="owner" autofocus maxlength="200" list="owners" autocomplete="off" .value=${session.info?.name ?? ""} /></label>
    <datalist id="owners">${owners.map((o) => html`<option value=${o}></option>`)}</datalist>
    <div class="row"><span class="sp"></span><button type="button" class="ctl" @click=${closeLayer}>Cancel</button><button class="ctl primary">Assign</button></div></form>`, { label: "Assign" });
}

const morning = () => nextAt(8, { days: 1 });
const choices = () => [["1 hour", Date.now() + HOUR], ["4 hours", Date.now() + 4 * HOUR], [`until tomorrow ${clock(morning())}`, morning()], ["1 week", Date.now() + 7 * DAY]];

/** Asks until when. */
export function suspend(alerts, done = () => {}) {
  if (!mayAct()) return notice(NEEDS);
  let error = "";
  const inFourHours = Date.now() + 4 * HOUR;
  const go = async (until) => {
    if (!(until > Date.now())) {
      error = "The end must lie ahead.";
      return redraw();
    }
    closeLayer();
    await act("suspend", alerts, { until: new Date(Math.round(until / 1000) * 1000).toISOString() });
    done();
  };
  const submit = (event) => {
    event.preventDefault();
    go(parseMoment(new FormData(event.target).get("until")));
  };
  showLayer("dialog", () => html`<h2 class="title">Suspend ${alerts.length === 1 ? titleOf(alerts[0]) : plural(alerts.length, "alert")}</h2>
    <p class="i2">Until then nobody is told of ${alerts.length === 1 ? "it" : "them"}, and ${alerts.length === 1 ? "it counts" : "they count"} as suspended. What is still open then is open again.</p>
    <div class="row wrap">${choices().map(([words, until]) => html`<button class="ctl" @click=${() => go(until)}>${words}</button>`)}</div>
    <form class="row" @submit=${submit}><label class="row nw">or until ${whenField({ name: "until", value: inFourHours, required: true, describedby: "suspend-error" })}</label><button class="ctl primary">Suspend</button>
      <span id="suspend-error" class="crit s12" role="alert">${error}</span><span class="sp"></span><button type="button" class="ctl" @click=${closeLayer}>Cancel</button></form>`, { label: "Suspend" });
}

const MOST_SILENCED = 1000;

/** Asks why and until when nobody is to be told of exactly these alerts, and says how many of them that covers now. */
export function silence(alerts, done = () => {}) {
  if (!mayAct()) return notice(NEEDS);
  if (alerts.length > MOST_SILENCED) return notice(`At most ${count(MOST_SILENCED)} alerts by name; a silence by objects or a condition covers more (Notifications, Silences).`, { seconds: 8 });
  const ids = alerts.map((a) => a.id);
  const state = { comment: "", until: choices()[1][1], busy: false, error: null };
  const cover = new Load((signal) => post("/silences/preview", { alerts: ids, limit: 0 }, signal));
  const one = alerts.length === 1;
  const set = (part) => (Object.assign(state, part, { error: null }), redraw());
  const submit = async (event) => {
    event.preventDefault();
    const comment = state.comment.trim();
    if (!comment) return set({ comment: "" });
    state.busy = true;
    redraw();
    try {
      const made = await post("/silences", { comment, alerts: ids, to: new Date(Math.round(state.until / 1000) * 1000).toISOString() });
      closeLayer();
      notice(`${one ? titleOf(alerts[0]) : plural(alerts.length, "alert")} silenced until ${moment(state.until)}`, { seconds: 10, undo: () => post(`/silences/${made.id}/expire`).catch((error) => notice(`Not ended: ${error.message}`, { seconds: 8 })) });
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  const covers = () => {
    if (cover.error && !cover.loading) return html`<span class="crit">${cover.error.message}</span>`;
    if (!cover.data) return html`<span class="m">counting\u2026</span>`;
    const n = cover.data.covered;
    return html`It would cover <b>${plural(n, "open alert")}</b> and nothing else${n < alerts.length ? `; ${alerts.length - n === 1 ? "1 is" : `${count(alerts.length - n)} are`} over` : ""}.`;
  };
  showLayer("dialog", () => {
    cover.want();
    return html`<form class="form-lines" @submit=${submit}><h2 class="title">Silence ${one ? titleOf(alerts[0]) : plural(alerts.length, "alert")}</h2>
      <p class="i2">Nobody is notified of ${one ? "it" : "them"} until then; ${one ? "it stays" : "they stay"} on every page. What is still open then is told then.</p>
      <label class="lab">Why<input class="field" name="comment" autofocus maxlength="2000" autocomplete="off" placeholder="CHG-20418" .value=${state.comment} @input=${(e) => set({ comment: e.target.value })} /></label>
      <div class="row wrap" role="group" aria-label="Ends">${choices().map(([words, until], i) => html`<button type="button" class="ctl" aria-pressed=${Math.abs(until - state.until) < 60_000} @click=${() => set({ until: choices()[i][1] })}>${words}</button>`)}
        <label class="row nw">or until ${whenField({ name: "until", value: state.until, required: true, change: (until) => set({ until }) })}</label></div>
      <p role="status">${covers()}</p>${state.error ? html`<p class="crit s12" role="alert">${state.error.errors?.[0]?.reason ?? state.error.message}</p>` : nothing}
      <div class="row"><span class="sp"></span><button type="button" class="ctl" @click=${closeLayer}>Cancel</button><button class="ctl primary" ?disabled=${state.busy || !state.comment.trim()}>Silence</button></div></form>`;
  }, { label: "Silence" });
}

/** A button that acts, or is shown disabled with the role that may use it. */
export const actButton = (words, key, run, { primary = false, off = false } = {}) => html`<button class="ctl ${primary ? "primary" : ""}" ?disabled=${!mayAct() || off} title=${mayAct() ? nothing : NEEDS} @click=${run}>${words} ${key ? html`<kbd>${key}</kbd>` : nothing}</button>`;
