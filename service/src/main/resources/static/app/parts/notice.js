// One line that says what was done, and can take it back for a while.
import { html, nothing } from "../core/html.js";
import { redraw } from "../core/bus.js";

let current = null;
let timer;

export function notice(text, { undo = null, seconds = 4 } = {}) {
  current = { text, undo };
  clearTimeout(timer);
  timer = setTimeout(() => {
    current = null;
    redraw();
  }, seconds * 1000);
  redraw();
}

export async function copy(text, said = "Copied") {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Plain http elsewhere than localhost has no clipboard API.
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  notice(said);
}

export const noticeView = () =>
  html`<div class="notice" role="status" aria-live="polite" ?hidden=${!current}>
    ${current?.text}
    ${current?.undo
      ? html`<button
          class="link"
          @click=${() => {
            const { undo } = current;
            current = null;
            undo();
            redraw();
          }}
        >
          Undo
        </button>`
      : nothing}
  </div>`;

/**
 * Does a destructive act after a grace of 10 s, in which it can be undone without a trace. Leaving the page within it
 * does the act.
 */
export function soon(text, act, undone) {
  let over = false;
  const run = () => {
    if (over) return;
    over = true;
    removeEventListener("pagehide", run);
    act();
  };
  addEventListener("pagehide", run);
  const wait = setTimeout(run, 10_000);
  notice(text, {
    seconds: 10,
    undo: () => {
      over = true;
      clearTimeout(wait);
      removeEventListener("pagehide", run);
      undone();
    },
  });
}
