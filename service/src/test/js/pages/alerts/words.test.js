import { session } from "/app/core/session.js";
import { setZone } from "/app/core/zone.js";
import { completions, controlWords, openFor, parseFilter, spanText, stateWords } from "/app/pages/alerts/words.js";
import { at, equal, test } from "/test/harness.js";

const alert = (more = {}) => ({
  number: 7,
  state: "active",
  controlState: "open",
  severity: "warning",
  impact: "health",
  owner: null,
  since: "2026-11-23T12:00:00Z",
  openedAt: "2026-11-23T12:03:00Z",
  canceledAt: null,
  definition: { name: "CPU is busy", source: "threshold" },
  object: { name: "esx a-01", objectKind: "HostSystem" },
  ...more,
});
const inUtc = (body) => (setZone("UTC"), body());
const found = (filter, more) => parseFilter(filter).matches(alert(more));

test("A filter without words finds every alert", () => {
  for (const text of ["", "   "]) equal([parseFilter(text).empty, found(text)], [true, true]);
});

test("Free words must all be in the number, the title, the object or the owner", () => {
  equal(
    ["A-7", "busy CPU", "esx", "cpu esx", "cpu db", "ada"].map((w) => found(w)),
    [true, true, true, true, false, false],
  );
  equal(found("ada busy", { owner: "Ada" }), true);
});

test("Values of one key are alternatives, keys must all hold", () => {
  equal(found("severity:critical severity:warning"), true);
  equal(found("severity:warning impact:risk"), false);
  equal(found("severity:warning cpu"), true);
});

test("A value with a blank stands in quotes", () => {
  equal([found('object:"esx a-01"'), found("object:esx"), found('rule:"CPU is busy"')], [true, false, true]);
  equal(found('object:"esx a-01'), true, "while the second one is not typed yet");
});

for (const word of [
  "objects",
  "rules",
  "kinds",
  "owners",
  "iso",
  "isn",
  "impacts",
  "severity",
  "constructor:x",
  "naa:6",
])
  test(`The word ${word} is searched for as it is`, () => {
    const { query, unknown } = parseFilter(word);
    equal([query.q, unknown], [word.toLowerCase(), []]);
    equal(found(word, { object: { name: `x-${word}-1`, objectKind: "HostSystem" } }), true);
    equal(found(word), false);
  });

test("A kind is found by its id and by its word", () => {
  equal([found("kind:HostSystem"), found("kind:Host"), found("kind:VM")], [true, true, false]);
});

test("Nobody owns an alert without an owner", () => {
  equal([found("owner:nobody"), found("owner:ada"), found("owner:ada", { owner: "ada" })], [true, false, true]);
});

test("Mine is what I own, and nothing while nobody is signed in", () => {
  session.info = null;
  equal(found("is:mine"), false);
  session.info = { name: "ada" };
  equal(
    [found("is:mine"), found("is:mine", { owner: "ada" }), found("is:mine", { owner: "bob" })],
    [false, true, false],
  );
  session.info = null;
});

test("An alert is new for an hour", () => {
  at("2026-11-23T13:02:59Z");
  equal(found("is:new"), true);
  at("2026-11-23T13:03:00Z");
  equal(found("is:new"), false);
});

test("A value that a key cannot have is said to be of no use, and does not filter", () => {
  const { unknown, matches } = parseFilter("severity:awful is:open impact: owner:");
  equal(unknown, ["severity:awful", "is:open", "impact:", "owner:"]);
  equal(matches(alert()), true);
});

test("What the server can filter by is passed on to it", () => {
  equal(parseFilter("severity:critical kind:HostSystem impact:risk is:mine web").query, {
    q: "web",
    severity: ["critical"],
    impact: ["risk"],
    objectKind: ["HostSystem"],
  });
});

test("A key can be left out, to count what its other values would find", () => {
  const { matchesBut } = parseFilter("severity:critical owner:nobody");
  equal([matchesBut(alert(), "severity"), matchesBut(alert(), "owner")], [true, false]);
});

test("Completions are of what the alerts at hand have, with quotes around blanks", () => {
  equal(completions("object:", [alert(), alert()]), ['object:"esx a-01"']);
  equal(completions("web SEVERITY:c", []), ["severity:critical"]);
  equal(completions("severity:critical", []), [], "it is there already");
});

test("A plain open alert needs no words", () => equal(stateWords(alert()), ""));

for (const [more, text] of [
  [
    { controlState: "acknowledged", acknowledgedBy: "ada", acknowledgedAt: "2026-11-23T12:30:00Z" },
    "acknowledged by ada, 12:30",
  ],
  [{ controlState: "acknowledged", acknowledgedBy: null, acknowledgedAt: null }, "acknowledged by somebody"],
  [{ controlState: "suspended", suspendedUntil: "2026-11-24T08:00:00Z" }, "suspended until 24 Nov 08:00"],
  [{ controlState: "suspended", suspendedUntil: null }, "suspended until somebody resumes it"],
  [{ controlState: "suppressed", maintenance: { name: "Patches" } }, "suppressed by maintenance: Patches"],
  [{ controlState: "suppressed", maintenance: null }, "suppressed by maintenance"],
  [{ state: "canceled", canceledAt: "2026-11-23T12:40:00Z", cancelReason: "cleared" }, "closed 12:40, it cleared"],
  [
    { state: "canceled", canceledAt: "2026-11-22T12:40:00Z", cancelReason: "object-gone" },
    "closed 22 Nov 12:40, the object is gone",
  ],
  [
    { state: "canceled", canceledAt: "2026-11-23T12:40:00Z", cancelReason: "object-removed" },
    "closed 12:40, the object was removed at its source",
  ],
  [{ state: "canceled", canceledAt: "2026-11-23T12:40:00Z", cancelReason: "unheard-of" }, "closed 12:40"],
])
  test(`The state of an alert reads "${text}"`, () => inUtc(() => equal(controlWords(alert(more)), text)));

test("The time of an open alert runs on, that of a closed one stands", () => {
  equal(openFor(alert()), 3_600_000);
  equal(openFor(alert({ canceledAt: "2026-11-23T12:10:00Z" })), 600_000);
});

for (const [since, canceledAt, text] of [
  ["2026-11-23T12:00:00Z", "2026-11-23T12:35:00Z", "12:00 to 12:35"],
  ["2026-11-20T12:00:00Z", "2026-11-20T12:35:00Z", "20 Nov 12:00 to 12:35"],
  ["2026-11-20T12:00:00Z", "2026-11-22T12:35:00Z", "20 Nov 12:00 to 22 Nov 12:35"],
  ["2026-11-22T23:50:00Z", "2026-11-23T00:10:00Z", "22 Nov 23:50 to 23 Nov 00:10"],
])
  test(`A closed alert was open ${text}`, () => inUtc(() => equal(spanText(alert({ since, canceledAt })), text)));
