// What people decide on recommendations, without a dialogue; each says what it did and can be taken back for 10 s.
import { post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { may, NEEDS } from "../../core/session.js";
import { date } from "../../core/time.js";
import { notice } from "../../parts/notice.js";
import { ahead, nameOf } from "./words.js";

const MOST = 1000;
/** Until when Z ignores, in days. */
const USUAL = 90;

const DONE = { approve: "approved", ignore: "ignored", reopen: "open again" };

/** Asks the API, and gives what was done and why the rest was not. */
async function send(action, list, more) {
  const items = [];
  for (let i = 0; i < list.length; i += MOST)
    items.push(
      ...(
        await post("/right-sizing/recommendations/actions", {
          ids: list.slice(i, i + MOST).map((r) => r.id),
          action,
          ...more,
        })
      ).items,
    );
  return items;
}

/** What undoes it: each goes back to what it was. */
async function takeBack(before, again) {
  try {
    const groups = new Map();
    for (const r of before) {
      const { state, until, note } = r.decision;
      const more = { ...(state === "ignored" ? { until } : {}), ...(note ? { note } : {}) };
      const action = { approved: "approve", ignored: "ignore" }[state] ?? "reopen";
      const key = JSON.stringify([action, action === "reopen" ? {} : more]);
      groups.set(key, [...(groups.get(key) ?? []), r]);
    }
    for (const [key, list] of groups) {
      const [action, more] = JSON.parse(key);
      await send(action, list, more);
    }
    notice("As it was before");
  } catch (error) {
    notice(`Not taken back: ${error.message}`, { seconds: 8 });
  }
  again();
}

/** Does `action` to recommendations; `again()` reads the list anew. */
export async function decide(action, list, again, more = {}) {
  if (!may("operator")) return notice(NEEDS);
  if (!list.length) return notice("Choose a row first, with J and K or the mouse.");
  let items;
  try {
    items = await send(action, list, more);
  } catch (error) {
    return notice(`Not ${DONE[action]}: ${error.message}`, { seconds: 8 });
  }
  const done = list.filter((r) => items.some((i) => i.id === r.id && i.done));
  const refused = items.filter((i) => !i.done);
  const what = done.length === 1 ? nameOf(done[0]) : plural(done.length, "recommendation");
  const words = `${what} ${DONE[action]}${more.until ? ` until ${date(Date.parse(more.until))}` : ""}`;
  const said = refused.length
    ? `${done.length ? `${words}; ` : ""}${count(refused.length)} not: ${refused[0].reason}`
    : words;
  notice(said, { seconds: 10, undo: done.length ? () => takeBack(done, again) : null });
  again();
}

export const approve = (list, again) =>
  decide("approve", list.length > 1 ? list.filter((r) => r.decision.state !== "approved") : list, again);
export const ignore = (list, again, days = USUAL) => decide("ignore", list, again, { until: ahead(days) });
export const reopen = (list, again) => decide("reopen", list, again);
