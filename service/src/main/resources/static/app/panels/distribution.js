// A distribution: how many objects each value or range of values has, as bars, a donut or a histogram.
import { html, nothing, svg } from "../core/html.js";
import { count, number } from "../core/format.js";
import { severityShape } from "../parts/shapes.js";
import { box } from "./panel-box.js";

const TOKENS = { warning: "--warning-mark", immediate: "--immediate-mark", critical: "--critical" };
const LETTER_HALF = 3.3;
const SEQUENCE = ["--seq-4", "--seq-3", "--seq-2", "--seq-5", "--seq-1"];

const isHot = (bucket) => bucket.state && bucket.state !== "normal";
const share = (n, total) => (total ? `${Math.round((n / total) * 100)} %` : "");

/** What makes a bucket something to choose: its place in the order of keys, its name, what a click sets. */
const driven = (bucket, i, context) => {
  const what = { slice: bucket.slice };
  return { what, chosen: context.isChosen(what), tab: context.edit ? nothing : context.tab(i, context.isChosen(what)) };
};

const shown = (bucket, total) =>
  `${bucket.label}: ${count(bucket.count)}${total ? `, ${share(bucket.count, total)}` : ""}${isHot(bucket) ? `, ${bucket.state}` : ""}`;

function bars({ answer, context }) {
  const { buckets } = answer;
  const most = Math.max(...buckets.map((b) => b.count), 1);
  const total = buckets.reduce((sum, b) => sum + b.count, 0);
  return html`<ul class="bars buckets-list scrolls">
    ${buckets.map((b, i) => {
      const { what, chosen, tab } = driven(b, i, context);
      return html`<li
        class="bar-row buckets ${context.drives ? "drives" : ""} ${chosen ? "sel" : ""}"
        data-row=${i}
        tabindex=${tab}
        @click=${() => context.set(what)}
      >
        <span class="bar-name cut" title=${b.label}
          >${isHot(b) ? severityShape(b.state, 10, b.state) : nothing}${b.label}</span
        ><span class="bar-track"
          ><span
            class="bar-fill"
            .style=${`width:${(b.count / most) * 100}%;background:var(${TOKENS[b.state] ?? "--seq-3"})`}
          ></span></span
        ><b class="r">${count(b.count)}</b><span class="m s12 r">${share(b.count, total)}</span>
      </li>`;
    })}
  </ul>`;
}

function histogram({ answer, context }) {
  const { buckets } = answer;
  const most = Math.max(...buckets.map((b) => b.count), 1);
  return box([answer, context.version], (width, height) => {
    const step = (width - 24) / buckets.length;
    const tall = height - 40;
    const every = Math.ceil(52 / step);
    return html`<svg class="histogram" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
      <line x1="12" x2=${width - 12} y1=${20 + tall} y2=${20 + tall} stroke="var(--line-strong)" />
      ${buckets.map((b, i) => {
        const { what, chosen, tab } = driven(b, i, context);
        const h = (b.count / most) * tall;
        const x = 12 + i * step;
        const middle = x + step / 2;
        return svg`<g
          class="cell"
          data-row=${i}
          role=${context.edit ? "img" : "button"}
          aria-label=${shown(b)}
          tabindex=${tab}
          @click=${() => context.set(what)}
        >
          <title>${shown(b)}</title>
          <rect x=${x} y="0" width=${step} height=${20 + tall} fill="transparent" />
          <rect
            x=${x + 1}
            y=${20 + tall - Math.max(b.count ? 2 : 0, h)}
            width=${Math.max(1, step - 2)}
            height=${Math.max(b.count ? 2 : 0, h)}
            fill=${chosen ? "var(--accent)" : `var(${TOKENS[b.state] ?? "--seq-3"})`}
            stroke=${chosen ? "var(--ink)" : "none"}
          />
          ${
            step > 20 && b.count
              ? svg`<text class="axis" x=${middle} y=${15 + tall - h} text-anchor="middle">${count(b.count)}</text>`
              : nothing
          }
          ${i % every ? nothing : label(short(axisWords(b), step * every), middle, 34 + tall, width)}
        </g>`;
      })}
    </svg>`;
  });
}

const short = (text, width) => {
  const most = Math.max(3, Math.floor(width / 6.2));
  return text.length <= most ? text : `${text.slice(0, most - 1)}\u2026`;
};

/** What stands below a bar: of a range where it begins, which the next one ends. */
export const axisWords = ({ label, least, beyond }) =>
  least !== undefined && least !== null
    ? `${beyond === undefined || beyond === null ? "\u2265 " : ""}${number(least)}`
    : beyond !== undefined && beyond !== null
      ? `< ${number(beyond)}`
      : label;

/** A label below its bar, moved inwards where it would be cut. */
function label(text, middle, y, width) {
  const half = text.length * LETTER_HALF;
  const [x, anchor] = middle < half ? [1, "start"] : middle > width - half ? [width - 1, "end"] : [middle, "middle"];
  return svg`<text class="axis" x=${x} y=${y} text-anchor=${anchor}>${text}</text>`;
}

function donut({ answer, context }) {
  const { buckets } = answer;
  const total = buckets.reduce((sum, b) => sum + b.count, 0) || 1;
  return box([answer, context.version], (width, height) => {
    const r = Math.max(20, Math.min(height / 2 - 10, width / (width > 260 ? 4 : 2.4)));
    const [cx, cy] = [r + 12, height / 2];
    let from = -Math.PI / 2;
    const arcs = buckets.map((b, i) => {
      const to = from + (b.count / total) * 2 * Math.PI;
      const { what, chosen, tab } = driven(b, i, context);
      const at = (angle, radius) =>
        `${(cx + Math.cos(angle) * radius).toFixed(2)} ${(cy + Math.sin(angle) * radius).toFixed(2)}`;
      const inner = r * 0.62;
      // A whole ring is two halves: an arc that ends where it begins is none.
      const end = to - from > 2 * Math.PI - 1e-6 ? to - 1e-3 : to;
      const large = end - from > Math.PI ? 1 : 0;
      const path = `M${at(from, r)}A${r} ${r} 0 ${large} 1 ${at(end, r)}L${at(end, inner)}A${inner} ${inner} 0 ${large} 0 ${at(from, inner)}Z`;
      from = to;
      return b.count
        ? svg`<path
            class="cell"
            d=${path}
            data-row=${i}
            role=${context.edit ? "img" : "button"}
            aria-label=${shown(b, total)}
            tabindex=${tab}
            fill=${`var(${TOKENS[b.state] ?? SEQUENCE[i % SEQUENCE.length]})`}
            stroke=${chosen ? "var(--ink)" : "var(--surface)"}
            stroke-width=${chosen ? 2 : 1.5}
            @click=${() => context.set(what)}
          ><title>${shown(b, total)}</title></path>`
        : nothing;
    });
    return html`<div class="donut">
      <svg width=${2 * r + 24} height=${height}>
        ${arcs} ${svg`<text class="big" x=${cx} y=${cy + 7} text-anchor="middle">${count(total)}</text>`}
      </svg>
      <ul class="donut-names">
        ${buckets.map(
          (b, i) =>
            html`<li class="cut" title=${shown(b, total)}>
              ${isHot(b)
                ? severityShape(b.state, 10, b.state)
                : html`<i .style=${`background:var(${SEQUENCE[i % SEQUENCE.length]})`}></i>`}<span class="cut"
                >${b.label}</span
              ><span class="sp"></span><b>${count(b.count)}</b>
            </li>`,
        )}
      </ul>
    </div>`;
  });
}

const FORMS = { bars, histogram, donut };

export function distribution({ answer, panel, context }) {
  if (!answer.buckets?.length) return nothing;
  return FORMS[panel.as ?? (answer.buckets.some((b) => b.least !== undefined) ? "histogram" : "bars")]({
    answer,
    context,
  });
}

/** The buckets as lines of a file. */
export const bucketLines = (answer) => [["Value", "Objects"], ...(answer.buckets ?? []).map((b) => [b.label, b.count])];
