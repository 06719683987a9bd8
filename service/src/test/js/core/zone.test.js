import {
  fieldText,
  fromWall,
  isZone,
  midnight,
  nextAt,
  parseMoment,
  sameDay,
  setZone,
  wall,
  zoneShort,
} from "/app/core/zone.js";
import { equal, holds, test } from "/test/harness.js";

const ms = Date.parse;
const iso = (time) => (Number.isNaN(time) ? "none" : new Date(time).toISOString().replace(".000Z", "Z"));

/** What is said of a zone holds whether it is that of the browser or another one. */
const inZone = (zone, name, body) =>
  test(`${name} (${zone})`, () => {
    setZone(zone);
    body();
  });

test("A zone is known by its name only", () => {
  equal(["Europe/Berlin", "UTC", "Nowhere/Else", ""].map(isZone), [true, true, false, false]);
});

test("A zone that does not exist leaves that of the browser", () => {
  setZone("Nowhere/Else");
  equal(wall(0).hour, new Date(0).getHours());
});

inZone("Europe/Berlin", "Calendar and clock change at the midnight of the zone", () => {
  const { year, month, day, weekday, hour } = wall(ms("2025-12-31T23:30:00Z"));
  equal([year, month, day, weekday, hour], [2026, 0, 1, 4, 0]);
});

// The clocks go forward on 29 March and back on 25 October.
for (const [year, month, day, hour, minute, instant] of [
  [2026, 2, 29, 1, 59, "2026-03-29T00:59:00Z"],
  [2026, 2, 29, 2, 30, "2026-03-29T01:30:00Z"],
  [2026, 2, 29, 3, 0, "2026-03-29T01:00:00Z"],
  [2026, 9, 25, 2, 30, "2026-10-25T00:30:00Z"],
  [2026, 9, 25, 3, 0, "2026-10-25T02:00:00Z"],
  [2026, 0, 0, 0, 0, "2025-12-30T23:00:00Z"],
  [2026, 12, 1, 0, 0, "2026-12-31T23:00:00Z"],
  [2026, 1, 29, 12, 0, "2026-03-01T11:00:00Z"],
])
  inZone("Europe/Berlin", `What the clock shows as ${year}-${month + 1}-${day} ${hour}:${minute} is one instant`, () =>
    equal(iso(fromWall(year, month, day, hour, minute)), instant),
  );

inZone("America/Santiago", "A day without a midnight begins when its clocks begin", () => {
  equal(iso(midnight(ms("2026-09-06T12:00:00Z"))), "2026-09-06T04:00:00Z");
});

inZone("Europe/Berlin", "A midnight some days later leaves out no day when clocks change", () => {
  const days = [0, 1, 2, 3].map((n) => iso(midnight(ms("2026-10-24T12:00:00Z"), n)));
  equal(days, ["2026-10-23T22:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "2026-10-26T23:00:00Z"]);
});

inZone("Europe/Berlin", "Every hour of two years is the instant that its calendar and clock say", () => {
  const lost = [];
  for (let t = ms("2026-01-01T00:00:00Z"); t < ms("2028-01-01T00:00:00Z"); t += 3_600_000) {
    const { year, month, day, hour } = wall(t);
    const back = fromWall(year, month, day, hour);
    // Of a time that comes twice it is the first.
    if (back !== t && back !== t - 3_600_000) lost.push(iso(t));
  }
  equal(lost, []);
});

inZone("Europe/Berlin", "Two instants are on the same day when the calendar of the zone says so", () => {
  holds(sameDay(ms("2026-11-22T23:00:00Z"), ms("2026-11-23T22:59:59Z")), "first and last second of a day");
  holds(!sameDay(ms("2026-11-23T22:59:59Z"), ms("2026-11-23T23:00:00Z")), "one second apart at midnight");
  holds(!sameDay(ms("2025-11-23T12:00:00Z"), ms("2026-11-23T12:00:00Z")), "a year apart");
});

inZone("Europe/Berlin", "The next time at an hour is today while that is to come, else tomorrow", () => {
  const now = ms("2026-03-28T12:00:00Z");
  equal(iso(nextAt(14, { now })), "2026-03-28T13:00:00Z");
  equal(iso(nextAt(13, { now })), "2026-03-29T11:00:00Z", "it is 13:00 now");
  equal(iso(nextAt(8, { now })), "2026-03-29T06:00:00Z", "clocks go forward in the night");
  equal(iso(nextAt(8, { now, days: 7 })), "2026-04-04T06:00:00Z");
});

test("A zone has a short name, which may change in summer", () => {
  setZone("Europe/Berlin");
  equal([zoneShort(ms("2026-11-23T12:00:00Z")), zoneShort(ms("2026-07-01T12:00:00Z"))], ["CET", "CEST"]);
  setZone("UTC");
  equal(zoneShort(ms("2026-07-01T12:00:00Z")), "UTC");
});

test("A field for a moment is empty for none", () => {
  equal([fieldText(null), fieldText(undefined), fieldText(NaN)], ["", "", ""]);
});

inZone("Europe/Berlin", "What a field shows is read as the same minute", () => {
  for (const time of ["2026-11-23T13:05:00Z", "2024-02-29T23:30:00Z", "2026-03-29T01:00:00Z", "2026-12-31T23:00:00Z"])
    equal(iso(parseMoment(fieldText(ms(time)))), time);
});

for (const [text, instant] of [
  ["now", "2026-11-23T13:00:00Z"],
  [" IN 90m ", "2026-11-23T14:30:00Z"],
  ["in 2 h", "2026-11-23T15:00:00Z"],
  ["in 3d", "2026-11-26T13:00:00Z"],
  ["14:05", "2026-11-23T13:05:00Z"],
  ["14:05:09", "2026-11-23T13:05:09Z"],
  ["yesterday 8:00", "2026-11-22T07:00:00Z"],
  ["24:00", "2026-11-23T23:00:00Z"],
  ["2026-7-1 8:00", "2026-07-01T06:00:00Z"],
  ["2024-02-29 10:00", "2024-02-29T09:00:00Z"],
  ["2026-11-23t10:00:00.5+02:00", "2026-11-23T08:00:00.500Z"],
  ["", "none"],
  ["in 2w", "none"],
  ["8", "none"],
  ["25:00", "none"],
  ["24:30", "none"],
  ["12:60", "none"],
  ["2026-02-29 10:00", "none"],
  ["2026-00-05 10:00", "none"],
  ["2026-13-05 10:00", "none"],
  ["2026-11-00 10:00", "none"],
  ["someday 8:00", "none"],
])
  inZone("Europe/Berlin", `"${text}" is ${instant === "none" ? "no moment" : `the moment ${instant}`}`, () =>
    equal(iso(parseMoment(text, ms("2026-11-23T13:00:00Z"))), instant),
  );

test("A field without a text is no moment", () => equal(parseMoment(null), NaN));
