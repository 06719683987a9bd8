import { clauseName, read } from "/app/formula/tokens.js";
import { equal, test } from "/test/harness.js";

/** Tokens as `kind:text`, without blanks. */
const tokens = (text) =>
  read(text)
    .tokens.filter((t) => t.kind !== "blank")
    .map((t) => `${t.kind}:${text.slice(t.start, t.end)}`);
const clauses = (text, entry = 0) => read(text).entries[entry].clauses.map((c) => `${c.name}=${c.value}`);

test("An empty formula has no tokens", () => equal([tokens(""), tokens("  \n")], [[], []]));

test("Numbers, names, functions and signs are told apart", () => {
  equal(tokens("sum(a1, .5) * 1.5e-3"), ["fn:sum", "op:(", "name:a1", "op:,", "num:.5", "op:)", "op:*", "num:1.5e-3"]);
});

test("A function is one before a bracket, with blanks between or not", () => {
  equal([tokens("avg (x)")[0], tokens("avg")[0]], ["fn:avg", "name:avg"]);
});

test("An alias is named behind its expression", () => {
  const { aliases } = read("sum(x) as total / count(x) AS n_1");
  equal(aliases, ["total", "n_1"]);
});

test("A text runs to its quote, or to the end while that is missing", () => {
  equal([tokens("'a)b' + 1"), tokens("'not closed")], [["str:'a)b'", "op:+", "num:1"], ["str:'not closed"]]);
});

test("An entry of the object itself has its metric", () => {
  const text = "${this, metric=cpu|usage_average}";
  equal(read(text).entries[0].self, true);
  equal(clauses(text), ["metric=cpu|usage_average"]);
});

test("The old names of clauses mean the same", () => {
  equal(["adapterkind", "ResourceKind", "resourcename", "DEPTH"].map(clauseName), [
    "adaptertype",
    "objecttype",
    "objectname",
    "depth",
  ]);
  equal(clauses("${adapterkind=VMWARE, resourcekind=HostSystem, attribute=cpu|usage, depth=-1}"), [
    "adaptertype=VMWARE",
    "objecttype=HostSystem",
    "attribute=cpu|usage",
    "depth=-1",
  ]);
});

test("A comma ends a value only before a clause that there is", () => {
  equal(clauses("${objectname=a, b, metric=cpu|x}"), ["objectname=a, b", "metric=cpu|x"]);
  equal(clauses("${objectname=a, unheard=b}"), ["objectname=a, unheard=b"]);
});

test("Braces of identifiers belong to them", () => {
  equal(clauses("${identifiers={vc=1, metric=7}, metric=x}"), ["identifiers={vc=1, metric=7}", "metric=x"]);
});

for (const [opening, closing] of ['""', "\u201c\u201d", '\u201c"', "\u201d\u201d"].map((q) => [...q]))
  test(`A condition may stand in the quotes ${opening} and ${closing}`, () => {
    equal(clauses(`\${metric=x, where=${opening}a|b equals c, d${closing}, depth=1}`), [
      "metric=x",
      `where=${opening}a|b equals c, d${closing}`,
      "depth=1",
    ]);
  });

test("A condition in brackets ends at its own bracket, whatever is within", () => {
  const text = "${metric=x, where=($value > 1 && (${metric=a|b} !contains 'x)')), depth=2}";
  equal(clauses(text), ["metric=x", "where=($value > 1 && (${metric=a|b} !contains 'x)'))", "depth=2"]);
  equal(clauses(text, 1), ["metric=a|b"]);
  equal(
    tokens(text).filter((t) => /^(fn|str|key:\$)/.test(t)),
    ["key:$value", "fn:!contains", "str:'x)'"],
  );
});

test("An entry that is not closed ends where the next one begins", () => {
  const { entries } = read("${this, metric=a ${this, metric=b}");
  equal(
    entries.map((e) => e.clauses.map((c) => c.value)),
    [["a"], ["b"]],
  );
});
