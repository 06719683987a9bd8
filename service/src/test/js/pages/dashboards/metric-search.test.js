import { hasWords } from "/app/pages/dashboards/metric-search.js";
import { equal, test } from "/test/harness.js";

const hit = (key, name = null) => ({ source: "metric", key, name });

test("Words of a search are found in the key of a metric and in the name that people read, in any order", () => {
  equal(hasWords(hit("cpu|usage_average"), ["cpu", "usage"]), true);
  equal(hasWords(hit("cpu|usage_average"), ["usage", "cpu"]), true);
  equal(hasWords(hit("Super metric|sm_1", "Waiting VMs"), ["vms", "waiting"]), true);
  equal(hasWords(hit("mem|usage_average"), ["cpu", "usage"]), false);
  equal(hasWords(hit("mem|usage_average"), []), true);
});
