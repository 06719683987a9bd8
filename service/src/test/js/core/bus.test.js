import { settled } from "/app/core/bus.js";
import { memo } from "/app/core/memo.js";
import { equal, holds, test } from "/test/harness.js";

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

test("What has to settle runs once, with the last of its arguments", async () => {
  const heard = [];
  const soon = settled((v) => heard.push(v), 5);
  soon(1);
  soon(2);
  equal(heard, []);
  await pause(60);
  equal(heard, [2]);
});

test("What has to settle can be cancelled, or made now, and then comes no more", async () => {
  const heard = [];
  const soon = settled((v) => heard.push(v), 5);
  soon(1);
  soon.cancel();
  soon.now();
  soon(2);
  soon.now();
  equal(heard, [2]);
  await pause(60);
  equal(heard, [2]);
});

test("What is made of the same inputs is made once", () => {
  let made = 0;
  const list = memo((...inputs) => (made++, inputs));
  const first = list(1, false);
  holds(list(1, false) === first, "the same thing");
  list(2, false);
  list(2);
  equal([made, list(2)], [3, [2]]);
});
