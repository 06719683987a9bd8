// Machines that fit into a cluster, day by day, a line for each plan.
import { svg } from "../../core/html.js";
import { count } from "../../core/format.js";
import { DAY, date } from "../../core/time.js";
import { axis, frame, path, XyChart } from "../../chart/xy-chart.js";

const LEFT = 44;
const BELOW = 22;
/** A label of the axis of days has so much room. */
const ROOM = 130;

/** Runs of points without a gap between them. */
function whole(points) {
  const out = [[]];
  for (const p of points) {
    if (p.value === null) out.push([]);
    else out.at(-1).push(p);
  }
  return out.filter((part) => part.length);
}

/**
 * @typedef {object} PlanLinesSpec
 * @property {string} words what the picture says
 * @property {{colour: string, dashed: boolean, points: {time: number, value: number|null}[]}[]} lines at least one value is
 *   known
 */
class PlanLines extends XyChart {
  words(spec) {
    return spec.words;
  }

  picture(spec, width, height) {
    const points = spec.lines.flatMap((line) => line.points);
    const times = points.map((p) => p.time);
    const [from, to] = [Math.min(...times), Math.max(...times)];
    const [left, right, bottom] = [LEFT, width - 12, height - BELOW];
    const most = Math.max(1, ...points.map((p) => p.value ?? 0));
    const y = axis({ low: 0, high: most, from: bottom, to: 10, parts: Math.min(3, most) });
    const at = (t) => left + ((t - from) / (to - from || 1)) * (right - left);
    const days = Math.round((to - from) / DAY);
    const step = Math.max(1, Math.ceil(days / Math.max(1, Math.floor((right - left) / ROOM))));
    const ticks = Array.from({ length: Math.floor(days / step) + 1 }, (_, i) => from + i * step * DAY);
    return svg`${frame({ left, right, bottom, x: { at, ticks }, y, xText: date, yText: count })}
      ${spec.lines.map(
        (line) =>
          svg`<path d=${whole(line.points)
            .map((part) => path(part.map((p) => [at(p.time), y.at(p.value)])))
            .join("")} stroke=${`var(${line.colour})`} stroke-dasharray=${line.dashed ? "4 3" : "none"} />`,
      )}`;
  }
}

customElements.define("plan-lines", PlanLines);
