// The page of a place that comes with a later release: what will be there, and that it is not there yet.
import { html } from "../core/html.js";
import { href, place } from "../core/url.js";
import { allPlaces } from "../frame/places.js";

export function page() {
  const here = allPlaces().find((p) => p.path === place.path);
  return {
    title: here.name,
    timed: false,
    view: () => html`<h1>${here.name}</h1>
      <div class="pane words">
        <p class="say">${here.later}</p>
        <p class="say"><b>This is not built yet.</b> Nothing is computed for it in the background and nothing here is a preview.</p>
        <p class="say">What works today: <a href=${href("/")}>Overview</a>, <a href=${href("/explorer")}>Explorer</a>, <a href=${href("/ingest")}>Ingest</a> and <a href=${href("/settings")}>Settings</a>.</p>
      </div>`,
  };
}
