// Sends a recommendation to a system of tickets, through a target of notifications that takes JSON.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { readPages } from "../../core/outliers.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick } from "../../core/time.js";
import { href } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { nameOf } from "./words.js";

const targets = new Load((_tick, signal) => readPages("/notification-targets", { type: "webhook" }, signal));

/** Asks for the target; `done()` is called once it was sent. */
export function makeTicket(recommendation, done) {
  if (!may("operator")) return notice(NEEDS);
  let error = null;
  let busy = false;
  targets.want(lastTick());
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.target);
    const note = String(form.get("note")).trim();
    busy = true;
    error = null;
    redraw();
    try {
      const sent = await post(`/right-sizing/recommendations/${recommendation.id}/tickets`, {
        target: form.get("target"),
        ...(note ? { note } : {}),
      });
      if (sent.delivered) {
        closeLayer();
        notice(`Sent to ${sent.targetName}`);
      } else error = new Error(`${sent.targetName} did not take it: ${sent.reason}`);
      done();
    } catch (failed) {
      error = failed;
    }
    busy = false;
    redraw();
  };
  const form = (items) =>
    html`<form class="form-lines" @submit=${submit}>
      <label class="lab"
        >To<select class="field" name="target" required autofocus>
          ${items.map((t) => html`<option value=${t.id}>${t.name}</option>`)}
        </select></label
      >
      <label class="lab"
        >Note<textarea
          class="field tall"
          name="note"
          rows="2"
          maxlength="2000"
          placeholder="Please do it on Sunday"
        ></textarea>
      </label>
      <p class="m s12">It is sent once, as JSON, with the figures and the reason.</p>
      ${error ? failure(error, null) : nothing}
      <div class="row">
        <span class="sp"></span>
        <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        <button class="ctl primary" ?disabled=${busy}>${busy ? "Sending" : "Send"}</button>
      </div>
    </form>`;
  const none = html`<p class="say">
      Tickets go through a target of notifications of the type <b>webhook</b>, and there is none yet: it says the
      address of your system, how to sign in there, and where it may send to.
    </p>
    <div class="row">
      <a class="ctl" href=${href("/notifications/targets/new")} @click=${closeLayer}>Add a target</a>
      <span class="sp"></span>
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">A ticket for ${nameOf(recommendation)}</h2>
        ${loaded(targets, ({ items }) => (items.length ? form(items) : none), { rows: 3 })}`,
    { label: "Make a ticket" },
  );
}
