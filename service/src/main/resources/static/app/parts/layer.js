// What lies over the page: dialogs, and popovers below a control. One at a time; Esc or a click beside closes it.
import { html, nothing, ref } from "../core/html.js";
import { drawNow, redraw } from "../core/bus.js";
import { pushKeys } from "../core/keys.js";

let open = null;

/**
 * @param {string} kind its class: "dialog", "popover", ...
 * @param {() => unknown} view
 * @param {{label?: string, keys?: object}} [options] its name, and keys that act in it alone
 */
export function showLayer(kind, view, { label, keys = {} } = {}) {
  end(redraw);
  const before = document.activeElement;
  const release = pushKeys({ modal: true, ...keys, Escape: [closeLayer, "Close"] });
  open = { kind, view, label, before, release, at: performance.now() };
  // At once, so that what is typed right behind goes into its field.
  drawNow();
}

/** Closes the layer. The page is drawn at once: a layer that is still there would take the next key. */
export function closeLayer() {
  end(drawNow);
}

function end(draw) {
  if (!open) return;
  const { before, release, kind } = open;
  open = null;
  release();
  if (kind !== "popover-quiet") before?.focus?.();
  draw();
}

/** Closes what was opened before `time`: a layer opened on the way to another page stays. */
export function closeLayersBefore(time) {
  if (open && open.at <= time) end(redraw);
}

export const layerOpen = (view) => open !== null && (view === undefined || open.view === view);

function trap(event) {
  if (event.key === "Escape") {
    event.preventDefault();
    closeLayer();
    return;
  }
  if (event.key !== "Tab") return;
  const items = [
    ...event.currentTarget.querySelectorAll("a[href], button:not([disabled]), input, select, textarea, [tabindex='0']"),
  ].filter((e) => e.offsetParent !== null);
  if (!items.length) return;
  const edge = event.shiftKey ? items[0] : items.at(-1);
  if (document.activeElement === edge) {
    event.preventDefault();
    (event.shiftKey ? items.at(-1) : items[0]).focus();
  }
}

const focusFirst = (element) => {
  if (!element || element.contains(document.activeElement)) return;
  queueMicrotask(() =>
    (element.querySelector("[autofocus]") ?? element.querySelector("input, button, a[href]"))?.focus(),
  );
};

export function layerView() {
  if (!open) return nothing;
  return html`<div
    class="scrim ${open.kind}"
    @mousedown=${(event) => event.target === event.currentTarget && closeLayer()}
  >
    <div
      class="layer ${open.kind}"
      role="dialog"
      aria-modal="true"
      aria-label=${open.label ?? "Dialog"}
      @keydown=${trap}
      ${ref(focusFirst)}
    >
      ${open.view()}
    </div>
  </div>`;
}
