import { beside, bytes, count, number, plural, scale, short, shortened, withUnit } from "/app/core/format.js";
import { close, equal, holds, test } from "/test/harness.js";

for (const nothing of [null, undefined, NaN, Infinity, -Infinity])
  test(`${nothing} is written as no value`, () => {
    equal(
      [
        number(nothing),
        short(nothing),
        count(nothing),
        withUnit(nothing, "%"),
        bytes(nothing),
        beside(nothing, 1, "%"),
      ],
      Array(6).fill("-"),
    );
  });

for (const [value, text] of [
  [0, "0"],
  [0.42314, "0.4231"],
  [41.312, "41.31"],
  [41.3, "41.3"],
  [-41.3, "-41.3"],
  [999.96, "1000"],
  [9876.4, "9876"],
  [9999.6, "10,000"],
  [41306, "41,306"],
  [-41306, "-41,306"],
  [1234567890, "1,234,567,890"],
  [0.000012, "0.000012"],
  [0.0000001, "0"],
  [-0.0000001, "0"],
])
  test(`The figure ${value} is written as ${text}`, () => equal(number(value), text));

test("No zero has a sign", () => {
  equal([number(-0), short(-0), count(-0.4), withUnit(-0, "%")], ["0", "0", "0", "0 %"]);
});

test("A figure has at most as many significant digits as are asked for", () => {
  equal([number(41.312, 2), number(0.0456, 2), number(7.26, 2)], ["41", "0.046", "7.3"]);
});

for (const [value, text] of [
  [57, "57"],
  [57.04, "57.0"],
  [2.14, "2.1"],
  [412.4, "412"],
  [-2.14, "-2.1"],
  [0.5, "0.50"],
  [0.004, "0.004"],
  [12345.6, "12,346"],
])
  test(`${value} reads as ${text} at a glance`, () => equal(short(value), text));

test("A count is whole and grouped from 10,000", () => {
  equal(
    [count(0), count(9999), count(10000), count(1234567.8), count(-12000)],
    ["0", "9999", "10,000", "1,234,568", "-12,000"],
  );
});

test("A noun is in the plural but for one", () => {
  equal(
    [plural(0, "alert"), plural(1, "alert"), plural(2, "alert"), plural(12000, "alert")],
    ["0 alerts", "1 alert", "2 alerts", "12,000 alerts"],
  );
  equal([plural(1, "entry", "entries"), plural(3, "entry", "entries")], ["1 entry", "3 entries"]);
});

for (const [value, unit, text] of [
  [0, "bytes", "0 B"],
  [1023, "bytes", "1023 B"],
  [1024, "bytes", "1 KiB"],
  [1, "KB", "1 KiB"],
  [0, "KB", "0 KiB"],
  [1536, "mb", "1.5 GiB"],
  [-2048, "kb", "-2 MiB"],
  [3 * 1024 ** 5, "bytes", "3 PiB"],
  [5 * 1024 ** 6, "bytes", "5120 PiB"],
  [1500, "bit/s", "1.5 kbit/s"],
  [1, "KBps", "1 KiB/s"],
  [0.5, "GHz", "500 MHz"],
  [59, "s", "59 s"],
  [60, "s", "1 min"],
  [3600, "s", "1 h"],
  [86400, "s", "1 d"],
  [90, "s", "1.5 min"],
  [0, "s", "0 s"],
  [0, "ms", "0 ms"],
  [-5400, "seconds", "-1.5 h"],
  [250, "ms", "250 ms"],
  [1500, "ms", "1.5 s"],
  [7, "us", "7 \u00b5s"],
  [172800, "s", "2 d"],
  [7, "number", "7"],
  [7, null, "7"],
  [12, "IOPS", "12 IOPS"],
  [97.13, "Percent", "97.1 %"],
])
  test(`${value} ${unit} is written as ${text}`, () => equal(withUnit(value, unit), text));

test("A rate is in bits on a network and in bytes elsewhere", () => {
  equal([withUnit(125, "KBps", true), withUnit(1024, "KBps", false)], ["1.0 Mbit/s", "1 MiB/s"]);
  equal(withUnit(50, "%", true), "50 %", "what is no rate stays what it is");
});

test("All values of an axis are in the unit of the largest", () => {
  const axis = scale("KB", 3 * 1024 ** 2);
  equal([axis.unit, axis.text(1024 ** 2), axis.text(512 * 1024), axis.text(null)], ["GiB", "1", "0.5", "-"]);
  close(axis.factor, 1 / 1024 ** 2);
});

test("An axis of nothing but zeros keeps the unit that is reported", () => {
  equal([scale("KB", 0).unit, scale("ms", 0).unit, scale("MHz", 0).unit, scale("", 0).unit], ["KiB", "ms", "MHz", ""]);
});

for (const [value, limit, unit, text] of [
  [95, 95, "%", "95 %"],
  [95.04, 95, "%", "95.04 %"],
  [80, null, "%", "80 %"],
  [90, 120, "s", "1.5 min"],
  [7200, 60, "s", "2 h"],
  [0, 0, "%", "0 %"],
  [10000.4, 10000, "", "10,000.4"],
])
  test(`${value} beside a limit of ${limit} reads as ${text}`, () => equal(beside(value, limit, unit), text));

test("A name that is too long keeps its beginning and its end", () => {
  equal(shortened("naa.600508b1001c4d41", 11), "naa.6\u2026c4d41");
  for (const most of [2, 3, 8, 19]) equal(shortened("naa.600508b1001c4d41", most).length, most);
  equal([shortened("vmnic0", 6), shortened("", 6)], ["vmnic0", ""]);
});

test("The steps of a unit never make a larger value look smaller", () => {
  for (const unit of ["bytes", "bit/s", "s"]) {
    const sizes = Array.from({ length: 60 }, (_, i) => 1.7 ** i);
    const factors = sizes.map((v) => scale(unit, v).factor);
    holds(
      factors.every((f, i) => i === 0 || f <= factors[i - 1]),
      unit,
    );
  }
});
