// One incident: what is the matter, its likely cause and why, what happened, what is affected, and what people said.
import { html, nothing, repeat } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { alertVersion, readAlerts } from "../core/alerts.js";
import { get, post } from "../core/api.js";
import { changeText, seenFrom } from "../core/changes.js";
import { count, plural } from "../core/format.js";
import { commonText, effectsText, getIncident, incidentNumber, isSure, signLines } from "../core/incidents.js";
import { Load } from "../core/load.js";
import { isNetwork, kindRank, kindWord, metricName } from "../core/metrics.js";
import { against, found, rank, titleOf, worse } from "../core/severity.js";
import { clock, date, duration, HOUR, MINUTE, moment } from "../core/time.js";
import { back, go, href } from "../core/url.js";
import { copy } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { severityShape, shape } from "../parts/shapes.js";
import { chip, segments } from "../parts/small.js";
import { limitsOf } from "./alert-detail.js";
import { AlertNotified } from "./alert-notified.js";
import { actButton, mayAct } from "./alerts-actions.js";
import { isClosed } from "./alerts-words.js";
import { actOnIncident, correctIncident } from "./incident-actions.js";
import { ownSymptom as own } from "./incident-words.js";
import { tick } from "./notify-words.js";
import { silenceIncident } from "./silence-sheet.js";
import "../chart/series-chart.js";

const POINTS = 360;
const BOXES = 24;
const FLAGS = 4;
const since = (a) => Date.parse(a.since);

const when = (iso) => moment(Date.parse(iso));
const lower = (kind, n) => kindWord(kind, n).replace(/^[A-Z](?=[a-z])/, (c) => c.toLowerCase());

export function page(number) {
  const whole = new Load((_version, signal) => getIncident(number, signal));
  const members = new Load((_version, signal) => readAlerts({ incident: number, status: "any" }, signal));
  const related = new Load((id, _version, signal) => get(`/alerts/${id}/related`, {}, signal));
  const series = new Load((object, metric, from, to, signal) => post("/series/query", { objects: [object], metrics: [metric], from: String(from), to: String(to), maxPoints: POINTS, withRange: true }, signal));
  const notified = new AlertNotified();
  const unfolded = new Set();
  let by = "type";
  let comment = "";
  let busy = false;
  let made = { inputs: [] };

  const incident = () => whole.data?.incident ?? null;
  const alerts = () => members.data?.items ?? [];
  const cause = () => alerts().find((a) => a.id === incident()?.cause?.id) ?? null;
  const over = () => incident()?.status === "closed";
  const end = () => (over() ? Date.parse(incident().closedAt) : Math.ceil(Date.now() / MINUTE) * MINUTE);
  const begin = () => Math.floor((Date.parse(incident().since) - Math.max(HOUR, Math.min(6 * HOUR, end() - Date.parse(incident().since)))) / MINUTE) * MINUTE;

  function update() {
    whole.want(alertVersion());
    members.want(alertVersion());
    const first = cause() ?? alerts()[0];
    if (!incident() || !first) return;
    related.want(first.id, alertVersion());
    notified.want(first.id, alertVersion());
    const m = own(cause());
    if (m?.key && m.value !== null) series.want(m.object.id, m.key, begin(), end());
  }

  const act = async (action, more) => {
    const after = await actOnIncident(incident(), action, more);
    if (after) whole.again();
    return after;
  };

  /** Machines that moved to the place of the cause within an hour before it began, or while it goes on. */
  function moves() {
    const place = incident().cause?.object;
    if (!place || !related.data) return [];
    const from = Date.parse(incident().since) - HOUR;
    return related.data.changes.filter((c) => c.kind === "placement" && c.after === place.name && Date.parse(c.time) >= from).toSorted((a, b) => Date.parse(a.time) - Date.parse(b.time));
  }

  function likely() {
    const i = incident();
    const a = cause();
    const effects = alerts().filter((x) => x !== a);
    if (!i.cause) return html`<p class="say">${alerts().length ? `${commonText(alerts())}.` : "No alert explains the others."}</p>`;
    const came = moves().filter((m) => Date.parse(m.time) <= Date.parse(i.since));
    const before = came.length ? Math.max(1, Math.round((Date.parse(i.since) - Date.parse(came.at(-1).time)) / MINUTE)) : 0;
    const value = a ? valueText(a) : html`${i.cause.name}`;
    return html`<p class="say"><b>${isSure(i) ? "Likely" : "Possible"} cause:</b> ${value} on <a href=${href(`/objects/${i.cause.object.id}`)}><b>${i.cause.object.name}</b></a>, since ${moment(Date.parse(i.cause.since))}.
      ${came.length ? html` <b>${plural(came.length, `${lower(came[0].object.objectKind, 1)}`, lower(came[0].object.objectKind, 2))} moved there</b>, ${came.length > 1 ? "the last " : ""}${before} min before the first alert.` : nothing}
      ${effects.length ? html` It ${isSure(i) ? "explains" : "may explain"} <b>${effectsText(i.cause, effects)}</b>.` : nothing}</p>`;
  }

  function valueText(a) {
    const m = own(a);
    if (!m.key || m.value === null) return html`${titleOf(a)}`;
    return html`${metricName(m.key)} ${isClosed(a) ? "was" : "is"} <b class="hot ${a.severity}">${found(m, m.unit, m.key)}</b>${m.bound === null ? "" : `, ${against(m, m.operator, m.unit, m.key)}`}`;
  }

  function todo() {
    const words = [...new Set([cause(), ...alerts()].filter(Boolean).flatMap((a) => a.recommendations ?? []))].slice(0, 3);
    if (!words.length) return html`<div class="todo"><h2>What to do</h2><p class="m s12">No recommendation is stored with ${cause() ? "the rule of the cause" : "these rules"}. <a class="acc" href=${href((cause() ?? alerts()[0])?.definition?.source === "threshold" ? `/thresholds/${(cause() ?? alerts()[0]).definition.id}` : "/thresholds")}>Add one</a></p></div>`;
    return html`<div class="todo"><h2>What to do</h2><ol class="steps">${words.map((w) => html`<li>${w}</li>`)}</ol></div>`;
  }

  /** How many of its alerts were open at each moment. */
  function openLine(from, to) {
    const step = Math.max(MINUTE, Math.ceil((to - from) / 240 / MINUTE) * MINUTE);
    const times = [];
    for (let t = from; t < to; t += step) times.push(t);
    const values = times.map((t) => alerts().filter((a) => Date.parse(a.openedAt) < t + step && (!a.canceledAt || Date.parse(a.canceledAt) >= t)).length);
    return { times, values, step };
  }

  function charts() {
    const a = cause();
    const inputs = [series.data, related.data, members.data, incident().status, begin(), end()];
    if (!made.inputs.length || !inputs.every((v, n) => v === made.inputs[n])) {
      const [from, to] = [begin(), end()];
      const m = own(a);
      const line = m && series.data?.series.find((s) => s.metric === m.key);
      const flags = moves();
      const wash = [{ from: Date.parse(incident().since), to: over() ? end() : to }];
      const open = openLine(from, to);
      made = { inputs, main: line ? {
        title: metricName(m.key), hint: m.key, unit: line.unit ?? m.unit, network: isNetwork(m.key), from, to, times: series.data.times, stepMillis: series.data.stepMillis,
        series: [{ name: a.object.name, values: line.values, min: line.min, max: line.max, style: "main" }], limits: limitsOf([m]), washes: wash, open: over() ? null : a.severity,
        flags: flags.slice(0, FLAGS).map((m, n) => ({ at: Date.parse(m.time), text: n === FLAGS - 1 && flags.length > FLAGS ? `${flags.length - FLAGS + 1} more` : `${m.object.name} moved in` })),
        note: `of ${a.object.name}`, empty: line.values.some((v) => v !== null) ? undefined : "no value in this span",
      } : null, count: { title: "Open alerts of it", unit: null, from, to, times: open.times, stepMillis: open.step, series: [{ name: "open", values: open.values, style: "main" }], washes: wash } };
    }
    return html`${made.main ? html`<section class="chart-sec" aria-label="Chart of the cause"><series-chart .spec=${made.main}></series-chart></section>` : nothing}<section class="chart-sec low" aria-label="Open alerts over time"><series-chart .spec=${made.count}></series-chart></section>`;
  }

  function why() {
    const i = incident();
    if (!i.cause) return nothing;
    return html`<section class="pane" aria-label="Why this cause"><div class="ph"><h2>Why this cause</h2><span class="sp"></span><span class="m">confidence ${i.confidence}</span><span class="signs" role="img" aria-label=${`${i.signs.length} of 5 signs`}>${[0, 1, 2, 3, 4].map((n) => html`<i class=${n < i.signs.length ? "on" : ""}></i>`)}</span></div>
      <ul class="why">${signLines(i, alerts()).map(([sign, holds, title, words]) => html`<li class=${holds ? "" : "m"}>${holds ? tick(11, "holds") : shape("alike", 11, "does not hold")}<span><b>${title}:</b> ${words}</span></li>`)}</ul></section>`;
  }

  function affected() {
    const objects = [...Map.groupBy(alerts().filter((a) => over() || !isClosed(a)), (a) => a.object.id).values()]
      .map((of) => ({ object: of[0].object, n: of.length, worst: of.reduce((w, a) => worse(a.severity, w), null) }))
      .sort((a, b) => rank(b.worst) - rank(a.worst) || b.n - a.n || a.object.name.localeCompare(b.object.name));
    const place = incident().cause?.object.id;
    const top = objects.find((o) => o.object.id === place);
    const rest = objects.filter((o) => o !== top);
    const came = new Map(moves().map((m) => [m.object.id, m.before]));
    const kinds = [...Map.groupBy(objects, (o) => o.object.objectKind)].sort(([a], [b]) => kindRank(a) - kindRank(b)).map(([k, of]) => `${of.length} ${lower(k, of.length)}`);
    const box = (o, cls = "") => html`<a class="box ${cls} ${came.has(o.object.id) ? "came" : ""}" href=${href(`/objects/${o.object.id}`)}>${severityShape(over() ? null : o.worst, 11)}<span><b>${o.object.name}</b><span class="m s12">${plural(o.n, "alert")}${came.get(o.object.id) ? `, from ${came.get(o.object.id)}` : ""}</span></span></a>`;
    return html`<section class="pane" aria-label="Affected"><div class="ph"><h2>Affected</h2><span class="m">${kinds.join(", ")}</span></div>
      <div class="affected">${top ? box(top, `top ${over() ? "" : top.worst}`) : nothing}<div class="boxes">${rest.slice(0, BOXES).map((o) => box(o))}${rest.length > BOXES ? html`<span class="box rest m">${count(rest.length - BOXES)} more</span>` : nothing}</div></div></section>`;
  }

  const alertRow = (a, inner) => html`<tr class="${inner ? "inner" : ""} ${isClosed(a) ? "quiet" : ""}"><td>${severityShape(isClosed(a) ? null : a.severity, 11)}</td><td><a href=${href(`/alerts/${a.id}`)}>${titleOf(a)}</a></td><td><a href=${href(`/objects/${a.object.id}`)}><b>${a.object.name}</b></a></td><td class="r">${isClosed(a) ? html`<span class="m">closed</span>` : found(a, a.unit, a.key)}</td><td class="m">${against(a, a.operator, a.unit, a.key)}</td><td class="r nw">${moment(since(a))}</td></tr>`;

  function groupRows([key, of]) {
    const open = of.filter((a) => over() || !isClosed(a));
    const all = open.length ? open : of;
    const worst = all.toSorted((a, b) => rank(b.severity) - rank(a.severity) || (b.value ?? 0) - (a.value ?? 0))[0];
    if (of.length === 1) return alertRow(of[0], false);
    const shown = unfolded.has(key);
    const milder = all.filter((a) => a.severity !== worst.severity).length;
    const kinds = [...Map.groupBy(all, (a) => a.object.objectKind)].map(([k, some]) => { const n = new Set(some.map((a) => a.object.id)).size; return `${n} ${lower(k, n)}`; });
    const turn = () => (unfolded.delete(key) || unfolded.add(key), redraw());
    return html`<tr class="type"><td>${severityShape(open.length ? worst.severity : null, 11)}</td><td><button class="link fold" aria-expanded=${shown} @click=${turn}>${by === "type" ? titleOf(worst) : worst.object.name}</button></td>
        <td>${by === "type" ? `${kinds.join(", ")}${milder ? `, ${milder} milder` : ""}` : `${plural(all.length, "alert")}`}</td><td class="r">${by === "type" ? html`<span class="m">${worst.object.name}</span> ` : nothing}<span class="nw">${found(worst, worst.unit, worst.key)}</span></td><td class="m">${by === "type" ? against(worst, worst.operator, worst.unit, worst.key) : titleOf(worst)}</td><td class="r nw">${moment(Math.min(...of.map(since)))}</td></tr>
      ${shown ? repeat(of.toSorted((a, b) => isClosed(a) - isClosed(b) || rank(b.severity) - rank(a.severity)), (a) => a.id, (a) => alertRow(a, true)) : nothing}`;
  }

  function table() {
    const of = alerts();
    const groups = [...Map.groupBy(of, (a) => (by === "type" ? titleOf(a) : a.object.id))].sort(([, a], [, b]) => Math.max(...b.map((x) => (isClosed(x) ? 0 : rank(x.severity)))) - Math.max(...a.map((x) => (isClosed(x) ? 0 : rank(x.severity)))) || b.length - a.length);
    const closed = of.filter(isClosed).length;
    return html`<section class="pane" aria-label="Alerts"><div class="ph"><h2>${plural(of.length, "alert")} of ${by === "type" ? plural(groups.length, "type") : plural(groups.length, "object")}</h2><span class="m">${closed && !over() ? `${count(closed)} closed; ` : ""}worst first</span><span class="sp"></span>${segments(by, [["type", "By type"], ["object", "By object"]], (v) => { by = v; redraw(); }, "Alerts by")}</div>
      ${loaded(members, () => html`<div class="x-scroll" tabindex="0" role="region" aria-label="Alerts of the incident"><table class="types"><thead><tr><th class="w-state"><span class="vh">State</span></th><th>Alert</th><th>On</th><th class="r">Worst</th><th>Against</th><th class="r">Since</th></tr></thead><tbody>${groups.map(groupRows)}</tbody></table></div>`, { rows: 6 })}</section>`;
  }

  function timeline() {
    const steps = [...whole.data.timeline.map((s) => ({ at: Date.parse(s.time), words: s.text, by: s.event === "comment" ? s.by : null, event: s.event })), ...moves().map((m) => ({ at: Date.parse(m.time), words: changeText(seenFrom([m], incident().cause.object.id, incident().cause.object.name)[0]), by: null, event: "change" }))].sort((a, b) => b.at - a.at);
    const add = async (event) => {
      event.preventDefault();
      if (!comment.trim() || busy) return;
      busy = true;
      redraw();
      if (await act("comment", { comment: comment.trim() })) comment = "";
      busy = false;
      redraw();
    };
    return html`<section class="pane" aria-label="Timeline"><div class="ph"><h2>Timeline</h2></div><div class="sec first">
      <form class="row" @submit=${add}><input class="field" id="note" maxlength="4000" autocomplete="off" placeholder=${mayAct() ? "What you found or did" : "Needs the role operator"} aria-label="Comment" ?disabled=${!mayAct()} .value=${comment} @input=${(e) => ((comment = e.target.value), redraw())} /><button class="ctl" ?disabled=${!mayAct() || busy || !comment.trim()}>Add</button></form>
      ${steps.map((s) => html`<div class="ev"><span class="m nw">${moment(s.at)}</span>${s.event === "opened" ? severityShape(incident().worst, 10) : shape("alike", 10, "")}<span>${s.by ? html`<b>${s.by}</b>: ` : nothing}${s.words}</span></div>`)}</div></section>`;
  }

  function earlier() {
    const list = whole.data.earlier;
    return html`<section class="pane" aria-label="Before"><div class="ph"><h2>Before</h2><span class="m">${list.length ? `${list.length === 10 ? "the last 10" : list.length} like it` : nothing}</span></div>
      ${list.length ? list.map((e) => html`<a class="list-row" href=${href(`/incidents/${e.number}`)}><span class="m nw">${date(Date.parse(e.openedAt))} ${clock(Date.parse(e.openedAt))}</span><span class="grow">${e.title}</span><span class="m nw">${duration(Date.parse(e.closedAt) - Date.parse(e.since))}</span></a>`) : html`<p class="m s12 pad">No closed incident of the same cause or place is kept.</p>`}</section>`;
  }

  const correct = () => correctIncident(incident(), alerts(), (action, more) => (action === "merge" ? go(`/incidents/${more.into}`) : whole.again()));

  const ENDINGS = { over: "", left: ", what was left belonged to nothing", ended: " by hand", merged: "" };

  function state() {
    const i = incident();
    const age = duration(end() - Date.parse(i.since));
    const who = i.owner ? `with ${i.owner}` : "unassigned";
    if (over()) return i.mergedInto ? html`part of <a class="acc" href=${href(`/incidents/${i.mergedInto}`)}>I-${i.mergedInto}</a> since ${when(i.closedAt)}` : `closed ${when(i.closedAt)}${ENDINGS[i.end]}, after ${age}`;
    return `open, ${age}, ${i.acknowledgedBy ? `acknowledged by ${i.acknowledgedBy}, ` : ""}${who}`;
  }

  function actions() {
    const i = incident();
    if (over()) return html`<button class="ctl" @click=${() => copy(location.href, "Link copied")}>Copy link</button>`;
    return html`${i.owner ? actButton("Give back", "", () => act("release")) : actButton("Take", "I", () => act("take"), { primary: true })}
      ${actButton(i.acknowledgedBy ? "Acknowledged" : "Acknowledge", "A", () => act(i.acknowledgedBy ? "unacknowledge" : "acknowledge"))}
      ${actButton("Silence\u2026", "M", () => silenceIncident(i, alerts()))}
      ${actButton("Merge or split\u2026", "E", correct)}
      <button class="ctl prio-3" @click=${() => copy(location.href, "Link copied")}>Copy link</button>`;
  }

  return {
    get title() {
      return incident() ? `${incidentNumber(incident())} ${incident().title}` : "Incident";
    },
    name: "incident",
    timed: false,
    update,
    leave: () => [whole, members, related, series, notified].forEach((l) => l.reset()),
    escape: () => back("/alerts"),
    get short() {
      return incidentNumber(number);
    },
    acts() {
      const i = incident();
      if (!i || over()) return nothing;
      return html`${i.owner ? actButton("Give back", "", () => act("release")) : actButton("Take", "", () => act("take"), { primary: true })}
        ${actButton(i.acknowledgedBy ? "Acknowledged" : "Acknowledge", "", () => act(i.acknowledgedBy ? "unacknowledge" : "acknowledge"))}${actButton("Silence\u2026", "", () => silenceIncident(i, alerts()))}`;
    },
    keys: () => ({
      I: [() => incident() && !over() && act("take"), "Take"],
      A: [() => incident() && !over() && act(incident().acknowledgedBy ? "unacknowledge" : "acknowledge"), "Acknowledge"],
      M: [() => incident() && !over() && silenceIncident(incident(), alerts()), "Silence it"],
      E: [() => incident() && !over() && correct(), "Merge, split or end"],
      N: [() => document.getElementById("note")?.focus(), "Comment"],
      O: [() => incident()?.cause && go(`/objects/${incident().cause.object.id}`), "Open the object of the cause"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      update();
      if (whole.error && !whole.data) return html`<div class="tb"><h1>No incident to show</h1></div><section class="pane">${failure(whole.error, () => whole.again())}</section>`;
      const i = incident();
      if (!i) return html`<div class="tb"><h1>${incidentNumber(number)}</h1></div><section class="pane">${loaded(whole, () => "", { rows: 8 })}</section>`;
      return html`<div class="tb"><a class="m nw" href=${href("/alerts")}>Alerts /</a><h1>${i.title}</h1>${chip(incidentNumber(i))}<span class="m">${state()}</span><span class="sp"></span><div class="row wrap acts wide-acts">${actions()}</div></div>
        <section class="pane band ${over() ? "" : i.severity}" aria-label="Likely cause"><div class="row top">${severityShape(over() ? null : i.severity, 16)}${members.data ? likely() : html`<p class="say">${i.title}.</p>`}</div>${members.data ? todo() : nothing}</section>
        <div class="cols"><div class="col"><section class="pane" aria-label="What happened"><div class="ph"><h2>What happened</h2></div>${members.data ? charts() : loaded(members, () => "", { rows: 6 })}</section>${table()}</div>
          <div class="col">${why()}${affected()}<section class="pane">${alerts().length ? notified.section(cause() ?? alerts()[0]) : nothing}</section>${timeline()}${earlier()}</div></div>`;
    },
  };
}
