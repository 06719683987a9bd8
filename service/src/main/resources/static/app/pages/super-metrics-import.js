// Import of files and packs: first what it would do, row by row, with a choice for each; then what it did.
import { html, nothing, repeat } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { exchange } from "../core/api.js";
import { bytes, count, plural } from "../core/format.js";
import { may } from "../core/session.js";
import { go, href, param } from "../core/url.js";
import { diff, fieldChange } from "../parts/history.js";
import { failure } from "../parts/pane.js";
import { shape } from "../parts/shapes.js";
import { segments } from "../parts/small.js";
import { kindsText } from "./super-metrics-words.js";

// More ids than this are too long for an address.
const MOST_IDS = 300;
const STATE_WORDS = { new: "new", same: "same", changed: "changed", conflict: "conflict", duplicate: "twice in the file" };
const STATE_SHAPES = { new: "info", same: "alike", changed: "info", conflict: "warning", duplicate: "warning" };
const VALIDITY = { valid: "", "no-data-here": "valid, no data here", invalid: "invalid" };
const DONE = { create: "created", overwrite: "overwritten", skip: "left as it was" };
const WOULD = { create: "create", overwrite: "overwrite", skip: "leave" };

const keyOf = (item, i) => `${item.id} ${i}`;

export function page() {
  let sources = [];
  let policy = "skip";
  let enable = true;
  let filter = "all";
  let open = new Set();
  let running = false;
  let done = false;
  let over = false;

  const pack = param("pack");

  class Source {
    result = null;
    error = null;
    loading = false;
    /** What somebody chose for one item, by its id: take or leave. */
    choices = new Map();

    constructor({ file = null, name }) {
      Object.assign(this, { file, name });
    }

    async ask(dryRun) {
      this.loading = true;
      this.error = null;
      redraw();
      const skip = [...this.choices].filter(([, c]) => c === "leave").map(([id]) => id);
      const overwrite = [...this.choices].filter(([, c]) => c === "take").map(([id]) => id);
      const query = { dryRun, onConflict: policy, enable };
      try {
        const path = this.file ? "/super-metrics/import" : `/super-metrics/packs/${encodeURIComponent(this.name)}/install`;
        const chosen = this.file ? { ...query, skip, overwrite, fileName: this.name } : query;
        this.result = (await exchange("POST", path, { query: chosen, body: this.file ?? undefined })).data;
      } catch (error) {
        this.error = error;
      }
      this.loading = false;
      redraw();
    }

    /** What would be done with an item, the choices of its row included. */
    action(item) {
      const choice = this.choices.get(item.id);
      if (done || !choice || item.state === "same" || item.state === "duplicate") return item.action;
      if (choice === "leave") return "skip";
      return item.state === "new" ? "create" : "overwrite";
    }
  }

  async function add(files) {
    if (!files.length) return;
    if (done) {
      sources = [];
      done = false;
    }
    const fresh = [...files].map((file) => new Source({ file, name: file.name }));
    sources = [...sources.filter((s) => !fresh.some((f) => f.name === s.name)), ...fresh];
    // One after the other: the server reads each whole.
    for (const source of fresh) await source.ask(true);
  }

  async function again() {
    for (const source of sources) await source.ask(true);
  }

  async function run() {
    running = true;
    redraw();
    for (const source of sources) if (source.result && !source.error) await source.ask(false);
    running = false;
    done = sources.every((s) => !s.error);
    redraw();
  }

  const items = () => sources.flatMap((source) => (source.result?.items ?? []).map((item, i) => ({ source, item, key: `${source.name} ${keyOf(item, i)}` })));
  const totals = () => {
    const counts = { create: 0, overwrite: 0, skip: 0, invalid: 0, "no-data-here": 0 };
    for (const { source, item } of items()) {
      counts[source.action(item)]++;
      if (item.validity !== "valid") counts[item.validity]++;
    }
    return counts;
  };

  const FILTERS = { all: () => true, new: (i) => i.state === "new", same: (i) => i.state === "same", changed: (i) => i.state === "changed", conflict: (i) => i.state === "conflict" || i.state === "duplicate", invalid: (i) => i.validity === "invalid", "no-data-here": (i) => i.validity === "no-data-here" };

  /** New ones that nothing here has data for are taken or left together. */
  function idleChoice() {
    const idle = items().filter(({ source, item }) => source.file && item.state === "new" && item.validity === "no-data-here");
    if (done || running || !idle.length) return nothing;
    const left = idle.every(({ source, item }) => source.action(item) === "skip");
    const flip = () => {
      for (const { source, item } of idle) {
        if (left) source.choices.delete(item.id);
        else if (source.choices.size < MOST_IDS) source.choices.set(item.id, "leave");
      }
      redraw();
    };
    return html`<button class="link s12 nw" @click=${flip}>${left ? "Create them too" : "Leave them out"}</button>`;
  }

  function dropped(event) {
    event.preventDefault();
    over = false;
    add(event.dataTransfer.files);
    redraw();
  }

  const chooser = (words) => html`<label class="ctl primary file">${words}<input type="file" multiple accept=".json,.zip,.pak,application/json,application/zip" aria-label="Files to import" @change=${(e) => { add(e.target.files); e.target.value = ""; }} /></label>`;

  const drop = () => html`<section class="pane drop-zone ${over ? "over" : ""}" aria-label="Files"><p class="say"><b>Drop export files here</b>, or choose them: the JSON of Super Metrics > Export, the ZIP of a content-management export, a management pack (.pak). Several at once are fine.</p>
    <div class="row">${chooser("Choose files\u2026")}<span class="m">Nothing is saved until you confirm.</span></div></section>`;

  function sourceLine(source) {
    const r = source.result;
    const size = source.file ? bytes(source.file.size) : "";
    const said = source.loading ? (done || running ? "importing\u2026" : "reading\u2026") : r ? `${plural(r.counts.items, "super metric")}${r.leftAlone.length ? `, ${plural(r.leftAlone.length, "other document")} left alone` : ""}` : "";
    return html`<div class="source"><div class="row"><b class="cut">${source.file ? source.name : `Pack ${source.name}`}</b><span class="m nw">${[said, size].filter(Boolean).join(", ")}</span><span class="sp"></span>
        ${done || running ? nothing : html`<button class="link quiet" aria-label=${`Remove ${source.name}`} @click=${() => { sources = sources.filter((s) => s !== source); redraw(); }}>Remove</button>`}</div>
      ${source.error ? failure(source.error, () => source.ask(true)) : nothing}
      ${r?.problems.length ? html`<details><summary>${plural(r.problemCount, "thing")} in it not taken over</summary><dl class="problems">${r.problems.slice(0, 200).map((p) => html`<dt class="mono">${p.place}</dt><dd>${p.text}</dd>`)}</dl></details>` : nothing}
      ${r?.policies.length ? html`<details><summary>${plural(r.policies.length, "setting")} of exported policies, shown and not applied</summary><dl class="problems">${r.policies.slice(0, 200).map((p) => html`<dt>${p.policy ?? "policy"}</dt><dd>${p.enabled ? "enables" : "disables"} <code>${p.superMetric}</code> for ${p.objectKind}</dd>`)}</dl></details>` : nothing}</div>`;
  }

  function choice(source, item) {
    const now = source.action(item);
    if (done) return html`<span class=${now === "skip" ? "m" : ""}>${DONE[item.action]}</span>`;
    if (item.state === "same" || item.state === "duplicate" || !source.file) return html`<span class="m">${WOULD[now]}</span>`;
    const take = item.state === "new" ? "create" : "overwrite";
    const set = (value) => {
      const usual = item.state === "new" ? "take" : policy === "overwrite" ? "take" : "leave";
      if (value === usual) source.choices.delete(item.id);
      else if (source.choices.size < MOST_IDS) source.choices.set(item.id, value);
      redraw();
    };
    return segments(now === "skip" ? "leave" : "take", [["take", take], ["leave", "leave"]], set, `What to do with ${item.name}`);
  }

  function row({ source, item, key }) {
    const issues = item.issues.length;
    const has = item.changes.length || issues || item.remarks.length;
    const toggle = () => {
      open = new Set(open);
      if (!open.delete(key)) open.add(key);
      redraw();
    };
    const shown = open.has(key);
    const bad = item.validity === "invalid" ? "warning" : item.validity === "no-data-here" ? "unknown" : STATE_SHAPES[item.state];
    const mine = source.choices.has(item.id) && !done;
    const lacks = item.validity === "no-data-here" ? item.issues[0]?.message : null;
    const why = mine ? "your choice" : item.state === "conflict" && item.stored[0] ? `${item.reason}` : item.reason;
    return html`<tr class=${item.state === "same" ? "quiet" : ""} @click=${(e) => e.target.closest("a, button") || (has && toggle())}>
        <td>${shape(bad, 12, "")}</td><td class="strong l-name" title=${item.name}>${has ? html`<button class="twisty" aria-expanded=${shown} aria-label=${`${shown ? "Hide" : "Show"} what is in ${item.name}`} @click=${toggle}>${shown ? "\u2304" : "\u203a"}</button>` : html`<span class="twisty"></span>`}${item.state === "same" || (done && item.action !== "skip") ? html`<a href=${href(`/super-metrics/${item.state === "same" ? (item.stored[0]?.id ?? item.id) : item.id}`)}>${item.name}</a>` : item.name}</td>
        <td class="i2" title=${item.kinds.map((k) => k.objectKind).join(", ")}>${kindsText(item.kinds)}</td><td>${STATE_WORDS[item.state]}</td>
        <td class=${item.validity === "invalid" ? "warn" : "m"} title=${item.issues[0]?.message ?? ""}>${VALIDITY[item.validity]}</td><td class="m l-what" title=${`${item.document}${item.line ? `, line ${item.line}` : ""}: ${lacks ? `${lacks}; ${why}` : why}`}>${lacks ? `${lacks}; ${why}` : why}</td><td class="r do l-value">${choice(source, item)}</td></tr>
      ${shown ? html`<tr class="inside"><td></td><td colspan="6" class="whole-text">
        ${item.stored[0] && item.state !== "new" ? html`<p class="m s12">stored as <a class="acc" href=${href(`/super-metrics/${item.stored[0].id}`)}>${item.stored[0].name}</a>${item.stored[0].id === item.id ? "" : ` under another id`}</p>` : nothing}
        ${item.changes.map((c) => (c.field === "formula" && c.lines.length ? html`<div class="m s12 pad-y">formula: <s>stored</s> against the file</div>${diff(c.lines)}` : fieldChange(c)))}
        ${item.issues.map((i) => html`<pre class="caret ${i.severity === "error" ? "crit" : "warn"}">${i.rendered || `line ${i.line}, column ${i.column}: ${i.message}${i.hint ? `; ${i.hint}` : ""}`}</pre>`)}
        ${item.remarks.map((r) => html`<p class="s12">${r}</p>`)}</td></tr>` : nothing}`;
  }

  function table() {
    const all = items();
    const counts = Object.fromEntries(Object.keys(FILTERS).map((name) => [name, all.filter(({ item }) => FILTERS[name](item)).length]));
    const names = { all: "all", new: "new", same: "same", changed: "changed", conflict: "conflict", invalid: "invalid", "no-data-here": "no data here" };
    const shown = all.filter(({ item }) => (FILTERS[filter] ?? FILTERS.all)(item));
    return html`<section class="pane rows" aria-label="What is in the files"><div class="ph"><h2>${plural(all.length, "super metric")}</h2>
        <div class="states" role="group" aria-label="Show">${Object.keys(FILTERS).filter((n) => n === "all" || counts[n]).map((n) => html`<button class="ctl low" aria-pressed=${filter === n} @click=${() => ((filter = n), redraw())}><span>${count(counts[n])}</span><span class="k">${names[n]}</span></button>`)}</div><span class="sp"></span>
        ${done || !all.length ? nothing : html`<span class="m">Stored, but different:</span>${segments(policy, [["skip", "keep what is stored"], ["overwrite", "take the file's"]], (v) => { policy = v; for (const s of sources) s.choices.clear(); again(); }, "What happens with those that are stored but differ")}`}</div>
      <div class="results" tabindex="-1"><table><colgroup><col class="w-state" /><col /><col class="w-kinds" /><col class="w-dur" /><col class="w-validity" /><col class="w-reason" /><col class="w-choice" /></colgroup>
        <thead><tr><td></td><th>Name</th><th>Object kinds</th><th title="Against what is stored">State</th><th>Formula</th><th>Why</th><th class="r">${done ? "Done" : "To do"}</th></tr></thead><tbody>${repeat(shown, (r) => r.key, row)}</tbody></table>
        ${!shown.length ? html`<div class="empty">None of them is ${names[filter]}. <button class="link" @click=${() => ((filter = "all"), redraw())}>Show all</button></div>` : nothing}</div></section>`;
  }

  function foot() {
    const t = totals();
    const would = [t.create ? `${count(t.create)} ${done ? "created" : "to create"}` : "", t.overwrite ? `${count(t.overwrite)} ${done ? "overwritten" : "to overwrite"}` : "", t.skip ? `${count(t.skip)} ${done ? "left as they were" : "to leave"}` : ""].filter(Boolean).join(", ");
    const loading = sources.some((s) => s.loading);
    const some = t.create + t.overwrite > 0;
    const allowed = may("operator");
    return html`<div class="import-foot pane"><span class="strong">${done ? "Imported: " : ""}${would || "nothing"}</span>
      <span class="m cut">${[t.invalid ? `${count(t.invalid)} invalid: stored and flagged, not computed` : "", t["no-data-here"] ? `${count(t["no-data-here"])} without data here: computed once there is some` : ""].filter(Boolean).join("; ")}</span>${idleChoice()}<span class="sp"></span>
      ${done ? html`<button class="ctl" @click=${() => { sources = []; done = false; open = new Set(); if (pack) go("/super-metrics/import"); redraw(); }}>Import more</button><a class="ctl primary" href=${href("/super-metrics")}>To the list</a>`
        : html`<label class="check"><input type="checkbox" name="enable" .checked=${enable} @change=${(e) => ((enable = e.target.checked), redraw())} />Enable new ones at once</label>
          ${pack ? nothing : chooserPlain()}<a class="ctl" href=${href("/super-metrics")}>Cancel</a>
          <button class="ctl primary" ?disabled=${!allowed || loading || running || !some} title=${allowed ? (some ? nothing : "Nothing would change") : "Needs the role operator"} @click=${run}>${running ? "Importing\u2026" : some ? `Import ${count(t.create + t.overwrite)}` : "Import"}</button>`}</div>`;
  }
  const chooserPlain = () => html`<label class="ctl file">Add files\u2026<input type="file" multiple accept=".json,.zip,.pak,application/json,application/zip" aria-label="More files to import" @change=${(e) => { add(e.target.files); e.target.value = ""; }} /></label>`;

  if (pack) {
    const source = new Source({ name: pack });
    sources = [source];
    source.ask(true);
  }

  return {
    get title() {
      return pack ? `Install ${pack}` : "Import super metrics";
    },
    name: "import",
    timed: false,
    update() {},
    escape: () => go("/super-metrics"),
    view: () => html`<div class="import-page" @dragover=${(e) => { if (!pack && [...e.dataTransfer.types].includes("Files")) { e.preventDefault(); if (!over) { over = true; redraw(); } } }} @dragleave=${(e) => { if (!e.currentTarget.contains(e.relatedTarget)) { over = false; redraw(); } }} @drop=${(e) => pack || dropped(e)}>
      <div class="tb"><a class="m nw" href=${href("/super-metrics")}>Super metrics /</a><h1>${pack ? `Install ${pack}` : "Import"}</h1><span class="m cut">${done ? "done" : sources.length ? "nothing is changed yet" : ""}</span></div>
      ${sources.length ? html`<section class="pane sources ${over ? "over" : ""}" aria-label="Files">${repeat(sources, (s) => s.name, sourceLine)}</section>
        ${items().length ? table() : html`<section class="pane rows">${sources.some((s) => s.loading) ? html`<div class="outlines" aria-busy="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>` : html`<div class="empty">There is no super metric in ${sources.length === 1 ? "it" : "them"}.</div>`}</section>`} ${foot()}` : drop()}</div>`,
  };
}
