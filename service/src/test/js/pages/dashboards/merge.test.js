import { merge, taking } from "/app/pages/dashboards/merge.js";
import { equal, test } from "/test/harness.js";

const at = (panel, y, x = 1) => ({ panel, x, y, w: 6, h: 4 });
const BASE = {
  name: "Clusters",
  panels: { a: { type: "table", title: "A" }, b: { type: "top", title: "B" } },
  layout: [{ items: [at("a", 1), at("b", 5)] }],
  variables: [{ name: "cluster", type: "object" }],
};
const change = (make) => {
  const next = structuredClone(BASE);
  make(next);
  return next;
};

test("What only one of two changed is as they have it, and nobody is asked", () => {
  const mine = change((d) => (d.panels.a.title = "Mine"));
  const theirs = change((d) => {
    d.panels.b.title = "Theirs";
    d.folder = "Capacity";
    d.variables.push({ name: "env", type: "tag" });
  });
  const { merged, both } = merge(BASE, mine, theirs);
  equal(both, []);
  equal([merged.panels.a.title, merged.panels.b.title, merged.folder], ["Mine", "Theirs", "Capacity"]);
  equal(
    merged.variables.map((v) => v.name),
    ["cluster", "env"],
  );
});

test("A panel that both changed alike is no question, one in unlike ways is", () => {
  const mine = change((d) => (d.panels.a.title = "New"));
  equal(
    merge(
      BASE,
      mine,
      change((d) => (d.panels.a.title = "New")),
    ).both,
    [],
  );
  const theirs = change((d) => (d.panels.a.title = "Other"));
  const { merged, both } = merge(BASE, mine, theirs);
  equal(
    both.map((one) => [one.kind, one.name, one.mine.title, one.theirs.title]),
    [["panel", "a", "New", "Other"]],
  );
  equal(merged.panels.a.title, "New");
  equal(taking(merged, both, () => true).panels.a.title, "Other");
  equal(taking(merged, both, () => false).panels.a.title, "New");
});

test("The order of members of a panel is no change", () => {
  const mine = change((d) => (d.panels.a = { title: "A", type: "table" }));
  equal(
    merge(
      BASE,
      mine,
      change((d) => (d.panels.a.title = "T")),
    ).both,
    [],
  );
});

test("Panels that either added are there, those that either removed are not", () => {
  const mine = change((d) => {
    d.panels.c = { type: "text" };
    d.layout[0].items.push(at("c", 9));
  });
  const theirs = change((d) => {
    delete d.panels.b;
    d.layout[0].items = [at("a", 1), at("d", 5)];
    d.panels.d = { type: "chart" };
  });
  const { merged, both } = merge(BASE, mine, theirs);
  equal(both, []);
  equal(Object.keys(merged.panels).sort(), ["a", "c", "d"]);
  equal(merged.layout[0].items.map((i) => `${i.panel} ${i.y}`).sort(), ["a 1", "c 9", "d 5"]);
});

test("A panel that one changed and the other removed is asked", () => {
  const mine = change((d) => (d.panels.b.title = "Mine"));
  const theirs = change((d) => {
    delete d.panels.b;
    d.layout[0].items = [at("a", 1)];
  });
  const { merged, both } = merge(BASE, mine, theirs);
  equal(
    both.map((one) => [one.name, one.theirs]),
    [["b", undefined]],
  );
  equal(Object.keys(merged.panels), ["a", "b"]);
  const taken = taking(merged, both, () => true);
  equal(Object.keys(taken.panels), ["a"]);
  equal(
    taken.layout[0].items.map((i) => i.panel),
    ["a"],
  );
});

test("A panel stands where the one put it who moved it, and none on another", () => {
  const mine = change((d) => (d.layout[0].items[0] = at("a", 1, 7)));
  const theirs = change((d) => (d.layout[0].items[1] = at("b", 1)));
  equal(
    merge(BASE, mine, theirs).merged.layout[0].items.map((i) => `${i.panel} ${i.x} ${i.y}`),
    ["a 7 1", "b 1 1"],
  );
  const over = change((d) => (d.layout[0].items[1] = at("b", 1, 7)));
  equal(
    merge(BASE, mine, over).merged.layout[0].items.map((i) => `${i.panel} ${i.x} ${i.y}`),
    ["a 7 1", "b 7 5"],
  );
});

test("Sections of both are there", () => {
  const mine = change((d) => d.layout.push({ section: "Mine", items: [] }));
  const theirs = change((d) => {
    d.layout.push({ section: "Theirs", collapsed: true, items: [at("c", 1)] });
    d.panels.c = { type: "text" };
  });
  const { merged } = merge(BASE, mine, theirs);
  equal(
    merged.layout.map((s) => [s.section ?? null, s.items.length]),
    [
      [null, 2],
      ["Mine", 0],
      ["Theirs", 1],
    ],
  );
});
