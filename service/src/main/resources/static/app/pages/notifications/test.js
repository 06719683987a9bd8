// "Send test": one message to a target, at once and past all rules, with the exact request and answer.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { failure } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { exchangeView } from "./exchange.js";
import { EVENTS } from "./words.js";

const targets = new Load((_opened, signal) => get("/notification-targets", { limit: 1000 }, signal));
const templates = new Load((_opened, signal) => get("/notification-templates", { limit: 1000 }, signal));
let opened = 0;

/**
 * `target` when it is settled whom to test, `type` whom otherwise; `template` likewise; `alert` to tell of, else a
 * sample.
 */
export function showTest({
  target = null,
  type = target?.type,
  template = null,
  alert = null,
  event = "NEW",
  note = "",
}) {
  const state = { target: target?.id ?? "", template: template ?? "", event, result: null, error: null, busy: false };
  opened++;
  if (!target) targets.want(opened);
  if (!template) templates.want(opened);
  const send = async () => {
    state.busy = true;
    state.error = state.result = null;
    redraw();
    try {
      state.result = await post(`/notification-targets/${state.target}/test`, {
        ...(state.template ? { template: state.template } : {}),
        ...(alert ? { alert } : {}),
        event: state.event,
      });
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  const allowed = may("operator");
  showLayer(
    "dialog wide",
    () => {
      const whom = (targets.data?.items ?? []).filter((t) => t.type === type);
      if (!target && !state.target && whom.length) state.target = whom[0].id;
      return html`<div class="form-lines">
        <h2 class="title">Send a test${target ? ` to ${target.name}` : ` with ${template}`}</h2>
        <div class="row wrap">
          ${target
            ? nothing
            : html`<label class="row s12"
                >To
                <select
                  class="field low slim"
                  aria-label="Target"
                  @change=${(e) => {
                    state.target = e.target.value;
                    redraw();
                  }}
                >
                  ${whom.map(
                    (t) => html`<option value=${t.id} ?selected=${t.id === state.target}>${t.name}</option>`,
                  )}${whom.length ? nothing : html`<option value="">no target of this type yet</option>`}
                </select></label
              >`}
          ${template
            ? nothing
            : html`<label class="row s12"
                >As
                <select
                  class="field low slim"
                  aria-label="Template"
                  @change=${(e) => {
                    state.template = e.target.value;
                    redraw();
                  }}
                >
                  <option value="">a template that fits</option>
                  ${(templates.data?.items ?? [])
                    .filter((t) => t.targetType === type)
                    .map((t) => html`<option value=${t.id}>${t.id}</option>`)}
                </select></label
              >`}
          <span class="low-seg"
            >${segments(
              state.event,
              EVENTS,
              (v) => {
                state.event = v;
                redraw();
              },
              "Event",
            )}</span
          >
          <span class="m s12">of ${alert ? "the alert that is shown" : "a sample alert"}</span>
          <span class="sp"></span>
          <button
            type="button"
            class="ctl primary"
            autofocus
            ?disabled=${!allowed || state.busy || !state.target}
            title=${allowed ? nothing : NEEDS}
            @click=${send}
          >
            ${state.busy ? "Sending\u2026" : state.result ? "Send again" : "Send"}
          </button>
        </div>
        ${note ? html`<p class="warn s12">${note}</p>` : nothing}
        ${state.error ? failure(state.error, send) : nothing}${state.result
          ? exchangeView(state.result)
          : state.busy
            ? html`<p class="m s12" role="status">Waiting for the receiver…</p>`
            : html`<p class="m s12">
                It is really sent, once, past rules, silences and limits. You see the exact request, with secrets as
                names, and the exact answer.
              </p>`}
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Close</button>
        </div>
      </div>`;
    },
    { label: "Send a test" },
  );
}
