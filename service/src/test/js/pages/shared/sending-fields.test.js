import { scheduleWords } from "/app/pages/shared/sending-fields.js";
import { equal, test } from "/test/harness.js";

test("A schedule names its days in the order of the week", () => {
  const at = { time: "07:00", zone: "Europe/Berlin" };
  equal([scheduleWords(null), scheduleWords(null, "never")], ["not sent by itself", "never"]);
  equal([scheduleWords({ ...at, days: [] }), scheduleWords(at)], Array(2).fill("every day at 07:00, Europe/Berlin"));
  equal(scheduleWords({ ...at, days: ["fri", "mon"] }), "every Mon, Fri at 07:00, Europe/Berlin");
});
