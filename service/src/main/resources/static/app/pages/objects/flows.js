// What the page of an object says of its traffic: sent and received over time, with whom, for which services.
import { html } from "../../core/html.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { amount, endName, percent, serviceText } from "../../core/talkers.js";
import { MINUTE } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import "../../chart/series-chart.js";

const PAIRS = 60;
const SHOWN = 5;
// Kinds that are talkers themselves, and how they are ranked.
const RANKED = { VirtualMachine: "vm", HostSystem: "host", Host: "host", ClusterComputeResource: "cluster" };

const line = (answer) => answer.sparklineTotal ?? [];
const step = (times) => times.slice(1).reduce((least, t, i) => Math.min(least, t - times[i]), Infinity);

export class ObjectFlows {
  #load;

  constructor(id) {
    this.id = id;
    this.#load = new Load(async (from, to, signal) => {
      const query = { scope: [id], from, to, compare: ["none"] };
      const [sent, received, pairs, ports] = await Promise.all([
        get("/top-talkers", { ...query, by: "vm", direction: "sent", limit: 1 }, signal),
        get("/top-talkers", { ...query, by: "vm", direction: "received", limit: 1 }, signal),
        get("/top-talkers", { ...query, by: "pair", sparkline: false, limit: PAIRS }, signal),
        get("/flows/ports", { scope: [id], from, to, limit: SHOWN }, signal),
      ]);
      return { sent, received, pairs, ports };
    });
  }

  want(from, to) {
    this.#load.want(from, to);
  }

  #spec = memo((data, from, to) => {
    const times = data.sent.sparklineTimes ?? [];
    return {
      title: "Traffic",
      unit: "bit/s",
      from,
      to,
      times,
      stepMillis: times.length > 1 ? step(times) : 5 * MINUTE,
      labels: "beside",
      series: [
        { name: "sent", values: line(data.sent), style: "line", colour: "--series-1" },
        { name: "received", values: line(data.received), style: "line", colour: "--series-2" },
      ],
    };
  });

  /** Peers with what went there and what came from there, most first. */
  #peers = memo((pairs) => {
    const byEnd = new Map();
    for (const { talker, value } of pairs.items) {
      const out = talker.from?.object?.id === this.id;
      const isIn = talker.to?.object?.id === this.id;
      // Of a host or a cluster the ends are what is below it.
      const other = out ? talker.to : isIn ? talker.from : null;
      const name = other ? endName(other) : talker.name;
      const known = byEnd.get(name) ?? { name, key: other?.key ?? null, sent: 0, received: 0, all: 0 };
      known.all += value;
      if (out) known.sent += value;
      if (isIn) known.received += value;
      byEnd.set(name, known);
    }
    return [...byEnd.values()].sort((a, b) => b.all - a.all).slice(0, SHOWN);
  });

  #body(data, from, to) {
    const peers = this.#peers(data.pairs);
    const most = Math.max(...peers.map((p) => p.all), 1);
    const services = data.ports.items;
    const sum = services[0]?.bytes ?? 1;
    return html`<div class="object-flows">
      <div class="object-flow-chart"><series-chart .spec=${this.#spec(data, from, to)}></series-chart></div>
      <div>
        <h3>Talks to</h3>
        ${peers.map(
          (p) =>
            html`<a
              class="behind-line peer"
              href=${href("/top-talkers/flows", { of: [this.id], ...(p.key ? { peer: [p.key] } : {}) })}
              title=${p.sent || p.received
                ? `sent ${amount(p.sent, "B")}, received ${amount(p.received, "B")}`
                : p.name}
              ><span class="cut strong">${p.name}</span
              ><span class="share-bar"><i .style=${`width:${(p.all / most) * 100}%;background:var(--seq-3)`}></i></span
              ><span class="r">${amount(p.all, "B")}</span
              ><span class="r m">${data.pairs.total ? percent(p.all / data.pairs.total) : ""}</span></a
            >`,
        )}
      </div>
      <div>
        <h3>Services</h3>
        ${services.map(
          (s) =>
            html`<a class="behind-line service" href=${href("/top-talkers/flows", { of: [this.id], ports: s.service })}
              ><span class="cut strong">${serviceText(s)}</span
              ><span class="share-bar"
                ><i .style=${`width:${((s.bytes ?? 0) / sum) * 100}%;background:var(--seq-3)`}></i></span
              ><span class="r">${amount(s.bytes, "B")}</span></a
            >`,
        )}
      </div>
    </div>`;
  }

  view(object, from, to) {
    const data = this.#load.data;
    const silent = data && !(data.sent.total > 0) && !(data.received.total > 0) && !data.pairs.items.length;
    if (silent)
      return html`<p class="no-flows m s12">
        No flows of it in this range. <a class="acc" href=${href("/top-talkers")}>Top talkers</a>
      </p>`;
    if (!data && this.#load.error)
      return html`<p class="no-flows m s12">
        Its flows could not be read: ${this.#load.error.message}
        <button class="link" @click=${() => this.#load.again()}>Retry</button>
      </p>`;
    if (!data) return html`<p class="no-flows m s12">&nbsp;</p>`;
    const by = RANKED[object.objectKind] ?? "vm";
    return html`<section class="pane" aria-label="Network">
      <div class="ph">
        <h2>Network</h2>
        <span class="m cut"
          >sent ${amount(data.sent.total, "B")}, received ${amount(data.received.total, "B")} by its flows</span
        >
        <span class="sp"></span>
        <a class="link" href=${href("/top-talkers", { of: [this.id], by: by === "vm" ? "pair" : null })}>Top talkers</a>
        <a class="link" href=${href("/top-talkers/flows", { of: [this.id] })}>Flows</a>
      </div>
      ${loaded(this.#load, (d) => this.#body(d, from, to), { rows: 5 })}
    </section>`;
  }
}
