// Conditions in CEL for the editor: colours, and what could stand at the caret.
import { fitting, pathItems } from "./context-names.js";

const TOKEN =
  /("(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)|(\b\d+(?:\.\d+)?\b)|([A-Za-z_][A-Za-z0-9_]*)|([-+*/%!=<>&|?:.,()[\]{}])/g;
const WORDS = new Set(["true", "false", "null", "in"]);
const FUNCTIONS = {
  has: ["has(", "whether a member is there"],
  size: ["size(", "how many, or how long"],
  matches: ["matches(", "a text against a pattern of RE2"],
  startsWith: ["startsWith(", "of a text"],
  endsWith: ["endsWith(", "of a text"],
  contains: ["contains(", "of a text"],
  exists: ["exists(x, ", "whether one of a list fits"],
  all: ["all(x, ", "whether all of a list fit"],
};

/** `{ tokens }`, each with kind, start and end. */
export function readCel(text) {
  const tokens = [];
  for (const m of text.matchAll(TOKEN)) {
    const end = m.index + m[0].length;
    const call = m[3] && text[end] === "(";
    tokens.push({
      kind: m[1] ? "str" : m[2] ? "num" : m[4] ? "op" : call ? "fn" : WORDS.has(m[3]) ? "num" : "name",
      start: m.index,
      end,
    });
  }
  return { tokens };
}

const BEFORE = /[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]*|\["[^"\n]*(?:"\])?)*$/;

function contextAt(text, caret) {
  const inText = readCel(text).tokens.find((t) => t.kind === "str" && t.start < caret && caret < t.end);
  const typed = BEFORE.exec(text.slice(0, caret))?.[0] ?? "";
  if (inText && !typed.includes('["')) return null;
  const rest = /^[A-Za-z0-9_]*/.exec(text.slice(caret))[0];
  return { kind: "expression", typed, from: caret - typed.length, to: caret + rest.length };
}

/** Lists paths and functions; `context()` gives what a condition sees of a real alert, or a promise of it. */
export class CelWords {
  contextAt = contextAt;

  constructor(context) {
    this.context = context;
  }

  async complete({ typed }) {
    const calls = Object.entries(FUNCTIONS).map(([label, [insert, end]]) => ({ label, insert, end, call: true }));
    return {
      title: "what a condition sees",
      unit: "here",
      items: fitting([...pathItems(await this.context()), ...calls], typed),
    };
  }
}

/** Where a condition is wrong, as the editor wants it; `text` is the answer's word on it. */
export function celIssue(cel, reason) {
  const at = /\(character (\d+)/.exec(reason);
  const offset = Math.min(at ? Number(at[1]) - 1 : 0, Math.max(0, cel.length - 1));
  const before = cel.slice(0, offset);
  const length = /^(?:[A-Za-z0-9_]+|[^\sA-Za-z0-9_]+)/.exec(cel.slice(offset))?.[0].length ?? 1;
  return {
    offset,
    end: offset + length,
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
    severity: "error",
    message: reason.replace(/^is no condition: /, "").replace(/ \(character \d+, at ".*"\)$/s, ""),
    hint: null,
  };
}
