// One incident: what is the matter, its likely cause and why, what happened, what is affected, and what people said.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { changeText, seenFrom } from "../../core/changes.js";
import { incidentNumber } from "../../core/incidents.js";
import { clock, date, duration, moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";
import { actButton, mayAct } from "../alerts/actions.js";
import { silenceIncident } from "../alerts/silence-sheet.js";
import { affectedPane, alertsPane } from "./incident-alerts.js";
import { causeText, charts, signsPane, todoList } from "./incident-cause.js";
import { IncidentState } from "./incident-state.js";
import { canAsk } from "../why-slow/words.js";

const when = (iso) => moment(Date.parse(iso));
const ENDINGS = { over: "", left: ", what was left belonged to nothing", ended: " by hand", merged: "" };

export function page(number) {
  const state = new IncidentState(number);

  return {
    get title() {
      return state.incident ? `${incidentNumber(state.incident)} ${state.incident.title}` : "Incident";
    },
    name: "incident",
    timed: false,
    update: () => state.update(),
    leave: () => state.leave(),
    escape: () => back("/alerts"),
    get short() {
      return incidentNumber(number);
    },
    acts: () => (state.incident && !state.over ? shortActs(state) : nothing),
    keys: () => ({
      I: [() => state.incident && !state.over && state.act("take"), "Take"],
      A: [
        () =>
          state.incident && !state.over && state.act(state.incident.acknowledgedBy ? "unacknowledge" : "acknowledge"),
        "Acknowledge",
      ],
      M: [() => state.incident && !state.over && silenceIncident(state.incident, state.alerts), "Silence it"],
      E: [() => state.incident && !state.over && state.correct(), "Merge, split or end"],
      N: [() => document.getElementById("note")?.focus(), "Comment"],
      S: [
        () => canAsk(state.incident?.cause?.object) && go("/why-slow", { alert: state.incident.cause.id }),
        "Why is it slow?",
      ],
      O: [
        () => state.incident?.cause && go(`/objects/${state.incident.cause.object.id}`),
        "Open the object of the cause",
      ],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      state.update();
      if (state.whole.error && !state.whole.data)
        return html`<div class="tb">
            <h1>No incident to show</h1>
          </div>
          <section class="pane">${failure(state.whole.error, () => state.whole.again())}</section>`;
      const i = state.incident;
      if (!i)
        return html`<div class="tb">
            <h1>${incidentNumber(number)}</h1>
          </div>
          <section class="pane">${loaded(state.whole, () => "", { rows: 8 })}</section>`;
      const first = state.cause ?? state.alerts[0];
      return html`<div class="tb">
          <a class="m nw" href=${href("/alerts")}>Alerts /</a>
          <h1>${i.title}</h1>
          ${chip(incidentNumber(i))}
          <span class="m">${stateWords(state)}</span>
          <span class="sp"></span>
          <div class="row wrap acts wide-acts">${actions(state)}</div>
        </div>
        <section class="pane band ${state.over ? "" : i.severity}" aria-label="Likely cause">
          <div class="row top">
            ${severityShape(state.over ? null : i.severity, 16)}${state.members.data
              ? causeText(state)
              : html`<p class="say">${i.title}.</p>`}
          </div>
          ${state.members.data ? todoList(state) : nothing}
        </section>
        <div class="cols">
          <div class="col">
            <section class="pane" aria-label="What happened">
              <div class="ph">
                <h2>What happened</h2>
              </div>
              ${state.members.data ? charts(state) : loaded(state.members, () => "", { rows: 6 })}
            </section>
            ${alertsPane(state)}
          </div>
          <div class="col">
            ${signsPane(state)}${affectedPane(state)}
            <section class="pane">${first ? state.notified.section(first) : nothing}</section>
            ${timelinePane(state)}${earlierPane(state)}
          </div>
        </div>`;
    },
  };
}

function stateWords(state) {
  const i = state.incident;
  const age = duration(state.end - Date.parse(i.since));
  const who = i.owner ? `with ${i.owner}` : "unassigned";
  if (state.over)
    return i.mergedInto
      ? html`part of <a class="acc" href=${href(`/incidents/${i.mergedInto}`)}>I-${i.mergedInto}</a> since
          ${when(i.closedAt)}`
      : `closed ${when(i.closedAt)}${ENDINGS[i.end]}, after ${age}`;
  return `open, ${age}, ${i.acknowledgedBy ? `acknowledged by ${i.acknowledgedBy}, ` : ""}${who}`;
}

function actions(state) {
  const i = state.incident;
  if (state.over)
    return html`<button class="ctl" @click=${() => copy(location.href, "Link copied")}>Copy link</button>`;
  return html`${i.owner
      ? actButton("Give back", "", () => state.act("release"))
      : actButton("Take", "I", () => state.act("take"), { primary: true })}
    ${actButton(i.acknowledgedBy ? "Acknowledged" : "Acknowledge", "A", () =>
      state.act(i.acknowledgedBy ? "unacknowledge" : "acknowledge"),
    )}
    ${actButton("Silence\u2026", "M", () => silenceIncident(i, state.alerts))}
    ${actButton("Merge or split\u2026", "E", () => state.correct())}
    <button class="ctl prio-3" @click=${() => copy(location.href, "Link copied")}>Copy link</button>`;
}

/** What is done most, for small screens. */
function shortActs(state) {
  const i = state.incident;
  return html`${i.owner
    ? actButton("Give back", "", () => state.act("release"))
    : actButton("Take", "", () => state.act("take"), { primary: true })}
  ${actButton(i.acknowledgedBy ? "Acknowledged" : "Acknowledge", "", () =>
    state.act(i.acknowledgedBy ? "unacknowledge" : "acknowledge"),
  )}${actButton("Silence\u2026", "", () => silenceIncident(i, state.alerts))}`;
}

function timelinePane(state) {
  const steps = [
    ...state.whole.data.timeline.map((s) => ({
      at: Date.parse(s.time),
      words: s.text,
      by: s.event === "comment" ? s.by : null,
      event: s.event,
    })),
    ...state.moves().map((m) => ({
      at: Date.parse(m.time),
      words: changeText(seenFrom([m], state.incident.cause.object.id, state.incident.cause.object.name)[0]),
      by: null,
      event: "change",
    })),
  ].sort((a, b) => b.at - a.at);
  const add = (event) => {
    event.preventDefault();
    state.note();
  };
  return html`<section class="pane" aria-label="Timeline">
    <div class="ph">
      <h2>Timeline</h2>
    </div>
    <div class="sec first">
      <form class="row" @submit=${add}>
        <input
          class="field"
          id="note"
          maxlength="4000"
          autocomplete="off"
          placeholder=${mayAct() ? "What you found or did" : "Needs the role operator"}
          aria-label="Comment"
          ?disabled=${!mayAct()}
          .value=${state.comment}
          @input=${(e) => ((state.comment = e.target.value), redraw())}
        />
        <button class="ctl" ?disabled=${!mayAct() || state.busy || !state.comment.trim()}>Add</button>
      </form>
      ${steps.map(
        (s) =>
          html`<div class="ev">
            <span class="m nw">${moment(s.at)}</span>
            ${s.event === "opened" ? severityShape(state.incident.worst, 10) : shape("alike", 10, "")}
            <span>${s.by ? html`<b>${s.by}</b>: ` : nothing}${s.words}</span>
          </div>`,
      )}
    </div>
  </section>`;
}

function earlierPane(state) {
  const list = state.whole.data.earlier;
  return html`<section class="pane" aria-label="Before">
    <div class="ph">
      <h2>Before</h2>
      <span class="m">${list.length ? `${list.length === 10 ? "the last 10" : list.length} like it` : nothing}</span>
    </div>
    ${list.length
      ? list.map(
          (e) =>
            html`<a class="list-row" href=${href(`/incidents/${e.number}`)}
              ><span class="m nw">${date(Date.parse(e.openedAt))} ${clock(Date.parse(e.openedAt))}</span
              ><span class="grow">${e.title}</span
              ><span class="m nw">${duration(Date.parse(e.closedAt) - Date.parse(e.since))}</span></a
            >`,
        )
      : html`<p class="m s12 pad">No closed incident of the same cause or place is kept.</p>`}
  </section>`;
}
