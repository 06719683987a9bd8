// Outliers: groups with those of their members that differ, their events, and the archive of events.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion } from "../../core/alerts.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { OPEN_EVENTS, openEventTotal, readPages } from "../../core/outliers.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, range, windowText } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { clearScope, scopeId, scopeName } from "../../frame/scope.js";
import { Columns } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { segments } from "../../parts/small.js";
import { complete, words } from "../../core/filter.js";
import {
  byName,
  filterEmpty,
  GROUP_ORDERS,
  groupColumns,
  groupCompletions,
  groupMatches,
  groupsNote,
  groupTable,
} from "./groups.js";
import { archive, byNumber, EVENT_ORDERS, eventColumns, eventText, eventTable, saveEvents } from "./events.js";
import { noGroups, suggestedPane, suggestions } from "./suggested.js";
import { isOver } from "./words.js";

const MOST_EVENTS = 10_000;
const TABS = ["groups", "events", "archive"];

const over = (query, signal) => readPages("/outlier-events", query, signal, MOST_EVENTS);

/** Each event once, of several answers. */
async function union(reads) {
  const found = await Promise.all(reads);
  return { items: [...new Map(found.flatMap((f) => f.items).map((e) => [e.id, e])).values()] };
}

export function page() {
  const groups = new Load((ancestor, _tick, _version, signal) => readPages("/outlier-groups", { ancestor }, signal));
  const events = new Load((from, to, ancestor, _version, signal) =>
    union([
      over({ archived: false, ancestor, from, to }, signal),
      over({ archived: false, ancestor, state: OPEN_EVENTS }, signal),
    ]),
  );
  const past = new Load((ancestor, _version, signal) =>
    union([over({ archived: true, ancestor }, signal), over({ state: "closed", ancestor }, signal)]),
  );
  const loads = { groups, events, archive: past };
  let typed = param("q");
  let suggesting = false;

  const tab = () => (TABS.includes(param("tab")) ? param("tab") : "groups");
  const load = () => loads[tab()];
  const tables = {
    groups: new Columns("outliers.groups", ["name"]),
    events: new Columns("outliers.events", ["member"]),
  };
  const columns = () => (tab() === "groups" ? tables.groups : tables.events);
  const toAddress = filterToAddress();

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    columns().arrive("");
    read();
  }

  function read() {
    const ancestor = scopeId() ?? undefined;
    groups.want(ancestor, lastTick(), alertVersion());
    suggestions.want(Math.floor(lastTick() / 300_000));
    const { from, to } = range();
    if (tab() === "events") events.want(String(Math.floor(from)), String(Math.ceil(to)), ancestor, alertVersion());
    if (tab() === "archive") past.want(ancestor, alertVersion());
  }

  const groupsLeft = memo((items, text) => items.filter((g) => groupMatches(g, text)));
  const eventsLeft = memo((items, _text) => items.filter(eventMatches));
  const eventMatches = (e) =>
    words(typed).every((w) =>
      w === "is:open" ? !isOver(e) : w === "is:closed" ? isOver(e) : eventText(e).includes(w.toLowerCase()),
    );
  const groupRows = new Rows({
    main: "outliers",
    items: () => (groups.data ? groupsLeft(groups.data.items, typed) : null),
    asked: () => [param("sort"), typed],
    compare: (a, b) => ordered(GROUP_ORDERS, "deviants", byName)(a, b),
    address: (g) => `/outliers/${g.id}`,
    go,
  });
  const eventRows = new Rows({
    main: "outliers",
    items: () => (load().data ? eventsLeft(load().data.items, typed) : null),
    asked: () => [tab(), param("sort"), typed],
    compare: (a, b) => ordered(EVENT_ORDERS, "opened", byNumber)(a, b),
    address: (e) => `/outliers/events/${e.id}`,
    go,
  });
  const rows = () => (tab() === "groups" ? groupRows : eventRows);

  function pickColumns() {
    const of = tab() === "groups" ? groupColumns : eventColumns;
    columns().pick(() => ({ available: of.available(), shown: of.shown(columns().chosen()) }));
  }

  const add = () => (may("operator") ? go("/outliers/new") : notice(NEEDS));
  const wall = () => go("/wall");
  async function doArchive() {
    const list = eventRows.selected.size ? eventRows.picked() : [eventRows.chosen()].filter(Boolean);
    if (!list.length) return notice("Choose an event first, with J and K or the mouse.");
    await archive(list, tab() === "events");
    eventRows.clear();
  }

  const keys = () => ({
    ...rows().keys(),
    ...(tab() === "groups"
      ? {}
      : { E: [doArchive, tab() === "events" ? "Archive" : "Back to the list of events", () => load().data !== null] }),
    C: [add, "New group"],
    W: [wall, "Wall"],
  });

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    suggesting = false;
    amend({ q: text.trim(), row: null }, { replace: true });
    redraw();
  }

  function filterBox() {
    const options = !suggesting
      ? []
      : tab() === "groups"
        ? groupCompletions(typed, groups.data?.items ?? [])
        : ["is:open", "is:closed"].filter((o) => o.includes(typed.split(/\s+/).at(-1)));
    const fill = (word) => setFilter(complete(typed, word));
    return html`<div
      class="tokens"
      @focusout=${(e) => e.currentTarget.contains(e.relatedTarget) || ((suggesting = false), redraw())}
    >
      <input
        id="filter"
        type="search"
        .value=${typed}
        placeholder=${tab() === "groups"
          ? "group, member, is:open kind:VirtualMachine"
          : "member, group, O-17, is:open"}
        aria-label="Filter"
        autocomplete="off"
        spellcheck="false"
        @focus=${() => ((suggesting = true), redraw())}
        @input=${(e) => {
          typed = e.target.value;
          suggesting = true;
          toAddress(typed.trim());
          redraw();
        }}
        @keydown=${(e) => {
          if (e.key === "Escape") {
            suggesting = false;
            e.target.blur();
            redraw();
          } else if (e.key === "Tab" && options.length && !e.shiftKey && typed.split(" ").at(-1)) {
            e.preventDefault();
            fill(options[0]);
          } else if (e.key === "Enter") setFilter(typed);
        }}
      />
      <kbd>/</kbd>
      ${options.length
        ? html`<ul class="menu suggest" role="listbox" aria-label="Completions">
            ${options.map(
              (w) =>
                html`<li>
                  <button tabindex="-1" @mousedown=${(e) => (e.preventDefault(), fill(w))}>
                    <span class="mono">${w}</span>
                  </button>
                </li>`,
            )}
          </ul>`
        : nothing}
    </div>`;
  }

  function bulk() {
    const list = rows().picked();
    const allowed = may("operator");
    const act =
      tab() === "groups"
        ? html`<a class="ctl" href=${`/api/v1/rules/export?id=${list.map((g) => g.id).join(",")}`} download>Export</a>`
        : html`<button class="ctl" ?disabled=${!allowed} title=${allowed ? nothing : NEEDS} @click=${doArchive}>
            ${tab() === "events" ? "Archive" : "Back to the list"} <kbd>E</kbd>
          </button>`;
    return html`<b>${count(list.length)} selected</b>${act}<button class="link" @click=${() => rows().clear()}>
        None
      </button>`;
  }

  function head() {
    const n = load().data?.items.length;
    const title =
      tab() === "groups"
        ? n === undefined
          ? "Groups"
          : plural(n, "group")
        : n === undefined
          ? "Events"
          : plural(n, "event");
    const note =
      tab() === "events"
        ? `open now, or at any time of ${windowText(range())}`
        : tab() === "archive"
          ? "all that are over or archived, for ever"
          : scopeName()
            ? `with members in ${scopeName()} or below, each shown whole`
            : "";
    return html`<div class="ph ${rows().selected.size ? "bulk" : ""}">
      ${rows().selected.size
        ? bulk()
        : html`<h2>${title}</h2>
            <span class="m cut"
              >${note}${tab() !== "groups" && scopeName()
                ? `${note ? ", " : ""}${scopeName()} and everything below`
                : ""}</span
            >`}
      <span class="sp"></span>
      ${rows().selected.size
        ? nothing
        : tab() !== "groups"
          ? ["csv", "json"].map(
              (format) =>
                html`<button class="link" ?disabled=${!n} @click=${() => saveEvents(format, eventRows.list())}>
                  ${format.toUpperCase()}
                </button>`,
            )
          : html`<a class="link" href=${href("/thresholds/import")}>Import…</a
              ><a class="link" href="/api/v1/rules/export" download>Export all</a>`}
      <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span>
    </div>`;
  }

  function none() {
    if (tab() === "groups" && !groups.data.items.length)
      return html`<div class="empty">
        No group has members in ${scopeName()}. <button class="link" @click=${clearScope}>Show all groups</button>
      </div>`;
    if (typed.trim())
      return filterEmpty((token) =>
        setFilter(
          typed
            .split(/\s+/)
            .filter((t) => t !== token)
            .join(" "),
        ),
      );
    if (tab() === "events")
      return html`<div class="empty">
        No event is open, and none was in this range. A longer range, or the archive, shows more.
      </div>`;
    return html`<div class="empty">The archive is empty: no event is over yet.</div>`;
  }

  function body() {
    const now = load();
    if (now.error && !now.data) return failure(now.error, () => now.again());
    if (!now.data) return loaded(now, () => nothing, { rows: 14 });
    const list = rows().list();
    return html`${rows().box(
      list.length
        ? tab() === "groups"
          ? groupTable(list, groupRows, columns())
          : eventTable(list, eventRows, columns())
        : none(),
    )}
    ${now.error
      ? html`<div class="row pad warn s12" role="alert">
          Not read again: ${now.error.message} <button class="link" @click=${() => now.again()}>Retry</button>
        </div>`
      : nothing}`;
  }

  function tabs() {
    const n = openEventTotal();
    return segments(
      tab(),
      [
        ["groups", "Groups"],
        ["events", html`Events${n ? html` <span class="n">${count(n)}</span>` : nothing}`],
        ["archive", "Archive"],
      ],
      (t) => {
        rows().clear();
        typed = "";
        amend({ tab: t === "groups" ? null : t, row: null, q: null, sort: null, columns: null }, { replace: true });
      },
      "What is listed",
    );
  }

  return {
    title: "Outliers",
    name: "outliers",
    update,
    keys,
    escape: () => rows().escape(),
    view() {
      read();
      const operator = may("operator");
      const empty = tab() === "groups" && groups.data?.items.length === 0 && !scopeId();
      return html`<div class="tb">
          <h1>Outliers</h1>
          <span class="m cut">${groupsNote(groups.data?.items)}</span>
          <span class="sp"></span>
          ${tabs()}${filterBox()}
          <button class="ctl" aria-haspopup="dialog" @click=${pickColumns}>Columns</button>
          <button class="ctl" @click=${wall}>Wall <kbd>W</kbd></button>
          <button class="ctl primary" ?disabled=${!operator} title=${operator ? nothing : NEEDS} @click=${add}>
            New group <kbd>C</kbd>
          </button>
        </div>
        ${empty
          ? noGroups(add)
          : html`<section class="pane" aria-label=${tab() === "groups" ? "Groups" : "Events"}>
              ${head()}${body()}
            </section>`}
        ${tab() === "groups" ? suggestedPane({ all: empty }) : nothing}`;
    },
  };
}
