import {
  completions,
  hasToken,
  millis,
  parseFilter,
  stateText,
  toggled,
  unitWord,
} from "/app/pages/super-metrics/words.js";
import { equal, test } from "/test/harness.js";

for (const word of ["states", "kinds", "iso", "packs", "tags", "adapters", "constructor:x", "a:b"])
  test(`The word ${word} is searched for as it is`, () =>
    equal(parseFilter(word), { query: { q: word }, unknown: [] }));

test("A state is filtered by either key, and only by one that there is", () => {
  equal(parseFilter("is:failing state:waiting").query, { state: ["failing", "waiting"] });
  equal(parseFilter("is:fine state: pack:").unknown, ["is:fine", "state:", "pack:"]);
});

test("A token is put in and taken out again, and the rest of the filter stays", () => {
  const text = toggled('cpu "two words"', "tag", "a b");
  equal(text, 'cpu "two words" tag:"a b"');
  equal([hasToken(text, "tag", "a b"), hasToken(text, "tag", "a")], [true, false]);
  equal(toggled(text, "tag", "a b"), 'cpu "two words"');
  equal(toggled("", "state", "failing"), "state:failing");
});

test("Completions name no kind, pack or tag twice", () => {
  const all = [
    { kinds: [{ objectKind: "HostSystem" }], pack: null, tags: ["x y"] },
    { kinds: [{ objectKind: "HostSystem" }], pack: "basics", tags: ["x y"] },
  ];
  equal(
    [completions("kind:", all), completions("pack:", all), completions("tag:", all)],
    [["kind:HostSystem"], ["pack:basics"], ['tag:"x y"']],
  );
});

test("A super metric says what its last tick gave", () => {
  equal(stateText({ state: "computing", evaluation: { computed: 12, withoutValue: 0 } }), ["12 of 12 objects", ""]);
  equal(
    stateText({ state: "computing", evaluation: { computed: 0, withoutValue: 1, noData: [{ text: "no host" }] } }),
    ["0 of 1 object", "1 without: no host"],
  );
  equal(stateText({ state: "failing", evaluation: { error: null } })[1], "the last tick gave an error");
  equal(stateText({ state: "unheard-of", evaluation: {} }), ["unheard-of", ""]);
});

test("The id of a unit is shown as people write it, whatever its case", () => {
  equal(["percent", "KBPS", "none", null, "widgets"].map(unitWord), ["%", "KBps", "", "", "widgets"]);
});

for (const [value, text] of [
  [0.004, "< 0.01 ms"],
  [0.05, "0.05 ms"],
  [2.345, "2.3 ms"],
  [42.4, "42 ms"],
  [12345, "12,345 ms"],
])
  test(`A tick of ${value} ms took ${text}`, () => equal(millis(value), text));
