// Named networks as one file: mistakes are marked while one types, and what another definition would change is said before it is stored.
import { html, nothing } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { exchange, get, Problem } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { memo } from "../core/memo.js";
import { may, NEEDS } from "../core/session.js";
import { keep, kept } from "../core/store.js";
import { lastTick, moment } from "../core/time.js";
import { amend, back, href, param } from "../core/url.js";
import "../formula/formula-editor.js";
import { brackets } from "../formula/tokens.js";
import { auditPane } from "../parts/audit.js";
import { isSide, sideButton, turnSide, versionsList } from "../parts/history.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { copy, notice } from "../parts/notice.js";
import { failure, loaded } from "../parts/pane.js";
import { segments } from "../parts/small.js";
import { YAML } from "../template/yaml.js";

const TYPES = { yaml: "application/yaml", csv: "text/csv" };
const MEMORY = "networks.draft";
const LARGEST = 1024 * 1024;

// The file of networks has no names to complete; what it may hold is said in its first lines.
const AS_YAML = { read: YAML.read, brackets, contextAt: () => null };
const AS_CSV = {
  read(text) {
    const tokens = [];
    let at = 0;
    text.split("\n").forEach((line, n) => {
      if (n === 0) tokens.push({ kind: "key", start: at, end: at + line.length });
      else for (const m of line.matchAll(/"(?:[^"]|"")*"/g)) tokens.push({ kind: "str", start: at + m.index, end: at + m.index + m[0].length });
      at += line.length + 1;
    });
    return { tokens };
  },
  brackets,
  contextAt: () => null,
};
const LANGUAGES = { yaml: AS_YAML, csv: AS_CSV };

/** Mistakes of the service as the editor shows them: each marks what stands on its line. */
export function issuesOf(text, mistakes) {
  const lines = text.split("\n");
  return mistakes.map(({ line, reason }) => {
    const n = Math.max(1, Math.min(line, lines.length));
    const start = lines.slice(0, n - 1).reduce((sum, l) => sum + l.length + 1, 0);
    const indent = /^\s*/.exec(lines[n - 1])[0].length;
    return { offset: start + indent, end: start + Math.max(indent + 1, lines[n - 1].trimEnd().length), line: n, column: indent + 1, severity: "error", message: reason, hint: null };
  });
}

// Files of other systems end their lines otherwise; a byte order mark is not part of the text.
const plainLines = (text) => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

const asFile = (text, format) => new Blob([text], { type: TYPES[format] });
const yesNo = { true: "internal", false: "external" };

export function page() {
  const stored = new Load(async (_tick, signal) => {
    const [definition, content] = await Promise.all([exchange("GET", "/networks", { signal }), exchange("GET", "/networks/content", { signal, accept: `${TYPES.yaml}, ${TYPES.csv}` })]);
    return { ...definition.data, etag: definition.etag, text: plainLines(content.data) };
  });
  const preview = new Load(async (text, format, signal) => ({ text, ...(await exchange("POST", "/networks/preview", { body: asFile(text, format), type: TYPES[format], signal })).data }));
  const history = new Load(async (_version, signal) => {
    const page = await get("/networks/history", { limit: 50 }, signal);
    return { ...page, items: page.items.map((v) => ({ ...v, action: "changed" })) };
  });
  let draft = kept(MEMORY, null);
  let error = null;
  let busy = false;
  let theirs = null;
  const ask = settled((text, format) => (preview.want(text, format), redraw()), 300);

  const allowed = () => may("operator");
  const text = () => draft?.text ?? stored.data?.text ?? "";
  const format = () => draft?.format ?? stored.data?.format ?? "yaml";
  const edited = () => draft !== null;

  function put(next, as = format()) {
    error = null;
    draft = stored.data && next === stored.data.text && as === stored.data.format ? null : { text: next, format: as, etag: draft?.etag ?? stored.data?.etag ?? null, version: draft?.version ?? stored.data?.version ?? 0 };
    keep(MEMORY, draft);
    if (draft) ask(next, as);
    redraw();
  }

  function forget() {
    draft = null;
    theirs = null;
    error = null;
    keep(MEMORY, null);
  }

  function discard() {
    const gone = draft;
    forget();
    redraw();
    notice("Your changes are gone", { seconds: 10, undo: () => put(gone.text, gone.format) });
  }

  async function store(etag) {
    const { data, etag: next } = await exchange("PUT", "/networks", { body: asFile(text(), format()), type: TYPES[format()], etag });
    stored.data = { ...data, etag: next, text: text() };
    forget();
    closeLayer();
    notice(`${plural(data.items.length, "network")} in force; flows that arrive from now on use them`);
  }

  async function save() {
    if (!allowed() || busy || !edited() || mistakes().length) return;
    busy = true;
    error = null;
    redraw();
    try {
      await store(draft.version === 0 ? undefined : draft.etag);
    } catch (failed) {
      if (failed instanceof Problem && (failed.status === 412 || failed.status === 428)) {
        await stored.again();
        theirs = stored.data;
        showLayer("dialog wide", conflict, { label: "Both versions" });
      } else error = failed;
    }
    busy = false;
    redraw();
  }

  function conflict() {
    if (!theirs || !draft) return nothing;
    const mine = () => store(theirs.etag).catch((failed) => ((error = failed), closeLayer(), redraw()));
    const take = () => {
      forget();
      closeLayer();
      redraw();
    };
    return html`<h2 class="title">Somebody else saved this since you read it</h2>
      <p class="i2">${theirs.changedBy ?? "Somebody"} saved${theirs.changedAt ? ` at ${moment(Date.parse(theirs.changedAt))}` : ""}. Nothing of yours is lost.</p>
      <div class="both-texts"><div><h3>Theirs, in force</h3><pre class="payload">${theirs.text}</pre></div><div><h3>Yours</h3><pre class="payload">${text()}</pre></div></div>
      <div class="row"><button class="ctl" @click=${take}>Take theirs</button><button class="ctl primary" ?disabled=${busy} @click=${mine}>Save mine over it</button><span class="sp"></span><button class="ctl" @click=${closeLayer}>Back to the editor</button></div>`;
  }

  async function take(files) {
    const [file] = files;
    if (!file) return;
    if (file.size > LARGEST) return notice("The file is larger than 1 MiB.");
    put(plainLines(await file.text()), /\.csv$/i.test(file.name) || file.type === TYPES.csv ? "csv" : "yaml");
    notice(`${file.name} is in the editor; it is not stored yet`);
  }

  async function restore(version) {
    try {
      await exchange("POST", `/networks/history/${version}/restore`, { etag: stored.data.etag });
      notice(`Version ${version} is in force again`);
      forget();
    } catch (failed) {
      notice(`Not restored: ${failed.message}`, { seconds: 8 });
    }
    stored.again();
  }

  /** What the service says of the text at hand; null while that is not known. */
  const said = () => (edited() && preview.data?.text === text() ? preview.data : null);
  const mistakes = () => said()?.mistakes ?? [];
  const issues = memo((now, list) => issuesOf(now, list));
  const items = () => (edited() && said() && !said().mistakes.length ? said().items : (stored.data?.items ?? []));

  function verdict() {
    if (!edited()) return stored.data ? html`<span class="m">${stored.data.version ? `version ${stored.data.version}, ${stored.data.changedBy ?? ""}${stored.data.changedAt ? `, ${moment(Date.parse(stored.data.changedAt))}` : ""}` : "nothing is defined yet; this is an example"}</span>` : nothing;
    if (preview.error) return html`<span class="crit cut">${preview.error.message}</span>`;
    const s = said();
    if (!s) return html`<span class="m">checking\u2026</span>`;
    if (s.mistakes.length) return html`<span class="crit">${plural(s.mistakes.length, "mistake")}</span>`;
    return html`<span class="i2">${changeWords(s)}</span>`;
  }

  function changeWords(s) {
    const renamed = s.renamed ? `${plural(s.renamed, "address", "addresses")} of the last day ${s.renamed === 1 ? "gets" : "get"} another network` : "no address of the last day gets another network";
    const inside = s.internalAfter - s.internalBefore;
    const moved = inside ? `, ${count(Math.abs(inside))} ${inside > 0 ? "become internal" : "become external"}` : "";
    return `Would change: ${renamed}${moved}.`;
  }

  function editorPane() {
    const off = !allowed();
    const list = issues(text(), mistakes());
    return html`<section class="pane code-pane yaml-pane networks-editor" aria-label="Definition" @dragover=${(e) => e.preventDefault()} @drop=${(e) => { e.preventDefault(); if (!off) take(e.dataTransfer.files); }}>
      <div class="ph"><h2>${format().toUpperCase()}</h2><span class="row s12 cut" role="status">${verdict()}</span><span class="sp"></span>${segments(format(), [["yaml", "YAML"], ["csv", "CSV"]], (as) => !off && as !== format() && convert(as), "Format")}<button class="link" @click=${() => copy(text(), "Text copied")}>Copy</button></div>
      ${loaded(stored, () => html`<formula-editor label="Networks" .language=${LANGUAGES[format()]} .value=${text()} .issues=${list} .locked=${off} @edited=${(e) => put(e.target.value)}></formula-editor>`, { rows: 14 })}</section>`;
  }

  /** The networks at hand written in the other format; a text that is not understood yet only changes how it is read. */
  function convert(as) {
    const understood = edited() ? said() && !said().mistakes.length : stored.data;
    if (!understood) return put(text(), as);
    const [before, was] = [text(), format()];
    put(as === "csv" ? toCsv(items()) : toYaml(items()), as);
    if (before.includes("#")) notice("Comments are not taken over", { seconds: 8, undo: () => put(before, was) });
  }

  function listPane() {
    const list = items();
    const ranges = stored.data?.internalRanges ?? [];
    return html`<section class="pane networks-list" aria-label="Networks"><div class="ph"><h2>${plural(list.length, "network")}</h2><span class="m cut">${edited() ? (said() && !mistakes().length ? "as typed" : "in force") : "in force"}; the longest prefix wins</span></div>
      ${loaded(stored, () => html`<div class="scrolls">${list.length ? html`<table><colgroup><col class="w-network" /><col /><col class="w-few" /><col class="w-slim" /><col class="w-few" /><col class="prio-3" /></colgroup><thead><tr><th>Name</th><th>Prefixes</th><th>Side</th><th class="r">VLAN</th><th>Site</th><th class="prio-3">What for</th></tr></thead>
          <tbody>${list.map((n) => html`<tr><td class="strong l-name" title=${n.name}><a href=${href("/top-talkers", { network: [n.name] })}>${n.name}</a></td><td class="mono l-what" title=${n.cidrs.join(", ")}>${n.cidrs.join(", ")}</td><td>${n.internal === null ? html`<span class="m" title="As the network around it">as around</span>` : yesNo[n.internal]}</td><td class="r">${n.vlan ?? ""}</td><td class="m">${n.site ?? ""}</td><td class="m prio-3" title=${n.description ?? ""}>${n.description ?? ""}</td></tr>`)}</tbody></table>` : html`<div class="empty">No network has a name yet. Traffic is told apart by its objects and by internal and external alone.</div>`}
        <p class="m s12 pad">Internal unless a network says otherwise: ${ranges.join(", ")}. Setting <code>peerlens.flows.internal-ranges</code>.</p></div>`, { rows: 8 })}</section>`;
  }

  function historyPane() {
    history.want(stored.data?.version ?? 0);
    return html`<section class="pane networks-list" aria-label="History"><div class="ph"><h2>History</h2><span class="m cut">a restored version becomes the newest</span></div><div class="scrolls">${versionsList({ history, current: stored.data?.version, allowed: allowed(), edited: edited(), restore })}${auditPane({ kind: "networks" }, stored.data?.version)}</div></section>`;
  }

  return {
    title: "Networks",
    name: "networks",
    timed: false,
    update: () => stored.want(lastTick()),
    leave: () => ask.cancel(),
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else if (param("side")) amend({ side: null }, { replace: true });
      else back("/top-talkers");
    },
    keys: () => ({ "Ctrl S": [() => save(), "Save"], H: [turnSide, "History"], Y: [() => copy(location.href, "Link copied"), "Copy link"] }),
    view() {
      if (edited() && preview.data?.text !== text() && !preview.loading && !preview.error) ask(text(), format());
      const off = !allowed();
      const meanwhile = draft?.etag && stored.data && draft.etag !== stored.data.etag ? html`<span class="warn nw">saved by ${stored.data.changedBy ?? "somebody"} meanwhile</span>` : nothing;
      return html`<div class="tb"><a class="m nw" href=${href("/top-talkers")}>Top talkers /</a><h1>Networks</h1>${edited() ? html`<span class="chip accent">edited</span>` : nothing}${meanwhile}<span class="sp"></span>${sideButton()}
          <label class="ctl file-ctl ${off ? "off" : ""}" title=${off ? NEEDS : "Put a file into the editor"}><input type="file" accept=".yaml,.yml,.csv,text/csv" aria-label="Upload a file" ?disabled=${off} @change=${(e) => { take(e.target.files); e.target.value = ""; }} />Upload\u2026</label><a class="ctl" href="/api/v1/networks/content" download=${`networks.${stored.data?.format ?? "yaml"}`}>Download</a>
          ${edited() ? html`<button class="ctl ghost" @click=${discard}>Discard</button>` : nothing}<button class="ctl primary" ?disabled=${off || busy || !edited() || mistakes().length > 0} title=${off ? NEEDS : mistakes().length ? "Mend what is marked first" : nothing} @click=${save}>Save <kbd>Ctrl S</kbd></button></div>
        ${error ? html`<section class="pane network-error">${failure(error, save)}</section>` : nothing}
        <div class="network-cols">${editorPane()}${isSide() ? historyPane() : listPane()}</div>`;
    },
  };
}

const quoted = (v) => (/^[\w.][\w ./-]*$/.test(v) && !/^(true|false|null|yes|no|on|off|~|[\d.]+)$/i.test(v) ? v : JSON.stringify(v));
// Without the apostrophe that keeps spreadsheets from running a formula: the file is read back, and would hold it then.
const cell = (v) => (/[",\n\r]/.test(v) ? `"${v.replaceAll('"', '""')}"` : v);

/** Networks as YAML, as people write it. */
export function toYaml(list) {
  const one = (n) => [`  - name: ${quoted(n.name)}`, `    cidrs: [${n.cidrs.map((c) => (c.includes(":") ? JSON.stringify(c) : c)).join(", ")}]`, ...["internal", "vlan", "site", "description"].filter((k) => n[k] !== null && n[k] !== undefined).map((k) => `    ${k}: ${typeof n[k] === "string" ? quoted(n[k]) : n[k]}`)].join("\n");
  return list.length ? `networks:\n${list.map(one).join("\n")}\n` : "networks: []\n";
}

/** Networks as CSV; several prefixes of one are parted by blanks. */
export const toCsv = (list) => `name,cidrs,internal,vlan,site,description\n${list.map((n) => [n.name, n.cidrs.join(" "), n.internal ?? "", n.vlan ?? "", n.site ?? "", n.description ?? ""].map((v) => cell(String(v))).join(",")).join("\n")}${list.length ? "\n" : ""}`;
