import {
  besides,
  brief,
  certificateWords,
  fingerprintLines,
  headline,
  kindRank,
  lastErrors,
  loadWords,
  matches,
  nameOf,
  needs,
  newestAge,
  problemOf,
  readAddress,
  roleCommands,
  roundWords,
  sameFingerprint,
  seenWords,
  STATE_NAMES,
  stateOf,
  trendOf,
  trendWords,
  trouble,
} from "/app/pages/sources/words.js";
import { equal, holds, NOW, test } from "/test/harness.js";

const ID = "6b0f1b60-7c1e-4c52-8f0e-1d3a00000c01";
const source = (more = {}) => ({
  kind: "vcenter",
  id: ID,
  name: "vc-lab",
  address: "https://vc-lab.corp.example",
  detail: null,
  state: "fresh",
  stateSince: null,
  reason: null,
  problem: null,
  node: "node-1",
  lastDataAt: "2026-11-23T12:59:50Z",
  newestSampleAt: "2026-11-23T12:59:40Z",
  clockOffsetSeconds: 0,
  intervalSeconds: 20,
  roundMillis: 1900,
  objects: 58,
  samplesPerSecond: 412,
  trend: null,
  ...more,
});
const problem = (code) => ({ code, what: "What.", whatNow: "Now.", whatToDo: "Do." });
const counts = (more = {}) => ({
  total: 12,
  starting: 0,
  fresh: 12,
  late: 0,
  behind: 0,
  stopped: 0,
  paused: 0,
  samplesPerSecond: 41_306,
  worst: null,
  ...more,
});

for (const [of, says] of [
  [counts(), "All 12 sources are fresh."],
  [counts({ total: 13, paused: 1 }), "All 12 sources are fresh."],
  [counts({ total: 1, fresh: 1 }), "The source is fresh."],
  [counts({ total: 0, fresh: 0 }), "Nothing sends data yet."],
  [counts({ total: 1, fresh: 0, paused: 1 }), "The only source is paused."],
  [counts({ total: 3, fresh: 0, paused: 3 }), "All 3 sources are paused."],
  [counts({ fresh: 11, starting: 1 }), "11 of 12 sources are fresh. 1 is starting."],
  [counts({ total: 1, fresh: 0, starting: 1 }), "0 of 1 source are fresh. 1 is starting."],
])
  test(`The sentence above ${of.total} sources, ${of.fresh} of them fresh and ${of.paused} paused, is "${says}"`, () =>
    equal(headline(of), says));

test("The sentence above the list names the worst source with what is wrong and since when", () => {
  const worst = source({
    state: "stopped",
    stateSince: "2026-11-20T12:02:00Z",
    problem: problem("sign-in-refused"),
  });
  const says = headline(counts({ fresh: 10, stopped: 1, behind: 1, worst }));
  holds(says.startsWith("10 of 12 sources are fresh. vc-lab has refused the password since 20 Nov "), says);
});

for (const [more, says] of [
  [{ problem: problem("unreachable") }, "vc-lab does not answer"],
  [{ problem: problem("brand-new"), state: "stopped" }, "vc-lab sends nothing"],
  [{ state: "late" }, "vc-lab is late"],
  [{ state: "behind" }, "vc-lab sends wrong times"],
])
  test(`A source with ${JSON.stringify(more)} is said to be: ${says}`, () => equal(trouble(source(more)), says));

test("Every state has a shape, paused a ring, and the worst ranks highest", () => {
  equal(
    STATE_NAMES.toSorted((a, b) => stateOf({ state: b }).rank - stateOf({ state: a }).rank),
    ["stopped", "late", "behind", "starting", "fresh", "paused"],
  );
  equal(stateOf({ state: "paused" }).shape, "info");
  equal(stateOf({ state: "brand-new" }).shape, "unknown");
});

test("vCenters stand above what sends by itself, and a kind that is not known stands last", () =>
  equal(
    ["flow-exporter", "brand-new", "opentelemetry", "json", "vcenter", "telegraf"].toSorted(
      (a, b) => kindRank(a) - kindRank(b),
    ),
    ["vcenter", "telegraf", "opentelemetry", "json", "flow-exporter", "brand-new"],
  ));

test("Behind a name stands what the source is and its node, or why it is not fresh", () => {
  equal(besides(source()), "vc-lab.corp.example, node-1");
  equal(besides(source({ detail: "8.0 U3" })), "8.0 U3, node-1");
  equal(besides(source({ id: "c01", detail: "VMware vCenter Server 8.0.3, build 24022515" })), "8.0.3, node-1");
  equal(besides(source({ state: "stopped", reason: "sign-in refused" })), "sign-in refused");
});

for (const [ms, says] of [
  [null, "-"],
  [45, "45 ms"],
  [999, "999 ms"],
  [1900, "1.9 s"],
  [2000, "2 s"],
  [9949, "9.9 s"],
  [20_000, "20 s"],
  [300_000, "5 min"],
])
  test(`A short time of ${ms} ms is ${says}`, () => equal(brief(ms), says));

test("A round says how long it takes and how often there is one, as far as that is known", () => {
  equal(roundWords(source()), "1.9 s / 20 s");
  equal(roundWords(source({ intervalSeconds: null })), "1.9 s");
  equal(roundWords(source({ roundMillis: null })), "20 s");
  equal(roundWords(source({ roundMillis: null, intervalSeconds: null })), "-");
});

test("The newest sample is as old as its time, or as what came last", () => {
  equal(newestAge(source(), Date.parse(NOW)), 20_000);
  equal(newestAge(source({ newestSampleAt: null }), Date.parse(NOW)), 10_000);
  equal(newestAge(source({ newestSampleAt: null, lastDataAt: null }), Date.parse(NOW)), null);
  equal(newestAge(source({ newestSampleAt: "2026-11-23T14:00:00Z" }), Date.parse(NOW)), 0);
});

test("The small chart shows what came in its steps, and says from how few to how many", () => {
  const of = source({ trend: { from: NOW, stepSeconds: 300, samplesPerSecond: [...Array(71).fill(400), 0] } });
  equal(trendOf(of).length, 72);
  equal(trendWords(of), "0 to 400 a second in the last 6 hours");
  equal(trendOf(source()), []);
  equal(trendWords(source()), "not known");
});

for (const [text, is] of [
  ["", true],
  ["LAB", true],
  ["lab node-1", true],
  ["is:fresh kind:vcenter", true],
  ["is:late", false],
  ["kind:telegraf", false],
  ["elsewhere", false],
])
  test(`The filter "${text}" ${is ? "leaves" : "drops"} a fresh vCenter vc-lab`, () =>
    equal(matches(source(), text), is));

test("What is wrong now comes before what was wrong in the week, worst first and each once", () => {
  const entry = (code, at, more = {}) => ({
    sourceId: ID,
    sourceName: "vc-lab",
    part: "performance",
    problem: problem(code),
    firstAt: at,
    lastAt: at,
    count: 3,
    ...more,
  });
  const found = lastErrors(
    [
      source({ id: null, kind: "telegraf", name: "tg-guest", state: "behind", problem: problem("clock-differs") }),
      source({ state: "stopped", problem: problem("sign-in-refused") }),
      source({ id: "x", name: "vc-old", state: "paused", problem: problem("unreachable") }),
    ],
    [entry("sign-in-refused", "2026-11-23T12:02:00Z"), entry("unreachable", "2026-11-22T09:00:00Z")],
  );
  equal(
    found.map((e) => [e.name, e.problem.code, e.shape, e.count]),
    [
      ["vc-lab", "sign-in-refused", "immediate", 1],
      ["tg-guest", "clock-differs", "warning", 1],
      ["vc-lab", "unreachable", "info", 3],
    ],
  );
});

for (const [typed, address] of [
  ["vc.example.com", "https://vc.example.com"],
  ["  https://VC.example.com  ", "https://vc.example.com"],
  ["vc.example.com:8443", "https://vc.example.com:8443"],
  ["https://vc.example.com/ui/app/folder;nav=h/urn", "https://vc.example.com"],
  ["https://vc.example.com/sdk", "https://vc.example.com"],
  ["10.1.2.3", "https://10.1.2.3"],
  ["https://[fd00::12]:9443", "https://[fd00::12]:9443"],
])
  test(`"${typed}" is read as ${address}`, () => {
    const read = readAddress(typed);
    equal([read.address, read.wrong], [address, null]);
  });

for (const [typed, says] of [
  ["http://vc.example.com", "over https only"],
  ["https://me:secret@vc.example.com", "fields of their own"],
  ["vc west", "no name of a host"],
  ["https://vc.example.com/api/v1", "ends with its name or port"],
  ["https://", "no address"],
])
  test(`"${typed}" is refused in words: ${says}`, () => {
    const read = readAddress(typed);
    equal(read.address, null);
    holds(read.wrong.includes(says), read.wrong);
  });

test("Nothing typed is no wrong address", () => equal(readAddress("  "), { address: null, host: null, wrong: null }));

for (const [host, name] of [
  ["vc-west.corp.example", "vc-west"],
  ["vcenter", "vcenter"],
  ["10.1.2.3", "10.1.2.3"],
  ["[fd00::12]", "[fd00::12]"],
  [null, ""],
])
  test(`The vCenter at ${host} is called "${name}" unless somebody says otherwise`, () => equal(nameOf(host), name));

const PRINT = "9C:41:7E:0B:52:D8:AF:16:63:2A:F4:8D:90:1C:E7:35:D4:08:BB:71:3F:A9:26:C0:5E:84:19:F2:67:DD:0A:93";
test("A fingerprint is shown with all of its 32 bytes", () => {
  const lines = fingerprintLines(PRINT);
  equal(lines.length, 2);
  equal(lines.join(":"), PRINT);
  equal(fingerprintLines(PRINT.replaceAll(":", "").toLowerCase()), lines);
});
test("Fingerprints are one however they are written, and none is like none", () => {
  holds(sameFingerprint(PRINT, PRINT.replaceAll(":", "").toLowerCase()), "without colons");
  holds(!sameFingerprint(PRINT, PRINT.replace("9C", "9D")), "another byte");
  holds(!sameFingerprint(null, null), "none");
});

test("A certificate says who issued it, for whom, and how long it is valid", () => {
  const certificate = {
    sha256: PRINT,
    subject: "CN=vc-west.corp.example,O=Example\\, Inc.",
    issuer: "O=Example,CN=Example Root",
    notBefore: "2026-01-01T00:00:00Z",
    notAfter: "2028-03-14T12:00:00Z",
    selfSigned: false,
    trustedByAuthorities: false,
  };
  const now = Date.parse(NOW);
  equal(certificateWords(certificate, now), "Issued by Example Root for vc-west.corp.example, valid to 14 Mar 2028.");
  equal(
    certificateWords({ ...certificate, selfSigned: true, notAfter: "2026-10-01T12:00:00Z" }, now),
    "Issued by itself for vc-west.corp.example, expired on 1 Oct.",
  );
  equal(
    certificateWords({ ...certificate, notBefore: "2026-12-24T12:00:00Z", issuer: "O=Example" }, now),
    "Issued by O=Example for vc-west.corp.example, not valid before 24 Dec.",
  );
});

test("What an account sees is counted by kind", () => {
  equal(
    seenWords({ VirtualMachine: 112, ClusterComputeResource: 2, Datastore: 1 }),
    "2 clusters, 112 VMs, 1 datastore",
  );
  equal(seenWords({}), "");
});

test("The load of a vCenter follows from its VMs and hosts", () => {
  const seen = { VirtualMachine: 112, HostSystem: 12, ClusterComputeResource: 2 };
  equal(
    loadWords(seen, ["configuration", "performance"]),
    "About 1100 samples/s of 126 objects; vCenter answers 2 queries every 20 s.",
  );
  equal(loadWords(seen, ["configuration"]), "126 objects, without values of metrics.");
  equal(
    loadWords({ VirtualMachine: 10_000 }, ["performance"]),
    "About 55,000 samples/s of 10,000 objects; vCenter answers 40 queries every 20 s.",
  );
});

test("What sends by itself and does not well has something to be done", () => {
  const late = problemOf(source({ id: null, kind: "telegraf", state: "late", reason: "It has missed 3 rounds." }));
  equal([late.code, late.what], ["silent", "It has missed 3 rounds."]);
  holds(late.whatToDo.includes("Kafka"), late.whatToDo);
  const behind = problemOf(source({ id: null, kind: "json", state: "behind", reason: "Times lie 4 min in the past." }));
  holds(behind.code === "clock-differs" && behind.whatToDo.includes("NTP"), behind.whatToDo);
  equal(problemOf(source()), null);
  equal(problemOf(source({ state: "paused", reason: "Paused by m.okafor." })), null);
  equal(problemOf(source({ state: "stopped", reason: "x", problem: problem("kafka") })).code, "kafka");
});

test("The commands for a role quote the account", () =>
  holds(roleCommands("o'neill@vsphere.local").includes(`-principal 'o'\\''neill@vsphere.local'`), "quoted"));

const CERTIFICATE = { sha256: PRINT };
for (const [state, says] of [
  [{ address: null }, "Enter the address"],
  [{ account: false }, "Enter account and password"],
  [{ testing: true }, "Testing\u2026"],
  [{ probe: null }, "Not tested yet"],
  [{ probe: { certificate: null, signedIn: false } }, "No certificate was seen"],
  [{ trusted: false }, "Compare the fingerprint, then tick the box"],
  [{ probe: { certificate: CERTIFICATE, signedIn: false } }, "Not signed in yet"],
  [{}, null],
])
  test(`A vCenter with ${JSON.stringify(state)} beside what is needed lacks: ${says}`, () =>
    equal(
      needs({
        address: "https://vc.example.com",
        account: true,
        trusted: true,
        testing: false,
        probe: { certificate: CERTIFICATE, signedIn: true },
        ...state,
      }),
      says,
    ));
