// Completion in templates: what could stand at the caret of their YAML, and what is listed for it.
import { fitting, pathItems } from "./context-names.js";
import { KINDS } from "./steps.js";

const PATHS =
  /(?:^|[\s{,])(field|from|to|key|fields|parts|remove|\$each|\$switch): *\[?(?:[^\]\n]*, *)?([A-Za-z_][\w."[\]]*)?$/;
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
  if (kind && /\nmodify:/.test(`\n${text.slice(0, caret)}`) && !/\n(render|deliver):/.test(text.slice(0, caret)))
    return span("step", kind[1]);
  return null;
}

const FILTERS = {
  iso8601: ["iso8601", "a time as 2026-11-21T00:05:00Z"],
  date: ["date: yyyy-MM-dd HH:mm", "a time in a format"],
  duration: ["duration", "milliseconds in words"],
  seconds: ["seconds", "seconds since 1970"],
  lower: ["lower", "small letters"],
  upper: ["upper", "capitals"],
  trim: ["trim", "without blanks around"],
  truncate: ["truncate: 200", "no more characters than this"],
  default: ["default: none", "where there is nothing"],
  prefix: ['prefix: ": "', "before it, if there is something"],
  suffix: ['suffix: " "', "behind it, if there is something"],
  join: ['join: ", "', "a list as text"],
  pluck: ["pluck: message", "one member of each"],
  take: ["take: 5", "the first of a list"],
  first: ["first", "of a list"],
  last: ["last", "of a list"],
  size: ["size", "how many"],
  round: ["round: 1", "a number"],
  number: ["number", "a text as number"],
  string: ["string", "as text"],
  json: ["json", "as text in JSON"],
  escape: ["escape: slack", "for slack, markdown, html, url \u2026"],
};

/** Lists what stands at the caret of a template; `context()` gives what it sees of the alert that is shown. */
export class YamlWords {
  contextAt = contextAt;

  constructor(context) {
    this.context = context;
  }

  async complete({ kind, typed }) {
    if (kind === "filter")
      return {
        title: "filters",
        items: fitting(
          Object.entries(FILTERS).map(([label, [insert, end]]) => ({ label, insert, end })),
          typed,
        ),
      };
    if (kind === "step")
      return {
        title: "steps",
        items: fitting(
          Object.entries(KINDS).map(([label, k]) => ({ label, insert: `${label}: `, end: k.does })),
          typed,
        ),
      };
    return { title: "what a template sees", unit: "here", items: fitting(pathItems(this.context()), typed) };
  }
}
