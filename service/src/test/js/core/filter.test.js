import { complete, completions, parseFilter, words } from "/app/core/filter.js";
import { equal, test } from "/test/harness.js";

for (const [text, list] of [
  ["", []],
  ["   ", []],
  [" web  07 ", ["web", "07"]],
  ['tag:"team=a b" x', ["tag:team=a b", "x"]],
  ['"two words"', ["two words"]],
  ['name:"not closed yet', ["name:not closed yet"]],
  ['a"b c"d', ["ab cd"]],
  ['""', [""]],
])
  test(`The filter ${text} has ${list.length} words`, () => equal(words(text), list));

test("Words without a key are searched together", () => {
  equal(parseFilter("web 07"), { query: { q: "web 07" }, unknown: [] });
});

test("Several values of a key are alternatives, a name is the last one", () => {
  equal(parseFilter("kind:VirtualMachine kind:HostSystem name:a name:b").query, {
    objectKind: ["VirtualMachine", "HostSystem"],
    name: "b",
  });
});

test("A value may hold colons, and a word that begins with one is free text", () => {
  equal(parseFilter("tag:url=http://x:80 :x").query, { tag: ["url=http://x:80"], q: ":x" });
});

for (const word of ["kinds", "names", "tagged", "iso", "parents", "constructor:x", "toString:1", "naa:60"])
  test(`The word ${word} is searched for as it is`, () =>
    equal(parseFilter(word), { query: { q: word }, unknown: [] }));

test("Silent objects are found by either word, and the others by theirs", () => {
  equal(
    ["silent", "is:silent", "reporting", "is:reporting"].map((w) => parseFilter(w).query.silent),
    [true, true, false, false],
  );
});

test("Removed objects are found by either word", () => {
  equal(
    ["removed", "is:removed", "is:gone"].map((w) => parseFilter(w)),
    [
      { query: { removed: true }, unknown: [] },
      { query: { removed: true }, unknown: [] },
      { query: {}, unknown: ["is:gone"] },
    ],
  );
});

test("A key that is still without a value is said to be of no use", () => {
  equal(parseFilter("kind: tag: name:").unknown, ["kind:", "tag:", "name:"]);
});

const kinds = { items: [{ objectKinds: [{ objectKind: "VirtualMachine" }, { objectKind: "HostSystem" }] }] };
const rows = [{ tags: { tier: "web", team: "a b" }, properties: { os: "linux" } }];

test("The last word is completed, whatever the case of its letters", () => {
  equal(completions("web virt", kinds, rows), ["kind:VirtualMachine"]);
  equal(completions("IS:", kinds, rows), ["is:silent", "is:reporting", "is:removed"]);
  equal(completions("nothing-like-it", kinds, rows), []);
});

test("Tags are offered once their key is there, with quotes around blanks", () => {
  equal(completions("tag:", kinds, rows), ['tag:team="a b"', "tag:tier=web"]);
  equal(completions("tag:ti", null, rows), ["tag:tier=web"]);
});

test("A completion takes the place of the last word, and a key waits for its value", () => {
  equal(complete("web virt", "kind:VirtualMachine"), "web kind:VirtualMachine ");
  equal(complete("web ", "tag:"), "web tag:");
  equal(complete("", "is:silent"), "is:silent ");
});

test("What was completed is understood", () => {
  for (const option of completions("tag:", kinds, rows)) equal(parseFilter(option).unknown, []);
  equal(parseFilter('tag:team="a b"').query, { tag: ["team=a b"] });
});
