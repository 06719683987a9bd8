// Alerts and changes of the object on the time axis of the page: a bar from where an alert began to where it ended, a
// flag per change; changes closer than 60 px are folded. Below them how unusual the object was as a whole.
import { html, nothing, ref, svg } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { changeText } from "../../core/changes.js";
import { metricName } from "../../core/metrics.js";
import { MARKS, rank, titleOf } from "../../core/severity.js";
import { duration, moment, range } from "../../core/time.js";
import { amend, go } from "../../core/url.js";
import { narrow } from "../../core/screen.js";
import { cursor } from "../../chart/cursor.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { SHAPES } from "../../parts/shapes.js";

const LEFT = 88;
const RIGHT = 16;
/** Width of a bar of how unusual it was, and the height of the highest. */
const BAR = 3;
const LANE = 14;
const ROW = 20;
const ROWS = 3;
const LETTER = 5.8;
let width = 900;

const size = new ResizeObserver(([entry]) => {
  if (entry.contentRect.width === width) return;
  width = entry.contentRect.width;
  redraw();
});
let watched = null;
const watch = (element) => {
  if (!element || element === watched) return;
  size.disconnect();
  watched = element;
  size.observe(element);
  width = element.clientWidth || width;
};

function groups(items, x) {
  const folded = [];
  for (const change of items.toReversed()) {
    const at = x(Date.parse(change.time));
    const last = folded.at(-1);
    if (last && at - last.x < 60) last.changes.push(change);
    else folded.push({ x: at, changes: [change] });
  }
  return folded;
}

const flagText = ({ changes }) => (changes.length > 1 ? `${changes.length} changes` : changeText(changes[0]));

/**
 * On which side of each flag its words stand: where neither a flag nor other words are; null where there is no room,
 * the title has them.
 */
function flagSides(marks) {
  let taken = LEFT;
  return marks.map((mark, i) => {
    const need = flagText(mark).length * 6 + 14;
    const next = (marks[i + 1]?.x ?? width) - 6;
    const side = mark.x + need <= next ? "right" : mark.x - need >= taken ? "left" : null;
    taken = side === "right" ? mark.x + need : mark.x + 6;
    return side;
  });
}

const end = (a) => (a.canceledAt ? Date.parse(a.canceledAt) : Date.now());

/** Bars in as few rows as they need, at most three; what does not fit is counted. */
function bars(items, x, from, to) {
  const list = items
    .toSorted((a, b) => rank(b.severity) - rank(a.severity) || Date.parse(a.since) - Date.parse(b.since))
    .map((alert) => ({
      alert,
      x1: x(Math.max(from, Date.parse(alert.since))),
      x2: Math.max(x(Math.max(from, Date.parse(alert.since))) + 12, x(Math.min(to, end(alert)))),
    }));
  const taken = Array.from({ length: ROWS }, () => []);
  const placed = [];
  for (const bar of list) {
    const row = taken.findIndex((r) => r.every((o) => bar.x1 > o.x2 + 6 || bar.x2 < o.x1 - 6));
    if (row < 0) continue;
    taken[row].push(bar);
    placed.push({ ...bar, row });
  }
  return { placed, rows: Math.max(1, taken.findLastIndex((r) => r.length) + 1), left: list.length - placed.length };
}

function bar({ alert, x1, x2, row }, all) {
  const y = 5 + row * ROW;
  const since = Date.parse(alert.since);
  const closed = alert.canceledAt ? end(alert) : null;
  const words = `${titleOf(alert)}, ${closed === null ? "open" : `${duration(closed - since)}, closed`}`;
  const span = `${moment(since)} to ${closed === null ? "now" : moment(closed)}`;
  const need = words.length * LETTER + 14;
  const others = all.filter((o) => o.row === row && o.alert !== alert);
  const free = (from, to) => from >= LEFT && to <= width - RIGHT && others.every((o) => o.x1 > to || o.x2 < from);
  const side = x2 - x1 > need + 14 ? "in" : free(x1 - need, x1) ? "left" : free(x2, x2 + need) ? "right" : null;
  const shape = SHAPES[alert.severity === "information" ? "info" : alert.severity];
  return svg`<g
    class="bar-of"
    role="link"
    tabindex="0"
    aria-label=${`${alert.severity}: ${words}`}
    @click=${() => go(alert.address ?? `/alerts/${alert.id}`)}
    @keydown=${(e) => e.key === "Enter" && go(alert.address ?? `/alerts/${alert.id}`)}
  >
    <title>${`${span}: ${words}, ${alert.severity}`}</title>
    <rect
      x=${x1 + 0.5}
      y=${y + 0.5}
      width=${x2 - x1 - 1}
      height="11"
      rx="2"
      fill=${`var(${soft(alert.severity)})`}
      stroke=${`var(${MARKS[alert.severity]})`}
      stroke-opacity=${alert.canceledAt ? 0.5 : 1}
    />
    <g transform=${`translate(${x1 + 2} ${y + 2}) scale(.66)`}>
      ${
        shape.fill
          ? svg`<path d=${shape.path} fill=${`var(${shape.token})`} />`
          : svg`<path d=${shape.path} fill="none" stroke=${`var(${shape.token})`} stroke-width="2" />`
      }
    </g>
    ${
      side === "in"
        ? svg`<text x=${x1 + 14} y=${y + 10}>${words}</text>`
        : side === "left"
          ? svg`<text x=${x1 - 6} y=${y + 10} text-anchor="end">${words}</text>`
          : side === "right"
            ? svg`<text x=${x2 + 6} y=${y + 10}>${words}</text>`
            : nothing
    }
  </g>`;
}

/** What answers to a finger around a mark, where fingers are to be expected. */
const touch = (x, y) =>
  narrow() ? svg`<rect x=${x - 22} y=${y - 22} width="44" height="44" fill="transparent" />` : nothing;

/** What a bar that is 18 px high lacks above and below for a finger. */
const room = () => (narrow() ? 13 : 0);

const soft = (severity) =>
  ({
    critical: "--critical-soft",
    immediate: "--immediate-soft",
    warning: "--warning-soft",
    information: "--info-soft",
  })[severity];

// The change that is recorded for a run of a benchmark on what it tested, and the name of the run in it.
const isBenchmark = (c) => c.kind === "recorded" && c.key === "benchmark";
const runName = (c) => c.after.replace(/^Benchmark: /, "");

/** The changes of a flag, each to be compared before and after. */
function showCompare(changes) {
  const openRuns = (c) => {
    closeLayer();
    go("/benchmark-runs", { tested: c.object.id, q: runName(c) });
  };
  const before = (c) => {
    closeLayer();
    go("/compare", { change: c.id });
  };
  showLayer(
    "dialog",
    () =>
      html`<div class="picker">
        <h2 class="title">Compare before and after</h2>
        <ul class="menu">
          ${changes.map(
            (c, i) =>
              html`<li>
                <button ?autofocus=${i === 0} @click=${() => before(c)}>
                  <span class="m nw">${moment(Date.parse(c.time))}</span><span class="cut">${changeText(c)}</span>
                </button>
                ${isBenchmark(c)
                  ? html`<button @click=${() => openRuns(c)}>
                      <span class="m nw">Open its run</span><span class="cut">${runName(c)}</span>
                    </button>`
                  : nothing}
              </li>`,
          )}
        </ul>
      </div>`,
    { label: "Compare before and after" },
  );
}

/** What carries a score, and since when if it is new. */
const carrier = (c) => `${metricName(c.key)}${c.began ? ` from ${moment(Date.parse(c.began))}` : ""}`;

/**
 * Bars of the highest score of each few pixels; those of the times in which it was unusual stand out and lead to its
 * metrics then.
 */
function unusual(scores, x, y) {
  const d = scores.data;
  if (!d) return scores.error ? svg`<text x=${LEFT} y=${y + 14} class="m">could not be computed</text>` : nothing;
  if (!d.scores.some((s) => s !== null))
    return svg`<text x=${LEFT} y=${y + 14} class="m">too little is known yet</text>`;
  const columns = new Map();
  d.scores.forEach((s, i) => {
    const column = Math.floor(x(d.times[i]) / BAR) * BAR;
    if (s !== null && column >= LEFT - BAR && column <= width - RIGHT)
      columns.set(column, Math.max(columns.get(column) ?? 0, s));
  });
  let plain = "";
  let out = "";
  for (const [column, s] of columns) {
    const tall = Math.max(0, Math.min(1, s / (2 * d.unusualFrom))) * LANE;
    const bar = `M${column} ${y + LANE + 4}v${-tall.toFixed(1)}h${BAR - 0.5}v${tall.toFixed(1)}z`;
    if (s >= d.unusualFrom) out += bar;
    else if (tall >= 0.5) plain += bar;
  }
  const said = d.stretches
    .map((s) => ({ ...s, x1: Math.max(LEFT, x(Date.parse(s.from))), x2: x(Date.parse(s.to)) }))
    .filter((s) => s.x2 >= LEFT && s.x1 <= width - RIGHT);
  return svg`<line x1=${LEFT} x2=${width - RIGHT} y1=${y + LANE + 4} y2=${y + LANE + 4} stroke="var(--line)" />
    <path d=${plain} fill="var(--peer-strong)" opacity="0.55" />
    <path d=${out} fill="var(--deviant-1)" />
    ${said.map((s) => {
      const words = `Unusual from ${moment(Date.parse(s.from))} to ${moment(Date.parse(s.to))}: ${s.carriers.map(carrier).join(", ")}`;
      const open = () => amend({ m: s.keys, mode: "own" });
      return svg`<g
        class="bar-of"
        role="button"
        tabindex="0"
        aria-label=${words}
        @click=${open}
        @keydown=${(e) => e.key === "Enter" && open()}
      >
        <title>${words}</title>
        <rect
          x=${s.x1 - 2}
          y=${y + 2 - room()}
          width=${Math.max(6, s.x2 - s.x1 + 4)}
          height=${LANE + 4 + 2 * room()}
          fill="transparent"
        />
      </g>`;
    })}`;
}

/**
 * `beside` are bars of other findings, each with an `address`; `record` asks for a change that somebody made; `scores`
 * say how unusual it was as a whole.
 */
export function lanes(alerts, changes, { beside, record, scores }) {
  const { from, to } = range();
  const x = (t) => LEFT + ((t - from) / (to - from)) * (width - LEFT - RIGHT);
  const items = (changes.data?.items ?? []).filter((c) => Date.parse(c.time) >= from && Date.parse(c.time) < to);
  const open = [...(alerts.data?.items ?? []), ...beside].filter((a) => Date.parse(a.since) < to && end(a) >= from);
  const { placed, rows, left } = bars(open, x, from, to);
  const marks = groups(items, x);
  const sides = flagSides(marks);
  const top = 4 + rows * ROW;
  const low = top + 22;
  const height = low + 24 + room();
  const words = changes.error ? "could not be read" : changes.data && !items.length ? "none in this range" : "";
  const said = alerts.error ? "could not be read" : alerts.data && !open.length ? "none in this range" : "";
  return html`<section class="pane lanes" aria-label="Alerts and changes" ${ref(watch)}>
    <svg
      class="lane-plot"
      height=${height}
      width=${width}
      role="group"
      aria-label=${items.length
        ? `Changes: ${items.map((c) => `${moment(Date.parse(c.time))} ${changeText(c)}`).join("; ")}`
        : "No changes in this range"}
    >
      <text x="12" y="15">Alerts</text>
      ${said
        ? svg`<text x=${LEFT} y="15" class="m">${said}</text>`
        : svg`<line x1=${LEFT} x2=${width - RIGHT} y1="11" y2="11" stroke="var(--line)" />`}
      ${placed.map((p) => bar(p, placed))} ${left ? svg`<text x="12" y="33" class="m">${left} more</text>` : nothing}
      <text x="12" y=${top + 14}>Changes</text>
      ${words
        ? svg`<text x=${LEFT} y=${top + 14} class="m">${words}</text>`
        : svg`<line x1=${LEFT} x2=${width - RIGHT} y1=${top + 10} y2=${top + 10} stroke="var(--line)" />`}
      <g
        class="bar-of"
        role="button"
        tabindex="0"
        aria-label="Record a change"
        @click=${record}
        @keydown=${(e) => e.key === "Enter" && record()}
      >
        <title>Record a change (N)</title>
        ${touch(72, top + 10)}
        <rect x="64" y=${top + 2.5} width="16" height="16" rx="3" fill="var(--surface)" stroke="var(--line-strong)" />
        <path d=${`M68 ${top + 10.5}h8m-4 -4v8`} stroke="var(--ink-2)" fill="none" />
      </g>
      ${marks.map((m, i) => {
        const text = flagText(m);
        const side = sides[i];
        const compare = () => showCompare(m.changes);
        return svg`<g
          class="bar-of"
          role="button"
          tabindex="0"
          aria-label=${`${text}: compare before and after`}
          @click=${compare}
          @keydown=${(e) => e.key === "Enter" && compare()}
        >
          <title>${m.changes.map((c) => `${moment(Date.parse(c.time), true)} ${changeText(c)}`).join("\n")}</title>
          ${touch(m.x, top + 10)}
          <path d=${`M${m.x - 4} ${top + 4}h8v7l-4 4l-4 -4z`} fill="var(--ink-3)" />
          ${
            side
              ? svg`<text
                x=${side === "right" ? m.x + 9 : m.x - 9}
                y=${top + 14}
                text-anchor=${side === "right" ? "start" : "end"}
                >${text}</text
              >`
              : nothing
          }
        </g>`;
      })}
      <text x="12" y=${low + 14}>Unusual</text>
      ${unusual(scores, x, low)}
      ${cursor.at !== null && cursor.at >= from && cursor.at <= to
        ? svg`<line x1=${x(cursor.at)} x2=${x(cursor.at)} y1="0" y2=${height} stroke="var(--cursor)" />`
        : nothing}
    </svg>
  </section>`;
}
