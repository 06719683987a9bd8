// A heat map: cells by size in groups, coloured by a figure; below it a slider through the moments of the window.
import { html, nothing, svg } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { count, number } from "../core/format.js";
import { clock, DAY, moment } from "../core/time.js";
import { hover } from "../chart/cursor.js";
import { timeTicks } from "../chart/scale.js";
import { box } from "./panel-box.js";
import { squarify } from "./squarify.js";
import { rowName } from "./table.js";
import { figures, firstBound, isLessWorse, rankOf, stateOf, titleOf } from "./words.js";

const HEAD = 16;
const GAP = { x: 10, y: 8 };
const LEAST = { width: 128, height: 62 };
const LABEL = { width: 22, height: 14 };
const FILLS = ["--seq-1", "--seq-2", "--warning-soft", "--immediate-mark", "--critical"];
const FRAMES = 8;
const WIDER = 1.5;
const DARK_INK = 2;

/** The column that colours and the one that sizes, by their places; -1 for none. */
export function columnsOf(answer, panel) {
  const columns = answer.columns ?? [];
  const at = (name) => columns.findIndex((c) => c.name === name);
  const size = at(panel.size);
  const named = at(panel.colourBy);
  return { size, colour: named >= 0 ? named : columns.findIndex((c, i) => c.type === "number" && i !== size) };
}

/** Groups of rows, one without a name where there are none. */
const groupsOf = (answer) =>
  answer.groups?.length ? answer.groups : [{ name: "", rows: (answer.rows ?? []).map((_, i) => i) }];

/** From 0 for little to 4 for what is critical; two steps of petrol below the bounds. */
function level(value, state, middle) {
  const rank = rankOf(state);
  if (rank) return rank + 1;
  return typeof value === "number" && value >= middle ? 1 : 0;
}

// Where the sliders of panels stand: an index of a moment; nothing is now.
const moments = new Map();
const playing = new Map();

function stop(name) {
  clearInterval(playing.get(name));
  playing.delete(name);
}

function put(context, answer, index) {
  const last = answer.moments.times.length - 1;
  if (index >= last) moments.delete(context.name);
  else moments.set(context.name, index);
  hover(index >= last ? null : answer.moments.times[index]);
  redraw();
}

function play(context, answer) {
  const { name } = context;
  if (playing.has(name)) {
    stop(name);
    return redraw();
  }
  const { times } = answer.moments;
  const step = () => {
    const at = moments.get(name) ?? -1;
    if (at + 1 >= times.length) stop(name);
    if (!document.querySelector(".dash")) return stop(name);
    put(context, answer, at + 1);
  };
  // Who wants no motion goes moment by moment.
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return step();
  if (!moments.has(name)) put(context, answer, 0);
  playing.set(name, setInterval(step, 1000 / FRAMES));
  redraw();
}

function cells(of, group, at) {
  const { answer, context, size, colour, column, values, middle, figure } = of;
  const rects = squarify(
    group.rows.map((i) => (size < 0 ? 1 : (answer.rows[i].cells[size] ?? 0) || 1e-9)),
    at,
  );
  return group.rows.map((i, n) => {
    const row = answer.rows[i];
    const value = values[i];
    const state = of.live ? row.states?.[colour] : stateOf(column, value, of.lessWorse);
    const l = level(value, state, middle);
    const { x, y, w, h } = rects[n];
    if (w < 0.5 || h < 0.5) return nothing;
    const what = { object: row.object?.id, instance: row.instance, group: group.object?.id ?? group.name };
    const chosen = context.isChosen(what);
    const text = figure.text(value);
    const known = value !== null && value !== undefined;
    const ink = l === DARK_INK ? "on-soft" : "on-mark";
    const title = `${rowName(row)}: ${text}${figure.unit ? ` ${figure.unit}` : ""}${state && state !== "normal" ? `, ${state}` : ""}`;
    return svg`<g
      class="cell ${chosen ? "sel" : ""}"
      data-row=${i}
      data-object=${row.object?.id ?? nothing}
      role=${context.edit ? "img" : "button"}
      aria-label=${title}
      tabindex=${context.edit ? nothing : context.tab(i, chosen)}
      @click=${() => context.set(what)}
    >
      <title>${title}</title>
      <rect
        x=${x + 0.75}
        y=${y + 0.75}
        width=${Math.max(0.5, w - 1.5)}
        height=${Math.max(0.5, h - 1.5)}
        rx="2"
        fill=${known ? `var(${FILLS[l]})` : "none"}
        stroke=${chosen ? "var(--ink)" : l === DARK_INK ? "var(--warning-mark)" : known ? "none" : "var(--unknown)"}
        stroke-width=${chosen ? 2 : 1.4}
        stroke-dasharray=${known ? nothing : "2.2 2"}
      />
      ${
        l >= DARK_INK && w > Math.max(LABEL.width, 8 + text.length * 6) && h > LABEL.height
          ? svg`<text x=${x + w / 2} y=${y + h / 2 + 4} text-anchor="middle" class=${ink}>${text}</text>`
          : nothing
      }
    </g>`;
  });
}

/** How many groups stand beside each other, so that each is a little wider than high. */
function columnsFor(n, width, height) {
  const most = Math.max(1, Math.min(n, Math.floor((width + GAP.x) / (LEAST.width + GAP.x))));
  const off = (across) => {
    const ratio = width / across / Math.max(LEAST.height, height / Math.ceil(n / across));
    return Math.abs(Math.log(ratio / WIDER));
  };
  const tries = Array.from({ length: most }, (_, i) => i + 1);
  return tries.reduce((best, across) => (off(across) < off(best) ? across : best));
}

function drawing(of, width, height) {
  const { groups, figure, values } = of;
  const named = groups.length > 1 || groups[0].name;
  const across = named ? columnsFor(groups.length, width, height) : 1;
  const down = Math.ceil(groups.length / across);
  const tall = Math.max(height, down * (LEAST.height + GAP.y));
  const gw = (width - (across - 1) * GAP.x) / across;
  const gh = (tall - (down - 1) * GAP.y) / down;
  return html`<svg class="heat" width=${width} height=${tall} viewBox=${`0 0 ${width} ${tall}`}>
    ${groups.map((group, g) => {
      const x = (g % across) * (gw + GAP.x);
      const y = Math.floor(g / across) * (gh + GAP.y);
      const present = group.rows.map((i) => values[i]).filter((v) => typeof v === "number");
      const most = present.length ? Math.max(...present) : null;
      const hot = group.rows.some((i) => rankOf(of.stateAt(i)) > 1);
      const end = `${gw < 140 ? "" : `${count(group.rows.length)}, `}${most === null ? "no data" : `to ${figure.text(most)}`}`;
      const room = Math.max(4, Math.floor((gw - end.length * 6 - 8) / 6.4));
      const called = group.name || "none";
      const name = called.length > room ? `${called.slice(0, room - 1)}\u2026` : called;
      return svg`${
        named
          ? svg`<text class="group-name ${hot ? "hot" : ""}" x=${x} y=${y + 11}><title>${called}</title>${name}</text>
            <text class="group-end ${hot ? "hot" : ""}" x=${x + gw} y=${y + 11} text-anchor="end">${end}</text>`
          : nothing
      }${cells(of, group, { x, y: y + (named ? HEAD : 0), w: gw, h: gh - (named ? HEAD : 0) })}`;
    })}
  </svg>`;
}

/** The moments of the window with how many cells were over the first bound. */
function slider(of, width) {
  const { answer, context, index } = of;
  const { times, over } = answer.moments;
  const [x0, x1] = [84, Math.max(120, width - 118)];
  const w = x1 - x0;
  const step = w / times.length;
  const most = Math.max(...over, 1);
  const peak = over.indexOf(Math.max(...over));
  const now = over[index] ?? 0;
  const bound = firstBound(of.column);
  const ticks = timeTicks(times[0], times.at(-1), w, 84);
  const x = (t) => x0 + ((t - times[0]) / (times.at(-1) - times[0] || 1)) * (w - step) + step / 2;
  return html`<div class="slider">
    <button
      class="play"
      aria-label=${playing.has(context.name) ? "Stop" : "Play the moments"}
      ?disabled=${context.edit}
      @click=${() => play(context, answer)}
    >
      <svg width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
        <circle cx="11" cy="11" r="10.3" fill="none" stroke="var(--line-strong)" />
        ${playing.has(context.name)
          ? svg`<path d="M8 7v8M13.5 7v8" stroke="var(--ink-2)" stroke-width="2.4" />`
          : svg`<path d="M8.5 6.5v9l7.5-4.5z" fill="var(--ink-2)" />`}
      </svg></button
    ><b class="s12 at">${times.at(-1) - times[0] > DAY ? moment(times[index]) : clock(times[index])}</b>
    <svg class="overs" width=${width} height="34" viewBox=${`0 0 ${width} 34`} aria-hidden="true">
      ${over.map(
        (n, i) =>
          svg`<rect
            x=${x0 + i * step}
            y=${15 - Math.max(n ? 2 : 0.6, (n / most) * 13)}
            width=${Math.max(0.6, step - 1)}
            height=${Math.max(n ? 2 : 0.6, (n / most) * 13)}
            fill=${n ? "var(--warning-mark)" : "var(--line-strong)"}
          />`,
      )}
      <line x1=${x0} x2=${x1} y1="16.5" y2="16.5" stroke="var(--control)" stroke-width="2" />
      <circle cx=${x(times[index])} cy="16.5" r="6" fill="var(--accent)" stroke="var(--surface)" stroke-width="2" />
      ${ticks.map(([t, words]) => svg`<text class="axis" x=${x(t)} y="32" text-anchor="middle">${words}</text>`)}
    </svg>
    <input
      type="range"
      min="0"
      max=${times.length - 1}
      .value=${String(index)}
      ?disabled=${context.edit}
      aria-label="Moment"
      aria-valuetext=${`${moment(times[index])}, ${now} over`}
      .style=${`left:${x0}px;width:${w}px`}
      @input=${(e) => put(context, answer, Number(e.target.value))}
    />
    <span class="counts"
      ><span>${count(now)} over${bound === null ? "" : ` ${number(bound)} ${of.figure.unit}`}</span
      ><span class="m">most at ${clock(times[peak])}</span></span
    >
  </div>`;
}

export function heatmap({ answer, panel, context }) {
  const { size, colour } = columnsOf(answer, panel);
  const column = answer.columns?.[colour];
  if (!column) return nothing;
  const has = answer.moments?.times?.length > 1;
  const index = has ? Math.min(moments.get(context.name) ?? Infinity, answer.moments.times.length - 1) : -1;
  const frame = has && moments.has(context.name) ? answer.moments.values?.[index]?.values : null;
  const live = !frame;
  const values = frame ?? answer.rows.map((r) => r.cells[colour]);
  const own = answer.rows.map((r) => r.cells[colour]).filter((v) => typeof v === "number");
  const bound = firstBound(column);
  const of = {
    answer,
    context,
    size,
    colour,
    column,
    values,
    live,
    index,
    groups: groupsOf(answer),
    lessWorse: isLessWorse(column, panel),
    middle: bound !== null ? bound / 2 : own.length ? own.toSorted((a, b) => a - b)[own.length >> 1] : 0,
    figure: figures(column, own),
    stateAt: (i) => (live ? answer.rows[i].states?.[colour] : stateOf(column, values[i], isLessWorse(column, panel))),
  };
  return html`${box([answer, index, frame, context.version], (w, h) => drawing(of, w, h), "heat-box")}${has
    ? box([answer, index, playing.has(context.name), context.version], (w) => slider(of, w), "slider-box")
    : nothing}`;
}

/** What the colours mean, for the head of the panel. */
export function heatLegend(answer, panel) {
  const column = answer?.columns?.[columnsOf(answer, panel).colour];
  if (!column?.bounds?.length) return nothing;
  const { bounds } = column;
  const steps = [[FILLS[1], ""], ...bounds.map((bound, i) => [FILLS[i + 2], bound])].filter(([, b]) => b !== null);
  const measured = `${titleOf(column)}${column.unit ? `, ${figures(column).unit}` : ""}`;
  return html`<span class="heat-legend" aria-hidden="true"
    ><span class="cut" title=${measured}>${measured}</span>${steps
      .slice(1)
      .map(
        ([token, bound]) =>
          html`<span
            ><i class=${token === FILLS[2] ? "hollow" : ""} .style=${`background:var(${token})`}></i>${number(
              bound,
            )}</span
          >`,
      )}</span
  >`;
}
