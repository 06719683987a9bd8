// How good recommendations were that were carried out: by month, and those that were not right.
import { html, nothing, svg } from "../../core/html.js";
import { plural, short } from "../../core/format.js";
import { date } from "../../core/time.js";
import { href } from "../../core/url.js";
import { severityShape } from "../../parts/shapes.js";
import { percent } from "./words.js";

const WIDTH = 358;
const HEIGHT = 104;
const FOOT = 18;
const FEW = 5;
const letter = (month) => "JFMAMJJASOND"[Number(month.slice(5)) - 1];

/** "209 of 212 were right", or why there is no rate. */
export const rateNote = (rate) =>
  rate.rate === null
    ? rate.carriedOut
      ? `none of ${rate.carriedOut} is judged yet`
      : "none was carried out yet"
    : `${rate.hits} of ${rate.judged} ${rate.hits === 1 ? "was" : "were"} right`;

function months({ months: list }) {
  const most = Math.max(...list.map((m) => m.judged), 1);
  const wide = WIDTH / list.length;
  const bottom = HEIGHT - FOOT;
  const words = list.map((m) => `${m.month}: ${m.hits} of ${m.judged} right`).join(", ");
  return html`<svg class="months" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${words}>
    ${list.map((m, i) => {
      const high = (m.judged / most) * (bottom - 16);
      const middle = (i + 0.5) * wide;
      return svg`<g>
        <title>${`${m.month}: ${m.hits} of ${m.judged} right${m.open ? `, ${m.open} not judged yet` : ""}`}</title>
        <rect x=${i * wide + 4} width=${wide - 8} y=${bottom - Math.max(high, 1)} height=${Math.max(high, 1)}
          rx="2" fill=${m.judged ? "var(--seq-2)" : "var(--line)"} />
        ${
          m.judged
            ? svg`<text class="axis" x=${middle} y=${bottom - high - 4}
          text-anchor="middle">${m.judged}</text>`
            : nothing
        }
        ${
          m.judged > m.hits
            ? svg`<path d=${`M${middle} ${bottom - 14}l5 5-5 5-5-5z`}
          fill="var(--immediate-mark)" stroke="var(--surface)" />`
            : nothing
        }
        <text class="axis" x=${middle} y=${HEIGHT - 4} text-anchor="middle">${letter(m.month)}</text>
      </g>`;
    })}
  </svg>`;
}

const wrongWords = (one) =>
  [
    `${short(one.before)} to ${short(one.after)} ${one.unit}`,
    one.sentence ?? "",
    one.putBackAt ? `put back ${date(Date.parse(one.putBackAt))}` : "",
  ]
    .filter(Boolean)
    .join(", ");

/** The body of the pane. */
export function hitRate(rate) {
  if (!rate.carriedOut)
    return html`<div class="empty">
      <b>None was carried out yet.</b> When a size is really changed, the week after is compared with the week before;
      what came of it stands here.
    </div>`;
  return html`<p class="say-rate i2">${rate.reason}</p>
    ${months(rate)}
    ${rate.wrong.length
      ? html`<ul class="wrong">
          ${rate.wrong.slice(0, FEW).map(
            (one) =>
              html`<li>
                ${severityShape("immediate", 11, "not right")}
                <a
                  class="whole wrong-line"
                  href=${one.change ? href("/compare", { change: one.change }) : href(`/objects/${one.object.id}`)}
                  ><b>${one.object.name}</b> <span class="i2">${wrongWords(one)}</span></a
                >
              </li>`,
          )}
          ${rate.wrong.length > FEW
            ? html`<li class="m">and ${plural(rate.wrong.length - FEW, "other")}</li>`
            : nothing}
        </ul>`
      : nothing}
    ${rate.open ? html`<p class="m s12 pad">${plural(rate.open, "one is", "are")} not judged yet.</p>` : nothing}
    ${rate.rateLeast === null || rate.rate === null
      ? nothing
      : html`<p class="m s12 pad">
          The rate is ${percent(rate.rate)}; with 95 % certainty it lies between ${percent(rate.rateLeast)} and
          ${percent(rate.rateMost)}.
        </p>`}`;
}
