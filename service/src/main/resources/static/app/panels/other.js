// Panels that show what Peerlens finds out by itself: outliers, talkers, impact and capacity.
import { html, nothing } from "../core/html.js";
import { changeText } from "../core/changes.js";
import { number, scale, withUnit } from "../core/format.js";
import { metricName } from "../core/metrics.js";
import { duration, moment } from "../core/time.js";
import { href } from "../core/url.js";
import { severityShape } from "../parts/shapes.js";
import { bar, spark } from "../parts/small.js";
import "../chart/series-chart.js";

const none = (words) => html`<p class="empty">${words}</p>`;

/** A line that drives: what a click sets, where it leads else. */
function line(context, i, what, address, body) {
  const chosen = context.isChosen(what);
  return html`<li
    class="${context.drives ? "drives" : ""} ${context.drives && chosen ? "sel" : ""}"
    data-row=${i}
    data-object=${what.object ?? nothing}
    tabindex=${context.drives && !context.edit ? context.tab(i, chosen) : nothing}
    @click=${() => context.drives && context.set(what)}
  >
    ${context.drives || context.edit || !address
      ? html`<span class="list-line">${body}</span>`
      : html`<a class="list-line" href=${address}>${body}</a>`}
  </li>`;
}

/** Events of groups whose members are unlike their peers, open ones first. */
export function outliers({ answer, context }) {
  const { events, groups } = answer.outliers ?? { events: [], groups: [] };
  if (!events.length)
    return none(groups.length === 1 ? `All members of ${groups[0].group.name} are alike.` : "All members are alike.");
  return html`<ul class="panel-scroll panel-list">
    ${events.map((e, i) =>
      line(
        context,
        i,
        { object: e.object?.id },
        href(`/outliers/events/${e.id}`),
        html`${severityShape(e.closedAt ? null : e.severity, 12)}<span class="main"
            ><b>${e.object?.name ?? "The whole group"}</b> <span class="i2">${e.group?.name ?? ""}</span></span
          ><span class="m s12 nw"
            >${e.metrics?.length ? metricName(e.metrics[0].key ?? e.metrics[0].metric ?? "") : ""}</span
          ><b class="nw">${e.score === null || e.score === undefined ? "" : number(e.score, 2)}</b
          ><span class="m s12 nw">${duration(Date.now() - Date.parse(e.since))}</span>`,
      ),
    )}
  </ul>`;
}

/** Who talks most: name, share, value and line. */
export function talkers({ answer, context }) {
  const { items: list = [], unit = null, hint } = answer.talkers ?? {};
  if (!list.length) return none(hint ?? "No flows in this range.");
  const most = Math.max(...list.map((t) => t.value), 1e-12);
  return html`<ul class="panel-scroll panel-list">
    ${list.map((t, i) =>
      line(
        context,
        i,
        { object: t.talker.object?.id },
        t.talker.object ? href(`/objects/${t.talker.object.id}`) : null,
        html`<span class="main cut" title=${t.talker.name}>${t.talker.name}</span
          ><span class="share-bar">${bar(t.value / most)}</span>${t.sparkline
            ? spark(t.sparkline, { width: 64, height: 18 })
            : nothing}<b class="nw r">${withUnit(t.value, unit)}</b>`,
      ),
    )}
  </ul>`;
}

/** So many changes are flags, whoever made them; of more only those that somebody recorded. */
const FLAGS = 12;
const specs = new WeakMap();

/** The performance index as a chart, with the changes as flags; the same as long as its answer is. */
function indexSpec(answer) {
  const { index, changes } = answer.impact;
  if (!specs.has(answer))
    specs.set(answer, {
      title: "Performance index",
      unit: null,
      from: answer.from,
      to: answer.to,
      times: index.times,
      stepMillis: index.stepMillis,
      series: [{ name: "index", values: index.values, style: "main" }],
      flags: changes
        .filter(({ change }) => change.recorded || changes.length <= FLAGS)
        .map(({ change }) => ({ at: Date.parse(change.time), text: `${change.object.name} ${changeText(change)}` })),
      labels: null,
      note: `50 as from ${moment(index.baseFrom)} on, 100 twice as good`,
    });
  return specs.get(answer);
}

/** How it went, then what changes did, the newest first; each leads to its comparison. */
export function impact({ answer, context }) {
  const list = answer.impact?.changes ?? [];
  const index = answer.impact?.index;
  if (!list.length && !index) return none("Nothing changed in this range.");
  return html`<div class="panel-impact ${index ? "with-index" : ""}">
    ${index
      ? html`<div class="panel-charts ${context.asTable ? "tables" : ""}">
          <series-chart .spec=${indexSpec(answer)} .table=${Boolean(context.asTable)}></series-chart>
        </div>`
      : nothing}
    ${list.length
      ? html`<ul class="panel-scroll panel-list">
          ${list.map(({ change, comparison, reason }, i) =>
            line(
              context,
              i,
              { object: change.object?.id, time: change.time },
              href("/compare", { change: change.id }),
              html`<span class="m s12 nw">${moment(Date.parse(change.time))}</span
                ><span class="main" title=${reason ?? nothing}
                  ><b>${change.object?.name ?? ""}</b> ${changeText(change)}${comparison
                    ? html` <span class="i2">${comparison.verdict}</span>`
                    : nothing}</span
                >`,
            ),
          )}
        </ul>`
      : none("Nothing changed in this range.")}
  </div>`;
}

/** What fills up, and when it is full. */
export function capacity({ answer, context }) {
  const list = answer.capacity ?? [];
  if (!list.length) return none("Nothing is known to fill up.");
  return html`<ul class="panel-scroll panel-list">
    ${list.map(({ object, forecast: f }, i) => {
      const units = scale(f.unit, f.limit);
      const of = (v) => number(v * units.factor, 3);
      const full = f.days >= 366 ? "over a year" : f.days < 1 ? "full" : `${Math.round(f.days)} days`;
      return line(
        context,
        i,
        { object: object.id },
        href(`/objects/${object.id}`),
        html`${f.days < 14 ? severityShape("warning", 11) : severityShape(null, 11)}<span class="main"
            ><b>${object.name}</b> <span class="i2">${metricName(f.key)}</span></span
          ><span class="m s12 nw">${of(f.level)} of ${of(f.limit)} ${units.unit}</span
          ><b class="nw ${f.days < 14 ? "st-warning" : ""}">${full}</b>`,
      );
    })}
  </ul>`;
}

/** Findings as lines of a file. */
export const outlierLines = (answer) =>
  answer.outliers && [
    ["Object", "Group", "Metric", "Score", "Severity", "Since", "Until"],
    ...answer.outliers.events.map((e) => [
      e.object?.name ?? "",
      e.group.name,
      e.metrics[0]?.key ?? "",
      e.score ?? "",
      e.severity,
      e.since,
      e.closedAt ?? "",
    ]),
  ];
export const talkerLines = (answer) =>
  answer.talkers && [
    ["Rank", "Talker", ["Value", answer.talkers.unit].filter(Boolean).join(" "), "Share"],
    ...answer.talkers.items.map((t) => [t.rank, t.talker.name, t.value, t.share]),
  ];
export const impactLines = (answer) =>
  answer.impact && [
    ["Time", "Object", "Change", "Verdict"],
    ...answer.impact.changes.map(({ change, comparison, reason }) => [
      change.time,
      change.object.name,
      changeText(change),
      comparison?.verdict ?? reason ?? "",
    ]),
  ];
export const capacityLines = (answer) =>
  answer.capacity && [
    ["Object", "Metric", "Level", "Limit", "Unit", "Days", "Earliest", "Latest"],
    ...answer.capacity.map(({ object, forecast: f }) => [
      object.name,
      f.key,
      f.level,
      f.limit,
      f.unit ?? "",
      f.days,
      f.earliest,
      f.latest,
    ]),
  ];
