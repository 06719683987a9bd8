import { niceTicks, timeTicks } from "/app/chart/scale.js";
import { DAY, HOUR, MINUTE } from "/app/core/time.js";
import { setZone } from "/app/core/zone.js";
import { close, equal, holds, test } from "/test/harness.js";

const ms = Date.parse;
const labels = (from, to, width) => timeTicks(ms(from), ms(to), width).map(([, label]) => label);
const places = (from, to, width) =>
  timeTicks(ms(from), ms(to), width).map(([t]) => new Date(t).toISOString().slice(5, 16).replace("T", " "));

for (const [low, high, parts, ticks] of [
  [0, 100, 4, [0, 25, 50, 75, 100]],
  [0, 97, 5, [0, 20, 40, 60, 80, 100]],
  [-3, 3, 3, [-4, -2, 0, 2, 4]],
  [0.001, 0.0042, 4, [0.001, 0.002, 0.003, 0.004, 0.005]],
  [0, 0.3, 3, [0, 0.1, 0.2, 0.3]],
  [5, 5, 2, [5, 7.5, 10]],
  [0, 0, 1, [0, 1]],
  [-5, -5, 1, [-5, 0]],
  [0, 9e15, 3, [0, 5e15, 1e16]],
])
  test(`An axis from ${low} to ${high} in ${parts} parts has ${ticks.length} round ticks`, () =>
    equal(niceTicks(low, high, parts), ticks));

test("Ticks cover what is shown, are evenly apart and few, whatever the range is", () => {
  for (let i = 0; i < 400; i++) {
    const low = Math.sin(i * 7.3) * 10 ** ((i % 13) - 6);
    const high = low + (1.01 + Math.sin(i * 3.1)) * 10 ** ((i % 11) - 5);
    for (const parts of [1, 3, 5, 10]) {
      const ticks = niceTicks(low, high, parts);
      const about = `${low} to ${high} in ${parts}`;
      const step = ticks[1] - ticks[0];
      holds(ticks[0] <= low + step * 1e-6 && ticks.at(-1) >= high - step * 1e-6, about);
      holds(ticks.length >= 2 && ticks.length <= parts + 3, `${about}: ${ticks.length} ticks`);
      ticks.forEach((tick, n) => close(tick, ticks[0] + n * step, step * 1e-3 + Math.abs(tick) * 1e-11));
    }
  }
});

test("Times of an hour stand at round minutes", () => {
  setZone("UTC");
  equal(labels("2026-11-23T12:03:00Z", "2026-11-23T13:03:00Z", 504), [
    "12:10",
    "12:20",
    "12:30",
    "12:40",
    "12:50",
    "13:00",
  ]);
});

test("A tick at midnight names its day once more than a day is shown", () => {
  setZone("UTC");
  equal(labels("2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z", 420), ["12:00", "18:00", "23 Nov", "06:00", "12:00"]);
  equal(labels("2026-11-22T21:00:00Z", "2026-11-23T03:00:00Z", 252), ["22:00", "00:00", "02:00"]);
});

test("Six hours fall on the clock of the zone", () => {
  setZone("Asia/Kolkata");
  equal(places("2026-11-22T12:00:00Z", "2026-11-23T12:00:00Z", 420), [
    "11-22 12:30",
    "11-22 18:30",
    "11-23 00:30",
    "11-23 06:30",
  ]);
});

test("An hour that clocks skip has no tick, and one that comes twice has one", () => {
  setZone("Europe/Berlin");
  equal(labels("2026-03-28T23:00:00Z", "2026-03-29T04:00:00Z", 450), [
    "00:00",
    "01:00",
    "03:00",
    "04:00",
    "05:00",
    "06:00",
  ]);
  equal(labels("2026-10-24T22:00:00Z", "2026-10-25T03:00:00Z", 450), ["00:00", "01:00", "02:00", "03:00", "04:00"]);
});

test("Days are named by their weekday within a week, by their date beyond it", () => {
  setZone("UTC");
  equal(labels("2026-11-27T00:00:00Z", "2026-12-01T00:00:00Z", 500), ["Fri 27", "Sat 28", "Sun 29", "Mon 30", "Tue 1"]);
  equal(labels("2026-11-24T00:00:00Z", "2026-12-08T00:00:00Z", 640), [
    "24 Nov",
    "26 Nov",
    "28 Nov",
    "30 Nov",
    "2 Dec",
    "4 Dec",
    "6 Dec",
    "8 Dec",
  ]);
});

test("Ticks of time grow, lie within the window and are not crowded, in zones of all kinds", () => {
  const lengths = [5 * MINUTE, HOUR, 6 * HOUR, DAY, 3 * DAY, 7 * DAY, 30 * DAY, 100 * DAY];
  for (const zone of ["UTC", "Europe/Berlin", "America/St_Johns", "Australia/Lord_Howe", "America/Santiago"]) {
    setZone(zone);
    for (const length of lengths)
      for (const width of [100, 500, 1400])
        for (const end of ["2026-03-29T11:07:00Z", "2026-10-25T09:40:00Z", "2026-04-05T01:13:00Z"]) {
          const [from, to] = [ms(end) - length, ms(end)];
          const ticks = timeTicks(from, to, width).map(([t]) => t);
          const about = `${length / HOUR} h in ${zone} to ${end}, ${width} px: ${ticks.length} ticks`;
          holds(
            ticks.every((t, i) => t >= from && t <= to && (i === 0 || t > ticks[i - 1])),
            about,
          );
          holds(ticks.length <= width / 84 + 2, about);
        }
  }
});
