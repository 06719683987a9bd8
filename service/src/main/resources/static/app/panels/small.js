// Panels that are lists: properties, alerts, relations, sparklines, changes, and text.
import { html, nothing } from "../core/html.js";
import { count } from "../core/format.js";
import { kindWord, propertyName } from "../core/metrics.js";
import { duration, moment } from "../core/time.js";
import { href } from "../core/url.js";
import { severityShape, shape } from "../parts/shapes.js";
import { spark } from "../parts/small.js";
import { box } from "./panel-box.js";
import { lineOf, rowName } from "./table.js";
import { markdown } from "./markdown.js";
import { cellText, titleOf } from "./words.js";

export const text = ({ answer, panel }) =>
  html`<div class="panel-scroll pad">${markdown(answer?.markdown ?? panel.markdown ?? "")}</div>`;

export function properties({ answer }) {
  const list = answer.properties ?? [];
  return html`<div class="panel-scroll">
    <dl class="props panel-props">
      ${list.map(
        (p) =>
          html`<dt title=${p.key}>${propertyName(p.key)}</dt>
            <dd title=${p.value ?? ""}>
              ${p.value ?? "-"}${p.changedAt ? html` <span class="m s12">since ${moment(p.changedAt)}</span>` : nothing}
            </dd>`,
      )}
    </dl>
  </div>`;
}

export function alerts({ answer, context }) {
  const list = answer.alerts ?? [];
  if (!list.length) return html`<p class="empty">Nothing open.</p>`;
  return html`<ul class="panel-scroll panel-list">
    ${list.map((a, i) => {
      const what = { object: a.object?.id };
      const body = html`${severityShape(a.severity, 12)}<span class="main"
          ><b>${a.name}</b> <span class="i2">${a.object?.name ?? ""}</span></span
        ><span class="m s12 nw">${a.owner ? `${a.owner}, ` : ""}${duration(Date.now() - a.openedAt)}</span>`;
      return html`<li
        class=${context.drives && context.isChosen(what) ? "sel" : ""}
        data-row=${i}
        data-object=${a.object?.id ?? nothing}
        tabindex=${context.drives && !context.edit ? context.tab(i, context.isChosen(what)) : nothing}
        @click=${() => context.drives && context.set(what)}
      >
        ${context.edit || context.drives
          ? html`<span class="list-line" title=${`A-${a.number}`}>${body}</span>`
          : html`<a class="list-line" href=${href(`/alerts/${a.id}`)} title=${`A-${a.number}`}>${body}</a>`}
      </li>`;
    })}
  </ul>`;
}

/** Objects above and below, indented by how far away they are. */
export function relations({ answer, context }) {
  const nodes = answer.tree ?? [];
  const least = Math.min(0, ...nodes.map((n) => n.level));
  return html`<ul class="panel-scroll panel-list">
    ${nodes.map((n, i) => {
      const what = { object: n.object.id };
      const chosen = context.isChosen(what);
      const hot = n.state && n.state !== "normal";
      const mark = hot ? severityShape(n.state, 11) : shape("alike", 11);
      const name =
        context.drives || context.edit
          ? html`<span data-name>${n.object.name}</span>`
          : html`<a href=${href(`/objects/${n.object.id}`)}>${n.object.name}</a>`;
      return html`<li
        class="list-line ${n.level === 0 ? "strong" : ""} ${context.drives ? "drives" : ""} ${chosen ? "sel" : ""}"
        .style=${`padding-left:${12 + (n.level - least) * 16}px`}
        data-row=${i}
        data-object=${n.object.id}
        tabindex=${context.edit ? nothing : context.tab(i, chosen)}
        @click=${(e) => context.drives && !e.target.closest("a") && context.set(what)}
      >
        ${mark}<span class="main">${name}</span
        ><span class="m s12 nw"
          >${kindWord(n.object.objectKind)}${n.more ? `, ${count(n.more)} more beside it` : ""}</span
        >
      </li>`;
    })}
  </ul>`;
}

/** A line each, with its newest value. */
export function sparklines({ answer, context }) {
  const rows = answer.rows ?? [];
  const columns = (answer.columns ?? []).map((column, index) => ({ ...column, index }));
  const drawn = columns.filter((c) => rows.some((r) => lineOf(r, c.index)));
  return box(
    [answer, context.version],
    (width) => {
      const wide = Math.max(60, Math.min(420, width - 24 - 130 - 84));
      return html`<ul class="panel-list">
        ${rows.flatMap((row, r) =>
          drawn.map((c) => {
            const what = { object: row.object?.id, instance: row.instance, metric: c.key };
            const chosen = context.isChosen(what);
            const state = row.states?.[c.index];
            const hot = state && state !== "normal";
            const title = drawn.length > 1 ? `${rowName(row)}, ${titleOf(c)}` : rowName(row);
            return html`<li
              class="list-line spark-line ${context.drives ? "drives" : ""} ${chosen ? "sel" : ""}"
              data-row=${r}
              data-object=${row.object?.id ?? nothing}
              tabindex=${context.edit ? nothing : context.tab(r, chosen)}
              @click=${() => context.drives && context.set(what)}
            >
              <span class="bar-name cut" title=${title}>${title}</span>${spark(lineOf(row, c.index) ?? [], {
                width: wide,
                height: 22,
                colour: hot ? "--deviant-1" : "--accent",
              })}<span class="sp"></span>${hot ? severityShape(state, 10, state) : nothing}<b
                class="r nw ${hot ? `st-${state}` : ""}"
                >${cellText(c, row.cells[c.index])}${c.unit ? html` <span class="m s12">${c.unit}</span>` : nothing}</b
              >
            </li>`;
          }),
        )}
      </ul>`;
    },
    "scrolls",
  );
}

export function changes({ answer, context }) {
  const list = (answer.changes ?? []).toReversed();
  if (!list.length) return html`<p class="empty">Nothing changed in this range.</p>`;
  return html`<ul class="panel-scroll panel-list">
    ${list.map((c, i) => {
      const what = { object: c.object.id, time: new Date(c.at).toISOString() };
      return html`<li
        class="list-line ${context.drives ? "drives" : ""} ${context.isChosen(what) ? "sel" : ""}"
        data-row=${i}
        data-object=${c.object?.id ?? nothing}
        tabindex=${context.edit ? nothing : context.tab(i, context.isChosen(what))}
        @click=${(e) => context.drives && !e.target.closest("a") && context.set(what)}
      >
        <span class="m s12 nw">${moment(c.at)}</span
        ><span class="main"
          >${context.edit || context.drives || !c.object
            ? html`<b>${c.object?.name ?? ""}</b>`
            : html`<a class="strong" href=${href(`/objects/${c.object.id}`)}>${c.object.name}</a>`}
          ${c.text}</span
        >
      </li>`;
    })}
  </ul>`;
}
