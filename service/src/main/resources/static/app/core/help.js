// The documentation that ships with the service: its contents, and which part of it helps with which page.
import { Load } from "./load.js";
import { href } from "./url.js";

/** Every document with its sections: `[{ page, group, title, sections: [{ id, title, level }] }]`. */
export const contents = new Load((_once, signal) => read("index.json", signal));
/** The words of each section, by document, in the order of its sections. */
export const words = new Load((_once, signal) => read("search.json", signal));

async function read(name, signal) {
  const answer = await fetch(`/docs/${name}`, { signal });
  if (!answer.ok) throw new Error(`The documentation did not come: ${answer.status}`);
  return answer.json();
}

// The first that fits; a page without an entry is helped by the contents.
/** @type {[RegExp, string, string][]} */
const PLACES = [
  [/^\/$/, "alerting", "incidents"],
  [/^\/explorer$/, "clients", "names-of-objects"],
  [/^\/objects\//, "capacity", "time-remaining"],
  [/^\/compare$/, "change-impact", ""],
  [/^\/dashboards$/, "dashboards-page", ""],
  [/^\/dashboards\/import$/, "dashboards-page", "importing"],
  [/^\/dashboards\//, "dashboards-page", "reading"],
  [/^\/reports\/[0-9a-f-]{36}$/, "reports", "runs"],
  [/^\/reports/, "reports", ""],
  [/^\/alerts$/, "alerting", "the-life-of-an-alert"],
  [/^\/alerts\//, "alerting", "explanations"],
  [/^\/incidents\//, "alerting", "incidents"],
  [/^\/outliers\/(new|[0-9a-f-]{36}\/edit)$/, "outliers", "groups"],
  [/^\/outliers\/events\//, "outliers", "events"],
  [/^\/outliers/, "outliers", "for-an-operator"],
  [/^\/top-talkers\/networks$/, "top-talkers", "named-networks"],
  [/^\/top-talkers\/reports/, "top-talkers", "reports"],
  [/^\/top-talkers\/flows$/, "top-talkers", "from-a-row-to-its-flows"],
  [/^\/top-talkers$/, "top-talkers", "reading-the-ranking"],
  [/^\/wall$/, "walls", "signing-a-screen-in"],
  [/^\/walls?/, "walls", "a-wall"],
  [/^\/link/, "walls", "public-links"],
  [/^\/right-sizing/, "right-sizing", ""],
  [/^\/why-slow/, "why-slow", ""],
  [/^\/benchmark-runs/, "benchmark-runs", ""],
  [/^\/load-profiles/, "load-profiles", ""],
  [/^\/super-metrics\/import$/, "super-metric-files", ""],
  [/^\/super-metrics/, "formula-language", ""],
  [/^\/thresholds\/import$/, "alerting", "files-and-packs"],
  [/^\/thresholds\/definitions\//, "alerting", "alert-definitions"],
  [/^\/thresholds\//, "alerting", "a-threshold-field-by-field"],
  [/^\/thresholds$/, "alerting", ""],
  [/^\/notifications\/templates\/import$/, "notifications", "files"],
  [/^\/notifications\/templates\//, "notifications", "templates"],
  [/^\/notifications\/rules\//, "notifications", "rules"],
  [/^\/notifications\/targets\//, "notification-channels", ""],
  [/^\/notifications\/relays\//, "notifications", "relays-alerts-of-other-systems"],
  [/^\/notifications\/silences\//, "notifications", "silences"],
  [/^\/notifications\/deliveries\//, "notifications", "what-is-sent-when-and-why"],
  [/^\/notifications$/, "notifications", ""],
  [/^\/sources$/, "sources", ""],
  [/^\/ingest$/, "mappings", ""],
  [/^\/settings\/audit$/, "audit", ""],
  [/^\/settings\/maintenance\//, "alerting", "maintenance-windows"],
  [/^\/settings\/groups\//, "alerting", "scopes"],
  [/^\/settings$/, "configuration", ""],
];

/** The address of a document, or of a section of it. */
export const helpAddress = (page, section = "") => href(`/help/${page}`, { section });

/** What helps with the page at a path: `{ page, section }`; null when only the contents do. */
export function helpFor(path) {
  const place = PLACES.find(([pattern]) => pattern.test(path));
  return place ? { page: place[1], section: place[2] } : null;
}
