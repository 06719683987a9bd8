// Who changed something: the last entries of the audit log about it. Only admins read the log; for others there is
// nothing here.
import { html, nothing, repeat } from "../core/html.js";
import { get } from "../core/api.js";
import { Load } from "../core/load.js";
import { may } from "../core/session.js";
import { lastTick, moment } from "../core/time.js";
import { href } from "../core/url.js";
import { entryLine } from "./audit-words.js";
import { loaded } from "./pane.js";

const SHOWN = 5;
const load = new Load((about, _tick, _version, signal) => get("/audit", { ...about, limit: SHOWN }, signal));
let subject = null;

/**
 * The last entries about the thing with this id, or that a filter finds, such as `{kind: "networks"}`; `version` is
 * another when it was changed here.
 */
export function auditPane(id, version = 0) {
  if (!may("admin") || !id) return nothing;
  const about = typeof id === "object" ? id : { object: id };
  const asked = JSON.stringify(about);
  if (subject !== asked) {
    subject = asked;
    load.reset();
  }
  load.want(about, lastTick(), version);
  return html`<section class="pane" aria-label="Who changed this">
    <div class="ph">
      <h2>Who changed this</h2>
      <span class="m cut" title="from the audit log">from the audit log</span>
      <span class="sp"></span>
      ${load.data?.total
        ? html`<a class="link" href=${href("/settings/audit", { ...about, since: "all" })}>All ${load.data.total}</a>`
        : nothing}
    </div>
    ${loaded(
      load,
      ({ items }) =>
        html`<div class="pad-y">
          ${repeat(
            items,
            (e) => e.id,
            (e) => entryLine(e, moment(Date.parse(e.at))),
          )}
        </div>`,
      { rows: 3, isEmpty: ({ items }) => !items.length, empty: "Nobody has, since the audit log began." },
    )}
  </section>`;
}
