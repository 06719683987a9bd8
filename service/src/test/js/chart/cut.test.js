import { episodes } from "/app/chart/cut.js";
import { equal, test } from "/test/harness.js";

const RULE = { opensAt: 4, closesBelow: 3, violations: 2, of: 3, closesAfter: 2 };

for (const [about, scores, found, rule] of [
  ["nothing opens without scores", [], []],
  ["nothing opens below the limit", [3.9, 3.9, 3.9, 3.9], []],
  ["one step alone does not open", [0, 9, 0, 0, 9, 0], []],
  ["two of three steps open from the first of them", [0, 4, 0, 4, 4], [{ from: 1, to: null, peak: 4 }]],
  ["a step three before is forgotten", [4, 0, 0, 4, 0, 0, 4], []],
  ["calm steps in a row close", [5, 5, 1, 1, 0], [{ from: 0, to: 3, peak: 5 }]],
  ["a step that is not calm begins the count anew", [5, 5, 1, 3, 1, 1], [{ from: 0, to: 5, peak: 5 }]],
  [
    "after it closed it may open again",
    [5, 5, 0, 0, 6, 6],
    [
      { from: 0, to: 3, peak: 5 },
      { from: 4, to: null, peak: 6 },
    ],
  ],
  ["what counted before does not count again", [5, 5, 0, 0, 6, 0, 0], [{ from: 0, to: 3, peak: 5 }]],
  ["the peak is the farthest score with its sign", [-5, -9, -6], [{ from: 0, to: null, peak: -9 }]],
  [
    "steps without a score are as if they were not there",
    [5, null, undefined, null, 5],
    [{ from: 0, to: null, peak: 5 }],
  ],
  ["steps without a score do not close", [5, 5, 1, null, null], [{ from: 0, to: null, peak: 5 }]],
  ["of one side only that side opens", [-9, -9, 5, 5], [{ from: 2, to: null, peak: 5 }], { side: "high" }],
  ["of the low side only low scores open", [9, 9, -5, -5], [{ from: 2, to: null, peak: -5 }], { side: "low" }],
  ["one of one opens at once", [0, 4, 0, 0], [{ from: 1, to: 3, peak: 4 }], { violations: 1, of: 1 }],
])
  test(`Of an event's scores: ${about}`, () => equal(episodes(scores, { ...RULE, ...rule }), found));
