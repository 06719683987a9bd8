// Flows on the page Ingest: how many come in, what was left out, and who sends them.
import { html, nothing } from "../../core/html.js";
import { bytes, count, NONE, number, plural } from "../../core/format.js";
import { ingest } from "./status.js";
import { clock, duration, MINUTE, moment } from "../../core/time.js";
import { loaded, pane } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { lagLine, minuteChart } from "./charts.js";

const QUIET = 5 * MINUTE;
const PROTOCOLS = {
  unknown: "not known",
  "sflow-5": "sFlow 5",
  "netflow-5": "NetFlow 5",
  "netflow-9": "NetFlow 9",
  ipfix: "IPFIX",
};

/** Whether this installation reads flows and ever had any. */
export const hasFlows = () =>
  Boolean(ingest.data?.flows && (ingest.data.flows.partitions.length || ingest.data.flows.observersTotal));

const share = (v) => (v === null ? NONE : `${number(v * 100, 3)} %`);

export function flowRates() {
  const nodes = ingest.data?.flows?.nodes ?? [];
  return pane({
    title: "Flows",
    note: "last hour, by minute",
    end: html`<span class="m s12">${nodes.map((n) => `${n.node} ${count(n.flowsPerSecond)}/s`).join(", ")}</span>`,
    body: loaded(
      ingest,
      ({ flows }) =>
        html`<div class="four">
            ${minuteChart(flows.history, "flowsPerSecond", "Flow records", "/s", "flows")}
            ${minuteChart(flows.history, "lag", "Records waiting", "", "flows")}
            ${minuteChart(flows.history, "rejectedPerSecond", "Rejected", "/s", "flows")}
            ${minuteChart(flows.history, "commitMillis", "Commit time", "ms", "flows")}
          </div>
          <p class="foot-line">
            ${count(flows.flowsPerSecond)} flow records/s in ${count(flows.recordsPerSecond)} Kafka records/s
            (${bytes(flows.bytesPerSecond)}/s) become ${count(flows.rowsPerSecond)} sums/s; ${lagLine(flows.lag)}.
            ${nodes.filter((n) => n.trouble).map((n) => html`<b>${shape("warning", 11)} ${n.node}: ${n.trouble}</b>`)}
          </p>`,
      { rows: 6 },
    ),
  });
}

export function flowFigures() {
  return pane({
    title: "What becomes of flows",
    body: loaded(
      ingest,
      ({ flows }) =>
        html`<table>
          <tbody>
            ${line(
              "Reported by several exporters",
              "counted once",
              share(flows.duplicateShare),
              "of the bytes that exporters reported in the last hour",
            )}
            ${line(
              "Folded into \u201cother\u201d",
              "the small ones of senders",
              share(flows.foldedShare),
              "of the bytes of the last hour",
            )}
            ${line("Late data", "roll-ups recomputed", count(flows.lateRowsLastHour), "in the last hour")}
            ${line(
              "Rolled up until",
              "",
              flows.rolledUntil ? clock(Date.parse(flows.rolledUntil)) : NONE,
              flows.rolledUntil ? moment(Date.parse(flows.rolledUntil)) : "no bucket is rolled up yet",
            )}
            ${line(
              "Rejected",
              flows.rejected
                .filter((r) => r.lastHour)
                .map((r) => `${r.reason} ${count(r.lastHour)}`)
                .join(", "),
              count(flows.rejectedLastHour),
              `in the last hour, ${count(flows.rejectedTotal)} in all`,
            )}
            ${line("Dead letters", "", count(flows.deadLetters), "kept, to be replayed")}
            ${line(
              "Addresses without object",
              flows.beyondGuard ? `${count(flows.beyondGuard)} beyond the guard` : "",
              count(flows.addressObjects),
              `of at most ${count(flows.maxAddressObjects)}`,
            )}
          </tbody>
        </table>`,
      { rows: 6 },
    ),
  });
}

const line = (name, note, value, title) =>
  html`<tr>
    <td>${name}${note ? html` <span class="m">${note}</span>` : nothing}</td>
    <td class="r w-num" title=${title}>${value}</td>
  </tr>`;

export function observers() {
  const total = ingest.data?.flows?.observersTotal ?? 0;
  return pane({
    title: "Observers",
    note: total ? `${plural(total, "exporter and domain", "exporters and domains")}, the newest first` : nothing,
    body: loaded(
      ingest,
      ({ flows, time }) =>
        html`<div class="window-list">
          <table>
            <thead>
              <tr>
                <th>Exporter</th>
                <th>Protocol</th>
                <th class="r w-slim">Domain</th>
                <th class="r w-slim">Sampling</th>
                <th class="r w-num">Last flow</th>
              </tr>
            </thead>
            <tbody>
              ${flows.observers.map((o) => observer(o, Date.parse(time)))}
            </tbody>
          </table>
        </div>`,
      { rows: 3, empty: "No exporter has sent a flow yet.", isEmpty: (d) => !d.flows.observers.length },
    ),
  });
}

function observer(o, now) {
  const age = Math.max(0, now - Date.parse(o.lastSeen));
  const since = `first seen ${moment(Date.parse(o.firstSeen))}${o.startedAt ? `, started ${moment(Date.parse(o.startedAt))}` : ""}`;
  return html`<tr>
    <td title=${since}>${o.exporter}</td>
    <td>${PROTOCOLS[o.version]}</td>
    <td class="r">${o.domain}</td>
    <td class="r" title=${o.samplingRate === null ? "as each record says" : "packets for one that was looked at"}>
      ${o.samplingRate === null ? html`<span class="m">each</span>` : count(o.samplingRate)}
    </td>
    <td class="r" title=${moment(Date.parse(o.lastSeen))}>
      ${age > QUIET ? html`${shape("warning", 11)} ` : nothing}${age < MINUTE ? "now" : duration(age)}
    </td>
  </tr>`;
}
