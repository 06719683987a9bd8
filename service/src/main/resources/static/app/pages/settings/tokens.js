// API tokens: who may do what. A secret is shown once, when its token is made.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post, remove } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, session } from "../../core/session.js";
import { date, DAY, moment } from "../../core/time.js";
import { copy, notice, soon } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { pairButton } from "./pair-screen.js";

let revoked = false;
const tokens = new Load((signal) => get("/tokens", { revoked }, signal));
const leaving = new Set();
let made = null;
let error = null;
let busy = false;

const ROLES = [
  ["viewer", "viewer: reads"],
  ["operator", "operator: also acts"],
  ["admin", "admin: also changes settings and tokens"],
  ["ingest", "ingest: only sends metrics and events"],
];
/** Tokens of these are made elsewhere, and by pairing or as a link anew. */
const NARROW = ["screen", "link"];
const EXPIRES = [
  ["", "as usual"],
  ["1", "in a day"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
];
const SOON = 14 * DAY;

async function create(event) {
  event.preventDefault();
  const form = event.target;
  const { name, role, days } = Object.fromEntries(new FormData(form));
  busy = true;
  error = null;
  redraw();
  try {
    const expiresAt = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : undefined;
    made = await post("/tokens", { name: String(name).trim(), role, expiresAt });
    form.reset();
    tokens.again();
  } catch (failed) {
    error = failed;
  }
  busy = false;
  redraw();
}

function revoke(token) {
  leaving.add(token.id);
  soon(
    `Token ${token.name} is revoked in 10 s, and every session opened with it ends.`,
    async () => {
      try {
        await remove(`/tokens/${token.id}`);
      } catch (failed) {
        notice(`Not revoked: ${failed.message}`, { seconds: 8 });
      }
      leaving.delete(token.id);
      tokens.again();
    },
    () => {
      leaving.delete(token.id);
      redraw();
    },
  );
}

async function rotate(token) {
  busy = true;
  redraw();
  try {
    made = await post(`/tokens/${token.id}/rotate`);
    tokens.again();
  } catch (failed) {
    notice(`Not replaced: ${failed.message}`, { seconds: 8 });
  }
  busy = false;
  redraw();
}

function ends(t) {
  if (t.revokedAt) return html`<span class="m">revoked ${date(Date.parse(t.revokedAt))}</span>`;
  if (!t.expiresAt)
    return html`<span
      class="m"
      title="It was made before tokens ended by themselves, or at the first start. Replace it by one that ends."
      >never</span
    >`;
  const at = Date.parse(t.expiresAt);
  // A screen is renewed each day while it lives.
  return at - Date.now() < SOON && t.role !== "screen"
    ? html`<b class="crit" title=${moment(at)}>${date(at)}</b>`
    : html`<span title=${moment(at)}>${date(at)}</span>`;
}

const row = (t) =>
  html`<tr>
    <td title=${`Made ${moment(Date.parse(t.createdAt))} by ${t.createdBy}`}>
      <b>${leaving.has(t.id) ? html`<s>${t.name}</s>` : t.name}</b>${t.id === session.info?.tokenId
        ? html` <span class="m">you</span>`
        : nothing}${t.start ? html` <code class="m s12">${t.start}…</code>` : nothing}
    </td>
    <td class="opt">${t.role}</td>
    <td class="r opt">${t.lastUsedAt ? moment(Date.parse(t.lastUsedAt)) : "never"}</td>
    <td class="r">${ends(t)}</td>
    <td class="r">
      ${t.revokedAt
        ? nothing
        : html`${NARROW.includes(t.role)
              ? nothing
              : html`<button
                  class="link"
                  ?disabled=${busy || leaving.has(t.id)}
                  @click=${() => rotate(t)}
                  title="Makes another with this name and role; this one works for a day more"
                  aria-label=${`Replace ${t.name}`}
                >
                  Replace
                </button>`}
            <button
              class="link"
              ?disabled=${leaving.has(t.id)}
              @click=${() => revoke(t)}
              aria-label=${`Revoke ${t.name}`}
            >
              Revoke
            </button>`}
    </td>
  </tr>`;

function showRevoked(event) {
  revoked = event.target.checked;
  tokens.again();
  redraw();
}

export function tokensPane() {
  if (!may("admin")) {
    return pane({
      title: "Tokens",
      end: pairButton(),
      body: html`<div class="empty">
        You are signed in as ${session.info?.role}. Tokens are seen and made with the role admin.
      </div>`,
    });
  }
  tokens.want();
  return pane({
    title: "Tokens",
    note: "for people and programs; kept only as a hash",
    end: pairButton(() => tokens.again()),
    body: html`${made ? secret() : nothing}
      ${loaded(
        tokens,
        ({ items }) =>
          html`<table class="api-tokens">
            <colgroup>
              <col />
              <col class="w-slim opt" />
              <col class="w-dur opt" />
              <col class="w-kind" />
              <col class="w-last" />
            </colgroup>
            <thead>
              <tr>
                <th>Name</th>
                <th class="opt">Role</th>
                <th class="r opt">Last used</th>
                <th class="r">Ends</th>
                <td></td>
              </tr>
            </thead>
            <tbody>
              ${repeat(items, (t) => t.id, row)}
            </tbody>
          </table>`,
        { rows: 3 },
      )}
      <form class="form" @submit=${create}>
        <div class="three">
          <label class="lab"
            >Name, who or what uses it<input
              class="field"
              name="name"
              required
              maxlength="100"
              autocomplete="off"
              aria-invalid=${error?.field?.("name") ? "true" : "false"}
            />${error?.field?.("name") ? html`<span class="crit s12">${error.field("name")}</span>` : nothing}</label
          >
          <label class="lab"
            >Role<select class="field" name="role">
              ${ROLES.map(([value, words]) => html`<option value=${value}>${words}</option>`)}
            </select></label
          >
          <label class="lab"
            >Ends<select class="field" name="days">
              ${EXPIRES.map(([value, words]) => html`<option value=${value}>${words}</option>`)}
            </select></label
          >
        </div>
        ${error && !error.errors?.length ? failure(error, null) : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${busy}>Create token</button>
          <span class="sp"></span>
          <label class="check s12"
            ><input type="checkbox" .checked=${revoked} @change=${showRevoked} /> with those that were revoked</label
          >
        </div>
      </form>`,
  });
}

const secret = () =>
  html`<div class="secret" role="status">
    <span
      >The secret of <b>${made.token.name}</b> (${made.token.role}). It is shown this once and cannot be read
      again.</span
    >
    <code class="mono">${made.secret}</code>
    <div class="row">
      <button class="ctl" @click=${() => copy(made.secret, "Secret copied")}>Copy</button>
      <button class="ctl" @click=${() => ((made = null), redraw())}>I have it</button>
    </div>
  </div>`;
