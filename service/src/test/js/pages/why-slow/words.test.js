import { canAsk, figureText, usualText, verdictWord } from "/app/pages/why-slow/words.js";
import { equal, test } from "/test/harness.js";

const figure = (value, unit, low, high) => ({ value, unit, low, high });

for (const [about, of, now, usual] of [
  ["a latency", figure(21.4, "ms", 2.4, 4.1), "21.4 ms", "2.4 to 4.1 ms"],
  [
    "a device's latency, with what is usual in the same unit",
    figure(28_000, "us", 380, 450),
    "28 ms",
    "0.38 to 0.45 ms",
  ],
  ["a number without a unit", figure(4, "", 0, 12), "4", "0 to 12"],
  ["a share too small to read", figure(0.00025, "%", 0, 0), "<0.01 %", "0 %"],
  ["a figure of which nothing is usual", figure(97.4, "%", null, null), "97.4 %", "-"],
  ["a figure with an upper end alone", figure(2, "%", null, 5), "2 %", "up to 5 %"],
])
  test(`Why slow: ${about} reads with what is usual`, () => {
    equal([figureText(of), usualText(of)], [now, usual]);
  });

test("Why slow: what is usual of no figure is a dash", () => equal(usualText(null), "-"));

test("Why slow: each verdict has its word", () =>
  equal(["here", "not-here", "no-data", "no-usual"].map(verdictWord), ["here", "not here", "no data", "not judged"]));

test("Why slow: it is asked of machines, hosts, clusters and datastores alone", () =>
  equal(
    ["VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore", "ResourcePool"].map((objectKind) =>
      canAsk({ adapterKind: "VMWARE", objectKind }),
    ),
    [true, true, true, true, false],
  ));
