import { contextAt } from "/app/formula/context.js";
import { equal, test } from "/test/harness.js";

/** The context at the caret, which is the sign \u00a6 in `marked`. */
function there(marked) {
  const caret = marked.indexOf("\u00a6");
  const text = marked.replace("\u00a6", "");
  const context = contextAt(text, caret);
  return context && { ...context, replaced: text.slice(context.from, context.to) };
}

test("A completion replaces the whole word under the caret", () => {
  equal([there("su\u00a6m + 1").replaced, there("1 + \u00a6").replaced], ["sum", ""]);
  equal(there("${this, metric=cpu|us\u00a6age_average}").replaced, "cpu|usage_average");
  equal(there("${objecttype=Host\u00a6System, metric=x}").replaced, "HostSystem");
});

test("A completion never replaces an entry that follows", () => {
  equal(there("av\u00a6${this, metric=x}").replaced, "av");
  equal(there("${this, metric=cpu\u00a6${this, metric=x}").replaced, "cpu");
});

test("A number is not completed", () => equal([there("12\u00a6"), there("1.5\u00a6")], [null, null]));

test("Aliases of the formula are known where an expression stands", () => {
  equal(there("sum(x) as total / to\u00a6").aliases, ["total"]);
});

test("An entry offers those clauses that it does not have yet", () => {
  const { names, self } = there("${\u00a6");
  equal(
    [self, names.includes("metric"), names.includes("attribute"), names.includes("depth")],
    [true, true, true, true],
  );
  const later = there("${adaptertype=VMWARE, metric=x, \u00a6}");
  equal([later.self, later.names.some((n) => ["adaptertype", "metric", "attribute"].includes(n))], [false, false]);
});

test("Old names of clauses are read but not offered", () => {
  const { names } = there("${\u00a6");
  equal(
    names.filter((n) => ["adapterkind", "resourcekind", "resourcename", "property"].includes(n)),
    [],
  );
  equal(there("${resourcekind=HostSystem, \u00a6}").names.includes("objecttype"), false);
});

test("An entry of the object itself offers nothing that says which object", () => {
  equal(
    there("${this, \u00a6}").names.filter((n) => ["adaptertype", "objecttype", "objectname", "depth"].includes(n)),
    [],
  );
});

test("A key is looked for on the kind that the entry says", () => {
  equal(there("${adaptertype=VMWARE, objecttype=HostSystem, metric=cp\u00a6}").entry, {
    self: false,
    adapter: "VMWARE",
    objectKind: "HostSystem",
  });
  equal(there("${this, metric=\u00a6}").entry.self, true);
  equal(
    there("${objecttype=HostSystem, metric=x, where=(${metric=\u00a6})}").entry.objectKind,
    "HostSystem",
    "in a condition it is the kind of the entry around it",
  );
});

test("A value of a condition is looked for by its key", () => {
  const quoted = there('${objecttype=Host, metric=x, where="runtime|state equals powered\u00a6"}');
  equal([quoted.kind, quoted.key, quoted.typed, quoted.quote], ["where-value", "runtime|state", "powered", ""]);
  const inBrackets = there("${objecttype=Host, metric=x, where=(${metric=runtime|state} == 'on\u00a6')}");
  equal(
    [inBrackets.kind, inBrackets.key, inBrackets.typed, inBrackets.quote],
    ["where-value", "runtime|state", "on", "'"],
  );
});

test("Nothing is listed before the quote of a condition, and within identifiers", () => {
  equal([there("${metric=x, where=\u00a6}"), there("${identifiers={id=\u00a6}, metric=x}")], [null, null]);
});
