// Asks of which alerts nobody is to be told, until when and why; on phones a sheet from below.
import { html, nothing } from "../../core/html.js";
import { alertsChanged } from "../../core/alerts.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { incidentNumber } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { NEEDS } from "../../core/session.js";
import { titleOf } from "../../core/severity.js";
import { clock, DAY, HOUR, MINUTE, moment, sameDay } from "../../core/time.js";
import { href } from "../../core/url.js";
import { nextAt } from "../../core/zone.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { whenField } from "../../parts/when.js";
import { mayAct } from "./actions.js";

const REASONS = ["Planned work", "Known", "Being mended"];
const ends = () => {
  const morning = nextAt(8);
  return [
    ["30 min", Date.now() + 30 * MINUTE],
    ["1 hour", Date.now() + HOUR],
    ["2 hours", Date.now() + 2 * HOUR],
    [`${sameDay(morning, Date.now()) ? "until" : "tomorrow"} ${clock(morning)}`, morning],
    ["1 week", Date.now() + 7 * DAY],
  ];
};
const iso = (ms) => new Date(Math.round(ms / 1000) * 1000).toISOString();
const minute = (ms) => Math.floor(ms / MINUTE);

/** What a silence of the rule of an alert on its object is about. */
export const ofItsRule = (alert) => ({
  scope: { objects: [alert.object.id] },
  matchers: [{ path: "alert.definitionId", operator: "equals", value: alert.definition.id }],
});

/**
 * Shows it. `name` is what is silenced; `choices` are `{ words, about, count, lasts }`: what to silence, as the body of
 * `POST /silences` has it, how many alerts that is where it is known, and whether it holds for others that come, which
 * `joins` names. `held` asks whether critical ones get through. `more` is the address of the page with all conditions.
 */
function showSilence({ name, choices, held = false, joins = "", more = null, done = () => {} }) {
  if (!mayAct()) return notice(NEEDS);
  const state = { chosen: 0, critical: false, until: ends()[1][1], comment: "", busy: false, error: null };
  const about = () => ({
    ...choices[state.chosen].about,
    ...(held && !state.critical ? { when: 'alert.criticality != "CRITICAL"' } : {}),
  });
  const cover = new Load((_of, signal) => post("/silences/preview", { ...about(), limit: 0 }, signal));
  const set = (part) => (Object.assign(state, part, { error: null }), redraw());
  const why = () => state.comment.trim();
  const submit = async (event) => {
    event.preventDefault();
    if (state.busy) return;
    if (!why()) return event.target.elements.comment.focus();
    set({ busy: true });
    try {
      const made = await post("/silences", { ...about(), comment: why(), to: iso(state.until) });
      closeLayer();
      alertsChanged();
      notice(`${name} silenced until ${moment(state.until)}`, {
        seconds: 10,
        undo: () =>
          post(`/silences/${made.id}/expire`)
            .then(alertsChanged)
            .catch((error) => notice(`Not ended: ${error.message}`, { seconds: 8 })),
      });
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  const effect = () => {
    if (cover.error && !cover.loading) return html`<span class="crit">${cover.error.message}</span>`;
    if (!cover.data) return html`<span class="m">counting…</span>`;
    const n = cover.data.covered;
    const {
      about: { alerts },
      lasts,
    } = choices[state.chosen];
    const over = alerts ? alerts.length - n : 0;
    const what =
      n === 1 && !over
        ? "this alert"
        : n
          ? `${over ? "" : "these "}${plural(n, "alert")}`
          : over
            ? "them; all are over"
            : "what fits; no open alert does now";
    return html`<b>Until ${moment(state.until)} nobody is notified</b> of
      ${what}${n && over ? `; ${count(over)} ${over === 1 ? "is" : "are"} over` : ""}${n && lasts
        ? `, nor of ${joins}`
        : ""}.
      ${n === 1 ? "It stays" : "They stay"} on every page; what is open then is sent then.`;
  };
  showLayer(
    "dialog",
    () => {
      cover.want(JSON.stringify(about()));
      const error = state.error && (state.error.errors?.[0]?.reason ?? state.error.message);
      return html`<form class="form-lines silence-sheet" @submit=${submit}>
        <h2 class="title">Silence ${name}</h2>
        ${choices.length > 1
          ? html`<div class="whats" role="radiogroup" aria-label="What">
              ${choices.map(
                (c, i) =>
                  html`<label class="row"
                    ><input
                      type="radio"
                      name="what"
                      .checked=${state.chosen === i}
                      @change=${() => set({ chosen: i })}
                    /><span>${c.words}</span><span class="sp"></span>${c.count === undefined
                      ? nothing
                      : html`<span class="m">${count(c.count)}</span>`}</label
                  >`,
              )}
            </div>`
          : nothing}
        <div class="row wrap" role="group" aria-label="How long">
          ${ends().map(
            ([words, until], i) =>
              html`<button
                type="button"
                class="ctl"
                aria-pressed=${minute(until) === minute(state.until)}
                @click=${() => set({ until: ends()[i][1] })}
              >
                ${words}
              </button>`,
          )}
          <label class="row nw"
            >or until
            ${whenField({
              name: "until",
              value: state.until,
              required: true,
              change: (until) => set({ until }),
            })}</label
          >
        </div>
        <label class="lab"
          >Why<input
            class="field"
            name="comment"
            autofocus
            maxlength="2000"
            autocomplete="off"
            placeholder="CHG-20418"
            .value=${state.comment}
            @input=${(e) => set({ comment: e.target.value })}
        /></label>
        <div class="row wrap" role="group" aria-label="Reasons">
          ${REASONS.map(
            (r) =>
              html`<button
                type="button"
                class="ctl"
                aria-pressed=${state.comment === r}
                @click=${() => set({ comment: r })}
              >
                ${r}
              </button>`,
          )}
        </div>
        ${held
          ? html`<label class="row"
              ><input
                type="checkbox"
                .checked=${state.critical}
                @change=${(e) => set({ critical: e.target.checked })}
              />
              critical ones too; else they get through</label
            >`
          : nothing}
        <p role="status">${effect()}</p>
        ${error ? html`<p class="crit s12" role="alert">${error}</p>` : nothing}
        ${more ? html`<p><a class="acc" href=${more} @click=${closeLayer}>By other conditions…</a></p>` : nothing}
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary" ?disabled=${state.busy} aria-disabled=${why() ? "false" : "true"}>
            ${why() ? `Silence until ${moment(state.until)}` : "Say why first"}
          </button>
        </div>
      </form>`;
    },
    { label: "Silence" },
  );
}

const MOST = 1000;

/** Silences some alerts: exactly these, or of one what is like it. */
export function silenceAlerts(alerts, done) {
  if (alerts.length > MOST)
    return notice(
      `At most ${count(MOST)} alerts by name; a silence by objects or a condition covers more (Notifications, Silences).`,
      { seconds: 8 },
    );
  const these = { alerts: alerts.map((a) => a.id) };
  if (alerts.length > 1)
    return showSilence({
      name: plural(alerts.length, "alert"),
      choices: [{ words: "These alerts", about: these }],
      done,
    });
  const [a] = alerts;
  showSilence({
    name: titleOf(a),
    done,
    more: href("/notifications/silences/new", { alert: a.id }),
    joins: "what opens meanwhile and fits",
    choices: [
      { words: html`This rule on <b>${a.object.name}</b>`, about: ofItsRule(a), lasts: true },
      { words: html`Everything on <b>${a.object.name}</b>`, about: { scope: { objects: [a.object.id] } }, lasts: true },
      { words: "This alert alone", about: these },
    ],
  });
}

/** Silences alerts of an incident; those that join it later are among them. */
export function silenceIncident(incident, alerts) {
  const open = alerts.filter((a) => a.state !== "canceled");
  const kinds = [...new Set(alerts.map((a) => a.object.objectKind))];
  const number = { path: "incident.name", operator: "equals", value: incidentNumber(incident) };
  const only = (kind) => ({
    words: `Only the alerts of its ${kindWord(kind, 2)}`,
    about: { matchers: [number, { path: "object.kind", operator: "equals", value: kind }] },
    count: open.filter((a) => a.object.objectKind === kind).length,
    lasts: true,
  });
  showSilence({
    name: incidentNumber(incident),
    held: true,
    joins: "what joins",
    choices: [
      { words: "This incident, also what joins it", about: { matchers: [number] }, count: open.length, lasts: true },
      ...(kinds.length > 1 ? kinds.map(only) : []),
    ],
  });
}
