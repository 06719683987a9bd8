// Keyboard: single keys and two-key sequences ("G O"), off in fields and when switched off. What is typed before the
// page is there to act on it waits for it.
import { kept } from "./store.js";

const PATIENCE = 10_000;
const MOST_HELD = 20;
const SEQUENCE = 1200;

/** When G was typed, by the clock of events: a page that is busy must not take the second key for one of its own. */
let first = -Infinity;
const layers = [];
let arrived = () => true;
let held = [];
let retry;

/**
 * A layer maps keys to `[action, words, there]`; the topmost layer that knows the key takes it. `there`, if given, says
 * whether what the key acts on is on the page: until then it waits. A layer that is a function is that of the page.
 */
export function pushKeys(layer) {
  layers.push(layer);
  return () => {
    const at = layers.indexOf(layer);
    if (at >= 0) layers.splice(at, 1);
  };
}

/** All keys that act now, page before frame, for the overlay. */
export const activeKeys = () =>
  layers.toReversed().map((layer) => Object.entries(typeof layer === "function" ? layer() : layer));

/** Takes the keys away from the field that has them; false when none has. */
export function leaveField() {
  const at = document.activeElement;
  if (!(at instanceof HTMLElement) || !at.matches("input, textarea, select, code-editor")) return false;
  at.blur();
  return true;
}

/** @param {any} target */
const inField = (target) => target.closest?.("input, textarea, select, code-editor");

function nameOf(event) {
  if (event.ctrlKey || event.metaKey) return `Ctrl ${event.key.toUpperCase()}`;
  if (event.key.length === 1) return event.key.toUpperCase();
  return event.key;
}

/** What a key means now; while the page is not there, the frame alone knows keys. */
function find(name, page) {
  for (const layer of layers.toReversed()) {
    if (typeof layer === "function" && !page) continue;
    const keys = typeof layer === "function" ? layer() : layer;
    if (keys[name]) return keys[name];
    if (keys.modal) return null;
  }
  return null;
}

const covered = () => layers.some((layer) => layer.modal);
const plainKey = (event) => !event.ctrlKey && !event.metaKey && event.key.length === 1;
const waits = (entry) => Boolean(entry?.[2]) && !entry[2]();

/** `test` says whether the page that the address names is there. */
export function pageArrives(test) {
  arrived = test;
}

/** Lets the keys act that were typed on the way here, one a frame, each on what the one before it left. */
export function releaseKeys() {
  const now = performance.now();
  held = held.filter((h) => now - h.at < PATIENCE);
  if (!held.length || !arrived()) return;
  const [{ name, event }, ...rest] = held;
  const entry = find(name, true);
  if (waits(entry)) {
    clearTimeout(retry);
    retry = setTimeout(releaseKeys, 250);
    return;
  }
  held = rest;
  // What follows a key that leads into a field is text.
  if (!inField(document.activeElement)) entry?.[0](event);
  else if (plainKey(event)) write(document.activeElement, event.key);
  if (held.length) requestAnimationFrame(releaseKeys);
}

/** Writes into a field as if it were typed. */
function write(field, text) {
  if (field.localName === "code-editor") return field.insert(text);
  // Only fields of text have a caret that can be asked for.
  if (typeof field.selectionStart !== "number") return;
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Keeps a key until what it means is there; not those that the browser scrolls with or that are held down. */
function hold(name, event) {
  if (
    event.repeat ||
    event.key === " " ||
    !(plainKey(event) || /^(Enter|Arrow)/.test(event.key)) ||
    held.length >= MOST_HELD
  )
    return;
  event.preventDefault();
  held.push({ name, event, at: performance.now() });
}

export function startKeys() {
  // Who points at something goes on with that.
  addEventListener("pointerdown", () => (held = []), true);
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return;
    const name = nameOf(event);
    const plain = plainKey(event);
    if (inField(event.target) && (plain || name === "Enter" || name.startsWith("Arrow"))) return;
    if (plain && !kept("singleKeys", true) && name !== "?") return;
    const sequence = event.timeStamp - first < SEQUENCE ? `G ${name}` : name;
    first = -Infinity;
    if (name === "Escape") held = [];
    if (name === "G" && plain && sequence === "G") {
      first = event.timeStamp;
      return;
    }
    // Enter on a link or button is theirs.
    if (name === "Enter" && /** @type {any} */ (event.target).closest?.("a, button, summary")) return;
    const here = arrived();
    const entry = find(sequence, here);
    if (entry ? waits(entry) : !here && !covered()) return hold(sequence, event);
    if (!entry) return;
    event.preventDefault();
    entry[0](event);
  });
}
