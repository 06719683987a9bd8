// What people do with alerts: acknowledge, take, assign, suspend, note. Each says what it did and can be taken back.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertsChanged } from "../../core/alerts.js";
import { post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { may, NEEDS, session } from "../../core/session.js";
import { titleOf } from "../../core/severity.js";
import { clock, DAY, HOUR, moment } from "../../core/time.js";
import { nextAt, parseMoment } from "../../core/zone.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { whenField } from "../../parts/when.js";

export const mayAct = () => may("operator");
const MOST = 1000;

const DONE = {
  acknowledge: "acknowledged",
  unacknowledge: "no longer acknowledged",
  take: "taken by you",
  assign: "assigned",
  release: "given back",
  suspend: "suspended",
  resume: "open again",
  note: "noted",
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
    for (let i = 0; i < alerts.length; i += MOST)
      results.push(
        ...(await post("/alerts/actions", { ids: alerts.slice(i, i + MOST).map((a) => a.id), action, ...more })).items,
      );
  } catch (error) {
    notice(`Not ${DONE[action].replace(" by you", "")}: ${error.message}`, { seconds: 8 });
    return [];
  }
  alertsChanged();
  const done = alerts.filter((a) => results.some((r) => r.id === a.id && r.done));
  const refused = results.find((r) => !r.done);
  const words = `${done.length === 1 ? titleOf(done[0]) : plural(done.length, "alert")} ${DONE[action]}${action === "assign" ? ` to ${more.owner}` : ""}${more.until ? ` until ${moment(Date.parse(more.until))}` : ""}`;
  const undo = BACK[action] && done.length ? () => act(BACK[action], done) : null;
  if (action !== "note" || refused)
    notice(
      refused
        ? `${done.length ? `${words}; ` : ""}${count(results.length - done.length)} not: ${refused.reason}`
        : words,
      { seconds: undo ? 10 : 4, undo },
    );
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
    const owner = String(new FormData(event.target).get("owner")).trim();
    closeLayer();
    if (owner === session.info?.name) await act("take", alerts);
    else if (owner) await act("assign", alerts, { owner });
    else await act("release", alerts);
    done();
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${submit}>
        <h2 class="title">Assign ${alerts.length === 1 ? titleOf(alerts[0]) : plural(alerts.length, "alert")}</h2>
        <label class="lab"
          >To whom; empty gives ${alerts.length === 1 ? "it" : "them"} back<input
            class="field"
            name="owner"
            autofocus
            maxlength="200"
            list="owners"
            autocomplete="off"
            .value=${session.info?.name ?? ""}
        /></label>
        <datalist id="owners">${owners.map((o) => html`<option value=${o}></option>`)}</datalist>
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary">Assign</button>
        </div>
      </form>`,
    { label: "Assign" },
  );
}

const morning = () => nextAt(8, { days: 1 });
const choices = () => [
  ["1 hour", Date.now() + HOUR],
  ["4 hours", Date.now() + 4 * HOUR],
  [`until tomorrow ${clock(morning())}`, morning()],
  ["1 week", Date.now() + 7 * DAY],
];

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
  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">Suspend ${alerts.length === 1 ? titleOf(alerts[0]) : plural(alerts.length, "alert")}</h2>
        <p class="i2">
          Until then nobody is notified of ${alerts.length === 1 ? "it" : "them"}, and
          ${alerts.length === 1 ? "it counts" : "they count"} as suspended. What is still open then is open again.
        </p>
        <div class="row wrap">
          ${choices().map(([words, until]) => html`<button class="ctl" @click=${() => go(until)}>${words}</button>`)}
        </div>
        <form class="row" @submit=${submit}>
          <label class="row nw"
            >or until
            ${whenField({ name: "until", value: inFourHours, required: true, describedby: "suspend-error" })}</label
          >
          <button class="ctl primary">Suspend</button>
          <span id="suspend-error" class="crit s12" role="alert">${error}</span>
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        </form>`,
    { label: "Suspend" },
  );
}

/** A button that acts, or is shown disabled with the role that may use it. */
export const actButton = (words, key, run, { primary = false, off = false } = {}) =>
  html`<button
    class="ctl ${primary ? "primary" : ""}"
    ?disabled=${!mayAct() || off}
    title=${mayAct() ? nothing : NEEDS}
    @click=${run}
  >
    ${words} ${key ? html`<kbd>${key}</kbd>` : nothing}
  </button>`;
