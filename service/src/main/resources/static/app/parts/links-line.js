// A line that warns until links in notifications lead somewhere, and proposes the address of this browser.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { exchange } from "../core/api.js";
import { Load } from "../core/load.js";
import { keep, kept } from "../core/store.js";
import { may } from "../core/session.js";
import { summary } from "../core/status.js";
import { href } from "../core/url.js";
import { notice } from "./notice.js";

const PATH = "/settings/notifications";
const LATER = "linksLater";
/** Where links in notifications lead, as the form for it has it, too. */
export const links = new Load((signal) => exchange("GET", PATH, { signal }));
const isOwn = () => ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

async function take() {
  try {
    const { etag } = await exchange("GET", PATH);
    links.data = await exchange("PUT", PATH, { body: { url: location.origin }, etag });
    summary.again();
    notice(`Links in notifications lead to ${location.origin}`);
  } catch (error) {
    notice(error.message);
    links.again();
  }
}

/** `once` says that whoever reads it may put it off for good, as on the first page. */
export function linksLine({ once = false } = {}) {
  if (once && (!may("admin") || kept(LATER, false))) return nothing;
  if (summary.data?.links !== false) return nothing;
  const words = "Notifications carry no links: nobody has said under which address these pages are reached.";
  const own = isOwn() ? html` <span class="m">Only this machine can open that.</span>` : nothing;
  return html`<p class="links-line" role="note">
    ${words}
    ${may("admin")
      ? html`<button class="link" @click=${take}>Use ${location.origin}</button>${own}
          <a class="acc" href=${href("/settings")}>Another address</a>${once
            ? html` <button
                class="link"
                @click=${() => {
                  keep(LATER, true);
                  redraw();
                }}
              >
                Not now
              </button>`
            : nothing}`
      : html`<span class="m">An admin can set it under Settings.</span>`}
  </p>`;
}
