// The largest: a bar each with a rule where it usually is, and how many are left out.
import { html, nothing, svg } from "../core/html.js";
import { count } from "../core/format.js";
import { severityShape, shape } from "../parts/shapes.js";
import { box } from "./panel-box.js";
import { rowName } from "./table.js";
import { figures, instanceWords, withUnitOf } from "./words.js";

const ROW = 25;
const LETTER = 7.2;
/** A name has room for so much at least, and at most for this share of the panel. */
const NAME = 110;
const MOST_NAME = 0.45;
const TOKENS = { warning: "--warning-mark", immediate: "--immediate-mark", critical: "--critical" };

/** The column that the bars show: the first with figures. */
const barColumn = (answer) => (answer.columns ?? []).findIndex((c) => c.type === "number");

/** What is usual for a row in a column: the middle of it, null where nothing is known. */
function usualOf(row, index) {
  const place = row.places?.[index];
  return place && place.lower !== null && place.upper !== null ? (place.lower + place.upper) / 2 : null;
}

export function top({ answer, context }) {
  const rows = answer.rows ?? [];
  const index = barColumn(answer);
  const column = answer.columns?.[index];
  if (!column) return nothing;
  const values = rows.map((r) => r.cells[index]);
  const of = figures(column, values);
  const most = Math.max(...values.map((v) => Math.abs(v ?? 0)), ...rows.map((r) => usualOf(r, index) ?? 0), 1e-12);
  // The instances of one object need not say each time whose they are.
  const one = rows.length > 1 && new Set(rows.map((r) => r.object?.id)).size === 1;
  const called = (row) => (one && instanceWords(row.instance)) || rowName(row);
  const longest = Math.max(0, ...rows.map((r) => called(r).length)) * LETTER;
  const texts = (answer.columns ?? [])
    .map((c, i) => ({ c, i }))
    .filter(({ c, i }) => c.type === "text" && rows.some((r) => r.cells[i] !== r.object?.name));
  const bar = (row, width) => {
    const value = row.cells[index];
    const state = row.states?.[index];
    const usual = usualOf(row, index);
    const x = (v) => (Math.abs(v) / most) * width;
    return html`<svg width=${width} height="10" aria-hidden="true">
      ${value === null || value === undefined
        ? nothing
        : svg`<rect width=${Math.max(1, x(value))} height="10" rx="2" fill=${`var(${TOKENS[state] ?? "--seq-3"})`} />`}
      ${usual === null
        ? nothing
        : svg`<line x1=${x(usual)} x2=${x(usual)} y1="0" y2="10" stroke="var(--surface)" stroke-width="5" />
            <line x1=${x(usual)} x2=${x(usual)} y1="0" y2="10" stroke="var(--ink)" stroke-width="2" />`}
    </svg>`;
  };
  const line = (row, i, width) => {
    const state = row.states?.[index];
    const hot = state && state !== "normal";
    const what = { object: row.object?.id, instance: row.instance, metric: column.key };
    const chosen = context.isChosen(what);
    const usual = usualOf(row, index);
    const wide = width > 400;
    const more = wide ? texts[0] : null;
    const names = Math.max(NAME, Math.min(longest, width * MOST_NAME));
    const bars = Math.max(40, width - 24 - 12 - (wide ? 190 : 80) - names - (more ? 96 : 0));
    return html`<li
      class="bar-row ${wide ? "wide" : ""} ${more ? "more" : ""} ${context.drives ? "drives" : ""} ${chosen
        ? "sel"
        : ""}"
      data-row=${i}
      data-object=${row.object?.id ?? nothing}
      tabindex=${context.edit ? nothing : context.tab(i, chosen)}
      @click=${() => context.drives && context.set(what)}
    >
      ${hot ? severityShape(state, 11, state) : shape("alike", 11)}<span class="bar-name cut" title=${rowName(row)}
        >${called(row)}</span
      >${more
        ? html`<span class="m s12 cut" title=${row.cells[more.i] ?? ""}>${row.cells[more.i] ?? ""}</span>`
        : nothing}
      ${bar(row, bars)}<span class="r nw"
        ><b class=${hot ? `st-${state}` : ""}>${of.text(row.cells[index])}${of.unit ? ` ${of.unit}` : ""}</b>${wide &&
        usual !== null
          ? html` <span class="m s12">usual ${of.text(usual)}</span>`
          : nothing}</span
      >
    </li>`;
  };
  return box(
    [answer, context.version],
    (width) =>
      html`<ul class="bars" .style=${`--row:${ROW}px`}>
        ${rows.map((row, i) => line(row, i, width))}
      </ul>`,
    "scrolls",
  );
}

/** How many are left out, and from where on; empty when none is. */
export function leftOut(answer) {
  const rows = answer.rows ?? [];
  const left = (answer.objects?.matched ?? rows.length) - rows.length;
  const index = barColumn(answer);
  if (left <= 0 || index < 0) return "";
  const last = rows.at(-1)?.cells[index];
  return `${count(left)} more${typeof last === "number" ? ` below ${withUnitOf(answer.columns[index], last)}` : ""}`;
}
