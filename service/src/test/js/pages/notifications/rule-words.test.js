import { BLANK, editOf, shown, whenWords, whoWords } from "/app/pages/notifications/rule-words.js";
import { equal, test } from "/test/harness.js";

const rule = (more = {}) => ({ ...BLANK, ...more });
const all = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

for (const [more, text] of [
  [{}, "every alert"],
  [{ severities: { atLeast: "information" } }, "every alert"],
  [{ severities: { atLeast: "warning" } }, "warning and worse"],
  [{ severities: { atLeast: "critical" } }, "critical"],
  [{ severities: { anyOf: ["information", "critical", "warning"] } }, "critical, warning or information"],
  [{ events: ["NEW"] }, "only new"],
  [{ events: ["NEW", "CANCEL"] }, "only new or cancel"],
  [{ objectKinds: [{ objectKind: "VirtualMachine" }, { objectKind: "HostSystem" }] }, "of VMs or Hosts"],
  [{ definitions: ["a"] }, "of 1 definition"],
  [{ definitions: ["a", "b"] }, "of 2 definitions"],
  [{ scope: { tags: ["env=prod"], exclude: [{ name: "test-*" }] } }, "with env=prod, but not named test-*"],
  [{ scope: { tags: [], name: "" } }, "every alert"],
  [{ when: "alert.risk > 2", sampling: 10 }, "when alert.risk > 2, 10 % of them"],
  [{ sampling: 0 }, "0 % of them"],
])
  test(`A rule takes "${text}" by ${JSON.stringify(more)}`, () => equal(whoWords(rule(more)), text));

for (const [more, text] of [
  [{}, "at once"],
  [{ delay: "0s" }, "at once"],
  [{ delay: "10m" }, "after 10m"],
  [{ resend: { every: "1h" } }, "at once, again every 1h"],
  [{ resend: { every: "1h", max: 3 } }, "at once, again every 1h, 3 times"],
  [{ resend: { every: "1h", max: 1 } }, "at once, again every 1h, once"],
  [{ group: { by: ["incident"] } }, "at once, one for each incident"],
  [{ group: { by: ["object.kind", "rule"] } }, "at once, together by object.kind, rule"],
  [{ group: { by: [] } }, "at once, together by rule"],
  [{ windows: { active: [{ days: all, from: "08:00", to: "18:00" }] } }, "at once, only every day 08:00 to 18:00"],
  [
    { windows: { active: [{ days: all.slice(0, 5).reverse(), from: "08:00", to: "18:00" }] } },
    "at once, only Mon to Fri 08:00 to 18:00",
  ],
  [
    {
      windows: {
        mute: [
          { days: ["sun", "sat"], from: "00:00", to: "24:00" },
          { days: ["mon"], from: "06:00", to: "07:00" },
        ],
      },
    },
    "at once, not at weekends 00:00 to 24:00 nor Mon 06:00 to 07:00",
  ],
])
  test(`A rule with ${JSON.stringify(more)} sends "${text}"`, () => equal(whenWords(rule(more)), text));

test("A rule is sent back without what says nothing, and with what says no", () => {
  const kept = editOf({
    ...rule({ name: "x", enabled: false, continue: false, order: 0, sampling: 0, scope: { tags: [] }, vars: {} }),
    id: "1",
    version: 3,
    windows: { active: [], mute: [] },
  });
  equal(kept, {
    name: "x",
    enabled: false,
    continue: false,
    order: 0,
    sampling: 0,
    template: "generic-json",
    targets: [],
  });
});

test("Windows and the scope are sent back with what they hold", () => {
  const windows = { zone: "UTC", active: [{ days: ["mon"], from: "08:00", to: "09:00" }], mute: [] };
  const { scope, windows: sent } = editOf(rule({ windows, scope: { tags: ["a"], exclude: [{}, { name: "t" }] } }));
  equal(
    [sent, scope],
    [
      { zone: "UTC", active: windows.active },
      { tags: ["a"], exclude: [{ name: "t" }] },
    ],
  );
});

for (const [name, value, text] of [
  ["scope", {}, "every object"],
  ["severities", null, "every"],
  ["windows", null, "always"],
  ["windows", { active: [{ days: ["sat", "sun"], from: "08:00", to: "09:00" }] }, "only at weekends 08:00 to 09:00"],
  ["resend", null, "never"],
  ["group", null, "no"],
  ["group", { by: ["rule"] }, "by rule"],
  ["enabled", false, "no"],
  ["vars", {}, "none"],
  ["vars", { a: 1, b: "x" }, "a = 1, b = x"],
  ["order", 0, "0"],
  ["delay", null, "none"],
  ["events", [], "every"],
  ["types", ["A", "B"], "A, B"],
  ["targets", [], "none"],
  ["changes", [], "severity, resend, update"],
  ["changes", ["note"], "note"],
])
  test(`In a comparison ${name} of ${JSON.stringify(value)} reads "${text}"`, () => equal(shown(name, value), text));
