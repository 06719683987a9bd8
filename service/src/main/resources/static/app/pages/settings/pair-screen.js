// Lets a screen without a keyboard read, by the code that it shows.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { may, NEEDS } from "../../core/session.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";

/** Asks for the code; `done` is called once the screen may read. */
function pairScreen(done) {
  let error = "";
  let busy = false;
  const submit = async (event) => {
    event.preventDefault();
    const form = new FormData(event.target);
    const [code, name] = ["code", "name"].map((field) => String(form.get(field)).trim());
    busy = true;
    redraw();
    try {
      await post("/session/pairings/approve", { code, name });
      closeLayer();
      notice(`${name} may read; it is among the tokens, where that can be ended`, { seconds: 8 });
      done();
    } catch (failed) {
      error = [failed.message, failed.hint].filter(Boolean).join(" ");
    }
    busy = false;
    redraw();
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" @submit=${submit}>
        <h2 class="title">Pair a screen</h2>
        <p class="i2">
          Open <code>${location.origin}/wall</code> on the screen, or the address of a playlist: it shows a code. It may
          then read what walls show, for as long as it is not off for a week.
        </p>
        <label class="lab"
          >Code on the screen<input
            class="field mono"
            name="code"
            required
            autofocus
            maxlength="20"
            autocomplete="off"
            spellcheck="false"
            aria-invalid=${error ? "true" : "false"}
            aria-describedby="pair-error"
        /></label>
        <label class="lab"
          >Which screen it is<input
            class="field"
            name="name"
            required
            maxlength="100"
            autocomplete="off"
            .value=${"Screen on the wall"}
        /></label>
        <p id="pair-error" class="crit s12" role="alert">${error}</p>
        <div class="row">
          <span class="sp"></span>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
          <button class="ctl primary" ?disabled=${busy}>Let it read</button>
        </div>
      </form>`,
    { label: "Pair a screen" },
  );
}

export const pairButton = (done = () => {}) =>
  html`<button
    class="ctl low"
    ?disabled=${!may("operator")}
    title=${may("operator") ? nothing : NEEDS}
    @click=${() => pairScreen(done)}
  >
    Pair a screen…
  </button>`;
