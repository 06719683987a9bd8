import {
  durationOk,
  eventWord,
  listOf,
  placeOf,
  STATE_NAMES,
  stateWord,
  typeWord,
  verdictWords,
} from "/app/pages/notifications/words.js";
import { equal, holds, test } from "/test/harness.js";

test("What is not known is called as it is", () => {
  equal(
    [eventWord("BOOM"), typeWord("pigeon"), stateWord("lost"), verdictWords("odd")],
    ["BOOM", "pigeon", "lost", "odd"],
  );
});

test("Events, types, states and verdicts have their words", () => {
  equal(
    [eventWord("REPORT"), typeWord("email"), stateWord("retry"), verdictWords("delivered")],
    ["Report", "E-mail", "tried again", "delivered"],
  );
  for (const state of STATE_NAMES) holds(stateWord(state).length > 0, state);
});

for (const [target, place] of [
  [{ webhook: { url: "https://x.example/hook" } }, "https://x.example/hook"],
  [{ email: { to: ["a@x.example", "b@x.example"], host: "mail" } }, "a@x.example, b@x.example by mail"],
  [{ email: { host: "mail" } }, " by mail"],
  [{ snmp: { host: "trap", version: "v3", inform: true } }, "trap:162, v3 inform"],
  [{ snmp: { host: "trap", port: 1162, version: "v2c" } }, "trap:1162, v2c trap"],
  [{}, ""],
])
  test(`A target leads to "${place}"`, () => equal(placeOf(target), place));

for (const [text, ok] of [
  ["10m", true],
  ["1s", true],
  ["999999h", true],
  ["7d", true],
  ["0s", false],
  ["010m", false],
  ["1000000s", false],
  ["10", false],
  ["10 m", false],
  ["5ms", false],
  ["", false],
])
  test(`"${text}" is ${ok ? "a" : "no"} duration of a rule`, () => equal(durationOk(text), ok));

test("A list is read from text between commas, without what is empty", () => {
  equal([listOf(" a, b ,,c,"), listOf(""), listOf(" , ")], [["a", "b", "c"], [], []]);
});
