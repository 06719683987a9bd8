// The audit log: who did what, from where, and with which outcome.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, session } from "../../core/session.js";
import { lastTick, moment, span, spanName } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { download } from "../../parts/download.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { Rows } from "../../parts/rows.js";
import {
  detailLines,
  kindName,
  KINDS,
  operationWords,
  OUTCOMES,
  outcomeShape,
  outcomeText,
  outcomeWord,
  pageOf,
  versions,
  what,
  who,
} from "../../parts/audit-words.js";
import { searchBox } from "../../parts/small.js";

const MOST = 1000;
const SPANS = ["1h", "24h", "7d", "30d", "90d"];
const SINCE = "7d";
// Rows go by ids that are texts, as the address has them.
async function read(query, signal) {
  const { items, total } = await get("/audit", query, signal);
  return { items: items.map((e) => ({ ...e, id: String(e.id) })), total };
}
const FILTERS = ["q", "outcome", "kind", "object", "name", "address", "since"];

export function page() {
  const since = () => (param("since") === "all" || SPANS.includes(param("since")) ? param("since") : SINCE);
  const query = () => ({
    q: param("q"),
    outcome: param("outcome"),
    kind: param("kind"),
    object: param("object"),
    name: param("name"),
    address: param("address"),
  });
  const from = () => (since() === "all" ? null : new Date(Date.now() - span(since())).toISOString());
  const load = new Load((asked, _since, _tick, signal) => read({ ...asked, from: from(), limit: MOST }, signal));
  let typed = param("q");
  let timer = null;
  const rows = new Rows({
    main: "audit",
    items: () => load.data?.items ?? null,
    asked: () => [query(), since()],
    compare: (a, b) => b.at.localeCompare(a.at) || b.id - a.id,
    address: (e) => pageOf(e),
    go: (at) => go(at),
  });

  const update = () => may("admin") && load.want(query(), since(), lastTick());
  const set = (part) => amend({ ...part, row: null }, { replace: true });
  const none = () => {
    typed = "";
    set(Object.fromEntries(FILTERS.map((name) => [name, null])));
  };
  const type = (text) => {
    typed = text;
    clearTimeout(timer);
    timer = setTimeout(() => set({ q: text.trim() || null }), 300);
    redraw();
  };

  async function csv() {
    try {
      const { data } = await exchange("GET", "/audit", {
        query: { ...query(), from: from(), limit: 10_000 },
        accept: "text/csv",
      });
      download("audit", "csv", data, "Entries");
    } catch (error) {
      notice(`Not saved: ${error.message}`, { seconds: 8 });
    }
  }

  const choice = (name, label, options, all) =>
    html`<label class="ctl pick-one"
      ><span class="k">${label}</span
      ><select aria-label=${label} @change=${(e) => set({ [name]: e.target.value || null })}>
        <option value="">${all}</option>
        ${options.map(([v, word]) => html`<option value=${v} ?selected=${v === param(name)}>${word}</option>`)}
      </select></label
    >`;
  const dropped = (name, words) =>
    param(name)
      ? html`<button class="ctl low" title="Drop this filter" @click=${() => set({ [name]: null })}>
          <span class="cut">${words}</span> ×
        </button>`
      : nothing;
  const narrowed = () => Object.values(query()).some(Boolean);

  const link = (e) => {
    const at = pageOf(e);
    return at ? html`<a href=${at}>${what(e) || kindName(e.kind)}</a>` : what(e);
  };
  const row = (e) =>
    html`<tr
      class=${rows.isOn(e) ? "sel" : ""}
      aria-selected=${rows.isOn(e)}
      @click=${(event) => rows.click(event, e)}
      @dblclick=${() => rows.open(e)}
    >
      <td>${outcomeShape(e.outcome)}</td>
      <td class="m nw l-value" title=${e.at}>${moment(Date.parse(e.at), true)}</td>
      <td class="strong l-long" title=${`${who(e)}${e.role ? `, ${e.role}` : ""}`}>${who(e)}</td>
      <td class="l-name" title=${e.operation}>${operationWords(e.operation)}</td>
      <td class="prio-3 i2">${kindName(e.kind)}</td>
      <td class="strong l-what" title=${what(e)}>${link(e)}</td>
      <td class="prio-3 r m">${versions(e)}</td>
      <td class=${e.outcome === "succeeded" ? "m" : "warn"} title=${outcomeText(e)}>${outcomeText(e)}</td>
      <td class="prio-3 mono m" title=${e.userAgent ?? ""}>${e.address ?? ""}</td>
    </tr>`;

  const table = (list) =>
    html`<table>
      <colgroup>
        <col class="w-state" />
        <col class="w-stamp" />
        <col class="w-who" />
        <col class="w-what" />
        <col class="prio-3 w-who" />
        <col />
        <col class="prio-3 w-few" />
        <col class="w-outcome" />
        <col class="prio-3 w-who" />
      </colgroup>
      <thead>
        <tr>
          <td></td>
          <th>Time</th>
          <th>Who</th>
          <th>Did</th>
          <th class="prio-3">With</th>
          <th>Which</th>
          <th class="prio-3 r">Version</th>
          <th>Outcome</th>
          <th class="prio-3">From</th>
        </tr>
      </thead>
      ${rows.body(list, row)}
    </table>`;

  const term = (name, value, filter) =>
    value === null || value === ""
      ? nothing
      : html`<dt>${name}</dt>
          <dd title=${value}>
            ${filter
              ? html`<button class="link" title="Only these" @click=${() => set({ [filter]: value })}>${value}</button>`
              : value}
          </dd>`;
  function beside(e) {
    const at = pageOf(e);
    return html`<section class="pane" aria-label="Entry">
      <div class="ph">
        <h2>Entry ${e.id}</h2>
        <span class="sp"></span>
        ${at ? html`<a class="link" href=${at}>Open it</a>` : nothing}
        <button class="link" @click=${() => rows.choose(null)}>Close</button>
      </div>
      <dl class="props">
        ${term("Operation", e.operation)}
        <dt>Outcome</dt>
        <dd>${outcomeWord(e.outcome)}${e.status ? ` (${e.status})` : ""}${e.error ? `, ${e.error}` : ""}</dd>
        ${term("When", moment(Date.parse(e.at), true))}${e.until
          ? term("Last", `${moment(Date.parse(e.until), true)}, ${count(e.count)} times`)
          : nothing}
        ${term("Who", e.tokenName, "name")}${term("Role", e.role)}${term("Token", e.tokenId)}${term(
          "Session",
          e.session,
        )}${term("From", e.address, "address")}${term("Program", e.userAgent)}${term("Request", e.requestId)}
        ${term("With", e.kind, "kind")}${term("Id", e.object, "object")}${term("Name", e.objectName)}${term(
          "Version",
          versions(e),
        )}${detailLines(e).map(([k, v]) => term(k, v))}
        ${e.related.length > 1 ? term("Related", `${count(e.related.length)} ids`) : nothing}
      </dl>
    </section>`;
  }

  function body() {
    if (load.error && !load.data) return failure(load.error, () => load.again());
    if (!load.data) return loaded(load, () => nothing, { rows: 14 });
    const list = rows.list();
    if (list.length) return rows.box(table(list));
    const wider =
      since() === "all"
        ? nothing
        : html` <button class="link" @click=${() => set({ since: "all" })}>Look at all that is kept</button>`;
    return html`<div class="empty">
      ${narrowed()
        ? html`No entry matches. <button class="link" @click=${none}>Drop the filters</button>`
        : html`Nobody changed
          anything${since() === "all" ? " since the log began" : ` in the ${spanName(since()).toLowerCase()}`}. Reading
          is not recorded.`}${wider}
    </div>`;
  }

  return {
    title: "Audit log",
    name: "audit",
    timed: false,
    update() {
      if (document.activeElement?.id !== "filter") typed = param("q");
      update();
    },
    leave: () => clearTimeout(timer),
    escape: () => (param("row") ? rows.choose(null) : back("/settings")),
    keys: () => rows.keys({ selecting: false }),
    view() {
      const head = html`<a class="m nw" href=${href("/settings")}>Settings /</a>
        <h1>Audit log</h1>`;
      if (!may("admin"))
        return html`<div class="tb">${head}</div>
          ${pane({
            title: "Audit log",
            body: html`<div class="empty">
              You are signed in as ${session.info?.role}. The audit log is read with the role admin.
            </div>`,
          })}`;
      update();
      const data = load.data;
      const chosen = data?.items.find((e) => e.id === param("row"));
      const most = data && data.total > data.items.length ? `; the newest ${count(data.items.length)} are listed` : "";
      return html`<div class="tb">
          ${head} ${searchBox({ value: typed, placeholder: "who, what was done, what it was done to", type: type })}
          ${choice("outcome", "Outcome", OUTCOMES, "any")}${choice("kind", "With", KINDS, "anything")}${choice(
            "since",
            "Of",
            [
              ...SPANS.filter((s) => s !== SINCE).map((s) => [s, spanName(s).toLowerCase()]),
              ["all", "all that is kept"],
            ],
            "last 7 days",
          )}
          <button class="ctl" title="At most 10,000 entries; that it was saved is recorded too" @click=${csv}>
            CSV
          </button>
        </div>
        <section class="pane" aria-label="Entries">
          <div class="ph">
            <h2>${data ? plural(data.total, "entry", "entries") : "Entries"}</h2>
            <span class="m cut">newest first${most}</span>
            <span class="sp"></span>
            ${dropped("name", `by ${param("name")}`)}${dropped("address", `from ${param("address")}`)}${dropped(
              "object",
              "about one thing",
            )}${load.error && data
              ? html`<span class="warn s12" role="alert"
                  >Not read again: ${load.error.message}
                  <button class="link" @click=${() => load.again()}>Retry</button></span
                >`
              : nothing}
            <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd></span>
          </div>
          ${body()}
        </section>
        ${chosen ? beside(chosen) : nothing}`;
    },
  };
}
