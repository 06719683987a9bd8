// Templates as YAML: one text that both views edit. Changes of steps leave comments and the rest of the text as they
// are.
import { Collection, LineCounter, parseDocument, visit } from "../core/yaml.js";

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

  /**
   * `/modify/2/set` or `modify[2].set` as the place in the text, `[from, to]`; of what is missing, that of what it is
   * missing in.
   */
  place(path) {
    const names = path
      .replace(/\[(\d+)\]/g, "/$1")
      .split(/[./]/)
      .filter(Boolean)
      .map((n) => (/^\d+$/.test(n) ? Number(n) : n));
    for (let n = names.length; n > 0; n--) {
      const node = /** @type {any} */ (this.doc.getIn(names.slice(0, n), true));
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
    return {
      offset: from,
      end: Math.max(from + 1, Math.min(to, lineEnd < 0 ? this.text.length : lineEnd)),
      line,
      column: col,
      severity,
      message,
      hint: null,
    };
  }

  /** What is wrong as YAML. */
  issues() {
    return this.errors.map((e) =>
      this.issue(
        [e.pos[0], Math.max(e.pos[0] + 1, e.pos[1])],
        e.message.split("\n")[0].replace(/ at line \d+, column \d+:?$/, ""),
      ),
    );
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
    visit(node, {
      Map: (_key, map, path) =>
        void (path.length > 1 && JSON.stringify(map.toJSON()).length < WIDTH - 30 && (map.flow = true)),
      Seq: (_key, seq) => void (seq.flow = true),
    });
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
      // A comment behind a step on one line is that of its last member.
      for (const { key, value } of old?.items ?? []) {
        const now = node.get(key, true);
        if (now && value?.comment) now.comment = value.comment;
      }
      doc.setIn(["modify", index], node);
    });
  }

  addStep(index, step) {
    return this.#changed((doc) => {
      const modify = doc.get("modify");
      if (modify?.items) modify.items.splice(index, 0, this.#node(doc, step));
      else {
        doc.contents ??= doc.createNode({});
        const list = doc.createNode([]);
        list.items.push(this.#node(doc, step));
        if (doc.has("modify")) doc.set("modify", list);
        else {
          const pair = doc.createPair("modify", list);
          const at = doc.contents.items.findIndex((p) => ["render", "deliver"].includes(String(p.key)));
          doc.contents.items.splice(at < 0 ? doc.contents.items.length : at, 0, pair);
        }
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
