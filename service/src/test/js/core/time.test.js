import { go } from "/app/core/url.js";
import {
  advance,
  clock,
  date,
  DAY,
  duration,
  HOUR,
  MINUTE,
  moment,
  parseRange,
  pause,
  range,
  resume,
  setAbsolute,
  setRelative,
  shift,
  span,
  spanName,
  weekday,
  windowText,
  zoomBack,
} from "/app/core/time.js";
import { setZone } from "/app/core/zone.js";
import { at, equal, test } from "/test/harness.js";

const ms = Date.parse;
const iso = (time) => new Date(time).toISOString().replace(".000Z", "Z");

/** Registers a test that must come out the same whether the browser is in that zone or shows times of another. */
function inZone(zone, name, body) {
  test(`${name} (${zone})`, () => {
    setZone(zone);
    body();
  });
}

for (const [text, length] of [
  ["15m", 15 * MINUTE],
  ["3h", 3 * HOUR],
  ["30d", 30 * DAY],
  ["9999m", 9999 * MINUTE],
  ["12345m", null],
  ["3 h", null],
  ["-3h", null],
  ["1.5h", null],
  ["3w", null],
  ["", null],
  [null, null],
])
  test(`The length "${text}" is ${length === null ? "none" : `${length / MINUTE} minutes`}`, () =>
    equal(span(text), length));

for (const [text, name] of [
  ["15m", "Last 15 minutes"],
  ["1h", "Last hour"],
  ["24h", "Last 24 hours"],
  ["36h", "Last 36 hours"],
  ["2d", "Last 2 days"],
  ["1d", "Last day"],
  ["1m", "Last minute"],
])
  test(`The range ${text} is called "${name}"`, () => equal(spanName(text), name));

for (const [milliseconds, text] of [
  [0, "0 s"],
  [-5000, "0 s"],
  [11_400, "11 s"],
  [90_000, "90 s"],
  [99_600, "2 min"],
  [4 * MINUTE, "4 min"],
  [99 * MINUTE, "99 min"],
  [2 * HOUR, "2 h"],
  [2 * HOUR + 5 * MINUTE, "2 h 5 min"],
  [47 * HOUR + 59.9 * MINUTE, "2 d"],
  [3 * DAY + 4 * HOUR, "3 d 4 h"],
  [400 * DAY, "400 d"],
  [null, "-"],
  [undefined, "-"],
  [NaN, "-"],
])
  test(`A duration of ${milliseconds} ms is written as ${text}`, () => equal(duration(milliseconds), text));

inZone("Europe/Berlin", "A moment of today is a clock time, one of another day has its date", () => {
  equal(moment(ms("2026-11-23T11:05:09Z")), "12:05");
  equal(moment(ms("2026-11-23T11:05:09Z"), true), "12:05:09");
  equal(moment(ms("2026-11-22T22:59:00Z")), "22 Nov 23:59");
  equal(moment(ms("2026-11-22T23:00:00Z")), "00:00", "today begins at the midnight of the zone");
  equal([moment(null), moment(undefined), moment(NaN)], ["-", "-", "-"]);
});

inZone("Europe/Berlin", "A date has its year when that is another one in the zone", () => {
  equal([date(ms("2026-01-01T00:00:00Z")), date(ms("2025-12-31T22:00:00Z"))], ["1 Jan", "31 Dec 2025"]);
  equal(date(ms("2025-12-31T23:00:00Z")), "1 Jan", "the year begins at the midnight of the zone");
});

inZone("Asia/Kolkata", "A clock of a zone of half hours shows them", () => {
  equal([clock(ms("2026-11-23T13:00:00Z")), weekday(ms("2026-11-23T19:00:00Z"))], ["18:30", "Tue"]);
});

inZone("Europe/Berlin", "A window has dates when it touches another day than today", () => {
  const text = (from, to) => windowText({ from: ms(from), to: ms(to) });
  equal(text("2026-11-23T07:25:00Z", "2026-11-23T12:25:00Z"), "08:25 to 13:25");
  equal(text("2026-11-20T07:25:00Z", "2026-11-20T12:25:00Z"), "20 Nov 08:25 to 13:25");
  equal(text("2026-11-22T22:00:00Z", "2026-11-23T01:00:00Z"), "22 Nov 23:00 to 23 Nov 02:00");
  equal(text("2026-11-20T07:25:00Z", "2026-11-23T12:25:00Z"), "20 Nov to 23 Nov");
  equal(text("2025-12-31T07:00:00Z", "2026-01-01T07:00:00Z"), "31 Dec 2025 08:00 to 1 Jan 08:00");
});

for (const [text, relative] of [
  ["3h", "3h"],
  [" Last 2 Days ", "2d"],
  ["last 90 minutes", "90m"],
  ["5 min", "5m"],
  ["1 hour", "1h"],
  ["last hour", "1h"],
  ["Last day", "1d"],
])
  test(`"${text}" is the range of the last ${relative}`, () => equal(parseRange(text), { relative }));

for (const [zone, now, text, from, to] of [
  ["UTC", "2026-11-23T13:00:00Z", "today 9-11", "2026-11-23T09:00:00Z", "2026-11-23T11:00:00Z"],
  ["UTC", "2026-11-23T13:00:00Z", "8:25-9:05", "2026-11-23T08:25:00Z", "2026-11-23T09:05:00Z"],
  ["UTC", "2026-11-23T13:00:00Z", "yesterday 22 to 24", "2026-11-22T22:00:00Z", "2026-11-23T00:00:00Z"],
  ["UTC", "2026-03-01T13:00:00Z", "yesterday 9-11", "2026-02-28T09:00:00Z", "2026-02-28T11:00:00Z"],
  ["UTC", "2028-03-01T13:00:00Z", "yesterday 9-11", "2028-02-29T09:00:00Z", "2028-02-29T11:00:00Z"],
  ["UTC", "2026-01-01T13:00:00Z", "yesterday 9-11", "2025-12-31T09:00:00Z", "2025-12-31T11:00:00Z"],
  ["UTC", "2026-11-23T13:00:00Z", "14 march 10:00 to 12:00", "2026-03-14T10:00:00Z", "2026-03-14T12:00:00Z"],
  ["UTC", "2026-11-23T13:00:00Z", "24 Dec 10 to 12", "2025-12-24T10:00:00Z", "2025-12-24T12:00:00Z"],
  ["Europe/Berlin", "2026-11-22T23:30:00Z", "yesterday 9-11", "2026-11-22T08:00:00Z", "2026-11-22T10:00:00Z"],
  ["Europe/Berlin", "2026-11-23T13:00:00Z", "25 Oct 1:00 to 4:00", "2026-10-24T23:00:00Z", "2026-10-25T03:00:00Z"],
  ["Europe/Berlin", "2026-11-23T13:00:00Z", "29 Mar 1:00 to 4:00", "2026-03-29T00:00:00Z", "2026-03-29T02:00:00Z"],
  [
    "Europe/Berlin",
    "2026-11-23T13:00:00Z",
    "2026-11-20 08:00 to 2026-11-21 09:00",
    "2026-11-20T07:00:00Z",
    "2026-11-21T08:00:00Z",
  ],
  ["Europe/Berlin", "2026-11-23T13:00:00Z", "2026-11-20/2026-11-21", "2026-11-19T23:00:00Z", "2026-11-20T23:00:00Z"],
])
  inZone(zone, `"${text}" is read on ${now.slice(0, 10)}`, () => {
    const read = parseRange(text, ms(now));
    equal([iso(read.from), iso(read.to)], [from, to]);
  });

for (const text of [
  "",
  "0h",
  "9",
  "11 to 9",
  "9 to 9",
  "9 to 25",
  "9:60 to 10",
  "9 to 24:30",
  "31 Feb 10:00 to 11:00",
  "0 Mar 10:00 to 11:00",
  "2026-11-21 to 2026-11-20",
  "2026-02-30 10:00 to 2026-03-02 10:00",
  "14 Mar",
])
  inZone("UTC", `"${text}" is no range`, () => equal(parseRange(text, ms("2026-11-23T13:00:00Z")), null));

test("A page without a range in its address shows the last six hours until now", () => {
  advance();
  go("/page", { range: null, from: null, to: null });
  equal(range(), { from: ms("2026-11-23T07:00:00Z"), to: ms("2026-11-23T13:00:00Z"), live: true, relative: "6h" });
});

test("A range that makes no sense is the usual one", () => {
  for (const address of [
    { range: "3 parsecs" },
    { range: "0h" },
    { from: "2026-11-23T12:00:00Z", to: "2026-11-23T11:00:00Z" },
    { from: "2026-11-23T12:00:00Z", to: null },
    { from: "x", to: "y" },
  ]) {
    go("/page", { range: null, from: null, to: null, ...address });
    equal([range().relative, range().live], ["6h", true], JSON.stringify(address));
  }
});

test("A chosen window is no longer live, and has at least two minutes around its middle", () => {
  setRelative("1h");
  setAbsolute(ms("2026-11-23T10:00:00Z"), ms("2026-11-23T10:00:30Z"));
  const { from, to, live } = range();
  equal([iso(from), iso(to), live], ["2026-11-23T09:59:15Z", "2026-11-23T10:01:15Z", false]);
});

test("A double click leads back through the windows that were zoomed into", () => {
  setRelative("3h");
  setAbsolute(ms("2026-11-23T10:00:00Z"), ms("2026-11-23T12:00:00Z"), { zoom: true });
  setAbsolute(ms("2026-11-23T11:00:00Z"), ms("2026-11-23T11:30:00Z"), { zoom: true });
  zoomBack();
  equal(iso(range().from), "2026-11-23T10:00:00Z");
  zoomBack();
  equal(range().relative, "3h");
  zoomBack();
  equal(range().relative, "3h", "there is nothing farther back");
});

test("A page that is paused keeps its window, and resumes with the nearest length that is offered", () => {
  setRelative("3h");
  pause();
  at("2026-11-23T14:00:00Z");
  advance();
  equal([iso(range().from), iso(range().to), range().live], ["2026-11-23T10:00:00Z", "2026-11-23T13:00:00Z", false]);
  resume();
  equal([range().relative, iso(range().to)], ["3h", "2026-11-23T14:00:00Z"]);
});

test("A window is moved by its length, and is live again where it would reach beyond now", () => {
  setAbsolute(ms("2026-11-23T08:00:00Z"), ms("2026-11-23T10:00:00Z"));
  shift(-1);
  equal([iso(range().from), iso(range().to)], ["2026-11-23T06:00:00Z", "2026-11-23T08:00:00Z"]);
  shift(2);
  equal([iso(range().from), iso(range().to)], ["2026-11-23T10:00:00Z", "2026-11-23T12:00:00Z"]);
  shift(1);
  equal([range().live, range().relative], [true, "1h"]);
});
