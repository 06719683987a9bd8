import { actionOf } from "/app/panels/empty.js";
import { equal, test } from "/test/harness.js";

for (const [empty, label, href] of [
  [{ reason: "never-reported", source: "vcenter" }, "Add a vCenter", "/sources?add=vcenter"],
  [{ reason: "no-kind", source: "vcenter" }, "Add a vCenter", "/sources?add=vcenter"],
  [{ reason: "never-reported", source: "flows" }, "Send flows", "/help/flows"],
  [{ reason: "no-kind", source: "otlp" }, "Send it by OpenTelemetry", "/help/otlp"],
  [{ reason: "never-reported" }, "Open the sources", "/sources"],
  [{ reason: "stopped", source: "vcenter" }, "Open the source", "/sources?q=kind:vcenter"],
  [{ reason: "stopped", source: "flows" }, "Open the source", "/sources?q=kind:flow-exporter"],
  [{ reason: "stopped" }, "Open the source", "/sources"],
  [{ reason: "not-enabled", superMetric: "7f21" }, "Turn on", "/super-metrics/7f21"],
])
  test(`A panel that is empty for ${JSON.stringify(empty)} leads to ${href}`, () =>
    equal(actionOf(empty), { label, href }));

test("Where nothing can be done nothing is offered", () =>
  equal(
    ["choose", "no-match", "not-allowed"].map((reason) => actionOf({ reason })),
    [null, null, null],
  ));
