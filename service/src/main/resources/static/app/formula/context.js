// What could stand at the caret: which names a completion has to list, and which part of the text it replaces.
import { CLAUSES, read } from "./tokens.js";

const OFFERED = CLAUSES.filter((name) => !["adapterkind", "resourcekind", "resourcename", "property"].includes(name));

/** Where the word under the caret ends: what follows belongs to it up to the next sign that cannot. */
function wordEnd(text, caret, stop) {
  const rest = text.slice(caret).search(stop);
  const end = rest < 0 ? text.length : caret + rest;
  return text.slice(caret, end).includes("${") ? caret : end;
}

const valueOf = (entry, name) => entry.clauses.find((c) => c.name === name)?.value ?? "";

/**
 * `{ kind, typed, from, to, ... }`, with kind one of expression, clause, adapter, object-kind, key, depth, object,
 * where-key, where-operator, where-value; null where nothing can be listed. `entry` has self, adapter and objectKind.
 */
export function contextAt(text, caret) {
  const { entries, aliases } = read(text);
  const inside = entries.filter(
    (e) => e.start + 2 <= caret && (caret < e.end || (e.end === text.length && text[e.end - 1] !== "}")),
  );
  const entry = inside.at(-1);
  if (!entry) return expression(text, caret, aliases);
  const outer = inside[0];
  const place = { self: outer.self, adapter: valueOf(outer, "adaptertype"), objectKind: valueOf(outer, "objecttype") };
  const clause = entry.clauses.find((c) => c.from <= caret && caret <= c.to);
  // A name that is still being written is no known clause yet, and so is read as part of the value before it.
  const begun =
    clause &&
    clause.name !== "where" &&
    clause.name !== "identifiers" &&
    /,\s*[A-Za-z]*$/.test(text.slice(clause.from, caret));
  if (!clause || begun) return clauseStart(text, caret, entry);
  // While the entry is not closed, the bracket of the call around it is not part of the value.
  return inValue(text, caret, clause, place, text[entry.end - 1] === "}" ? /[,}\n]/ : /[,})\n]/);
}

function expression(text, caret, aliases) {
  const before = /[\p{L}_][\p{L}\p{N}_]*$|\$\{?$/u.exec(text.slice(0, caret))?.[0] ?? "";
  if (/\d$/.test(text.slice(0, caret - before.length))) return null;
  return {
    kind: "expression",
    typed: before,
    from: caret - before.length,
    to: wordEnd(text, caret, /[^\p{L}\p{N}_]/u),
    aliases,
  };
}

function clauseStart(text, caret, entry) {
  const before = /[A-Za-z]*$/.exec(text.slice(0, caret))[0];
  const used = new Set(entry.clauses.map((c) => c.name));
  const first = /^\s*[A-Za-z]*$/.test(text.slice(entry.start + 2, caret));
  const closed = text.slice(caret).match(/^\s*[A-Za-z]*\s*=/);
  const left = OFFERED.filter(
    (name) =>
      !used.has(name) &&
      !(entry.self && ["adaptertype", "objecttype", "objectname", "identifiers", "depth"].includes(name)),
  );
  const one = used.has("metric") || used.has("attribute");
  return {
    kind: "clause",
    typed: before,
    from: caret - before.length,
    to: closed ? caret : wordEnd(text, caret, /[^A-Za-z]/),
    names: left.filter((name) => !(one && (name === "metric" || name === "attribute"))),
    self: first && !entry.clauses.length,
  };
}

function inValue(text, caret, clause, place, stop) {
  if (clause.name === "where") return inWhere(text, caret, clause, place);
  const kind = {
    adaptertype: "adapter",
    objecttype: "object-kind",
    metric: "key",
    attribute: "key",
    property: "key",
    depth: "depth",
    objectname: "object",
  }[clause.name];
  if (!kind) return null;
  const blanks = /^\s*/.exec(text.slice(clause.from, caret))[0].length;
  const from = clause.from + blanks;
  const to = Math.min(wordEnd(text, caret, stop), Math.max(clause.to, caret));
  return { kind, typed: text.slice(from, caret), from, to, entry: place, attribute: clause.name === "attribute" };
}

const OPERATOR = /\s(!?(?:equals|contains|startsWith|endsWith))\s|(==|!=|<=|>=|<|>)\s*/;

function inWhere(text, caret, clause, place) {
  const value = text.slice(clause.from, clause.to);
  const open = clause.from + /^\s*/.exec(value)[0].length;
  if (caret <= open) return null;
  if (text[open] === "(") return inCondition(text, caret, open, place);
  const body = text.slice(open + 1, caret);
  const operator = OPERATOR.exec(body);
  const stop = /["\u201c\u201d}\n]/;
  if (operator) {
    const from = open + 1 + operator.index + operator[0].length;
    return {
      kind: "where-value",
      typed: text.slice(from, caret),
      from,
      to: wordEnd(text, caret, stop),
      entry: place,
      key: body.slice(0, operator.index).trim(),
      quote: "",
    };
  }
  const key = /^(\S+)\s+(\S*)$/.exec(body);
  if (key)
    return {
      kind: "where-operator",
      typed: key[2],
      from: caret - key[2].length,
      to: wordEnd(text, caret, /[\s"\u201c\u201d}]/),
      entry: place,
    };
  return {
    kind: "where-key",
    typed: body,
    from: open + 1,
    to: wordEnd(text, caret, /[\s"\u201c\u201d}]/),
    entry: place,
    form: "text",
  };
}

/** Within `where=( ... )`: a text after a comparison of a key, else an operator or what can be compared. */
function inCondition(text, caret, open, place) {
  const body = text.slice(open, caret);
  const literal =
    /(?:\$\{\s*metric\s*=\s*([^}]*)\}|(\$value))\s*(?:!?(?:equals|contains|startsWith|endsWith)|==|!=)\s*'([^']*)$/.exec(
      body,
    );
  if (literal) {
    return {
      kind: "where-value",
      typed: literal[3],
      from: caret - literal[3].length,
      to: wordEnd(text, caret, /['})\n]/),
      entry: place,
      key: literal[1]?.trim() ?? "",
      quote: "'",
    };
  }
  const operator = /(?:\}|\$value)\s+([!A-Za-z]*)$/.exec(body);
  if (operator)
    return { kind: "where-operator", typed: operator[1], from: caret - operator[1].length, to: caret, entry: place };
  const start = /(?:^\(|[\s(&|!])(\$?[\p{L}{]*)$/u.exec(body);
  return start
    ? { kind: "where-key", typed: start[1], from: caret - start[1].length, to: caret, entry: place, form: "condition" }
    : null;
}
