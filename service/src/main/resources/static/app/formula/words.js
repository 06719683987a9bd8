// What this installation knows for a formula: functions, kinds with counts, keys, values, objects; read once and kept.
import { get, post } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { contextAt } from "./context.js";
import { clauseName } from "./tokens.js";

const MOST = 100;
const LANGUAGE = { functions: [], clauses: [], operators: [], textOperators: [] };

const DEPTHS = [
  ["1", "children"],
  ["2", "children and grandchildren"],
  ["3", "three levels down"],
  ["5", "five levels down"],
  ["10", "everything below"],
  ["-1", "parents"],
  ["-2", "parents and grandparents"],
  ["-5", "five levels up"],
];

const holds = (typed) => {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return (text) => words.every((w) => text.toLowerCase().includes(w));
};
/** Those that begin with what was typed come first; the order is otherwise kept. */
const ranked = (items, typed) => {
  const start = typed.toLowerCase();
  const rank = (i) => (i.label.toLowerCase().startsWith(start) ? 0 : 1);
  return items.toSorted((a, b) => rank(a) - rank(b));
};

export class FormulaWords {
  contextAt = contextAt;
  #kept = new Map();

  /** `kinds()` gives the object kinds that the formula is assigned to: whose keys `this` means. */
  constructor(kinds) {
    this.assigned = kinds;
  }

  #once(name, read) {
    if (!this.#kept.has(name)) {
      const reading = read();
      this.#kept.set(name, reading);
      reading.catch(() => this.#kept.delete(name));
    }
    return this.#kept.get(name);
  }

  language() {
    return this.#once("language", () => get("/super-metrics/functions")).catch(() => LANGUAGE);
  }

  async kinds() {
    return (await this.#once("kinds", () => get("/adapter-kinds"))).items;
  }

  /** Keys that hold `typed`, most frequent first, over the kinds of the place. */
  async keys(entry, typed) {
    const refs = await this.#refs(entry);
    const lists = await Promise.all(
      refs.map(async ({ adapterKind, objectKind }) => {
        const path = `/adapter-kinds/${encodeURIComponent(adapterKind)}/object-kinds/${encodeURIComponent(objectKind)}/keys`;
        const q = typed.trim();
        // Of most kinds the first page has all keys; then what is typed narrows it here.
        const all = await this.#once(`${path}`, () => get(path, { limit: 1000 }));
        if (all.items.length < 1000 || !q) return all.items;
        return (await this.#once(`${path}?${q}`, () => get(path, { q, limit: MOST }))).items;
      }),
    );
    const found = new Map();
    for (const key of lists.flat()) if (!found.has(key.key)) found.set(key.key, key);
    return [...found.values()];
  }

  async #refs({ self, adapter, objectKind }) {
    if (self) return this.assigned();
    const all = (await this.kinds()).flatMap((a) => a.objectKinds);
    const same = (a, b) => a.toLowerCase() === b.toLowerCase();
    const fits = all.filter(
      (k) => (!adapter || same(k.adapterKind, adapter)) && (objectKind === "*" ? true : same(k.objectKind, objectKind)),
    );
    return fits.slice(0, 8);
  }

  async values(entry, key, typed) {
    const refs = await this.#refs(entry);
    const counts = new Map();
    for (const { adapterKind, objectKind } of refs) {
      const path = `/adapter-kinds/${encodeURIComponent(adapterKind)}/object-kinds/${encodeURIComponent(objectKind)}/values`;
      const { items } = await this.#once(`${path} ${key} ${typed}`, () =>
        get(path, { key, q: typed.trim() || null, limit: MOST }),
      );
      for (const v of items) counts.set(v.value, (counts.get(v.value) ?? 0) + v.objects);
    }
    return [...counts].map(([value, objects]) => ({ value, objects })).sort((a, b) => b.objects - a.objects);
  }

  /**
   * `{ title, unit, items }` for a context; items have label, insert, and as they apply note, end, back, again and
   * next.
   */
  async complete(context) {
    const found = await this.#listed(context);
    if (!found) return null;
    const { typed } = context;
    const fits = found.local === false ? () => true : holds(typed);
    found.items = ranked(
      found.items.filter((i) => fits(`${i.label} ${i.also ?? ""}`)),
      typed,
    ).slice(0, MOST);
    return found;
  }

  async #listed(c) {
    switch (c.kind) {
      case "expression":
        return this.#expression(c);
      case "clause": {
        const { clauses } = await this.language();
        const note = (name) =>
          clauses.find((w) => clauseName(w.text.replace(/[={].*$/, "").trim()) === name)?.summary ?? "";
        const quoted = { where: ['where=""', 1], identifiers: ["identifiers={}", 1] };
        return {
          title: "parts of an entry",
          items: [
            ...(c.self ? [{ label: "this", insert: "this, ", note: note("this"), again: true }] : []),
            ...c.names.map((name) => ({
              label: name,
              insert: quoted[name]?.[0] ?? `${name}=`,
              back: quoted[name]?.[1],
              note: note(name),
              again: true,
            })),
          ],
        };
      }
      case "adapter": {
        const kinds = await this.kinds();
        return {
          title: "adapter kinds here",
          unit: "objects",
          items: kinds.map((a) => ({
            label: a.adapterKind,
            insert: a.adapterKind,
            end: count(a.objectKinds.reduce((n, k) => n + k.objects, 0)),
            next: ", ",
          })),
        };
      }
      case "object-kind": {
        const kinds = (await this.kinds()).filter(
          (a) => !c.entry.adapter || a.adapterKind.toLowerCase() === c.entry.adapter.toLowerCase(),
        );
        const items = kinds.flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
        return {
          title: `object kinds${c.entry.adapter ? ` of ${c.entry.adapter}` : ""}`,
          unit: "objects",
          items: items.map((k) => ({ label: k.objectKind, insert: k.objectKind, end: count(k.objects), next: ", " })),
        };
      }
      case "key":
        return this.#keys(c);
      case "depth":
        return {
          title: "levels down, or up when negative",
          items: DEPTHS.map(([n, note]) => ({ label: n, insert: n, note, next: "" })),
        };
      case "object": {
        const { items, total } = await post("/objects/query", {
          adapterKind: c.entry.adapter ? [c.entry.adapter] : [],
          objectKind: c.entry.objectKind ? [c.entry.objectKind] : [],
          name: c.typed.trim() || undefined,
          sort: "name",
          limit: 50,
        });
        return {
          title: plural(total, "object"),
          local: false,
          items: items.map((o) => ({ label: o.name, insert: o.name, note: o.objectKind, next: ", " })),
        };
      }
      case "where-key":
        return this.#whereKeys(c);
      case "where-operator": {
        const { operators, textOperators } = await this.language();
        const compared = operators.filter((o) => /^(==|!=|<=?|>=?)$/.test(o.text));
        return {
          title: "how to compare",
          items: [...textOperators, ...compared].map((o) => ({
            label: o.text,
            insert: `${o.text} `,
            note: o.summary === o.text ? "" : o.summary,
            again: true,
          })),
        };
      }
      case "where-value": {
        if (!c.key) return null;
        const values = await this.values(c.entry, c.key, "");
        if (!values.length) return null;
        const kind = c.entry.self ? "objects" : c.entry.objectKind;
        return {
          title: `values of ${c.key} on your ${kind}`,
          unit: "objects",
          items: values.map((v) => ({ label: v.value, insert: v.value, end: count(v.objects), next: c.quote || '"' })),
        };
      }
      default:
        return null;
    }
  }

  async #expression({ typed, aliases }) {
    const { functions } = await this.language();
    const entries = [
      {
        label: "${this, metric=}",
        also: "this entry",
        insert: "${this, metric=}",
        back: 1,
        note: "a key of the object itself",
        again: true,
      },
      {
        label: "${adaptertype=, objecttype=, metric=, depth=1}",
        also: "related entry",
        insert: "${adaptertype=, objecttype=, metric=, depth=1}",
        back: 32,
        note: "keys of related objects",
        again: true,
      },
    ];
    return {
      title: "functions and entries",
      items: [
        ...(typed.startsWith("$")
          ? []
          : [...new Set(aliases)].map((a) => ({ label: a, insert: a, note: "alias in this formula" }))),
        ...(typed.startsWith("$")
          ? []
          : functions.map((f) => ({
              label: f.name,
              insert: `${f.name}()`,
              back: 1,
              note: f.summary,
              end: f.signature,
              again: true,
              call: true,
            }))),
        ...entries,
      ],
    };
  }

  #keyItem(key, next) {
    const named = key.source === "super-metric" && key.name;
    const note = named
      ? `super metric${key.unit ? `, ${key.unit}` : ""}`
      : [key.source === "property" ? "property" : null, key.unit, key.instanced ? "with instances" : null]
          .filter(Boolean)
          .join(", ");
    return { label: named ? key.name : key.key, also: key.key, insert: key.key, note, end: count(key.objects), next };
  }

  async #keys({ entry, typed, attribute }) {
    const keys = await this.keys(entry, typed);
    const where = entry.self ? "the assigned kinds" : entry.objectKind || "all kinds";
    const list = attribute ? keys.toSorted((a, b) => Number(b.instanced) - Number(a.instanced)) : keys;
    return {
      title: `keys of ${where}`,
      unit: "objects",
      items: list.map((k) => this.#keyItem(k, entry.self ? "" : ", ")),
    };
  }

  async #whereKeys({ entry, typed, form }) {
    const keys = (await this.keys(entry, typed)).toSorted(
      (a, b) => Number(b.source === "property") - Number(a.source === "property"),
    );
    if (form === "text")
      return {
        title: "keys to compare",
        unit: "objects",
        items: keys.map((k) => ({ ...this.#keyItem(k, " "), insert: `${k.key} `, next: undefined, again: true })),
      };
    return {
      title: "what to compare",
      unit: "objects",
      items: [
        { label: "$value", insert: "$value ", note: "the value that is tested", again: true },
        ...keys.map((k) => ({
          ...this.#keyItem(k),
          label: `\${metric=${k.key}}`,
          insert: `\${metric=${k.key}} `,
          again: true,
        })),
      ],
    };
  }
}
