// What Overview shows before the first sample: how to send some, and a counter that turns into the page by itself.
import { html } from "../../core/html.js";
import { count } from "../../core/format.js";
import { copy } from "../../parts/notice.js";

const COMMANDS = [
  ["./peerlens", "starts with a sample datacentre of 300 VMs, and fills in 14 days of its past"],
  ["./peerlens replay FILE...", "feeds captures of Telegraf through Kafka, as if they came in now"],
];

export function firstSteps(totals) {
  const rate = totals?.pointsPerSecond ?? 0;
  return html`<div class="top">
      <h1 class="lead">Nothing has come in yet.</h1>
    </div>
    <section class="pane words" aria-label="First steps">
      <p class="say">
        Peerlens reads metrics from the Kafka topic <code>peerlens.metrics</code>. Point a collector at it, or use one
        of these:
      </p>
      ${COMMANDS.map(
        ([command, does]) =>
          html`<div class="row">
            <code class="chip">${command}</code>
            <button class="link s12" @click=${() => copy(command.replace(" FILE...", ""))}>Copy</button>
            <span class="i2">${does}</span>
          </div>`,
      )}
      <p class="say" role="status">
        <b>${count(rate)} points/s</b> are arriving now.
        ${rate > 0
          ? "The page appears in a moment."
          : "This page turns into the overview by itself with the first sample."}
      </p>
    </section>`;
}
