import { slicesOf, withoutCondition } from "/app/pages/dashboards/conditions.js";
import { equal, test } from "/test/harness.js";

const BUSY = { metric: { any: ["cpu|usage_average"] }, op: ">", value: 80 };
const LOUD = { attribute: "alerts", op: ">", value: 0 };
const panel = (select, more = {}) => ({ type: "table", columns: [], ...more, ...(select ? { select } : {}) });

test("The last alternative of conditions is dropped, and a rule that then says nothing is none", () => {
  equal(withoutCondition(panel({ where: [[BUSY], [LOUD]] }), "alerts > 0"), panel({ where: [[BUSY]] }));
  equal(withoutCondition(panel({ where: [[BUSY]] }), "cpu|usage_average > 80"), panel());
});

test("Conditions on names, tags and the like are dropped together, and what else the rule says stays", () => {
  const select = { scope: { name: "shop-*", tags: ["env=$env"] }, where: [[BUSY]] };
  equal(withoutCondition(panel(select), "the name shop-* and the tag env=prod"), panel({ where: [[BUSY]] }));
});

test("A group that is not here is dropped where the objects come from it or are in it", () => {
  equal(withoutCondition(panel({ from: { group: "Tier 1" } }), "group"), panel());
  equal(
    withoutCondition(panel({ scope: { groups: ["Tier 1"], name: "a*" } }), "group"),
    panel({ scope: { name: "a*" } }),
  );
  equal(withoutCondition(panel({ scope: { groups: ["Tier 1"] } }), "group"), panel());
});

test("Paths that lead nowhere are dropped", () =>
  equal(withoutCondition(panel({ paths: [["parents"]] }), "relations"), panel()));

test("Where the subject is what is not there, or the view has the condition, nothing can be dropped", () => {
  equal(withoutCondition(panel({ where: [[BUSY]] }), "subject"), null);
  equal(withoutCondition(panel(null, { view: { name: "Hosts" } }), "cpu|usage_average > 80"), null);
  equal(withoutCondition(panel({ paths: [["parents"]] }), "the tag env=prod"), null);
});

test("The panel that it is asked for stays as it is", () => {
  const before = panel({ where: [[BUSY]] });
  withoutCondition(before, "cpu|usage_average > 80");
  equal(before, panel({ where: [[BUSY]] }));
});

test("Of the slices that a panel's objects have to be in, those that are chosen are found", () =>
  equal(slicesOf(panel({ slices: ["$tier", "$guest"] }), { guest: "guest = linux" }), ["guest"]));
