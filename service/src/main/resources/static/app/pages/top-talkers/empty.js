// What pages about traffic say before the first flow: how to connect an exporter, with the line that goes into a
// configuration.
import { html } from "../../core/html.js";
import { copy } from "../../parts/notice.js";

const GOFLOW =
  "goflow2 -listen sflow://:6343,netflow://:2055 -transport kafka -transport.kafka.brokers BROKER:9092 -transport.kafka.topic peerlens.flows -format json";
const SOFTFLOWD = "softflowd -i eth0 -v 10 -n COLLECTOR:2055";

const command = (text, words) =>
  html`<li>
    <p class="i2">${words}</p>
    <code>${text}</code> <button class="link s12" @click=${() => copy(text)}>Copy</button>
  </li>`;

export const connectWords = () =>
  html`<div class="empty connect">
    <p class="say">
      <b>No flow has come in yet.</b> Peerlens reads NetFlow v5 and v9, IPFIX and sFlow from the Kafka topic
      <code class="inline">peerlens.flows</code>, where goflow2 or Telegraf puts them.
    </p>
    <ol>
      ${command(GOFLOW, "Run a collector that writes to Kafka:")}
      <li>
        <p class="i2">
          Let switches send to it. For the distributed switch of vSphere: its settings, NetFlow, with the address and
          port 2055 of the collector; then switch NetFlow monitoring on for the port groups. For a physical switch:
          sFlow to port 6343.
        </p>
      </li>
      ${command(SOFTFLOWD, "Or watch the card of a Linux host:")}
    </ol>
    <p class="i2">
      With Telegraf: the input <code class="inline">netflow</code> and the output <code class="inline">kafka</code> with
      the same topic. This page turns into the ranking by itself, up to 10 minutes after the first flow.
    </p>
  </div>`;
