import { width } from "/app/panels/table.js";
import { equal, holds, test } from "/test/harness.js";

const number = (more) => ({ name: "cpu", title: "CPU", type: "number", unit: "%", longest: 4, ...more });

test("A column of texts takes the room that is left", () => equal(width({ name: "guest", type: "text" }), null));

test("A column of figures is as wide as its head needs, within reason", () => {
  holds(width(number({ title: "CPU usage of the range" })) > width(number({})), "a longer head");
  equal(width(number({ title: "A".repeat(80) })), 176);
});

test("A column of lines has room for the line and the longest figure beside it", () => {
  const one = width(number({ lines: true }));
  const long = width(number({ lines: true, longest: 9 }));
  holds(one >= 96 + 6 + 16 + 4 * 7 && long - one >= 5 * 7, `${one} and ${long}`);
});

test("On a small window columns of figures are no wider than figures need", () =>
  holds(width(number({ title: "A".repeat(80) }), true) <= 104, "small"));
