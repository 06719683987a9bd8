// Alerts: what is open, folded by its cause, live; beside the list the chosen alert. What was typed is what the address
// holds.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { alertVersion, ASIDE, MOST_ALERTS, OPEN, readAlerts, stream } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { SEVERITIES } from "../../core/severity.js";
import { keep, kept } from "../../core/store.js";
import { duration, HOUR, lastTick, range, windowText } from "../../core/time.js";
import { amend, go, href, param } from "../../core/url.js";
import { scopeId, scopeName } from "../../frame/scope.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { severityShape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { Splitter } from "../../parts/splitter.js";
import { AlertDetail } from "./detail.js";
import { acknowledge, act, actButton, assign, suspend } from "./actions.js";
import { incidents, wantIncidents } from "./cause.js";
import { AlertTable } from "./table.js";
import { wantValues } from "./values.js";
import { completions, isClosed, parseFilter } from "./words.js";
import { complete } from "../../core/filter.js";
import { silenceAlerts } from "./silence-sheet.js";
import { hasToken, toggled } from "../super-metrics/words.js";

const TABS = {
  open: { state: "open", controlState: OPEN },
  suspended: { state: "open", controlState: ASIDE },
  silenced: { state: "open", silenced: true },
  closed: { state: "canceled" },
};
const GROUPINGS = [
  ["cause", "cause"],
  ["definition", "rule"],
  ["object", "object"],
  ["owner", "owner"],
  ["none", "nothing"],
];

export function page() {
  const list = new Load((query, _version, signal) => readAlerts(query, signal));
  const recent = new Load((from, ancestor, _version, signal) =>
    readAlerts({ state: "canceled", from, ancestor, limit: 200 }, signal),
  );
  const states = new Load((ancestor, _version, signal) =>
    get("/alerts/counts", { by: "control-state", ancestor }, signal),
  );
  const detail = new AlertDetail();
  const table = new AlertTable({
    current: () => current()?.id ?? null,
    choose,
    open: (a) => go(`/alerts/${a.id}`),
    take: (a) => act("take", [a]),
  });
  const splitter = new Splitter({
    name: "alerts.detail",
    label: "Width of the alert",
    property: "--alert-w",
    usual: 432,
    least: 344,
    most: () => innerWidth / 2,
    right: true,
  });
  let typed = param("q");
  let suggesting = false;
  // Which alert stands beside the list before somebody chose one; it stays when others come.
  let first = null;
  let firstClosed = false;
  let asked = "";
  // Whether the rows are on the page, each where it belongs.
  let drawn = false;

  const tab = () => (param("tab") in TABS ? param("tab") : "open");
  const grouping = () => param("by", kept("alerts.by", "cause"));
  const byCauseNow = () => tab() !== "closed" && grouping() === "cause";
  const toAddress = settled((q) => amend({ q }, { replace: true }), 250);

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    read();
  }

  function read() {
    const { from, to } = range();
    const ancestor = scopeId() || undefined;
    const window = tab() === "closed" ? { from: String(Math.floor(from)), to: String(Math.ceil(to)) } : {};
    // As long as all of them are here, the filter acts here, at once.
    const beyond = list.data && list.data.total > MOST_ALERTS ? parseFilter(param("q")).query : {};
    list.want({ ...TABS[tab()], ancestor, ...window, ...beyond }, alertVersion());
    states.want(ancestor, alertVersion());
    if (tab() === "open")
      recent.want(String(Math.floor((Date.now() - HOUR) / 60_000) * 60_000), ancestor, alertVersion());
    if (!list.data) return;
    if (byCauseNow()) wantIncidents();
    if (tab() !== "closed") wantValues(list.data.items, lastTick());
  }

  let memo = { inputs: [] };

  /**
   * What the filter leaves of what there is, and how many of each severity it would leave without a word on severity;
   * made anew only when one of them is.
   */
  function sifted() {
    const inputs = [list.data, recent.data, typed, tab(), Math.floor(Date.now() / 60_000)];
    if (memo.inputs.length && memo.inputs.every((v, i) => v === inputs[i])) return memo;
    const found = parseFilter(typed);
    const now = list.data?.items ?? [];
    // Not before those that are open: else a closed one would be the chosen one for a while.
    const closed =
      tab() === "open" && list.data
        ? (recent.data?.items ?? []).filter((a) => Date.now() - Date.parse(a.canceledAt) < HOUR)
        : [];
    const counts = {};
    for (const a of now) if (found.matchesBut(a, "severity")) counts[a.severity] = (counts[a.severity] ?? 0) + 1;
    memo = {
      inputs,
      found,
      alerts: now.filter(found.matches),
      closed: closed.filter(found.matches),
      all: [...now, ...closed],
      counts,
    };
    return memo;
  }

  /** Gives the table what there is now; it decides what moves. */
  function feed() {
    const { alerts, closed, all } = sifted();
    const ready =
      list.data !== null &&
      (!byCauseNow() || !list.data.items.length || incidents.data !== null || incidents.error !== null);
    const key = JSON.stringify([
      tab(),
      typed,
      grouping(),
      param("sort"),
      scopeId(),
      tab() === "closed" ? range() : 0,
      ready,
    ]);
    table.feed({
      alerts,
      closed,
      all,
      incidents: byCauseNow() ? incidents.data : null,
      by: tab() === "closed" ? "none" : grouping(),
      sort: param("sort", tab() === "closed" ? "-closed" : ""),
      asked: key,
    });
    if (key !== asked) first = null;
    asked = key;
    drawn = ready;
  }

  function current() {
    const chosen = table.get(param("row"));
    if (chosen) return chosen;
    const top = table.first();
    // One that was over already gives way to what is open.
    if (!table.get(first) || (firstClosed && top && !isClosed(top))) {
      first = top?.id ?? null;
      firstClosed = top !== null && isClosed(top);
    }
    return table.get(first);
  }
  function choose(alert, { keys = false } = {}) {
    if (keys) table.touched();
    amend({ row: alert?.id ?? null }, { replace: true });
  }
  const targets = () => (table.selected.size ? table.chosen() : [current()].filter(Boolean));
  const clear = () => table.clear();
  const owners = () => [...new Set((list.data?.items ?? []).map((a) => a.owner).filter(Boolean))];

  async function doAcknowledge() {
    if ((await acknowledge(targets().filter((a) => !isClosed(a)))).length) clear();
  }
  const doAssign = () => (table.selected.size ? assign(targets(), owners(), clear) : act("take", targets()));
  const doSuspend = () => targets().length && suspend(targets(), clear);

  function doSilence() {
    const open = targets().filter((a) => !isClosed(a));
    if (open.length) silenceAlerts(open, clear);
    else if (targets().length) notice(targets().length === 1 ? "It is over." : "All of these are over.");
  }

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    suggesting = false;
    amend({ q: text.trim() }, { replace: true });
    redraw();
  }

  const rows = () => drawn || list.error !== null;

  const keys = () => ({
    J: [() => table.step(1), "Next row", rows],
    K: [() => table.step(-1), "Row before", rows],
    ArrowDown: [() => table.step(1), "", rows],
    ArrowUp: [() => table.step(-1), "", rows],
    Enter: [() => current() && go(`/alerts/${current().id}`), "Open the alert", rows],
    O: [() => current() && window.open(href(`/alerts/${current().id}`)), "Open it beside", rows],
    X: [(e) => table.select(current(), e?.shiftKey), "Select the row, with Shift all up to it", rows],
    A: [doAcknowledge, "Acknowledge", rows],
    I: [doAssign, "Take; assign the selected", rows],
    Z: [doSuspend, "Suspend until", rows],
    M: [doSilence, "Silence it; silence the selected", rows],
    N: [() => document.getElementById("note")?.focus(), "Note", rows],
    Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    "/": [() => document.getElementById("filter")?.focus(), "Filter"],
  });

  function severities() {
    const { counts } = sifted();
    return html`<div class="severities" role="group" aria-label="Severities">
      ${SEVERITIES.map(
        (s) =>
          html`<button
            class="ctl"
            aria-pressed=${hasToken(typed, "severity", s)}
            @click=${() => setFilter(toggled(typed, "severity", s))}
            title=${`Only ${s}`}
            aria-label=${`${list.data ? count(counts[s] ?? 0) : ""} ${s}`}
          >
            ${severityShape(s, 12, "")}<b>${list.data ? count(counts[s] ?? 0) : "-"}</b><span class="m">${s}</span>
          </button>`,
      )}
    </div>`;
  }

  function filterBox() {
    const options = suggesting ? completions(typed, list.data?.items ?? []) : [];
    const fill = (word) => setFilter(complete(typed, word));
    return html`<div
      class="tokens"
      @focusout=${(e) => e.currentTarget.contains(e.relatedTarget) || ((suggesting = false), redraw())}
    >
      <input
        id="filter"
        type="search"
        .value=${typed}
        placeholder="name, severity:critical owner:nobody is:flapping"
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

  function tabs() {
    const of = (some) => states.data?.items.filter((i) => some.includes(i.key)).reduce((n, i) => n + i.count, 0);
    const words = (name, n) => html`${name}${n === undefined ? nothing : html` <span class="n">${count(n)}</span>`}`;
    return segments(
      tab(),
      [
        ["open", words("Open", of(OPEN))],
        ["suspended", words("Suspended", of(ASIDE))],
        ["silenced", words("Silenced", tab() === "silenced" ? list.data?.total : undefined)],
        ["closed", "Closed"],
      ],
      (t) => {
        clear();
        amend({ tab: t === "open" ? null : t, row: null }, { replace: true });
      },
      "Which alerts",
    );
  }

  function head(found) {
    if (table.selected.size) {
      return html`<div class="ph bulk" role="toolbar" aria-label="Selected alerts">
        <b>${count(table.selected.size)} selected</b>
        ${actButton("Acknowledge", "A", doAcknowledge)}${actButton("Assign", "I", doAssign)}${actButton(
          "Suspend until\u2026",
          "Z",
          doSuspend,
        )}${actButton("Silence\u2026", "M", doSilence)}
        ${tab() === "suspended"
          ? actButton("Resume", "", async () => (await act("resume", targets())).length && clear())
          : nothing}
        <button class="link" @click=${clear}>None</button>
        <span class="sp"></span>
        <span class="m hint">Next <kbd>J</kbd> Previous <kbd>K</kbd> Select <kbd>X</kbd></span>
      </div>`;
    }
    const n = list.data?.total;
    const title =
      n === undefined
        ? "Alerts"
        : n === 0 && tab() === "open"
          ? "Nothing open"
          : `${plural(n, "alert")} ${{ open: "open", suspended: "suspended", silenced: "silenced", closed: "closed" }[tab()]}`;
    return html`<div class="ph">
      <h2>${title}</h2>
      <span class="m cut"
        >${[tab() === "closed" ? windowText(range()) : "", scopeName() ? `${scopeName()} and everything below` : ""]
          .filter(Boolean)
          .join(", ")}</span
      >
      <span class="sp"></span>
      ${found.unknown.length ? html`<span class="warn cut">not understood: ${found.unknown.join(" ")}</span>` : nothing}
      ${stream.live
        ? nothing
        : html`<span class="m s12" title="The live connection is broken; the list is read every 15 s until it is back."
            >read every 15 s</span
          >`}
      <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span>
    </div>`;
  }

  function none(found) {
    if (!found.empty && list.data.items.length) {
      const tokens = typed.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? [];
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
    if (tab() === "suspended")
      return html`<div class="empty">Nothing is suspended, and no maintenance holds an alert back.</div>`;
    if (tab() === "silenced")
      return html`<div class="empty">
        No silence covers an open alert now.
        <a class="acc" href=${href("/notifications", { tab: "silences" })}>Silences</a>
      </div>`;
    if (tab() === "closed")
      return html`<div class="empty">
        Nothing closed in this range${scopeName() ? " and scope" : ""}. A longer range shows more.
      </div>`;
    const last = (recent.data?.items ?? []).reduce((newest, a) => Math.max(newest, Date.parse(a.canceledAt)), 0);
    return html`<div class="empty">
      Nothing open${scopeName() ? ` in ${scopeName()}` : ""}.
      ${last
        ? `Last one closed ${duration(Date.now() - last)} ago.`
        : html`What opens one is set under <a class="acc" href=${href("/thresholds")}>Thresholds</a>.`}
    </div>`;
  }

  function foot() {
    const fresh = table.waiting();
    const beyond = list.data && list.data.total > list.data.items.length;
    return html`<div class="foot-line" role="status">
      ${fresh
        ? html`<span>${fresh} new since you began. ${fresh === 1 ? "It is" : "They are"} added when you finish.</span
            ><button class="link" @click=${() => table.release()}>Show now</button>`
        : beyond
          ? html`<span
              >the first ${count(list.data.items.length)} of ${count(list.data.total)}, worst first; a filter finds the
              others</span
            >`
          : nothing}
    </div>`;
  }

  return {
    title: "Alerts",
    name: "alerts",
    update,
    keys,
    leave: () => detail.leave(),
    escape: () => {
      if (table.selected.size) clear();
      else if (param("row")) amend({ row: null }, { replace: true });
      redraw();
    },
    view() {
      read();
      feed();
      const { found } = sifted();
      // Not before the rows are in their places: the first of them would be another one, and all that belongs to it be
      // read for nothing.
      const now = drawn || table.get(param("row")) ? current() : null;
      const body = list.data && !table.size ? none(found) : list.data ? table.view() : nothing;
      return html`<div class="tb">
          <h1>Alerts</h1>
          ${severities()}${filterBox()}
          <label class="ctl pick-one"
            ><span class="k">Group by</span
            ><select
              aria-label="Group by"
              ?disabled=${tab() === "closed"}
              @change=${(e) => {
                keep("alerts.by", e.target.value);
                amend({ by: e.target.value }, { replace: true });
              }}
            >
              ${GROUPINGS.map(([v, w]) => html`<option value=${v} ?selected=${v === grouping()}>${w}</option>`)}
            </select></label
          >
          ${tabs()}
        </div>
        <section class="pane list-pane" aria-label="Alerts" @pointerleave=${() => redraw()}>
          ${head(found)}
          ${list.error && !list.data
            ? failure(list.error, () => list.again())
            : list.data
              ? body
              : loaded(list, () => nothing, { rows: 12 })}
          ${list.error && list.data
            ? html`<div class="row pad warn s12" role="alert">
                Not read again: ${list.error.message} <button class="link" @click=${() => list.again()}>Retry</button>
              </div>`
            : nothing}
          ${foot()}
        </section>
        ${splitter.view()}
        <section class="pane detail" aria-label="Alert">
          ${now
            ? detail.view(now)
            : html`<div class="empty">
                ${drawn
                  ? "The chosen alert stands here: what it says, since when, what else is up, what to do."
                  : nothing}
              </div>`}
        </section>`;
    },
  };
}
