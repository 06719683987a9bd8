import { slicesOf, withoutPart } from "/app/pages/dashboards/conditions.js";
import { equal, test } from "/test/harness.js";

const BUSY = { metric: { any: ["cpu|usage_average"] }, op: ">", value: 80 };
const LOUD = { attribute: "alerts", op: ">", value: 0 };
const panel = (select, more = {}) => ({ type: "table", columns: [], ...more, ...(select ? { select } : {}) });

test("The last alternative of conditions is dropped, and a rule that then says nothing is none", () => {
  equal(withoutPart(panel({ where: [[BUSY], [LOUD]] }), "where"), panel({ where: [[BUSY]] }));
  equal(withoutPart(panel({ where: [[BUSY]] }), "where"), panel());
});

test("Conditions on names, tags and the like are dropped together, and what else the rule says stays", () => {
  const select = { scope: { name: "shop-*", tags: ["env=$env"] }, where: [[BUSY]] };
  equal(withoutPart(panel(select), "scope"), panel({ where: [[BUSY]] }));
});

test("A group that is not here is dropped where the objects come from it or are in it", () => {
  equal(withoutPart(panel({ from: { group: "Tier 1" } }), "group"), panel());
  equal(withoutPart(panel({ scope: { groups: ["Tier 1"], name: "a*" } }), "group"), panel({ scope: { name: "a*" } }));
  equal(withoutPart(panel({ scope: { groups: ["Tier 1"] } }), "group"), panel());
});

test("Paths that lead nowhere are dropped", () =>
  equal(withoutPart(panel({ paths: [["parents"]] }), "relations"), panel()));

test("Where the subject is what is not there, or the view has the condition, nothing can be dropped", () => {
  equal(withoutPart(panel({ where: [[BUSY]] }), "subject"), null);
  equal(withoutPart(panel(null, { view: { name: "Hosts" } }), "where"), null);
  equal(withoutPart(panel({ paths: [["parents"]] }), "scope"), null);
});

test("The panel that it is asked for stays as it is", () => {
  const before = panel({ where: [[BUSY]] });
  withoutPart(before, "where");
  equal(before, panel({ where: [[BUSY]] }));
});

test("Of the slices that a panel's objects have to be in, those that are chosen are found", () =>
  equal(slicesOf(panel({ slices: ["$tier", "$guest"] }), { guest: "guest = linux" }), ["guest"]));
