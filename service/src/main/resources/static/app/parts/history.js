// Earlier versions: who changed what, line by line, and the way back.
import { html, nothing, repeat } from "../core/html.js";
import { NEEDS } from "../core/session.js";
import { moment } from "../core/time.js";
import { amend, param } from "../core/url.js";
import { auditPane } from "./audit.js";
import { loaded } from "./pane.js";

const WORDS = {
  created: "created",
  changed: "changed",
  imported: "imported",
  policy: "switched",
  restored: "restored",
  deleted: "deleted",
};
const SIGNS = { added: "+ ", removed: "- ", same: "  " };

/** Lines of a formula that differ, the same ones in between cut to the nearest. */
export const diff = (lines) =>
  html`<pre class="diff">${lines.map((l) => html`<span class=${l.kind}>${SIGNS[l.kind]}${l.text}</span>`)}</pre>`;

export const fieldChange = (c) =>
  c.lines.length
    ? diff(c.lines)
    : html`<div class="field-change">
        <span class="m">${c.field}</span>
        <span>${c.before ? html`<s>${c.before}</s> ` : nothing}<span class="added">${c.after ?? "none"}</span></span>
      </div>`;

/** The versions, the one in force first; `restore` brings one back, null = nobody may here. */
export function versionsList({ history, current, allowed, edited = false, restore }) {
  const row = (v) =>
    html`<li class="version">
      <div class="row">
        <b>Version ${v.version}</b>
        <span class="m cut">${WORDS[v.action] ?? v.action} by ${v.by}, ${moment(Date.parse(v.at))}</span>
        <span class="sp"></span>
        ${v.version === current
          ? html`<span class="m">in force</span>`
          : restore === null
            ? nothing
            : html`<button
                class="link"
                ?disabled=${!allowed || edited}
                title=${edited ? "Save or discard your changes first" : allowed ? nothing : NEEDS}
                aria-label=${`Restore version ${v.version}`}
                @click=${() => restore(v.version)}
              >
                Restore
              </button>`}
      </div>
      ${v.changes.map(fieldChange)}
    </li>`;
  return loaded(
    history,
    ({ items, total }) =>
      html`<ul class="versions-list">
          ${repeat(items, (v) => v.version, row)}
        </ul>
        ${total > items.length ? html`<div class="pad m s12">the newest ${items.length} of ${total}</div>` : nothing}`,
    { rows: 6, isEmpty: ({ items }) => !items.length, empty: "No earlier version is kept." },
  );
}

export const historyPane = (options) =>
  html`<section class="pane" aria-label="History">
    <div class="ph">
      <h2>History</h2>
      <span class="m cut">a restored version becomes the newest</span>
    </div>
    ${versionsList(options)}
  </section>`;

/** Whether the history is asked for, by the address. */
export const isSide = () => param("side") === "history";
export const turnSide = () => amend({ side: isSide() ? null : "history" }, { replace: true });
export const sideButton = () =>
  html`<button class="ctl ghost" aria-pressed=${isSide()} @click=${turnSide}>History</button>`;

/** What opens the history of a draft; of one that is not stored yet there is none. */
export const historyButton = (draft) => (draft.isNew ? nothing : sideButton());
export const historyKey = (draft) => ({ H: [() => !draft.isNew && turnSide(), "History"] });

/** The history of a draft, once it was asked for, and who changed it. */
export function draftHistory(draft) {
  if (!isSide() || draft.isNew) return nothing;
  draft.wantHistory();
  return html`${historyPane({
    history: draft.history,
    current: draft.before.version,
    allowed: draft.allowed,
    edited: draft.edited,
    restore: (version) => draft.restore(version),
  })}${auditPane(draft.id, draft.before.version)}`;
}
