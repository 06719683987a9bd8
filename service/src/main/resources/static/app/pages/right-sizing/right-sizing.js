// Right-sizing: what is too small, what can be given back, and what still fits; beside the list why, and how good we were.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { redraw } from "../../core/bus.js";
import { words as wordsOf } from "../../core/filter.js";
import { count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { readPages } from "../../core/outliers.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, filterToAddress, go, param } from "../../core/url.js";
import { scopeId } from "../../frame/scope.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { searchBox, segments } from "../../parts/small.js";
import { hoursText } from "../shared/hours.js";
import { Clusters } from "./clusters.js";
import { COLUMNS, ORDERS, USUAL } from "./columns.js";
import { saveList } from "./csv.js";
import { approve, ignore, reopen } from "./decisions.js";
import { Why } from "./detail.js";
import { hitRate } from "./hit-rate.js";
import { settings, showSettings } from "./settings.js";
import { first, none, tiles, working } from "./states.js";
import { makeTicket } from "./ticket.js";
import { daysText, headline, nameOf, silence, tabCount, TABS } from "./words.js";

const SOON = 2000;
const MOST = 20_000;
/** What the address says for machines without an owner. */
const NOBODY = "none";

export function page() {
  const summary = new Load((ancestor, owner, _tick, signal) => get("/right-sizing", { ancestor, owner }, signal));
  const list = new Load(async (query, _at, signal) => {
    const { items, total } = await readPages("/right-sizing/recommendations", query, signal, MOST);
    return { total, items: items.map((r, at) => ({ ...r, at, name: nameOf(r) })) };
  });
  const rate = new Load((_tick, signal) => get("/right-sizing/hit-rate", {}, signal));
  const job = new Load((id, signal) => get(`/jobs/${id}`, {}, signal));
  const clusters = new Clusters();
  const editions = Object.fromEntries(
    Object.entries(USUAL).map(([tab, usual]) => [
      tab,
      choosable(`right-sizing-${tab}`, {
        definitions: COLUMNS,
        usual,
        fixed: ["name", "decision"],
      }),
    ]),
  );
  let typed = param("q");
  const toAddress = filterToAddress();

  const tab = () => TABS.find(([key]) => key === param("tab"))?.[0] ?? TABS[0][0];
  const kinds = () => TABS.find(([key]) => key === tab())[2];
  const isList = () => tab() !== "clusters";
  const columns = () => editions[tab()];
  const owner = () => (param("owner") ? [param("owner") === NOBODY ? "" : param("owner").slice(1)] : null);
  const left = memo((items, text) =>
    items.filter((r) =>
      wordsOf(text).every((w) => `${r.name} ${r.owner ?? ""}`.toLowerCase().includes(w.toLowerCase())),
    ),
  );
  const rows = new Rows({
    main: "sizing-page",
    items: () => (list.data ? left(list.data.items, typed) : null),
    asked: () => [typed, param("sort"), tab(), param("show")],
    compare: (a, b) => ordered(ORDERS, "usual", ORDERS.usual)(a, b),
    address: () => null,
    go,
    selectable: (r) => r.kind !== "not-known" && r.decision.state !== "done",
  });

  const evaluatedAt = () => summary.data?.evaluatedAt ?? null;
  const jobOf = () => (job.data?.id === summary.data?.job ? job.data : null);
  const chosen = () => (isList() ? (rows.chosen() ?? null) : null);

  function again() {
    list.again();
    summary.again();
    why.again();
    rows.selected = new Set();
  }

  const acts = {
    get allowed() {
      return may("operator");
    },
    approve: (some) => approve(some, again),
    ignore: (some, days) => ignore(some, again, days),
    reopen: (some) => reopen(some, again),
    ticket: (r) => makeTicket(r, () => why.again()),
    close: () => amend({ row: null }, { replace: true }),
  };
  const why = new Why(acts);
  const targets = () => (rows.selected.size ? rows.picked() : [chosen()].filter(Boolean));
  const decidable = () => targets().filter((r) => rows.selectable(r));

  function want() {
    summary.want(scopeId(), owner(), lastTick());
    settings.want(lastTick());
    rate.want(lastTick());
    const running = summary.data?.job;
    if (running) {
      summary.every(SOON);
      job.want(running).every(SOON);
    }
    if (!summary.data?.evaluatedAt) return;
    if (isList()) {
      const of = `${tab()} ${param("show")}`;
      if (list.of !== of) list.reset();
      list.of = of;
      list.want(
        {
          kind: kinds(),
          ancestor: scopeId(),
          owner: owner(),
          decision: param("show") === "ignored" ? ["ignored"] : null,
        },
        evaluatedAt(),
      );
    } else clusters.want(scopeId(), evaluatedAt());
  }

  async function evaluate() {
    if (!may("operator")) return notice(NEEDS);
    try {
      await post("/right-sizing");
      notice("Machines are being evaluated");
    } catch (error) {
      notice(`Not begun: ${error.message}`, { seconds: 8 });
    }
    summary.again();
  }

  function turnTo(to) {
    rows.selected = new Set();
    amend({ tab: to === "size" ? null : to, row: null, sort: null, columns: null, show: null }, { replace: true });
  }

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    amend({ q: text.trim(), row: null }, { replace: true });
    redraw();
  }

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    if (isList()) columns().arrive();
    want();
  }

  function head() {
    const { data } = summary;
    const title = !data ? "\u00a0" : isList() || !data.evaluatedAt ? headline(data, tab()) : clusters.headline();
    const many = rows.selected.size;
    return html`<div class="top">
      <h1 class="lead">${summary.error && !data ? "Right-sizing" : title}</h1>
      <span class="sp"></span>
      ${data?.evaluatedAt && isList()
        ? html`<button class="ctl" ?disabled=${!list.data?.items.length} @click=${() => saveList(tab(), rows.list())}>
            CSV
          </button>`
        : nothing}
      ${many
        ? html`<button
            class="ctl wide-acts"
            ?disabled=${!may("operator")}
            title=${may("operator") ? nothing : NEEDS}
            @click=${() => acts.approve(decidable())}
          >
            Approve marked <kbd>A</kbd>
          </button>`
        : nothing}
      ${data && !data.job
        ? html`<button
            class="ctl ${data.evaluatedAt ? "" : "primary"}"
            ?disabled=${!may("operator")}
            title=${may("operator")
              ? `Reads the history of all machines${data.evaluatedAt ? `; last ${moment(Date.parse(data.evaluatedAt))}` : ""}`
              : NEEDS}
            @click=${evaluate}
          >
            Evaluate now
          </button>`
        : nothing}
    </div>`;
  }

  function tabs() {
    const { data } = summary;
    return segments(
      tab(),
      TABS.map(([key, words, of]) => [
        key,
        html`${words}${data && of.length ? html` <span class="n">${tabCount(data, of)}</span>` : nothing}`,
      ]),
      turnTo,
      "What is listed",
    );
  }

  function vars() {
    const set = settings.data?.data;
    const owners = summary.data?.owners ?? [];
    const open = () => showSettings(() => summary.again());
    return html`<div class="vars">
      <div class="scrolls-x tabs-box">${tabs()}</div>
      ${set
        ? html`<button class="ctl judged-by" title="What evaluations go by" @click=${open}>
            <span class="k">Hours</span>${hoursText(set.hours)}<span class="k">History</span>${daysText(set.history)}
          </button>`
        : nothing}
      ${owners.some((o) => o.owner !== null) || owner()
        ? html`<label class="ctl pick-one"
            ><span class="k">Owner</span
            ><select
              aria-label="Owner"
              @change=${(e) => amend({ owner: e.target.value, row: null }, { replace: true })}
            >
              <option value="" ?selected=${!owner()}>all</option>
              ${owners.map((o) => {
                const value = o.owner === null ? NOBODY : `=${o.owner}`;
                return html`<option value=${value} ?selected=${value === param("owner")}>
                  ${o.owner ?? "nobody"} (${count(o.count)})
                </option>`;
              })}
            </select></label
          >`
        : nothing}
    </div>`;
  }

  const filterBox = () =>
    searchBox({
      value: typed,
      placeholder: "name, owner",
      type: (text) => {
        typed = text;
        toAddress(typed.trim());
        redraw();
      },
    });

  const rowShape = (r) =>
    shape(
      r.kind === "too-small" ? "warning" : r.kind === "not-known" ? "unknown" : "alike",
      12,
      r.kind === "too-small" ? "too small" : r.kind === "not-known" ? "not known" : "",
    );

  const row = (r) =>
    html`<tr
      class="${rows.isOn(r) ? "sel" : ""} ${r.decision.state}"
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
    >
      ${rows.pick(r, rowShape(r))} ${cells(columns().shown(), r, acts)}
    </tr>`;

  function listPane() {
    const found = rows.list();
    const beyond = list.data && list.data.total > list.data.items.length;
    const empty = list.data !== null && !list.data.items.length;
    const unknown = (list.data?.items ?? []).filter((r) => r.kind === "not-known").length;
    return html`<section class="pane sizing-list" aria-label="Recommendations">
      <div class="ph">
        <h2>${list.data && !empty ? plural(list.data.total, "row") : "Recommendations"}</h2>
        <span class="m cut"
          >${tab() === "size" && !empty ? "bar p50 to p95, dark rule p99, petrol rule the new size" : ""}</span
        >
        <span class="sp"></span>${empty ? nothing : html`${filterBox()}${columns().button()}`}
      </div>
      ${list.error && !list.data
        ? failure(list.error, () => list.again())
        : list.data
          ? found.length
            ? rows.box(
                columns().table(
                  { name: `sizes ${tab()}`, lead: "w-pick", leadWidth: 56, room: 140, usual: "usual" },
                  rows.body(found, row),
                ),
              )
            : none({
                typed: typed.trim(),
                dropFilter: () => setFilter(""),
                ignored: param("show") === "ignored",
                reason: silence(summary.data, kinds()),
                owner: owner(),
                machines: summary.data.machines,
              })
          : loaded(list, () => nothing, { rows: 10 })}
      <div class="foot-line">
        ${may("operator") && !empty
          ? html`<span class="keys-said"><kbd>X</kbd> mark</span><span class="keys-said"><kbd>A</kbd> approve</span
              ><span class="keys-said"><kbd>Z</kbd> ignore until</span>`
          : nothing}${empty ? nothing : html`<span class="keys-said"><kbd>Enter</kbd> why</span>`}
        <span class="sp"></span>
        ${found.length && silence(summary.data, kinds())
          ? html`<span>${silence(summary.data, kinds())}</span>`
          : nothing}
        ${summary.data.ignored || param("show") === "ignored"
          ? html`<button
              class="link s12 nw"
              @click=${() =>
                amend({ show: param("show") === "ignored" ? null : "ignored", row: null }, { replace: true })}
            >
              ${param("show") === "ignored" ? "Show what is open" : `${count(summary.data.ignored)} ignored`}
            </button>`
          : nothing}
        <span
          >${beyond
            ? `the first ${count(list.data.items.length)} of ${count(list.data.total)}; a scope or an owner shows the others. `
            : ""}${unknown ? `Of ${plural(unknown, "size")} the need is not known.` : ""}</span
        >
      </div>
    </section>`;
  }

  function body() {
    const { data } = summary;
    if (!data.evaluatedAt || !data.machines)
      return data.job ? working(jobOf()) : first(settings.data ? daysText(settings.data.data.history) : "90 days");
    const why_ = chosen();
    if (!isList())
      return html`${data.job ? working(jobOf()) : nothing}
        <div class="col clusters-col">${clusters.view()}</div>`;
    const beside = why_ ? why.view(why_, evaluatedAt()) : nothing;
    if (narrow() && why_) return beside;
    return html`${data.job ? working(jobOf()) : nothing}${tiles(data, tab(), rate.data)}
      <div class="sizing-cols">
        ${listPane()}
        <div class="col">
          ${beside}${pane({
            title: "How good were we",
            name: "rate-pane",
            note: "12 months, judged after a week",
            body: loaded({ ...rate, waited: rate.data ? 0 : rate.waited, again: () => rate.again() }, hitRate, {
              rows: 5,
            }),
          })}
        </div>
      </div>`;
  }

  function keys() {
    const there = () => list.data !== null;
    const { O: _open, Enter: _enter, ...moves } = rows.keys({ selecting: may("operator") });
    const look = () => {
      if (!chosen()) rows.step(0);
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          const at = document.querySelector(".size-why");
          if (at instanceof HTMLElement) at.focus();
        }),
      );
    };
    return {
      ...(isList() ? { ...moves, Enter: [look, "Why", there] } : {}),
      ...(isList() && may("operator")
        ? {
            A: [() => acts.approve(decidable()), "Approve", there],
            Z: [() => acts.ignore(decidable()), "Ignore until, 90 days", there],
            T: [() => chosen() && acts.ticket(chosen()), "Make a ticket", there],
          }
        : {}),
    };
  }

  /** What one does, below the page on small windows. */
  function actions() {
    const r = chosen();
    if (!may("operator") || !r || r.decision.state !== "open" || r.kind === "not-known") return nothing;
    return html`<button class="ctl primary" @click=${() => acts.approve([r])}>Approve</button
      ><button class="ctl" @click=${() => acts.ignore([r])}>Ignore</button>`;
  }

  return {
    title: "Right-sizing",
    name: "sizing-page",
    timed: false,
    update,
    keys,
    acts: actions,
    leave: () => toAddress.cancel(),
    escape: () => leaveField() || rows.escape(),
    view() {
      want();
      if (narrow() && chosen())
        return html`<h1 class="unseen">Right-sizing</h1>
          ${body()}`;
      return html`${head()}${vars()}${summary.error && !summary.data
        ? html`<section class="pane">${failure(summary.error, () => summary.again())}</section>`
        : summary.data
          ? body()
          : html`<section class="pane">${loaded(summary, () => nothing, { rows: 8 })}</section>`}`;
    },
  };
}
