// Beside the report of an import: what would bring the rest, what to settle, and what is stored already.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count, plural } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { href } from "../../core/url.js";
import { segments } from "../../parts/small.js";
import { outcomeMark } from "./import-marks.js";
import { fieldOf } from "./import-tree.js";
import { choiceWords, effectWords, optionsOf, percent } from "./import-words.js";

/** What is done to have a source: `[words, note, address]`. */
const WAYS = {
  vcenter: ["Add a vCenter", "configuration, snapshots, performance", () => href("/sources", { add: "vcenter" })],
  "telegraf-vsphere": [
    "How to",
    "performance, by a ready configuration",
    () => helpAddress("mappings", "ready-configurations-of-telegraf"),
  ],
  telegraf: ["How to", "file systems, services", () => helpAddress("mappings", "ready-configurations-of-telegraf")],
  esxtop: ["How to", "counters of hosts, from files of esxtop", () => helpAddress("esxtop")],
  otlp: ["How to", "what programs send by OpenTelemetry", () => helpAddress("otlp")],
  flows: ["How to", "who uses the network", () => helpAddress("flows")],
  "super-metrics": ["Turn on", "formulas that are not computed yet", () => href("/super-metrics")],
};
const ANY = ["Sources", "", () => href("/sources")];

/** What would bring the rest: the share that each source adds, most first. */
export function sourcesPane({ sources, columns, waits }, enable) {
  const row = (source, i) => {
    const [words, note, address] = WAYS[source.name] ?? ANY;
    const about = source.name === "super-metrics" && enable ? "the import turns new ones on" : note;
    return html`<li class="bring">
      <span class="bring-name"
        ><b class="cut" title=${source.title}>${source.title}</b
        ><span class="m s12 cut" title=${about}>${about}</span></span
      >
      <span class="bring-gain"
        ><b>+${percent(source.columns, columns)} %</b
        ><span class="m s12 nw">${plural(source.columns, "column")}</span></span
      >
      <a class="ctl low ${i ? "" : "primary"}" href=${address()}>${words}</a>
    </li>`;
  };
  return html`<section class="pane" aria-label="What would bring the rest">
    <div class="ph"><h2>What would bring the rest</h2></div>
    ${sources.length
      ? html`<ul>
            ${sources.map(row)}
          </ul>
          ${sources.length > 1
            ? html`<div class="foot-line">Overlaps are counted once, so they do not add up</div>`
            : nothing}`
      : html`<p class="empty">
          ${waits ? "No source that Peerlens has sends what waits." : "Nothing waits for a collector."}
        </p>`}
  </section>`;
}

/** What to settle, with the nearest proposal chosen already. */
export function settlePane(state) {
  const { settle, done } = state;
  const open = settle.some(([file]) => !file.shown);
  const left = state.files.reduce((sum, file) => sum + file.choices.left, 0);
  const row = ([file, one], at) => {
    const chosen = file.chosen(one);
    return html`<li class="settle">
      <div class="row">
        ${outcomeMark(one.outcome)}<b class="nw cut" title=${one.name}>${one.name}</b
        ><span class="m s12 cut" title=${one.text}>${plural(one.places, "place")}: ${one.text}</span>
      </div>
      <div class="row settle-choice">
        <select
          class="field"
          id=${fieldOf(at)}
          aria-label=${`${one.outcome === "choose" ? "Choose for" : "Instead of"} ${one.name}`}
          ?disabled=${file.imported || state.running}
          @change=${(e) => file.choose(one, e.target.value)}
        >
          ${optionsOf(one, chosen).map(
            (value) => html`<option value=${value} ?selected=${value === chosen}>${choiceWords(value)}</option>`,
          )}
        </select>
        <span class="m s12 cut" title=${effectWords(one, chosen)}>${effectWords(one, chosen)}</span>
      </div>
    </li>`;
  };
  const said = left
    ? `${plural(left, "choice")} more than one import takes; import these first`
    : open
      ? "The import takes what is chosen here"
      : "The report is that of these choices";
  const show = () => {
    for (const file of state.files) if (file.settle.size && !file.shown) file.show();
  };
  return html`<section class="pane" aria-label="To settle">
    <div class="ph">
      <h2>To settle</h2>
      <span class="m cut">${settle.length ? `${count(settle.length)}, none stops the import` : ""}</span>
    </div>
    ${settle.length
      ? html`<ul>
          ${repeat(settle, ([file, one]) => `${file.name} ${one.key}`, row)}
        </ul>`
      : html`<p class="empty">Nothing is open: it needs no choice of yours.</p>`}
    ${settle.length && !done
      ? html`<div class="foot-line">
          <span class="cut" title=${said}>${said}</span><span class="sp"></span>${open
            ? html`<button class="link nw" ?disabled=${state.loading} @click=${show}>Show what comes of it</button>`
            : nothing}
        </div>`
      : nothing}
  </section>`;
}

/** What is stored already: what differs, and what is taken of it. */
export function storedPane(state) {
  const items = state.results.flatMap((r) => [...r.dashboards, ...r.views]);
  const changed = items.filter((i) => i.state === "changed");
  const same = items.filter((i) => i.state === "same").length;
  if (!changed.length && !same) return nothing;
  const diff = () => {
    state.filter = "all";
    for (const root of state.tree) state.folded.set(root.key, root.state === "changed");
    redraw();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector(".import-tree .inside")?.scrollIntoView({ block: "nearest" })),
    );
  };
  return html`<section class="pane" aria-label="Stored already">
    <div class="ph">
      <h2>Stored already</h2>
      <span class="m cut">${same ? `${count(same)} the same` : ""}</span>
      <span class="sp"></span>
      ${changed.length ? html`<button class="link" @click=${diff}>Diff</button>` : nothing}
    </div>
    ${changed.length
      ? html`<div class="pad stored-choice">
          <p class="i2">
            ${plural(changed.length, "item is", "items are")} here already and differ${changed.length === 1 ? "s" : ""}:
            ${plural(
              changed.reduce((sum, i) => sum + i.changes.length, 0),
              "change",
            )}.
          </p>
          ${state.done
            ? nothing
            : segments(
                state.policy,
                [
                  ["skip", "keep what is stored"],
                  ["overwrite", "take the file's"],
                ],
                (policy) => state.want({ policy }),
                "What happens with those that are stored but differ",
              )}
        </div>`
      : nothing}
  </section>`;
}
