// How many machines still fit into each cluster, by the distribution of those that are there.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count, NONE, short } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { amend, href, param } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { Scenarios } from "./scenarios.js";
import { percent } from "./words.js";

export const SUPPLIES = { cpu: "CPU", memory: "memory", disk: "disk space", iops: "IOPS" };
const has = (v) => v !== null && v !== undefined;

export class Clusters {
  #list = new Load((ancestor, _at, signal) => get("/right-sizing/clusters", { ancestor }, signal));
  #scenarios = new Scenarios();

  want(ancestor, evaluatedAt) {
    this.#list.want(ancestor, evaluatedAt);
  }

  /** The title: the cluster that fills first. */
  headline() {
    const items = this.#list.data?.items;
    if (!items) return "What still fits";
    if (!items.length) return "No cluster is known";
    const known = items.filter((c) => c.vms);
    if (!known.length) return "How many VMs still fit is not known";
    const [first] = known;
    if (!first.vms.value && !first.vms.most)
      return `${first.object.name} is full: no ${SUPPLIES[first.vms.endsFirst]} is left for another VM`;
    return `${first.object.name} has room for ${count(first.vms.value)} more ${first.vms.value === 1 ? "VM" : "VMs"}; ${SUPPLIES[first.vms.endsFirst]} ends first`;
  }

  #chosen() {
    const items = this.#list.data?.items ?? [];
    return items.find((c) => c.object.id === param("cluster")) ?? items[0] ?? null;
  }

  view() {
    return html`${pane({
      title: "VMs that still fit",
      name: "fits-pane",
      note: "like those that are there, with 95 % certainty, without the hosts that may fail",
      body: loaded(this.#list, ({ items }) => this.#table(items), {
        rows: 4,
        empty: html`No cluster of hosts is known here. vCenter's collector reads clusters, hosts and where machines run:
          <a class="acc" href=${href("/sources")}>Sources</a>.`,
        isEmpty: ({ items }) => !items.length,
      }),
    })}${this.#chosen() ? this.#scenarios.view(this.#chosen()) : nothing}`;
  }

  #table(items) {
    const row = (c) => {
      const on = c === this.#chosen();
      return html`<tr
        class=${on ? "sel" : ""}
        aria-selected=${on}
        @click=${(e) => e.target.closest("a") || amend({ cluster: c.object.id }, { replace: true })}
      >
        <td class="strong cut"><a href=${href(`/objects/${c.object.id}`)}>${c.object.name}</a></td>
        <td class="r">
          ${c.vms
            ? html`<b>${count(c.vms.value)}</b
                ><span class="m prio-3" title="so many fit in half of the draws"
                  >, likely ${count(c.vms.typical)}</span
                >`
            : html`<span class="m">not known</span>`}
        </td>
        <td class="r prio-3">
          ${count(c.hosts)}<span class="m">${c.hostFailures ? ` less ${c.hostFailures}` : ""}</span>
        </td>
        <td class="r prio-3">${count(c.machines)}</td>
        ${Object.keys(SUPPLIES).map((name) =>
          supply(
            c.supplies.find((s) => s.supply === name),
            c.vms?.endsFirst === name,
          ),
        )}
      </tr>`;
    };
    return html`<div class="scrolls-x">
        <table class="cluster-fits">
          <colgroup>
            <col class="w-cluster" />
          </colgroup>
          <thead>
            <tr>
              <th>Cluster</th>
              <th class="r">VMs that fit</th>
              <th class="r prio-3">Hosts</th>
              <th class="r prio-3">VMs now</th>
              ${Object.values(SUPPLIES).map(
                (words) =>
                  html`<th title=${`what remains of ${words}`}>${words[0].toUpperCase()}${words.slice(1)} left</th>`,
              )}
            </tr>
          </thead>
          <tbody>
            ${items.map(row)}
          </tbody>
        </table>
      </div>
      ${this.#chosen() ? html`<p class="foot-line whole">${this.#chosen().reason}</p>` : nothing}`;
  }
}

function supply(of, first) {
  if (!of || !has(of.remaining)) return html`<td class="m" title="not known">${NONE}</td>`;
  const words = `${short(of.used)} of ${short(of.usable)} ${of.unit} in use${has(of.vms) ? `; alone it is enough for ${count(of.vms)} VMs` : ""}`;
  return html`<td title=${words}>
    <span class="left-bar ${first ? "first" : ""}"
      ><span class="bar-track"
        ><span class="bar-fill" .style=${`width:${Math.max(0, Math.min(1, of.remaining)) * 100}%`}></span></span
      ><span class="r">${percent(of.remaining)}</span></span
    >
  </td>`;
}
