// Open sessions of browsers: of everybody for an admin, of the own token for others.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, remove } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, session } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { notice } from "../../parts/notice.js";
import { loaded, pane } from "../../parts/pane.js";

const sessions = new Load((signal) => get("/sessions", {}, signal));
const ending = new Set();
const SHOWN = 8;
let whole = false;

async function end(open) {
  ending.add(open.id);
  redraw();
  try {
    await remove(`/sessions/${open.id}`);
    notice(`The session of ${open.name} has ended`);
  } catch (failed) {
    notice(`Not ended: ${failed.message}`, { seconds: 8 });
  }
  ending.delete(open.id);
  sessions.again();
}

/** @type {[RegExp, string][]} */
const BROWSERS = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
/** @type {[RegExp, string][]} */
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"],
];

/** A browser in two words; what it calls itself stays in the title. */
function browser(agent) {
  if (!agent) return "";
  const name = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1];
  return [name ?? agent.slice(0, 24), system].filter(Boolean).join(", ");
}

const row = (s) =>
  html`<tr>
    <td class="strong">${s.name}${s.own ? html` <span class="m">this one</span>` : ""}</td>
    <td title=${s.agent ?? ""}>${s.address ?? "unknown"} <span class="m">${browser(s.agent)}</span></td>
    <td class="r">${moment(Date.parse(s.lastUsedAt))}</td>
    <td class="r">
      ${s.own
        ? ""
        : html`<button
            class="link"
            ?disabled=${ending.has(s.id)}
            @click=${() => end(s)}
            aria-label=${`End the session of ${s.name} at ${s.address ?? "an unknown address"}`}
          >
            End
          </button>`}
    </td>
  </tr>`;

/** Its own, then those that were used last. */
const shown = (items) =>
  whole
    ? items
    : items
        .toSorted((a, b) => Number(b.own) - Number(a.own) || b.lastUsedAt.localeCompare(a.lastUsedAt))
        .slice(0, SHOWN);

export function sessionsPane() {
  if (!session.info) return "";
  sessions.want();
  return pane({
    title: "Sessions",
    note: may("admin") ? "browsers that are signed in" : "browsers that are signed in with your token",
    end:
      sessions.data?.items.length > SHOWN
        ? html`<button class="link" aria-expanded=${whole} @click=${() => ((whole = !whole), redraw())}>
            ${whole ? "The newest" : `All ${sessions.data.items.length}`}
          </button>`
        : nothing,
    body: loaded(
      sessions,
      ({ items }) =>
        items.length
          ? html`<table>
              <colgroup>
                <col />
                <col />
                <col class="w-dur" />
                <col class="w-slim" />
              </colgroup>
              <thead>
                <tr>
                  <th>Token</th>
                  <th>From</th>
                  <th class="r">Last used</th>
                  <td></td>
                </tr>
              </thead>
              <tbody>
                ${repeat(shown(items), (s) => s.id, row)}
              </tbody>
            </table>`
          : html`<div class="empty">No browser is signed in.</div>`,
      { rows: 2 },
    ),
  });
}
