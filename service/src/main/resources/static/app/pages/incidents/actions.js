// What people do with an incident: take, acknowledge, silence, comment, take alerts out of it, merge it, end it.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertsChanged } from "../../core/alerts.js";
import { get, post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { incidentNumber } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { NEEDS } from "../../core/session.js";
import { titleOf } from "../../core/severity.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { severityShape } from "../../parts/shapes.js";
import { mayAct } from "../alerts/actions.js";

const DONE = {
  take: "taken by you",
  release: "given back",
  acknowledge: "acknowledged",
  unacknowledge: "no longer acknowledged",
  comment: "commented",
  split: "parted",
  merge: "merged",
  end: "ended",
};
const BACK = { take: "release", acknowledge: "unacknowledge" };

/** Does `action`; gives the incident as it is then, null when it was refused, which it says. */
export async function actOnIncident(incident, action, more = {}) {
  if (!mayAct()) return (notice(NEEDS), null);
  try {
    const after = await post(`/incidents/${incident.number}/actions`, { action, ...more });
    alertsChanged();
    const undo = BACK[action] ? () => actOnIncident(incident, BACK[action]) : null;
    if (action !== "comment") notice(`${incidentNumber(incident)} ${DONE[action]}`, { seconds: undo ? 10 : 4, undo });
    return after;
  } catch (error) {
    notice(
      `${incidentNumber(incident)} not ${DONE[action].replace(" by you", "")}: ${error.errors?.[0]?.reason ?? error.message}`,
      { seconds: 8 },
    );
    return null;
  }
}

/** Asks what is wrong with it: alerts that do not belong, another incident that it is part of, or that it is none. */
export function correctIncident(
  incident,
  alerts,
  done = (/** @type {string} */ _action, /** @type {any} */ _more) => {},
) {
  if (!mayAct()) return notice(NEEDS);
  const others = new Load((signal) => get("/incidents", { limit: 100 }, signal));
  const out = new Set();
  const turn = (id) => (out.delete(id) || out.add(id), redraw());
  const run = async (action, more) => {
    closeLayer();
    if (await actOnIncident(incident, action, more)) done(action, more);
  };
  const open = alerts.filter((a) => a.state !== "canceled");
  showLayer(
    "dialog",
    () => {
      others.want();
      const into = (others.data?.items ?? []).filter((i) => i.number !== incident.number);
      return html`<div class="form-lines correct">
        <h2 class="title">Merge or split ${incidentNumber(incident)}</h2>
        <section>
          <h3>These alerts do not belong to it</h3>
          <div class="choices" tabindex="0" role="group" aria-label="Alerts">
            ${open.map(
              (a) =>
                html`<label class="row"
                  ><input
                    type="checkbox"
                    ?disabled=${a.id === incident.cause?.id}
                    .checked=${out.has(a.id)}
                    @change=${() => turn(a.id)}
                  />${severityShape(a.severity, 11)}<span
                    >${titleOf(a)} on <b>${a.object.name}</b>${a.id === incident.cause?.id
                      ? html` <span class="m">the cause</span>`
                      : nothing}</span
                  ></label
                >`,
            )}
          </div>
          <button class="ctl" ?disabled=${!out.size} @click=${() => run("split", { alerts: [...out] })}>
            Take ${out.size ? plural(out.size, "alert") : "them"} out
          </button>
        </section>
        <section>
          <h3>It is part of another incident</h3>
          ${into.length
            ? html`<div class="choices">
                ${into.map(
                  (i) =>
                    html`<button class="ctl" @click=${() => run("merge", { into: i.number })}>
                      ${severityShape(i.severity, 11)} ${incidentNumber(i)} ${i.title}
                    </button>`,
                )}
              </div>`
            : html`<p class="m s12">${others.data ? "No other incident is open." : "\u2026"}</p>`}
        </section>
        <section>
          <h3>It is no incident, or it is dealt with</h3>
          <p class="m s12">
            Its ${plural(open.length, "open alert")} ${open.length === 1 ? "stays" : "stay"}, in no incident, until
            ${open.length === 1 ? "it opens" : "they open"} again.
          </p>
          <button class="ctl" @click=${() => run("end")}>End it</button>
        </section>
        <div class="row">
          <span class="sp"></span>
          <button class="ctl" @click=${closeLayer}>Close</button>
        </div>
      </div>`;
    },
    { label: "Merge or split" },
  );
}
