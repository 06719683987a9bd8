// What is in use against the size, drawn: as a strip in a row, and over time in the pane beside.
import { html, nothing, svg } from "../../core/html.js";
import { short } from "../../core/format.js";
import { DAY, date } from "../../core/time.js";
import { amount } from "./words.js";

const has = (v) => v !== null && v !== undefined;

/**
 * Grey is the size that stays, dashed what is taken away or added, the bar p50 to p95, the dark rule p99, the petrol
 * rule the new size.
 */
export function strip({ now, size, p50, p95, p99, unit, kind }) {
  if (!has(now) || !has(size) || !has(p95)) return nothing;
  const most = Math.max(now, size, p99 ?? 0) * 1.02;
  const at = (v) => `${Math.min(100, Math.max(0, (v / most) * 100)).toFixed(2)}%`;
  const wide = (from, to) => `left:${at(from)};width:${((Math.max(0, to - from) / most) * 100).toFixed(2)}%`;
  const adds = size > now;
  const words = `In use ${short(p50)} to ${amount(p95, unit)}, p99 ${short(p99)}; from ${short(now)} to ${amount(size, unit)}`;
  return html`<span
    class="evidence ${kind === "too-small" ? "adds" : ""}"
    role="img"
    aria-label=${words}
    title=${words}
  >
    <i class="stays" .style=${wide(0, Math.min(now, size))}></i>
    <i class="given ${adds ? "adds" : ""}" .style=${wide(Math.min(now, size), Math.max(now, size))}></i>
    <i class="used" .style=${wide(p50 ?? p95, p95)}></i>
    ${has(p99) ? html`<i class="p99" .style=${`left:${at(p99)}`}></i>` : nothing}
    <i class="new" .style=${`left:${at(size)}`}></i>
  </span>`;
}

const WIDTH = 382;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 64;
const BOTTOM = 18;
const LINE = 12;

/** Labels at the right that do not lie on each other, each as near to its height as that allows. */
function spread(labels) {
  const list = labels.toSorted((a, b) => a.y - b.y);
  for (let i = 1; i < list.length; i++) list[i].y = Math.max(list[i].y, list[i - 1].y + LINE);
  const over = (list.at(-1)?.y ?? 0) - (HEIGHT - BOTTOM + 4);
  if (over > 0) for (const l of list) l.y -= over;
  return list;
}

/**
 * What was in use over the whole history, with the size of today, the new one and p95. `lines` is the answer of the
 * series API in the metric's own unit, `factor` makes it that of the recommendation.
 */
export function usageChart({ now, size, p95, unit }, { times, values, highs, from, to }) {
  const known = [...values, ...highs].filter(has);
  const top = Math.max(now ?? 0, size ?? 0, p95 ?? 0, ...known) * 1.06 || 1;
  const right = WIDTH - RIGHT;
  const bottom = HEIGHT - BOTTOM;
  const y = (v) => bottom - (v / top) * (bottom - 8);
  const x = (t) => LEFT + ((t - from) / (to - from || 1)) * (right - LEFT);
  const path = (list) => {
    let text = "";
    list.forEach((v, i) => {
      if (has(v)) text += `${i && has(list[i - 1]) ? "L" : "M"}${x(times[i]).toFixed(1)} ${y(v).toFixed(1)}`;
    });
    return text;
  };
  const rule = (v, colour, width, dash) =>
    has(v)
      ? svg`<line x1=${LEFT} x2=${right} y1=${y(v)} y2=${y(v)} stroke=${`var(${colour})`}
        stroke-width=${width} stroke-dasharray=${dash ?? nothing} />`
      : nothing;
  const labels = spread(
    [
      has(now) && { y: y(now) + 4, text: `${short(now)} now`, cls: "" },
      has(size) && size !== now && { y: y(size) + 4, text: `${short(size)} then`, cls: "then" },
      has(p95) && { y: y(p95) + 4, text: `p95 ${short(p95)}`, cls: "" },
    ].filter(Boolean),
  );
  const span = to - from;
  const ticks = [0.1, 0.45, 0.8].map((part) => from + part * span);
  const differs = has(now) && has(size) && now !== size;
  const words = differs ? `${amount(Math.abs(now - size), unit)} to ${size < now ? "give back" : "add"}` : "";
  const tall = differs && Math.abs(y(now) - y(size)) > 18;
  return html`<svg
    class="usage-chart"
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    role="img"
    aria-label=${`In use over ${Math.round(span / DAY)} days`}
  >
    ${[0, top / 2.12, top / 1.06].map(
      (v) =>
        svg`<line x1=${LEFT} x2=${right} y1=${y(v)} y2=${y(v)} stroke="var(--grid)" />
          <text class="axis" x=${LEFT - 6} y=${y(v) + 4}
            text-anchor="end">${short(Number(v.toFixed(v < 10 ? 1 : 0)))}</text>`,
    )}
    ${differs
      ? svg`<rect x=${LEFT} width=${right - LEFT} y=${Math.min(y(now), y(size))} height=${Math.abs(y(now) - y(size))}
        fill="var(--band)" />`
      : nothing}
    ${highs.some(has) ? svg`<path d=${path(highs)} fill="none" stroke="var(--peer)" />` : nothing}
    <path d=${path(values)} fill="none" stroke="var(--peer-strong)" stroke-width="1.4" stroke-linejoin="round" />
    ${rule(now, "--ink-3", 1, null)} ${differs ? rule(size, "--accent", 2, null) : nothing}
    ${rule(p95, "--ink", 1, "3 2")}
    ${tall
      ? svg`<text class="within" x=${(LEFT + right) / 2} y=${(y(now) + y(size)) / 2 + 4}
        text-anchor="middle">${words}</text>`
      : nothing}
    ${labels.map((l) => svg`<text class=${l.cls} x=${right + 6} y=${l.y}>${l.text}</text>`)}
    ${ticks.map((t) => svg`<text class="axis" x=${x(t)} y=${HEIGHT - 4} text-anchor="middle">${date(t)}</text>`)}
  </svg>`;
}
