// Ctrl K: objects (from the API), pages and actions; `>` actions only, `:` a time.
import { html, nothing, repeat } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { get } from "../core/api.js";
import { activeKeys } from "../core/keys.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { keep, kept } from "../core/store.js";
import { parseRange, setAbsolute, setRelative } from "../core/time.js";
import { go } from "../core/url.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { icon, stateShape } from "../parts/shapes.js";
import { allPlaces } from "./places.js";

let text = "";
let chosen = 0;
let actions = [];
let pick = null;

const objects = new Load((q, signal) => get("/objects", { q, limit: 12, withPath: true }, signal));
const search = settled((q) => q && objects.want(q), 120);

/** Opens the palette; with `choose`, it only finds objects and hands the chosen one over. */
export function showPalette({ choose = null, label = "Go to" } = {}) {
  text = "";
  chosen = 0;
  pick = choose;
  actions = activeKeys()
    .flat()
    .filter(([name, value]) => name !== "modal" && value[1] && !/^(G |Ctrl K|Enter|Escape|J$|K$)/.test(name))
    .map(([name, [act, words]]) => ({ name: words, hint: name, act, picture: "right" }));
  showLayer("palette", view, { label });
}

const recent = () => kept("recent", []);

function remember(o) {
  keep("recent", [{ id: o.id, name: o.name, objectKind: o.objectKind }, ...recent().filter((r) => r.id !== o.id)].slice(0, 8));
}

/** Letters in order, better the earlier and the closer together; null when they are not all there. */
export function fuzzy(name, typed) {
  const n = name.toLowerCase();
  let from = 0;
  let cost = 0;
  for (const c of typed.toLowerCase()) {
    const at = n.indexOf(c, from);
    if (at < 0) return null;
    cost += at - from;
    from = at + 1;
  }
  return cost;
}

function entries() {
  const typed = text.trim();
  const open = (o) => ({ name: o.name, hint: `${kindWord(o.objectKind)}${o.path?.length ? ` in ${o.path.join(" / ")}` : ""}`, state: o.state ?? "reporting", act: () => (remember(o), pick ? pick(o) : go(`/objects/${o.id}`)) });
  if (typed.startsWith(":")) {
    const read = parseRange(typed.slice(1));
    if (!read) return [];
    return [{ name: `Range: ${typed.slice(1).trim()}`, hint: "time", picture: "caret", act: () => (read.relative ? setRelative(read.relative) : setAbsolute(read.from, read.to)) }];
  }
  const matching = (list, q) =>
    list.map((e) => [fuzzy(e.name, q), e]).filter(([cost]) => cost !== null).sort((a, b) => a[0] - b[0]).map(([, e]) => e);
  if (typed.startsWith(">")) return matching(actions, typed.slice(1).trim());
  const found = typed && objects.data ? objects.data.items.map(open) : recent().map(open);
  if (pick) return found;
  const pages = allPlaces().map((p) => ({ name: p.name, hint: p.key ? `G ${p.key}` : "page", picture: p.icon, act: () => go(p.path) }));
  return [...(typed ? matching(pages, typed).slice(0, 4) : []), ...found, ...(typed ? matching(actions, typed).slice(0, 4) : [...pages, ...actions])];
}

function take(entry) {
  closeLayer();
  entry.act();
}

function key(event) {
  const list = entries();
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) {
    event.preventDefault();
    chosen = (chosen + move + list.length) % Math.max(1, list.length);
    redraw();
  } else if (event.key === "Enter" && list[chosen]) {
    event.preventDefault();
    take(list[chosen]);
  }
}

function typed(event) {
  text = event.target.value;
  chosen = 0;
  search(text.trim().replace(/^[>:].*/, ""));
  redraw();
}

function view() {
  const list = entries();
  return html`<input class="field big" autofocus placeholder=${pick ? "Find an object" : "Objects, pages, actions.  > actions  : time"} aria-label="Search" role="combobox" aria-expanded="true" aria-controls="palette-list"
      aria-activedescendant=${list.length ? `palette-${chosen}` : nothing} @input=${typed} @keydown=${key} />
    <ul class="menu" id="palette-list" role="listbox" aria-label="Matches">
      ${repeat(list, (e, i) => `${i}${e.name}`, (e, i) => html`<li role="option" id=${`palette-${i}`} aria-selected=${i === chosen}>
        <button tabindex="-1" @click=${() => take(e)}>${e.state ? stateShape(e.state) : icon(e.picture, 13)}<span class="cut">${e.name}</span><span class="sp"></span><span class="m cut">${e.hint}</span></button></li>`)}
      ${list.length ? nothing : html`<li class="pad m">${text.trim() ? (objects.loading ? "Searching" : objects.error ? objects.error.message : "Nothing matches.") : "Type to search names, ids, tags and properties."}</li>`}
    </ul>`;
}
