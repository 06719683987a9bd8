// How data come in, for an installation that has none yet: a vCenter first, then what sends by itself.
import { html } from "../../core/html.js";
import { helpAddress } from "../../core/help.js";
import { may } from "../../core/session.js";
import { href } from "../../core/url.js";
import { copy } from "../../parts/notice.js";

const COMMANDS = [
  ["./peerlens", "starts with a sample datacentre of 300 VMs, and fills in 14 days of its past"],
  ["./peerlens replay FILE...", "feeds captures of Telegraf through Kafka, as if they came in now"],
];

const way = (address, name, does) =>
  html`<li><a class="acc" href=${address}>${name}</a> <span class="i2">${does}</span></li>`;

/** The offers of the empty installation, as parts of a pane with words. */
export const waysIn = () =>
  html`<p class="say">
      <b>Point it at a vCenter.</b> Peerlens needs its address and an account that may read, nothing else: it finds VMs,
      hosts, clusters and datastores by itself, and reads their configuration, events and performance.
    </p>
    <p class="say row">
      ${may("admin")
        ? html`<a class="ctl primary" href=${href("/sources", { add: "vcenter" })}>Add a vCenter</a>`
        : html`<span class="m">Adding a vCenter needs the role admin.</span>`}<a
        class="acc s12"
        href=${helpAddress("sources", "an-account")}
        >Which account it needs</a
      >
    </p>
    <p class="say"><b>Or let others send.</b> What sends is listed under Sources by itself.</p>
    <ul class="ways">
      ${way(
        helpAddress("mappings", "ready-configurations-of-telegraf"),
        "Telegraf",
        "reads vSphere, hosts and guests, and writes to Kafka; there are ready configurations",
      )}
      ${way(helpAddress("mappings", "json"), "JSON", "is what programs of your own write to Kafka")}
      ${way(helpAddress("flows"), "NetFlow, IPFIX or sFlow", "of switches and routers say who uses the network")}
    </ul>
    <p class="say"><b>Or look around first.</b></p>
    ${COMMANDS.map(
      ([command, does]) =>
        html`<div class="row">
          <code class="chip">${command}</code>
          <button class="link s12" @click=${() => copy(command.replace(" FILE...", ""))}>Copy</button>
          <span class="i2">${does}</span>
        </div>`,
    )}`;
