// What Overview shows before the first sample: how data come in, and a counter that turns into the page by itself.
import { html, nothing } from "../../core/html.js";
import { count, plural } from "../../core/format.js";
import { sourceCounts, wantSourceCounts } from "../../core/sources.js";
import { href } from "../../core/url.js";
import { waysIn } from "../sources/ways.js";

export function firstSteps(totals) {
  const rate = totals?.pointsPerSecond ?? 0;
  wantSourceCounts();
  const sources = sourceCounts.data?.total ?? 0;
  return html`<div class="top">
      <h1 class="lead">Nothing has come in yet.</h1>
    </div>
    <section class="pane words" aria-label="First steps">
      ${sources
        ? html`<p class="say">
            <b>${plural(sources, "source")} ${sources === 1 ? "is" : "are"} there.</b>
            <a href=${href("/sources")}>See how ${sources === 1 ? "it does" : "they do"}</a>; a first round may take a
            minute.
          </p>`
        : nothing}
      ${waysIn()}
      <p class="say" role="status">
        <b>${count(rate)} points/s</b> are arriving now.
        ${rate > 0
          ? "The page appears in a moment."
          : "This page turns into the overview by itself with the first sample."}
      </p>
    </section>`;
}
