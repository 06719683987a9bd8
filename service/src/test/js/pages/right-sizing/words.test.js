import { age, ahead, figures, givesBack, headline, hours, silence, tabCount } from "/app/pages/right-sizing/words.js";
import { equal, test } from "/test/harness.js";

const none = { count: 0, approved: 0, machines: 0, vcpus: 0, memoryGb: 0, diskGb: 0, reason: null };
const summary = (counts, more = {}) => ({
  evaluatedAt: "2026-11-28T01:00:00Z",
  job: null,
  machines: 300,
  assignedVcpus: 1912,
  assignedMemoryGb: 5340,
  regretHoursPerWeek: null,
  counts: Object.entries(counts).map(([kind, of]) => ({ kind, ...none, ...of })),
  ...more,
});
const both = summary({
  "too-small": { count: 5, machines: 4 },
  "too-large": { count: 80, machines: 61, vcpus: 214.2, memoryGb: 742 },
  "not-known": { count: 38, machines: 38 },
});

for (const [of, tab, text] of [
  [summary({}, { evaluatedAt: null }), "size", "Nothing has been evaluated yet"],
  [summary({}, { evaluatedAt: null, job: "7f" }), "size", "Machines are being evaluated"],
  [summary({}, { machines: 0 }), "size", "No machine is known yet"],
  [both, "size", "4 VMs are too small. 61 could give back 214 vCPUs and 742 GB."],
  [summary({}), "size", "No VM is known to be too small. None could give back CPU or memory."],
  [
    summary({ "too-small": { count: 1, machines: 1 } }),
    "size",
    "1 VM is too small. None could give back CPU or memory.",
  ],
  [
    summary({ idle: { count: 2, vcpus: 6, memoryGb: 24, diskGb: 90 } }),
    "idle",
    "2 idle VMs: 6 vCPUs, 24 GB memory, 90 GB disk to give back",
  ],
  [summary({ idle: {} }), "idle", "No idle VM"],
  [summary({ "orphaned-disk": { reason: "no collector lists files" } }), "orphaned-disk", "Orphaned disks: not known"],
])
  test(`The title of ${tab} is: ${text}`, () => equal(headline(of, tab), text));

test("What is not known is no recommendation", () =>
  equal(tabCount(both, ["too-small", "too-large", "not-known"]), "85"));

test("A tab that cannot be told counts nothing", () =>
  equal(
    [tabCount(summary({ snapshot: { reason: "no dates" } }), ["snapshot"]), tabCount(summary({}), ["idle"])],
    ["-", "0"],
  ));

test("What comes back is not known where the need is not, nor the size", () => {
  const known = summary({ "too-large": { machines: 2, vcpus: 8 }, "not-known": { machines: 3 } });
  equal(figures(known, "size")[2].slice(1, 3), [null, "what 3 VMs need is not known"]);
  equal(figures(summary({ snapshot: { count: 2 } }), "snapshot")[1].slice(1, 3), [null, "no collector says how much"]);
});

test("A kind that cannot be told says why", () =>
  equal(
    [silence(summary({ snapshot: { reason: "no dates" } }), ["snapshot"]), silence(both, ["too-small"])],
    ["no dates", null],
  ));

test("Figures say of how much what comes back is", () => {
  const [small, cpu, memory, regret] = figures(both, "size");
  equal([small[1], small[3]], ["4 VMs", true]);
  equal(cpu.slice(1, 3), ["214 vCPUs", "of 1912 assigned, 11.2 %"]);
  equal(memory.slice(1, 3), ["742 GB", "of 5340 GB assigned, 13.9 %"]);
  equal(regret.slice(1, 3), [null, "nothing is too large"]);
});

test("What comes back names only what does", () =>
  equal(
    [
      givesBack({ givesBackVcpus: 1, givesBackMemoryGb: null, givesBackDiskGb: 120 }),
      givesBack({ givesBackVcpus: null, givesBackMemoryGb: 0, givesBackDiskGb: null }),
    ],
    ["1 vCPU, 120 GB disk", "-"],
  ));

for (const [v, text] of [
  [null, "-"],
  [0, "0 h"],
  [0.01, "< 0.1 h"],
  [0.32, "0.32 h"],
  [12.34, "12.3 h"],
])
  test(`${v} hours read ${text}`, () => equal(hours(v), text));

test("Ages are in days, of old things in years", () =>
  equal([age(1.9), age(41.2), age(900)], ["1 day", "41 days", "2.5 years"]));

test("Ignoring lasts days from now", () =>
  equal(ahead(30, Date.parse("2026-11-28T01:00:00.400Z")), "2026-12-28T01:00:00.000Z"));
