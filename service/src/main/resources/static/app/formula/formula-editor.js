// <formula-editor>: a text field over its own coloured copy, with completion. Set `value`, `issues`, `mark`, `words`, `locked`; it sends
// "edited" after every change and "explain" with the place of the caret (Alt E).
import { html, nothing, render } from "../core/html.js";
import { shape } from "../parts/shapes.js";
import { contextAt } from "./context.js";
import { brackets, read } from "./tokens.js";

/** What is written in it: `read(text)` gives `{ tokens }`, each with kind, start and end, `brackets` the pair at the caret, `contextAt` what could stand there. */
const FORMULA = { read, brackets, contextAt };

const CLASS = { fn: "fn", key: "ky", str: "st", num: "nu", op: "op" };
const EXCERPT = 100;

const fixOf = (issue) => /did you mean ["'`]?(.+?)["'`]?\s*\?\s*$/.exec(issue?.hint ?? "")?.[1] ?? null;

/** Also for other languages than that of formulas: see `language`. */
class FormulaEditor extends HTMLElement {
  #value = "";
  #issues = [];
  #mark = null;
  #read = read("");
  #shown = 0;
  #popup = null;
  #asked = 0;
  #places = [];
  #language = FORMULA;
  /** What completion asks, such as the `FormulaWords`. */
  words = null;

  connectedCallback() {
    if (this.firstChild) return;
    this.area = document.createElement("textarea");
    Object.assign(this.area, { spellcheck: false, autocomplete: "off", rows: 1, value: this.#value });
    for (const [name, value] of Object.entries({ "aria-label": this.getAttribute("label") ?? "Formula", autocapitalize: "off", wrap: "soft", "aria-autocomplete": "list", "aria-describedby": "formula-issue" })) this.area.setAttribute(name, value);
    this.layer = document.createElement("div");
    this.layer.className = "code-layer";
    this.layer.setAttribute("aria-hidden", "true");
    this.below = document.createElement("div");
    this.below.className = "code-caret";
    this.pop = document.createElement("div");
    this.sheet = document.createElement("div");
    this.sheet.className = "code-sheet";
    this.sheet.append(this.layer, this.area);
    this.scroller = document.createElement("div");
    this.scroller.className = "code-scroll";
    this.scroller.append(this.sheet, this.below);
    this.append(this.scroller, this.pop);
    this.area.readOnly = this.hasAttribute("locked");
    this.area.addEventListener("input", (e) => this.#typed(e));
    this.area.addEventListener("keydown", (e) => this.#key(e));
    this.area.addEventListener("blur", () => this.#close());
    this.area.addEventListener("pointerdown", () => this.#close());
    // Beside the text, too, a click means the text.
    this.scroller.addEventListener("mousedown", (e) => {
      if (e.target === this.area || e.offsetX > this.scroller.clientWidth) return;
      e.preventDefault();
      if (document.activeElement !== this.area) this.goTo(this.#value.length);
    });
    this.scroller.addEventListener("scroll", () => this.#close());
    document.addEventListener("selectionchange", this.#moved);
    this.#draw();
  }

  disconnectedCallback() {
    document.removeEventListener("selectionchange", this.#moved);
  }

  set value(text) {
    if (text === this.#value) return;
    this.#value = text;
    if (this.area) {
      this.area.value = text;
      this.#draw();
    }
  }

  get value() {
    return this.#value;
  }

  /** Another language than that of formulas. */
  set language(language) {
    if (language === this.#language) return;
    this.#language = language;
    if (this.area) this.#draw();
  }

  /** What is wrong, as the service says it; for another text than the one at hand it is kept back by the caller. */
  set issues(issues) {
    if (issues === this.#issues) return;
    this.#issues = issues;
    this.#shown = 0;
    if (this.area) this.#draw();
  }

  get issues() {
    return this.#issues;
  }

  /** A marked part, `{ start, end }`, or null. */
  set mark(mark) {
    if (mark?.start === this.#mark?.start && mark?.end === this.#mark?.end) return;
    this.#mark = mark;
    if (this.area) this.#draw();
  }

  /** Whether the text can be read, selected and copied, but not changed. */
  set locked(is) {
    this.toggleAttribute("locked", is);
    if (this.area) this.area.readOnly = is;
  }

  focus() {
    this.area.focus();
  }

  /** Puts the caret at `offset`. */
  goTo(offset, end = offset) {
    this.area.focus();
    this.area.setSelectionRange(offset, end);
  }

  get shownIssue() {
    return this.#issues[this.#shown] ?? null;
  }

  /** Shows the next issue (`by` 1) or the one before (-1) and puts the caret there. */
  step(by) {
    if (!this.#issues.length) return;
    this.#shown = (this.#shown + by + this.#issues.length) % this.#issues.length;
    this.#drawCaret();
    this.goTo(this.shownIssue.offset);
  }

  /** The name that would mend the shown issue, or null. */
  get fix() {
    return this.#mending()?.[0] ?? null;
  }

  /** `[name, from, to]`: what to write where; an issue of a whole entry names the word that is meant. */
  #mending() {
    const { shownIssue: issue } = this;
    const name = fixOf(issue);
    if (!name) return null;
    const part = this.#value.slice(issue.offset, issue.end);
    const meant = /"([^"]+)"/.exec(issue.message)?.[1];
    const at = meant ? part.indexOf(meant) : -1;
    if (at >= 0) return [name, issue.offset + at, issue.offset + at + meant.length];
    return /[{}(),]/.test(part) ? null : [name, issue.offset, issue.end];
  }

  mend() {
    const mending = this.#mending();
    if (!mending) return;
    this.goTo(mending[1], mending[2]);
    this.#insert(mending[0]);
  }

  /** Replaces the whole text as if it were typed, so that undo brings it back. */
  replace(text) {
    this.area.focus();
    this.area.select();
    this.#insert(text);
  }

  #insert(text) {
    if (this.area.readOnly) return;
    // The only way that keeps the undo of the browser.
    if (!document.execCommand("insertText", false, text)) {
      this.area.setRangeText(text, this.area.selectionStart, this.area.selectionEnd, "end");
      this.area.dispatchEvent(new Event("input"));
    }
  }

  #typed(event) {
    this.#value = this.area.value;
    this.#draw();
    this.dispatchEvent(new CustomEvent("edited"));
    const lists = event.inputType?.startsWith("insert") || this.#popup;
    if (lists) this.complete(false);
  }

  #moved = () => {
    if (document.activeElement !== this.area) return;
    this.#drawBrackets();
    if (this.#popup && (this.area.selectionStart < this.#popup.context.from || this.area.selectionStart > this.#popup.at + 1)) this.#close();
  };

  #key(event) {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
    if (ctrlKey && (key === " " || event.code === "Space")) {
      event.preventDefault();
      this.complete(true);
    } else if (altKey && event.code === "KeyE") {
      event.preventDefault();
      this.dispatchEvent(new CustomEvent("explain", { detail: this.area.selectionStart }));
    } else if (altKey && key === "Enter") {
      event.preventDefault();
      this.mend();
    } else if (this.#popup && !ctrlKey && !metaKey && !altKey && this.#popupKey(key, shiftKey)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (key === "Enter" && !ctrlKey && !metaKey && !altKey && !event.isComposing) {
      event.preventDefault();
      const { selectionStart, value } = this.area;
      const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
      this.#insert(`\n${/^[ \t]*/.exec(line)[0]}`);
      this.#close();
    } else if (key === "Escape") {
      event.preventDefault();
      event.stopPropagation();
      this.area.blur();
    }
  }

  #popupKey(key, shift) {
    const popup = this.#popup;
    const { items } = popup;
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[key];
    if (by) {
      const next = popup.on + by;
      popup.on = Math.abs(by) === 1 ? (next + items.length) % items.length : Math.max(0, Math.min(items.length - 1, next));
      this.#drawPopup();
    } else if (key === "Enter") this.#take(items[popup.on], false);
    else if (key === "Tab" && !shift) this.#take(items[popup.on], true);
    else if (key === "Escape") this.#close();
    else return false;
    return true;
  }

  /** Lists what could stand at the caret; unasked only where a list is of use. */
  async complete(asked) {
    const { selectionStart: at, selectionEnd: end } = this.area;
    const turn = ++this.#asked;
    const context = at === end && this.words && !this.area.readOnly ? this.#language.contextAt(this.#value, at) : null;
    if (!context || (!asked && context.kind === "expression" && !context.typed)) return this.#close();
    let found = null;
    try {
      found = await this.words.complete(context);
    } catch {
      found = null;
    }
    if (turn !== this.#asked || document.activeElement !== this.area) return;
    const only = found?.items.length === 1 && found.items[0].insert.trim() === context.typed;
    if (!found || (!found.items.length && !asked) || (only && !asked)) return this.#close();
    this.#popup = { ...found, context, at, on: 0 };
    this.#drawPopup();
  }

  #take(item, goOn) {
    const { context } = this.#popup;
    this.#close();
    const rest = this.#value.slice(context.to);
    let { insert, back = 0 } = item;
    // What stands there already is not written twice.
    if (item.call && /^\s*\(/.test(rest)) [insert, back] = [item.label, 0];
    else if (insert.endsWith("=") && /^\s*=/.test(rest)) insert = insert.slice(0, -1);
    const next = item.next ?? "";
    const there = next && rest.trimStart().startsWith(next.trim());
    if (goOn && next && !there) insert += next;
    this.area.setSelectionRange(context.from, context.to);
    this.#insert(insert);
    let caret = context.from + insert.length - back;
    if (goOn && there) caret += rest.indexOf(next.trim()) + next.trim().length;
    this.area.setSelectionRange(caret, caret);
    this.#asked++;
    if (item.again || (goOn && next.startsWith(","))) this.complete(true);
  }

  #close() {
    this.#asked++;
    if (!this.#popup) return;
    this.#popup = null;
    this.area.removeAttribute("aria-activedescendant");
    this.area.removeAttribute("aria-controls");
    render(nothing, this.pop);
  }

  #drawPopup() {
    const { items, title, unit, on, context } = this.#popup;
    const box = this.#rect(context.from) ?? this.#rect(Math.max(0, context.from - 1), true);
    const own = this.getBoundingClientRect();
    const width = Math.min(440, own.width - 16);
    const left = Math.max(8, Math.min((box?.left ?? own.left) - own.left - 32, own.width - width - 8));
    // Above the line where there is no room below it.
    const height = 52 + Math.min(items.length || 1, 8) * 26;
    const above = (box?.bottom ?? 0) + height > innerHeight && (box?.top ?? 0) > height;
    const top = above ? box.top - own.top - height - 3 : (box?.bottom ?? own.top) - own.top + 3;
    const words = context.typed.trim();
    render(
      html`<div class="code-pop" id="formula-options" role="listbox" aria-label=${title} .style=${`left:${left}px;top:${top}px;width:${width}px`} @mousedown=${(e) => e.preventDefault()}>
        <div class="o head"><span></span><span class="cut">${title}</span><span>${unit ?? ""}</span></div>
        <div class="options">${items.length ? items.map((item, i) => html`<div class="o ${i === on ? "on" : ""}" role="option" id=${`formula-option-${i}`} aria-selected=${i === on} @click=${() => this.#take(item, false)}>
          ${shape("alike", 12)}<span class="cut"><span class="mono">${bold(item.label, words)}</span>${item.note ? html`<span class="m note">${item.note}</span>` : nothing}</span><span class="m end">${item.end ?? ""}</span></div>`) : html`<div class="o"><span></span><span class="m">Nothing here is called so.</span></div>`}</div>
        <div class="o foot"><span></span><span class="nw"><kbd>Enter</kbd> take &nbsp;<kbd>Tab</kbd> take and go on &nbsp;<kbd>Esc</kbd> close</span><span></span></div>
      </div>`,
      this.pop,
    );
    this.area.setAttribute("aria-controls", "formula-options");
    this.area.setAttribute("aria-activedescendant", `formula-option-${on}`);
    this.pop.querySelector(".on")?.scrollIntoView({ block: "nearest" });
  }

  /** Where a character stands on the screen. */
  #rect(offset, after = false) {
    for (const [node, start] of this.#places) {
      if (offset < start || offset > start + node.length) continue;
      const range = document.createRange();
      range.setStart(node, Math.min(offset - start, node.length));
      range.setEnd(node, Math.min(offset - start + (after ? 1 : 0), node.length));
      const rects = range.getClientRects();
      if (rects.length) return after ? { left: rects[0].right, bottom: rects[0].bottom, top: rects[0].top } : rects[0];
    }
    return null;
  }

  #draw() {
    this.#read = this.#language.read(this.#value);
    this.#drawLayer();
    this.#drawCaret();
  }

  #pair = null;
  #drawBrackets() {
    const pair = document.activeElement === this.area ? this.#language.brackets(this.#value, this.#read.tokens, this.area.selectionStart) : null;
    if (pair?.join() === this.#pair?.join()) return;
    this.#pair = pair;
    this.#drawLayer();
  }

  #drawLayer() {
    const text = this.#value;
    if (this.area && document.activeElement === this.area) this.#pair = this.#language.brackets(text, this.#read.tokens, this.area.selectionStart);
    const colours = this.#read.tokens.filter((t) => CLASS[t.kind]);
    const spans = this.#issues.map((i) => [i.offset, Math.max(i.end, i.offset + 1), i.severity === "error" ? "wrong" : "odd"]);
    if (this.#mark) spans.push([this.#mark.start, this.#mark.end, "marked"]);
    for (const at of this.#pair ?? []) spans.push([at, at + 1, this.#pair.length === 2 ? "pair" : "alone"]);
    const edges = [...new Set([...colours.flatMap((t) => [t.start, t.end]), ...spans.flatMap(([from, to]) => [from, to])])].sort((a, b) => a - b);
    const lines = document.createDocumentFragment();
    this.#places = [];
    let start = 0;
    let edge = 0;
    let colour = 0;
    text.split("\n").forEach((line, i) => {
      const row = document.createElement("div");
      row.className = "cl";
      row.dataset.n = i + 1;
      const end = start + line.length;
      // Edges and colours come in order, so that a long formula is gone through once.
      for (let from = start; from < end; ) {
        while (edge < edges.length && edges[edge] <= from) edge++;
        while (colour < colours.length && colours[colour].end <= from) colour++;
        const to = Math.min(end, edges[edge] ?? end);
        const classes = spans.filter((s) => s[0] < to && s[1] > from).map((s) => s[2]);
        if (colours[colour]?.start <= from) classes.unshift(CLASS[colours[colour].kind]);
        row.append(this.#piece(text.slice(from, to), from, classes));
        from = to;
      }
      if (!line) row.append(this.#piece("\u200b", start, []));
      lines.append(row);
      start = end + 1;
    });
    this.layer.replaceChildren(lines);
  }

  #piece(text, at, classes) {
    const node = document.createTextNode(text);
    this.#places.push([node, at]);
    if (!classes.length) return node;
    const span = document.createElement("span");
    span.className = classes.join(" ");
    span.append(node);
    return span;
  }

  /** The caret line: right under the text when its last line is meant, else below the line repeated. */
  #drawCaret() {
    const issue = this.shownIssue;
    if (!issue) return render(nothing, this.below);
    const lines = this.#value.split("\n");
    const line = lines[issue.line - 1] ?? "";
    const rows = this.layer.querySelectorAll(".cl");
    const direct = issue.line === lines.length && (rows[issue.line - 1]?.offsetHeight ?? 0) < 30;
    const column = issue.column - 1;
    const cut = !direct && line.length > EXCERPT ? Math.max(0, Math.min(column - 30, line.length - EXCERPT)) : 0;
    const length = Math.max(1, Math.min(issue.end - issue.offset, line.length - column));
    const before = " ".repeat(column - cut + (cut ? 1 : 0));
    const level = issue.severity === "error" ? "crit" : "warn";
    render(
      html`${direct ? nothing : html`<div class="cl cut" data-n=${issue.line}>${cut ? "\u2026" : ""}${line.slice(cut, cut + EXCERPT)}</div>`}<div class="cl ${level}">${before}${"^".repeat(Math.min(length, EXCERPT))} <span class="issue-text">${issue.message}${issue.hint ? `; ${issue.hint}` : ""}</span></div>`,
      this.below,
    );
  }
}

function bold(label, typed) {
  const at = typed ? label.toLowerCase().indexOf(typed.toLowerCase()) : -1;
  return at < 0 ? label : html`${label.slice(0, at)}<b>${label.slice(at, at + typed.length)}</b>${label.slice(at + typed.length)}`;
}

/** A formula that is read, not written, in the colours of the editor. */
export function coloured(text) {
  const { tokens } = read(text);
  return tokens.map((t) => (CLASS[t.kind] ? html`<span class=${CLASS[t.kind]}>${text.slice(t.start, t.end)}</span>` : text.slice(t.start, t.end)));
}

customElements.define("formula-editor", FormulaEditor);
