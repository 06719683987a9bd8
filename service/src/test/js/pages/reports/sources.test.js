import { canBeListed, matching, meant, variablesOf } from "/app/pages/reports/sources.js";
import { equal, test } from "/test/harness.js";

const all = [
  { what: "dashboard", id: "1", name: "Cluster capacity", folder: "vSphere" },
  { what: "dashboard", id: "2", name: "Clusters", folder: null },
  { what: "view", id: "3", name: "Hosts by memory", folder: null },
];
const ids = (found) => found.map((s) => s.id);

test("A source is found by words of its name, its folder and what it is", () => {
  equal(ids(matching(all, "cluster")), ["1", "2"]);
  equal(ids(matching(all, "vsphere cap")), ["1"]);
  equal(ids(matching(all, "hosts")), ["3"]);
  equal([ids(matching(all, "views")), ids(matching(all, "dashboard cap"))], [["3"], ["1"]]);
  equal(ids(matching(all, "")), ["1", "2", "3"]);
});

test("A source whose name begins as was typed comes first", () => {
  const named = ["All hosts", "Hosts"].map((name) => ({ what: "dashboard", id: name, name, folder: null }));
  equal(ids(matching(named, "hosts")), ["Hosts", "All hosts"]);
});

test("A text means the source that is called so, else the first that matches", () => {
  equal(meant(all, "clusters").id, "2");
  equal(meant(all, "clust").id, "1");
  equal([meant(all, ""), meant(all, "x")], [undefined, undefined]);
});

test("A view has a subject where it begins there or goes along a path", () => {
  equal(variablesOf("view", { select: { from: "all" } }), []);
  equal(
    variablesOf("view", { select: { from: "subject" } }).map((v) => v.name),
    ["subject"],
  );
  equal(variablesOf("view", { select: { paths: [["children"]] } }).length, 1);
  equal(variablesOf("dashboard", { variables: [{ name: "a" }] }), [{ name: "a" }]);
  equal(variablesOf("dashboard", null), []);
});

test("Values can be listed of objects, of a tag and of choices", () => {
  equal(
    [
      { type: "object" },
      { type: "tag", key: "tier" },
      { type: "tag" },
      { type: "text", choices: ["a"] },
      { type: "text" },
      { type: "objects" },
    ].map(canBeListed),
    [true, true, false, true, false, false],
  );
});
