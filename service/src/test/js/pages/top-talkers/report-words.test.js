import { queryWords, shareWords, windowOk } from "/app/pages/top-talkers/report-words.js";
import { equal, test } from "/test/harness.js";

for (const [query, text] of [
  [{ by: "vm", window: "7d" }, "The 20 VMs with most volume in 7 days"],
  [{ by: "port", measure: "resets", limit: 5, window: "1h" }, "The 5 ports with most TCP resets in 1 hour"],
  [{ by: "vm", direction: "sent", window: "1d" }, "The 20 VMs with most volume sent in 1 day"],
  [{ by: "vm", direction: "both", window: "30m" }, "The 20 VMs with most volume in 30 minutes"],
  [
    { by: "vm", window: "7d", trafficType: "east-west", ports: ["443/tcp", "53/udp"], tier: ["web", "db", "x", "y"] },
    "The 20 VMs with most volume in 7 days, East-West, 443/tcp, 53/udp, of tier web, db or 2 others",
  ],
  [{ by: "host", window: "7d", network: ["a", "b"] }, "The 20 hosts with most volume in 7 days, in a or b"],
])
  test(`A report asks for: ${text}`, () => equal(queryWords(query), text));

test("A window is a whole number of minutes, hours or days", () => {
  equal(["7d", "1h", "0h", "1w", "1.5h", "", null].map(windowOk), [true, true, false, false, false, false, false]);
});

test("A share that counts is above a percentage, or there is none", () => {
  equal([shareWords(0.05), shareWords(0), shareWords(null)], ["above 5.0 %", "above 0.0 %", "none"]);
});
