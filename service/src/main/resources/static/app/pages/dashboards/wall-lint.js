// What of a dashboard cannot be read on a wall, from three metres: how much there is, and how little room it has.
import { count, plural } from "../../core/format.js";
import { notesOf } from "../../panels/frame.js";
import { isSmall, MOST_PANELS, partsOf, roomOf } from "../../panels/wall-parts.js";

const MOST = { rows: 10, columns: 5, lines: 4 };
const FOOT = 22;
const ROW = 28;
const BAR = 25;
const LANE = 24;
const AXIS = 20;
const TILE = { width: 132, height: 84 };
/** How wide a letter is, and how high a line, of text. */
const LETTER = 6.2;
const LINE = 19;

/** Says it when so many things of one height do not fit, since a wall does not scroll. */
function tooMany(n, each, height, one, many) {
  const fit = Math.max(0, Math.floor(height / each));
  return n > fit ? [`room for ${count(fit)} of ${plural(n, one, many)}`] : [];
}

function tableWords(answer, height) {
  const n = answer.rows?.length ?? 0;
  const groups = answer.groups?.length ?? 0;
  const total = answer.totals?.some((t) => t !== null) ? 1 : 0;
  const columns = answer.columns?.length ?? 0;
  return [
    ...(n > MOST.rows
      ? [`${plural(n, "row")}, of which ${MOST.rows} can be read`]
      : tooMany(n + groups, ROW, height - ROW * (1 + total), "row")),
    ...(columns > MOST.columns ? [`${plural(columns, "column")}, of which ${MOST.columns} can be read`] : []),
  ];
}

function scoreWords(answer, { width, height }) {
  const columns = (answer.columns ?? []).filter((c) => c.type !== "text").length;
  const across = Math.max(1, Math.floor(width / TILE.width));
  const down = Math.max(0, Math.floor(height / TILE.height));
  const n = (answer.rows?.length ?? 0) * columns;
  return n > across * down ? [`room for ${count(across * down)} of ${plural(n, "score")}`] : [];
}

function textWords(text, { width, height }) {
  const across = Math.max(1, (width - 24) / LETTER);
  const lines = text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / across)), 0);
  return tooMany(lines, LINE, height - 8, "line");
}

/** What is too much for its room, of a panel that has an answer. */
function words(panel, answer, room) {
  const { height } = room;
  switch (answer?.type ?? panel.type) {
    case "table":
      return tableWords(answer, height);
    case "scoreboard":
      return scoreWords(answer, room);
    case "chart": {
      const n = answer.series?.length ?? 0;
      return n > MOST.lines ? [`${plural(n, "line")}, of which ${MOST.lines} can be told apart`] : [];
    }
    case "top":
      return tooMany(answer.rows?.length ?? 0, BAR, height - 6, "bar");
    case "distribution":
      return (panel.as ?? "bars") === "bars" ? tooMany(answer.buckets?.length ?? 0, BAR, height - 6, "bar") : [];
    case "timeline":
      return tooMany(answer.lanes?.length ?? 0, LANE, height - AXIS, "lane");
    case "sparklines":
      return tooMany(answer.rows?.length ?? 0, ROW, height, "line");
    case "properties":
      return tooMany(answer.properties?.length ?? 0, LANE, height, "property", "properties");
    case "alerts":
      return tooMany(answer.alerts?.length ?? 0, ROW, height, "alert");
    case "relations":
      return tooMany(answer.tree?.length ?? 0, ROW, height, "object");
    case "changes":
      return tooMany(answer.changes?.length ?? 0, ROW, height, "change");
    default:
      return [];
  }
}

/**
 * What cannot be read on a wall, `[{ panel, text }]`; `panel` null = of the dashboard. `answerOf(name)` is what a panel
 * shows now, null while that is not known.
 */
export function wallFindings(dashboard, answerOf) {
  const found = [];
  for (const { items, rows } of partsOf(dashboard.layout)) {
    if (items.length > MOST_PANELS)
      found.push({
        panel: null,
        text: `${plural(items.length, "panel")} beside each other, of which ${MOST_PANELS} can be taken in`,
      });
    for (const item of items) {
      const panel = dashboard.panels[item.panel];
      if (!panel) continue;
      const answer = answerOf(item.panel);
      const whole = roomOf(item, rows);
      const room = { ...whole, height: whole.height - (notesOf(answer).length ? FOOT : 0) };
      const said = isSmall(whole)
        ? ["too small to be read"]
        : panel.type === "text"
          ? textWords(answer?.markdown ?? panel.markdown ?? "", room)
          : answer && !answer.empty
            ? words(panel, answer, room)
            : [];
      if (said.length) found.push({ panel: item.panel, text: said.join("; ") });
    }
  }
  return found;
}
