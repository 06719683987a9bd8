// The dashboards there are, by folder: those of packs, shared ones and one's own.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { kindWord } from "../../core/metrics.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { download } from "../../parts/download.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { searchBox } from "../../parts/small.js";

const MOST = 1000;
const byName = (a, b) => a.name.localeCompare(b.name);
const ORDERS = {
  name: byName,
  panels: (a, b) => a.panels - b.panels,
  owner: (a, b) => a.owner.localeCompare(b.owner),
  changed: (a, b) => Date.parse(a.updatedAt) - Date.parse(b.updatedAt),
};

const kindOf = (kind) => kindWord(kind.split("/").at(-1));
const whose = (d) => (d.pack ? d.pack : d.visibility === "private" ? "private" : "shared");

/** Whether a dashboard has all words that were typed. */
export function matches(d, typed) {
  const text = [d.name, d.folder, d.description, d.owner, d.pack, whose(d), ...d.kinds.map(kindOf)]
    .join(" ")
    .toLowerCase();
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function page() {
  const list = new Load((kind, signal) => get("/dashboards", { limit: MOST, kind: kind || undefined }, signal));
  const packs = new Load((_version, signal) => get("/dashboards/packs", {}, signal));
  let typed = param("q");
  let busy = null;
  const toAddress = filterToAddress();
  const left = memo((items, text) => items.filter((d) => matches(d, text)));
  const rows = new Rows({
    main: "dashboards",
    items: () => (list.data ? left(list.data.items, typed.trim()) : null),
    asked: () => [typed, param("sort")],
    compare: (a, b) => (a.folder ?? "").localeCompare(b.folder ?? "") || ordered(ORDERS, "name", byName)(a, b),
    address: (d) => `/dashboards/${d.id}`,
    go,
    group: (d) => d.folder ?? "",
  });

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    list.want(param("kind"));
    packs.want(0);
  }

  async function install(pack) {
    busy = pack.name;
    redraw();
    try {
      await post(`/dashboards/packs/${encodeURIComponent(pack.name)}/install`);
      notice(`${pack.name} is installed`);
      list.again();
      packs.again();
    } catch (error) {
      notice(`Not installed: ${error.message}`, { seconds: 8 });
    }
    busy = null;
    redraw();
  }

  async function exportAll() {
    try {
      const shown = rows.list();
      const file = await get(
        "/dashboards/export",
        shown.length < (list.data?.items.length ?? 0) ? { id: shown.map((d) => d.id) } : {},
      );
      download("dashboards", "json", JSON.stringify(file, null, 2), plural(shown.length, "dashboard"));
    } catch (error) {
      notice(`Not exported: ${error.message}`, { seconds: 8 });
    }
  }

  const row = (d) =>
    html`<tr
      class=${rows.isOn(d) ? "sel" : ""}
      aria-selected=${rows.isOn(d)}
      @click=${(e) => rows.click(e, d)}
      @dblclick=${() => rows.open(d)}
    >
      <td class="l-name">
        <a class="strong" href=${href(`/dashboards/${d.id}`)}>${d.name}</a>
        <span class="m s12 about" title=${d.description ?? nothing}>${d.description ?? ""}</span>
      </td>
      <td class="l-what">${d.kinds.map(kindOf).join(", ")}</td>
      <td class="r prio-3">${count(d.panels)}</td>
      <td class="l-value">${whose(d)}</td>
      <td class="prio-3 cut" title=${d.owner}>${d.pack ? "" : d.owner}</td>
      <td class="l-long m nw">${d.pack ? "" : moment(Date.parse(d.updatedAt))}</td>
    </tr>`;

  const groupHead = (folder) =>
    html`<tr class="group">
      <td colspan="6"><b>${folder || "Without a folder"}</b></td>
    </tr>`;

  function table() {
    const shown = rows.list();
    if (!shown.length)
      return html`<div class="empty">
        Nothing matches.
        <button class="link" @click=${() => ((typed = ""), amend({ q: null, kind: null }, { replace: true }))}>
          Drop the filter
        </button>
      </div>`;
    return rows.box(
      html`<table>
        <colgroup>
          <col />
          <col class="w-kind" />
          <col class="prio-3 w-dur" />
          <col class="w-wide" />
          <col class="prio-3 w-kind" />
          <col class="w-changed" />
        </colgroup>
        <thead>
          <tr>
            ${rows.head("name", "Name", "", "name")}
            <th>For</th>
            ${rows.head("panels", "Panels", "r prio-3", "name")}
            <th>Who sees it</th>
            ${rows.head("owner", "Owner", "prio-3", "name")} ${rows.head("changed", "Changed", "", "name")}
          </tr>
        </thead>
        ${rows.body(shown, row, groupHead)}
      </table>`,
    );
  }

  /** Packs that are not installed, or not as they are now. */
  function packsLine() {
    const open = (packs.data?.items ?? []).filter((p) => p.installed < p.dashboards.length);
    if (!open.length) return nothing;
    return html`<section class="pane" aria-label="Packs">
      <div class="ph">
        <h2>Packs</h2>
        <span class="m cut">dashboards that come with Peerlens; nobody changes them, a change makes a copy</span>
      </div>
      <ul class="pack-list">
        ${open.map(
          (p) =>
            html`<li>
              <span><b>${p.name}</b> <span class="i2">${p.summary}</span></span
              ><span class="sp"></span><span class="m s12 nw">${plural(p.dashboards.length, "dashboard")}</span
              ><button
                class="ctl low"
                ?disabled=${!may("operator") || busy === p.name}
                title=${may("operator") ? nothing : NEEDS}
                @click=${() => install(p)}
              >
                ${p.installed ? "Bring up to date" : "Install"}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  const first = () =>
    html`<section class="pane words" aria-label="First steps">
      <p class="say">
        No dashboards yet. <b>Install a pack</b>: it shows what is here without any further work. Or
        <a href=${href("/dashboards/import")}>import</a> those of vRealize Operations: a dry run says what becomes of
        each panel. Or <a href=${href("/dashboards/new")}>make a new one</a> and add a panel; it says how many of your
        objects report each metric while you choose.
      </p>
    </section>`;

  return {
    title: "Dashboards",
    name: "dashboards",
    timed: false,
    update,
    leave: () => toAddress.cancel(),
    escape: () => leaveField() || rows.escape(),
    keys: () => ({
      ...rows.keys({ selecting: false }),
      C: [() => go("/dashboards/new"), "New dashboard"],
      I: [() => go("/dashboards/import"), "Import dashboards"],
    }),
    acts: () =>
      html`<a class="ctl" href=${href("/dashboards/import")}>Import</a>
        <a class="ctl primary" href=${href("/dashboards/new")}>New</a>`,
    view() {
      const { data } = list;
      const kind = param("kind");
      const none = data && !data.total && !kind;
      return html`<div class="tb">
          <h1>Dashboards</h1>
          <span class="m"
            >${data ? plural(data.total, "dashboard") : ""}${kind
              ? html` for a ${kindOf(kind)}
                  <button class="link" @click=${() => amend({ kind: null }, { replace: true })}>show all</button>`
              : nothing}</span
          >
          <span class="sp"></span>
          ${searchBox({
            value: typed,
            placeholder: "name, folder, kind, owner",
            type: (text) => {
              typed = text;
              toAddress(typed.trim());
              redraw();
            },
          })}
          <a class="ctl wide-acts" href=${href("/dashboards/import")}>Import <kbd>I</kbd></a>
          <a class="ctl wide-acts" href=${href("/walls")}>Walls</a>
          <button class="ctl" ?disabled=${!data?.total} @click=${exportAll}>Export</button>
          <a class="ctl" href=${href("/reports")}>Reports</a>
          <a class="ctl primary wide-acts" href=${href("/dashboards/new")}>New <kbd>C</kbd></a>
        </div>
        ${none ? first() : nothing}
        ${list.error && !data
          ? html`<section class="pane">${failure(list.error, () => list.again())}</section>`
          : none
            ? nothing
            : html`<section class="pane dashboard-list" aria-label="Dashboards">
                ${data ? table() : loaded(list, () => nothing, { rows: 8 })}
              </section>`}
        ${packsLine()}`;
    },
  };
}
