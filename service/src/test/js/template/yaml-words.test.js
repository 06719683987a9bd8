import { YamlWords } from "/app/template/yaml-words.js";
import { equal, test } from "/test/harness.js";

const words = new YamlWords(() => ({
  alert: { name: "CPU is busy", symptoms: [1, 2] },
  object: { tags: { "a-b": null } },
}));
function there(marked) {
  const text = marked.replace("\u00a6", "");
  const context = words.contextAt(text, marked.indexOf("\u00a6"));
  return context && [context.kind, context.typed, text.slice(context.from, context.to)];
}
const listed = async (kind, typed) => (await words.complete({ kind, typed })).items;

for (const [marked, context] of [
  ["body: ${alert.na\u00a6me} is", ["path", "alert.na", "alert.name"]],
  ["body: ${\u00a6}", ["path", "", ""]],
  ["body: ${alert.name} \u00a6", null],
  ["body: ${alert.startTime | da\u00a6te}", ["filter", "da", "date"]],
  ["body: ${a} and ${b | \u00a6", ["filter", "", ""]],
  ["  - set: {field: al\u00a6, value: x}", ["path", "al", "al"]],
  ["  - add: {to: owner, from: [object.a, obj\u00a6]}", ["path", "obj", "obj"]],
  ["    when: alert.x == 1 && al\u00a6", ["expression", "al", "al"]],
  ['    cel: "si\u00a6"', ["expression", "si", "si"]],
  ["modify:\n  - se\u00a6", ["step", "se", "se"]],
  ["modify:\n  - set: {}\n  - \u00a6", ["step", "", ""]],
  ["render:\n  - se\u00a6", null],
  ["modify:\n  - set: {}\nrender:\n  - se\u00a6", null],
  ["name: al\u00a6", null],
  ["\u00a6", null],
])
  test(`At the caret of ${JSON.stringify(marked)} stands ${context ? `a ${context[0]}` : "nothing to complete"}`, () =>
    equal(there(marked), context));

test("Filters and steps are those that hold what was typed, the likeliest first", async () => {
  equal((await listed("filter", "tr")).map((i) => i.label).slice(0, 2), ["trim", "truncate"]);
  equal(
    (await listed("step", "map")).map((i) => i.insert),
    ["mapSeverity: "],
  );
  equal(await listed("step", "nonsense"), []);
});

test("Paths are those of the alert that is shown, with what they hold, and those of every alert", async () => {
  const end = async (typed) => (await listed("path", typed)).find((i) => i.label === typed)?.end;
  equal(
    [await end("alert.name"), await end("alert.symptoms"), await end("alert.owner")],
    ["CPU is busy", "a list of 2", "who has it"],
  );
  equal((await listed("path", "a-b"))[0], {
    label: 'object.tags["a-b"]',
    insert: 'object.tags["a-b"]',
    end: "nothing here",
  });
});
