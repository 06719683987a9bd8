// Named networks as one file: mistakes are marked while one types, and what another definition would change is said
// before it is stored.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { amend, back, href, param } from "../../core/url.js";
import { auditPane } from "../../parts/audit.js";
import { asCsv } from "../../parts/download.js";
import { Draft } from "../../parts/draft.js";
import { isSide, sideButton, turnSide, versionsList } from "../../parts/history.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";

const TYPES = { yaml: "application/yaml", csv: "text/csv" };
const LARGEST = 1024 * 1024;

/** A file of networks as a table, for its colours: the first line names the columns. */
function readTable(text) {
  const head = /^[^\n]*/.exec(text)[0].length;
  const tokens = head ? [{ kind: "key", start: 0, end: head }] : [];
  for (const { 0: cell, index } of text.slice(head).matchAll(/"(?:[^"]|"")*"/g)) {
    tokens.push({ kind: "str", start: head + index, end: head + index + cell.length });
  }
  return { tokens };
}

/** Mistakes of the service as the editor shows them: each marks what stands on its line. */
function issuesOf(text, mistakes) {
  const lines = text.split("\n");
  return mistakes.map(({ line, reason }) => {
    const n = Math.max(1, Math.min(line, lines.length));
    const start = lines.slice(0, n - 1).reduce((sum, l) => sum + l.length + 1, 0);
    const indent = /^\s*/.exec(lines[n - 1])[0].length;
    return {
      offset: start + indent,
      end: start + Math.max(indent + 1, lines[n - 1].trimEnd().length),
      line: n,
      column: indent + 1,
      severity: "error",
      message: reason,
      hint: null,
    };
  });
}

// Files of other systems end their lines otherwise; a byte order mark is not part of the text.
const plainLines = (text) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

const asFile = (text, format) => new Blob([text], { type: TYPES[format] });
const yesNo = { true: "internal", false: "external" };

/** The editor, which this page alone of its group needs: loaded before the page is drawn. */
export const loads = () => import("../../editor/code-editor.js");

export function page() {
  const draft = new Draft({
    api: "/networks",
    blank: { text: "", format: "yaml" },
    labels: { text: "Definition", format: "Format" },
    show: (name, v) => (name === "text" ? html`<pre class="payload">${v}</pre>` : v.toUpperCase()),
    changed: () => draft.edited && ask(text(), format()),
    saved: ({ items }) => `${plural(items.length, "network")} in force; flows that arrive from now on use them`,
    read,
    store,
  });
  const { stored } = draft;
  const preview = new Load(async (text, format, signal) => ({
    text,
    ...(await exchange("POST", "/networks/preview", { body: asFile(text, format), type: TYPES[format], signal })).data,
  }));
  const history = new Load(async (_version, signal) => {
    const page = await get("/networks/history", { limit: 50 }, signal);
    return { ...page, items: page.items.map((v) => ({ ...v, action: "changed" })) };
  });
  const ask = settled((text, format) => (preview.want(text, format), redraw()), 300);

  const text = () => draft.value("text");
  const format = () => draft.value("format");
  const edited = () => draft.edited;

  async function read(signal) {
    const [{ data, etag }, content] = await Promise.all([
      exchange("GET", "/networks", { signal }),
      exchange("GET", "/networks/content", { signal, accept: `${TYPES.yaml}, ${TYPES.csv}` }),
    ]);
    return whole(data, data.version ? etag : "", plainLines(content.data));
  }

  async function store(etag) {
    const file = { body: asFile(text(), format()), type: TYPES[format()] };
    const { data, etag: next } = await exchange("PUT", "/networks", { ...file, etag });
    return whole(data, next, text());
  }

  /** With its text; what nobody has stored has no tag to ask for. */
  const whole = (data, etag, text) => ({
    data: { ...data, text, updatedBy: data.changedBy, updatedAt: data.changedAt },
    etag,
  });

  function put(next, as = format()) {
    draft.set("format", as);
    draft.set("text", next);
  }

  const save = () => mistakes().length === 0 && draft.save();

  async function take(files) {
    const [file] = files;
    if (!file) return;
    if (file.size > LARGEST) return notice("The file is larger than 1 MiB.");
    put(plainLines(await file.text()), /\.csv$/i.test(file.name) || file.type === TYPES.csv ? "csv" : "yaml");
    notice(`${file.name} is in the editor; it is not stored yet`);
  }

  /** What the service says of the text at hand; null while that is not known. */
  const said = () => (edited() && preview.data?.text === text() ? preview.data : null);
  const mistakes = () => said()?.mistakes ?? [];
  const issues = memo((now, list) => issuesOf(now, list));
  const items = () => (edited() && said() && !said().mistakes.length ? said().items : (draft.before.items ?? []));

  function verdict() {
    if (!draft.there) return nothing;
    if (!edited()) {
      const { version, changedBy, changedAt } = draft.before;
      const at = changedAt ? `, ${moment(Date.parse(changedAt))}` : "";
      return html`<span class="m"
        >${version ? `version ${version}, ${changedBy ?? ""}${at}` : "nothing is defined yet; this is an example"}</span
      >`;
    }
    if (preview.error) return html`<span class="crit cut">${preview.error.message}</span>`;
    const s = said();
    if (!s) return html`<span class="m">checking…</span>`;
    if (s.mistakes.length) return html`<span class="crit">${plural(s.mistakes.length, "mistake")}</span>`;
    return html`<span class="i2">${changeWords(s)}</span>`;
  }

  function changeWords(s) {
    const renamed = s.renamed
      ? `${plural(s.renamed, "address", "addresses")} of the last day ${s.renamed === 1 ? "gets" : "get"} another network`
      : "no address of the last day gets another network";
    const inside = s.internalAfter - s.internalBefore;
    const moved = inside ? `, ${count(Math.abs(inside))} ${inside > 0 ? "become internal" : "become external"}` : "";
    return `Would change: ${renamed}${moved}.`;
  }

  function editorPane() {
    const off = !draft.allowed;
    const list = issues(text(), mistakes());
    return html`<section
      class="pane code-pane yaml-pane networks-editor"
      aria-label="Definition"
      @dragover=${(e) => e.preventDefault()}
      @drop=${(e) => {
        e.preventDefault();
        if (!off) take(e.dataTransfer.files);
      }}
    >
      <div class="ph">
        <h2>${format().toUpperCase()}</h2>
        <span class="row s12 cut" role="status">${verdict()}</span>
        <span class="sp"></span>
        ${segments(
          format(),
          [
            ["yaml", "YAML"],
            ["csv", "CSV"],
          ],
          (as) => !off && as !== format() && convert(as),
          "Format",
        )}
        <button class="link" @click=${() => copy(text(), "Text copied")}>Copy</button>
      </div>
      ${loaded(
        stored,
        () =>
          html`<code-editor
            label="Networks"
            .language=${format() === "csv" ? readTable : "yaml"}
            .value=${text()}
            .issues=${list}
            .locked=${off}
            @edited=${(e) => put(e.target.value)}
          ></code-editor>`,
        { rows: 14 },
      )}
    </section>`;
  }

  /**
   * The networks at hand written in the other format; a text that is not understood yet only changes how it is read.
   */
  async function convert(as) {
    const understood = edited() ? said() && !said().mistakes.length : draft.there;
    if (!understood) return put(text(), as);
    const [before, was, networks] = [text(), format(), items()];
    put(as === "csv" ? toCsv(networks) : (await import("./networks-yaml.js")).toYaml(networks), as);
    if (before.includes("#")) notice("Comments are not taken over", { seconds: 8, undo: () => put(before, was) });
  }

  function listPane() {
    const list = items();
    const ranges = draft.before.internalRanges ?? [];
    return html`<section class="pane networks-list" aria-label="Networks">
      <div class="ph">
        <h2>${plural(list.length, "network")}</h2>
        <span class="m cut"
          >${edited() ? (said() && !mistakes().length ? "as typed" : "in force") : "in force"}; the longest prefix
          wins</span
        >
      </div>
      ${loaded(
        stored,
        () =>
          html`<div class="scrolls">
            ${list.length
              ? html`<table>
                  <colgroup>
                    <col class="w-network" />
                    <col />
                    <col class="w-few" />
                    <col class="w-slim" />
                    <col class="w-few" />
                    <col class="prio-3" />
                  </colgroup>
                  <thead>
                    <tr>
                      <th>Name</th>
                      <th>Prefixes</th>
                      <th>Side</th>
                      <th class="r">VLAN</th>
                      <th>Site</th>
                      <th class="prio-3">What for</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${list.map(
                      (n) =>
                        html`<tr>
                          <td class="strong l-name" title=${n.name}>
                            <a href=${href("/top-talkers", { network: [n.name] })}>${n.name}</a>
                          </td>
                          <td class="mono l-what" title=${n.cidrs.join(", ")}>${n.cidrs.join(", ")}</td>
                          <td>
                            ${n.internal === null
                              ? html`<span class="m" title="As the network around it">as around</span>`
                              : yesNo[n.internal]}
                          </td>
                          <td class="r">${n.vlan ?? ""}</td>
                          <td class="m">${n.site ?? ""}</td>
                          <td class="m prio-3" title=${n.description ?? ""}>${n.description ?? ""}</td>
                        </tr>`,
                    )}
                  </tbody>
                </table>`
              : html`<div class="empty">
                  No network has a name yet. Traffic is told apart by its objects and by internal and external alone.
                </div>`}
            <p class="m s12 pad">
              Internal unless a network says otherwise: ${ranges.join(", ")}. Setting
              <code>peerlens.flows.internal-ranges</code>.
            </p>
          </div>`,
        { rows: 8 },
      )}
    </section>`;
  }

  function historyPane() {
    history.want(draft.before.version ?? 0);
    return html`<section class="pane networks-list" aria-label="History">
      <div class="ph">
        <h2>History</h2>
        <span class="m cut">a restored version becomes the newest</span>
      </div>
      <div class="scrolls">
        ${versionsList({
          history,
          current: draft.before.version,
          allowed: draft.allowed,
          edited: edited(),
          restore: (version) => draft.restore(version),
        })}${auditPane({ kind: "networks" }, draft.before.version)}
      </div>
    </section>`;
  }

  return {
    title: "Networks",
    name: "networks",
    timed: false,
    update: () => draft.want(),
    leave: () => ask.cancel(),
    escape: () => {
      if (leaveField()) return;
      if (param("side")) amend({ side: null }, { replace: true });
      else back("/top-talkers");
    },
    keys: () => ({
      "Ctrl S": [() => save(), "Save"],
      H: [turnSide, "History"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (edited() && preview.data?.text !== text() && !preview.loading && !preview.error) ask(text(), format());
      const off = !draft.allowed;
      return html`<div class="tb">
          <a class="m nw" href=${href("/top-talkers")}>Top talkers /</a>
          <h1>Networks</h1>
          ${edited() ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}
          <span class="sp"></span>
          ${sideButton()}
          <label class="ctl file-ctl ${off ? "off" : ""}" title=${off ? NEEDS : "Put a file into the editor"}
            ><input
              type="file"
              accept=".yaml,.yml,.csv,text/csv"
              aria-label="Upload a file"
              ?disabled=${off}
              @change=${(e) => {
                take(e.target.files);
                e.target.value = "";
              }}
            />Upload…</label
          >
          <a class="ctl" href="/api/v1/networks/content" download=${`networks.${draft.before.format}`}>Download</a>
          ${edited() ? html`<button class="ctl ghost" @click=${() => draft.discard()}>Discard</button>` : nothing}
          <button
            class="ctl primary"
            ?disabled=${off || draft.busy || !edited() || mistakes().length > 0}
            title=${off ? NEEDS : mistakes().length ? "Mend what is marked first" : nothing}
            @click=${save}
          >
            Save <kbd>Ctrl S</kbd>
          </button>
        </div>
        ${draft.error ? html`<section class="pane network-error">${failure(draft.error, save)}</section>` : nothing}
        <div class="network-cols">${editorPane()}${isSide() ? historyPane() : listPane()}</div>`;
    },
  };
}

const COLUMNS = ["name", "cidrs", "internal", "vlan", "site", "description"];

/** Networks as CSV; several prefixes of one are parted by blanks. */
function toCsv(list) {
  const lines = list.map((network) => COLUMNS.map((c) => (c === "cidrs" ? network.cidrs.join(" ") : network[c])));
  return `${plainLines(asCsv([COLUMNS, ...lines], { asIs: true }))}\n`;
}
