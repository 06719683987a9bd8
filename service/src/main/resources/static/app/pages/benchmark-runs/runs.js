// Benchmark runs.
import { html } from "../../core/html.js";

export const page = () => ({
  title: "Benchmark runs",
  timed: false,
  view: () =>
    html`<div class="top"><h1 class="lead">Benchmark runs</h1></div>
      <section class="pane">
        <div class="empty">What storage and hosts carried in tests, as curves of load and latency.</div>
      </section>`,
});
