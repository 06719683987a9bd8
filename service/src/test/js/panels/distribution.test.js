import { axisWords } from "/app/panels/distribution.js";
import { equal, test } from "/test/harness.js";

test("A bar of a range says where it begins, the outer ones their one bound, others their name", () => {
  equal(axisWords({ label: "below 28.6", beyond: 28.6, count: 1 }), "< 28.6");
  equal(axisWords({ label: "28.6 to 29.1", least: 28.6, beyond: 29.1, count: 1 }), "28.6");
  equal(axisWords({ label: "30.4 and more", least: 30.4, count: 1 }), "\u2265 30.4");
  equal(axisWords({ label: "web", count: 8 }), "web");
});
