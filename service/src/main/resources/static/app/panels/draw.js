// Each type of panel with what draws it and what its file has: the same in view and editor, at any size.
import { html } from "../core/html.js";
import { chart, seriesLines } from "./chart.js";
import { bucketLines, distribution } from "./distribution.js";
import { heatLegend, heatmap } from "./heatmap.js";
import { capacity, capacityLines, impact, impactLines, outlierLines, outliers, talkerLines, talkers } from "./other.js";
import { scoreboard } from "./scoreboard.js";
import { alerts, changes, properties, relations, sparklines, text } from "./small.js";
import { table, tableLines } from "./table.js";
import { timeline } from "./timeline.js";
import { top } from "./top.js";

/**
 * What draws a panel of a type gets its `answer` (PanelAnswer), the `panel` as it is defined, and a `context`: name,
 * drives (whether a click sets something), set(what), isChosen(what), tab(index, chosen), sort, sortBy(column), edit,
 * asTable, openWhole and version, which is another whenever what is chosen is.
 */
const TYPES = {
  table: { word: "Table", draw: table },
  chart: { word: "Chart", draw: chart, lines: seriesLines },
  scoreboard: { word: "Scores", draw: scoreboard },
  top: { word: "Top", draw: top },
  heatmap: { word: "Heat map", draw: heatmap, legend: heatLegend },
  distribution: { word: "Spread", draw: distribution, lines: bucketLines },
  timeline: { word: "Timeline", draw: timeline },
  sparklines: { word: "Lines", draw: sparklines },
  text: { word: "Text", draw: text },
  properties: { word: "Properties", draw: properties },
  alerts: { word: "Alerts", draw: alerts },
  relations: { word: "Relations", draw: relations },
  changes: { word: "Changes", draw: changes },
  outliers: { word: "Outliers", draw: outliers, lines: outlierLines },
  talkers: { word: "Talkers", draw: talkers, lines: talkerLines },
  impact: { word: "Impact", draw: impact, lines: impactLines },
  capacity: { word: "Capacity", draw: capacity, lines: capacityLines },
};

export const PANEL_TYPES = Object.keys(TYPES);
export const typeWord = (type) => TYPES[type]?.word ?? type;

/** Whether all there is of a panel stands in rows, so that it can be a table, too. */
export const hasRows = (answer) => Boolean(answer?.rows?.length && answer.columns?.length);

/** Whether a panel asks about objects and their columns, as a table does. */
export const hasColumns = (type) =>
  ["table", "chart", "scoreboard", "top", "heatmap", "distribution", "timeline", "sparklines"].includes(type);

/** Whether a panel does not say yet what it shows. */
export const saysNothing = (panel) => hasColumns(panel.type) && !panel.view && !panel.columns?.length;

/** Whether a panel is answered by what it says itself. */
export const isStill = (type) => type === "text";

export function drawPanel({ answer, panel, context }) {
  const type = answer?.type ?? panel.type;
  if (context.asTable && hasRows(answer)) return table({ answer, context });
  const draw = TYPES[type]?.draw;
  if (!draw) return html`<p class="empty">Panels of the type ${type} are not drawn by this version.</p>`;
  return draw({ answer, panel, context });
}

export const legendOf = (answer, panel) => TYPES[answer?.type ?? panel.type]?.legend?.(answer, panel) ?? null;

/** What a panel shows as lines of a file; null when it is nothing for one. */
export function linesOf(answer) {
  if (answer?.rows && answer.columns) return tableLines(answer);
  if (answer?.properties) return [["Property", "Value"], ...answer.properties.map((p) => [p.key, p.value])];
  if (answer?.alerts)
    return [
      ["Number", "Severity", "Name", "Object", "Since"],
      ...answer.alerts.map((a) => [a.number, a.severity, a.name, a.object?.name, new Date(a.openedAt).toISOString()]),
    ];
  if (answer?.tree)
    return [["Level", "Kind", "Name"], ...answer.tree.map((n) => [n.level, n.object.objectKind, n.object.name])];
  return TYPES[answer?.type]?.lines?.(answer) ?? null;
}
