// Templates as YAML: one text that both views edit. Changes of steps leave comments and the rest of the text as they are.
import { LineCounter, parseDocument, visit } from "/webjars/yaml/2.3.1/browser/index.js";
import { Collection } from "/webjars/yaml/2.3.1/browser/dist/nodes/Collection.js";
import { brackets } from "../formula/tokens.js";
import { fitting, pathItems } from "./context-names.js";
import { KINDS } from "./steps.js";

const WIDTH = 140;
const OUT = { lineWidth: WIDTH, flowCollectionPadding: false };
// What people wrote on one line stays there.
Collection.maxFlowStringSingleLineLength = WIDTH;

/** A text as document, and what is wrong with it as YAML. */
export class TemplateText {
  constructor(text) {
    this.text = text;
    this.lines = new LineCounter();
    this.doc = parseDocument(text, { lineCounter: this.lines, keepSourceTokens: false, uniqueKeys: true });
    this.errors = this.doc.errors;
    this.value = this.errors.length ? null : (this.doc.toJS({ maxAliasCount: 100 }) ?? {});
  }

  /** `/modify/2/set` or `modify[2].set` as the place in the text, `[from, to]`; of what is missing, that of what it is missing in. */
  place(path) {
    const names = path.replace(/\[(\d+)\]/g, "/$1").split(/[./]/).filter(Boolean).map((n) => (/^\d+$/.test(n) ? Number(n) : n));
    for (let n = names.length; n > 0; n--) {
      const node = this.doc.getIn(names.slice(0, n), true);
      if (node?.range) return [node.range[0], node.range[1]];
    }
    return [0, Math.min(this.text.length, this.text.indexOf("\n") < 0 ? this.text.length : this.text.indexOf("\n"))];
  }

  /** Something wrong as the editor shows it. */
  issue([start, to], message, severity = "error") {
    // What is missing at the end is marked at what stands there.
    const from = Math.max(0, Math.min(start, this.text.trimEnd().length - 1));
    const { line, col } = this.lines.linePos(from);
    const lineEnd = this.text.indexOf("\n", from);
    return { offset: from, end: Math.max(from + 1, Math.min(to, lineEnd < 0 ? this.text.length : lineEnd)), line, column: col, severity, message, hint: null };
  }

  /** What is wrong as YAML. */
  issues() {
    return this.errors.map((e) => this.issue([e.pos[0], Math.max(e.pos[0] + 1, e.pos[1])], e.message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, "")));
  }

  /** The text after `change(doc)`. */
  #changed(change) {
    const doc = this.doc.clone();
    change(doc);
    return doc.toString(OUT);
  }

  #node(doc, value) {
    const node = doc.createNode(value);
    // Steps as people write them: short ones on one line.
    visit(node, { Map: (_key, map, path) => void (path.length > 1 && JSON.stringify(map.toJSON()).length < WIDTH - 30 && (map.flow = true)), Seq: (_key, seq) => void (seq.flow = true) });
    return node;
  }

  set(path, value) {
    return this.#changed((doc) => (value === undefined ? doc.deleteIn(path) : doc.setIn(path, this.#node(doc, value))));
  }

  /** Puts another step in the place of one. */
  setStep(index, step) {
    return this.#changed((doc) => {
      const old = doc.getIn(["modify", index], true);
      const node = this.#node(doc, step);
      node.commentBefore = old?.commentBefore;
      node.comment = old?.comment;
      node.spaceBefore = old?.spaceBefore;
      doc.setIn(["modify", index], node);
    });
  }

  addStep(index, step) {
    return this.#changed((doc) => {
      const modify = doc.get("modify");
      if (modify?.items) modify.items.splice(index, 0, this.#node(doc, step));
      else {
        const list = doc.createNode([]);
        list.items.push(this.#node(doc, step));
        const pair = doc.createPair("modify", list);
        const at = doc.contents.items.findIndex((p) => ["render", "deliver"].includes(String(p.key)));
        doc.contents.items.splice(at < 0 ? doc.contents.items.length : at, 0, pair);
      }
    });
  }

  removeStep(index) {
    return this.#changed((doc) => {
      doc.deleteIn(["modify", index]);
      if (!doc.get("modify")?.items?.length) doc.delete("modify");
    });
  }

  moveStep(from, to) {
    return this.#changed((doc) => {
      const { items } = doc.get("modify");
      items.splice(to, 0, ...items.splice(from, 1));
    });
  }
}

// The field of YAML: colours, and what could stand at the caret.
const LINE = /^(\s*(?:- )*)(?:("[^"]*"|'[^']*'|[$A-Za-z_][\w |%.$/-]*?)(:)(?=\s|$))?(.*)$/;
const INNER = /(\$\{[^}\n]*\}?)|((?<![\w$])[$A-Za-z_][\w-]*(?=: ))|("(?:[^"\\]|\\.)*"|'[^']*')|((?<![\w.-])-?\d+(?:\.\d+)?(?![\w.-]))|(\s#.*$)|([[\]{},])/g;

function inner(text, at, tokens) {
  for (const m of text.matchAll(INNER)) {
    const kind = m[1] ? "fn" : m[2] ? "key" : m[3] ? "str" : m[4] ? "num" : m[5] ? "op" : "op";
    const start = at + m.index;
    if (m[3]) {
      // Placeholders show in texts, too.
      let done = 0;
      for (const p of m[3].matchAll(/\$\{[^}\n]*\}/g)) {
        if (p.index > done) tokens.push({ kind: "str", start: start + done, end: start + p.index });
        done = p.index + p[0].length;
        tokens.push({ kind: "fn", start: start + p.index, end: start + done });
      }
      if (done < m[3].length) tokens.push({ kind: "str", start: start + done, end: start + m[3].length });
    } else tokens.push({ kind, start, end: start + m[0].length });
  }
}

function read(text) {
  const tokens = [];
  let at = 0;
  for (const line of text.split("\n")) {
    if (/^\s*#/.test(line)) tokens.push({ kind: "op", start: at, end: at + line.length });
    else {
      const [, before, key, , rest] = LINE.exec(line);
      if (key) tokens.push({ kind: "key", start: at + before.length, end: at + before.length + key.length });
      inner(rest, at + line.length - rest.length, tokens);
    }
    at += line.length + 1;
  }
  return { tokens };
}

const PATHS = /(?:^|[\s{,])(field|from|to|key|fields|parts|remove|\$each|\$switch): *\[?(?:[^\]\n]*, *)?([A-Za-z_][\w."[\]]*)?$/;
const CONDITION = /(?:when|cel|\$if): *["']?(?:[^\n]*[\s(!&|=<>])?([A-Za-z_][\w."[\]]*)?$/;

function contextAt(text, caret) {
  const line = text.slice(text.lastIndexOf("\n", caret - 1) + 1, caret);
  const rest = /^[\w.]*/.exec(text.slice(caret))[0];
  const open = line.lastIndexOf("${");
  const span = (kind, typed) => ({ kind, typed, from: caret - typed.length, to: caret + rest.length });
  if (open >= 0 && !line.slice(open).includes("}")) {
    const written = line.slice(open + 2);
    if (written.includes("|")) return span("filter", /[\w]*$/.exec(written)[0]);
    return span("path", written.trimStart());
  }
  const condition = CONDITION.exec(line);
  if (condition) return span("expression", condition[1] ?? "");
  const path = PATHS.exec(line);
  if (path) return span("path", path[2] ?? "");
  const kind = /^\s*- ([A-Za-z]*)$/.exec(line);
  if (kind && /\nmodify:/.test(`\n${text.slice(0, caret)}`) && !/\n(render|deliver):/.test(text.slice(0, caret))) return span("step", kind[1]);
  return null;
}

export const YAML = { read, brackets, contextAt };

const FILTERS = {
  iso8601: ["iso8601", "a time as 2026-11-21T00:05:00Z"], date: ["date: yyyy-MM-dd HH:mm", "a time in a format"], duration: ["duration", "milliseconds in words"], seconds: ["seconds", "seconds since 1970"], lower: ["lower", "small letters"], upper: ["upper", "capitals"],
  trim: ["trim", "without blanks around"], truncate: ["truncate: 200", "at most so many characters"], default: ["default: none", "where there is nothing"], prefix: ['prefix: ": "', "before it, if there is something"], suffix: ['suffix: " "', "behind it, if there is something"],
  join: ['join: ", "', "a list as text"], pluck: ["pluck: message", "one member of each"], take: ["take: 5", "the first of a list"], first: ["first", "of a list"], last: ["last", "of a list"], size: ["size", "how many"], round: ["round: 1", "a number"], number: ["number", "a text as number"],
  string: ["string", "as text"], json: ["json", "as text in JSON"], escape: ["escape: slack", "for slack, markdown, html, url \u2026"],
};

/** Lists what stands at the caret of a template; `context()` gives what it sees of the alert that is shown. */
export class YamlWords {
  constructor(context) {
    this.context = context;
  }

  async complete({ kind, typed }) {
    if (kind === "filter") return { title: "filters", items: fitting(Object.entries(FILTERS).map(([label, [insert, end]]) => ({ label, insert, end })), typed) };
    if (kind === "step") return { title: "steps", items: fitting(Object.entries(KINDS).map(([label, k]) => ({ label, insert: `${label}: `, end: k.does })), typed) };
    return { title: "what a template sees", unit: "here", items: fitting(pathItems(this.context()), typed) };
  }
}
