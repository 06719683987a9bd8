// Reads a formula of super metrics for the eye: colours, bracket pairs, and what stands where. It never fails; errors
// are found by the service. Text between clauses is split as the service does it: a comma ends a clause only before a
// known clause name and "=".
export const CLAUSES = [
  "adaptertype",
  "adapterkind",
  "objecttype",
  "resourcekind",
  "objectname",
  "resourcename",
  "identifiers",
  "metric",
  "attribute",
  "property",
  "depth",
  "where",
  "defval",
];
const NEXT_CLAUSE = new RegExp(`^,\\s*(?:${CLAUSES.join("|")})\\s*=`, "i");
const CLAUSE = new RegExp(`^(${CLAUSES.join("|")})(\\s*)=`, "i");
const TEXT_OPERATORS = /^!?(?:equals|contains|startsWith|endsWith)\b/;
const CLOSING = { '"': /["\u201d]/, "\u201c": /["\u201d]/, "\u201d": /["\u201d]/ };

/** The usual name of a clause, whatever its old spelling. */
export const clauseName = (word) =>
  ({ adapterkind: "adaptertype", resourcekind: "objecttype", resourcename: "objectname" })[word.toLowerCase()] ??
  word.toLowerCase();

class Reader {
  tokens = [];
  entries = [];
  aliases = [];
  at = 0;

  constructor(text) {
    this.text = text;
  }

  get rest() {
    return this.text.slice(this.at);
  }

  take(kind, length) {
    if (length > 0) this.tokens.push({ kind, start: this.at, end: this.at + length });
    this.at += length;
  }

  blanks() {
    this.take("blank", /^[\s\u200b\u00a0]*/.exec(this.rest)[0].length);
  }

  /** An expression, up to the end, or to the bracket that closes the condition it is in. */
  expression(inWhere) {
    let depth = 0;
    while (this.at < this.text.length) {
      this.blanks();
      const rest = this.rest;
      let m;
      if (!rest) return;
      if (rest.startsWith("${")) this.entry();
      else if ((m = /^'[^']*'?/.exec(rest))) this.take("str", m[0].length);
      else if ((m = /^\$value\b/i.exec(rest))) this.take("key", m[0].length);
      else if (inWhere && (m = TEXT_OPERATORS.exec(rest))) this.take("fn", m[0].length);
      else if ((m = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/i.exec(rest))) this.take("num", m[0].length);
      else if ((m = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(rest))) this.word(m[0], inWhere);
      else {
        if (rest[0] === "(") depth++;
        if (rest[0] === ")") depth--;
        this.take("op", 1);
        if (inWhere && depth <= 0) return;
      }
    }
  }

  word(word, inWhere) {
    const after = this.text.slice(this.at + word.length);
    if (/^\s*\(/.test(after)) this.take("fn", word.length);
    else if (!inWhere && /^as$/i.test(word)) {
      this.take("op", word.length);
      this.blanks();
      const name = /^[\p{L}_][\p{L}\p{N}_]*/u.exec(this.rest)?.[0] ?? "";
      if (name) this.aliases.push(name);
      this.take("name", name.length);
    } else this.take("name", word.length);
  }

  entry() {
    const entry = { start: this.at, end: this.text.length, self: false, clauses: [] };
    this.entries.push(entry);
    this.take("op", 2);
    while (this.at < this.text.length) {
      this.blanks();
      const rest = this.rest;
      const clause = CLAUSE.exec(rest);
      if (rest.startsWith("}")) {
        this.take("op", 1);
        entry.end = this.at;
        return;
      }
      if (!rest) return;
      if (rest.startsWith(",")) this.take("op", 1);
      else if (clause) this.clause(entry, clause);
      else if (/^this\b/i.test(rest)) {
        entry.self = true;
        this.take("key", 4);
      } else if (rest.startsWith("${")) return;
      else this.take("name", Math.max(1, /^[^,{}=\s]*/.exec(rest)[0].length));
    }
  }

  clause(entry, match) {
    const [, word, blank] = match;
    const clause = { name: clauseName(word), start: this.at };
    entry.clauses.push(clause);
    this.take("key", word.length);
    this.take("blank", blank.length);
    this.take("op", 1);
    clause.from = this.at;
    this.blanks();
    const first = this.rest[0];
    if (clause.name === "where" && first in CLOSING) {
      const close = this.rest.slice(1).search(CLOSING[first]);
      this.take("str", close < 0 ? this.rest.length : close + 2);
    } else if (clause.name === "where" && first === "(") this.expression(true);
    else
      this.take(
        clause.name === "depth" || clause.name === "defval" ? "num" : "val",
        this.plainLength(clause.name === "identifiers"),
      );
    clause.to = this.at;
    clause.value = this.text.slice(clause.from, clause.to).trim();
  }

  plainLength(braced) {
    const text = this.text;
    let depth = 0;
    for (let i = this.at; i < text.length; i++) {
      if (braced && text[i] === "{") depth++;
      else if (text[i] === "}" && depth-- <= 0) return i - this.at;
      else if (text.startsWith("${", i)) return i - this.at;
      else if (text[i] === "," && depth <= 0 && NEXT_CLAUSE.test(text.slice(i, i + 60))) return i - this.at;
    }
    return text.length - this.at;
  }
}

/**
 * `{ tokens, entries, aliases }`: tokens have kind, start and end; entries their clauses with the place of each value.
 */
export function read(text) {
  const reader = new Reader(text);
  reader.expression(false);
  return reader;
}
