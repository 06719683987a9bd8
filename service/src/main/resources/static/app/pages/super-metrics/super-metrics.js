// Super metrics: all of them, those that need somebody first; the selected ones are exported, switched on or off
// together.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { cells, Columns } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { complete } from "../../core/filter.js";
import { showPacks } from "./packs.js";
import { availableColumns, isGone, shownColumns } from "./columns.js";
import {
  completions,
  exportAddress,
  hasToken,
  kindsText,
  parseFilter,
  stateOf,
  STATES,
  STATE_WORDS,
  toggled,
  unitWord,
} from "./words.js";

const MOST = 1000;
const EXPORT_MOST = 300;
// Widths of the first column, and at least of those that share what room is left.
const PICK = 52;
const ROOM = 160;

const byState = (a, b) =>
  STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
  Number(b.evaluation.withoutValue > 0) - Number(a.evaluation.withoutValue > 0);
const byName = (a, b) => a.name.localeCompare(b.name);
const ORDERS = {
  state: byState,
  name: byName,
  kinds: (a, b) => kindsText(a.kinds).localeCompare(kindsText(b.kinds)),
  pack: (a, b) => (a.pack ?? "\uffff").localeCompare(b.pack ?? "\uffff"),
  unit: (a, b) => unitWord(a.unitId).localeCompare(unitWord(b.unitId)),
  cost: (a, b) => b.evaluation.tookMillis - a.evaluation.tookMillis,
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
};

async function readAll(query, signal) {
  const items = [];
  let cursor = null;
  do {
    const page = await get("/super-metrics", { ...query, limit: MOST, cursor }, signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

export function page() {
  const all = new Load((_tick, _version, signal) => readAll({}, signal));
  const found = new Load((query, _tick, _version, signal) => readAll(query, signal));
  const gone = new Load((_tick, _version, signal) => get("/super-metrics", { state: "deleted", limit: 1 }, signal));
  const order = new Load((_tick, _version, signal) => get("/super-metrics/dependencies", {}, signal));
  const columns = new Columns("super-metrics", ["name"]);
  let typed = param("q");
  let suggesting = false;
  let version = 0;
  let busy = false;

  const toAddress = filterToAddress();

  function update() {
    columns.arrive("");
    if (document.activeElement?.id !== "filter") typed = param("q");
    const { query } = parseFilter(param("q"));
    all.want(lastTick(), version);
    if (Object.keys(query).length) found.want(query, lastTick(), version);
    order.want(lastTick(), version);
    gone.want(lastTick(), version);
  }

  const filtered = () => Object.keys(parseFilter(param("q")).query).length > 0;
  const load = () => (filtered() ? found : all);

  const rows = new Rows({
    main: "super-metrics",
    items: () => load().data,
    asked: () => [param("sort"), param("q")],
    compare: (a, b) => ordered(ORDERS, "state", byName)(a, b),
    address: (sm) => (isGone(sm) ? null : `/super-metrics/${sm.id}`),
    go,
    selectable: (sm) => !isGone(sm),
  });

  const users = () => {
    const counts = new Map();
    for (const d of order.data?.order ?? []) for (const id of d.reads) counts.set(id, (counts.get(id) ?? 0) + 1);
    return counts;
  };

  async function enable(on, list) {
    busy = true;
    redraw();
    const done = [];
    const failed = [];
    for (const sm of list) {
      if (sm.policy.enabled === on) continue;
      try {
        const { data } = await exchange("PUT", `/super-metrics/${sm.id}/policy`, {
          body: { ...sm.policy, enabled: on },
          etag: `"${sm.version}"`,
        });
        done.push(data);
      } catch (error) {
        failed.push(`${sm.name}: ${error.message}`);
      }
    }
    busy = false;
    version++;
    update();
    const word = on ? "enabled" : "disabled";
    if (failed.length) notice(`${done.length} ${word}, ${failed.length} not. ${failed[0]}`, { seconds: 10 });
    else
      notice(done.length ? `${plural(done.length, "super metric")} ${word}` : `All of them were ${word} already`, {
        seconds: 10,
        undo: done.length ? () => enable(!on, done) : null,
      });
    redraw();
  }

  async function restore(sm) {
    busy = true;
    redraw();
    try {
      await exchange("POST", `/super-metrics/${sm.id}/history/${sm.version}/restore`);
      notice(html`<b>${sm.name}</b> is restored`, { seconds: 10 });
    } catch (error) {
      notice(`${sm.name} is not restored. ${error.message}`, { seconds: 10 });
    }
    busy = false;
    version++;
    update();
    redraw();
  }

  const add = () => (may("operator") ? go("/super-metrics/new") : notice(NEEDS));
  const keys = () => ({ ...rows.keys(), C: [add, "New super metric"] });

  function typing(event) {
    typed = event.target.value;
    suggesting = true;
    toAddress(typed.trim());
    redraw();
  }

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    suggesting = false;
    amend({ q: text.trim(), row: null }, { replace: true });
    redraw();
  }

  function filterBox() {
    const options = suggesting && all.data ? completions(typed, all.data) : [];
    const fill = (word) => setFilter(complete(typed, word));
    return html`<div
      class="tokens"
      @focusout=${(e) => e.currentTarget.contains(e.relatedTarget) || ((suggesting = false), redraw())}
    >
      <input
        id="filter"
        type="search"
        .value=${typed}
        placeholder="name, words of a formula, state:invalid kind:VirtualMachine pack:vm-basics"
        aria-label="Filter"
        autocomplete="off"
        spellcheck="false"
        @focus=${() => ((suggesting = true), redraw())}
        @input=${typing}
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

  /**
   * How many are in which state; a click filters. Shown once all are counted, so that none moves away under the
   * pointer.
   */
  function states() {
    if (!all.data || !gone.data) return nothing;
    const counts = Object.fromEntries(
      Object.entries(Object.groupBy(all.data, (s) => s.state)).map(([state, list]) => [state, list.length]),
    );
    counts.deleted = gone.data.total;
    return html`<div class="states" role="group" aria-label="States">
      ${STATES.filter((s) => counts[s]).map(
        (s) =>
          html`<button
            class="ctl low"
            aria-pressed=${hasToken(typed, "state", s)}
            @click=${() => setFilter(toggled(typed, "state", s))}
          >
            ${shape(stateOf({ state: s }), 11, "")}<span>${count(counts[s])}</span
            ><span class="k">${STATE_WORDS[s]}</span>
          </button>`,
      )}
    </div>`;
  }

  function choice(key, label, values) {
    const now = parseFilter(typed).query[key === "kind" ? "objectKind" : key] ?? [];
    return html`<select
      class="field slim"
      aria-label=${label}
      @change=${(e) => {
        const { value } = e.target;
        let text = typed;
        for (const v of now) text = toggled(text, key, v);
        setFilter(value ? toggled(text, key, value) : text);
      }}
    >
      <option value="" ?selected=${!now.length}>${label}</option>
      ${[...new Set(values)]
        .filter(Boolean)
        .sort()
        .map((v) => html`<option value=${v} ?selected=${now.includes(v)}>${v}</option>`)}
    </select>`;
  }

  /** What can be done with a row in it. */
  function act(sm) {
    if (!isGone(sm)) return nothing;
    const allowed = may("operator");
    return html` <button
      class="link"
      ?disabled=${!allowed || busy}
      title=${allowed ? "As it was when it was deleted" : NEEDS}
      aria-label=${`Restore ${sm.name}`}
      @click=${() => restore(sm)}
    >
      Restore
    </button>`;
  }

  function row(sm, shown, page) {
    const deleted = isGone(sm);
    const quiet = sm.state === "disabled" || deleted ? "quiet" : "";
    return html`<tr
      class="${rows.isOn(sm) ? "sel" : ""} ${quiet}"
      aria-selected=${rows.selected.has(sm.id)}
      @click=${(e) => rows.click(e, sm)}
      @dblclick=${() => rows.open(sm)}
    >
      ${rows.pick(sm, shape(stateOf(sm), 12, STATE_WORDS[sm.state]))} ${cells(shown, sm, page)}
    </tr>`;
  }

  function table() {
    const list = rows.list();
    const page = { users: order.data ? users() : null, act };
    const shown = shownColumns(columns.chosen());
    return columns.table(
      shown,
      { lead: "w-pick", leadWidth: PICK, room: ROOM, usual: "state" },
      rows.body(list, (sm) => row(sm, shown, page)),
    );
  }

  function noMatch() {
    const tokens = param("q").match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
    return html`<div class="empty">
      Nothing matches. Drop a part of the
      filter:${tokens.map(
        (t) =>
          html` <button class="link mono" @click=${() => setFilter(tokens.filter((x) => x !== t).join(" "))}>
            ${t}
          </button>`,
      )}
    </div>`;
  }

  const none = () =>
    html`<div class="pane words">
      <p class="say">
        <b>There is no super metric yet.</b> A super metric is a formula over metrics of an object and of what lies
        below or above it, computed for every object of a kind. Formulas and files are those of vRealize Operations.
      </p>
      <p class="say row">
        <a class="ctl primary" href=${href("/super-metrics/import")}>Import an export file…</a>
        <button class="ctl" @click=${showPacks}>Install a pack…</button>
        <a class="ctl" href=${href("/super-metrics/new")}>Write one</a>
      </p>
    </div>`;

  function bulk() {
    const list = rows.picked();
    const ids = list.map((s) => s.id);
    const allowed = may("operator");
    const needs = allowed ? nothing : NEEDS;
    const many = ids.length > EXPORT_MOST;
    const file = (format, word) =>
      many
        ? html`<button class="ctl" disabled title=${`At most ${EXPORT_MOST} at once; select none to export all`}>
            ${word}
          </button>`
        : html`<a class="ctl" href=${exportAddress(ids, format)} download>${word}</a>`;
    return html`<b>${count(ids.length)} selected</b>${file("json", "Export JSON")}${file("zip", "Export ZIP")}
      <button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(true, list)}>Enable</button
      ><button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(false, list)}>
        Disable
      </button>
      <button class="link" @click=${() => rows.clear()}>None</button>`;
  }

  function exportLink(data) {
    const these = filtered() && data?.length <= EXPORT_MOST;
    const ids = these ? data.filter((s) => !isGone(s)).map((s) => s.id) : null;
    return ids?.length === 0
      ? nothing
      : html`<a class="link" href=${exportAddress(ids, "json")} download>Export ${these ? "these" : "all"}</a>`;
  }

  return {
    title: "Super metrics",
    name: "super-metrics",
    timed: false,
    update,
    keys,
    escape: () => rows.escape(),
    view() {
      const unknown = parseFilter(param("q")).unknown;
      const now = load();
      const empty = all.data?.length === 0 && !filtered() && !gone.data?.total;
      const operator = may("operator");
      return html`<div class="tb">
          <h1>Super metrics</h1>
          ${filterBox()}
          ${choice(
            "kind",
            "All kinds",
            (all.data ?? []).flatMap((s) => s.kinds.map((k) => k.objectKind)),
          )}${choice(
            "pack",
            "All packs",
            (all.data ?? []).map((s) => s.pack),
          )}
          <button class="ctl" @click=${showPacks}>Packs…</button>
          <a class="ctl" href=${href("/super-metrics/import")}>Import…</a>
          ${operator
            ? html`<a class="ctl primary" href=${href("/super-metrics/new")}>New <kbd>C</kbd></a>`
            : html`<button class="ctl primary" disabled title=${NEEDS}>New</button>`}
        </div>
        ${empty
          ? none()
          : html`<section class="pane" aria-label="Super metrics">
              <div class="ph">
                ${rows.selected.size
                  ? bulk()
                  : html`<h2>${now.data ? plural(now.data.length, "super metric") : "Super metrics"}</h2>
                      ${states()}`}
                <span class="sp"></span>
                ${unknown.length ? html`<span class="warn cut">not understood: ${unknown.join(" ")}</span>` : nothing}
                ${rows.selected.size ? nothing : exportLink(now.data)}
                <button
                  class="ctl low"
                  aria-haspopup="dialog"
                  @click=${() =>
                    columns.pick(() => ({ available: availableColumns(), shown: shownColumns(columns.chosen()) }))}
                >
                  Columns
                </button>
                <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span>
              </div>
              ${rows.box(
                now.error && !now.data
                  ? failure(now.error, () => now.again())
                  : loaded(now, (data) => (data.length ? table() : noMatch()), { rows: 12 }),
              )}
            </section>`}`;
    },
  };
}
