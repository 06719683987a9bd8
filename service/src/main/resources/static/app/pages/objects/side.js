// The left side of the object page: properties and tags, parents and children.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { bytes, count, plural } from "../../core/format.js";
import { kindWord, propertyName } from "../../core/metrics.js";
import { rank } from "../../core/severity.js";
import { clock, date, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { severityShape, stateShape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";

const BRIEF = 9;
let whole = false;

const toggle = () => {
  whole = !whole;
  redraw();
};

/** Sizes in KB are shown as people say them. */
const shown = (key, value) => (/KB$/.test(key) && Number(value) > 0 ? bytes(Number(value) * 1024) : value);

/** The newest change of a property within the range, so that it is marked where it stands. */
const changed = (changes, key) => changes.data?.items.find((c) => c.kind === "property" && c.key === key);

export function propertiesPane(object, metrics, changes) {
  const all = Object.entries(object.data?.properties ?? {}).sort(
    ([a], [b]) => Number(Boolean(changed(changes, b))) - Number(Boolean(changed(changes, a))) || a.localeCompare(b),
  );
  return pane({
    title: "Properties",
    end:
      all.length > BRIEF
        ? html`<button class="link" @click=${toggle}>${whole ? "Fewer" : `All ${all.length}`}</button>`
        : nothing,
    body: loaded(
      object,
      (o) =>
        html`<dl class="props">
          ${repeat(
            whole ? all : all.slice(0, BRIEF),
            ([key]) => key,
            ([key, value]) => {
              const change = changed(changes, key);
              return html`<dt title=${key}>${propertyName(key)}</dt>
                <dd title=${value}>
                  ${change
                    ? html`<b>${shown(key, value)}</b>
                        <span class="m"
                          >was ${change.before ?? "not set"} until ${clock(Date.parse(change.time))}</span
                        >`
                    : shown(key, value)}
                </dd>`;
            },
          )}
          ${Object.keys(o.tags).length
            ? html`<dt>Tags</dt>
                <dd class="chips">
                  ${Object.entries(o.tags).map(
                    ([k, v]) =>
                      html`<a href=${href("/explorer", { q: `tag:${k}=${v}` })}
                        >${chip(v ? `${k} ${v}` : k, `All with tag ${k}=${v}`)}</a
                      >`,
                  )}
                </dd>`
            : nothing}
          <dt>Id at source</dt>
          <dd title=${o.externalId}>${o.externalId}</dd>
          <dt>First seen</dt>
          <dd>${date(Date.parse(o.firstSeen))} ${clock(Date.parse(o.firstSeen))}</dd>
          <dt>Last sample</dt>
          <dd>${moment(Date.parse(o.lastSeen), true)}</dd>
          <dt>Reports</dt>
          <dd>${metrics.data ? plural(metrics.data.items.length, "metric") : "-"}</dd>
        </dl>`,
      { rows: 8 },
    ),
  });
}

const SHOWN = 6;

function group(id, kind, items, total, near) {
  const first = items.toSorted(
    (a, b) =>
      rank(near.of(b.id)?.severity) - rank(near.of(a.id)?.severity) ||
      Number(b.state === "silent") - Number(a.state === "silent") ||
      a.name.localeCompare(b.name),
  );
  return html`${first.slice(0, SHOWN).map((o) => related(o, near))}
  ${total > SHOWN
    ? html`<a class="list-row" href=${href("/explorer", { q: `kind:${kind} parent:${id}` })}
        ><span class="acc">All ${count(total)} ${kindWord(kind, 2).toLowerCase().replace("vms", "VMs")}</span></a
      >`
    : nothing}`;
}

/** Its worst finding, on it or below, as a shape; without any, whether it reports. */
function stateOf(o, near) {
  const health = near.of(o.id);
  return health?.severity
    ? severityShape(health.severity, 11, `${health.severity}, ${plural(health.count, "open alert")}`)
    : stateShape(o.state, 11);
}

// A run of a benchmark is over: that it sends nothing more says nothing.
const related = (o, near) =>
  html`<a class="list-row" href=${href(`/objects/${o.id}`)}
    >${stateOf(o, near)}<b class="cut">${o.name}</b
    ><span class="m"
      >${kindWord(o.objectKind)}${o.state === "silent" && o.objectKind !== "BenchmarkRun"
        ? `, silent since ${moment(Date.parse(o.lastSeen))}`
        : ""}</span
    ></a
  >`;

export function relationsPane(id, parents, children, near, peers) {
  const byKind = Object.groupBy(children.data?.items ?? [], (o) => o.objectKind);
  const more = children.data && children.data.total > children.data.items.length;
  return pane({
    title: "Relations",
    body: html`<div class="rel">
      ${loaded(
        parents,
        ({ items }) =>
          items.length
            ? html`<h3>Belongs to</h3>
                ${items.map((o) => related(o, near))}`
            : nothing,
        { rows: 2 },
      )}
      ${peers.rows()}
      ${loaded(
        children,
        () =>
          Object.entries(byKind).map(
            ([kind, items]) =>
              html`<h3>${count(items.length)}${more ? "+" : ""} ${kindWord(kind, items.length)} below</h3>
                ${group(id, kind, items, items.length, near)}`,
          ),
        { rows: 2 },
      )}
      ${parents.data && children.data && !parents.data.items.length && !children.data.items.length
        ? html`<p class="list-row m">Related to nothing.</p>`
        : nothing}
    </div>`,
  });
}
