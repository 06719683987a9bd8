// The figures of a group: at a glance, with their percentiles, and by what machines have.
import { html, nothing } from "../../core/html.js";
import { count, NONE, number, plural } from "../../core/format.js";
import { moment } from "../../core/time.js";
import { byteRate, iops, millis, share, size } from "./words.js";

const known = (v) => v !== null && v !== undefined;

const tile = (name, value, note) =>
  html`<div class="fig">
    <span class="s12 i2">${name}</span>
    <b class=${known(value) ? "" : "none"}>${known(value) ? value : "not known"}</b>
    <span class="s12 m">${note}</span>
  </div>`;

/** Five figures in a line. */
export function tiles(group) {
  const of = (v, text) => (known(v) ? text(v) : null);
  const { iops: operations, throughput, latencyMillis: latency } = group;
  return html`<section class="pane figs-pane" aria-label="At a glance">
    <div class="figs">
      ${tile(
        "IOPS, p95",
        of(operations.p95, iops),
        known(operations.mean) ? `mean ${iops(operations.mean)}` : "no collector sent them",
      )}
      ${tile(
        "Throughput, p95",
        of(throughput.p95, byteRate),
        known(throughput.mean) ? `mean ${byteRate(throughput.mean)}` : "no collector sent it",
      )}
      ${tile(
        "Block size",
        of(group.blockSize, size),
        known(group.blockSize)
          ? `reads ${size(group.readBlockSize)}, writes ${size(group.writeBlockSize)}`
          : "needs operations and throughput",
      )}
      ${tile(
        "Reads",
        of(group.readShare, share),
        known(group.readShare) ? `writes ${share(1 - group.readShare)}` : "needs operations by kind",
      )}
      ${tile(
        "Latency, p95",
        of(latency.p95, millis),
        known(latency.mean) ? `mean ${millis(latency.mean)}, weighted by IOPS` : "no collector sent it",
      )}
    </div>
  </section>`;
}

const COLUMNS = ["mean", "p50", "p95", "p99", "peak"];

/** Every distribution with its percentiles, its highest hour and when that was. */
export function distributions(group) {
  const row = (name, of, text, cls = "") =>
    html`<tr>
      <th scope="row" class=${cls}>${name}</th>
      ${COLUMNS.map(
        (column) =>
          html`<td class="r ${column === "p50" || column === "p99" ? "prio-3" : ""}">
            ${known(of[column]) ? text(of[column]) : html`<span class="m">${NONE}</span>`}
          </td>`,
      )}
      <td class="r m prio-when">${of.peakAt ? moment(Date.parse(of.peakAt)) : NONE}</td>
    </tr>`;
  return html`<table class="distributions">
    <colgroup>
      <col class="w-first" />
      <col />
      <col class="prio-3" />
      <col />
      <col class="prio-3" />
      <col />
      <col class="w-moment prio-when" />
    </colgroup>
    <thead>
      <tr>
        <td></td>
        <th class="r">Mean</th>
        <th class="r prio-3">p50</th>
        <th class="r">p95</th>
        <th class="r prio-3">p99</th>
        <th class="r">Highest hour</th>
        <th class="r prio-when">When</th>
      </tr>
    </thead>
    <tbody>
      ${row("IOPS", group.iops, iops)} ${row("reads", group.readIops, iops, "part")}
      ${row("writes", group.writeIops, iops, "part")} ${row("Throughput", group.throughput, byteRate)}
      ${row("Latency", group.latencyMillis, millis)}
    </tbody>
  </table>`;
}

/** What stands below the percentiles: over what they are, and how much more there is within an hour. */
export function withinWords(group) {
  const { factor, hours } = group.fivePeak ?? {};
  const over = group.percentilesOf === "five-minutes" ? "five-minute means" : "means of hours";
  return `Percentiles are exact over ${over}. ${
    known(factor)
      ? `In ${plural(hours, "hour")} of the last 7 days, of which both are known, the highest five minutes were ${number(factor, 3)} times the highest hour.`
      : "How high five minutes are within an hour is not known."
  }`;
}

const SHARES = [
  ["perMachine", "Machine"],
  ["perVcpu", "vCPU"],
  ["perMemoryGb", "GB of memory"],
  ["perDiskGb", "GB of disk"],
];

/** Operations a second by machine, vCPU, memory and disk. */
export function shares(group) {
  return html`<table class="shares">
    <colgroup>
      <col class="w-first" />
      <col />
      <col />
      <col />
    </colgroup>
    <thead>
      <tr>
        <th>IOPS for each</th>
        <th class="r">Mean</th>
        <th class="r">p95</th>
        <th class="r">Highest</th>
      </tr>
    </thead>
    <tbody>
      ${SHARES.map(([key, words]) => {
        const of = group[key];
        return html`<tr>
          <th scope="row">
            ${words}${of.known && of.known < group.machines
              ? html` <span class="m">of ${count(of.known)}</span>`
              : nothing}
          </th>
          ${known(of.mean)
            ? [of.mean, of.p95, of.peak].map((v) => html`<td class="r">${known(v) ? number(v, 3) : NONE}</td>`)
            : html`<td class="r m" colspan="3">not known</td>`}
        </tr>`;
      })}
    </tbody>
  </table>`;
}
