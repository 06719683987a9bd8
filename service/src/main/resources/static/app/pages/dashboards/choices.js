// What variables can be: the objects, values of tags, groups or metrics that there are to choose from.
import { get, post } from "../../core/api.js";
import { metricName } from "../../core/metrics.js";
import { askPanel } from "../../panels/answers.js";

export const MOST = 200;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NEWEST = { last: "1h" };

export const isId = (text) => UUID.test(text);
const first = (kind) => (Array.isArray(kind) ? kind[0] : kind);

const texts = (values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : String(value)]),
  );

/** Asks for objects by a rule: `{ id, name, objectKind }` each. */
async function objectsBy({ kind, scope }, { where = [], by = null, order = "asc", limit = MOST }, variables, signal) {
  /** @type {object[]} */
  const columns = [{ name: "name", attribute: "name" }];
  if (by) columns.push({ name: "by", metric: { any: [by] }, transform: "current" });
  const panel = {
    type: "table",
    ...(kind ? { kind } : {}),
    ...(scope || where.length
      ? { select: { ...(scope ? { scope } : {}), ...(where.length ? { where: [where] } : {}) } }
      : {}),
    columns,
    sort: [{ column: by ? "by" : "name", order }],
    limit,
  };
  const answer = await askPanel({ panel, variables: texts(variables), time: NEWEST }, signal);
  return (answer.rows ?? []).map((row) => row.object);
}

const isNamed = (name) => [{ attribute: "name", op: "=", value: name }];

/** What a variable is until somebody chooses: `{ value, names }`, null for nothing. */
export async function defaultOf(variable, others, signal) {
  const { type, default: usual, kind } = variable;
  if (usual === undefined || usual === null) return null;
  const isObject = type === "object" || type === "objects";
  if (!isObject || (typeof usual === "string" && isId(usual)))
    return typeof usual === "object" ? null : { value: usual };
  const rule =
    typeof usual === "string"
      ? { where: isNamed(usual), limit: 1 }
      : usual.first
        ? { by: usual.first.by ?? null, order: usual.first.order ?? (usual.first.by ? "desc" : "asc"), limit: 1 }
        : { where: isNamed(usual.name), limit: 1 };
  const of = { ...variable, kind: usual.kind ?? kind };
  let [found] = await objectsBy(of, rule, others, signal);
  if (!found && rule.by) [found] = await objectsBy(of, { limit: 1 }, others, signal); // nothing has that metric
  return found ? { value: found.id, name: found.name } : null;
}

/** The names of objects by their ids. */
export async function namesOf(ids, signal) {
  const { items } = await post("/objects/query", { ids, limit: ids.length }, signal);
  return new Map(items.map((o) => [o.id, o.name]));
}

/** What a variable could be: `{ value, label, hint }` each, of those that hold `typed`. */
export async function choicesOf(variable, typed, others, signal) {
  const fits = (text) => !typed || String(text).toLowerCase().includes(typed.toLowerCase());
  if (variable.choices)
    return variable.choices.filter(fits).map((value) => ({ value: String(value), label: String(value), hint: "" }));
  switch (variable.type) {
    case "object":
    case "objects": {
      const where = typed ? [{ attribute: "name", op: "contains", value: typed }] : [];
      const found = await objectsBy(variable, { where }, others, signal);
      const kinds = new Set(found.map((o) => o.objectKind));
      return found.map((o) => ({ value: o.id, label: o.name, hint: kinds.size > 1 ? o.objectKind : "" }));
    }
    case "tag": {
      const panel = {
        type: "distribution",
        ...(variable.kind ? { kind: variable.kind } : {}),
        columns: [{ name: "value", tag: variable.key }],
        buckets: { of: "value", by: "values" },
      };
      const answer = await askPanel({ panel, variables: texts(others), time: NEWEST }, signal);
      return (answer.buckets ?? [])
        .filter((b) => fits(b.label))
        .map((b) => ({ value: b.label, label: b.label, hint: String(b.count) }));
    }
    case "group": {
      const { items } = await get("/groups", { limit: MOST }, signal);
      return items.filter((g) => fits(g.name)).map((g) => ({ value: g.name, label: g.name, hint: "" }));
    }
    case "metric": {
      const [adapter, kind] = (first(variable.kind) ?? "").split("/");
      if (!kind) return [];
      const { items } = await get(
        `/adapter-kinds/${encodeURIComponent(adapter)}/object-kinds/${encodeURIComponent(kind)}/keys`,
        { q: typed, limit: 60 },
        signal,
      );
      return items
        .filter((k) => k.source !== "property")
        .map((k) => ({ value: k.key, label: k.name ?? metricName(k.key), hint: k.key }));
    }
    default:
      return [];
  }
}
