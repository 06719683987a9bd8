import { celIssue, CelWords, readCel } from "/app/template/cel.js";
import { equal, test } from "/test/harness.js";

const tokens = (text) => readCel(text).tokens.map((t) => `${t.kind}:${text.slice(t.start, t.end)}`);
const words = new CelWords(() => ({ alert: { name: "CPU", "odd name": 1 }, object: { tags: { env: "prod" } } }));
function there(marked) {
  const text = marked.replace("\u00a6", "");
  const context = words.contextAt(text, marked.indexOf("\u00a6"));
  return context && [context.typed, text.slice(context.from, context.to)];
}

test("A condition is cut into texts, numbers, names, functions and signs", () => {
  equal(tokens('size(alert.symptoms) > 2.5 && x == "a\\"b"'), [
    "fn:size",
    "op:(",
    "name:alert",
    "op:.",
    "name:symptoms",
    "op:)",
    "op:>",
    "num:2.5",
    "op:&",
    "op:&",
    "name:x",
    "op:=",
    "op:=",
    'str:"a\\"b"',
  ]);
  equal(
    [tokens("true in x"), tokens(""), tokens("'not closed")],
    [["num:true", "num:in", "name:x"], [], ["str:'not closed"]],
  );
});

test("A path is completed as a whole, to the end of the name under the caret", () => {
  equal(there("alert.na\u00a6me == 1"), ["alert.na", "alert.name"]);
  equal(there("has(object.\u00a6)"), ["object.", "object."]);
  equal(there("x && \u00a6"), ["", ""]);
  equal(there('object.tags["en\u00a6v"]'), ['object.tags["en', 'object.tags["env']);
});

test("Nothing is completed within a text", () => {
  equal([there('alert.name == "al\u00a6ert"'), there("x == 'a\u00a6'")], [null, null]);
});

test("A condition sees paths of the alert and functions", async () => {
  const { items } = await words.complete({ typed: "alert." });
  equal(items[0], { label: "alert.name", insert: "alert.name", end: "CPU" });
  const odd = await words.complete({ typed: "odd" });
  equal(odd.items[0].insert, 'alert["odd name"]');
  const calls = await words.complete({ typed: "starts" });
  equal([calls.items[0].insert, calls.items[0].call], ["startsWith(", true]);
});

test("What is wrong with a condition is marked where the service says", () => {
  const issue = celIssue("a == 1 &&\n  nme > 2", 'is no condition: nme is unknown (character 13, at "nme > 2")');
  equal([issue.offset, issue.end, issue.line, issue.column, issue.message], [12, 15, 2, 3, "nme is unknown"]);
});

test("What is wrong somewhere is marked at the beginning, what is wrong at the end at the last sign", () => {
  const somewhere = celIssue("abc == 1", "gives no answer");
  equal([somewhere.offset, somewhere.end, somewhere.message], [0, 3, "gives no answer"]);
  const end = celIssue("a ==", 'is not over (character 99, at "")');
  equal([end.offset, end.end], [3, 4]);
  equal(celIssue("", "is empty").offset, 0);
});
