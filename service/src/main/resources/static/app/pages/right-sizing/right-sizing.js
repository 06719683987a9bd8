// Right-sizing.
import { html } from "../../core/html.js";

export const page = () => ({
  title: "Right-sizing",
  timed: false,
  view: () =>
    html`<div class="top"><h1 class="lead">Right-sizing</h1></div>
      <section class="pane">
        <div class="empty">Which virtual machines are too small, and what the others could give back.</div>
      </section>`,
});
