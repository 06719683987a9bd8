// The playlists there are, and the walls that show them.
import { html, nothing, repeat } from "../../core/html.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { pairButton } from "../settings/pair-screen.js";

export const wallAddress = (playlist) => `/wall/${encodeURIComponent(playlist.name)}`;

export function page() {
  const list = new Load((signal) => get("/playlists", { limit: 1000 }, signal));

  const row = (p) =>
    html`<tr>
      <td class="l-name">
        <a class="strong" href=${href(`/walls/${p.id}`)}>${p.name}</a>
        <span class="m s12 about">${p.description ?? ""}</span>
      </td>
      <td>${plural(p.items.length, "dashboard")}</td>
      <td>${p.interruptAt ? `from ${p.interruptAt}` : "never"}</td>
      <td>${p.issues.length ? html`<span class="warn">${plural(p.issues.length, "problem")}</span>` : nothing}</td>
      <td class="m nw">${moment(Date.parse(p.updatedAt))}</td>
      <td class="r"><a class="link" href=${wallAddress(p)}>Show</a></td>
    </tr>`;

  const first = () =>
    html`<p class="say">
      No walls yet. A wall shows dashboards in turn on a screen that nobody touches; the screen signs in by a code.
      ${may("operator") ? html`<a href=${href("/walls/new")}>Make one</a>` : NEEDS}
    </p>`;

  return {
    title: "Walls",
    name: "walls",
    timed: false,
    update: () => list.want(),
    escape: () => back("/dashboards"),
    keys: () => (may("operator") ? { C: [() => go("/walls/new"), "New wall"] } : {}),
    view() {
      return html`<div class="tb">
          <h1>Walls</h1>
          <span class="m">${list.data ? plural(list.data.total, "playlist") : ""}</span><span class="sp"></span>
          <a class="ctl" href="/wall">Wall of outliers</a>
          ${pairButton()}
          ${may("operator") ? html`<a class="ctl primary" href=${href("/walls/new")}>New <kbd>C</kbd></a>` : nothing}
        </div>
        <section class="pane playlist-list ${list.data?.total === 0 ? "words" : ""}" aria-label="Playlists">
          ${loaded(
            list,
            ({ items }) =>
              items.length
                ? html`<table>
                    <thead>
                      <tr>
                        <th>Name</th>
                        <th>Shows</th>
                        <th>Alerts interrupt</th>
                        <th></th>
                        <th>Changed</th>
                        <td></td>
                      </tr>
                    </thead>
                    <tbody>
                      ${repeat(items, (p) => p.id, row)}
                    </tbody>
                  </table>`
                : first(),
            { rows: 4 },
          )}
        </section>`;
    },
  };
}
