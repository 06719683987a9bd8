import { setZone } from "/app/core/zone.js";
import { toBody } from "/app/pages/reports/report.js";
import { deadOf, lengthOk, nextWords, outcome, partsWords, timeWords } from "/app/pages/reports/words.js";
import { equal, test } from "/test/harness.js";

const run = (more) => ({ state: "done", panels: 4, failed: 0, deliveries: [], ...more });

test("A range of time is what the report says, or that of the dashboard", () => {
  equal([timeWords(null), timeWords({ last: "7d" })], ["as the dashboard has it", "the last 7 d"]);
  equal(timeWords({ from: "2026-11-20T12:00:00Z", to: "2026-11-25T12:00:00Z" }), "20 Nov to 25 Nov");
});

test("A length has a number and a unit", () => {
  equal(["7d", "4w", "90m", "0d", "d", "", "1y"].map(lengthOk), [true, true, true, false, false, false, false]);
});

test("The next three runs are said with their days, and whose clocks show them", () => {
  setZone("Europe/Berlin");
  const now = Date.parse("2026-11-27T12:00:00Z");
  const schedule = { days: ["mon"], time: "07:00", zone: "Europe/Berlin" };
  equal(nextWords(schedule, now), "Next Mon 30 Nov 07:00, Mon 7 Dec 07:00 and Mon 14 Dec 07:00");
  equal(
    nextWords({ ...schedule, zone: "America/New_York" }, now),
    "Next Mon 30 Nov 13:00, Mon 7 Dec 13:00 and Mon 14 Dec 13:00, by the clocks of Europe/Berlin",
  );
  equal([nextWords(null, now), nextWords({ ...schedule, zone: "Mars" }, now)], ["", ""]);
});

test("Parts are counted and named, many of them only in part", () => {
  equal(partsWords(["a", "b"], 200), "2 now: a and b");
  equal(partsWords(["a", "b", "c", "d", "e"], 200), "5 now: a, b, c and 2 more");
  equal(partsWords(["a", "b", "c", "d", "e"], 5), "5 or more now: a, b, c and 2 more");
});

test("A run that is not whole says what is missing", () => {
  const target = { id: "1", name: "Boss" };
  equal(outcome(run({})), { kind: "alike", words: "4 panels" });
  equal(outcome(run({ failed: 1 })), { kind: "warning", words: "1 of 4 panels not answered" });
  equal(outcome(run({ state: "missed" })).words, "missed");
  equal(outcome(run({ state: "failed" })), { kind: "critical", words: "failed" });
  const unsent = { target, reason: "gone" };
  equal(outcome(run({ deliveries: [unsent, unsent] })), { kind: "warning", words: "did not reach Boss" });
  const sent = run({ failed: 1, deliveries: [{ target, delivery: "x" }] });
  equal(outcome(sent).words, "1 of 4 panels not answered");
  const dead = deadOf({
    items: [
      { id: "x", state: "dead" },
      { id: "y", state: "delivered" },
    ],
  });
  equal(outcome(sent, dead).words, "1 of 4 panels not answered, did not reach Boss");
  equal(outcome(run({ deliveries: [{ target, delivery: "y" }] }), dead).words, "4 panels");
});

test("Fields that say nothing are not sent", () => {
  equal(toBody({ name: "A", view: null, each: null, files: [], variables: {} }), {
    name: "A",
    files: [],
    variables: {},
  });
});
