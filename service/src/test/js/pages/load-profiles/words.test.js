import { blockWord, finding, period, share, subject } from "/app/pages/load-profiles/words.js";
import { equal, test } from "/test/harness.js";

const group = { name: "Cluster B", clusters: [], hoursWithIops: 0, idleHours: 0, iops: { p95: null } };
const first = { name: "8K 70/30", shareOfHours: 0.614 };

for (const [of, text] of [
  [{ clusters: [first] }, "Cluster B: 61 % of hours are 8K 70/30"],
  [{ name: "All", clusters: [first] }, "All machines: 61 % of hours are 8K 70/30"],
  [{}, "Cluster B: no operations are known of this time"],
  [{ hoursWithIops: 12_000, idleHours: 12_000 }, "Cluster B: idle in all 12,000 hours that are known"],
  [{ hoursWithIops: 12, idleHours: 2, iops: { p95: 1234.4 } }, "Cluster B: 1234 IOPS at the 95th percentile"],
])
  test(`The finding is: ${text}`, () => equal(finding({ ...group, ...of }), text));

for (const [v, text] of [
  [null, "-"],
  [0, "0 %"],
  [0.0004, "< 0.1 %"],
  [0.042, "4.2 %"],
  [0.614, "61 %"],
  [1, "100 %"],
])
  test(`A share of ${v} reads ${text}`, () => equal(share(v), text));

for (const [v, text] of [
  [512, "512"],
  [8192, "8K"],
  [262_144, "256K"],
  [1_048_576, "1M"],
])
  test(`A block of ${v} bytes is called ${text}`, () => equal(blockWord(v), text));

test("Which machines a profile is of says where they are and how they are grouped", () =>
  equal(
    [subject({ by: "host" }), subject({ by: "tag", tag: "tier", ancestor: { name: "Cluster B" } })],
    ["All machines, by host", "Cluster B, by tag tier"],
  ));

test("A period says its days", () =>
  equal(period({ from: "2020-03-01T12:00:00Z", to: "2020-03-31T12:00:00Z" }), "30 days, 1 Mar 2020 to 31 Mar 2020"));
