import { ImportState } from "/app/pages/dashboards/import-state.js";
import { answering, equal, holds, test } from "/test/harness.js";

const HOST = {
  key: "object:VMWARE/HostSystem/esx-9",
  outcome: "choose",
  name: "esx-9",
  text: "",
  places: 1,
  proposal: { value: "esx-1", text: "nearest by name" },
  choices: ["esx-1", "esx-2", "ask"],
};
const METRIC = { key: "superMetric:1", outcome: "missing", name: "sm_1", text: "", places: 1, choices: ["Latency"] };
const RESULT = { file: "team.json", settle: [HOST, METRIC], dashboards: [], views: [], sources: [], problems: [] };
const file = (name, content = "{}") => new File([content], name);
const query = (asked, i) => new URLSearchParams(asked[i].split("?")[1]);

test("A file is read as a dry run without choices, and imported with those that are proposed", async () => {
  const asked = answering({ "/dashboards/import": RESULT });
  const state = new ImportState();
  await state.add([file("team.json")]);
  equal(
    ["dryRun", "onConflict", "visibility", "fileName", "choices"].map((name) => query(asked, 0).get(name)),
    ["true", "skip", "private", "team.json", null],
  );
  await state.run();
  equal(asked.length, 2);
  equal(query(asked, 1).get("dryRun"), "false");
  equal(JSON.parse(query(asked, 1).get("choices")), { [HOST.key]: "esx-1" });
  equal(state.done, true);
});

test("A choice is asked for at once with all others, and what is settled stays to be settled anew", async () => {
  const answers = { "/dashboards/import": RESULT };
  const asked = answering(answers);
  const state = new ImportState();
  await state.add([file("team.json")]);
  const [read] = state.files;
  answers["/dashboards/import"] = { ...RESULT, settle: [] };
  await read.choose(METRIC, "Latency");
  equal(JSON.parse(query(asked, 1).get("choices")), { [HOST.key]: "esx-1", [METRIC.key]: "Latency" });
  equal(
    state.settle.map(([, one]) => [one.name, read.chosen(one)]),
    [
      ["esx-9", "esx-1"],
      ["sm_1", "Latency"],
    ],
  );
});

test("What is wanted of all files is asked of each of them anew", async () => {
  const asked = answering({ "/dashboards/import": RESULT });
  const state = new ImportState();
  await state.add([file("a.json"), file("b.json")]);
  await state.want({ visibility: "shared" });
  equal(
    [0, 1, 2, 3].map((i) => [query(asked, i).get("fileName"), query(asked, i).get("visibility")]),
    [
      ["a.json", "private"],
      ["b.json", "private"],
      ["a.json", "shared"],
      ["b.json", "shared"],
    ],
  );
});

test("An empty file is refused in words and not sent, and does not keep others from being imported", async () => {
  const asked = answering({ "/dashboards/import": RESULT });
  const state = new ImportState();
  await state.add([file("nothing.zip", ""), file("team.json")]);
  equal([state.files[0].error.title, asked.length, state.results.length], ["The file is empty", 1, 1]);
  await state.run();
  equal([query(asked, 1).get("dryRun"), state.done], ["false", false]);
  equal(
    state.files.map((f) => f.imported),
    [false, true],
  );
  await state.run();
  equal(asked.length, 2);
});

test("A file of the same name takes the place of the one before, and after an import all begins anew", async () => {
  answering({ "/dashboards/import": RESULT });
  const state = new ImportState();
  await state.add([file("team.json"), file("other.json")]);
  await state.add([file("team.json")]);
  equal(
    state.files.map((f) => f.name),
    ["other.json", "team.json"],
  );
  await state.run();
  await state.add([file("last.json")]);
  equal([state.files.length, state.done], [1, false]);
});

test("The tree is the same as long as the reports are", async () => {
  answering({ "/dashboards/import": RESULT });
  const state = new ImportState();
  await state.add([file("team.json")]);
  const before = state.tree;
  holds(state.tree === before, "asked twice");
  await state.want({ policy: "overwrite" });
  holds(state.tree !== before, "after another report");
});
