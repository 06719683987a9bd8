// How one value came about: the formula as a tree, at the moment of the cursor, with the objects that each part
// matched.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count, NONE, number, plural, withUnit } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { isSuperMetric, superMetricName } from "../../core/super-names.js";
import { clock, date, duration, moment, range } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { cursor, follow } from "../../chart/cursor.js";
import { read } from "../../formula/tokens.js";
import { failure } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { unitWord } from "./words.js";

const NAMED = 3;
const OUTCOMES = {
  kept: "",
  default: "no value, defval stands in",
  "left-out": "left out by where",
  "no-value": "no value",
  "not-numeric": "not a number",
};
const USED = ["kept", "default"];

/**
 * All nodes with their parents before them, as `{ node, path, depth, lines, label, inner }`; plain numbers are in the
 * text of their parent, and what was not computed has no parts.
 */
export function flatten(tree, formula, depth = 0, lines = [], path = "0", out = []) {
  const shown = tree.taken === false ? [] : tree.children.filter((c) => !isPlain(c) && !isBare(c));
  out.push({ node: tree, path, depth, lines, label: labelOf(tree, formula), inner: shown.length });
  shown.forEach((child, i) =>
    flatten(
      child,
      formula,
      depth + 1,
      [...lines, i === shown.length - 1],
      `${path}.${tree.children.indexOf(child)}`,
      out,
    ),
  );
  return out;
}

/** A constant says nothing that the text of its parent does not say. */
const isPlain = (node) => !node.children.length && !node.matched && /^[-+]?[\d.]+(e[-+]?\d+)?$/i.test(node.text.trim());
/** The one entry of a looping function is told in the row of the function. */
const isBare = (node) =>
  Boolean(node.matched) && !node.children.length && node.value === null && node.several !== false;

/** What a node matched itself, or through the one entry in it. */
const matchedOf = (node) =>
  node.matched ?? (node.children.length === 1 && node.children[0].matched ? node.children[0].matched : null);

const slice = (node, formula) =>
  formula.slice(node.at.start, node.at.end).trim() ? formula.slice(node.at.start, node.at.end) : node.text;

/** `{ call, key }` for a function over an entry, else `{ text }` with the parts that have rows of their own as "…". */
function labelOf(node, formula) {
  const text = slice(node, formula);
  const matched = matchedOf(node);
  if (matched) {
    const { entries } = read(text);
    const key =
      entries[0]?.clauses.find((c) => c.name === "metric" || c.name === "attribute" || c.name === "property")?.value ??
      matched.key;
    const call = /^\s*([A-Za-z]\w*)\s*\(/.exec(text)?.[1] ?? "";
    const simple =
      entries.length === 1 &&
      (call
        ? new RegExp(`^\\s*${call}\\s*\\(\\s*\\$\\{[^]*\\}\\s*\\)\\s*$`).test(text)
        : /^\s*\$\{[^]*\}\s*$/.test(text));
    if (simple) return { call, key };
  }
  if (node.part === "array" && node.children.length > NAMED)
    return { text: `[${plural(node.children.length, "part")}]` };
  let out = "";
  let at = node.at.start;
  for (const child of node.children) {
    if (isPlain(child) || child.at.start < at || child.at.end > node.at.end) continue;
    out += `${formula.slice(at, child.at.start)}\u2026`;
    at = child.at.end;
  }
  out += formula.slice(at, node.at.end);
  if (!formula.slice(node.at.start, node.at.end).trim()) out = node.text;
  // The span of a part leaves out the brackets around it, so the text may keep one of a pair.
  if (out.split(")").length > out.split("(").length) out = out.replace(/\u2026[\s)]*\)/g, "\u2026");
  return {
    text: out
      .replace(/\s+/g, " ")
      .replace(/^\( (.*) \)$/, "$1")
      .replace(/(^|[^\w])\(\s*\u2026\s*\)?/g, "$1\u2026")
      .replace(/\(\s+/g, "(")
      .replace(/\s+\)/g, ")")
      .trim(),
  };
}

/** The part of a condition worth its place: `where … equals notInMaintenance`. */
function whereWords(condition) {
  const text = condition
    .replace(/^["\u201c\u201d]|["\u201c\u201d]$/g, "")
    .replace(/^\(\s*|\s*\)$/g, "")
    .trim();
  const m = /^(\S+)\s+(!?(?:equals|contains|startsWith|endsWith)\s.*)$/.exec(text);
  return m && m[1] !== "$value" ? `where \u2026 ${m[2]}` : `where ${text}`;
}

const levels = (depth) => (depth === 0 ? "itself" : `${plural(Math.abs(depth), "level")} ${depth > 0 ? "down" : "up"}`);
const kindsOf = (m) =>
  m.objectKind === "*" ? plural(m.objects, "object") : `${count(m.objects)} ${kindWord(m.objectKind, m.objects)}`;
const where = (m) => (m.objectName ? `named ${m.objectName}` : levels(m.depth));
/** When an item's newest sample was taken, told at a moment: "14:03:20, 40 s old". */
export function sampled(item, at) {
  const time = item.sampleTime;
  if (time === null || time === undefined) return "";
  const day = at - time < 86_400_000 ? "" : `${date(time)} `;
  return `${day}${clock(time, true)}, ${duration(at - time)} old`;
}

const left = (m, outcome) => m.items.filter((i) => i.outcome === outcome);

const all = (tree) => [tree, ...tree.children.flatMap(all)];

/** What an edit changes for one object, from the explanations of both formulas; "" when the values alone say it. */
export function differences(was, is, wasFormula, isFormula) {
  if (is.value === null && was.value !== null) return is.reason ?? "no value any more";
  if (was.value === null && is.value !== null) return "has a value now";
  const used = (explanation) => {
    const sets = new Map();
    for (const node of all(explanation.tree)) {
      if (!node.matched) continue;
      for (const i of node.matched.items)
        if (USED.includes(i.outcome)) sets.set(i.object.name, (sets.get(i.object.name) ?? 0) + 1);
    }
    return sets;
  };
  const cut = (explanation) => all(explanation.tree).some((n) => n.matched?.truncated);
  const [before, after] = [used(was), used(is)];
  const fewer = [...before].filter(([name, n]) => (after.get(name) ?? 0) < n).map(([name]) => name);
  const more = [...after].filter(([name, n]) => (before.get(name) ?? 0) < n).map(([name]) => name);
  const some = (names) =>
    `${names.slice(0, NAMED).join(", ")}${names.length > NAMED ? ` and ${names.length - NAMED} more` : ""}`;
  if (!cut(was) && !cut(is) && (fewer.length || more.length) && wasFormula !== isFormula) {
    const why = all(is.tree)
      .flatMap((n) => n.matched?.items ?? [])
      .find((i) => fewer.includes(i.object.name) && i.outcome === "left-out");
    return [
      fewer.length
        ? `${some(fewer)} ${fewer.length === 1 ? "no longer counts" : "no longer count"}${why ? ", left out by where" : ""}`
        : "",
      more.length ? `${some(more)} ${more.length === 1 ? "counts" : "count"} now` : "",
    ]
      .filter(Boolean)
      .join("; ");
  }
  return "the same values, computed otherwise";
}

// Longer trees come folded, from this depth on.
const WHOLE = 24;
const FOLDED_FROM = 2;

export class Explanation {
  #folds = new Map();
  #at = null;
  #path = null;
  #formula = null;
  #showing = null;

  constructor({ value, valid, preview }) {
    this.value = value;
    this.valid = valid;
    this.preview = preview;
    this.load = new Load(async (formula, object, at, signal) => {
      const answer = await post("/super-metrics/preview", { formula, objects: [object], at: String(at) }, signal);
      return { formula, explanation: answer.explanations[0] ?? null };
    });
    const settle = settled(() => {
      this.#at = cursor.at;
      this.want();
      redraw();
    }, 120);
    this.#unfollow = follow(settle);
  }

  #unfollow;

  leave() {
    this.#unfollow();
  }

  /** The object that is explained: the one in the address, else the first of the preview. */
  subject() {
    const { list } = this.preview;
    return list.find((o) => o.id === param("of")) ?? this.preview.first;
  }

  get #moment() {
    const { from, to } = range();
    const at = this.#at ?? cursor.at;
    if (at !== null && at >= from && at <= to) return Math.round(at / 1000) * 1000;
    return this.preview.moment ?? Math.floor(to / 1000) * 1000;
  }

  want() {
    const object = this.subject();
    const formula = this.value("formula");
    if (!object || !formula?.trim() || !this.valid() || (this.preview.now.data === null && this.preview.now.loading))
      return;
    // While it is typed, the preview decides when the text is worth computing.
    if (this.preview.now.loading && formula !== this.#formula) return;
    this.#formula = formula;
    this.load.want(formula, object.id, this.#moment);
  }

  /** The rows of the tree and the chosen one; null while there is none for the text at hand. */
  get #rows() {
    const { data } = this.load;
    if (!data?.explanation) return null;
    const key = data.explanation;
    if (this.#showing?.key !== key) this.#showing = { key, rows: flatten(key.tree, data.formula) };
    return this.#showing.rows;
  }

  #isFolded(row, rows) {
    return row.inner > 0 && (this.#folds.get(row.path) ?? (rows.length > WHOLE && row.depth >= FOLDED_FROM));
  }

  /** The rows that no folded one above them hides. */
  #unfolded(rows) {
    const hidden = rows.filter((r) => this.#isFolded(r, rows)).map((r) => `${r.path}.`);
    return hidden.length ? rows.filter((r) => !hidden.some((h) => r.path.startsWith(h))) : rows;
  }

  #fold(row, rows) {
    this.#folds.set(row.path, !this.#isFolded(row, rows));
    redraw();
  }

  get #chosen() {
    const rows = this.#rows ?? [];
    const own = rows.find((r) => r.path === this.#path);
    if (own) return own;
    const matching = rows.filter((r) => matchedOf(r.node));
    return matching.find((r) => left(matchedOf(r.node), "left-out").length) ?? matching[0] ?? null;
  }

  /** The part of the text that a click on a node marked. */
  get mark() {
    if (!this.#path || this.load.data?.formula !== this.value("formula")) return null;
    const node = this.#chosen?.node;
    return node && this.#chosen.path === this.#path ? node.at : null;
  }

  #choose(row) {
    this.#path = this.#path === row.path ? null : row.path;
    redraw();
  }

  /** Chooses the deepest part that holds the offset. */
  at(offset) {
    const rows = this.#rows ?? [];
    const holding = rows.filter((r) => r.node.at.start <= offset && offset <= r.node.at.end);
    const best = holding.sort((a, b) => a.node.at.end - a.node.at.start - (b.node.at.end - b.node.at.start))[0];
    if (best) {
      this.#path = best.path;
      for (const r of rows) if (best.path.startsWith(`${r.path}.`)) this.#folds.set(r.path, false);
    }
    redraw();
  }

  view() {
    const object = this.subject();
    const { load } = this;
    const at = load.data?.explanation ? Date.parse(load.data.explanation.at) : this.#moment;
    const list = this.preview.list;
    return html`<section class="pane explain" aria-label="Explanation">
      <div class="ph">
        <h2>Explanation</h2>
        ${object
          ? html`<select
                class="field low"
                aria-label="Explained object"
                @change=${(e) => amend({ of: e.target.value }, { replace: true })}
              >
                ${list.map((o) => html`<option value=${o.id} ?selected=${o.id === object.id}>${o.name}</option>`)}
              </select>
              <span class="chip" title=${moment(at, true)}
                >${range().to - range().from > 86_400_000 ? moment(at) : clock(at, true)}</span
              >`
          : nothing}
        <span class="sp"></span>
        <span class="m cut">${cursor.pinned ? "pinned" : "follows the cursor"}</span>
      </div>
      ${this.#body(object)}
    </section>`;
  }

  #body(object) {
    const { load } = this;
    if (!this.value("kinds").length && !object)
      return html`<div class="empty">The explanation comes with an object kind.</div>`;
    if (!this.value("formula")?.trim())
      return html`<div class="empty">Each part of the formula, with its value, stands here.</div>`;
    if (load.error && !load.loading && !load.data)
      return load.error.status === 400
        ? html`<div class="empty">${load.error.message}</div>`
        : failure(load.error, () => load.again());
    const rows = this.#rows;
    if (!rows && this.preview.invalid())
      return html`<div class="empty">The explanation comes when the formula has no errors.</div>`;
    if (!rows)
      return html`<div class="outlines" aria-busy="true">
        ${load.waited > 150 ? Array.from({ length: 8 }, () => html`<span></span>`) : nothing}
      </div>`;
    const old = load.data.formula !== this.value("formula");
    const chosen = this.#chosen;
    return html`<div class=${old ? "dimmed" : "fresh"}>
      <ul class="why-tree" role="tree" aria-label="Parts of the formula">
        ${repeat(
          this.#unfolded(rows),
          (r) => r.path,
          (r) => this.#row(r, chosen, rows),
        )}
      </ul>
      ${chosen && matchedOf(chosen.node) ? this.#matches(chosen) : nothing} ${this.#skipped(rows)}
    </div>`;
  }

  #row(row, chosen, rows) {
    const { node, depth, lines, label } = row;
    const folded = this.#isFolded(row, rows);
    const unit = depth === 0 ? unitWord(this.value("unitId")) : "";
    const value =
      node.taken === false
        ? html`<span class="m" title="The other branch decides">not needed</span>`
        : node.value === null && !node.reason && node.several
          ? html`<span class="m">${plural(node.values, "value")}</span>`
          : node.value === null
            ? html`<span class="m" title=${node.reason ?? ""}>${node.reason ?? NONE}</span>`
            : depth === 0
              ? withUnit(node.value, unit)
              : number(node.value);
    const text =
      label.key !== undefined
        ? html`${label.call ? html`<span class="mono fn">${label.call}</span> of ` : nothing}<span class="ky"
              >${isSuperMetric(label.key) ? (superMetricName(label.key) ?? label.key) : label.key}</span
            >`
        : html`<span class="mono">${label.text}</span>`;
    const m = matchedOf(node);
    const on = chosen?.path === row.path;
    return html`<li
      role="treeitem"
      aria-level=${depth + 1}
      aria-selected=${this.#path === row.path}
      aria-expanded=${row.inner ? !folded : nothing}
    >
      <button
        class="node ${on ? "on" : ""} ${depth === 0 ? "root" : ""}"
        title="Mark it in the formula; arrow keys fold and unfold"
        @click=${(e) => (e.target.closest(".twist") ? this.#fold(row, rows) : this.#choose(row))}
        @keydown=${(e) => this.#walk(e, row, rows, folded)}
      >
        ${lines.map(
          (last, i) => html`<i class="${i === lines.length - 1 ? (last ? "end" : "tee") : last ? "" : "line"}"></i>`,
        )}${row.inner && rows.length > WHOLE
          ? html`<span class="twist">${icon(folded ? "right" : "down", 12)}</span>`
          : nothing}<span class="cut">${text}</span><span class="v">${value}</span>
      </button>
      ${m && node.taken !== false ? this.#detail(m, lines) : nothing}
    </li>`;
  }

  #walk(event, row, rows, folded) {
    if (row.inner && event.key === (folded ? "ArrowRight" : "ArrowLeft")) {
      event.preventDefault();
      this.#fold(row, rows);
      return;
    }
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const nodes = [...event.currentTarget.closest("ul").querySelectorAll("button.node")];
    nodes[nodes.indexOf(event.currentTarget) + by]?.focus();
  }

  /** Below a part that reads objects: how many, which condition, who was left out. */
  #detail(m, lines) {
    const pad = html`${lines.map((last) => html`<i class=${last ? "" : "line"}></i>`)}<i class="end"></i>`;
    const condition = m.where ?? "";
    const out = left(m, "left-out");
    const silent = left(m, "no-value");
    const line = (what, end, cls = "") =>
      html`<div class="detail ${cls}">${pad}<span class="cut">${what}</span><span class="v">${end}</span></div>`;
    const names = (items) =>
      html`${items.slice(0, NAMED).map((i, n) => html`${n ? ", " : ""}<b>${i.object.name}</b>`)}${items.length > NAMED
        ? ` and ${items.length - NAMED} more`
        : ""}`;
    const more = (items, n) =>
      html`${names(items)}${n > Math.max(items.length, 0) && items.length <= NAMED
        ? ` and ${n - items.length} more`
        : ""}`;
    const missing = m.candidates - m.withValue;
    return html`${m.depth !== 0 || m.objectName || m.candidates !== 1
      ? line(`${kindsOf(m)}, ${where(m)}`, condition ? "" : `${count(m.kept)} of ${count(m.candidates)}`)
      : nothing}
    ${condition
      ? line(
          html`<span class="st mono" title=${condition}>${whereWords(condition)}</span>`,
          `${count(m.kept)} of ${count(m.withValue)}`,
        )
      : nothing}
    ${m.leftOut && out.length && m.depth !== 0
      ? line(
          html`left out: ${more(out, m.leftOut)}`,
          m.leftOut === 1 && out[0].value !== null ? number(out[0].value) : "",
        )
      : nothing}
    ${missing > 0 && m.depth !== 0
      ? line(silent.length ? html`no value: ${more(silent, missing)}` : `${count(missing)} without a value`, "")
      : nothing}`;
  }

  #matches({ node }) {
    const m = matchedOf(node);
    const at = Date.parse(this.load.data.explanation.at);
    const formula = this.load.data.formula;
    const line = formula.slice(0, node.at.start).split("\n").length;
    const order = ["kept", "default", "no-value", "not-numeric", "left-out"];
    const items = m.items.toSorted(
      (a, b) =>
        order.indexOf(a.outcome) - order.indexOf(b.outcome) ||
        a.object.name.localeCompare(b.object.name) ||
        a.key.localeCompare(b.key),
    );
    const severalKeys = new Set(m.items.map((i) => i.key)).size > 1;
    const row = (i) => {
      const kept = USED.includes(i.outcome);
      const asked = Object.entries(i.asked ?? {});
      const seen = asked.map(([, text]) => text || "nothing").join(", ");
      const said = [
        i.outcome === "left-out" && seen ? `left out: ${seen}` : OUTCOMES[i.outcome],
        kept ? seen : "",
        i.fresh === false ? "not fresh" : "",
        sampled(i, at),
      ]
        .filter(Boolean)
        .join(", ");
      const hint = asked.map(([key, text]) => `${key}: ${text || "no value"}`).join("\n");
      return html`<tr class=${kept ? "" : "quiet"}>
        <td>${shape(kept ? "alike" : "unknown", 11, kept ? "" : OUTCOMES[i.outcome])}</td>
        <td title=${severalKeys ? `${i.object.name} ${i.key}` : i.object.name}>
          <a href=${href(`/objects/${i.object.id}`)}>${kept ? i.object.name : html`<s>${i.object.name}</s>`}</a
          >${severalKeys ? html` <span class="m">${i.key}</span>` : nothing}
        </td>
        <td class="r" title=${i.text ?? ""}>${i.value !== null ? number(i.value) : (i.text ?? NONE)}</td>
        <td class="m" title=${[said, hint].filter(Boolean).join("\n")}>${said}</td>
      </tr>`;
    };
    return html`<div class="matches">
      <div class="ph inner">
        <h2>${this.#path ? "Matched by the marked part" : `Matched by line ${line}`}</h2>
        <span class="m cut">${kindsOf(m)}, ${where(m)}, ${count(m.kept)} of ${count(m.candidates)} used</span>
      </div>
      ${items.length
        ? html`<table>
            <colgroup>
              <col class="w-state" />
              <col />
              <col class="w-num" />
              <col class="w-said" />
            </colgroup>
            <tbody>
              ${items.map(row)}
            </tbody>
          </table>`
        : html`<div class="empty">It matched nothing.</div>`}
      ${m.truncated ? html`<div class="pad m s12">and ${count(m.truncated)} more</div>` : nothing}
    </div>`;
  }

  /** The sentence at the foot: what all parts together passed over. */
  #skipped(rows) {
    const { explanation } = this.load.data;
    const ms = rows.map((r) => matchedOf(r.node)).filter(Boolean);
    const sum = (of) => ms.reduce((n, m) => n + of(m), 0);
    const counts = {
      "left-out": sum((m) => m.leftOut),
      "no-value": sum((m) => m.candidates - m.withValue),
      "not-numeric": sum((m) => m.notNumeric),
    };
    if (explanation.value === null) return html`<p class="skipped"><b>No value.</b> ${explanation.reason}</p>`;
    if (!ms.length) return nothing;
    const nothingElse = !counts["no-value"] && !counts["not-numeric"];
    const said = [
      `${count(counts["no-value"])} without a value`,
      counts["not-numeric"] ? plural(counts["not-numeric"], "text") + " in place of a number" : "",
      counts["left-out"] ? html`${count(counts["left-out"])} left out by <span class="st mono">where</span>` : "",
    ].filter(Boolean);
    return html`<p class="skipped">
      <b
        >${nothingElse
          ? counts["left-out"]
            ? "Nothing else was skipped."
            : "Nothing was skipped."
          : "Something was skipped."}</b
      >
      ${said.map((s, i) => html`${i ? ", " : ""}${s}`)}. What has no value is passed over, never counted as 0.
    </p>`;
  }
}
