// What people say of a member that differs: that it was to be expected, or a remark.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post, remove } from "../../core/api.js";
import { alertsChanged } from "../../core/alerts.js";
import { may, NEEDS } from "../../core/session.js";
import { clock, DAY, HOUR, moment } from "../../core/time.js";
import { nextAt } from "../../core/zone.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { segments } from "../../parts/small.js";
import { whenField } from "../../parts/when.js";
import { act, actButton } from "../alerts/actions.js";
import { isOver, subjectOf } from "./words.js";

const iso = (ms) => new Date(Math.round(ms / 1000) * 1000).toISOString();

/** The next six in the morning: tonight is over then. */
const morning = () => nextAt(6);

const WHAT = {
  hour: "Judged and shown, but opens no alert. What happens until then is not learned.",
  night: "Judged and shown, but opens no alert. What happens until then is not learned.",
  date: "Judged and shown, but opens no alert. What happens until then is not learned.",
  always:
    "It is not compared with the others any more, nor they with it, until somebody ends that. Nothing is learned of it.",
};

export async function unmark(group, exception, done) {
  try {
    await remove(`/outlier-groups/${group.id}/exceptions/${exception.object.id}`);
    notice(`${exception.object.name} is compared again from the next bucket on`);
  } catch (error) {
    notice(`Not changed: ${error.message}`, { seconds: 8 });
  }
  alertsChanged();
  done();
}

/** Asks until when a member is to be expected to differ, and why. */
export function markExpected(group, object, done) {
  if (!may("operator")) return notice(NEEDS);
  if (!object) return notice("Choose a member first, with J and K or the mouse.");
  let until = "hour";
  let error = "";
  let reason = "";
  let at = Date.now() + DAY;
  const moments = () => ({ hour: Date.now() + HOUR, night: morning(), date: at, always: null })[until];
  const submit = async (event) => {
    event.preventDefault();
    const when = moments();
    if (when !== null && !(when > Date.now())) {
      error = "The end must lie ahead.";
      return redraw();
    }
    try {
      const body = {
        object: object.id,
        ...(when === null ? {} : { until: iso(when) }),
        ...(reason.trim() ? { reason: reason.trim() } : {}),
      };
      const exception = await post(`/outlier-groups/${group.id}/exceptions`, body);
      closeLayer();
      notice(
        when === null
          ? `${object.name} is different and not compared`
          : `${object.name} is expected to differ until ${moment(when)}`,
        { seconds: 10, undo: () => unmark(group, { ...exception, object }, done) },
      );
      alertsChanged();
      done();
    } catch (failed) {
      error = failed.errors?.[0]?.reason ?? failed.message;
      redraw();
    }
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${submit}>
        <h2 class="title">${object.name} is expected to differ</h2>
        ${segments(
          until,
          [
            ["hour", "1 hour"],
            ["night", `tonight, to ${clock(morning())}`],
            ["date", "until\u2026"],
            ["always", "this member is different"],
          ],
          (v) => {
            until = v;
            error = "";
            redraw();
          },
          "Until when",
        )}
        ${until === "date"
          ? html`<label class="lab">Until${whenField({ value: at, required: true, change: (ms) => (at = ms) })}</label>`
          : ""}
        <label class="lab"
          >Why<input
            class="field"
            name="reason"
            maxlength="4000"
            autocomplete="off"
            autofocus
            placeholder="patch window, change 4711"
            .value=${reason}
            @input=${(e) => (reason = e.target.value)}
        /></label>
        <p class="i2">${WHAT[until]} An open event of it is closed as expected.</p>
        <p class="crit s12" role="alert">${error}</p>
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary">Mark as expected</button>
        </div>
      </form>`,
    { label: "Mark as expected" },
  );
}

/** Asks for a remark on an event. */
export function annotate(event, done) {
  if (!may("operator")) return notice(NEEDS);
  if (!event) return notice("There is no event to annotate.");
  let text = "";
  let error = "";
  const submit = async (e) => {
    e.preventDefault();
    if (!text.trim()) return;
    try {
      const { items } = await post("/outlier-events/actions", { ids: [event.id], action: "note", note: text.trim() });
      if (!items[0].done) throw new Error(items[0].reason);
      closeLayer();
      notice("Noted");
      done();
    } catch (failed) {
      error = failed.message;
      redraw();
    }
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${submit}>
        <h2 class="title">A note on O-${event.number}</h2>
        <label class="lab"
          >What you found or did<textarea
            class="field tall"
            rows="3"
            maxlength="4000"
            autofocus
            .value=${text}
            @input=${(e) => (text = e.target.value)}
          ></textarea>
        </label>
        <p class="crit s12" role="alert">${error}</p>
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary">Add the note</button>
        </div>
      </form>`,
    { label: "Note" },
  );
}

/** What one does with an event on a small window: take or acknowledge its alert, or mark its member as expected. */
export function outlierActs(e, { take, expected }) {
  if (isOver(e)) return nothing;
  const alert = { id: e.alertId, definition: { name: `${subjectOf(e)} in ${e.group.name}` } };
  return html`${e.alertId
    ? html`${actButton("Take", "", take, { primary: true })}${actButton("Acknowledge", "", () =>
        act("acknowledge", [alert]),
      )}`
    : nothing}${e.object ? actButton("Expected\u2026", "", expected) : nothing}`;
}
