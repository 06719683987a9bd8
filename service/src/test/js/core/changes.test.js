import { changeText, seenFrom } from "/app/core/changes.js";
import { effectsText, incidentNumber, isSure, smallKind } from "/app/core/incidents.js";
import { equal, test } from "/test/harness.js";

const change = (more) => ({
  kind: "property",
  key: "x|y",
  before: null,
  after: null,
  object: { id: "1", name: "web-07", objectKind: "VirtualMachine" },
  ...more,
});

for (const [more, text] of [
  [{ kind: "new-object" }, "is new, a VM"],
  [{ kind: "name", before: "a", after: "b" }, "was renamed from a to b"],
  [{ kind: "placement", before: null, after: "esx-b" }, "is now in esx-b"],
  [{ kind: "placement", before: "esx-a", after: null }, "left esx-a"],
  [{ kind: "placement", before: "esx-a", after: "esx-b" }, "moved esx-a to esx-b"],
  [{ kind: "reporting", after: "silent" }, "went silent: its last sample was then"],
  [{ kind: "reporting", after: "reporting" }, "reports again"],
  [{ kind: "removed", before: "reporting", after: "removed" }, "was removed at its source"],
  [
    {
      kind: "removed",
      after: "removed",
      object: { id: "1", name: "web-07", adapterKind: "VMWARE", objectKind: "VirtualMachine" },
    },
    "was removed from vCenter",
  ],
  [{ kind: "removed", before: "removed", after: "reporting" }, "is there again"],
  [{ kind: "tag", key: "tier", before: null, after: "web" }, "got tag tier web"],
  [{ kind: "tag", key: "tier", before: "web", after: null }, "lost tag tier web"],
  [{ kind: "tag", key: "tier", before: "web", after: "db" }, "tier web to db"],
  [{ kind: "recorded", key: "deployment", after: "v2" }, "deployment: v2"],
  [{ kind: "recorded", key: "deployment", after: "v2", author: "ada" }, "deployment: v2 by ada"],
])
  test(`A change reads "${text}"`, () => equal(changeText(change(more)), text));

test("A move is seen from where it led to or away from", () => {
  const moves = seenFrom(
    [change({ before: "esx-b", after: "esx-a" }), change({ before: "esx-a", after: null })],
    "9",
    "esx-a",
  );
  equal(moves.map(changeText), ["web-07 moved here from esx-b", "web-07 moved away"]);
  const own = change({ before: "a", after: "b" });
  equal(seenFrom([own], "1", "esx-a"), [own]);
});

test("An incident has a number, and is sure with a cause of some confidence", () => {
  equal([incidentNumber({ number: 7 }), incidentNumber(7)], ["I-7", "I-7"]);
  equal(
    [isSure({ cause: {}, confidence: "high" }), isSure({ cause: {}, confidence: "low" }), isSure({ cause: null })],
    [true, false, false],
  );
});

test("A kind is small within a sentence, but for what are initials", () => {
  equal(
    [smallKind("HostSystem", 1), smallKind("VirtualMachine", 2), smallKind("IpAddress", 1)],
    ["host", "VMs", "IP address"],
  );
});

test("What a cause explains is counted by kind", () => {
  const on = (id, objectKind) => ({ object: { id, objectKind } });
  const cause = on("h", "HostSystem");
  equal(
    effectsText(cause, [on("h", "HostSystem"), on("1", "VirtualMachine"), on("2", "VirtualMachine")]),
    "3 alerts: 1 on the host, 2 on VMs",
  );
  equal(
    effectsText(cause, [on("1", "VirtualMachine"), on("d", "Datastore"), on("2", "VirtualMachine")]),
    "3 alerts: 2 on VMs, 1 on datastores",
  );
});
