import { amend, go, href, onPlace, param, place } from "/app/core/url.js";
import { equal, test } from "/test/harness.js";

/** Goes to a page with nothing in its address but this. */
const arrive = (params) => go("/page", { scope: null, range: null, from: null, to: null, ...params });

test("A link to another page keeps the scope and the range, and nothing else", () => {
  arrive({ scope: "s1", range: "3h", q: "web", row: "7" });
  equal(href("/alerts"), "/alerts?scope=s1&range=3h");
});

test("A link says what it is given, and leaves out what is empty", () => {
  arrive({ scope: "s1" });
  equal(
    href("/alerts", { q: "web", owner: "", rule: null, kind: undefined, page: 0 }),
    "/alerts?scope=s1&q=web&page=0",
  );
  equal(href("/alerts", { scope: null }), "/alerts", "what is kept can be removed");
  equal(href("/alerts", { scope: "s2" }), "/alerts?scope=s2", "and be another");
});

test("A list stands in an address item by item", () => {
  arrive({});
  equal(href("/x", { tier: ["web", "db"], network: [] }), "/x?tier=web&tier=db");
});

test("Colons, commas and slashes are readable in an address, a bar is not there as it is", () => {
  arrive({});
  equal(href("/x", { q: "kind:VM,a/b" }), "/x?q=kind:VM,a/b");
  equal(href("/x", { key: "cpu|usage_average" }), "/x?key=cpu%7Cusage_average");
});

for (const text of ["a b+c", "50 % & more = less", "naa:1,2/3|4", "%2C", "\u201cqu\u00f6ted\u201d #1?", "a%3Ab"])
  test(`The text ${text} comes back from an address as it was`, () => {
    arrive({ q: text });
    equal(param("q"), text);
    equal(new URL(href("/x", { q: text }), location.origin).searchParams.get("q"), text);
  });

test("A parameter that is not in the address has its fallback", () => {
  arrive({ q: "web" });
  equal([param("q"), param("by"), param("by", "vm")], ["web", "", "vm"]);
});

test("A change of the address is told once, and not when nothing changes", () => {
  arrive({ q: "web" });
  const told = [];
  const leave = onPlace((p) => told.push(p.query.get("q")));
  amend({ q: "web" });
  amend({ q: "db" });
  amend({ q: null }, { replace: true });
  leave();
  amend({ q: "late" });
  equal(told, ["db", null]);
});

test("Replacing leaves no entry in the history", () => {
  arrive({ q: "a" });
  const before = history.length;
  amend({ q: "b" }, { replace: true });
  equal([history.length - before, param("q")], [0, "b"]);
});

test("A path has no slash at its end, but for the first page", () => {
  go("/alerts/");
  equal(place.path, "/alerts");
  go("/");
  equal(place.path, "/");
});
