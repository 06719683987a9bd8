// The ranking as a table: bars with shares, changes, what is sustained beside what comes in bursts, and a line each.
import { html, nothing, svg } from "../../core/html.js";
import { count } from "../../core/format.js";
import { kindWord } from "../../core/metrics.js";
import { changeText, MEASURES, percent } from "../../core/talkers.js";
import { duration, HOUR, range } from "../../core/time.js";
import { param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { ordered } from "../../parts/rows.js";
import { spark } from "../../parts/small.js";

const BAR = 104;

/** How long the window is, in as few letters as a head of a column has. */
export function span() {
  const { from, to } = range();
  const hours = Math.round((to - from) / HOUR);
  return hours < 1 ? duration(to - from) : hours < 48 || hours % 24 ? `${hours} h` : `${hours / 24} d`;
}

const hotWords = (row, more) => more.hot(row);

function change(c, row, more) {
  const text = changeText(c, row.value);
  const hot = c && c.change !== null && hotWords(row, more) && Math.abs(c.change) >= 0.1;
  return html`<span
    class=${hot ? "hot" : "m"}
    title=${c ? `then ${more.data.text(c.value)}` : "Nothing is kept of that time"}
    >${text}</span
  >`;
}

/** A value in percent of the largest. */
const shareOf = (value, { most }) => (most ? Math.min(100, (value / most) * 100) : 0);

/** A share of the largest as a bar in the colour of the talker's layer. */
function shareBar(row, { data, colour, hot }) {
  const token = hot(row) ? "--deviant-1" : (colour(row.id) ?? "--seq-2");
  return html`<span class="share-bar"
    ><i .style=${`width:${data.most ? Math.max(0.4, shareOf(row.value, data)) : 0}%;background:var(${token})`}></i
  ></span>`;
}

/** What is sustained as a bar, and the busiest minute as a rule. */
function burst(row, { data }) {
  if (row.peakMinuteRate === undefined) return nothing;
  const x = (v) => (data.mostPeak ? Math.min(1, v / data.mostPeak) * (BAR - 4) : 0);
  const [mean, peak] = [x(row.meanRate), Math.max(x(row.meanRate), x(row.peakMinuteRate))];
  return html`<svg class="burst" width=${BAR} height="14" aria-hidden="true">
    <line x1="0" x2=${BAR} y1="7" y2="7" stroke="var(--line)" />
    <rect y="4" width=${Math.max(1, mean)} height="6" rx="1.5" fill="var(--peer-strong)" />
    <line x1=${mean} x2=${peak} y1="7" y2="7" stroke="var(--peer-strong)" />
    ${svg`<line x1=${peak + 1} x2=${peak + 1} y1="2" y2="12" stroke="var(--ink)" stroke-width="2" />`}
  </svg>`;
}

/** Said of a talker that has more than its learned bounds allow in these hours. */
const unusual = (row, { data }) =>
  row.usual?.unusual
    ? html` <span class="chip" title=${`More than is usual for it in these hours, ${data.text(row.usual.most)} at most`}
        >unusual</span
      >`
    : nothing;

const rate = (v, { data }) => (v === undefined ? "-" : data.rateText(v));
const changeOf = (c, row) => (c ? (c.change ?? (row.value > 0 ? Infinity : -Infinity)) : -Infinity);

const ORDERS = {
  name: (a, b) => a.name.localeCompare(b.name),
  value: (a, b) => a.value - b.value,
  share: (a, b) => a.value - b.value,
  before: (a, b) => changeOf(a.before, a) - changeOf(b.before, b),
  week: (a, b) => changeOf(a.weekAgo, a) - changeOf(b.weekAgo, b),
  burst: (a, b) => (a.peakMinuteRate ?? 0) - (b.peakMinuteRate ?? 0),
  mean: (a, b) => (a.meanRate ?? 0) - (b.meanRate ?? 0),
  peak: (a, b) => (a.peakMinuteRate ?? 0) - (b.peakMinuteRate ?? 0),
  // Of an address that names no column.
  rank: (a, b) => a.rank - b.rank,
};
/** The order of an address that says nothing of it. */
const USUAL_ORDER = "-value";
const byRank = (a, b) => a.rank - b.rank;
export const compare = (a, b) =>
  param("sort", USUAL_ORDER) === USUAL_ORDER ? byRank(a, b) : ordered(ORDERS, "rank", byRank)(a, b);

/** Long names leave less room for the rest. */
export const SHORT_NAMES = ["name", "bar", "value", "share", "before", "week", "burst", "line"];
export const LONG_NAMES = ["name", "bar", "value", "share", "before", "line"];

/** `heads()` says what the first column and that of the values are called. */
export function talkerColumns(table, heads, address, usual) {
  const definitions = {
    name: {
      list: "name",
      get name() {
        return heads().name;
      },
      sort: true,
      least: 120,
      td: "strong",
      title: (r) => r.name,
      cell: (r, more) => html`${address(r) ? html`<a href=${address(r)}>${r.name}</a>` : r.name}${unusual(r, more)}`,
    },
    bar: { list: "what", name: "Of the largest", width: 70, cls: "prio-3 beside-gone", cell: shareBar },
    value: {
      list: "value",
      get name() {
        return heads().value;
      },
      sort: true,
      width: 84,
      cls: "r",
      cell: (r, more) => more.data.text(r.value),
    },
    share: { name: "Share", sort: true, width: 64, cls: "r", cell: (r) => percent(r.share) },
    before: {
      list: "long",
      get name() {
        return `${span()} before`;
      },
      sort: true,
      width: 74,
      cls: "r",
      cell: (r, more) => change(r.before, r, more),
    },
    week: { name: "Week ago", sort: true, width: 72, cls: "r", cell: (r, more) => change(r.weekAgo, r, more) },
    burst: {
      get name() {
        return heads().burst;
      },
      sort: true,
      width: 120,
      cls: "prio-3 beside-gone",
      title: (r, more) =>
        r.meanRate === undefined
          ? nothing
          : `mean ${rate(r.meanRate, more)}, ${more.data.measure ? "busiest minute" : "at most"} ${rate(r.peakMinuteRate, more)}`,
      cell: burst,
    },
    line: {
      get name() {
        return span();
      },
      width: 112,
      cls: "prio-3",
      cell: (r, more) =>
        spark(r.sparkline ?? [], {
          width: 100,
          height: 18,
          zero: true,
          colour: more.hot(r) ? "--deviant-1" : "--peer-strong",
        }),
    },
    mean: { name: "Mean", sort: true, width: 92, cls: "r", cell: (r, more) => rate(r.meanRate, more) },
    peak: { name: "Peak", sort: true, width: 92, cls: "r", cell: (r, more) => rate(r.peakMinuteRate, more) },
    kind: { name: "Kind", width: 104, cell: (r) => (r.talker.object ? kindWord(r.talker.object.objectKind) : "") },
    usual: {
      name: "Usual at most",
      hint: "what is usual in these hours, learned from the weeks before",
      width: 104,
      cls: "r",
      td: "m",
      cell: (r, more) => (r.usual ? more.data.text(r.usual.most) : "-"),
    },
    least: {
      name: "At most missed",
      hint: "by how much a value may be too small",
      width: 104,
      cls: "r",
      td: "m",
      cell: (r, more) => (r.mayMiss ? more.data.text(r.mayMiss) : "exact"),
    },
  };
  return choosable(table, { definitions, usual, fixed: ["name", "value"] });
}

const quiet = (shown, cell) =>
  shown.map((c) => html`<td class="${c.cls ?? ""} m ${c.list ? `l-${c.list}` : ""}">${cell(c.id) ?? nothing}</td>`);

/** What is not listed: others together, and traffic of no talker. */
function below(data, shown, more, words) {
  const { others, unassigned, total } = data;
  const parts = [];
  if (others && others.talkers > 0 && (others.value === null || others.value > 0)) {
    const row = { ...others, sparkline: others.sparkline ?? [] };
    parts.push(
      html`<tr class="quiet">
        <td></td>
        ${quiet(
          shown,
          (id) =>
            ({
              name: `${count(others.talkers)} others`,
              bar:
                others.value === null
                  ? nothing
                  : html`<span class="share-bar"
                      ><i .style=${`width:${shareOf(others.value, data)}%;background:var(--line-strong)`}></i
                    ></span>`,
              value: others.value === null ? "-" : data.text(others.value),
              share: percent(others.share),
              before: change(others.before, { ...row, id: null }, more),
              week: change(others.weekAgo, { ...row, id: null }, more),
              line: spark(row.sparkline, { width: 100, height: 18, zero: true }),
            })[id],
        )}
      </tr>`,
    );
  }
  if (unassigned > 0) {
    parts.push(
      html`<tr class="quiet" title="Traffic with these ends counts in the total and belongs to no row">
        <td></td>
        ${quiet(
          shown,
          (id) =>
            ({
              name: words,
              value: data.text(unassigned),
              share: data.measure === "peak" ? "-" : percent(total ? unassigned / total : null),
              bar: html`<span class="share-bar"
                ><i .style=${`width:${shareOf(unassigned, data)}%;background:var(--line-strong)`}></i
              ></span>`,
            })[id],
        )}
      </tr>`,
    );
  }
  return parts.length
    ? html`<tbody class="below">
        ${parts}
      </tbody>`
    : nothing;
}

/** `hot(row)` says whether something is open on it, `colour(id)` gives the token of its layer. */
export function talkerTable({ data, rows, columns, hot, colour, open, none }) {
  const more = { data, hot, colour };
  const shown = columns.shown();
  const row = (r) =>
    html`<tr
      class=${rows.isOn(r) ? "sel" : ""}
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
      @dblclick=${(e) => !e.target.closest("a") && open(r)}
    >
      <td class="rank m l-shape">${r.rank}</td>
      ${cells(shown, r, more)}
    </tr>`;
  const list = rows.list();
  return rows.box(
    columns.table(
      { name: "talkers", lead: "w-rank", leadWidth: 44, room: 90, usual: USUAL_ORDER },
      html`${rows.body(list, row)}${below(data, shown, more, none)}`,
    ),
  );
}

/** What has to be known to read the figures rightly. */
export function honestly(data) {
  const parts = [];
  const levels = { "1m": "minutes", "5m": "5 minutes", "1h": "hours", "1d": "days" };
  if (data.level && levels[data.level]) parts.push(`read from sums by ${levels[data.level]}`);
  if (data.duplicateShare > 0.0005)
    parts.push(`${percent(data.duplicateShare)} more was seen by several exporters and counts once`);
  if (data.foldedShare > 0.00005)
    parts.push(`${percent(data.foldedShare)} of the bytes is folded, without receiver and port`);
  if (data.mayMiss > 0) parts.push(`values may be too small by ${data.text(data.mayMiss)} at most`);
  else if (data.mayMiss === 0 && data.measure) parts.push("exact");
  return parts.join("; ").replace(/^./, (c) => c.toUpperCase());
}

export const measureHead = (measure) => MEASURES[measure]?.[1] ?? measure;
