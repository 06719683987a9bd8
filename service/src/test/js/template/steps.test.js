import { KINDS, kindOf, newStep, optionsOf, parted, roughWords, stepOf } from "/app/template/steps.js";
import { equal, holds, test } from "/test/harness.js";

test("The kind of a step is what is not one of its options", () => {
  equal(kindOf({ when: "x", set: {}, enabled: false }), "set");
  equal([kindOf({ when: "x" }), kindOf({}), kindOf(null)], [null, null, null]);
});

test("Options that say no are options all the same", () => {
  equal(optionsOf({ set: {}, enabled: false, when: "", on: undefined }), { enabled: false, when: "" });
  equal(optionsOf(null), {});
});

test("A new step of a kind is its own, not that of the next one", () => {
  const step = newStep("redact");
  step.redact.fields.push("owner");
  equal(newStep("redact").redact.fields, ["alert.info"]);
});

test("Every kind of step is read again as it was made, and has words", () => {
  for (const kind of Object.keys(KINDS)) {
    const step = newStep(kind);
    equal([kindOf(step), stepOf(kind, step[kind], {})], [kind, step]);
    const [verb, rest] = roughWords(step);
    holds(verb === KINDS[kind].verb && !/undefined|null|object O/.test(rest), `${kind}: ${verb} ${rest}`);
  }
});

test("Members that say nothing are left out, but for those in which nothing means something", () => {
  equal(stepOf("regexReplace", { field: "a", pattern: "", with: "", default: null }, { when: "", on: [] }), {
    regexReplace: { field: "a", with: "" },
  });
  equal(stepOf("truncate", { field: "a", max: 0, ellipsis: false }, { enabled: false }), {
    truncate: { field: "a", max: 0, ellipsis: false },
    enabled: false,
  });
  equal(stepOf("remove", ["a"], { onError: "drop" }), { remove: ["a"], onError: "drop" });
});

test("A step reads roughly until the service has said it", () => {
  equal(roughWords({ set: { field: "owner", value: 0 } }), ["Set", "owner to 0"]);
  equal(roughWords({ default: { field: "owner", value: "" } }), ["Set where empty", 'owner to ""']);
  equal(roughWords({ remove: ["a", "b"] }), ["Remove", "a, b"]);
  equal(roughWords({ drop: "" }), ["Send nothing", ""]);
  equal(
    [roughWords({ explode: {} }), roughWords(null)],
    [
      ["?", "explode"],
      ["?", "no step"],
    ],
  );
});

test("The verb of a sentence stands apart, if it is one that steps have", () => {
  equal(parted("Map severity of the alert"), ["Map severity", " of the alert"]);
  equal(parted("Settle it"), ["", "Settle it"]);
});
