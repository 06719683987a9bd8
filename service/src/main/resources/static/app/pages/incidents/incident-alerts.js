// The alerts of an incident, by type or by object, and the objects that they are of.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count, plural } from "../../core/format.js";
import { smallKind } from "../../core/incidents.js";
import { kindRank } from "../../core/metrics.js";
import { against, found, rank, titleOf, worse } from "../../core/severity.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { severityShape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { isClosed } from "../alerts/words.js";

const BOXES = 24;
const since = (a) => Date.parse(a.since);

const alertRow = (a, inner) =>
  html`<tr class="${inner ? "inner" : ""} ${isClosed(a) ? "quiet" : ""}">
    <td>${severityShape(isClosed(a) ? null : a.severity, 11)}</td>
    <td><a href=${href(`/alerts/${a.id}`)}>${titleOf(a)}</a></td>
    <td>
      <a href=${href(`/objects/${a.object.id}`)}><b>${a.object.name}</b></a>
    </td>
    <td class="r">${isClosed(a) ? html`<span class="m">closed</span>` : found(a, a.unit, a.key)}</td>
    <td class="m">${against(a, a.operator, a.unit, a.key)}</td>
    <td class="r nw">${moment(since(a))}</td>
  </tr>`;

function groupRows(state, [key, of]) {
  const { by, unfolded } = state;
  const open = of.filter((a) => state.over || !isClosed(a));
  const all = open.length ? open : of;
  const worst = all.toSorted((a, b) => rank(b.severity) - rank(a.severity) || (b.value ?? 0) - (a.value ?? 0))[0];
  if (of.length === 1) return alertRow(of[0], false);
  const shown = unfolded.has(key);
  const milder = all.filter((a) => a.severity !== worst.severity).length;
  const kinds = [...Map.groupBy(all, (a) => a.object.objectKind)].map(([k, some]) => {
    const n = new Set(some.map((a) => a.object.id)).size;
    return `${n} ${smallKind(k, n)}`;
  });
  const turn = () => (unfolded.delete(key) || unfolded.add(key), redraw());
  return html`<tr class="type">
      <td>${severityShape(open.length ? worst.severity : null, 11)}</td>
      <td>
        <button class="link fold" aria-expanded=${shown} @click=${turn}>
          ${by === "type" ? titleOf(worst) : worst.object.name}
        </button>
      </td>
      <td>
        ${by === "type" ? `${kinds.join(", ")}${milder ? `, ${milder} milder` : ""}` : `${plural(all.length, "alert")}`}
      </td>
      <td class="r">
        ${by === "type" ? html`<span class="m">${worst.object.name}</span> ` : nothing}<span class="nw"
          >${found(worst, worst.unit, worst.key)}</span
        >
      </td>
      <td class="m">${by === "type" ? against(worst, worst.operator, worst.unit, worst.key) : titleOf(worst)}</td>
      <td class="r nw">${moment(Math.min(...of.map(since)))}</td>
    </tr>
    ${shown
      ? repeat(
          of.toSorted((a, b) => Number(isClosed(a)) - Number(isClosed(b)) || rank(b.severity) - rank(a.severity)),
          (a) => a.id,
          (a) => alertRow(a, true),
        )
      : nothing}`;
}

export function alertsPane(state) {
  const { by } = state;
  const of = state.alerts;
  const groups = [...Map.groupBy(of, (a) => (by === "type" ? titleOf(a) : a.object.id))].sort(
    ([, a], [, b]) =>
      Math.max(...b.map((x) => (isClosed(x) ? 0 : rank(x.severity)))) -
        Math.max(...a.map((x) => (isClosed(x) ? 0 : rank(x.severity)))) || b.length - a.length,
  );
  const closed = of.filter(isClosed).length;
  return html`<section class="pane" aria-label="Alerts">
    <div class="ph">
      <h2>
        ${plural(of.length, "alert")} of
        ${by === "type" ? plural(groups.length, "type") : plural(groups.length, "object")}
      </h2>
      <span class="m">${closed && !state.over ? `${count(closed)} closed; ` : ""}worst first</span>
      <span class="sp"></span>
      ${segments(
        by,
        [
          ["type", "By type"],
          ["object", "By object"],
        ],
        (v) => {
          state.by = v;
          redraw();
        },
        "Alerts by",
      )}
    </div>
    ${loaded(
      state.members,
      () =>
        html`<div class="x-scroll" tabindex="0" role="region" aria-label="Alerts of the incident">
          <table class="types">
            <thead>
              <tr>
                <th class="w-state"><span class="vh">State</span></th>
                <th>Alert</th>
                <th>On</th>
                <th class="r">Worst</th>
                <th>Against</th>
                <th class="r">Since</th>
              </tr>
            </thead>
            <tbody>
              ${groups.map((group) => groupRows(state, group))}
            </tbody>
          </table>
        </div>`,
      { rows: 6 },
    )}
  </section>`;
}

export function affectedPane(state) {
  const objects = [
    ...Map.groupBy(
      state.alerts.filter((a) => state.over || !isClosed(a)),
      (a) => a.object.id,
    ).values(),
  ]
    .map((of) => ({ object: of[0].object, n: of.length, worst: of.reduce((w, a) => worse(a.severity, w), null) }))
    .sort((a, b) => rank(b.worst) - rank(a.worst) || b.n - a.n || a.object.name.localeCompare(b.object.name));
  const place = state.incident.cause?.object.id;
  const top = objects.find((o) => o.object.id === place);
  const rest = objects.filter((o) => o !== top);
  const came = new Map(state.moves().map((m) => [m.object.id, m.before]));
  const kinds = [...Map.groupBy(objects, (o) => o.object.objectKind)]
    .sort(([a], [b]) => kindRank(a) - kindRank(b))
    .map(([k, of]) => `${of.length} ${smallKind(k, of.length)}`);
  const box = (o, cls = "") =>
    html`<a class="box ${cls} ${came.has(o.object.id) ? "came" : ""}" href=${href(`/objects/${o.object.id}`)}
      >${severityShape(state.over ? null : o.worst, 11)}<span
        ><b>${o.object.name}</b
        ><span class="m s12"
          >${plural(o.n, "alert")}${came.get(o.object.id) ? `, from ${came.get(o.object.id)}` : ""}</span
        ></span
      ></a
    >`;
  return html`<section class="pane" aria-label="Affected">
    <div class="ph">
      <h2>Affected</h2>
      <span class="m">${kinds.join(", ")}</span>
    </div>
    <div class="affected">
      ${top ? box(top, `top ${state.over ? "" : top.worst}`) : nothing}
      <div class="boxes">
        ${rest.slice(0, BOXES).map((o) => box(o))}${rest.length > BOXES
          ? html`<span class="box rest m">${count(rest.length - BOXES)} more</span>`
          : nothing}
      </div>
    </div>
  </section>`;
}
