// The newest values behind open alerts: an alert itself holds that of its last change.
import { post } from "../../core/api.js";
import { Load } from "../../core/load.js";

const KEYS = 10;
const OBJECTS = 500;
const AGE = "30m";

/** Its figure says for how long there was no sample; the metric's own value is another matter. */
const isSilence = (alert) => alert.operator === "no-data";

/** What an alert's figure is of, when that can be read: a metric of an object, with no instance chosen by the rule. */
function source(alert) {
  const member = alert.members?.[0];
  if (
    alert.canceledAt ||
    alert.unknown ||
    isSilence(alert) ||
    alert.value === null ||
    alert.text !== null ||
    alert.instance ||
    !alert.key.includes("|") ||
    !member ||
    member.key !== alert.key
  )
    return null;
  return { object: member.object.id, key: alert.key };
}

const newest = new Load(async (objects, metrics, _tick, signal) => {
  const { values } = await post("/series/latest", { objects, metrics, maxAge: AGE }, signal);
  return new Map(values.map((v) => [`${v.objectId} ${v.metric}`, v.value]));
});

/** Reads the newest values behind alerts, those of the most frequent metrics; again with every tick. */
export function wantValues(alerts, tick) {
  const byKey = new Map();
  for (const alert of alerts) {
    const from = source(alert);
    if (from) byKey.set(from.key, (byKey.get(from.key) ?? new Set()).add(from.object));
  }
  const wanted = [...byKey].sort((a, b) => b[1].size - a[1].size).slice(0, KEYS);
  const objects = [...new Set(wanted.flatMap(([, of]) => [...of]))].slice(0, OBJECTS).sort();
  if (objects.length) newest.want(objects, wanted.map(([key]) => key).sort(), tick);
}

/** The alert with its newest value, as far as that is known. */
export function withNewest(alert) {
  if (isSilence(alert) && !alert.canceledAt) return { ...alert, value: (Date.now() - Date.parse(alert.since)) / 1000 };
  const from = source(alert);
  const value = from ? newest.data?.get(`${from.object} ${from.key}`) : undefined;
  return typeof value === "number" ? { ...alert, value } : alert;
}
