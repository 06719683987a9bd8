// In the settings: maintenance windows and custom groups, each with a page of its own to change it.
import { html, repeat } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may } from "../../core/session.js";
import { lastTick } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { nextText, whenText } from "./maintenance-words.js";
import { groups, scopeWords, wantNames } from "../shared/scope-fields.js";

const windows = new Load((_tick, signal) => get("/maintenance-windows", {}, signal));
let opened = 0;

/** Reads both again; called whenever the page is come to. */
export function wantRules() {
  windows.want(lastTick() + opened);
  groups.want(lastTick() + opened);
}
export const rulesOpened = () => opened++;

const add = (path, words) =>
  may("operator")
    ? html`<a class="link" href=${href(path)}>${words}</a>`
    : html`<button class="link" disabled title="Needs the role operator">${words}</button>`;

export function maintenancePane() {
  wantNames((windows.data?.items ?? []).map((w) => w.scope));
  return pane({
    title: "Maintenance windows",
    note: "alerts go on, but nobody is notified",
    end: add("/settings/maintenance/new", "Plan one"),
    body: loaded(
      windows,
      ({ items }) =>
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col />
            <col class="w-when" />
            <col class="w-next" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Name</th>
              <th>When</th>
              <th>Next</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              items,
              (w) => w.id,
              (w) =>
                html`<tr class=${w.enabled ? "" : "quiet"}>
                  <td>${shape(w.activeNow ? "info" : "alike", 11, w.activeNow ? "active now" : "")}</td>
                  <td class="strong l-name" title=${`${w.reason ?? w.name}: ${scopeWords(w.scope, "every object")}`}>
                    <a href=${href(`/settings/maintenance/${w.id}`)}>${w.name}</a>
                    <span class="m">${scopeWords(w.scope, "every object")}</span>
                  </td>
                  <td class="i2 l-what" title=${whenText(w)}>${whenText(w)}</td>
                  <td class="l-long ${w.activeNow ? "strong" : "m"}" title=${nextText(w)}>${nextText(w)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      {
        rows: 2,
        isEmpty: (d) => !d.items.length,
        empty:
          "None is planned. While one is active, alerts of its objects are kept apart and nobody is notified; what is still open at its end is open then.",
      },
    ),
  });
}

export function groupsPane() {
  wantNames((groups.data?.items ?? []).map((g) => g.scope));
  return pane({
    title: "Custom groups",
    note: "objects by a rule, for scopes",
    end: add("/settings/groups/new", "Make one"),
    body: loaded(
      groups,
      ({ items }) =>
        html`<table>
          <colgroup>
            <col />
            <col />
            <col class="w-num" />
          </colgroup>
          <thead>
            <tr>
              <th>Name</th>
              <th>Members are</th>
              <th class="r">Objects</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              items,
              (g) => g.id,
              (g) =>
                html`<tr>
                  <td class="strong l-name" title=${g.description ?? g.name}>
                    <a href=${href(`/settings/groups/${g.id}`)}>${g.name}</a>
                  </td>
                  <td class="i2 l-what" title=${scopeWords(g.scope)}>${scopeWords(g.scope, "every object")}</td>
                  <td class="r l-value">${count(g.memberCount)}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      {
        rows: 2,
        isEmpty: (d) => !d.items.length,
        empty: html`None is made. A group is a scope with a name: who belongs to it is found anew all the time.`,
      },
    ),
  });
}
