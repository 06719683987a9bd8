import {
  isSet,
  readers,
  reads,
  setBy,
  setters,
  sortOf,
  sortParams,
  valueParams,
  valuesOf,
} from "/app/pages/dashboards/address.js";
import { equal, test } from "/test/harness.js";

const VARIABLES = [
  { name: "cluster", type: "object" },
  { name: "vms", type: "objects" },
  { name: "env", type: "tag" },
];
const query = (text) => new URLSearchParams(text);

test("The address gives values to the variables of a dashboard, and to no others", () => {
  equal(valuesOf(query("v.cluster=c1&v.vms=a,b&v.other=x&v.env="), VARIABLES), { cluster: "c1", vms: ["a", "b"] });
  equal(valueParams({ cluster: "c1", vms: ["a", "b"], env: null }), {
    "v.cluster": "c1",
    "v.vms": "a,b",
    "v.env": null,
  });
});

test("What reads a variable is found in every text of a panel", () => {
  const dashboard = {
    panels: {
      a: { subject: "$cluster", sets: { vm: "object" } },
      b: { select: { scope: { tags: ["env=$env"] } } },
      c: { markdown: "Costs 5 $ for $cluster.", sets: { cluster: "object" } },
    },
  };
  equal([...reads(dashboard.panels.b)], ["env"]);
  equal(readers(dashboard, "cluster"), ["a", "c"]);
  equal(readers(dashboard, "env"), ["b"]);
  equal(setters(dashboard, "cluster"), ["c"]);
});

test("A reader's order is in the address, and turns when a column is chosen once more", () => {
  equal(sortOf(query("sort.a=-cpu"), "a"), [{ column: "cpu", order: "desc" }]);
  equal(sortOf(query("sort.a=name"), "a"), [{ column: "name", order: "asc" }]);
  equal(sortOf(query("sort.b=name"), "a"), null);
  equal(sortParams("a", null, "cpu", true), { "sort.a": "-cpu" });
  equal(sortParams("a", [{ column: "cpu", order: "desc" }], "cpu", true), { "sort.a": "cpu" });
  equal(sortParams("a", [{ column: "cpu", order: "desc" }], "name", false), { "sort.a": "name" });
});

test("A click sets what the panel says, of what the row has", () => {
  const sets = { vm: "object", host: "group", s: "slice" };
  const what = { object: "o1", group: null, slice: undefined };
  equal(setBy(sets, what), { vm: "o1" });
  equal(isSet(sets, what, { vm: "o1" }), true);
  equal(isSet(sets, what, { vm: "o2" }), false);
  equal(isSet(sets, {}, { vm: "o1" }), false);
});
