import { TemplateText } from "/app/template/yaml.js";
import { equal, holds, test } from "/test/harness.js";

const TEXT = `# What is sent
name: mail
modify:
  # short names
  - set: {field: alert.info, value: "x"} # as they are
  - truncate:
      field: alert.info
      max: 20

render:
  format: json
`;
const at = (path, text = TEXT) => {
  const [from, to] = new TemplateText(text).place(path);
  return text.slice(from, to);
};
const steps = (text) => new TemplateText(text).value.modify ?? [];

test("A template is read as its value", () => {
  const { value, errors } = new TemplateText(TEXT);
  equal(
    [errors, value.name, value.modify[1], value.render],
    [[], "mail", { truncate: { field: "alert.info", max: 20 } }, { format: "json" }],
  );
  equal(new TemplateText("").value, {}, "an empty one has nothing");
});

test("A place is found by either way to write it", () => {
  equal([at("/modify/1/truncate/max"), at("modify[1].truncate.max"), at("/render/format")], ["20", "20", "json"]);
});

test("The place of what is missing is that of what it is missing in", () => {
  equal(at("/modify/0/set/default").startsWith("{field: alert.info"), true);
  equal([at("/deliver/url"), at("")], ["# What is sent", "# What is sent"]);
  equal(at("/x", "one line"), "one line");
});

test("A list of steps that grows keeps comments and the rest of the text", () => {
  const more = new TemplateText(TEXT).addStep(1, { remove: ["alert.risk"] });
  equal(
    steps(more).map((s) => Object.keys(s)[0]),
    ["set", "remove", "truncate"],
  );
  for (const part of ["# What is sent", "# short names", "# as they are", "render:\n  format: json"])
    holds(more.includes(part), `${part} in ${more}`);
});

test("A step that is replaced keeps its comments", () => {
  const text = new TemplateText(TEXT).setStep(0, { set: { field: "owner", value: "y" } });
  equal(steps(text)[0], { set: { field: "owner", value: "y" } });
  for (const part of ["# short names", "# as they are"]) holds(text.includes(part), `${part} in ${text}`);
});

test("A step that is moved is in its new place, and nothing else changes", () => {
  const text = new TemplateText(TEXT).moveStep(1, 0);
  equal(
    steps(text).map((s) => Object.keys(s)[0]),
    ["truncate", "set"],
  );
  equal(steps(new TemplateText(text).moveStep(0, 1)), steps(TEXT));
});

test("The last step takes the list with it", () => {
  const one = new TemplateText(TEXT).removeStep(1);
  equal(steps(one).length, 1);
  const none = new TemplateText(one).removeStep(0);
  equal(Object.keys(new TemplateText(none).value), ["name", "render"]);
});

for (const [about, text] of [
  ["without a list", "name: mail\nrender: {format: json}\n"],
  ["with a list that is empty", "name: mail\nmodify: []\nrender: {format: json}\n"],
  ["with a list that has only its name", "name: mail\nmodify:\nrender: {format: json}\n"],
  ["with nothing in it", ""],
])
  test(`The first step comes into a template ${about}`, () => {
    const more = new TemplateText(new TemplateText(text).addStep(0, { remove: ["alert.risk"] }));
    equal(more.errors, []);
    equal(more.value.modify, [{ remove: ["alert.risk"] }]);
    equal(
      Object.keys(more.value).filter((k) => k !== "modify"),
      Object.keys(new TemplateText(text).value).filter((k) => k !== "modify"),
    );
  });

test("Steps come before what is rendered and delivered", () => {
  const text = new TemplateText("render: {format: json}\ndeliver: {}\n").addStep(0, { drop: "no" });
  equal(Object.keys(new TemplateText(text).value), ["modify", "render", "deliver"]);
});

test("A value is set, and taken out by none", () => {
  const text = new TemplateText(TEXT).set(["render", "format"], "text");
  equal(new TemplateText(text).value.render, { format: "text" });
  equal(new TemplateText(new TemplateText(text).set(["name"], undefined)).value.name, undefined);
});

test("Texts that look like something else stay texts", () => {
  for (const value of ["yes", "1", "null", "a: b", "#x", " ", "", "${alert.name} \u201cq\u201d", "a\nb", "- x"]) {
    const text = new TemplateText(TEXT).set(["modify", 0, "set", "value"], value);
    equal(steps(text)[0].set.value, value);
  }
});

test("A change does not touch the text that it is made from", () => {
  const template = new TemplateText(TEXT);
  template.addStep(0, { drop: "no" });
  equal([template.text, template.value.modify.length], [TEXT, 2]);
});

test("What is wrong as YAML is marked in its line", () => {
  const issues = new TemplateText("name: mail\nname: other\nrender: [1\n").issues();
  equal([issues[0].line, issues[0].column, issues[0].severity], [2, 1, "error"]);
  for (const issue of issues) {
    holds(!/at line \d/.test(issue.message), issue.message);
    holds(issue.end > issue.offset, JSON.stringify(issue));
  }
});

test("An issue at the end of a text is marked at its last sign", () => {
  const template = new TemplateText("name: mail\n\n\n");
  const issue = template.issue([13, 13], "render is missing");
  equal([issue.line, issue.column, issue.offset, issue.end], [1, 10, 9, 10]);
});

test("An issue over several lines is marked in the first of them", () => {
  const issue = new TemplateText(TEXT).issue([0, TEXT.length], "all of it", "warning");
  equal([issue.offset, issue.end, issue.severity], [0, 14, "warning"]);
});
