// How a comparison reads: judgements as shapes and words, values in one unit, the interval of a change as a small
// picture.
import { html, nothing, svg } from "../../core/html.js";
import { NONE, scale, short } from "../../core/format.js";

// Better and worse point up and down, whatever the numbers did; the colour only repeats it.
const JUDGEMENTS = {
  better: { word: "better", token: "--added", path: "M6 1 11.5 10.5H.5z", fill: true },
  worse: { word: "worse", token: "--deviant-1", path: "M6 11 11.5 1.5H.5z", fill: true },
  different: { word: "different", token: "--info", path: "M6 .7 11.3 6 6 11.3.7 6z" },
  same: { word: "the same", token: "--line-strong", path: "M1 4h10M1 8h10" },
  "not-enough-data": {
    word: "not enough data",
    token: "--unknown",
    path: "M6 1.4a4.6 4.6 0 1 0 .01 0z",
    dash: "2.2 2",
  },
};

export const judgementWord = (judgement) => JUDGEMENTS[judgement]?.word ?? judgement;

export function judgementShape(judgement, size = 12) {
  const j = JUDGEMENTS[judgement] ?? JUDGEMENTS.same;
  const colour = `var(${j.token})`;
  return html`<svg class="shape" width=${size} height=${size} viewBox="0 0 12 12" aria-hidden="true">
    ${j.fill
      ? svg`<path d=${j.path} fill=${colour} />`
      : svg`<path
          d=${j.path}
          fill="none"
          stroke=${colour}
          stroke-width="1.7"
          stroke-dasharray=${j.dash ?? nothing}
        />`}
  </svg>`;
}

/** `text(v)` for all values of a metric, in the unit that suits the largest of them. */
export function unitOf(m) {
  const most = Math.max(...[m.a.median, m.b.median, m.a.p95, m.b.p95].map((v) => Math.abs(v ?? 0)));
  const { unit, factor } = scale(m.unit, most, m.network);
  return {
    unit,
    text: (v) => (v === null ? NONE : short(v * factor)),
    signed: (v) => (v === null ? NONE : `${v > 0 ? "+" : ""}${short(v * factor)}`),
  };
}

/** A change as a share of the larger median; null = it has none. */
export function share(m, v) {
  const size = Math.max(Math.abs(m.a.median ?? 0), Math.abs(m.b.median ?? 0));
  return v === null || size === 0 ? null : v / size;
}

export function percent(s) {
  if (s === null) return NONE;
  const p = Math.abs(s * 100);
  return `${s > 0 ? "+" : s < 0 ? "\u2212" : ""}${p < 10 ? p.toFixed(1) : Math.round(p)} %`;
}

/** How certain a change is. */
export const chance = (p) => (p === null ? NONE : p < 0.001 ? "< 0.001" : p.toFixed(3));

const WIDTH = 150;
const MIDDLE = WIDTH / 2;

/**
 * The interval of the change around no change: a bar from its lower to its upper end, a dot at the change. `most` is
 * the share at the edge.
 */
export function interval(m, most) {
  const [low, at, high] = [m.low, m.shift, m.high].map((v) => share(m, v));
  if (at === null || low === null || high === null) return html`<span class="m">${NONE}</span>`;
  const x = (s) => MIDDLE + Math.max(-1, Math.min(1, s / most)) * (MIDDLE - 5);
  const colour = `var(${m.level === "same" ? "--median" : (JUDGEMENTS[m.level] ?? JUDGEMENTS.same).token})`;
  return html`<svg
    class="interval"
    width=${WIDTH}
    height="16"
    viewBox=${`0 0 ${WIDTH} 16`}
    role="img"
    aria-label=${`between ${percent(low)} and ${percent(high)}`}
  >
    <line x1="0" x2=${WIDTH} y1="8" y2="8" stroke="var(--grid)" />
    <line x1=${MIDDLE} x2=${MIDDLE} y1="1" y2="15" stroke="var(--axis)" />
    <line
      x1=${x(low)}
      x2=${Math.max(x(low) + 1, x(high))}
      y1="8"
      y2="8"
      stroke=${colour}
      stroke-width="4"
      stroke-opacity=".45"
    />
    <circle cx=${x(at)} cy="8" r="3.5" fill=${colour} />
  </svg>`;
}

/** The share at the edge of all pictures of a table: the widest interval, at least 10 % and at most 100 %. */
export const widest = (metrics) =>
  Math.min(1, Math.max(0.1, ...metrics.flatMap((m) => [m.low, m.high].map((v) => Math.abs(share(m, v) ?? 0)))));
