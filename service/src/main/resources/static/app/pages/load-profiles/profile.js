// One load profile: what a group of machines asks of storage, and a load that is like it.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get, post, remove } from "../../core/api.js";
import { count, NONE, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, moment } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { download } from "../../parts/download.js";
import { copy, notice, soon } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { progress } from "../../parts/small.js";
import { Accesses } from "./accesses.js";
import { Fits } from "./fits.js";
import { distributions, shares, tiles, withinWords } from "./figures.js";
import { LoadText } from "./load.js";
import { hoursMap, profileList } from "./map.js";
import { Peaks } from "./peaks.js";
import { ALL, byteRate, finding, groupName, iops, readWords, share, size, subject } from "./words.js";

const SOON = 2000;
const TABLES = {
  profiles: "The figures",
  clusters: "The profiles of the hours",
  histogram: "The map of the hours",
  peaks: "The peaks",
};

/** The groups as rows, each by its name. */
const keyed = memo((profile) => profile?.groups.map((g) => ({ ...g, id: g.name })) ?? null);
const isAll = (g) => g.name === ALL;
const least = (v) => v ?? -1;
const ORDERS = {
  iops: (a, b) => least(b.iops.p95) - least(a.iops.p95),
  name: (a, b) => a.name.localeCompare(b.name),
  machines: (a, b) => b.machines - a.machines,
  throughput: (a, b) => least(b.throughput.p95) - least(a.throughput.p95),
};
const COLUMNS = {
  name: {
    list: "name",
    name: "Group",
    sort: true,
    least: 150,
    td: "strong",
    title: (g) => g.name,
    cell: (g) => groupName(g.name),
  },
  machines: { name: "Machines", sort: true, width: 84, cls: "r prio-3", cell: (g) => count(g.machines) },
  iops: {
    list: "value",
    name: "IOPS p95",
    sort: true,
    width: 88,
    cls: "r",
    cell: (g) => (g.iops.p95 === null ? NONE : iops(g.iops.p95)),
  },
  throughput: { name: "Throughput p95", sort: true, width: 116, cls: "r", cell: (g) => byteRate(g.throughput.p95) },
  block: { name: "Block size", width: 84, cls: "r prio-3", cell: (g) => size(g.blockSize) },
  reads: { name: "Reads", width: 64, cls: "r prio-3", cell: (g) => share(g.readShare) },
  most: {
    list: "what",
    name: "Most hours",
    width: 190,
    title: (g) => g.clusters[0]?.label ?? "",
    cell: (g) => g.clusters[0]?.label ?? html`<span class="m">not known</span>`,
  },
};

export function page(id) {
  const stored = new Load((signal) => get(`/load-profiles/${id}`, {}, signal));
  const job = new Load((of, signal) => get(`/jobs/${of}`, {}, signal));
  const groups = () => keyed(stored.data) ?? [];
  const group = () => groups().find((g) => g.name === param("group")) ?? groups().find(isAll) ?? groups()[0] ?? null;
  const choose = (cluster) => amend({ cluster }, { replace: true });
  const peaks = new Peaks(id, { chosen: () => param("peak"), choose: (peak) => amend({ peak }, { replace: true }) });
  const load = new LoadText(id, { cluster: () => param("cluster") || null, choose, redraw });
  const accesses = new Accesses(id, () => stored.again());
  const fits = new Fits(id);
  const columns = choosable("load-profile-groups", {
    definitions: COLUMNS,
    usual: ["name", "machines", "iops", "throughput", "block", "reads", "most"],
    fixed: ["name"],
  });
  const rows = new Rows({
    main: "profile-page",
    items: () => keyed(stored.data),
    compare: (a, b) => Number(isAll(b)) - Number(isAll(a)) || ordered(ORDERS, "iops", ORDERS.name)(a, b),
    address: () => null,
    go,
  });
  const take = (name) => amend({ group: name === ALL ? null : name, cluster: null, peak: null }, { replace: true });

  async function csv(table) {
    try {
      const { data } = await exchange("GET", `/load-profiles/${id}/csv`, { query: { table }, accept: "text/csv" });
      download(`load-profile-${table}`, "csv", data, TABLES[table]);
    } catch (error) {
      notice(`Not saved: ${error.message}`, { seconds: 8 });
    }
  }

  function forget() {
    if (!may("operator")) return notice(NEEDS);
    go("/load-profiles");
    soon(
      "The load profile is deleted",
      () => remove(`/load-profiles/${id}`).catch((error) => notice(`Not deleted: ${error.message}`, { seconds: 8 })),
      () => go(`/load-profiles/${id}`),
    );
  }

  async function stop() {
    try {
      await post(`/jobs/${stored.data.summary.job}/cancel`);
      notice("It stops at its next safe point");
    } catch (error) {
      notice(`Not cancelled: ${error.message}`, { seconds: 8 });
    }
    stored.again();
  }

  function want() {
    stored.want();
    const summary = stored.data?.summary;
    if (summary?.state !== "computing") return;
    stored.every(SOON);
    job.want(summary.job).every(SOON);
  }

  /** A new report that asks the same again each time, of as many days until then. */
  function asReport({ by, tag, ancestor, onlyDuring, from, to }) {
    const question = { by, tag, ancestor: ancestor?.id, onlyDuring };
    const days = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / DAY));
    return href("/reports/new", {
      loadProfile: JSON.stringify(question),
      last: `${days}d`,
      name: `Load profile of ${ancestor?.name ?? "all machines"}`,
    });
  }

  const csvLink = (table) => html`<button class="link" @click=${() => csv(table)}>CSV</button>`;

  function head() {
    const of = group();
    const { summary } = stored.data ?? {};
    const title = of
      ? finding(of)
      : summary
        ? { computing: "Computing the load profile", failed: "The load profile was not computed" }[summary.state]
        : null;
    return html`<div class="top">
        <h1 class="lead">${title ?? "\u00a0"}</h1>
        <span class="sp"></span>
        ${of
          ? html`<button class="ctl" title="The figures of all groups" @click=${() => csv("profiles")}>CSV</button>
              ${may("operator") ? html`<a class="ctl" href=${asReport(summary)}>Send as a report</a>` : nothing}`
          : nothing}
        <button class="ctl" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${forget}>
          Delete
        </button>
      </div>
      ${summary
        ? html`<div class="vars">
            <a class="m" href=${href("/load-profiles")}>Load profile /</a>
            ${groups().length > 1 ? groupField(of) : nothing}
            <span class="m s12 whole"
              >${subject(summary)}; ${readWords(summary)}; ${moment(Date.parse(summary.createdAt))} by
              ${summary.createdBy}</span
            >
          </div>`
        : nothing}`;
  }

  const groupField = (of) =>
    html`<label class="ctl pick-one"
      ><span class="k">Group</span
      ><select aria-label="Group" @change=${(e) => take(e.target.value)}>
        ${groups().map((g) => html`<option value=${g.name} ?selected=${g === of}>${groupName(g.name)}</option>`)}
      </select></label
    >`;

  function waiting({ summary }) {
    if (summary.state === "failed")
      return html`<section class="pane words" role="alert">
        <p class="say">
          ${shape("warning", 13, "failed")} <b>It was not computed.</b> ${summary.error ??
          "Why is not known; its job is on the page Ingest."}
        </p>
        <p class="row"><a class="ctl" href=${href("/load-profiles/new")}>Compute another</a></p>
      </section>`;
    const of = job.data?.id === summary.job ? job.data : null;
    return html`<section class="pane words" role="status">
      <p class="say">
        <b>Hours are being read.</b> ${subject(summary)}; the page shows the figures when they are there.
      </p>
      ${progress(of?.done ?? 0, of?.total ?? 0, "Computing")}
      <p class="row wrap">
        <span class="m"
          >${of?.total ? `${count(of.done)} of ${plural(of.total, "machine")}` : "Counting machines"}</span
        >
        ${of?.cancellable && may("operator") ? html`<button class="link" @click=${stop}>Cancel</button>` : nothing}
      </p>
    </section>`;
  }

  function coverage(of) {
    if (!of.hoursWithIops) return "";
    const missing = of.hours - of.hoursWithIops;
    return [
      `per cent of ${plural(of.hoursWithIops - of.idleHours, "hour")} with a load`,
      of.idleHours ? `${count(of.idleHours)} idle ones are left out` : "",
      missing > 0 ? `nothing is known of ${plural(missing, "hour")}` : "",
    ]
      .filter(Boolean)
      .join("; ");
  }

  const mapPane = (of) =>
    pane({
      title: "What the hours are like",
      name: "map-pane",
      note: coverage(of),
      end: of.cells.length ? html`${csvLink("histogram")}` : nothing,
      body: of.cells.length
        ? html`<div class="map-cols">
            <div class="map-side">
              <span class="s12 m">Reads, by block size</span>
              ${hoursMap(of)}
            </div>
            ${profileList(of, param("cluster"), choose)}
          </div>`
        : nothingKnown(of),
    });

  function nothingKnown(of) {
    const { summary } = stored.data;
    return html`<div class="empty">
      <b>${of.hoursWithIops ? "No hour has operations and their sizes." : "No operations are known of this time."}</b>
      ${of.remarks.join(" ")} A profile needs reads and writes a second and their throughput of each machine's disks,
      which the collector of vCenter's statistics and Telegraf send.
      <a class="acc" href=${href("/sources")}>Sources</a>
      <span class="m">Read were hours until ${moment(Date.parse(summary.to))}.</span>
    </div>`;
  }

  const peaksPane = (of) =>
    of.peaks.length
      ? pane({
          title: of.peaks.length === 1 ? "The highest hour" : `The ${of.peaks.length} highest hours`,
          name: "peaks-pane",
          note: "at least six hours apart; a click shows changes and talkers of that time",
          end: csvLink("peaks"),
          body: html`<div class="scrolls-x">${peaks.view(of)}</div>`,
        })
      : nothing;

  const figuresPane = (of) =>
    pane({
      title: "Figures",
      name: "figures-pane",
      note: "over the hours",
      end: csvLink("profiles"),
      body: html`<div class="scrolls-x">${distributions(of)}</div>
        <p class="foot-line whole">${withinWords(of)}</p>`,
    });

  const row = (g) =>
    html`<tr
      class=${g === group() ? "sel" : ""}
      aria-selected=${g === group()}
      @click=${(e) => e.target.closest("a") || take(g.name)}
    >
      <td></td>
      ${cells(columns.shown(), g)}
    </tr>`;

  const groupsPane = () =>
    groups().length > 1
      ? html`<section class="pane groups-pane" aria-label="Groups">
          <div class="ph">
            <h2>${plural(groups().length - 1, "group")}</h2>
            <span class="m cut">a group's load is that of its machines in the same hour</span>
            <span class="sp"></span>
            ${csvLink("clusters")} ${columns.button()}
          </div>
          ${rows.box(
            columns.table({ lead: "w-dot", leadWidth: 12, room: 120, usual: "iops" }, rows.body(rows.list(), row)),
          )}
        </section>`
      : nothing;

  const remarks = (of) =>
    of.remarks.length && of.cells.length
      ? html`<section class="pane doubts" aria-label="Reasons for doubt">
          ${of.remarks.map((r) => html`<p class="row">${shape("unknown", 12, "")}<span>${r}</span></p>`)}
        </section>`
      : nothing;

  const loadPane = (of) =>
    pane({ title: "A load like this", name: "load-pane", note: "for a benchmark", body: load.view(of) });
  const unknownPane = (of) =>
    pane({
      title: "What history does not say",
      name: "unknown-pane",
      note: "it has means only",
      body: accesses.view(of, stored.data.accesses ?? [], stored.data.summary.ancestor),
    });
  const sharesPane = (of) =>
    pane({ title: "For each", name: "shares-pane", note: groupName(of.name), body: shares(of) });

  const fitsPane = (of) =>
    of.iops.mean === null
      ? nothing
      : pane({
          title: "What a benchmark run is enough for",
          name: "fits-pane",
          body: fits.view(of),
        });

  function result() {
    const of = group();
    if (!of) return waiting(stored.data);
    return html`${tiles(of)}
      <div class="profile-cols">
        <div class="col">${mapPane(of)}${peaksPane(of)}${figuresPane(of)}${groupsPane()}</div>
        <div class="col">${remarks(of)}${loadPane(of)}${unknownPane(of)}${sharesPane(of)}${fitsPane(of)}</div>
      </div>`;
  }

  return {
    get title() {
      const of = group();
      return of ? finding(of) : "Load profile";
    },
    short: "Load profile",
    name: "profile-page",
    timed: false,
    update() {
      columns.arrive();
      want();
    },
    escape: () => (param("peak") ? amend({ peak: null }, { replace: true }) : back("/load-profiles")),
    keys: () => ({
      J: [() => group() && peaks.step(group(), 1), "Next peak", () => stored.data !== null],
      K: [() => group() && peaks.step(group(), -1), "Peak before", () => stored.data !== null],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      want();
      if (stored.error && !stored.data)
        return html`<div class="tb"><h1>No load profile to show</h1></div>
          <section class="pane">${failure(stored.error, () => stored.again())}</section>`;
      return html`${head()}
      ${loaded({ ...stored, waited: stored.data ? 0 : stored.waited, again: () => stored.again() }, result, {
        rows: 10,
      })}`;
    },
  };
}
