// Without an object: which one? Open alerts about waiting, and the machines that wait longest now.
import { html, nothing, repeat } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { kindWord } from "../../core/metrics.js";
import { Load } from "../../core/load.js";
import { titleOf } from "../../core/severity.js";
import { moment, range } from "../../core/time.js";
import { href } from "../../core/url.js";
import { withUnit } from "../../core/format.js";
import { scopeId } from "../../frame/scope.js";
import { askPanel } from "../../panels/answers.js";
import { loaded, pane } from "../../parts/pane.js";
import { severityShape } from "../../parts/shapes.js";
import { canAsk } from "./words.js";

const ABOUT_WAITING = /latency|readiness|ready|costop|contention/i;
const READ = 200;
const MOST = 10;

/** How long machines wait for their disks, the longest first. */
const SLOWEST = {
  type: "top",
  kind: "VMWARE/VirtualMachine",
  columns: [
    {
      name: "latency",
      metric: {
        any: [
          "virtualDisk|totalReadLatency_average",
          "virtualDisk|totalLatency",
          "datastore|totalReadLatency_average",
          "disk|maxTotalLatency_latest",
        ],
        instance: "max",
      },
      transform: "avg",
      unit: "ms",
    },
  ],
  sort: [{ column: "latency", order: "desc" }],
  limit: MOST,
};

export class Choose {
  #alerts = new Load((_version, ancestor, signal) =>
    get(
      "/alerts",
      { objectKind: ["VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore"], ancestor, limit: READ },
      signal,
    ),
  );
  #slowest = new Load((to, scope, signal) => {
    const time = { from: new Date(to - 600_000).toISOString(), to: new Date(to).toISOString() };
    const panel = scope ? { ...SLOWEST, subject: "$scope" } : SLOWEST;
    return askPanel({ panel, time, ...(scope ? { variables: { scope } } : {}) }, signal);
  });

  want() {
    const scope = scopeId();
    this.#alerts.want(alertVersion(), scope ?? undefined);
    this.#slowest.want(Math.floor(range().to / 60_000) * 60_000, scope);
  }

  view() {
    this.want();
    const about = (data) =>
      data.items.filter((a) => canAsk(a.object) && ABOUT_WAITING.test(a.key ?? "")).slice(0, MOST);
    return html`<div class="choose">
      ${pane({
        title: "Open alerts about waiting",
        note: "of machines, hosts, clusters and datastores",
        body: loaded(this.#alerts, (data) => html`${repeat(about(data), (a) => a.id, alertRow)}`, {
          rows: 6,
          isEmpty: (data) => !about(data).length,
          empty: "No alert about latency or waiting for CPU is open.",
        }),
      })}
      ${pane({
        title: "Machines that wait longest",
        note: "for their disks, mean of the last 10 minutes",
        body: loaded(this.#slowest, (data) => html`${repeat(data.rows ?? [], (r) => r.object.id, machineRow)}`, {
          rows: 6,
          isEmpty: (data) => !data.rows?.length,
          empty: "No machine has sent the latency of its disks in the last 10 minutes.",
        }),
      })}
    </div>`;
  }
}

const alertRow = (a) =>
  html`<a class="list-row" href=${href("/why-slow", { alert: a.id })}
    >${severityShape(a.severity, 12)}<span class="grow cut" title=${`${titleOf(a)} on ${a.object.name}`}
      ><b>${a.object.name}</b> ${titleOf(a)}</span
    ><span class="m s12 nw">${kindWord(a.object.objectKind)}, ${moment(Date.parse(a.since))}</span></a
  >`;

function machineRow(r) {
  const value = r.cells[0];
  return html`<a class="list-row" href=${href("/why-slow", { object: r.object.id })}
    ><span class="grow cut">${r.object.name}</span>${value === null || value === undefined
      ? nothing
      : html`<b class="nw">${withUnit(value, "ms")}</b>`}</a
  >`;
}
