// Lanes over time: a lane each object, coloured by what state it was in.
import { html, nothing, svg } from "../core/html.js";
import { plural } from "../core/format.js";
import { moment } from "../core/time.js";
import { timeTicks } from "../chart/scale.js";
import { severityShape, shape } from "../parts/shapes.js";
import { box } from "./panel-box.js";
import { rankOf, STATES } from "./words.js";

const ROW = 24;
const AXIS = 20;
const FILLS = { normal: "--seq-2", warning: "--warning-soft", immediate: "--immediate-mark", critical: "--critical" };

const worst = (lane) => lane.segments.reduce((most, s) => Math.max(most, rankOf(s.state)), 0);
const times = (lane) => plural(lane.segments.filter((s) => rankOf(s.state)).length, "time");
const says = (s) =>
  `${s.value === null || s.value === undefined ? (s.state ?? "no data") : s.value}${s.state && s.state !== "normal" ? `, ${s.state}` : ""}, ${moment(s.from)} to ${moment(s.to)}`;

export function timeline({ answer, context }) {
  const lanes = answer.lanes ?? [];
  return box(
    [answer, context.version],
    (width) => {
      const names = Math.min(150, Math.max(112, width * 0.24));
      const w = Math.max(60, width - names - 24);
      const x = (t) => ((Math.max(answer.from, Math.min(answer.to, t)) - answer.from) / (answer.to - answer.from)) * w;
      return html`<div class="lanes-panel" .style=${`grid-template-columns:${names}px minmax(0,1fr)`}>
        ${lanes.map((lane, i) => {
          const what = { object: lane.object?.id, instance: lane.instance };
          const chosen = context.isChosen(what);
          const state = STATES[worst(lane)];
          return html`<div
            class="lane-row ${context.drives ? "drives" : ""} ${chosen ? "sel" : ""}"
            role=${context.drives && !context.edit ? "button" : "group"}
            aria-label=${`${lane.object.name}: ${times(lane)} beyond a bound`}
            data-row=${i}
            data-object=${lane.object?.id ?? nothing}
            tabindex=${context.edit ? nothing : context.tab(i, chosen)}
            @click=${() => context.set(what)}
          >
            <span class="cut" title=${lane.object.name}
              >${worst(lane) ? severityShape(state, 10, state) : shape("alike", 10)} ${lane.object.name}</span
            ><svg width=${w} height=${ROW} aria-hidden="true">
              <line x1="0" x2=${w} y1=${ROW / 2} y2=${ROW / 2} stroke="var(--line)" />
              ${lane.segments.map((s) => {
                const known = s.state !== null && s.state !== undefined;
                return svg`<rect
                  x=${x(s.from)}
                  y="6"
                  width=${Math.max(1, x(s.to) - x(s.from) - 0.5)}
                  height=${ROW - 12}
                  fill=${known ? `var(${FILLS[s.state] ?? "--seq-2"})` : "none"}
                  stroke=${s.state === "warning" ? "var(--warning-mark)" : known ? "none" : "var(--unknown)"}
                  stroke-dasharray=${known ? nothing : "2.2 2"}
                ><title>${says(s)}</title></rect>`;
              })}
            </svg>
          </div>`;
        })}
        <span></span
        ><svg class="lane-axis" width=${w} height=${AXIS} aria-hidden="true">
          ${timeTicks(answer.from, answer.to, w, 78).map(([t, words]) => {
            const at = x(t);
            return at < 18 || at > w - 18
              ? nothing
              : svg`<text class="axis" x=${at} y="14" text-anchor="middle">${words}</text>`;
          })}
        </svg>
      </div>`;
    },
    "scrolls",
  );
}
