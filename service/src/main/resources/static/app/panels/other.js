// Panels that show what other pages have: outliers, talkers, impact and capacity, each as its operation answers.
import { html, nothing } from "../core/html.js";
import { changeText } from "../core/changes.js";
import { number, scale, withUnit } from "../core/format.js";
import { metricName } from "../core/metrics.js";
import { duration, moment } from "../core/time.js";
import { href } from "../core/url.js";
import { severityShape } from "../parts/shapes.js";
import { bar, spark } from "../parts/small.js";

const items = (answer) => (Array.isArray(answer.other) ? answer.other : (answer.other?.items ?? []));
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
  const events = items(answer);
  if (!events.length) return none("All members are alike.");
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
  const list = items(answer);
  const { unit } = answer.other ?? {};
  if (!list.length) return none("No flows in this range.");
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

/** What changes did, the newest first; each leads to its comparison. */
export function impact({ answer, context }) {
  const list = items(answer);
  if (!list.length) return none("Nothing changed in this range.");
  return html`<ul class="panel-scroll panel-list">
    ${list.map(({ change, comparison }, i) =>
      line(
        context,
        i,
        { object: change.object?.id, time: change.time },
        href("/compare", { change: change.id }),
        html`<span class="m s12 nw">${moment(Date.parse(change.time))}</span
          ><span class="main"
            ><b>${change.object?.name ?? ""}</b> ${changeText(change)}${comparison
              ? html` <span class="i2">${comparison.verdict}</span>`
              : nothing}</span
          >`,
      ),
    )}
  </ul>`;
}

/** What fills up, and when it is full. */
export function capacity({ answer, context }) {
  const list = items(answer);
  if (!list.length) return none("Nothing is known to fill up.");
  return html`<ul class="panel-scroll panel-list">
    ${list.map((f, i) => {
      const units = scale(f.unit, f.limit);
      const of = (v) => number(v * units.factor, 3);
      const full = f.days >= 366 ? "over a year" : f.days < 1 ? "full" : `${Math.round(f.days)} days`;
      return line(
        context,
        i,
        { object: f.object?.id },
        f.object ? href(`/objects/${f.object.id}`) : null,
        html`${f.days < 14 ? severityShape("warning", 11) : severityShape(null, 11)}<span class="main"
            ><b>${f.object?.name ?? metricName(f.key)}</b>
            <span class="i2">${f.object ? metricName(f.key) : ""}</span></span
          ><span class="m s12 nw">${of(f.level)} of ${of(f.limit)} ${units.unit}</span
          ><b class="nw ${f.days < 14 ? "st-warning" : ""}">${full}</b>`,
      );
    })}
  </ul>`;
}
