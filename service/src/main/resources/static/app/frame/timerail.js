// The time rail: 24 hours (or 7, 30 days when the range is longer), a shape per alert with its length as a bar, a mark
// per change, the window as a brush to drag.
import { html, nothing, svg } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { timeTicks } from "../chart/scale.js";
import { cursor, follow } from "../chart/cursor.js";
import { MARKS, rank } from "../core/severity.js";
import { lastTick, moment, range, setAbsolute, setRelative, MINUTE } from "../core/time.js";
import { railSpan, timeline, wantTimeline } from "../core/timeline.js";
import { SHAPES } from "../parts/shapes.js";
import { scopeId } from "./scope.js";

const APART = 11;
/** Half the width of the longest label, such as 27 Nov; nearer to an edge it would be cut. */
const HALF_LABEL = 26;

let width = 1200;
let drag = null;
follow(redraw);

const size = new ResizeObserver(([entry]) => {
  width = entry.contentRect.width;
  redraw();
});
let watched = null;
export function watchRail(element) {
  if (element === watched) return;
  size.disconnect();
  watched = element;
  if (element) size.observe(element);
}

export function timeRail() {
  const window = drag ?? range();
  const rail = drag?.rail ?? railSpan(window);
  const x = (t) => ((t - rail.from) / (rail.to - rail.from)) * width;
  const x1 = Math.max(0, x(window.from));
  const x2 = Math.min(width, x(window.to));
  wantTimeline(rail, scopeId());
  const events = shapes(timeline.data?.items ?? [], x);
  const marks = folded(timeline.data?.changes ?? [], x).filter((m) => !events.some((e) => Math.abs(e.x - m.x) < APART));
  return html`<div class="rail" role="group" aria-label=${`Time rail, ${moment(rail.from)} to ${moment(rail.to)}`}>
    <svg
      width=${width}
      height="33"
      @pointerdown=${(e) => press(e, rail, x1, x2)}
      @pointermove=${move}
      @pointerup=${release}
    >
      <rect
        class="brush"
        x=${x1}
        y="0"
        width=${Math.max(2, x2 - x1)}
        height="33"
        fill="var(--accent-soft)"
        opacity=".75"
      />
      ${timeTicks(rail.from, rail.to, width, 140)
        .filter(([t]) => x(t) > HALF_LABEL && x(t) < width - HALF_LABEL)
        .map(
          ([t, label]) =>
            svg`<text x=${x(t)} y="30" text-anchor="middle">${label}</text>
              <line x1=${x(t)} x2=${x(t)} y1="14" y2="18" stroke="var(--line-strong)" />`,
        )}
      <line x1="0" x2=${width} y1="16.5" y2="16.5" stroke="var(--line-strong)" opacity=".6" />
      ${events.map(
        (e) =>
          svg`<line
            x1=${e.x}
            x2=${Math.max(e.x + 2, e.end)}
            y1="16.5"
            y2="16.5"
            stroke=${`var(${e.token})`}
            stroke-width="2"
            opacity=".45"
          />`,
      )}
      ${events.toReversed().map(
        (e) =>
          svg`<g class="event" transform=${`translate(${e.x - 5} 4) scale(.83)`}>
            <title>${e.text}</title>
            ${
              e.shape.fill
                ? svg`<path d=${e.shape.path} fill=${`var(${e.shape.token})`} /> ${
                    e.shape.bar ? svg`<path d="M6 2.8V7M6 8.2V9.5" stroke="var(--bg)" stroke-width="1.7" />` : nothing
                  }`
                : svg`<path
                  d=${e.shape.path}
                  fill="var(--bg)"
                  stroke=${`var(${e.shape.token})`}
                  stroke-width="1.8"
                  stroke-linejoin="round"
                />`
            }
          </g>`,
      )}
      ${marks.map(
        (m) =>
          svg`<path class="event" d=${`M${m.x - 3.5} 6h7v5l-3.5 3.5l-3.5 -3.5z`} fill="var(--ink-3)"
            ><title>${m.text}</title></path
          >`,
      )}
      ${cursor.at === null || drag
        ? nothing
        : svg`<line x1=${x(cursor.at)} x2=${x(cursor.at)} y1="0" y2="33" stroke="var(--cursor)" />`}
      <rect class="edge" x=${x1 - 1.5} width="3" height="33" fill="var(--accent)" />
      <rect class="edge" x=${x2 - 3} width="3" height="33" fill="var(--accent)" />
    </svg>
  </div>`;
}

/**
 * A shape where each alert began, its length to where it ended; of those too close to each other the worst stands for
 * all.
 */
function shapes(items, x) {
  const list = [];
  const sorted = items
    .map((a) => ({
      a,
      x: x(Date.parse(a.since)),
      end: a.until ? x(Date.parse(a.until)) : x(Math.min(Date.now(), lastTick())),
    }))
    .sort((p, q) => p.x - q.x);
  for (const { a, x: at, end } of sorted) {
    const begin = Math.max(5, at);
    const last = list.at(-1);
    const words = `${at < 0 ? `since ${moment(Date.parse(a.since))}` : moment(Date.parse(a.since))} ${a.fromGroup ? "Unlike its peers" : a.title} on ${a.object?.name ?? a.title}, ${a.severity}${a.until ? "" : ", open"}`;
    const kind = a.severity === "information" ? "info" : a.severity;
    if (last && begin - last.x < APART) {
      last.n++;
      last.end = Math.max(last.end, end);
      if (last.n <= 6) last.text += `\n${words}`;
      if (last.n === 7) last.text += "\n\u2026";
      if (rank(a.severity) > rank(last.severity))
        Object.assign(last, { severity: a.severity, shape: SHAPES[kind], token: MARKS[a.severity] });
    } else
      list.push({
        x: begin,
        end,
        n: 1,
        text: words,
        severity: a.severity,
        shape: SHAPES[kind],
        token: MARKS[a.severity],
      });
  }
  return list;
}

/** Changes closer than 8 px share one mark that names the count. */
function folded(items, x) {
  const marks = [];
  for (const change of items) {
    const at = x(Date.parse(change.time));
    if (at < 0) continue;
    const last = marks.at(-1);
    if (last && Math.abs(last.x - at) < 8) {
      last.n++;
      last.text = `${last.n} changes until ${last.until}`;
    } else
      marks.push({
        x: at,
        n: 1,
        until: moment(Date.parse(change.time)),
        text: `${moment(Date.parse(change.time))} ${change.object.name} ${change.kind}`,
      });
  }
  return marks;
}

function press(event, rail, x1, x2) {
  const box = event.currentTarget.getBoundingClientRect();
  const x = event.clientX - box.left;
  const { from, to } = range();
  const part = Math.abs(x - x1) < 7 ? "from" : Math.abs(x - x2) < 7 ? "to" : x > x1 && x < x2 ? "both" : "new";
  const at = rail.from + (x / width) * (rail.to - rail.from);
  drag = {
    rail,
    part,
    start: x,
    from: part === "new" ? at : from,
    to: part === "new" ? at : to,
    origin: { from, to, at },
    moved: false,
  };
  event.currentTarget.setPointerCapture(event.pointerId);
}

function move(event) {
  if (!drag) return;
  const x = Math.min(Math.max(event.clientX - event.currentTarget.getBoundingClientRect().left, 0), width);
  if (Math.abs(x - drag.start) > 3) drag.moved = true;
  const t = drag.rail.from + (x / width) * (drag.rail.to - drag.rail.from);
  const { origin, rail } = drag;
  if (drag.part === "from") drag.from = Math.min(t, origin.to - MINUTE);
  else if (drag.part === "to") drag.to = Math.max(t, origin.from + MINUTE);
  else if (drag.part === "new") [drag.from, drag.to] = [Math.min(origin.at, t), Math.max(origin.at, t)];
  else {
    const length = origin.to - origin.from;
    drag.from = Math.min(Math.max(origin.from + t - origin.at, rail.from), rail.to - length);
    drag.to = drag.from + length;
  }
  redraw();
}

function release() {
  const done = drag;
  drag = null;
  if (!done) return;
  if (done.moved) {
    const live = done.to >= done.rail.to - MINUTE && range().relative && done.part === "both";
    if (live) setRelative(range().relative);
    else setAbsolute(done.from, done.to);
  } else if (done.part === "new") {
    // A click beside the brush moves the window there.
    const half = (done.origin.to - done.origin.from) / 2;
    setAbsolute(done.origin.at - half, done.origin.at + half);
  }
  redraw();
}
