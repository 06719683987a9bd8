// Load profile.
import { html } from "../../core/html.js";

export const page = () => ({
  title: "Load profile",
  timed: false,
  view: () =>
    html`<div class="top"><h1 class="lead">Load profile</h1></div>
      <section class="pane">
        <div class="empty">What virtual machines ask of storage, from the history of hours.</div>
      </section>`,
});
