// A screen without a keyboard: it shows a code until somebody who is signed in elsewhere lets it read.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { session, signedIn } from "../core/session.js";
import { clock } from "../core/time.js";
import { mark } from "../parts/shapes.js";
import { signInView } from "./signin.js";

const AGAIN = 10_000;

let waiting = null;
let trouble = "";
let running = false;
let typing = false;

const pause = (ms) => new Promise((done) => setTimeout(done, ms));

async function send(path, body) {
  const answer = await fetch(`/api/v1/session/pairings${path}`, {
    method: "POST",
    headers: { Accept: "application/json", ...(body ? { "Content-Type": "application/json" } : {}) },
    body: body && JSON.stringify(body),
  });
  if (answer.ok || answer.status === 404) return answer.ok ? answer.json() : null;
  const problem = await answer.json().catch(() => ({}));
  throw Object.assign(new Error(problem.detail ?? problem.title ?? `The server answered ${answer.status}.`), {
    wait: Number(answer.headers.get("Retry-After")) * 1000,
  });
}

/** Shows a code, and another when nobody approved it in time, until the screen may read. */
async function pair() {
  running = true;
  while (session.asking) {
    let wait = AGAIN;
    try {
      waiting ??= await send("");
      trouble = "";
      wait = waiting.pollSeconds * 1000;
      redraw();
      await pause(wait);
      if (!session.asking) break;
      const answer = await send("/collect", { secret: waiting.secret });
      if (answer?.paired) signedIn(answer.session);
      if (!answer || answer.paired) waiting = null;
      continue;
    } catch (error) {
      trouble = error instanceof TypeError ? "The server does not answer." : error.message;
      wait = Math.max(wait, error.wait || 0);
    }
    redraw();
    await pause(wait);
  }
  running = false;
  waiting = null;
}

/** In place of a sign-in; `first` when nothing is on the screen yet. */
export function pairView(first = false) {
  if (typing) return signInView(first);
  if (!running) pair();
  const byToken = () => {
    typing = true;
    redraw();
  };
  return html`<div class="scrim signin first">
    <div class="wall pair" role="dialog" aria-modal="true" aria-label="Pair this screen">
      <span class="wall-mark">${mark()}</span>
      <h1 class="wall-name">This screen is not signed in</h1>
      <p class="wall-sub">Open Peerlens elsewhere, go to Settings, Pair a screen, and type this code.</p>
      <p class="pair-code" role="status">${waiting?.code ?? "\u00a0"}</p>
      <p class="wall-m">
        ${trouble
          ? html`<span class="warn">${trouble} It is tried again.</span>`
          : waiting
            ? `It holds until ${clock(Date.parse(waiting.expiresAt))}; then another one comes. The screen reads what walls show, and changes nothing.`
            : nothing}
      </p>
      <button class="link wall-m" @click=${byToken}>Sign in with a token instead</button>
    </div>
  </div>`;
}
