// Right-sizing in words: kinds, sizes, what comes back.
import { count, NONE, number, plural, short } from "../../core/format.js";
import { DAY, date } from "../../core/time.js";

/**
 * Tabs of the page: `[key, words, kinds of recommendations]`; clusters are no list of these.
 *
 * @type {[string, string, string[]][]}
 */
export const TABS = [
  ["size", "Size", ["too-small", "too-large", "not-known"]],
  ["idle", "Idle", ["idle"]],
  ["powered-off", "Powered off", ["powered-off"]],
  ["snapshot", "Old snapshots", ["snapshot"]],
  ["orphaned-disk", "Orphaned disks", ["orphaned-disk"]],
  ["clusters", "What still fits", []],
];

/** What one counts on a tab. */
export const THINGS = {
  size: ["VM", "VMs"],
  idle: ["idle VM", "idle VMs"],
  "powered-off": ["VM is powered off", "VMs are powered off"],
  snapshot: ["old snapshot", "old snapshots"],
  "orphaned-disk": ["disk of no machine", "disks of no machine"],
};

const UNITS = { vCPU: ["vCPU", "vCPUs"], GB: ["GB", "GB"] };
const has = (v) => v !== null && v !== undefined;

/** "8 vCPUs", "64 GB". */
export const amount = (v, unit) => `${short(v)} ${UNITS[unit]?.[v === 1 ? 0 : 1] ?? unit ?? ""}`.trim();
export const gb = (v) => (has(v) ? (v >= 10_000 ? `${number(v / 1024, 3)} TB` : `${short(v)} GB`) : NONE);
export const hours = (v) => (has(v) ? (v > 0 && v < 0.05 ? "< 0.1 h" : `${number(v, v < 10 ? 2 : 3)} h`) : NONE);
export const percent = (v) => (has(v) ? `${number(v * 100, 3)} %` : NONE);

/** What comes back, the parts that are known: "8 vCPUs, 32 GB memory, 120 GB disk". */
export function givesBack({ givesBackVcpus: vcpus, givesBackMemoryGb: memory, givesBackDiskGb: disk }) {
  return (
    [vcpus ? amount(vcpus, "vCPU") : "", memory ? `${gb(memory)} memory` : "", disk ? `${gb(disk)} disk` : ""]
      .filter(Boolean)
      .join(", ") || NONE
  );
}

/** A measure of what comes back, to order by: a vCPU counts as 4 GB of memory, memory comes before disk. */
export const worth = (r) => 4 * (r.givesBackVcpus ?? 0) + (r.givesBackMemoryGb ?? 0) + (r.givesBackDiskGb ?? 0) / 1e6;

/** What stands behind the sizes: why it waits, or why nothing can be said. */
export function besideSize(r) {
  if (r.kind === "not-known") return r.reason;
  const [proof] = r.proof;
  return proof ? `${proof.words} ${short(proof.p95)} ${proof.unit}` : "";
}

export const nameOf = (r) => (r.instance ? `${r.object.name}, ${r.instance}` : r.object.name);

/** Days as people say them: "41 days", "1.4 years". */
export const age = (days) => (days >= 730 ? `${number(days / 365, 2)} years` : plural(Math.floor(days), "day"));

/** "90 days" of "90d". */
export const daysText = (text) => plural(Number.parseInt(text, 10), "day");

/** What was decided, and by whom. */
export function decided({ decision }) {
  if (decision.state === "approved") return `approved, ${decision.by ?? "somebody"}`;
  if (decision.state === "ignored") return `ignored to ${date(Date.parse(decision.until))}`;
  return decision.state === "done" ? "done" : "";
}

export const IGNORE = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "a year"],
];
/** Until when something is ignored, in days from now. */
export const ahead = (days, now = Date.now()) => new Date(Math.round((now + days * DAY) / 1000) * 1000).toISOString();

const countOf = (summary, kind) => summary.counts.find((c) => c.kind === kind);

/** How many recommendations there are; what is not known is none. */
const total = (summary, kinds) =>
  kinds.filter((k) => k !== "not-known").reduce((sum, k) => sum + (countOf(summary, k)?.count ?? 0), 0);

/** Why a tab can tell nothing, null where it can. */
export const silence = (summary, kinds) => kinds.map((k) => countOf(summary, k)?.reason).find(Boolean) ?? null;

/** The same as a tab says it. */
export const tabCount = (summary, kinds) =>
  total(summary, kinds) || !silence(summary, kinds) ? count(total(summary, kinds)) : NONE;

/** The finding of a tab, as its title. */
export function headline(summary, tab) {
  if (!summary.evaluatedAt) return summary.job ? "Machines are being evaluated" : "Nothing has been evaluated yet";
  if (!summary.machines) return "No machine is known yet";
  const of = (kind) => countOf(summary, kind) ?? { count: 0, machines: 0, vcpus: 0, memoryGb: 0, diskGb: 0 };
  if (tab === "size") {
    const [small, large] = [of("too-small"), of("too-large")];
    const first = small.machines
      ? `${plural(small.machines, "VM is", "VMs are")} too small.`
      : "No VM is known to be too small.";
    const parts = [
      large.vcpus > 0 ? amount(Math.round(large.vcpus), "vCPU") : "",
      large.memoryGb > 0 ? gb(large.memoryGb) : "",
    ];
    return `${first} ${
      large.machines
        ? `${count(large.machines)} could give back ${parts.filter(Boolean).join(" and ")}.`
        : "None could give back CPU or memory."
    }`;
  }
  const one = of(tab);
  const [single, several] = THINGS[tab] ?? ["", ""];
  if (!one.count) return silence(summary, [tab]) ? `${TABS.find(([k]) => k === tab)[1]}: not known` : `No ${single}`;
  const parts = [
    one.vcpus > 0 ? amount(Math.round(one.vcpus), "vCPU") : "",
    one.memoryGb > 0 ? `${gb(one.memoryGb)} memory` : "",
    one.diskGb > 0 ? `${gb(one.diskGb)} disk` : "",
  ].filter(Boolean);
  return `${plural(one.count, single, several)}${parts.length ? `: ${parts.join(", ")} to give back` : ""}`;
}

/** Figures of a tab: `[name, value, note, warns]`; null = not known. */
export function figures(summary, tab) {
  const of = (kind) =>
    countOf(summary, kind) ?? { count: 0, machines: 0, vcpus: 0, memoryGb: 0, diskGb: 0, approved: 0 };
  const part = (v, all) => (all > 0 ? `, ${percent(v / all)}` : "");
  if (tab === "size") {
    const [small, large, unknown] = [of("too-small"), of("too-large"), of("not-known")];
    return [
      ["Too small", plural(small.machines, "VM"), "wait for CPU or memory", small.machines > 0],
      [
        "To give back",
        amount(Math.round(large.vcpus), "vCPU"),
        `of ${count(summary.assignedVcpus)} assigned${part(large.vcpus, summary.assignedVcpus)}`,
      ],
      unknown.machines && !large.memoryGb
        ? ["and memory", null, `what ${plural(unknown.machines, "VM")} need is not known`]
        : [
            "and memory",
            gb(large.memoryGb),
            `of ${gb(summary.assignedMemoryGb)} assigned${part(large.memoryGb, summary.assignedMemoryGb)}`,
          ],
      [
        "Regret if all are done",
        has(summary.regretHoursPerWeek) ? `${hours(summary.regretHoursPerWeek)} a week` : null,
        has(summary.regretHoursPerWeek)
          ? `over the new size, all ${count(large.machines)} together`
          : "nothing is too large",
      ],
    ];
  }
  const one = of(tab);
  if (silence(summary, [tab])) return [[TABS.find(([k]) => k === tab)[1], null, silence(summary, [tab])]];
  const unsized = one.count > 0 && !one.diskGb;
  const disk = [
    "Disk",
    unsized ? null : gb(one.diskGb),
    unsized ? "no collector says how much" : "as far as it is known",
  ];
  return [
    [TABS.find(([k]) => k === tab)[1], count(one.count), `${count(one.approved)} approved`],
    ...(tab === "idle"
      ? [
          ["vCPUs", amount(Math.round(one.vcpus), "vCPU"), `of ${count(summary.assignedVcpus)} assigned`],
          ["Memory", gb(one.memoryGb), `of ${gb(summary.assignedMemoryGb)} assigned`],
        ]
      : []),
    disk,
  ];
}
