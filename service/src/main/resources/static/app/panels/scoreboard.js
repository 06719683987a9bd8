// Scores: a figure each with its place among peers, the strip of these, and a line of what is usual or the bound.
import { html, nothing, svg } from "../core/html.js";
import { withUnit } from "../core/format.js";
import { severityShape } from "../parts/shapes.js";
import { box } from "./panel-box.js";
import { rowName } from "./table.js";
import { cellText, figures, firstBound, isLessWorse, placeWords, titleOf } from "./words.js";

const FEW = 3;
const MANY = 40;
const LEAST = 132;
const HIGH = 84;
const PAD = 6;

/** The peers as ticks on one line, this one as a disc, which is warm only with a finding. */
function peerStrip(value, { values = [], lower = null, upper = null }, width, state) {
  const all = [...values, value, lower, upper].filter((v) => v !== null && v !== undefined);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const x = (v) => PAD + (high > low ? (v - low) / (high - low) : 0.5) * (width - 2 * PAD);
  const hot = state && state !== "normal";
  const token = hot ? (state === "critical" ? "--critical" : `--${state}-mark`) : "--accent";
  return html`<svg width=${width} height="16" viewBox="0 0 ${width} 16" aria-hidden="true">
    ${lower !== null && upper !== null
      ? svg`<rect x=${x(lower)} y="4" width=${Math.max(1, x(upper) - x(lower))} height="8" fill="var(--band)" />`
      : nothing}
    <line x1="2" x2=${width - 2} y1="8" y2="8" stroke="var(--line)" />
    ${values
      .slice(0, MANY)
      .map((v) => svg`<line x1=${x(v)} x2=${x(v)} y1="4" y2="12" stroke="var(--peer-strong)" stroke-width="1.3" />`)}
    <circle cx=${x(value)} cy="8" r="3.6" fill="var(${token})" stroke="var(--surface)" />
  </svg>`;
}

/** One line: the bound that was passed, what is usual, or why there are no peers. */
function underneath(column, place, state, of, lessWorse) {
  const bound = firstBound(column);
  const said = bound === null ? "" : lessWorse ? `at least ${of.text(bound)}` : `limit ${of.text(bound)}`;
  if (state && state !== "normal" && said) return said;
  if (place && place.lower !== null && place.upper !== null)
    return `usual ${of.text(place.lower)} to ${of.text(place.upper)}`;
  return said || (place && place.peers < FEW ? "too few others to compare" : "");
}

function tile(row, column, index, several, width, { context, panel }) {
  const value = row.cells[index];
  const state = row.states?.[index];
  const hot = state && state !== "normal";
  const among = row.places?.[index] ?? null;
  const of = figures(column, [value]);
  const isFigure = typeof value === "number";
  const place = among && isFigure ? placeWords(among) : "";
  const before = row.compared?.[index];
  const title = several ? rowName(row) : titleOf(column);
  return html`<div
    class="score ${context.drives ? "drives" : ""} ${context.drives && context.isChosen({ object: row.object?.id })
      ? "sel"
      : ""}"
    role=${context.drives && !context.edit ? "button" : "group"}
    aria-label=${`${title}: ${cellText(column, value, of)} ${isFigure ? of.unit : ""}${hot ? `, ${state}` : ""}`}
    data-row=${index}
    data-object=${row.object?.id ?? nothing}
    tabindex=${context.drives && !context.edit ? context.tab(index, index === 0) : nothing}
    @click=${() => context.drives && context.set({ object: row.object?.id, metric: column.key })}
  >
    <div class="s12 i2 cut" title=${title}>${title}</div>
    <div class="score-figure">
      <span class="big ${hot ? `st-${state}` : ""}">${cellText(column, value, of)}</span
      ><span class="m s12">${isFigure ? of.unit : ""}</span>${hot ? severityShape(state, 11, state) : nothing}<span
        class="sp"
      ></span
      >${before !== null && before !== undefined
        ? html`<span class="m s11 cut" title="before">before ${withUnit(before, column.unit)}</span>`
        : html`<span class="m s11 cut" title=${place || nothing}>${place}</span>`}
    </div>
    ${among && isFigure && among.peers >= FEW ? peerStrip(value, among, width - 24, state) : nothing}
    <div class="s11 m cut">${underneath(column, among, state, of, isLessWorse(column, panel))}</div>
  </div>`;
}

export function scoreboard({ answer, panel, context }) {
  const rows = answer.rows ?? [];
  const columns = (answer.columns ?? [])
    .map((column, index) => ({ column, index }))
    .filter(({ column, index }) => column.type !== "text" || rows.some((r) => r.cells[index] !== r.object?.name));
  const tiles = rows.flatMap((row) => columns.map(({ column, index }) => ({ row, column, index })));
  const several = rows.length > 1 && columns.length === 1;
  return box([answer, context.version], (width, height) => {
    const fit = Math.max(1, Math.floor(width / LEAST));
    // As few in a line as fill the height, so that they get wide before they get low.
    const lines = Math.max(1, Math.floor(height / HIGH));
    const across = Math.max(1, Math.min(fit, tiles.length, Math.ceil(tiles.length / lines)));
    return html`<div
      class="scores"
      tabindex=${context.edit ? nothing : "0"}
      .style=${`grid-template-columns:repeat(${across},minmax(0,1fr))`}
    >
      ${tiles.map(({ row, column, index }) =>
        tile(row, column, index, several, Math.floor(width / across), { context, panel }),
      )}
    </div>`;
  });
}
