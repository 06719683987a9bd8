// <code-editor>: the editor of formulas, conditions in CEL, templates and networks, made of CodeMirror. Set `language`,
// `value`, `issues`, `mark`, `words`, `locked`; it sends "edited" after every change by a person, "shown" when it shows
// another issue, and "explain" with the place of the caret (Alt E).
import {
  acceptCompletion,
  autocompletion,
  bracketMatching,
  Compartment,
  completionKeymap,
  completionStatus,
  Decoration,
  defaultKeymap,
  EditorState,
  EditorView,
  history,
  historyKeymap,
  indentOnInput,
  keymap,
  lineNumbers,
  lintKeymap,
  pickedCompletion,
  Prec,
  search,
  searchKeymap,
  setDiagnostics,
  showPanel,
  startCompletion,
  StateEffect,
  StateField,
  syntaxTree,
  tooltips,
} from "/webjars/codemirror/codemirror.js";
import { languageOf } from "./languages.js";
import { THEME } from "./theme.js";

/** For those who do not see that this is an editor; Tab is never kept, so that nobody is caught in it. */
const KEYS =
  "Control Space lists what can stand here. While a list is open, Tab takes what is chosen and Escape closes the list; " +
  "else Tab leaves the editor, and so does Escape. Control F finds and replaces.";

const PHRASES = {
  next: "Next",
  previous: "Previous",
  all: "Select all",
  "match case": "Match case",
  regexp: "Pattern",
  "by word": "Whole words",
  replace: "Replace",
  "replace all": "Replace all",
  Replace: "Replace with",
  close: "Close",
};

const markPart = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    const effect = change.effects.find((e) => e.is(markPart));
    if (!effect) return marks.map(change.changes);
    const [from, to] = within(change.state.doc.length, effect.value?.start ?? 0, effect.value?.end ?? 0);
    return from < to ? Decoration.set(MARK.range(from, to)) : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});
const MARK = Decoration.mark({ class: "cm-marked" });

const BRACKET = {
  true: Decoration.mark({ class: "cm-matchingBracket" }),
  false: Decoration.mark({ class: "cm-nonmatchingBracket" }),
};

/** The two brackets of a pair, or one without its other; none within a text in quotes, where they mean nothing. */
function renderMatch({ start, end, matched }, state) {
  if (syntaxTree(state).resolveInner(start.from, 1).name === "str") return [];
  return [start, end].filter(Boolean).map(({ from, to }) => BRACKET[matched].range(from, to));
}

const within = (length, from, to) => [Math.min(from, length), Math.min(to, length)];

/** The browser's selection that input replaces, of which the editor has not heard yet; null = there is none. */
function unheardSelection(event, view) {
  const [range] = event.getTargetRanges();
  if (!range || range.collapsed) return null;
  const { startContainer: start, endContainer: end } = range;
  if (!view.contentDOM.contains(start) || !view.contentDOM.contains(end)) return null;
  return { anchor: view.posAtDOM(start, range.startOffset), head: view.posAtDOM(end, range.endOffset) };
}

/** The name that a hint proposes, or null. */
const proposed = (issue) => /did you mean ["'`]?(.+?)["'`]?\s*\?\s*$/.exec(issue?.hint ?? "")?.[1] ?? null;
const wordsOf = ({ message, hint }) => `${message}${hint ? `; ${hint}` : ""}`;

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  made.textContent = text;
  return made;
}

function headOf({ title, unit }) {
  const head = element("li", "head", "");
  head.setAttribute("role", "presentation");
  head.append(element("span", "", title), element("span", "", unit ?? ""));
  return head;
}

class CodeEditor extends HTMLElement {
  #value = "";
  #issues = [];
  #mark = null;
  #shown = 0;
  #language = "yaml";
  #locked = false;
  #goOn = false;
  /** How to take from the list that is asked for, `{ goOn }`; null = nobody wants to. */
  #later = null;
  #changing = new Compartment();
  #line = element("div", "cm-issue", "");
  #said = element("span", "", "");
  /** What completion asks: `contextAt(text, caret)` says what could stand there, `complete(context)` lists it. */
  words = null;

  constructor() {
    super();
    this.attachShadow({ mode: "open" });
    this.#said.id = "issue";
    this.#said.setAttribute("role", "status");
    const keys = element("span", "", KEYS);
    keys.id = "keys";
    keys.hidden = true;
    this.#line.append(this.#said, keys);
  }

  connectedCallback() {
    this.view = new EditorView({ state: this.#state(), parent: this.shadowRoot, root: this.shadowRoot });
    this.#drawIssues();
    this.#drawMark();
  }

  disconnectedCallback() {
    this.view.destroy();
    this.view = null;
  }

  #state() {
    return EditorState.create({
      doc: this.#value,
      extensions: [
        this.#keys(),
        lineNumbers(),
        history(),
        indentOnInput(),
        bracketMatching({ renderMatch }),
        search(),
        autocompletion({
          override: [(context) => this.#complete(context)],
          icons: false,
          interactionDelay: 0,
          addToOptions: [{ render: ({ end }) => element("span", "cm-completionEnd", end ?? ""), position: 90 }],
        }),
        tooltips({ position: "fixed" }),
        showPanel.of(() => ({ dom: this.#line })),
        marked,
        EditorView.lineWrapping,
        EditorView.updateListener.of((update) => this.#updated(update)),
        EditorView.domEventHandlers({
          // The pane around it takes files.
          drop: (event) => event.dataTransfer.files.length > 0,
          beforeinput: (event, view) => this.#overwrite(event, view),
        }),
        EditorState.phrases.of(PHRASES),
        this.#changing.of(this.#changeable()),
        THEME,
      ],
    });
  }

  #changeable() {
    return [
      languageOf(this.#language),
      EditorState.readOnly.of(this.#locked),
      EditorView.contentAttributes.of({
        "aria-label": this.getAttribute("label") ?? "Formula",
        "aria-describedby": "issue keys",
        spellcheck: "false",
        autocapitalize: "off",
        // What cannot be changed needs no keyboard on the screen.
        ...(this.#locked ? { inputmode: "none" } : {}),
      }),
    ];
  }

  #keys() {
    const explain = () =>
      this.dispatchEvent(new CustomEvent("explain", { detail: this.view.state.selection.main.head }));
    const leave = () => (this.view.contentDOM.blur(), true);
    return [
      Prec.highest(
        keymap.of([
          { key: "Tab", run: () => this.#takeAndGoOn() },
          { key: "Enter", run: () => this.#takeLater(false) },
          { key: "Alt-e", run: explain },
          { key: "Alt-Enter", run: () => (this.mend(), true) },
        ]),
      ),
      keymap.of([...completionKeymap, ...searchKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
      keymap.of([{ key: "Escape", run: leave }]),
    ];
  }

  #updated({ docChanged, state }) {
    if (this.#later) this.#takeIfListed(state, docChanged);
    if (!docChanged) return;
    this.#value = state.doc.toString();
    this.dispatchEvent(new CustomEvent("edited"));
  }

  /** Text over a selection: a browser gives it the style of what was there, inline, which the security policy forbids. */
  #overwrite(event, view) {
    const { selection, readOnly } = view.state;
    if (event.inputType !== "insertText" || event.data === null || readOnly || view.composing) return false;
    const unheard = selection.main.empty ? unheardSelection(event, view) : null;
    if (selection.main.empty && !unheard) return false;
    event.preventDefault();
    if (unheard) view.dispatch({ selection: unheard });
    view.dispatch(view.state.replaceSelection(event.data), { scrollIntoView: true, userEvent: "input.type" });
    return true;
  }

  get value() {
    return this.#value;
  }

  /** Another text than the one at hand begins anew, without what could be undone. */
  set value(text) {
    if (text === this.#value) return;
    this.#value = text;
    if (!this.view) return;
    this.view.setState(this.#state());
    this.#drawIssues();
    this.#drawMark();
  }

  /** "yaml", or what parts a text of another language: `read(text)` gives `{ tokens }`, each with kind, start and end. */
  set language(language) {
    if (language === this.#language) return;
    this.#language = language;
    this.#change();
  }

  /** Whether the text can be read, selected and copied, but not changed. */
  set locked(is) {
    if (is === this.#locked) return;
    this.#locked = is;
    this.#change();
  }

  #change() {
    this.view?.dispatch({ effects: this.#changing.reconfigure(this.#changeable()) });
  }

  /** What is wrong, as the service says it; for another text than the one at hand it is kept back by the caller. */
  set issues(issues) {
    if (issues === this.#issues) return;
    this.#issues = issues;
    this.#shown = 0;
    this.#drawIssues();
  }

  get issues() {
    return this.#issues;
  }

  /** A marked part, `{ start, end }`, or null. */
  set mark(mark) {
    if (mark?.start === this.#mark?.start && mark?.end === this.#mark?.end) return;
    this.#mark = mark;
    this.#drawMark();
  }

  #drawMark() {
    this.view?.dispatch({ effects: markPart.of(this.#mark) });
  }

  #drawIssues() {
    if (!this.view) return;
    const { state } = this.view;
    const found = this.#issues.map((issue) => {
      const [from, to] = within(state.doc.length, issue.offset, Math.max(issue.end, issue.offset + 1));
      return { from, to, severity: issue.severity === "error" ? "error" : "warning", message: wordsOf(issue) };
    });
    this.view.dispatch(setDiagnostics(state, found));
    this.#drawShown();
  }

  /** The line below the text says what is wrong, for those who do not point at it. */
  #drawShown() {
    const { shownIssue: issue } = this;
    const text = issue
      ? `${this.#issues.length > 1 || issue.line > 1 ? `Line ${issue.line}: ` : ""}${wordsOf(issue)}`
      : "";
    if (this.#said.textContent !== text) this.#said.textContent = text;
    this.#line.className = `cm-issue ${issue ? (issue.severity === "error" ? "error" : "warning") : ""}`;
    this.dispatchEvent(new CustomEvent("shown"));
  }

  focus() {
    this.view.focus();
  }

  blur() {
    this.view.contentDOM.blur();
  }

  /** Puts the caret at `offset`. */
  goTo(offset, end = offset) {
    const [anchor, head] = within(this.view.state.doc.length, offset, end);
    this.view.dispatch({ selection: { anchor, head }, scrollIntoView: true });
    this.view.focus();
  }

  get shownIssue() {
    return this.#issues[this.#shown] ?? null;
  }

  /** Shows the next issue (`by` 1) or the one before (-1) and puts the caret there. */
  step(by) {
    if (!this.#issues.length) return;
    this.#shown = (this.#shown + by + this.#issues.length) % this.#issues.length;
    this.#drawShown();
    this.goTo(this.shownIssue.offset);
  }

  /** The name that would mend the shown issue, or null. */
  get fix() {
    return this.#mending()?.[0] ?? null;
  }

  /** `[name, from, to]`: what to write where; an issue of a whole entry names the word that is meant. */
  #mending() {
    const { shownIssue: issue } = this;
    const name = proposed(issue);
    if (!name) return null;
    const part = this.#value.slice(issue.offset, issue.end);
    const meant = /"([^"]+)"/.exec(issue.message)?.[1];
    const at = meant ? part.indexOf(meant) : -1;
    if (at >= 0) return [name, issue.offset + at, issue.offset + at + meant.length];
    return /[{}(),]/.test(part) ? null : [name, issue.offset, issue.end];
  }

  mend() {
    const mending = this.#mending();
    if (mending) this.#write(...mending);
  }

  /** Replaces the whole text as if it were typed, so that undo brings it back. */
  replace(text) {
    this.#write(text, 0, this.view.state.doc.length);
  }

  /** Writes at the caret as if it were typed. */
  insert(text) {
    const { from, to } = this.view.state.selection.main;
    this.#write(text, from, to);
  }

  #write(insert, from, to) {
    if (this.#locked) return;
    const selection = { anchor: from + insert.length };
    this.view.dispatch({ changes: { from, to, insert }, selection, scrollIntoView: true, userEvent: "input" });
    this.view.focus();
  }

  /** Lists what could stand at the caret; unasked only where a list is of use. */
  async #complete({ state, pos, explicit }) {
    if (!this.words || this.#locked) return null;
    const at = this.words.contextAt(state.doc.toString(), pos);
    if (!at || (!explicit && at.kind === "expression" && !at.typed)) return null;
    const found = await this.words.complete(at).catch(() => null);
    if (!found) return null;
    const { items } = found;
    const only = items.length === 1 && items[0].insert.trim() === at.typed;
    if (!explicit && (!items.length || only)) return null;
    const section = { name: found.title, header: () => headOf(found) };
    const typed = at.typed.trim().toLowerCase();
    const options = items.map((item) => ({
      label: item.label,
      detail: item.note,
      end: item.end,
      section,
      apply: (view, option, from, to) => this.#take(view, option, item, from, to),
    }));
    const none = { label: "Nothing here is called so.", section, apply() {} };
    return {
      from: at.from,
      to: at.to,
      filter: false,
      options: options.length ? options : [none],
      getMatch({ label }) {
        const match = typed ? label.toLowerCase().indexOf(typed) : -1;
        return match < 0 ? [] : [match, match + typed.length];
      },
    };
  }

  /** Takes what is chosen, and what comes behind it; false when no list is open. */
  #takeAndGoOn() {
    if (completionStatus(this.view.state) !== "active") return this.#takeLater(true);
    return this.#accept(true);
  }

  #accept(goOn) {
    this.#goOn = goOn;
    const taken = acceptCompletion(this.view);
    this.#goOn = false;
    return taken;
  }

  /** Takes from an open list as soon as it fits to what was typed last; false when none is open. */
  #takeLater(goOn) {
    const open = this.shadowRoot.querySelector(".cm-tooltip-autocomplete");
    if (!open || completionStatus(this.view.state) !== "pending") return false;
    this.#later = { goOn };
    return true;
  }

  #takeIfListed(state, docChanged) {
    if (!docChanged && completionStatus(state) === "pending") return;
    const { goOn } = this.#later;
    this.#later = null;
    // Not within an update, where the editor takes no other.
    if (!docChanged && completionStatus(state) === "active") queueMicrotask(() => this.#accept(goOn));
  }

  #take(view, option, item, from, to) {
    const rest = view.state.sliceDoc(to, to + 200);
    const next = this.#goOn ? (item.next ?? "") : "";
    let { insert, back = 0 } = item;
    // What stands there already is not written twice.
    if (item.call && /^\s*\(/.test(rest)) [insert, back] = [item.label, 0];
    else if (insert.endsWith("=") && /^\s*=/.test(rest)) insert = insert.slice(0, -1);
    const there = next && rest.trimStart().startsWith(next.trim());
    if (next && !there) insert += next;
    const beyond = there ? rest.indexOf(next.trim()) + next.trim().length : 0;
    view.dispatch({
      changes: { from, to, insert },
      selection: { anchor: from + insert.length - back + beyond },
      scrollIntoView: true,
      userEvent: "input.complete",
      annotations: pickedCompletion.of(option),
    });
    if (item.again || next.startsWith(",")) startCompletion(view);
  }
}

customElements.define("code-editor", CodeEditor);
