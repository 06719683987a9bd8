// One against the others, as small drawings: the peer strip, the deviation bar, the row of buckets and the lane of
// events.
import { html, nothing, svg } from "../core/html.js";

/**
 * Tokens of members that differ, in the order in which they began; more than three are all told apart by their names.
 */
const DEVIANTS = ["--deviant-1", "--deviant-2", "--deviant-3"];
export const deviantToken = (index, count) =>
  count > DEVIANTS.length ? DEVIANTS[0] : (DEVIANTS[index] ?? DEVIANTS[0]);

/** Text in these colours: the first has a token of its own for text. */
export const deviantText = (token) => (token === "--deviant-1" ? "--deviant-1-text" : token);

const MANY = 60;
const PAD = 7;
const STEPS = 48;

/** The outline of how densely values lie, for more of them than single ticks can show. */
function ridge(values, x, middle, half) {
  const reach = (x(values.at(-1)) - x(values[0])) / 14 || 1;
  const [from, to] = [x(values[0]) - reach, x(values.at(-1)) + reach];
  const at = values.map(x);
  const heights = Array.from({ length: STEPS + 1 }, (_, i) => {
    const here = from + ((to - from) * i) / STEPS;
    return [here, at.reduce((sum, v) => sum + Math.exp(-(((v - here) / reach) ** 2)), 0)];
  });
  const most = Math.max(...heights.map(([, h]) => h));
  const top = heights.map(([px, h]) => `${px.toFixed(1)} ${(middle - (h / most) * half).toFixed(1)}`);
  const bottom = heights.toReversed().map(([px, h]) => `${px.toFixed(1)} ${(middle + (h / most) * half).toFixed(1)}`);
  return svg`<path d=${`M${top.join("L")}L${bottom.join("L")}Z`} fill="var(--peer-strong)" opacity=".55" />`;
}

/**
 * The peer strip. `ticks` are the values of the members, ascending; `lower` to `upper` is what is accepted, `bands` the
 * two of a group that is split; `deviants` have value, words (for the pointer) and, if they are not open, `quiet`.
 * `count` is how many members there are in all. Its ends are the extremes of what is drawn: positions compare, widths
 * of two strips do not.
 */
export function strip(
  {
    ticks = [],
    centre = null,
    lower = null,
    upper = null,
    bands = [],
    deviants = [],
    count = ticks.length,
    label = "",
  },
  { width = 214, height = 22 } = {},
) {
  const drawn = deviants.filter((d) => d.value !== null && d.value !== undefined);
  const all = [...ticks, ...drawn.map((d) => d.value), ...(bands.length ? [] : [lower, upper])].filter(
    (v) => v !== null && v !== undefined,
  );
  const middle = height / 2;
  if (!all.length)
    return html`<svg class="strip" width=${width} height=${height} role="img" aria-label=${label || "no values"}>
      <line x1="2" x2=${width - 2} y1=${middle} y2=${middle} stroke="var(--line)" stroke-dasharray="3 3" />
    </svg>`;
  const low = Math.min(...all);
  const high = Math.max(...all);
  const x = (v) => PAD + (high > low ? (v - low) / (high - low) : 0.5) * (width - 2 * PAD);
  const blocks = bands.length
    ? bands.map((b) => [b.lower, b.upper])
    : lower !== null && upper !== null
      ? [[lower, upper]]
      : [];
  const plain = ticks.filter((v) => !drawn.some((d) => d.value === v));
  const r = height * 0.27;
  return html`<svg
    class="strip"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    role=${label ? "img" : nothing}
    aria-label=${label || nothing}
    aria-hidden=${label ? nothing : "true"}
  >
    <line x1="2" x2=${width - 2} y1=${middle} y2=${middle} stroke="var(--line)" />
    ${blocks.map(
      ([from, to]) =>
        svg`<rect
          x=${x(from) - (bands.length ? 4 : 0)}
          y=${middle - height * 0.34}
          width=${Math.max(2, x(to) - x(from) + (bands.length ? 8 : 0))}
          height=${height * 0.68}
          rx="2"
          fill="var(--band)"
        />`,
    )}
    ${count > MANY && plain.length > 2
      ? ridge(plain, x, middle, height * 0.3)
      : plain.map(
          (v) =>
            svg`<line
              x1=${x(v)}
              x2=${x(v)}
              y1=${middle - height * 0.23}
              y2=${middle + height * 0.23}
              stroke="var(--peer-strong)"
              stroke-width="1.3"
            />`,
        )}
    ${centre === null || bands.length
      ? nothing
      : svg`<line
          x1=${x(centre)}
          x2=${x(centre)}
          y1=${middle - height * 0.34}
          y2=${middle + height * 0.34}
          stroke="var(--ink)"
          stroke-width="1.5"
        />`}
    ${drawn.map(
      (d, i) =>
        svg`<path
          d=${`M${x(d.value)} ${middle - r}l${r} ${r}l${-r} ${r}l${-r} ${-r}Z`}
          fill=${`var(${d.quiet ? "--ink-3" : (d.token ?? deviantToken(i, drawn.length))})`}
          stroke="var(--surface)"
          stroke-width="1"
          >${d.words ? svg`<title>${d.words}</title>` : nothing}</path
        >`,
    )}
  </svg>`;
}

/** How far a value is from the middle, on the scale `low` to `high` of all members; by ratio when `log` says so. */
export function deviationBar(
  { value, centre, lower, upper, low, high, hot = false, log = false },
  { width = 134, height = 14 } = {},
) {
  if (value === null || value === undefined || centre === null || centre === undefined) return nothing;
  const to = log && low > 0 ? Math.log : (v) => v;
  const [from, until] = [Math.min(low, lower ?? low), Math.max(high, upper ?? high)];
  const clamp = (v) => Math.min(Math.max(v, from), until);
  const x = (v) => 1 + ((to(clamp(v)) - to(from)) / (to(until) - to(from) || 1)) * (width - 2);
  const [a, b] = [x(centre), x(value)];
  return html`<svg class="devbar" width=${width} height=${height} aria-hidden="true">
    ${lower === null || upper === null
      ? nothing
      : svg`<rect
          x=${x(lower)}
          width=${Math.max(1, x(upper) - x(lower))}
          height=${height}
          rx="2"
          fill="var(--band)"
        />`}
    <rect
      x=${Math.min(a, b)}
      y="4"
      width=${Math.max(1.5, Math.abs(b - a))}
      height=${height - 8}
      fill=${hot ? "var(--deviant-1)" : "var(--peer-strong)"}
    />
    <line x1=${a} x2=${a} y1="0" y2=${height} stroke="var(--ink-2)" />
  </svg>`;
}

const BUCKET = 7.6;

/** The last buckets: filled when the score was over the limit, dashed when there was none. */
export function buckets(scores, limit, { token = "--deviant-1" } = {}) {
  const over = scores.filter((s) => s !== null && Math.abs(s) >= limit).length;
  const unknown = scores.filter((s) => s === null).length;
  const unjudged = unknown ? `, ${unknown} not judged` : "";
  const words = `${over} of the last ${scores.length} buckets over the limit${unjudged}`;
  return html`<svg class="buckets" width=${scores.length * BUCKET} height="8" role="img" aria-label=${words}>
    ${scores.map((s, i) =>
      s === null
        ? svg`<rect
            x=${i * BUCKET + 0.5}
            y=".5"
            width="4.4"
            height="7"
            rx="1"
            fill="none"
            stroke="var(--line-strong)"
            stroke-dasharray="1.6 1.4"
          />`
        : svg`<rect
            x=${i * BUCKET}
            width="5.4"
            height="8"
            rx="1"
            fill=${Math.abs(s) >= limit ? `var(${token})` : "var(--inset)"}
          />`,
    )}
  </svg>`;
}

/**
 * Events on a line of time: `spans` with from and to in milliseconds (to null: open), a token and words; the window of
 * the page is shaded when `window` gives it.
 */
export function lane(spans, { from, to, width = 168, height = 14, window = null, label = "" }) {
  const x = (t) => ((Math.min(Math.max(t, from), to) - from) / (to - from)) * width;
  return html`<svg
    class="lane"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    preserveAspectRatio="none"
    role=${label ? "img" : nothing}
    aria-label=${label || nothing}
    aria-hidden=${label ? nothing : "true"}
  >
    ${window && window.to > from && window.from < to
      ? svg`<rect
          x=${x(window.from)}
          width=${x(window.to) - x(window.from)}
          height=${height}
          fill="var(--accent-soft)"
          opacity=".6"
        />`
      : nothing}
    <line x1="0" x2=${width} y1=${height / 2 + 0.5} y2=${height / 2 + 0.5} stroke="var(--line)" />
    ${spans.map((s) => {
      const left = x(s.from);
      const wide = Math.max(4, x(s.to ?? to) - left);
      return svg`<rect
        x=${Math.min(left, width - wide)}
        y=${height / 2 - 4}
        width=${wide}
        height="9"
        rx="2"
        fill=${`var(${s.token})`}
        >${s.words ? svg`<title>${s.words}</title>` : nothing}</rect
      >`;
    })}
  </svg>`;
}

/** A line over what was accepted meanwhile, without axes; both lie on one scale. */
export function bandLine(values, lower, upper, { width = 146, height = 44, token = "--deviant-1" } = {}) {
  const all = [...values, ...lower, ...upper].filter((v) => v !== null && v !== undefined);
  if (all.length < 2) return nothing;
  const low = Math.min(...all);
  const high = Math.max(...all);
  const x = (i) => (1 + (i / Math.max(1, values.length - 1)) * (width - 6)).toFixed(1);
  const y = (v) => (height - 3 - ((v - low) / (high - low || 1)) * (height - 6)).toFixed(1);
  const there = (list) => list.flatMap((v, i) => (v === null || v === undefined ? [] : [[i, v]]));
  const path = (list) => list.map(([i, v]) => `${x(i)} ${y(v)}`).join("L");
  let line = "";
  values.forEach((v, i) => {
    if (v !== null && v !== undefined) line += `${i > 0 && values[i - 1] !== null ? "L" : "M"}${x(i)} ${y(v)}`;
  });
  const [band, last] = [[...there(upper), ...there(lower).toReversed()], values.at(-1)];
  return html`<svg
    class="band-line"
    width=${width}
    height=${height}
    viewBox=${`0 0 ${width} ${height}`}
    aria-hidden="true"
  >
    ${band.length ? svg`<path d=${`M${path(band)}Z`} fill="var(--band)" />` : nothing}
    <path d=${line} fill="none" stroke=${`var(${token})`} stroke-width="1.5" stroke-linejoin="round" />
    ${last === null || last === undefined
      ? nothing
      : svg`<circle cx=${x(values.length - 1)} cy=${y(last)} r="2.2" fill=${`var(${token})`} />`}
  </svg>`;
}
