// Keyboard: single keys and two-key sequences ("G O"), off in fields and when switched off.
import { kept } from "./store.js";

let first = null;
let timer;
const layers = [];

/** A layer maps keys to `[action, words]`; the topmost layer that knows the key takes it. */
export function pushKeys(layer) {
  layers.push(layer);
  return () => {
    const at = layers.indexOf(layer);
    if (at >= 0) layers.splice(at, 1);
  };
}

/** All keys that act now, page before frame, for the overlay. */
export const activeKeys = () => layers.toReversed().map((layer) => Object.entries(typeof layer === "function" ? layer() : layer));

const inField = (target) => target.closest?.("input, textarea, select, [contenteditable]");

function nameOf(event) {
  if (event.ctrlKey || event.metaKey) return `Ctrl ${event.key.toUpperCase()}`;
  if (event.key.length === 1) return event.key.toUpperCase();
  return event.key;
}

function find(name) {
  for (const layer of layers.toReversed()) {
    const keys = typeof layer === "function" ? layer() : layer;
    if (keys[name]) return keys[name][0];
    if (keys.modal) return null;
  }
  return null;
}

export function startKeys() {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = nameOf(event);
    const plain = !event.ctrlKey && !event.metaKey && event.key.length === 1;
    if (inField(event.target) && (plain || name === "Enter" || name.startsWith("Arrow"))) return;
    if (plain && !kept("singleKeys", true) && name !== "?") return;
    const sequence = first ? `${first} ${name}` : name;
    first = null;
    clearTimeout(timer);
    if (name === "G" && plain && sequence === "G") {
      first = "G";
      timer = setTimeout(() => (first = null), 1200);
      return;
    }
    const action = find(sequence);
    // Enter on a link or button is theirs.
    if (!action || (name === "Enter" && event.target.closest?.("a, button, summary"))) return;
    event.preventDefault();
    action(event);
  });
}
