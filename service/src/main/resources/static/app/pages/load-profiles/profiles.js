// Load profiles: what machines ask of storage, as computed so far.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { progress } from "../../parts/small.js";
import { hoursText } from "../shared/hours.js";
import { period, subject } from "./words.js";

/** As many as are kept. */
const MOST = 100;
const SOON = 2000;

const newest = (a, b) => b.createdAt.localeCompare(a.createdAt);
const ORDERS = {
  created: newest,
  what: (a, b) => subject(a).localeCompare(subject(b)),
  machines: (a, b) => b.machines - a.machines,
};

const COLUMNS = {
  what: {
    list: "name",
    name: "Machines",
    sort: true,
    least: 200,
    td: "strong",
    title: (p) => subject(p),
    cell: (p) => html`<a href=${href(`/load-profiles/${p.id}`)}>${subject(p)}</a>`,
  },
  period: { list: "what", name: "Period", width: 260, title: (p) => period(p), cell: (p) => period(p) },
  hours: {
    name: "Hours",
    least: 160,
    td: "m",
    title: (p) => hoursText(p.onlyDuring),
    cell: (p) => hoursText(p.onlyDuring),
  },
  machines: {
    name: "VMs",
    hint: "how many machines were read",
    sort: true,
    width: 84,
    cls: "r",
    cell: (p) => (p.state === "done" ? count(p.machines) : ""),
  },
  state: {
    list: "value",
    name: "State",
    width: 190,
    title: (p) => p.error ?? "",
    cell: (p, job) => stateCell(p, job),
  },
  by: { name: "By", width: 104, cls: "prio-3", td: "m", title: (p) => p.createdBy, cell: (p) => p.createdBy },
  created: {
    list: "long",
    name: "Computed",
    sort: true,
    width: 116,
    cls: "r",
    td: "m",
    cell: (p) => moment(Date.parse(p.createdAt)),
  },
};

function stateCell(profile, job) {
  if (profile.state === "failed") return html`<span class="warn">failed: ${profile.error ?? "see Ingest, Jobs"}</span>`;
  if (profile.state === "done") return html`<span class="m">done</span>`;
  const own = job?.id === profile.job ? job : null;
  return html`<span class="row computing"
    >${progress(own?.done ?? 0, own?.total ?? 0, "Computing")}<span class="m"
      >${own?.total ? `${count(own.done)} of ${count(own.total)}` : "computing"}</span
    ></span
  >`;
}

export function page() {
  const list = new Load((_tick, signal) => get("/load-profiles", { limit: MOST }, signal));
  const job = new Load((id, signal) => get(`/jobs/${id}`, {}, signal));
  const computing = () => list.data?.items.find((p) => p.state === "computing") ?? null;
  const columns = choosable("load-profiles", {
    definitions: COLUMNS,
    usual: ["what", "period", "hours", "machines", "state", "by", "created"],
    fixed: ["what"],
  });
  const rows = new Rows({
    main: "profiles-page",
    items: () => list.data?.items ?? null,
    compare: (a, b) => ordered(ORDERS, "created", newest)(a, b),
    address: (p) => `/load-profiles/${p.id}`,
    go,
  });
  const add = () => (may("operator") ? go("/load-profiles/new") : notice(NEEDS));
  const addButton = (key) =>
    html`<button
      class="ctl primary"
      ?disabled=${!may("operator")}
      title=${may("operator") ? nothing : NEEDS}
      @click=${add}
    >
      Compute one ${key}
    </button>`;

  function want() {
    list.want(lastTick());
    const one = computing();
    if (!one) return;
    list.every(SOON);
    job.want(one.job).every(SOON);
  }

  const row = (p) =>
    html`<tr
      class=${rows.isOn(p) ? "sel" : ""}
      aria-selected=${rows.isOn(p)}
      @click=${(e) => rows.click(e, p)}
      @dblclick=${() => rows.open(p)}
    >
      <td class="l-shape">
        ${shape(p.state === "failed" ? "warning" : p.state === "done" ? "alike" : "unknown", 12, "")}
      </td>
      ${cells(columns.shown(), p, job.data)}
    </tr>`;

  const none = () =>
    html`<section class="pane words" aria-label="First steps">
      <p class="say">
        <b>No load profile has been computed yet.</b> It says what virtual machines ask of storage, from the history of
        hours: operations, throughput, block size, share of reads and latency with their percentiles and peaks, and the
        profiles that the hours really fall into, such as 8K 70/30. From it come parameters for fio, vdbench, DiskSpd
        and HCIBench.
      </p>
      <p class="row wrap">${addButton(nothing)}</p>
    </section>`;

  return {
    title: "Load profile",
    name: "profiles-page",
    timed: false,
    update() {
      columns.arrive();
      want();
    },
    escape: () => rows.escape(),
    keys() {
      const { "/": _filter, ...keys } = rows.keys({ selecting: false });
      return { ...keys, C: [add, "Compute a load profile"] };
    },
    acts: () => (list.data?.items.length ? addButton(nothing) : nothing),
    view() {
      want();
      return html`<div class="top">
          <h1 class="lead">
            ${computing()
              ? "A load profile is being computed"
              : list.data
                ? plural(list.data.total, "load profile")
                : "Load profile"}
          </h1>
          <span class="sp"></span>
          <span class="wide-acts">${addButton(html`<kbd>C</kbd>`)}</span>
        </div>
        ${list.data && !list.data.items.length
          ? none()
          : html`<section class="pane ranking" aria-label="Load profiles">
              <div class="ph">
                <h2>What machines ask of storage</h2>
                <span class="m cut">the newest ${MOST} are kept</span>
                <span class="sp"></span>
                <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd></span>
                ${columns.button()}
              </div>
              ${loaded(
                { ...list, waited: list.data ? 0 : list.waited, again: () => list.again() },
                () =>
                  rows.box(
                    columns.table(
                      { lead: "w-state", leadWidth: 32, room: 150, usual: "created" },
                      rows.body(rows.list(), row),
                    ),
                  ),
                { rows: 8 },
              )}
            </section>`}`;
    },
  };
}
