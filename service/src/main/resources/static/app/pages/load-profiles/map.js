// The hours of a group by block size and share of reads, with the profiles that they fall into.
import { html, nothing } from "../../core/html.js";
import { count } from "../../core/format.js";
import { memo } from "../../core/memo.js";
import { blockWord, iops, share } from "./words.js";

const LEAST_COLUMNS = 6;
const STEP = 10;
/** Cells with a smaller share of the hours have no room for a figure that says something. */
const WRITTEN = 0.01;
const LETTERS = "ABCDEFGHIJ";

const power = (bytes) => Math.round(Math.log2(bytes));

/** The cells in columns by block size and rows by share of reads, with the letters of the profiles whose middle they are. */
const arranged = memo((group) => {
  const powers = group.cells.map((c) => power(c.blockSize));
  let first = Math.min(...powers);
  let last = Math.max(...powers);
  while (last - first + 1 < LEAST_COLUMNS) {
    if (first > 9) first--;
    last++;
  }
  const total = group.cells.reduce((sum, c) => sum + c.hours, 0);
  const most = Math.max(...group.cells.map((c) => c.hours));
  const byPlace = new Map(group.cells.map((c) => [`${power(c.blockSize)} ${c.readPercent}`, c]));
  const letters = new Map();
  group.clusters.forEach((c, i) => {
    if (c.blockSize === null || c.readShare === null) return;
    const column = Math.min(last, Math.max(first, power(c.blockSize)));
    const place = `${column} ${Math.round((c.readShare * 100) / STEP) * STEP}`;
    letters.set(place, (letters.get(place) ?? "") + LETTERS[i]);
  });
  const columns = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const rows = Array.from({ length: 100 / STEP + 1 }, (_, i) => 100 - i * STEP);
  return { columns, rows, byPlace, letters, total, most };
});

export function hoursMap(group) {
  const { columns, rows, byPlace, letters, total, most } = arranged(group);
  const cell = (column, reads) => {
    const place = `${column} ${reads}`;
    const of = byPlace.get(place);
    const letter = letters.get(place);
    const badge = letter ? html`<b class="map-letter">${letter}</b>` : nothing;
    if (!of) return html`<td>${badge}</td>`;
    const part = of.hours / total;
    const level = Math.max(1, Math.ceil(5 * Math.sqrt(of.hours / most)));
    return html`<td
      class="level-${level}"
      title=${`${count(of.hours)} hours, ${share(part)}: around ${blockWord(of.blockSize)}, ${reads} % reads`}
    >
      ${badge}${part >= WRITTEN ? Math.round(part * 100) : nothing}
    </td>`;
  };
  return html`<table class="hours-map">
    <caption class="unseen">
      Per cent of the hours by block size and share of reads
    </caption>
    <tbody>
      ${rows.map(
        (reads) =>
          html`<tr>
            <th scope="row">${reads % 20 ? html`<span class="unseen">${reads} %</span>` : `${reads} %`}</th>
            ${columns.map((column) => cell(column, reads))}
          </tr>`,
      )}
      <tr class="map-foot">
        <td></td>
        ${columns.map((column) => html`<th scope="col">${blockWord(2 ** column)}</th>`)}
      </tr>
    </tbody>
  </table>`;
}

/** The profiles, most hours first; a click chooses the one that the load is made of. */
export function profileList(group, chosen, choose) {
  return html`<ol class="hour-profiles">
    ${group.clusters.map(
      (c, i) =>
        html`<li>
          <button
            aria-pressed=${c.name === chosen}
            title="Makes the load of this profile alone"
            @click=${() => choose(c.name === chosen ? null : c.name)}
          >
            <b class="map-letter">${LETTERS[i]}</b>
            <span class="profile-name">${c.name}</span>
            <span class="bar-track"
              ><span class="bar-fill" .style=${`width:${Math.max(0.5, c.shareOfHours * 100)}%`}></span
            ></span>
            <span class="r strong">${share(c.shareOfHours)}<span class="m"> of hours</span></span>
            <span class="m s12 profile-more"
              >${share(c.shareOfOperations)} of operations, ${iops(c.iops.p95)} IOPS at p95, ${iops(c.iops.peak)} at the
              highest</span
            >
          </button>
        </li>`,
    )}
  </ol>`;
}
