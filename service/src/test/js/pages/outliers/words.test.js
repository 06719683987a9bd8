import { setZone } from "/app/core/zone.js";
import {
  acceptedText,
  againstText,
  agoText,
  eventWords,
  farText,
  groupEdit,
  judgedText,
  memberWords,
  rangeText,
  scoreText,
  sensitivityName,
  sinceText,
  standing,
  usualText,
} from "/app/pages/outliers/words.js";
import { equal, test } from "/test/harness.js";

const cpu = { key: "cpu|usage_average", unit: "%" };
const sent = { key: "net|transmitted_average", unit: "KBps" };

test("An event of configuration is said by its first property", () => {
  const policy = { name: "Multipath policy", value: "FIXED", common: "RR" };
  const event = { evidence: "configuration", metrics: [], object: { name: "esx-07" } };
  equal(eventWords({ ...event, properties: [policy] }), "multipath policy FIXED, not RR");
  equal(
    eventWords({ ...event, properties: [{ name: "NTP", value: " ", common: "a" }, policy, policy] }),
    "NTP empty, not a and 2 more",
  );
});

test("Both ends of a range are in one unit and as exact as each other", () => {
  equal(rangeText(10742, 15991, sent), "88 to 131 Mbit/s");
  equal(rangeText(10742, 15991, sent, false), "88 to 131");
  equal(rangeText(0, 61.04, cpu), "0 to 61 %");
  equal(rangeText(-3.26, 3.26, cpu), "-3.26 to 3.26 %");
  equal(rangeText(0, 0, cpu), "0 to 0 %");
});

test("A range of which an end is not known is none", () => {
  equal([rangeText(null, 5, cpu), rangeText(5, null, cpu), rangeText(undefined, undefined, cpu)], ["-", "-", "-"]);
});

test("What is never below zero is accepted up to a value", () => {
  equal(acceptedText({ ...cpu, lower: -4, upper: 20, centre: 8, value: 9 }), "up to 20 %");
  equal(acceptedText({ ...cpu, lower: -4, upper: 20, centre: 8, value: null }), "up to 20 %");
  equal(acceptedText({ ...cpu, lower: 2, upper: 20, centre: 8, value: 9 }), "2 to 20 %");
  equal(acceptedText({ ...cpu, lower: -4, upper: 20, centre: 8, value: -1 }), "-4 to 20 %", "it was below zero");
  equal(
    acceptedText({ ...cpu, lower: -20, upper: 4, centre: -8, value: null }),
    "-20 to 4 %",
    "its middle is below zero",
  );
  equal(acceptedText({ ...cpu, lower: null, upper: null, centre: null, value: null }), "-");
});

test("Two values are compared in one unit", () => {
  equal(againstText(50293, 12695, sent), "412 against 104");
  equal([againstText(null, 5, cpu), againstText(5, null, cpu)], ["- against 5", "5 against -"]);
});

for (const [deviant, metric, text] of [
  [{ value: 412, centre: 100, factor: 4.12 }, sent, "4.1 \u00d7"],
  [{ value: 92, centre: 80, factor: 1.15 }, cpu, "+12 pts"],
  [{ value: 68, centre: 80, factor: null }, cpu, "-12 pts"],
  [{ value: 3072, centre: 1024, factor: null }, { key: "mem|x", unit: "KB" }, "+2 MiB"],
  [{ value: 5, centre: null, factor: null }, cpu, "5 %"],
  [{ value: null, centre: 80, factor: null }, cpu, "no data"],
])
  test(`What is ${deviant.value} among ${deviant.centre} is out by ${text}`, () =>
    equal(farText(deviant, metric), text));

for (const [score, text] of [
  [0, "0.0"],
  [3.14, "3.1"],
  [-3.14, "3.1"],
  [9.94, "9.9"],
  [9.97, "10"],
  [12.4, "12"],
  [12345.6, "12,346"],
  [null, "-"],
  [undefined, "-"],
])
  test(`A score of ${score} is written as ${text}`, () => equal(scoreText(score), text));

for (const [time, text] of [
  ["2026-11-23T12:25:10Z", "35 min ago"],
  ["2026-11-23T11:10:00Z", "1 h 50 min ago"],
  ["2026-11-23T09:20:00Z", "3 h ago"],
  ["2026-11-21T14:00:00Z", "47 h ago"],
  ["2026-11-21T12:00:00Z", "2 d ago"],
  ["2026-11-23T13:00:05Z", "0 s ago"],
  [null, "-"],
])
  test(`What was at ${time} was ${text}`, () => equal(agoText(time), text));

test("A moment of today is a clock time, one of yesterday a date", () => {
  setZone("UTC");
  equal(["2026-11-23T00:05:00Z", "2026-11-22T23:55:00Z", "2026-11-22T12:00:00Z"].map(sinceText), [
    "00:05",
    "22 Nov",
    "22 Nov",
  ]);
});

const event = { metrics: [{ ...sent, factor: 4.02 }], side: "high", object: { name: "web-07" }, evidence: "peers" };

test("An event says what is on which side of what", () => {
  equal(eventWords(event), "network sent 4.0 \u00d7, above its peers");
  equal(eventWords({ ...event, side: "low", metrics: [{ ...cpu, factor: null }] }), "CPU usage below its peers");
  equal(eventWords({ ...event, metrics: [] }), "values above its peers");
  equal(eventWords({ ...event, object: null, side: "low" }), "the whole group fell in network sent");
  equal(eventWords({ ...event, evidence: "unusual" }), "the whole group is above what is usual in network sent");
});

test("An event stands open with its time, or on its date with how long it lasted", () => {
  setZone("UTC");
  const open = { state: "open", since: "2026-11-23T11:40:00Z", closedAt: null, flaps: 0 };
  equal(standing(open), "open, 80 min");
  equal(standing({ ...open, state: "unknown", flaps: 3 }), "no data now, 80 min, flapped 3\u00d7");
  equal(
    standing({ ...open, state: "closed", since: "2026-11-12T11:00:00Z", closedAt: "2026-11-12T11:45:00Z" }),
    "12 Nov, 45 min",
  );
});

for (const [member, text] of [
  [{ state: "deviant", since: "2026-11-23T11:40:00Z" }, "open since 11:40"],
  [{ state: "deviant", since: null }, "open"],
  [{ state: "expected", expectedUntil: null }, "expected until somebody says otherwise"],
  [{ state: "expected", expectedUntil: "2026-12-01T08:00:00Z" }, "expected until 1 Dec 08:00"],
  [{ state: "not-judged", reason: "no-data", lastValue: "2026-11-23T10:00:00Z" }, "silent since 10:00"],
  [{ state: "not-judged", reason: "no-data", lastValue: null }, "no data"],
  [{ state: "not-judged", reason: "unheard-of" }, "not judged"],
  [{ state: "unheard-of" }, "unheard-of"],
])
  test(`A member reads "${text}"`, () => {
    setZone("UTC");
    equal(memberWords(member), text);
  });

test("A group says how many of its members were judged", () => {
  const group = (judged, members, objectKind) => ({
    now: { judged, members },
    objectKind: { objectKind },
    bucketMillis: 300_000,
  });
  equal(judgedText(group(11, 12, "VirtualMachine")), "11 of 12 VMs judged, every 5 min");
  equal(judgedText(group(12, 12, "HostSystem")), "12 hosts judged, every 5 min");
  equal(judgedText(group(1, 1, "HostSystem")), "1 host judged, every 5 min");
});

test("What is usual is said once it is learned, until then how far that is", () => {
  equal(usualText({ ...cpu, usual: null }), "");
  const learning = { upper: null, neededDays: 7 };
  equal(usualText({ ...cpu, usual: { ...learning, learnedDays: 0 } }), "learning what is usual, day 1 of 7");
  equal(usualText({ ...cpu, usual: { ...learning, learnedDays: 2.5 } }), "learning what is usual, day 3 of 7");
  equal(usualText({ ...cpu, usual: { ...learning, learnedDays: 9 } }), "learning what is usual, day 7 of 7");
  equal(usualText({ ...cpu, centre: 40, usual: { lower: 30, upper: 50 } }), "median usually 30 to 50 % at this hour");
});

test("A sensitivity has a name when it is one of three", () => {
  equal([6, 4.5, 3.5, 5].map(sensitivityName), ["Low", "Medium", "High", "Own"]);
});

test("A group is sent with what people write of it and nothing else", () => {
  const group = {
    id: "1",
    version: 3,
    name: "web",
    description: null,
    enabled: false,
    metrics: [
      { key: "cpu|usage", minDeviation: 0, transform: "", name: "CPU" },
      { key: "mem|usage", minDeviation: null },
    ],
    now: { members: 3 },
  };
  equal(groupEdit(group), {
    name: "web",
    enabled: false,
    metrics: [{ key: "cpu|usage", minDeviation: 0 }, { key: "mem|usage" }],
  });
});
