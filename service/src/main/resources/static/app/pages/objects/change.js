// Records a change that somebody made to an object, so that before and after it can be compared.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post, remove } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { parseMoment } from "../../core/zone.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { whenField } from "../../parts/when.js";

const SORTS = ["setting", "driver", "firmware", "hardware", "upgrade", "move", "change"];
const FIELDS = ["title", "time", "sort"];
const goals = new Load((signal) => get("/goals", {}, signal));

/**
 * Asks what was changed, and when.
 *
 * @param at what is proposed as its time, in milliseconds
 * @param done called after it is recorded, and after that was taken back
 */
export function recordChange(object, at, done) {
  if (!may("operator")) return notice(NEEDS);
  let error = null;
  goals.want();
  const said = (name) =>
    error?.field(name) ? html`<span class="crit s12" role="alert">${error.field(name)}</span>` : nothing;
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const text = (name) => String(form.get(name)).trim();
    const time = new Date(parseMoment(text("time")));
    try {
      const change = await post("/changes", {
        object: object.id,
        title: text("title"),
        sort: text("sort") || "change",
        time: time.toISOString(),
        ...(text("goal") ? { goal: text("goal") } : {}),
        ...(text("note") ? { note: text("note") } : {}),
      });
      closeLayer();
      notice(`Recorded for ${moment(time.getTime())}; its flag compares before and after`, {
        seconds: 10,
        undo: () => takeBack(change.id, done),
      });
      done();
    } catch (failed) {
      error = failed;
      redraw();
    }
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${submit}>
        <h2 class="title">Record a change of ${object.name}</h2>
        <label class="lab"
          >What was changed<input
            class="field"
            name="title"
            maxlength="200"
            required
            autofocus
            autocomplete="off"
            placeholder="NIC driver 1.4 to 1.5"
          />${said("title")}</label
        >
        <div class="row wrap">
          <label class="lab"
            >When${whenField({ name: "time", value: at, required: true, past: true })}${said("time")}</label
          >
          <label class="lab"
            >Sort<input
              class="field"
              name="sort"
              maxlength="60"
              autocomplete="off"
              list="change-sorts"
              .value=${SORTS[0]}
            />${said("sort")}</label
          >
          <label class="lab"
            >Expected to improve<select class="field" name="goal">
              <option value="">nothing in particular</option>
              ${(goals.data?.items ?? []).map((g) => html`<option value=${g.id}>${g.name}</option>`)}
            </select></label
          >
        </div>
        <datalist id="change-sorts">${SORTS.map((s) => html`<option value=${s}></option>`)}</datalist>
        <label class="lab"
          >Note<input class="field" name="note" maxlength="4000" autocomplete="off" placeholder="ticket, why"
        /></label>
        <p class="crit s12" role="alert">${error && !FIELDS.some((name) => error.field(name)) ? error.message : ""}</p>
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary">Record</button>
        </div>
      </form>`,
    { label: "Record a change" },
  );
}

async function takeBack(id, done) {
  try {
    await remove(`/changes/${id}`);
    notice("No longer recorded");
  } catch (failed) {
    notice(`Not taken back: ${failed.message}`, { seconds: 8 });
  }
  done();
}
