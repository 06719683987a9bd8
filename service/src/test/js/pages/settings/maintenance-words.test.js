import { setZone } from "/app/core/zone.js";
import { nextText, whenText } from "/app/pages/settings/maintenance-words.js";
import { equal, test } from "/test/harness.js";

const inBerlin = (name, body) =>
  test(name, () => {
    setZone("Europe/Berlin");
    body();
  });

for (const [days, text] of [
  [["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "every day"],
  [["fri", "thu", "wed", "tue", "mon"], "Monday to Friday"],
  [["sun", "sat"], "at weekends"],
  [["thu"], "every Thu"],
  [["thu", "tue"], "every Tue and Thu"],
  [["mon", "wed", "sun"], "every Mon, Wed and Sun"],
  [[], "on no day"],
  [undefined, "on no day"],
])
  test(`A window on ${days?.join(" ") ?? "days that are not said"} is ${text}`, () => {
    const recurring = { days, start: "22:00", duration: "2h", zone: "UTC" };
    equal(whenText({ recurring }), `${text} at 22:00 for 2h, UTC`);
  });

test("A window may have a first and a last day", () => {
  const recurring = { days: ["mon"], start: "22:00", duration: "2h", zone: "UTC" };
  equal(
    whenText({ recurring: { ...recurring, from: "2026-12-01" } }),
    "every Mon at 22:00 for 2h, UTC, from 2026-12-01",
  );
  equal(
    whenText({ recurring: { ...recurring, from: "2026-12-01", until: "2026-12-31" } }),
    "every Mon at 22:00 for 2h, UTC, from 2026-12-01 until 2026-12-31",
  );
});

test("A window without a time never takes effect", () => equal(whenText({}), "never"));

for (const [from, to, text] of [
  ["2026-11-23T21:00:00Z", "2026-11-23T22:30:00Z", "22:00 to 23:30"],
  ["2026-11-24T07:00:00Z", "2026-11-24T08:00:00Z", "24 Nov 08:00 to 09:00"],
  ["2026-11-23T21:00:00Z", "2026-11-24T01:00:00Z", "23 Nov 22:00 to 24 Nov 02:00"],
  ["2026-12-31T22:00:00Z", "2027-01-01T01:00:00Z", "31 Dec 23:00 to 1 Jan 2027 02:00"],
])
  inBerlin(`A window of once is ${text}`, () => equal(whenText({ oneOff: { from, to } }), text));

inBerlin("The next time of a window is said with how long that is from now", () => {
  const next = { from: "2026-11-23T21:00:00Z", to: "2026-11-23T22:00:00Z" };
  equal(nextText({ enabled: true, activeNow: false, next }), "22:00 to 23:00, in 8 h");
  equal(nextText({ enabled: true, activeNow: true, next }), "now, until 23:00");
  equal(nextText({ enabled: true, activeNow: true, next: null }), "now, until it is ended");
  equal(nextText({ enabled: true, activeNow: false, next: null }), "none to come");
  equal(nextText({ enabled: false, activeNow: false, next }), "switched off");
});
