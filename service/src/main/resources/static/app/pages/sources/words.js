// Sources in words: their kinds and states, the sentence above the list, addresses, certificates, rights and load.
import { words } from "../../core/filter.js";
import { count, NONE, plural } from "../../core/format.js";
import { date, duration, moment } from "../../core/time.js";

export const KINDS = [
  ["vcenter", "vCenter"],
  ["telegraf", "Telegraf, by collector"],
  ["opentelemetry", "OpenTelemetry"],
  ["json", "JSON"],
  ["flow-exporter", "Flow exporters"],
];
export const kindWord = (kind) => KINDS.find(([k]) => k === kind)?.[1] ?? kind;
/** Where a kind stands in the list; one that is not known stands last. */
export function kindRank(kind) {
  const at = KINDS.findIndex(([k]) => k === kind);
  return at < 0 ? KINDS.length : at;
}

export const PARTS = [
  ["configuration", "Configuration"],
  ["events", "Events and tasks"],
  ["performance", "Performance, 20 s"],
  ["alarms", "vCenter's alarms"],
];
export const partWord = (part) => PARTS.find(([p]) => p === part)?.[1].replace(/,.*/, "") ?? part ?? "Collector";

/** What a source is called in the address of the page: its id, or kind and name of one that sends by itself. */
export const keyOf = (source) => source.id ?? `${source.kind}:${source.name}`;

/** States: how bad they are, the shape, the class of the word. */
const STATES = {
  stopped: { rank: 5, shape: "immediate", tone: "hot" },
  late: { rank: 4, shape: "warning", tone: "warn" },
  behind: { rank: 3, shape: "warning", tone: "warn" },
  starting: { rank: 2, shape: "unknown", tone: "m" },
  fresh: { rank: 1, shape: "alike", tone: "i2" },
  paused: { rank: 0, shape: "info", tone: "m" },
};
export const STATE_NAMES = Object.keys(STATES);
const UNKNOWN = { rank: 2, shape: "unknown", tone: "m" };
export const stateOf = (source) => STATES[source.state] ?? UNKNOWN;
const isBad = (source) => stateOf(source).rank >= STATES.behind.rank;
/** Whether less comes of a source than should. */
export const isQuiet = (source) => stateOf(source).rank > STATES.behind.rank;

// What is wrong, as it is said without a time and with "since": [is, has been].
const VERBS = {
  "sign-in-refused": ["refuses the password", "has refused the password"],
  unreachable: ["does not answer", "has not answered"],
  "certificate-not-trusted": ["shows another certificate", "has shown another certificate"],
  "no-permission": ["does not let us read", "has not let us read"],
  "egress-refused": ["must not be connected to", "has not been connected to"],
  fault: ["answers with faults", "has answered with faults"],
  "no-collector": ["is read by no node", "has been read by no node"],
  kafka: ["is read, but Kafka does not take it", "is read, but Kafka has not taken it"],
};
const STATE_VERBS = {
  stopped: ["sends nothing", "has sent nothing"],
  late: ["is late", "has been late"],
  behind: ["sends wrong times", "has sent wrong times"],
};

/** What is wrong with a source, and since when: "vc-lab has refused the password since 13:02". */
export function trouble(source) {
  const [now, perfect] = VERBS[source.problem?.code] ?? STATE_VERBS[source.state] ?? ["is not fresh", "is not fresh"];
  const since = source.stateSince ? ` since ${moment(Date.parse(source.stateSince))}` : "";
  return `${source.name} ${since ? perfect : now}${since}`;
}

/** The sentence above the list; paused ones are not counted, for nobody expects anything of them. */
export function headline(counts) {
  const watched = counts.total - counts.paused;
  if (!counts.total) return "Nothing sends data yet.";
  if (!watched)
    return counts.total === 1 ? "The only source is paused." : `All ${count(counts.total)} sources are paused.`;
  const fresh =
    counts.fresh === watched
      ? watched === 1
        ? "The source is fresh."
        : `All ${count(watched)} sources are fresh.`
      : `${count(counts.fresh)} of ${plural(watched, "source")} ${counts.fresh === 1 ? "is" : "are"} fresh.`;
  if (counts.worst) return `${fresh} ${trouble(counts.worst)}.`;
  return counts.starting
    ? `${fresh} ${count(counts.starting)} ${counts.starting === 1 ? "is" : "are"} starting.`
    : fresh;
}

/** Of a vCenter, its version alone; the side says product and build as well. */
const what = ({ id, detail }) => (id && detail ? (/\d+(?:\.\d+)+(?: U\d\w*)?/.exec(detail)?.[0] ?? detail) : detail);

/** What is said of a source behind its name. */
export function besides(source) {
  if (source.state !== "fresh" && source.reason) return source.reason;
  return [what(source) ?? source.address?.replace(/^https:\/\//, ""), source.node].filter(Boolean).join(", ");
}

/** A short time: "45 ms", "1.9 s", "20 s", "5 min". */
export function brief(ms) {
  if (ms === null || ms === undefined) return NONE;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 9950 ? `${Number((ms / 1000).toFixed(1))} s` : duration(ms);
}

const everyWord = (seconds) => (seconds === null ? NONE : brief(seconds * 1000));
/** How long a round takes and how often there is one: "1.9 s / 20 s"; what sends by itself only says how often. */
export function roundWords(source) {
  if (source.roundMillis === null) return everyWord(source.intervalSeconds);
  return source.intervalSeconds === null
    ? brief(source.roundMillis)
    : `${brief(source.roundMillis)} / ${everyWord(source.intervalSeconds)}`;
}
/** The same in a sentence. */
export function roundSentence({ roundMillis, intervalSeconds }) {
  const every = intervalSeconds === null ? "" : `a round every ${everyWord(intervalSeconds)}`;
  const took = roundMillis === null ? "" : `the newest took ${brief(roundMillis)}`;
  return [every, took].filter(Boolean).join(", ") || "its rounds are not known yet";
}

/** How old the newest sample is at a moment, in milliseconds; null when there was none. */
export function newestAge(source, now) {
  const at = source.newestSampleAt ?? source.lastDataAt;
  return at === null ? null : Math.max(0, now - Date.parse(at));
}

/** The values of the small chart. */
export const trendOf = (source) => source.trend?.samplesPerSecond ?? [];

/** What the small chart shows, in words. */
export function trendWords(source) {
  const values = trendOf(source);
  if (!values.length) return "not known";
  const hours = Math.round((values.length * source.trend.stepSeconds) / 3600);
  return `${count(Math.min(...values))} to ${count(Math.max(...values))} a second in the last ${plural(hours, "hour")}`;
}

/** Whether a source is among those that a filter leaves. */
export const matches = (source, text) =>
  words(text).every((word) => {
    const lower = word.toLowerCase();
    if (lower.startsWith("is:")) return source.state === lower.slice(3);
    if (lower.startsWith("kind:")) return source.kind === lower.slice(5);
    return [source.name, source.address, source.detail, source.id, source.node, source.reason].some((part) =>
      part?.toLowerCase().includes(lower),
    );
  });

// Of what sends by itself only the reason is told: what follows from it, and what the reader can do.
const OF_SENDERS = {
  telegraf: ["Its objects fall silent.", "See whether it runs, and whether it reaches Kafka."],
  json: ["Its objects fall silent.", "See whether the program runs, and whether it reaches Kafka."],
  "flow-exporter": [
    "Its traffic is missing.",
    "See whether it still exports, and whether its packets reach the collector of flows.",
  ],
  vcenter: ["It is read on.", "If it stays, look into the log of its node."],
};
const CLOCK = [
  "Its values are stored at the times that they carry.",
  "Set the clock where it runs, by NTP. If the clock is right, see why it sends late.",
];

/** What is wrong with a source, what follows and what to do; null = nothing. */
export function problemOf(source) {
  if (source.problem || !isBad(source) || !source.reason) return source.problem ?? null;
  const behind = source.state === "behind";
  const [whatNow, whatToDo] = behind ? CLOCK : (OF_SENDERS[source.kind] ?? ["", ""]);
  return { code: behind ? "clock-differs" : "silent", what: source.reason, whatNow, whatToDo };
}

/**
 * What is to be done now: what is wrong with sources at the moment, worst first, then what else went wrong in the week,
 * newest first; an error that is still there stands there once.
 */
export function lastErrors(sources, entries) {
  const now = sources
    .filter((s) => s.state !== "paused" && problemOf(s))
    .sort((a, b) => stateOf(b).rank - stateOf(a).rank || a.name.localeCompare(b.name));
  const there = new Set(now.map((s) => `${s.id} ${problemOf(s).code}`));
  return [
    ...now.map((s) => ({
      key: keyOf(s),
      name: s.name,
      shape: stateOf(s).rank < 3 ? "info" : stateOf(s).shape,
      at: s.stateSince,
      problem: problemOf(s),
      source: s,
      count: 1,
    })),
    ...entries.filter((e) => !there.has(`${e.sourceId} ${e.problem.code}`)).map(ofEntry),
  ];
}

/** An error of the week as a line of the list. */
export const ofEntry = (e) => ({
  key: `${e.sourceId} ${e.part} ${e.problem.code} ${e.firstAt}`,
  name: e.sourceName,
  shape: "info",
  at: e.lastAt,
  from: e.firstAt,
  problem: e.problem,
  part: e.part,
  source: { id: e.sourceId, kind: "vcenter", name: e.sourceName },
  count: e.count,
});

const HOW = "write its name, such as vcenter.example.com, or https://vcenter.example.com";
// What a browser shows when somebody has signed in to a vCenter.
const PAGES = /^\/(sdk|ui|vsphere-client|websso|folder|mob)?(\/.*)?$/;

/**
 * An address as somebody typed or pasted it: `{ address, host, wrong }`; `wrong` says what is wrong with it, null while
 * nothing was typed or when nothing is.
 */
export function readAddress(text) {
  const typed = text.trim();
  if (!typed) return { address: null, host: null, wrong: null };
  const wrong = (words) => ({ address: null, host: null, wrong: words });
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  let url;
  try {
    url = new URL(whole);
  } catch {
    return wrong(`This is no address: ${HOW}.`);
  }
  if (url.protocol !== "https:")
    return wrong("A vCenter is read over https only: write https:// in front, or nothing.");
  if (url.username || url.password) return wrong("Account and password have fields of their own below.");
  if (!/^[a-z0-9._-]+$|^\[[0-9a-f:.]+\]$/i.test(url.hostname)) return wrong(`This is no name of a host: ${HOW}.`);
  if (!PAGES.test(url.pathname)) return wrong(`The address of a vCenter ends with its name or port: ${HOW}.`);
  return { address: `https://${url.host}`, host: url.hostname, wrong: null };
}

/** What a source is called when nobody says otherwise: the first part of its name, or its whole address. */
export function nameOf(host) {
  if (!host) return "";
  return /^[\d.]+$|^\[/.test(host) ? host : host.split(".")[0];
}

const bare = (sha256) => (sha256 ?? "").replaceAll(":", "").toUpperCase();
/** Whether two fingerprints are one, however they are written. */
export const sameFingerprint = (a, b) => Boolean(a) && bare(a) === bare(b);
/** All 32 bytes, 16 to a line. */
export function fingerprintLines(sha256) {
  const pairs = bare(sha256).match(/../g) ?? [];
  return [pairs.slice(0, 16).join(":"), pairs.slice(16).join(":")];
}

/** The common name within a distinguished one, or all of it. */
const commonName = (dn) => /(?:^|,)\s*CN=((?:\\.|[^,])+)/i.exec(dn)?.[1].replaceAll("\\", "") ?? dn;
/** Who issued a certificate, for whom, and how long it is valid. */
export function certificateWords(c, now) {
  const issued = c.selfSigned ? "Issued by itself" : `Issued by ${commonName(c.issuer)}`;
  const [from, to] = [Date.parse(c.notBefore), Date.parse(c.notAfter)];
  const valid =
    to < now ? `expired on ${date(to)}` : from > now ? `not valid before ${date(from)}` : `valid to ${date(to)}`;
  return `${issued} for ${commonName(c.subject)}, ${valid}.`;
}

const SEEN = [
  ["ClusterComputeResource", "cluster"],
  ["HostSystem", "host"],
  ["VirtualMachine", "VM"],
  ["Datastore", "datastore"],
];
/** What an account sees: "2 clusters, 12 hosts, 112 VMs". */
export const seenWords = (counts) =>
  SEEN.filter(([kind]) => counts[kind])
    .map(([kind, word]) => plural(counts[kind], word))
    .join(", ");

// As docs/sources.md explains: what a VM of one network card and two disks, and a host of 64 threads with a dozen
// datastores have of the counters that are read, and how many of them one query asks for.
const EACH = { VirtualMachine: 110, HostSystem: 800 };
const AT_ONCE = { VirtualMachine: 250, HostSystem: 190 };
const ROUND = 20;
const inSum = (counts, of) => Object.keys(EACH).reduce((sum, kind) => sum + of(counts[kind] ?? 0, kind), 0);

/** What reading makes: "About 1,096 samples/s of 126 objects; vCenter answers 2 queries every 20 s." */
export function loadWords(counts, reads) {
  const objects = Object.values(counts).reduce((sum, n) => sum + n, 0);
  const of = plural(objects, "object");
  if (!reads.includes("performance")) return `${of}, without values of metrics.`;
  const rate = inSum(counts, (n, kind) => n * EACH[kind]) / ROUND;
  const queries = inSum(counts, (n, kind) => Math.ceil(n / AT_ONCE[kind]));
  const about = rate >= 1000 ? Math.round(rate / 100) * 100 : rate >= 10 ? Math.round(rate / 10) * 10 : Math.ceil(rate);
  return `About ${count(about)} samples/s of ${of}; vCenter answers ${plural(queries, "query", "queries")} every ${ROUND} s.`;
}

const PRIVILEGES = [
  "System.Anonymous",
  "System.View",
  "System.Read",
  "Global.Settings",
  "StorageProfile.View",
  "Datastore.Browse",
];

/** govc commands that make a role with all that is read, and give it to an account. */
export const roleCommands = (account) =>
  [
    `govc role.create Peerlens ${PRIVILEGES.join(" ")}`,
    `govc permissions.set -principal '${account.replaceAll("'", "'\\''")}' -role Peerlens -propagate=true /`,
  ].join("\n");

/**
 * What is still needed before a vCenter can be read, null = nothing. `account` says whether account and password are
 * there, `trusted` whether somebody or an authority vouches for the certificate, `probe` is what the last look found.
 */
export function needs({ address, account, trusted, testing, probe }) {
  if (!address) return "Enter the address";
  if (!account) return "Enter account and password";
  if (testing) return "Testing\u2026";
  if (!probe) return "Not tested yet";
  if (!probe.certificate) return "No certificate was seen";
  if (!trusted) return "Compare the fingerprint, then tick the box";
  if (!probe.signedIn) return "Not signed in yet";
  return null;
}
