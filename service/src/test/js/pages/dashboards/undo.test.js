import { changes, MOST, Steps } from "/app/pages/dashboards/undo.js";
import { equal, test } from "/test/harness.js";

test("Steps are taken back and done again, one after the other", () => {
  const steps = new Steps();
  const states = [
    { a: 1, panels: { x: { t: 1 } } },
    { a: 2, panels: { x: { t: 1 } } },
    { a: 2, panels: {} },
  ];
  steps.note(states[0], states[1]);
  steps.note(states[1], states[2]);
  equal(steps.undo(states[2]), states[1]);
  equal(steps.undo(states[1]), states[0]);
  equal(steps.undo(states[0]), null);
  equal(steps.redo(states[0]), states[1]);
  equal(steps.redo(states[1]), states[2]);
  equal(steps.redo(states[2]), null);
});

test("A new step ends what could be done again", () => {
  const steps = new Steps();
  steps.note({ a: 1 }, { a: 2 });
  steps.undo({ a: 2 });
  steps.note({ a: 1 }, { a: 3 });
  equal(steps.redo({ a: 3 }), null);
  equal(steps.undo({ a: 3 }), { a: 1 });
});

test("Typing on in one field is one step, in another one a second", () => {
  const steps = new Steps();
  steps.note({ t: "" }, { t: "a" }, "t");
  steps.note({ t: "a" }, { t: "ab" }, "t");
  steps.note({ t: "ab" }, { t: "ab", u: "c" }, "u");
  equal(steps.back.length, 2);
  equal(steps.undo({ t: "ab", u: "c" }), { t: "ab" });
  equal(steps.undo({ t: "ab" }), { t: "" });
});

test("Dragging there and back leaves no step", () => {
  const steps = new Steps();
  steps.note({ y: 1 }, { y: 2 }, "drag");
  steps.note({ y: 2 }, { y: 1 }, "drag");
  equal(steps.back.length, 0);
});

test("Steps survive being kept as a text, and a hundred of them are", () => {
  const steps = new Steps();
  for (let i = 0; i < MOST + 20; i++) steps.note({ n: i, list: [1, 2] }, { n: i + 1, list: [1, 2] });
  const again = new Steps(JSON.parse(JSON.stringify(steps)));
  equal(again.back.length, MOST);
  equal(again.undo({ n: 120, list: [1, 2] }), { n: 119, list: [1, 2] });
});

test("A step says only what it changed, and lists as a whole", () => {
  equal(changes({ a: { b: 1, c: [1, 2] }, d: 4 }, { a: { b: 1, c: [1, 3] } }), [
    [
      ["a", "c"],
      [1, 2],
      [1, 3],
    ],
    [["d"], 4, null],
  ]);
});
