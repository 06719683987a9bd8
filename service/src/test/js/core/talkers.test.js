import {
  amount,
  asParams,
  changeText,
  flowDirection,
  hasDirection,
  isNarrowed,
  narrowing,
  percent,
  question,
  serviceText,
  within,
} from "/app/core/talkers.js";
import { go } from "/app/core/url.js";
import { equal, test } from "/test/harness.js";

for (const [value, unit, text] of [
  [0, "", "0"],
  [1204, "", "1204"],
  [48_210_000, "", "48.21 M"],
  [9_999_999, "", "9,999,999"],
  [2.34, "", "2.3"],
  [474 * 1024 ** 3, "B", "474 GiB"],
  [1500, "bit/s", "1.5 kbit/s"],
  [null, "", "-"],
  [NaN, "B", "-"],
])
  test(`An amount of ${value} ${unit} is written as ${text}`, () => equal(amount(value, unit), text));

for (const [share, text] of [
  [0, "0.0 %"],
  [0.0004, "< 0.1 %"],
  [0.003, "0.3 %"],
  [0.1894, "18.9 %"],
  [0.9994, "99.9 %"],
  [0.9996, "100 %"],
  [1, "100 %"],
  [null, "-"],
  [NaN, "-"],
])
  test(`A share of ${share} is written as ${text}`, () => equal(percent(share), text));

for (const [change, value, text] of [
  [{ change: 0.66 }, 5, "+66 %"],
  [{ change: -0.5 }, 5, "\u221250 %"],
  [{ change: 0.004 }, 5, "0 %"],
  [{ change: -0.004 }, 5, "0 %"],
  [{ change: 11 }, 5, "12 times"],
  [{ change: null }, 5, "new"],
  [{ change: null }, 0, "-"],
  [null, 5, "-"],
])
  test(`A change of ${change?.change} to ${value} is written as ${text}`, () => equal(changeText(change, value), text));

const arrive = (params) => go("/top-talkers", { scope: null, range: null, from: null, to: null, ...params });

test("The question of a page is that of its address, and what makes no sense there is the usual", () => {
  arrive({ by: "planet", measure: "love", direction: "up", traffic: "sideways" });
  const q = question(null);
  equal([q.by, q.measure, q.direction, q.traffic, isNarrowed(q)], ["vm", "bytes", "sent", null, false]);
});

test("What narrows is read from the address and written back as it was", () => {
  const params = {
    traffic: "external",
    ports: "443/tcp,53/udp",
    network: ["a,b", "c"],
    tier: ["web"],
    of: ["1"],
    peer: ["2"],
  };
  arrive(params);
  const q = narrowing();
  equal([q.ports, q.networks, isNarrowed(q)], [["443/tcp", "53/udp"], ["a,b", "c"], true]);
  equal(asParams(q), params);
});

test("Ports have a direction only when it is said whose they are", () => {
  arrive({});
  const none = narrowing();
  equal(
    [hasDirection("port", none, null), hasDirection("port", none, "s1"), hasDirection("vm", none, null)],
    [false, true, true],
  );
  arrive({ by: "port", direction: "sent" });
  equal([question(null).direction, question("s1").direction], ["both", "sent"]);
  equal([flowDirection(narrowing(), null), flowDirection(narrowing(), "s1")], ["both", "sent"]);
});

test("The question of a row has the filters of its talker in the place of those of the page", () => {
  arrive({ of: ["1"], tier: ["web"] });
  const q = question(null);
  const row = within(q, { filter: { scope: ["9"], ports: ["53/udp"] } });
  equal([row.of, row.ports, row.tiers], [["9"], ["53/udp"], ["web"]]);
  equal(within(q, {}), q);
});

test("A service is called by its name and number, and by either when there is no other", () => {
  equal(
    [{ name: "https", service: "443/tcp" }, { name: "443/tcp", service: "443/tcp" }, { service: "7/udp" }, null].map(
      serviceText,
    ),
    ["https 443/tcp", "443/tcp", "7/udp", ""],
  );
});
