// One super metric: its formula with what it yields as it is typed, why, and all that can be set about it.
import { html, nothing } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { exchange, get, post, Problem } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { helpAddress } from "../core/help.js";
import { Load } from "../core/load.js";
import { may } from "../core/session.js";
import { keep, kept } from "../core/store.js";
import { lastTick, moment } from "../core/time.js";
import { amend, back, go, href, param } from "../core/url.js";
import { FormulaWords } from "../formula/words.js";
import { coloured } from "../formula/formula-editor.js";
import { auditPane } from "../parts/audit.js";
import { historyPane } from "../parts/history.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { copy, notice, soon } from "../parts/notice.js";
import { failure } from "../parts/pane.js";
import { icon, shape } from "../parts/shapes.js";
import { chip } from "../parts/small.js";
import { showBackfill } from "./super-metric-backfill.js";
import { detailsPane } from "./super-metric-details.js";
import { Effects, usersText } from "./super-metric-effects.js";
import { Explanation } from "./super-metric-explain.js";
import { Preview } from "./super-metric-preview.js";
import { exportAddress, millis, stateOf, stateText, unitWord } from "./super-metrics-words.js";

const FIELDS = ["name", "formula", "description", "unitId", "kinds", "tags", "owner", "intervalSeconds"];
const LABELS = { name: "Name", formula: "Formula", description: "Description", unitId: "Unit", kinds: "Object kinds", tags: "Tags", owner: "Owner", intervalSeconds: "Interval", policy: "Enabled" };
const BLANK = { name: "", formula: "", description: null, unitId: null, kinds: [], tags: [], owner: null, intervalSeconds: 60, policy: { enabled: true, rules: [] } };
// No text is the same as an empty one.
const same = (a, b) => JSON.stringify(a || null) === JSON.stringify(b || null);

export function page(address) {
  const isNew = address === "new";
  const id = isNew ? null : address;
  const memory = `super-metric.${address}`;
  const stored = new Load((_tick, signal) => exchange("GET", `/super-metrics/${id}`, { signal }));
  const uses = new Load((_tick, signal) => get(`/super-metrics/${id}/used-by`, {}, signal));
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const check = new Load((formula, assigned, signal) => post("/super-metrics/validate", { formula, kinds: assigned, ...(id ? { id } : {}) }, signal));
  const history = new Load((_version, signal) => get(`/super-metrics/${id}/history`, { limit: 50 }, signal));
  // What was typed and not saved: `{ etag, since, fields }`; kept in the browser until it is saved or thrown away.
  let draft = kept(memory, null);
  let error = null;
  let busy = false;
  let theirs = null;
  let leaving = false;
  let checked = null;

  const before = () => (isNew ? BLANK : (stored.data?.data ?? BLANK));
  const value = (name) => (draft && name in draft.fields ? draft.fields[name] : before()[name]);
  const edited = () => draft !== null;
  const allowed = () => may("operator");
  const known = () => check.data !== null && checked === value("formula") && !check.loading;
  /** Whether the text at hand is known to have no errors, so that it is worth computing. */
  const valid = () => known() && check.data.validity !== "invalid" && !check.error;
  const words = new FormulaWords(() => value("kinds"));
  const preview = new Preview({ id, value, stored: () => before().formula, storedValid: () => before().validity !== "invalid", valid, known, kinds });
  const explanation = new Explanation({ value, valid, preview });
  const effects = new Effects({ id, value, stored: () => stored.data?.data, valid, uses });

  const side = () => param("side", isNew ? "details" : "explain");
  const showSide = (name) => amend({ side: name === side() && name !== "explain" ? null : name }, { replace: true });

  const checkSoon = settled(() => {
    check.want(value("formula"), value("kinds"));
    checked = value("formula");
    preview.want();
    redraw();
  }, 250);

  function set(name, next) {
    const fields = { ...draft?.fields, [name]: next };
    if (same(next, before()[name])) delete fields[name];
    draft = Object.keys(fields).length ? { etag: draft?.etag ?? stored.data?.etag ?? null, since: Date.now(), fields } : null;
    keep(memory, draft);
    error = null;
    if (name === "formula" || name === "kinds") checkSoon();
    redraw();
  }

  function discard() {
    const gone = draft;
    draft = null;
    theirs = null;
    error = null;
    keep(memory, null);
    checkSoon();
    redraw();
    if (gone) notice("Your changes are gone", { seconds: 10, undo: () => { draft = gone; keep(memory, draft); checkSoon(); } });
  }

  function update() {
    if (id) {
      stored.want(lastTick());
      uses.want(lastTick());
    }
    kinds.want(lastTick());
    if (side() === "history" && id) history.want(stored.data?.data.version ?? 0);
    arrived();
  }

  /** What waits for the stored super metric; called again by `view`. */
  function arrived() {
    if (!isNew && !stored.data) return;
    const typed = draft !== null && "formula" in draft.fields;
    if (checked === null || (!typed && checked !== value("formula"))) {
      checked = value("formula");
      check.want(value("formula"), value("kinds"));
    }
    preview.want();
    explanation.want();
    effects.want();
    if (side() === "history" && id) history.want(stored.data.data.version);
  }

  const body = () => Object.fromEntries(FIELDS.map((name) => [name, value(name)]));

  async function create() {
    const { policy, ...rest } = { ...body(), policy: value("policy") };
    const { data, etag } = await exchange("POST", "/super-metrics", { body: { ...rest, enabled: policy.enabled } });
    if (policy.rules.length) await exchange("PUT", `/super-metrics/${data.id}/policy`, { body: policy, etag });
    keep(memory, null);
    draft = null;
    notice(`${data.name} is stored; its first values come with the next tick`);
    go(`/super-metrics/${data.id}`);
  }

  async function change(etag) {
    let saved = { data: before(), etag };
    if (Object.keys(draft.fields).some((name) => name !== "policy")) saved = await exchange("PUT", `/super-metrics/${id}`, { body: body(), etag });
    // Of two saves the first may be the only one that works: what is in force then is known, and a second try goes on from there.
    stored.data = saved;
    draft = { ...draft, etag: saved.etag };
    if ("policy" in draft.fields) saved = await exchange("PUT", `/super-metrics/${id}/policy`, { body: draft.fields.policy, etag: saved.etag });
    stored.data = saved;
    draft = null;
    theirs = null;
    keep(memory, null);
    closeLayer();
    notice(saved.data.validity === "invalid" ? "Saved; its formula has errors, so nothing is computed" : "Saved; the next tick computes it");
    checkSoon();
    preview.again();
  }

  async function save() {
    if (!allowed() || busy || (!edited() && !isNew)) return;
    busy = true;
    error = null;
    redraw();
    try {
      if (isNew) await create();
      else await change(draft.etag ?? stored.data.etag);
    } catch (failed) {
      if (failed instanceof Problem && failed.status === 412) {
        theirs = await exchange("GET", `/super-metrics/${id}`).catch(() => null);
        if (theirs) stored.data = theirs;
        if (theirs) showLayer("dialog", conflict, { label: "Both versions" });
        else error = failed;
      } else {
        error = failed;
        if (failed.errors?.length) amend({ side: "details" }, { replace: true });
      }
    }
    busy = false;
    redraw();
  }

  function takeTheirs() {
    theirs = null;
    draft = null;
    keep(memory, null);
    closeLayer();
    checkSoon();
  }

  function shown(name, v) {
    if (name === "formula") return html`<pre class="formula">${coloured(v ?? "")}</pre>`;
    if (name === "kinds") return v.map((k) => k.objectKind).join(", ") || "none";
    if (name === "policy") return `${v.enabled ? "enabled" : "disabled"}${v.rules.length ? `, ${plural(v.rules.length, "rule")}` : ""}`;
    return Array.isArray(v) ? v.join(", ") : `${v ?? ""}` || "none";
  }

  function conflict() {
    if (!theirs || !draft) return nothing;
    const differing = Object.keys(draft.fields).filter((name) => !same(theirs.data[name], value(name)));
    return html`<h2 class="title">Somebody else saved this since you read it</h2>
      <p class="i2">${theirs.data.updatedBy} saved at ${moment(Date.parse(theirs.data.updatedAt))}. Nothing of yours is lost; what you did not touch is as they saved it.</p>
      <div class="both"><table class="versions"><colgroup><col class="w-kind" /><col /><col /></colgroup><thead><tr><td></td><th>Theirs, in force</th><th>Yours</th></tr></thead><tbody>
        ${differing.map((name) => html`<tr><td>${LABELS[name]}</td><td class="whole-text">${shown(name, theirs.data[name])}</td><td class="whole-text differs">${shown(name, value(name))}</td></tr>`)}</tbody></table></div>
      <div class="row"><button class="ctl" @click=${takeTheirs}>Take theirs</button><button class="ctl primary" ?disabled=${busy} @click=${() => change(theirs.etag).catch((e) => ((error = e), closeLayer(), redraw()))}>Save mine over it</button><span class="sp"></span><button class="ctl" @click=${closeLayer}>Back to the editor</button></div>`;
  }

  function removeSoon() {
    leaving = true;
    const { etag, data } = stored.data;
    soon(
      `${data.name} is deleted in 10 s. Stored values stay until retention drops them.`,
      async () => {
        try {
          await exchange("DELETE", `/super-metrics/${id}`, { etag });
          keep(memory, null);
        } catch (failed) {
          notice(`Not deleted: ${failed.message}`, { seconds: 8 });
        }
        leaving = false;
      },
      () => {
        leaving = false;
        redraw();
      },
    );
    go("/super-metrics");
  }

  async function restore(version) {
    try {
      stored.data = await exchange("POST", `/super-metrics/${id}/history/${version}/restore`, { etag: stored.data.etag });
      draft = null;
      keep(memory, null);
      notice(`Version ${version} is in force again`);
      checkSoon();
      preview.again();
      update();
    } catch (failed) {
      notice(`Not restored: ${failed.message}`, { seconds: 8 });
    }
    redraw();
  }

  const field = () => document.querySelector("formula-editor");
  const format = () => check.data?.formatted && !stale() && field().replace(check.data.formatted);
  const stale = () => checked !== value("formula") || check.loading;

  function headStrip() {
    const sm = before();
    const assigned = value("kinds");
    const objects = preview.total;
    const e = sm.evaluation;
    const [words, why] = isNew ? ["not stored yet", ""] : e ? stateText(sm) : ["-", ""];
    const readers = uses.data?.usedBy ?? [];
    const cell = (label, what, name, hint) => html`<button class="cell" title=${hint ?? nothing} @click=${() => { amend({ side: name }, { replace: true }); }}><span class="m">${label}</span><span class="cut">${what}</span></button>`;
    return html`<div class="head-strip">
      ${cell("Unit", unitWord(value("unitId")) || "none", "details")}
      ${cell("Assigned to", assigned.length ? html`${assigned.map((k) => k.objectKind).join(", ")}${objects === null ? nothing : `, ${count(objects)}`}` : "no object kind", "details")}
      ${cell("Computed now", isNew ? words : html`<span class="row">${sm.state === "computing" && !why ? nothing : shape(stateOf(sm), 11)}<span class="cut">${words}</span></span>`, "details", why)}
      ${cell("Cost per tick", e?.tick ? millis(e.millis) : "-", "details", `Computed every ${value("intervalSeconds")} s`)}
      <a class="cell" href="#used-by" @click=${(ev) => { ev.preventDefault(); document.getElementById("used-by")?.scrollIntoView({ block: "center" }); }}><span class="m">Used by</span><span class="cut ${readers.length ? "acc" : ""}">${isNew ? "-" : uses.data ? usersText(readers) : "-"}</span></a>
    </div>`;
  }

  function statusLine() {
    const issues = check.data?.issues ?? [];
    const wrong = issues.filter((i) => i.severity === "error").length;
    const odd = issues.length - wrong;
    const editor = field();
    const text = value("formula");
    const shownIssue = issues.length ? (editor?.shownIssue ?? issues[0]) : null;
    const message = shownIssue ? html`<span class="m cut" title=${shownIssue.message}>line ${shownIssue.line}: ${shownIssue.message}${shownIssue.hint ? `; ${shownIssue.hint}` : ""}</span>` : nothing;
    let said;
    if (!text.trim()) said = html`<span class="m">Write a formula, or press <kbd>Ctrl Space</kbd> for what it can hold.</span>`;
    else if (check.error && !check.loading) said = html`<span class="warn">Not checked: ${check.error.message}</span>`;
    else if (!check.data) said = html`<span class="m">Checking\u2026</span>`;
    else if (wrong) said = html`${shape("critical", 12, "error")}<span class="nw">${plural(wrong, "error")}${odd ? `, ${plural(odd, "remark")}` : ""}</span>${message}`;
    else if (odd) said = html`${shape("warning", 12)}<span class="nw">Valid${check.data.validity === "no-data-here" ? ", no data here" : ""}. ${plural(odd, "remark")}</span>${message}`;
    else said = html`<svg width="12" height="12" aria-hidden="true"><path d="M2 6.5L5 9.5L10.5 3" fill="none" stroke="var(--added)" stroke-width="1.8" /></svg><span class="cut">Valid. ${dependsOn(check.data)}</span>`;
    return html`<div class="status-line" role="status" id="formula-issue">${said}
      ${issues.length ? html`${issues.length > 1 ? html`<button class="icon" aria-label="Issue before" title="Issue before" @click=${() => (editor.step(-1), redraw())}>${icon("left", 13)}</button><button class="icon" aria-label="Next issue" title="Next issue" @click=${() => (editor.step(1), redraw())}>${icon("right", 13)}</button>` : nothing}
        ${editor?.fix && allowed() ? html`<button class="link nw" @click=${() => editor.mend()}>Use ${editor.fix} <kbd>Alt Enter</kbd></button>` : nothing}` : nothing}
      <span class="sp"></span>
      ${allowed() ? html`<button class="link quiet nw" ?disabled=${!check.data?.formatted || stale() || check.data.formatted === text} @click=${format}>Format</button>` : nothing}
      <a class="link quiet nw" href=${helpAddress("formula-language")}>Formula language</a><span class="m nw keys-said" ?hidden=${issues.length > 0}>Complete <kbd>Ctrl Space</kbd>&ensp;Explain at the caret <kbd>Alt E</kbd></span></div>`;
  }

  function dependsOn({ reads, cycle }) {
    if (cycle.length) return html`In a circle with ${names(cycle.filter((c) => c.id !== id))}: they see one another's last values.`;
    return reads.length > 3 ? `Reads ${plural(reads.length, "super metric")}.` : reads.length ? html`Reads ${names(reads)}.` : "Depends on no other super metric.";
  }
  const names = (refs) => refs.map((r, i) => html`${i ? ", " : ""}${r.name ? html`<a class="acc" href=${href(`/super-metrics/${r.id}`)}>${r.name}</a>` : html`<code>${r.id}</code>, which is not here`}`);

  function usedBy() {
    if (isNew) return nothing;
    const reads = check.data?.reads ?? [];
    return html`${effects.view()}
      ${reads.length ? html`<div class="ph inner"><h2>What it reads</h2><span class="m">${plural(reads.length, "super metric")}</span></div>
        <table><colgroup><col /><col /></colgroup><tbody>${reads.map((r) => html`<tr><td>${r.name ? html`<a class="acc" href=${href(`/super-metrics/${r.id}`)}>${r.name}</a>` : html`<span class="m">not stored here</span>`}</td><td class="m"><code>sm_${r.id}</code></td></tr>`)}</tbody></table>` : nothing}`;
  }

  const note = () => (draft && stored.data && draft.etag && draft.etag !== stored.data.etag ? html`<span class="warn nw">saved by ${before().updatedBy} meanwhile</span>` : nothing);

  function bar() {
    const operator = allowed();
    const needs = operator ? nothing : "Needs the role operator";
    const sm = before();
    return html`<div class="tb"><a class="m nw" href=${href("/super-metrics")}>Super metrics /</a><h1 class="cut" title=${value("name")}>${value("name") || (isNew ? "New super metric" : "\u00a0")}</h1>
      ${sm.pack ? chip(`pack ${sm.pack}`) : nothing}${edited() ? html`<span class="chip accent">edited</span>` : nothing}${value("policy").enabled ? nothing : chip("disabled")}${note()}
      <span class="sp"></span>
      ${edited() ? html`<button class="ctl ghost" @click=${discard}>Discard</button>` : nothing}
      ${["explain", "details", ...(isNew ? [] : ["history"])].map((name) => html`<button class="ctl ghost" aria-pressed=${side() === name} @click=${() => showSide(name)}>${{ explain: "Explanation", details: "Details", history: "History" }[name]}</button>`)}
      ${isNew || !sm.kinds?.length ? nothing : html`<a class="ctl ghost" href=${href("/thresholds/new", { metric: `Super Metric|sm_${id}`, adapterKind: sm.kinds[0].adapterKind, objectKind: sm.kinds[0].objectKind, name: sm.name })}>New threshold</a>`}
      ${isNew ? nothing : html`<a class="ctl ghost" href=${exportAddress([id], "json")} download>Export</a>
        <button class="ctl" ?disabled=${!operator || edited() || sm.validity === "invalid" || !stored.data} title=${edited() ? "Save first: history is computed with the stored formula" : needs} @click=${() => showBackfill(sm)}>Backfill\u2026</button>`}
      <button class="ctl primary" ?disabled=${!operator || busy || (!edited() && !isNew) || !value("name").trim()} title=${!operator ? needs : !value("name").trim() ? "It needs a name" : nothing} @click=${save}>Save <kbd>Ctrl S</kbd></button></div>`;
  }

  function sidePane() {
    if (side() === "details" && (isNew || stored.data)) return detailsPane({ value, set, error, kinds, allowed: allowed(), stored: isNew ? null : before(), remove: leaving ? null : removeSoon });
    if (side() === "history" && stored.data) return html`${historyPane({ history, current: before().version, allowed: allowed(), edited: edited(), restore })}${auditPane(before().id, before().version)}`;
    return explanation.view();
  }

  return {
    get title() {
      return value("name") || "Super metric";
    },
    name: "super-metric",
    update,
    leave() {
      preview.leave();
      explanation.leave();
      effects.leave();
    },
    escape: () => {
      const at = document.activeElement;
      if (at?.matches("input, textarea, select")) at.blur();
      else back("/super-metrics");
    },
    keys: () => ({
      "Ctrl S": [save, "Save"],
      "/": [() => field()?.focus(), "To the formula"],
      H: [() => !isNew && showSide("history"), "History"],
      B: [() => !isNew && allowed() && !edited() && showBackfill(before()), "Backfill"],
      Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    }),
    view() {
      if (!isNew && stored.error && !stored.data) return html`<div class="tb"><h1>No super metric to show</h1></div><section class="pane">${failure(stored.error, () => stored.again())}</section>`;
      const there = isNew || stored.data !== null;
      if (there) arrived();
      const issues = check.data && checked === value("formula") && !check.loading ? check.data.issues : (field()?.issues ?? []);
      return html`${bar()}
        <div class="cols">
          <div class="col">
            <section class="pane code-pane" aria-label="Formula">${headStrip()}
              <formula-editor label="Formula" .value=${there ? (value("formula") ?? "") : ""} .issues=${value("formula") ? issues : []} .mark=${explanation.mark} .words=${words} .locked=${!there || !allowed()}
                @edited=${(e) => set("formula", e.target.value)} @explain=${(e) => { if (side() !== "explain") amend({ side: null }, { replace: true }); explanation.at(e.detail); }}></formula-editor>
              ${statusLine()}
              ${error && !error.errors?.length ? failure(error, save) : nothing}</section>
            <section class="pane" aria-label="Preview">${preview.view({ subject: explanation.subject(), choose: (o) => amend({ of: o.id }, { replace: true }) })}${usedBy()}</section>
          </div>
          <aside class="side">${sidePane()}</aside>
        </div>`;
    },
  };
}
