// Answers of the ranking of talkers and of that by a metric in one form, which table and chart draw.
import { get } from "../../core/api.js";
import { scale, withUnit } from "../../core/format.js";
import { isNetwork, metricName } from "../../core/metrics.js";
import { amount, DIMENSIONS, endName, learn, lineScale } from "../../core/talkers.js";

/** Of these it is learned what is usual. */
const OBJECTS = ["vm", "host", "cluster"];

/** Most first, as `GET /top-talkers` ranks them. */
export async function readTalkers(query, signal) {
  const a = await get("/top-talkers", { ...query, usual: OBJECTS.includes(query.by) }, signal);
  const text = (v) => amount(v, a.unit);
  for (const { talker } of a.items) learn(talker);
  // Pairs that have one end in common are told apart by the other one.
  const one = (end) =>
    a.by === "pair" && a.items.length > 1 && a.items.every((i) => i.talker[end]?.key === a.items[0].talker[end]?.key);
  const name = one("from")
    ? (t) => `to ${endName(t.to)}`
    : one("to")
      ? (t) => `from ${endName(t.from)}`
      : (t) => t.name;
  return {
    ...a,
    text,
    rateText: (v) => withUnit(v, "bit/s"),
    one: DIMENSIONS[a.by][0],
    many: DIMENSIONS[a.by][1],
    talkers: a.items.length + (a.others?.talkers ?? 0),
    items: a.items.map((i) => ({ ...i, id: i.talker.key, name: name(i.talker) })),
    lineScale: (most) => lineScale(a.measure, most),
    times: a.sparklineTimes ?? [],
  };
}

/** Objects of a kind by a metric, as `GET /series/top` ranks them. */
export async function readObjects(query, signal) {
  const a = await get("/series/top", query, signal);
  const network = isNetwork(a.metric);
  const text = (v) => withUnit(v, a.unit, network);
  // Percents of several objects do not add up to anything.
  const adds = a.unit !== "%";
  return {
    ...a,
    text,
    rateText: text,
    metricName: metricName(a.metric),
    one: "object",
    many: "objects",
    talkers: a.ranked,
    others:
      a.others.objects > 0
        ? { talkers: a.others.objects, value: adds ? a.others.value : null, share: adds ? a.others.share : null }
        : null,
    unassigned: 0,
    items: a.items.map((i) => ({
      ...i,
      id: i.object.id,
      name: i.object.name,
      share: adds ? i.share : null,
      meanRate: i.mean,
      peakMinuteRate: i.peak,
      talker: { key: i.object.id, name: i.object.name, object: i.object },
    })),
    lineScale: (most) => scale(a.unit, most, network),
    times: a.sparklineTimes ?? [],
  };
}
