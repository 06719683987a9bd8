// Flows: traffic from one end to another for one service, most first, narrowed by the same filters as top talkers.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { bytes, NONE, plural } from "../../core/format.js";
import { kept } from "../../core/store.js";
import {
  amount,
  asParams,
  DIRECTIONS,
  filterQuery,
  flowDirection,
  isNarrowed,
  learn,
  narrowing,
  NOTHING_NARROWED,
  serviceText,
  TRAFFIC,
} from "../../core/talkers.js";
import { HOUR, range, setRelative } from "../../core/time.js";
import { amend, back, filterToAddress, go, href, param } from "../../core/url.js";
import { scopeId, scopeName } from "../../frame/scope.js";
import { cells, choosable } from "../../parts/columns.js";
import { download } from "../../parts/download.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { searchBox, segments } from "../../parts/small.js";
import { FlowRows } from "./flow-rows.js";
import { filterLine, servicesButton, showServices, trafficSelect } from "./filters.js";

const HEAD = 26;
const BEYOND = 12;
// The API sorts, most first: the columns that it can sort by, with its names.
const SORTS = {
  bytes: "bytes",
  packets: "packets",
  sessions: "sessions",
  records: "flows",
  resets: "resets",
  drops: "drops",
  peak: "peak",
};
const LEVELS = { "1m": "minutes", "5m": "5 minutes", "1h": "hours", "1d": "days" };

const end = (e) =>
  e.object
    ? html`<a href=${href(`/objects/${e.object.id}`)}>${e.name}</a>`
    : html`<span class=${e.internal ? "" : "m"}>${e.name}</span>`;
const where = (e) => [e.address, e.network].filter(Boolean).join(", ");
const counted = (v, warm = false) =>
  html`<span class=${v ? (warm ? "" : "i2") : "m"}>${v ? amount(v, "") : "0"}</span>`;

/** The place of flows of one side only, as parameters of the address. */
const only = (f, side) =>
  side === "from" ? { of: [f.from.key], direction: "sent" } : f.to ? { of: [f.to.key], direction: "received" } : {};

const COLUMNS = {
  from: {
    list: "name",
    name: "From",
    least: 130,
    td: "strong",
    title: (f) => `${f.from.name} ${where(f.from)}`,
    cell: (f) => end(f.from),
  },
  to: {
    list: "what",
    name: "To",
    least: 130,
    td: "strong",
    title: (f) =>
      f.to ? `${f.to.name} ${where(f.to)}` : "Folded when it was rolled up: the sender had too many flows",
    cell: (f) => (f.to ? end(f.to) : html`<span class="m">${plural(f.folded ?? 0, "folded flow")}</span>`),
  },
  service: {
    list: "long",
    name: "Service",
    width: 176,
    title: (f) =>
      f.service
        ? `${serviceText(f.service)}${f.towardsService === undefined ? "" : f.towardsService ? ", towards the service" : ", answers of the service"}`
        : "",
    cell: (f) =>
      f.service
        ? html`${f.service.name ?? f.service.service}
            <span class="m"
              >${f.service.name && f.service.name !== f.service.service ? f.service.service : ""}${f.towardsService ===
              false
                ? " answers"
                : ""}</span
            >`
        : html`<span class="m">${NONE}</span>`,
  },
  traffic: {
    name: "Traffic",
    width: 100,
    cls: "prio-3",
    td: "m",
    cell: (f) => TRAFFIC[f.trafficType] ?? f.trafficType,
  },
  bytes: { list: "value", name: "Bytes", sort: true, width: 88, cls: "r", cell: (f) => bytes(f.bytes) },
  bar: {
    name: "Of the largest",
    width: 92,
    cls: "prio-3",
    cell: (f, { most }) =>
      html`<span class="share-bar"
        ><i .style=${`width:${most ? Math.max(0.5, (f.bytes / most) * 100) : 0}%;background:var(--seq-3)`}></i
      ></span>`,
  },
  packets: { name: "Packets", sort: true, width: 92, cls: "r", cell: (f) => counted(f.packets) },
  sessions: { name: "Sessions", sort: true, width: 84, cls: "r", cell: (f) => counted(f.sessions) },
  records: {
    name: "Records",
    hint: "flow records that were added up",
    sort: true,
    width: 82,
    cls: "r prio-3",
    cell: (f) => counted(f.flows),
  },
  resets: { name: "Resets", sort: true, width: 70, cls: "r prio-3", cell: (f) => counted(f.resets, true) },
  drops: { name: "Drops", sort: true, width: 70, cls: "r prio-3", cell: (f) => counted(f.drops, true) },
  peak: {
    name: "Peak minute",
    sort: true,
    width: 96,
    cls: "r prio-3",
    cell: (f) => amount((f.peakMinuteBytes * 8) / 60, "bit/s"),
  },
  act: {
    name: "Only",
    width: 150,
    cls: "r",
    cell: (f, { keep }) =>
      html`<button class="link s12" title="Only this sender" @click=${() => keep(f, "from")}>sender</button>&nbsp;
        <button class="link s12" title="Only this receiver" ?disabled=${!f.to} @click=${() => keep(f, "to")}>
          receiver</button
        >&nbsp;
        <button
          class="link s12"
          aria-label="Top talkers of it"
          title="Top talkers between the two"
          @click=${() => keep(f, "talkers")}
        >
          ${icon("talkers", 11)}
        </button>`,
  },
  fromNetwork: { name: "Network of the sender", width: 128, td: "m", cell: (f) => f.from.network ?? NONE },
  toNetwork: { name: "Network of the receiver", width: 128, td: "m", cell: (f) => f.to?.network ?? NONE },
  fromAddress: { name: "Address of the sender", width: 128, td: "mono", cell: (f) => f.from.address ?? NONE },
  toAddress: { name: "Address of the receiver", width: 128, td: "mono", cell: (f) => f.to?.address ?? NONE },
};

export function page() {
  const flows = new FlowRows();
  const columns = choosable("flows", {
    definitions: COLUMNS,
    usual: ["from", "to", "service", "traffic", "bytes", "packets", "sessions", "resets", "drops", "act"],
    fixed: ["from", "to", "bytes"],
  });
  const ROW = kept("rows", "dense") === "comfy" ? 36 : 28;
  let top = 0;
  let height = 600;
  let box = null;
  let typed = param("q");
  const toAddress = filterToAddress();

  const sort = () => SORTS[param("sort").replace(/^-/, "")] ?? "bytes";
  const filters = () => {
    const q = narrowing();
    return { ...filterQuery(q, scopeId()), direction: flowDirection(q, scopeId()) };
  };
  const query = () => {
    const { from, to } = range();
    return { ...filters(), q: param("q"), from: Math.floor(from), to: Math.floor(to), sort: sort() };
  };

  function update() {
    columns.arrive();
    if (document.activeElement?.id !== "filter") typed = param("q");
    flows.want(query());
  }

  const at = () => flows.loaded.findIndex((f) => f.id === param("row"));
  const chosen = () => flows.loaded[at()] ?? null;
  function step(by) {
    if (!flows.loaded.length) return;
    const next = Math.max(0, Math.min(flows.loaded.length - 1, at() < 0 ? 0 : at() + by));
    amend({ row: flows.loaded[next].id }, { replace: true });
    if (!box) return;
    if (next * ROW < box.scrollTop) box.scrollTop = next * ROW;
    if ((next + 1) * ROW + HEAD > box.scrollTop + box.clientHeight)
      box.scrollTop = (next + 1) * ROW + HEAD - box.clientHeight;
  }

  /** Narrows to one end of a flow, or opens the top talkers of both. */
  function keep(f, side) {
    if (side === "talkers") {
      learn({ from: f.from, to: f.to });
      return go("/top-talkers", { by: "port", of: [f.from.key], peer: f.to ? [f.to.key] : null, direction: "sent" });
    }
    const own = only(f, side);
    learn({ from: f.from, to: f.to });
    if (Object.keys(own).length) amend({ ...own, peer: null, row: null });
  }
  const open = (f) => f && keep(f, "talkers");

  async function csv() {
    try {
      const { data } = await exchange("GET", "/flows", { query: { ...query(), limit: 10_000 }, accept: "text/csv" });
      download("flows", "csv", data, "Flows");
    } catch (error) {
      notice(`Not saved: ${error.message}`);
    }
  }

  const talkersLink = () => href("/top-talkers", { ...asParams(narrowing()), direction: param("direction") });

  function table() {
    const list = flows.loaded;
    const first = Math.max(0, Math.floor(top / ROW) - BEYOND);
    const last = Math.min(flows.total, first + Math.ceil(height / ROW) + 2 * BEYOND);
    flows.need(last);
    const shown = columns.shown();
    const more = { most: list.reduce((m, f) => Math.max(m, f.bytes), 0), keep };
    const row = (i) => {
      const f = list[i];
      if (!f)
        return html`<tr aria-busy="true">
          <td></td>
          <td class="m" colspan=${shown.length}>…</td>
        </tr>`;
      const now = f.id === param("row");
      return html`<tr
        class=${now ? "sel" : ""}
        aria-selected=${now}
        @click=${(e) => !e.target.closest("a, button") && amend({ row: f.id }, { replace: true })}
        @dblclick=${(e) => !e.target.closest("a, button") && open(f)}
      >
        <td class="rank m">${i + 1}</td>
        ${cells(shown, f, more)}
      </tr>`;
    };
    const visible = Array.from({ length: Math.max(0, last - first) }, (_, i) => row(first + i));
    return columns.table(
      { name: "talkers", lead: "w-rank", leadWidth: 44, room: 96, usual: "-bytes" },
      html`<tbody>
        <tr class="gap" .style=${`height:${first * ROW}px`}></tr>
        ${visible}
        <tr class="gap" .style=${`height:${Math.max(0, flows.total - last) * ROW}px`}></tr>
      </tbody>`,
    );
  }

  function none() {
    if (isNarrowed(narrowing()) || param("q"))
      return html`<div class="empty">
        No flow matches in this range.
        <button
          class="link"
          @click=${() => {
            typed = "";
            amend({ ...NOTHING_NARROWED, q: null, row: null });
          }}
        >
          Drop what narrows it
        </button>
      </div>`;
    return html`<div class="empty">
      No flows${scopeId() ? ` of ${scopeName()}` : ""} in this range.
      <a class="acc" href=${href("/top-talkers", { scope: null })}>How to connect an exporter</a>
    </div>`;
  }

  const scrolled = (event) => {
    if (Math.abs(event.target.scrollTop - top) < (BEYOND / 2) * ROW && event.target.clientHeight === height) return;
    top = event.target.scrollTop;
    height = event.target.clientHeight;
    redraw();
  };

  const directed = () => narrowing().of.length || narrowing().networks.length || narrowing().tiers.length || scopeId();
  const there = () => flows.answer !== null;
  /** What failed; a range that is too long would fail again, so a shorter one is offered. */
  const failed = (error) => {
    const { from, to } = range();
    return error.code === "too-expensive" && to - from > HOUR
      ? failure(error, () => setRelative("1h"), "Last hour")
      : failure(error, () => flows.again());
  };
  return {
    title: "Flows",
    name: "flows-page",
    update,
    leave: () => toAddress.cancel(),
    escape: () => param("row") && amend({ row: null }, { replace: true }),
    keys: () => ({
      J: [() => step(1), "Next row", there],
      K: [() => step(-1), "Row before", there],
      ArrowDown: [() => step(1), "", there],
      ArrowUp: [() => step(-1), "", there],
      Enter: [() => open(chosen()), "Top talkers of the row", there],
      O: [
        () => chosen()?.from.object && window.open(href(`/objects/${chosen().from.object.id}`)),
        "Open the sender beside",
        there,
      ],
      Backspace: [() => back("/top-talkers"), "Back"],
      "/": [() => document.getElementById("filter")?.focus(), "Filter"],
      B: [() => showServices(filters()), "Services"],
      Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    }),
    view() {
      update();
      box = document.querySelector("main.flows-page .results");
      if (box) height = box.clientHeight || height;
      const { answer } = flows;
      const body =
        flows.error && !answer
          ? failed(flows.error)
          : !answer
            ? loaded({ data: null, error: null, waited: flows.loading ? 200 : 0 }, () => nothing, { rows: 14 })
            : flows.total
              ? html`<div class="results" tabindex="-1" @scroll=${scrolled}>${table()}</div>`
              : none();
      const most = answer && flows.total >= 10_000 ? "Only the first 10,000 can be paged through. " : "";
      return html`<div class="tb">
          <a class="m nw" href=${talkersLink()}>Top talkers /</a>
          <h1>Flows</h1>
          ${searchBox({
            value: typed,
            placeholder: "name, address or network of an end",
            type: (text) => {
              typed = text;
              toAddress(typed.trim());
              redraw();
            },
          })}
          ${directed()
            ? segments(
                flowDirection(narrowing(), scopeId()),
                DIRECTIONS,
                (v) => amend({ direction: v === "both" ? null : v, row: null }),
                "Direction",
              )
            : nothing}${trafficSelect()}${servicesButton(filters())}
          <span class="sp"></span>
          <a class="ctl" href=${talkersLink()}>Top talkers</a>
          <button class="ctl" @click=${csv}>CSV</button>
        </div>
        ${filterLine(filters())}
        <section class="pane ranking" aria-label="Flows">
          <div class="ph">
            <h2>${answer ? plural(flows.total, "flow") : "Flows"}</h2>
            <span class="m cut">traffic by sender, receiver and service, added up over the range</span>
            <span class="sp"></span>
            ${flows.error && answer
              ? html`<span class="warn s12" role="alert"
                  >Not read again: ${flows.error.message}
                  <button class="link" @click=${() => flows.again()}>Retry</button></span
                >`
              : nothing}
            <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Talkers <kbd>Enter</kbd></span>
          </div>
          <div>${body}</div>
          <div class="foot-line">
            <span class="cut"
              >${answer
                ? `${most}Read from sums by ${LEVELS[answer.level] ?? answer.level}${answer.level === "1m" ? "" : "; the tail of each sender is folded into rows without receiver"}`
                : nothing}</span
            >
            <span class="sp"></span>
            ${columns.button()}
          </div>
        </section>`;
    },
  };
}
