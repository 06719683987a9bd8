// Sources: where data come from, how each of them does, and what to do where one does not; beside the list the chosen
// one, or the pane that adds a vCenter.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, NONE, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { narrow } from "../../core/screen.js";
import { may } from "../../core/session.js";
import { sourceCounts, wantSourceCounts } from "../../core/sources.js";
import { ticking } from "../../core/ticking.js";
import { duration, lastTick, moment } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { turnSide } from "../../parts/history.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { searchBox, spark } from "../../parts/small.js";
import { senderDetail, sourceDetail } from "./detail.js";
import { SourceEditor } from "./editor.js";
import { errorList } from "./errors.js";
import { waysIn } from "./ways.js";
import {
  besides,
  headline,
  isQuiet,
  keyOf,
  kindRank,
  kindWord,
  lastErrors,
  matches,
  newestAge,
  ofEntry,
  roundSentence,
  roundWords,
  stateOf,
  trendOf,
  trendWords,
} from "./words.js";

const EVERY = 10_000;
const MOST = 1000;
const FEW_ERRORS = 6;

const byName = (a, b) => a.name.localeCompare(b.name);
const most = (of) => (a, b) => (of(b) ?? -1) - (of(a) ?? -1);
const ORDERS = {
  state: (a, b) => stateOf(b).rank - stateOf(a).rank,
  name: byName,
  newest: (a, b) => newestAge(b, Date.now()) - newestAge(a, Date.now()),
  objects: most((s) => s.objects),
  rate: most((s) => s.samplesPerSecond),
};

/** Where a row leads: the same list with its source beside it. */
const addressOf = (source) =>
  href("/sources", {
    q: param("q"),
    sort: param("sort"),
    columns: param("columns"),
    row: keyOf(source),
  });

const COLUMNS = {
  name: {
    list: "name",
    name: "Source",
    sort: true,
    least: 220,
    title: (s) => [s.name, besides(s)].filter(Boolean).join(", "),
    cell: (s) =>
      html`<span class="source-name"
        ><a class="strong" href=${addressOf(s)}>${s.name}</a><span class="m s12 besides">${besides(s)}</span></span
      >`,
  },
  state: {
    list: "value",
    name: "State",
    sort: true,
    width: 84,
    title: (s) => (s.stateSince ? `since ${moment(Date.parse(s.stateSince))}` : nothing),
    cell: (s) => html`<span class="tone ${stateOf(s).tone}">${s.state}</span>`,
  },
  newest: {
    list: "long",
    name: "Newest",
    hint: "how old the newest sample is",
    sort: true,
    width: 86,
    cls: "r",
    title: (s) => (s.newestSampleAt ? moment(Date.parse(s.newestSampleAt), true) : nothing),
    cell: (s) => (newestAge(s, Date.now()) === null ? NONE : ticking(() => duration(newestAge(s, Date.now())))),
  },
  objects: { name: "Objects", sort: true, width: 80, cls: "r prio-3", cell: (s) => count(s.objects) },
  rate: {
    name: "Samples/s",
    hint: "values, lines or flow records a second",
    sort: true,
    width: 86,
    cls: "r",
    cell: (s) => count(s.samplesPerSecond),
  },
  round: {
    name: "Round",
    hint: "how long it takes, and how often there is one",
    width: 108,
    cls: "r prio-3",
    title: roundSentence,
    cell: roundWords,
  },
  trend: {
    name: "6 hours",
    hint: "samples a second, from zero",
    width: 104,
    title: trendWords,
    cell: (s) =>
      spark(trendOf(s), { width: 88, height: 18, zero: true, colour: isQuiet(s) ? "--deviant-1" : "--peer-strong" }),
  },
  address: {
    name: "Address",
    col: "w-wide",
    least: 160,
    td: "m mono",
    title: (s) => s.address ?? "",
    cell: (s) => s.address ?? NONE,
  },
  node: { name: "Node", width: 104, td: "m", title: (s) => s.node ?? "", cell: (s) => s.node ?? NONE },
};

export function page() {
  const list = new Load((_tick, q, signal) => get("/sources", { limit: MOST, q }, signal));
  const errors = new Load((_tick, signal) => get("/sources/errors", { limit: 200 }, signal));
  const own = new Load((source, _at, signal) => get("/sources/errors", { source, limit: 50 }, signal));
  const editors = new Map();
  let typed = param("q");
  const toAddress = filterToAddress();

  const left = memo((items, text) => items.map((s) => ({ ...s, id: keyOf(s) })).filter((s) => matches(s, text)));
  const rows = new Rows({
    main: "sources-page",
    items: () => (list.data ? left(list.data.items, typed) : null),
    asked: () => [typed, param("sort")],
    compare: (a, b) => kindRank(a.kind) - kindRank(b.kind) || ordered(ORDERS, "state", byName)(a, b),
    address: () => null,
    go,
    group: (s) => s.kind,
  });
  rows.choose = (source) => show({ row: source?.id ?? null });
  const columns = choosable("sources", {
    definitions: COLUMNS,
    usual: ["name", "state", "newest", "objects", "rate", "round", "trend"],
    fixed: ["name", "state"],
  });

  const sources = () => list.data?.items ?? [];
  const chosen = () => sources().find((s) => keyOf(s) === param("row")) ?? null;
  const adding = () => param("add") === "vcenter";
  const allErrors = () => param("errors") === "week";

  function again() {
    list.again();
    sourceCounts.again();
    errors.again();
  }

  function show(params) {
    amend({ row: null, add: null, edit: null, errors: null, side: null, ...params }, { replace: !narrow() });
  }
  const close = () => show({});
  const add = () => show({ add: "vcenter" });

  /** What is typed stays while one looks at another row. */
  function editorOf(address) {
    if (!editors.has(address))
      editors.set(
        address,
        new SourceEditor({
          address,
          list: close,
          back: () => (address === "new" ? close() : show({ row: address })),
          made: ({ id }) => {
            editors.delete("new");
            show({ row: id });
            again();
          },
        }),
      );
    return editors.get(address);
  }

  function edit(id, place) {
    show({ row: id, edit: "yes" });
    editorOf(id).at(place);
  }

  async function pause(source) {
    if (!source) return notice("Choose a source first, with J and K or the mouse.");
    if (source.id === null) return notice(`${source.name} sends by itself: pause it where it runs.`);
    return turn([source], source.state !== "paused");
  }

  /** Pauses sources or reads them again; that can be taken back at once. */
  async function turn(some, off) {
    const did = off ? "paused" : "read again";
    try {
      await Promise.all(some.map((s) => post(`/sources/${s.id}/${off ? "pause" : "resume"}`)));
      notice(some.length === 1 ? `${some[0].name} is ${did}` : `${plural(some.length, "source")} are ${did}`, {
        seconds: 10,
        undo: () => turn(some, !off),
      });
    } catch (error) {
      notice(`Not ${did}: ${error.message}`, { seconds: 8 });
    }
    again();
    for (const s of some) editors.get(s.id)?.draft.stored.again();
  }

  const read = () => sources().filter((s) => s.id !== null);
  function pauseAll() {
    const running = read().filter((s) => s.state !== "paused");
    turn(running.length ? running : read(), running.length > 0);
  }

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    amend({ q: text.trim() }, { replace: true });
    redraw();
  }

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    columns.arrive();
    want();
  }

  function want() {
    const beyond = (list.data?.total ?? 0) > MOST;
    list
      .want(
        lastTick(),
        beyond
          ? param("q")
              .replace(/\b(is|kind):\S+/g, "")
              .trim()
          : "",
      )
      .every(EVERY);
    wantSourceCounts();
    sourceCounts.every(EVERY);
    errors.want(lastTick());
    const source = chosen();
    if (!source?.id) return;
    own.want(source.id, lastTick());
    const { draft } = editorOf(source.id);
    draft.want();
    if (!draft.edited) draft.stored.every(EVERY);
  }

  /** Whether there is nothing yet: how data come in is said then. */
  const isEmpty = () => list.data !== null && !list.data.total && !param("q");

  function head() {
    const counts = sourceCounts.data;
    const some = read();
    const running = some.some((s) => s.state !== "paused");
    return html`<div class="top">
      <h1 class="lead">${counts ? headline(counts) : sourceCounts.error ? "Sources" : "\u00a0"}</h1>
      <span class="sp"></span>
      <span class="m s12 nw">${counts?.total ? `${count(counts.samplesPerSecond)} samples/s` : nothing}</span>
      ${some.length > 1 && may("operator")
        ? html`<button class="ctl" @click=${pauseAll}>${running ? "Pause all" : "Resume all"}</button>`
        : nothing}${may("admin") && !isEmpty()
        ? html`<button class="ctl primary wide-acts" @click=${add}>Add a vCenter <kbd>C</kbd></button>`
        : nothing}
    </div>`;
  }

  function filterBox() {
    return searchBox({
      value: typed,
      placeholder: "name, is:late kind:telegraf",
      type: (text) => {
        typed = text;
        toAddress(typed.trim());
        redraw();
      },
    });
  }

  const row = (s) =>
    html`<tr
      class="${rows.isOn(s) ? "sel" : ""} ${s.state === "paused" ? "quiet" : ""} ${s.state === "stopped"
        ? "stopped"
        : ""}"
      aria-selected=${rows.isOn(s)}
      @click=${(e) => e.target.closest("a, button") || show({ row: s.id })}
    >
      <td class="l-shape">${shape(stateOf(s).shape, 12, s.state === "fresh" ? "" : s.state)}</td>
      ${cells(columns.shown(), s)}
    </tr>`;
  const groupHead = (kind) =>
    html`<tr class="group">
      <td colspan=${columns.shown().length + 1}><b>${kindWord(kind)}</b></td>
    </tr>`;

  function listPane() {
    const { data } = list;
    return html`<section class="pane source-list" aria-label="Sources">
      <div class="ph">
        <h2>${data ? plural(data.total, "source") : "Sources"}</h2>
        <span class="m cut" title="late: three of its own rounds missed">late: three of its own rounds missed</span>
        <span class="sp"></span>${filterBox()}${columns.button()}
      </div>
      ${list.error && !data
        ? failure(list.error, () => list.again())
        : data
          ? table()
          : loaded(list, () => nothing, { rows: 8 })}
      ${list.error && data
        ? html`<div class="row pad warn s12" role="alert">
            Not read again: ${list.error.message} <button class="link" @click=${() => list.again()}>Retry</button>
          </div>`
        : nothing}${data && data.total > data.items.length
        ? html`<div class="foot-line">
            <span>the first ${count(data.items.length)} of ${count(data.total)}; a filter finds the others</span>
          </div>`
        : nothing}
    </section>`;
  }

  function table() {
    const shown = rows.list();
    if (!shown.length)
      return html`<div class="empty">
        Nothing matches. <button class="link" @click=${() => setFilter("")}>Drop the filter</button>
      </div>`;
    return rows.box(
      columns.table({ lead: "w-state", leadWidth: 32, room: 150, usual: "state" }, rows.body(shown, row, groupHead)),
    );
  }

  function errorsPane() {
    const total = errors.data?.total ?? 0;
    return pane({
      title: "Last errors, and what to do",
      name: "source-errors-pane",
      end: total
        ? html`<a class="link" href=${href("/sources", { errors: "week" })}
            >${total === 1 ? "The error" : `All ${count(total)} errors`} of the week</a
          >`
        : nothing,
      body: html`<div class="scrolls">
          ${loaded(
            errors,
            ({ items }) => {
              const last = lastErrors(sources(), items).slice(0, FEW_ERRORS);
              return last.length
                ? errorList(last, { edit })
                : html`<div class="empty">Nothing is wrong, and nothing was in the last week.</div>`;
            },
            { rows: 3 },
          )}
        </div>
        <div class="foot-line keys-said">
          <span><kbd>J</kbd> <kbd>K</kbd> row</span>${may("operator")
            ? html`<span><kbd>Z</kbd> pause</span>`
            : nothing}${may("admin") ? html`<span><kbd>C</kbd> add</span>` : nothing}
        </div>`,
    });
  }

  const weekPane = () =>
    html`<section class="pane source-side" aria-label="Errors of the week">
      <div class="ph">
        <h2>Errors of the week</h2>
        <span class="m cut">newest first</span>
        <span class="sp"></span><button class="link" @click=${close}>Close</button>
      </div>
      <div class="detail-scroll">
        ${loaded(errors, ({ items }) => errorList(items.map(ofEntry), { edit }), {
          rows: 8,
          isEmpty: ({ items }) => !items.length,
          empty: "Nothing was wrong.",
        })}
      </div>
    </section>`;

  const acts = { edit, pause, close };

  /** What stands beside the list; null = nothing. */
  function side() {
    if (adding()) return may("admin") ? editorOf("new").view({ buttons: !narrow() }) : null;
    if (allErrors()) return weekPane();
    const source = chosen();
    if (!source) return null;
    if (!source.id) return senderDetail({ source, acts });
    const editor = editorOf(source.id);
    if (param("edit") && may("admin") && editor.draft.there) return editor.view({ buttons: !narrow() });
    return sourceDetail({ source, editor, errors: own, acts });
  }

  /** The editor that is open, if one is. */
  function open() {
    if (adding()) return editorOf("new");
    return param("edit") && chosen()?.id ? editorOf(chosen().id) : null;
  }

  /** What one does, below the page on small windows. */
  function actions() {
    if (!may("operator")) return nothing;
    if (open()) return may("admin") ? open().buttons() : nothing;
    const source = chosen();
    if (source?.id)
      return html`<button class="ctl" @click=${() => pause(source)}>
          ${source.state === "paused" ? "Resume" : "Pause"}</button
        >${may("admin") ? html`<button class="ctl" @click=${() => edit(source.id)}>Change</button>` : nothing}`;
    return may("admin") && !source && !allErrors() && !isEmpty()
      ? html`<button class="ctl primary" @click=${add}>Add a vCenter</button>`
      : nothing;
  }

  function keys() {
    const { O: _open, Enter: _enter, ...moves } = rows.keys({ selecting: false });
    const there = () => list.data !== null;
    const one = () => chosen()?.id ?? null;
    return {
      ...moves,
      H: [() => one() && turnSide(), "History", there],
      ...(may("operator") ? { Z: [() => pause(chosen()), "Pause the source, or read it again", there] } : {}),
      ...(may("admin")
        ? {
            E: [() => one() && edit(one()), "Change the source", there],
            C: [add, "Add a vCenter"],
            "Ctrl S": [() => open()?.save(), "Save"],
          }
        : {}),
    };
  }

  return {
    title: "Sources",
    name: "sources-page",
    timed: false,
    update,
    keys,
    acts: actions,
    leave: () => toAddress.cancel(),
    escape: () => leaveField() || close(),
    view() {
      want();
      const beside = side();
      if (narrow() && beside)
        return html`<h1 class="unseen">Sources</h1>
          ${beside}`;
      return html`${head()}
        <div class="col">
          ${isEmpty()
            ? html`<section class="pane words" aria-label="First steps">${waysIn()}</section>`
            : html`${listPane()}${errorsPane()}`}
        </div>
        ${beside ?? nothing}`;
    },
  };
}
