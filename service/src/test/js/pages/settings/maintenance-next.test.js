import { nextTimes, occurrence } from "/app/pages/settings/maintenance-next.js";
import { equal, holds, test } from "/test/harness.js";

const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const next = (recurring, now) => {
  const found = occurrence({ enabled: true, recurring }, Date.parse(now))?.next;
  return found && [found.from, found.to].map((t) => t.replace(".000Z", "Z"));
};
const daily = { days: DAYS, start: "22:00", duration: "2h", zone: "UTC" };

test("A window of every day is in effect to its end, and then comes again", () => {
  equal(next(daily, "2026-02-28T21:59:59Z"), ["2026-02-28T22:00:00Z", "2026-03-01T00:00:00Z"]);
  equal(next(daily, "2026-02-28T23:59:59Z"), ["2026-02-28T22:00:00Z", "2026-03-01T00:00:00Z"]);
  equal(next(daily, "2026-03-01T00:00:00Z"), ["2026-03-01T22:00:00Z", "2026-03-02T00:00:00Z"]);
});

test("A day is that of the zone of the window", () => {
  equal(next({ ...daily, days: ["tue"], start: "01:00", zone: "Asia/Kolkata" }, "2026-11-23T12:00:00Z"), [
    "2026-11-23T19:30:00Z",
    "2026-11-23T21:30:00Z",
  ]);
});

test("A window that clocks skip begins when they have gone forward, in the half of the world that does so in autumn", () => {
  equal(
    next(
      { ...daily, days: ["sun"], start: "02:15", duration: "30m", zone: "Australia/Lord_Howe" },
      "2026-10-02T00:00:00Z",
    ),
    ["2026-10-03T15:30:00Z", "2026-10-03T16:00:00Z"],
  );
});

test("A window is found at most a week and its length ahead, whatever the time is", () => {
  for (let h = 0; h < 24 * 15; h += 5) {
    const now = Date.parse("2026-03-20T00:30:00Z") + h * 3_600_000;
    for (const day of DAYS) {
      const found = occurrence({ enabled: true, recurring: { ...daily, days: [day], zone: "Europe/Berlin" } }, now);
      const [from, to] = [Date.parse(found.next.from), Date.parse(found.next.to)];
      const about = `${day} at ${new Date(now).toISOString()}: ${found.next.from}`;
      equal(to - from, 7_200_000);
      holds(to > now && from - now <= 8 * 86_400_000, about);
      equal(found.activeNow, from <= now, about);
    }
  }
});

test("A window that begins years ahead is known already", () => {
  equal(next({ ...daily, from: "2030-02-28", until: "2030-02-28" }, "2026-11-23T12:00:00Z"), [
    "2030-02-28T22:00:00Z",
    "2030-03-01T00:00:00Z",
  ]);
});

test("A window is over after its last day, though that may reach into the next", () => {
  const last = { ...daily, until: "2026-11-22" };
  equal(next(last, "2026-11-22T23:59:00Z"), ["2026-11-22T22:00:00Z", "2026-11-23T00:00:00Z"]);
  equal(next(last, "2026-11-23T00:00:00Z"), null);
});

for (const [about, more] of [
  ["no such zone", { zone: "Nowhere/Else" }],
  ["no day", { days: [] }],
  ["a length of nothing", { duration: "0h" }],
  ["a length in words", { duration: "two hours" }],
  ["no start", { start: "" }],
])
  test(`A window with ${about} has no next time`, () =>
    equal(next({ ...daily, ...more }, "2026-11-23T12:00:00Z") ?? null, null));

test("A window of once has no next time when it is over", () => {
  const oneOff = { from: "2026-11-23T12:00:00Z", to: "2026-11-23T14:00:00Z" };
  const at = (now) => occurrence({ enabled: true, oneOff }, Date.parse(now));
  equal([at("2026-11-23T11:59:59Z").activeNow, at("2026-11-23T12:00:00Z").activeNow], [false, true]);
  equal([at("2026-11-23T14:00:00Z").activeNow, at("2026-11-23T14:00:00Z").next], [false, null]);
});

const times = (schedule, n, now) =>
  nextTimes(schedule, n, Date.parse(now)).map((t) => new Date(t).toISOString().replace(".000Z", "Z"));

test("The next times of a schedule are those of its days, by the clocks of its zone", () => {
  const berlin = { days: ["mon", "thu"], time: "07:00", zone: "Europe/Berlin" };
  equal(times(berlin, 3, "2026-10-22T05:00:00Z"), [
    "2026-10-26T06:00:00Z",
    "2026-10-29T06:00:00Z",
    "2026-11-02T06:00:00Z",
  ]);
  equal(times({ ...berlin, days: undefined }, 2, "2026-10-24T04:59:59Z"), [
    "2026-10-24T05:00:00Z",
    "2026-10-25T06:00:00Z",
  ]);
  equal(times({ days: ["sun"], time: "00:30", zone: "Pacific/Auckland" }, 1, "2026-11-28T11:00:00Z"), [
    "2026-11-28T11:30:00Z",
  ]);
});

test("A schedule of one day a week has as many next times as are asked for, whatever the day is", () => {
  for (const day of DAYS)
    equal(times({ days: [day], time: "12:00", zone: "UTC" }, 3, "2026-11-27T12:00:00Z").length, 3);
});

test("A schedule that makes no sense yet has no next time", () => {
  equal(times({ time: "07:00", zone: "Europe/Ber" }, 3, "2026-11-27T12:00:00Z"), []);
  equal(times({ time: "", zone: "UTC" }, 3, "2026-11-27T12:00:00Z"), []);
});
