// The likely cause of an incident: what speaks for it, what is to be done, and its charts.
import { html, nothing } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { commonText, effectsText, isSure, signLines, smallKind } from "../../core/incidents.js";
import { isNetwork, metricName } from "../../core/metrics.js";
import { against, found, titleOf } from "../../core/severity.js";
import { MINUTE, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { limitsOf } from "../alerts/detail.js";
import { isClosed } from "../alerts/words.js";
import { tick } from "../notifications/words.js";
import { canAsk } from "../why-slow/words.js";
import { ownSymptom as own } from "./words.js";
import "../../chart/series-chart.js";

const FLAGS = 4;

function valueText(a) {
  const m = own(a);
  if (!m.key || m.value === null) return html`${titleOf(a)}`;
  return html`${metricName(m.key)} ${isClosed(a) ? "was" : "is"}
    <b class="hot ${a.severity}">${found(m, m.unit, m.key)}</b>${m.bound === null
      ? ""
      : `, ${against(m, m.operator, m.unit, m.key)}`}`;
}

export function causeText(state) {
  const i = state.incident;
  const a = state.cause;
  const effects = state.alerts.filter((x) => x !== a);
  if (!i.cause) {
    const common = state.alerts.length ? `${commonText(state.alerts)}.` : "No alert explains the others.";
    return html`<p class="say">${common}</p>`;
  }
  const came = state.moves().filter((m) => Date.parse(m.time) <= Date.parse(i.since));
  const before = came.length
    ? Math.max(1, Math.round((Date.parse(i.since) - Date.parse(came.at(-1).time)) / MINUTE))
    : 0;
  const value = a ? valueText(a) : html`${i.cause.name}`;
  return html`<p class="say">
    <b>${isSure(i) ? "Likely" : "Possible"} cause:</b> ${value} on
    <a href=${href(`/objects/${i.cause.object.id}`)}><b>${i.cause.object.name}</b></a
    >, since
    ${moment(Date.parse(i.cause.since))}.${canAsk(i.cause.object)
      ? html` <a href=${href("/why-slow", { alert: i.cause.id })} title="Where its time is lost (S)">Why slow?</a>`
      : nothing}
    ${came.length
      ? html` <b
            >${plural(
              came.length,
              `${smallKind(came[0].object.objectKind, 1)}`,
              smallKind(came[0].object.objectKind, 2),
            )}
            moved there</b
          >, ${came.length > 1 ? "the last " : ""}${before} min before the first alert.`
      : nothing}
    ${effects.length
      ? html` It ${isSure(i) ? "explains" : "may explain"} <b>${effectsText(i.cause, effects)}</b>.`
      : nothing}
  </p>`;
}

export function todoList(state) {
  const words = [
    ...new Set([state.cause, ...state.alerts].filter(Boolean).flatMap((a) => a.recommendations ?? [])),
  ].slice(0, 3);
  if (!words.length)
    return html`<div class="todo">
      <h2>What to do</h2>
      <p class="m s12">
        No recommendation is stored with ${state.cause ? "the rule of the cause" : "these rules"}.
        <a
          class="acc"
          href=${href(
            (state.cause ?? state.alerts[0])?.definition?.source === "threshold"
              ? `/thresholds/${(state.cause ?? state.alerts[0]).definition.id}`
              : "/thresholds",
          )}
          >Add one</a
        >
      </p>
    </div>`;
  return html`<div class="todo">
    <h2>What to do</h2>
    <ol class="steps">
      ${words.map((w) => html`<li>${w}</li>`)}
    </ol>
  </div>`;
}

export function signsPane(state) {
  const i = state.incident;
  if (!i.cause) return nothing;
  return html`<section class="pane" aria-label="Why this cause">
    <div class="ph">
      <h2>Why this cause</h2>
      <span class="sp"></span>
      <span class="m">confidence ${i.confidence}</span>
      <span class="signs" role="img" aria-label=${`${i.signs.length} of 5 signs`}
        >${[0, 1, 2, 3, 4].map((n) => html`<i class=${n < i.signs.length ? "on" : ""}></i>`)}</span
      >
    </div>
    <ul class="why">
      ${signLines(i, state.alerts).map(
        ([, holds, title, words]) =>
          html`<li class=${holds ? "" : "m"}>
            ${holds ? tick(11, "holds") : shape("alike", 11, "does not hold")}<span><b>${title}:</b> ${words}</span>
          </li>`,
      )}
    </ul>
  </section>`;
}

/** How many of its alerts were open at each moment. */
function openLine({ alerts }, from, to) {
  const step = Math.max(MINUTE, Math.ceil((to - from) / 240 / MINUTE) * MINUTE);
  const times = [];
  for (let t = from; t < to; t += step) times.push(t);
  const values = times.map(
    (t) =>
      alerts.filter((a) => Date.parse(a.openedAt) < t + step && (!a.canceledAt || Date.parse(a.canceledAt) >= t))
        .length,
  );
  return { times, values, step };
}

export function charts(state) {
  const a = state.cause;
  const inputs = [
    state.series.data,
    state.related.data,
    state.members.data,
    state.incident.state,
    state.begin,
    state.end,
  ];
  if (!state.charts.inputs.length || !inputs.every((v, n) => v === state.charts.inputs[n])) {
    const [from, to] = [state.begin, state.end];
    const m = own(a);
    const line = m && state.series.data?.series.find((s) => s.metric === m.key);
    const flags = state.moves();
    const wash = [{ from: Date.parse(state.incident.since), to: state.over ? state.end : to }];
    const open = openLine(state, from, to);
    state.charts = {
      inputs,
      main: line
        ? {
            title: metricName(m.key),
            hint: m.key,
            unit: line.unit ?? m.unit,
            network: isNetwork(m.key),
            from,
            to,
            times: state.series.data.times,
            stepMillis: state.series.data.stepMillis,
            series: [{ name: a.object.name, values: line.values, min: line.min, max: line.max, style: "main" }],
            limits: limitsOf([m]),
            washes: wash,
            open: state.over ? null : a.severity,
            flags: flags.slice(0, FLAGS).map((m, n) => ({
              at: Date.parse(m.time),
              text:
                n === FLAGS - 1 && flags.length > FLAGS
                  ? `${flags.length - FLAGS + 1} more`
                  : `${m.object.name} moved in`,
            })),
            note: `of ${a.object.name}`,
            empty: line.values.some((v) => v !== null) ? undefined : "no value in this span",
          }
        : null,
      count: {
        title: "Open alerts of it",
        unit: null,
        from,
        to,
        times: open.times,
        stepMillis: open.step,
        series: [{ name: "open", values: open.values, style: "main" }],
        washes: wash,
      },
    };
  }
  return html`${state.charts.main
      ? html`<section class="chart-sec" aria-label="Chart of the cause">
          <series-chart .spec=${state.charts.main}></series-chart>
        </section>`
      : nothing}
    <section class="chart-sec low" aria-label="Open alerts over time">
      <series-chart .spec=${state.charts.count}></series-chart>
    </section>`;
}
