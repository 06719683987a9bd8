// Lookup tables: CSV files that templates look values up in.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { bytes, count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, go, href } from "../../core/url.js";
import { auditPane } from "../../parts/audit.js";
import { isSide, sideButton, turnSide, versionsList } from "../../parts/history.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice, soon } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";

const byName = (a, b) => a.name.localeCompare(b.name);

const rowsTable = (table) =>
  html`<div class="scrolls both">
      <table class="lookup-rows">
        <thead>
          <tr>
            ${table.columns.map((c) => html`<th>${c}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${table.firstRows.map(
            (r) =>
              html`<tr>
                ${r.map((v) => html`<td title=${v}>${v}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="m s12 pad">
      ${table.rows > table.firstRows.length
        ? `the first ${table.firstRows.length} of ${plural(table.rows, "row")}`
        : plural(table.rows, "row")},
      ${bytes(table.bytes)}
    </p>`;

/** Takes a file, shows what is in it, and stores it under a name; `table` when it takes the place of one. */
function showUpload(table, done) {
  if (!may("operator")) return notice(NEEDS);
  const state = { name: table?.name ?? "", file: null, preview: null, error: null, busy: false };
  const take = async (files) => {
    if (!files.length) return;
    [state.file] = files;
    if (!table && !state.name) state.name = state.file.name.toLowerCase().replace(/[^a-z0-9._-]+/g, "-");
    state.preview = state.error = null;
    redraw();
    try {
      state.preview = (await exchange("POST", "/lookups/preview", { body: state.file })).data;
    } catch (error) {
      state.error = error;
    }
    redraw();
  };
  const save = async (event) => {
    event.preventDefault();
    state.busy = true;
    redraw();
    try {
      await exchange("PUT", `/lookups/${encodeURIComponent(state.name)}`, {
        body: state.file,
        etag: table ? `"${table.version}"` : undefined,
      });
      closeLayer();
      notice(`${state.name} is stored; the next notification uses it`);
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${save}>
        <h2 class="title">${table ? `Another ${table.name}` : "New lookup table"}</h2>
        <label
          class="drop-file"
          @dragover=${(e) => e.preventDefault()}
          @drop=${(e) => (e.preventDefault(), take(e.dataTransfer.files))}
          ><input
            type="file"
            accept=".csv,text/csv"
            aria-label="CSV file"
            @change=${(e) => take(e.target.files)}
          /><span
            >${state.file
              ? state.file.name
              : html`Choose a CSV file, or drop it here. The first line names the columns.`}</span
          ></label
        >
        ${table
          ? nothing
          : html`<label class="lab"
              >Name, by which templates find it<input
                class="field mono"
                maxlength="100"
                autocomplete="off"
                spellcheck="false"
                placeholder="runbooks.csv"
                .value=${state.name}
                @input=${(e) => {
                  state.name = e.target.value.trim();
                  redraw();
                }}
            /></label>`}
        ${state.error ? failure(state.error) : nothing}${state.preview ? rowsTable(state.preview) : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${state.busy || !state.preview || !state.name}>Store</button>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        </div>
      </form>`,
    { label: "Lookup table" },
  );
}

export function lookupsTab(filter) {
  let version = 0;
  const load = new Load((_tick, _version, signal) => get("/lookups", {}, signal));
  const one = new Load((name, _version, signal) => get(`/lookups/${encodeURIComponent(name)}`, {}, signal));
  const left = memo((items, text) =>
    items
      .map((t) => ({ ...t, id: t.name }))
      .filter((t) =>
        words(text).every((w) => `${t.name} ${t.columns.join(" ")}`.toLowerCase().includes(w.toLowerCase())),
      ),
  );
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: byName,
    address: () => null,
    go,
  });
  const again = () => {
    version++;
    load.want(lastTick(), version);
    redraw();
  };
  const history = new Load((name, _version, signal) =>
    get(`/lookups/${encodeURIComponent(name)}/history`, { limit: 50 }, signal),
  );
  const restore = async (t, version) => {
    try {
      await exchange("POST", `/lookups/${encodeURIComponent(t.name)}/history/${version}/restore`, {
        etag: `"${t.version}"`,
      });
      notice(`Version ${version} of ${t.name} is in force again`);
    } catch (failed) {
      notice(`Not restored: ${failed.message}`, { seconds: 8 });
    }
    again();
  };
  function versions(t) {
    if (history.of !== t.name) history.reset();
    history.of = t.name;
    history.want(t.name, t.version);
    return html`<div class="scrolls">
      ${versionsList({
        history,
        current: t.version,
        allowed: may("operator"),
        restore: (version) => restore(t, version),
      })}${auditPane({ kind: "lookups", object: t.name }, t.version)}
    </div>`;
  }
  const remove = (t) => {
    soon(
      `${t.name} is deleted in 10 s`,
      async () => {
        try {
          await exchange("DELETE", `/lookups/${encodeURIComponent(t.name)}`, { etag: `"${t.version}"` });
        } catch (failed) {
          notice(`Not deleted: ${failed.message}`, { seconds: 8 });
        }
        again();
      },
      again,
    );
    amend({ row: null }, { replace: true });
  };

  const row = (t) =>
    html`<tr class=${rows.isOn(t) ? "sel" : ""} aria-selected=${rows.isOn(t)} @click=${(e) => rows.click(e, t)}>
      <td>${shape(t.usedBy.length ? "info" : "alike", 12, t.usedBy.length ? "used" : "not used")}</td>
      <td class="strong mono l-name">${t.name}</td>
      <td class="l-what" title=${t.columns.join(", ")}>${t.columns.join(", ")}</td>
      <td class="r l-value">${count(t.rows)}</td>
      <td class="r m">${bytes(t.bytes)}</td>
      <td title=${t.usedBy.join(", ")}>
        ${t.usedBy.length
          ? t.usedBy.map((id, i) => html`${i ? ", " : ""}<a href=${href(`/notifications/templates/${id}`)}>${id}</a>`)
          : html`<span class="m">no template</span>`}
      </td>
      <td class="m prio-3">${t.updatedBy}</td>
      <td class="r m prio-3">${moment(Date.parse(t.updatedAt))}</td>
    </tr>`;

  return {
    name: "Lookup tables",
    load,
    filter: "name, column",
    add: [() => showUpload(null, again), "New table", "operator"],
    update: () => load.want(lastTick(), version),
    params: ["side"],
    keys: () => ({ ...rows.keys({ selecting: false }), H: [() => rows.chosen() && turnSide(), "History"] }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.items.length, "lookup table") : "Lookup tables"),
    note: () => "what templates look values up in: runbooks, owners, phone numbers",
    beside() {
      const t = rows.chosen();
      if (!t) return nothing;
      one.want(t.name, t.version);
      const off = !may("operator");
      return html`<section class="pane" aria-label=${t.name}>
        <div class="ph">
          <h2 class="mono">${t.name}</h2>
          <span class="sp"></span>
          ${sideButton()}
          <a
            class="link"
            href=${`/api/v1/lookups/${encodeURIComponent(t.name)}/content`}
            download=${t.name.endsWith(".csv") ? t.name : `${t.name}.csv`}
            >Download</a
          >
          <button class="link" ?disabled=${off} title=${off ? NEEDS : nothing} @click=${() => showUpload(t, again)}>
            Replace…
          </button>
          <button
            class="link"
            ?disabled=${off || t.usedBy.length > 0}
            title=${off ? NEEDS : t.usedBy.length ? `Used by ${t.usedBy.join(", ")}` : nothing}
            @click=${() => remove(t)}
          >
            Delete…
          </button>
        </div>
        ${isSide()
          ? versions(t)
          : loaded(one, (table) => (table.name === t.name ? rowsTable(table) : nothing), { rows: 8 })}
      </section>`;
    },
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words">
        <p class="say">
          <b>There is no lookup table yet.</b> A table is a CSV file in which templates look something up: the runbook
          of an alert, the phone number of an owner. The step <code>lookup</code> of a template reads it.
        </p>
        <p class="say row">
          <button
            class="ctl primary"
            ?disabled=${!may("operator")}
            title=${may("operator") ? nothing : NEEDS}
            @click=${() => showUpload(null, again)}
          >
            Store a CSV file…
          </button>
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      return rows.box(
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col class="w-name" />
            <col />
            <col class="w-few" />
            <col class="w-few" />
            <col class="w-wide" />
            <col class="w-dur prio-3" />
            <col class="w-time prio-3" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Name</th>
              <th>Columns</th>
              <th class="r">Rows</th>
              <th class="r">Size</th>
              <th>Used by</th>
              <th class="prio-3">By</th>
              <th class="r prio-3">Changed</th>
            </tr>
          </thead>
          ${rows.body(list, row)}
        </table>`,
      );
    },
  };
}
