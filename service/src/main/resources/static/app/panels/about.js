// What panels of outliers, talkers, impact and capacity show: the service says of which objects, and the operations of
// the pages that have these things say what there is of them.
import { get } from "../core/api.js";

const MOST = 20;
/** So many changes are judged; each is a comparison of its own. */
const JUDGED = 3;

const BY = { receiver: "vm", sender: "vm", object: "vm", pair: "pair", service: "port", network: "network" };
const DIRECTION = { sender: "sent", receiver: "received" };

/** The object that a panel is about, by the values of variables; null for none. */
export function subjectOf({ panel, variables }) {
  const { subject } = panel;
  return typeof subject === "string" ? (variables?.[subject.slice(1)]?.split(",")[0] ?? null) : null;
}

async function impact(object, window, signal) {
  const { items } = await get(`/objects/${object}/changes`, { ...window, limit: MOST }, signal);
  const judged = await Promise.all(
    items.slice(0, JUDGED).map((c) => get(`/changes/${c.id}/impact`, {}, signal).catch(() => null)),
  );
  return { items: items.map((change, i) => ({ change, comparison: judged[i] ?? null })) };
}

const READS = {
  outliers: ({ panel, object, window }, signal) =>
    get("/outlier-events", { ...window, ancestor: object, limit: panel.limit ?? MOST }, signal),
  talkers: ({ panel, object, window }, signal) =>
    get(
      "/top-talkers",
      {
        ...window,
        by: BY[panel.by ?? "sender"],
        direction: DIRECTION[panel.by ?? "sender"] ?? "both",
        scope: object ? [object] : null,
        compare: "none",
        limit: panel.limit ?? MOST,
      },
      signal,
    ),
  capacity: ({ object }, signal) => (object ? get(`/objects/${object}/forecasts`, {}, signal) : { items: [] }),
  impact: ({ object, window }, signal) => (object ? impact(object, window, signal) : { items: [] }),
};

/** Whether what a panel shows is read besides its answer. */
export const isAbout = (type) => Object.hasOwn(READS, type);

/** What there is of the objects of an answer. */
export const readAbout = (body, answer, signal) =>
  READS[body.panel.type](
    { panel: body.panel, object: subjectOf(body), window: { from: String(answer.from), to: String(answer.to) } },
    signal,
  );
