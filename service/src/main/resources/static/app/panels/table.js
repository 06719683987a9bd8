// A table of objects: a row each, columns of figures and texts, groups with a head, totals at the foot.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { count } from "../core/format.js";
import { kindWord } from "../core/metrics.js";
import { narrow } from "../core/screen.js";
import { href } from "../core/url.js";
import { icon, severityShape } from "../parts/shapes.js";
import { spark } from "../parts/small.js";
import { cellText, figures, instanceWords, titleOf, windowWords } from "./words.js";

const FIRST = 120;
const MORE = 200;
const OWN = 3;
/** What a name needs at least. */
const NAME = 188;

const isNumber = (column) => column.type === "number";
/** Whether a column holds the names of the objects. */
const isObject = (column) => column.isName;

/** The columns in sight: all of them, or the first three. */
function shownColumns(answer, all) {
  const rows = answer.rows ?? [];
  const at = (answer.columns ?? []).findIndex(
    (c, i) => c.type === "text" && rows.length > 0 && rows.every((r) => r.cells[i] === r.object?.name),
  );
  const columns = (answer.columns ?? []).map((column, index) => ({ ...column, index, isName: index === at }));
  return all ? columns : columns.slice(0, OWN);
}

/** Whether the answer has no column of its objects' names, so that one stands before the others. */
const needsName = (columns, answer) => !columns.some(isObject) && (answer.rows ?? []).some((r) => r.object);

/** Whether a row has a line in a column. */
export const lineOf = (row, index) => row.sparklines?.[index]?.values ?? null;

export const rowName = (row) => [row.object?.name ?? "", instanceWords(row.instance)].filter(Boolean).join(", ");

/** How wide a line is beside its figure, and on small windows. */
const LINE = 96;
const SMALL_LINE = 56;
/** What a cell with a line has besides line and figure: a gap, the shape of a state, its edges. */
const BESIDE = 6 + 16 + 24;
const LETTER = 7.2;

/** As wide as its head and its figures need, within reason; on small windows as its figures need. */
export function width(column, small = false) {
  if (!isNumber(column) && column.type !== "time") return null;
  const figure = Math.ceil((column.longest ?? 6) * LETTER);
  const line = (small ? SMALL_LINE : LINE) + BESIDE + figure;
  const own = column.lines ? line : column.type === "time" ? 120 : 84;
  if (small) return column.lines ? own : Math.min(own, 104);
  const head = Math.ceil((titleOf(column).length + (column.unit ? 4 : 0)) * 6.4) + 26;
  return Math.max(own, Math.min(176, head));
}

/** How many columns are not in sight, since only the first ones fit; a panel that fills the page has them all. */
export const columnsLeftOut = (answer, context) =>
  narrow() && !context.whole && (answer.type === "table" || context.asTable)
    ? Math.max(0, (answer.columns?.length ?? 0) - OWN)
    : 0;

function head(of, column) {
  const { context } = of;
  const sorted = context.sort?.find((s) => s.column === column.name);
  const unit = of.units.get(column.name)?.unit;
  const name = titleOf(column);
  const window = column.window && column.window !== "now" ? `, ${windowWords(column.window)}` : "";
  const words = html`<span class="cut">${name}${unit && !name.includes(unit) ? `, ${unit}` : ""}</span>${sorted
      ? html`<span aria-hidden="true">${sorted.order === "desc" ? "\u2193" : "\u2191"}</span>`
      : nothing}`;
  const title = `${name}${window}${column.percentileFrom === "means" ? ", of means" : ""}`;
  return html`<th
    class=${isNumber(column) ? "r" : ""}
    aria-sort=${sorted ? (sorted.order === "desc" ? "descending" : "ascending") : nothing}
  >
    ${context.sortBy
      ? html`<button title=${title} @click=${() => context.sortBy(column)}>${words}</button>`
      : html`<span class="row" title=${title}>${words}</span>`}
  </th>`;
}

function cell(of, row, column) {
  const value = row.cells[column.index];
  const state = row.states?.[column.index];
  const hot = state && state !== "normal";
  if (isObject(column))
    return html`<td class="p-name">${name(of, row, row.instance ? rowName(row) : (value ?? rowName(row)))}</td>`;
  const before = row.compared?.[column.index];
  const text = cellText(column, value, of.units.get(column.name));
  const figure = html`${hot ? severityShape(state, 10, state) : nothing}<span class=${hot ? `st-${state}` : ""}
      >${text}</span
    >`;
  if (column.lines)
    return html`<td class="r">
      <span class="spark-cell" title=${`${titleOf(column)}: ${text}`}
        >${spark(lineOf(row, column.index) ?? [], { width: of.small ? SMALL_LINE : LINE, height: 18 })}<span
          class="figure"
          >${figure}</span
        ></span
      >
    </td>`;
  return html`<td class=${isNumber(column) ? "r" : ""} title=${isNumber(column) ? nothing : text}>
    <span class="figure"
      >${figure}${before !== null && before !== undefined && isNumber(column)
        ? html`<span class="m s12" title="before">${cellText(column, before, of.units.get(column.name))}</span>`
        : nothing}</span
    >
  </td>`;
}

/** A name leads to its object, unless a click on the row sets something. */
function name(of, row, words) {
  const { context } = of;
  if (!row.object || context.edit) return html`<span data-name>${words}</span>`;
  const at = href(`/objects/${row.object.id}`);
  if (!context.drives) return html`<a class="strong" href=${at}>${words}</a>`;
  return html`<span class="row-name"
    ><span data-name>${words}</span
    ><a
      class="icon go"
      href=${at}
      title=${`Open ${row.object.name}`}
      aria-label=${`Open ${row.object.name}`}
      tabindex="-1"
      >${icon("right", 12)}</a
    ></span
  >`;
}

function line(of, row, index) {
  const { context, own } = of;
  const chosen = context.isChosen(what(row));
  return html`<tr
    class="${context.drives ? "drives" : ""} ${chosen ? "sel" : ""}"
    data-row=${index}
    data-object=${row.object?.id ?? nothing}
    tabindex=${context.edit ? nothing : context.tab(index, chosen)}
    aria-selected=${context.drives ? chosen : nothing}
    @click=${(e) => context.drives && !e.target.closest("a, button") && context.set(what(row))}
  >
    ${own ? html`<td class="p-name">${name(of, row, rowName(row))}</td>` : nothing}${of.columns.map((c) =>
      cell(of, row, c),
    )}
  </tr>`;
}

const what = (row) => ({ object: row.object?.id, instance: row.instance });

const grew = new Map();

export function table({ answer, context }) {
  const rows = answer.rows ?? [];
  const small = narrow() && !context.whole;
  const shown = shownColumns(answer, !small);
  const own = needsName(shown, answer);
  const units = new Map(
    shown.filter(isNumber).map((c) => [
      c.name,
      figures(
        c,
        rows.map((r) => r.cells[c.index]),
      ),
    ]),
  );
  const columns = shown.map((c) => {
    const texts = isNumber(c) ? rows.slice(0, FIRST).map((r) => cellText(c, r.cells[c.index], units.get(c.name))) : [];
    return {
      ...c,
      lines: rows.some((r) => lineOf(r, c.index)),
      longest: Math.max(1, ...texts.map((text) => text.length)),
    };
  });
  const of = { context, columns, units, own, small };
  const most = grew.get(context.name) ?? FIRST;
  const grow = (event) => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget;
    if (scrollTop + 2 * clientHeight < scrollHeight || most >= rows.length) return;
    grew.set(context.name, most + MORE);
    redraw();
  };
  const kind = rows.find((r) => r.object)?.object.objectKind;
  const least = small ? 0 : columns.reduce((sum, c) => sum + (width(c) ?? (c.isName ? NAME : 96)), own ? NAME : 0);
  const span = columns.length + (own ? 1 : 0);
  // Columns without a width share what is left; that of the names has its part first.
  const named = least ? `width:${((NAME / least) * 100).toFixed(1)}%` : "";
  const groups = answer.groups?.length ? answer.groups : null;
  let left = most;
  const body = groups
    ? groups.map((g) => {
        const some = g.rows.slice(0, Math.max(0, left));
        left -= g.rows.length;
        return some.length
          ? html`<tr class="group">
                <td colspan=${span}><b>${g.name || "None"}</b> <span class="m s12">${count(g.rows.length)}</span></td>
              </tr>
              ${some.map((i) => line(of, rows[i], i))}`
          : nothing;
      })
    : rows.slice(0, most).map((row, i) => line(of, row, i));
  return html`<div class="panel-scroll" @scroll=${grow}>
    <table class="panel-table" .style=${`min-width:${least}px`}>
      <colgroup>
        ${own ? html`<col .style=${named} />` : nothing}${columns.map(
          (c) => html`<col .style=${width(c, small) ? `width:${width(c, small)}px` : c.isName ? named : ""} />`,
        )}
      </colgroup>
      <thead>
        <tr>
          ${own ? html`<th>${kind ? kindWord(kind) : "Object"}</th>` : nothing}${columns.map((c) => head(of, c))}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
      ${answer.totals?.some((t) => t !== null)
        ? html`<tfoot>
            <tr>
              ${own ? html`<td>All</td>` : nothing}${columns.map(
                (c, i) =>
                  html`<td class=${isNumber(c) ? "r" : ""}>
                    ${answer.totals[c.index] === null || answer.totals[c.index] === undefined
                      ? i === 0 && !own
                        ? "All"
                        : ""
                      : cellText(c, answer.totals[c.index], units.get(c.name))}
                  </td>`,
              )}
            </tr>
          </tfoot>`
        : nothing}
    </table>
  </div>`;
}

/** The rows as lines of a file, the first of them names of columns. */
export function tableLines(answer) {
  const columns = shownColumns(answer, true);
  const own = needsName(columns, answer);
  const text = (c, v) =>
    v === null || v === undefined ? "" : c.type === "time" ? new Date(Number(v)).toISOString() : v;
  return [
    [...(own ? ["Object", "Kind"] : []), ...columns.map((c) => `${titleOf(c)}${c.unit ? ` (${c.unit})` : ""}`)],
    ...(answer.rows ?? []).map((r) => [
      ...(own ? [rowName(r), r.object?.objectKind ?? ""] : []),
      ...columns.map((c) =>
        isObject(c) ? (!r.instance && r.cells[c.index]) || rowName(r) : text(c, r.cells[c.index]),
      ),
    ]),
  ];
}
