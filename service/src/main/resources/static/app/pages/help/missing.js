import { html } from "../../core/html.js";
import { href, place } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";

export const page = () => ({
  title: "No such page",
  timed: false,
  view: () =>
    html`<h1>There is no page ${place.path}</h1>
      <div class="pane words">
        <p class="say">
          The address may be from another version. <a href=${href("/")}>Overview</a>,
          <a href=${href("/explorer")}>Explorer</a>, or
          <button class="link" @click=${() => showPalette()}>search</button> for what you were after.
        </p>
      </div>`,
});
