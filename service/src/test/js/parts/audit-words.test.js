import {
  detailLines,
  kindName,
  operationWords,
  outcomeText,
  pageOf,
  versions,
  what,
  who,
} from "/app/parts/audit-words.js";
import { equal, test } from "/test/harness.js";

const entry = (more = {}) => ({
  operation: "putThreshold",
  kind: "thresholds",
  object: "7",
  outcome: "succeeded",
  tokenName: "ada",
  related: [],
  versionBefore: 1,
  versionAfter: 2,
  count: 1,
  details: {},
  ...more,
});

test("An operation reads as people would say it", () => {
  equal(["putNotificationRule", "deleteToken", "authenticate", "relay"].map(operationWords), [
    "Change notification rule",
    "Delete token",
    "Credentials not accepted",
    "Alert of another system",
  ]);
});

test("An entry leads to the page of what it is about, if that is still there", () => {
  equal(pageOf(entry()), "/thresholds/7");
  equal(pageOf(entry({ kind: "tokens", object: "1" })), "/settings");
  equal(
    [
      { operation: "deleteThreshold" },
      { outcome: "refused" },
      { operation: "putPack" },
      { object: null },
      { kind: "jobs" },
    ].map((more) => pageOf(entry(more))),
    [null, null, null, null, null],
  );
});

test("Of a success nothing more is said than that", () => {
  equal(outcomeText(entry()), "");
  equal(outcomeText(entry({ outcome: "refused", error: "no role", count: 3 })), "refused, no role, 3 times");
  equal(outcomeText(entry({ outcome: "failed" })), "failed");
});

test("An entry says who did it, as far as that is known", () => {
  equal(
    [who(entry()), who(entry({ tokenName: null })), who(entry({ tokenName: null, kind: "notification-relays" }))],
    ["ada", "nobody known", "another system"],
  );
});

test("What an entry is about has its name, else its id, else a number of things", () => {
  equal(
    [
      what(entry({ objectName: "CPU" })),
      what(entry()),
      what(entry({ object: null, related: [1, 2] })),
      what(entry({ object: null })),
    ],
    ["CPU", "7", "2 things", ""],
  );
});

test("Versions are those before and after", () => {
  equal(
    [versions(entry()), versions(entry({ versionBefore: null })), versions(entry({ versionAfter: null }))],
    ["1 \u2192 2", "2", ""],
  );
});

test("Details are lines of words, whatever they hold", () => {
  equal(detailLines(entry({ details: { rowLimit: 5, kinds: ["a", null], range: { from: 1, to: null }, on: false } })), [
    ["row limit", "5"],
    ["kinds", "a, none"],
    ["range", "from 1, to none"],
    ["on", "false"],
  ]);
});

test("A sort of things that is not known is called as it is", () =>
  equal([kindName("tokens"), kindName("odd"), kindName(null)], ["Tokens", "odd", ""]));
