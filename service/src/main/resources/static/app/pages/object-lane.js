// Changes of the object on the time axis of the page; those closer than 60 px are folded.
import { html, nothing, ref, svg } from "../core/html.js";
import { changeText } from "../core/changes.js";
import { moment, range } from "../core/time.js";
import { cursor } from "../chart/cursor.js";

const LEFT = 88;
const RIGHT = 16;
let width = 900;

const size = new ResizeObserver(([entry]) => (width = entry.contentRect.width));
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

export function lane(changes) {
  const { from, to } = range();
  const x = (t) => LEFT + ((t - from) / (to - from)) * (width - LEFT - RIGHT);
  const items = (changes.data?.items ?? []).filter((c) => Date.parse(c.time) >= from && Date.parse(c.time) < to);
  const marks = groups(items, x);
  const words = changes.error ? "could not be read" : changes.data && !items.length ? "none in this range" : "";
  return html`<section class="pane lanes" aria-label="Changes" ${ref(watch)}>
    <svg class="lane-plot" height="32" width=${width} role="img" aria-label=${items.length ? items.map((c) => `${moment(Date.parse(c.time))} ${changeText(c)}`).join("; ") : "No changes in this range"}>
      <text x="12" y="20">Changes</text>${words ? svg`<text x=${LEFT} y="20" class="m">${words}</text>` : svg`<line x1=${LEFT} x2=${width - RIGHT} y1="16" y2="16" stroke="var(--line)" />`}
      ${marks.map((m, i) => {
        const text = m.changes.length > 1 ? `${m.changes.length} changes` : changeText(m.changes[0]);
        const room = (marks[i + 1]?.x ?? width) - m.x;
        const right = room > text.length * 6 + 16;
        return svg`<g><title>${m.changes.map((c) => `${moment(Date.parse(c.time), true)} ${changeText(c)}`).join("\n")}</title>
          <path d=${`M${m.x - 4} 10h8v7l-4 4l-4 -4z`} fill="var(--ink-3)" />
          <text x=${right ? m.x + 9 : m.x - 9} y="20" text-anchor=${right ? "start" : "end"}>${text}</text></g>`;
      })}
      ${cursor.at !== null && cursor.at >= from && cursor.at <= to ? svg`<line x1=${x(cursor.at)} x2=${x(cursor.at)} y1="0" y2="32" stroke="var(--cursor)" />` : nothing}
    </svg>
  </section>`;
}
