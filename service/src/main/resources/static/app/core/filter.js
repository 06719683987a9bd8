// The filter of the Explorer: words for free text, `key:value` for the rest.

// Token -> how it becomes a field of ObjectQuery.
const TOKENS = {
  kind: (query, value) => (query.objectKind ??= []).push(value),
  adapter: (query, value) => (query.adapterKind ??= []).push(value),
  tag: (query, value) => (query.tag ??= []).push(value),
  property: (query, value) => (query.property ??= []).push(value),
  name: (query, value) => (query.name = value),
  parent: (query, value) => (query.parent = value),
  is: (query, value) => (value === "removed" ? (query.removed = true) : (query.silent = value === "silent")),
};
const STATES = ["silent", "reporting", "removed"];
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Splits at blanks outside double quotes; quotes themselves go. */
export const words = (text) => (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((w) => w.replaceAll('"', ""));

/** `{ query, unknown }`: fields of ObjectQuery, and tokens that cannot be used. */
export function parseFilter(text) {
  const query = {};
  const free = [];
  const unknown = [];
  for (const word of words(text)) {
    const colon = word.indexOf(":");
    const key = word.slice(0, colon);
    const value = word.slice(colon + 1);
    if (STATES.includes(word)) TOKENS.is(query, word);
    else if (colon > 0 && Object.hasOwn(TOKENS, key)) {
      const wrong =
        !value ||
        (key === "is" && !STATES.includes(value)) ||
        (key === "parent" && !UUID.test(value)) ||
        (key === "property" && !value.includes("="));
      if (wrong) unknown.push(word);
      else TOKENS[key](query, value);
    } else free.push(word);
  }
  if (free.length) query.q = free.join(" ");
  return { query, unknown };
}

const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);

/** What the last word could become; kinds from the installation, tags and properties from the rows at hand. */
export function completions(text, kinds, rows) {
  const last = text.split(/\s+/).at(-1) ?? "";
  const values = (field) => {
    const found = new Set();
    for (const o of rows.slice(0, 400)) for (const [k, v] of Object.entries(o[field])) found.add(`${k}=${quoted(v)}`);
    return [...found].sort();
  };
  const all = [
    ...(kinds?.items ?? []).flatMap((a) => a.objectKinds.map((k) => `kind:${k.objectKind}`)),
    "is:silent",
    "is:reporting",
    "is:removed",
    ...(last.startsWith("tag:") ? values("tags").map((t) => `tag:${t}`) : ["tag:"]),
    ...(last.startsWith("property:") ? values("properties").map((p) => `property:${p}`) : ["property:"]),
    "name:",
  ];
  return all.filter((option) => option !== last && option.toLowerCase().includes(last.toLowerCase())).slice(0, 9);
}

/** `text` with its last word replaced by `word`. */
export function complete(text, word) {
  const at = text.search(/\S*$/);
  return text.slice(0, at) + word + (word.endsWith(":") ? "" : " ");
}
