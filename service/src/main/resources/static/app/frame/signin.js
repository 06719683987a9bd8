// Sign-in with an API token, over the page as it stands.
import { html, nothing, ref } from "../core/html.js";
import { session, signIn } from "../core/session.js";
import { mark } from "../parts/shapes.js";

function submit(event) {
  event.preventDefault();
  const token = new FormData(event.target).get("token");
  if (token) signIn(token);
}

const focus = (element) => element && queueMicrotask(() => element.focus());

export const signInView = (first) =>
  html`<div class="scrim signin ${first ? "first" : ""}">
    <form class="layer dialog" role="dialog" aria-modal="true" aria-label="Sign in" @submit=${submit}>
      <div class="brand">
        ${mark()}
        <span>peerlens</span>
      </div>
      ${first
        ? nothing
        : html`<p>Your session has ended. Sign in again and go on where you were; nothing you typed is lost.</p>`}
      <label class="lab"
        >API token
        <input
          class="field mono"
          name="token"
          type="password"
          autocomplete="current-password"
          spellcheck="false"
          required
          aria-invalid=${session.error ? "true" : "false"}
          aria-describedby="signin-error"
          ${ref(focus)}
      /></label>
      <p id="signin-error" class="crit s12" role="alert">${session.error ?? ""}</p>
      <button class="ctl primary wide" ?disabled=${session.busy}>Sign in</button>
      <p class="m s12">
        The first start printed an admin token. Another one: <code>./peerlens token create --role viewer</code>
      </p>
    </form>
  </div>`;
