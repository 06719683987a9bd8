// What is in the files of an import, row by row, with a choice for each.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count, plural } from "../../core/format.js";
import { href } from "../../core/url.js";
import { diff, fieldChange } from "../../parts/history.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { kindsText } from "./words.js";

// More ids than this are too long for an address.
export const MOST_IDS = 300;
const STATE_WORDS = {
  new: "new",
  same: "same",
  changed: "changed",
  conflict: "conflict",
  duplicate: "twice in the file",
};
const STATE_SHAPES = { new: "info", same: "alike", changed: "info", conflict: "warning", duplicate: "warning" };
const VALIDITY = { valid: "", "no-data-here": "valid, no data here", invalid: "invalid" };
const DONE = { create: "created", overwrite: "overwritten", skip: "left as it was" };
const WOULD = { create: "create", overwrite: "overwrite", skip: "leave" };
const FILTERS = {
  all: () => true,
  new: (i) => i.state === "new",
  same: (i) => i.state === "same",
  changed: (i) => i.state === "changed",
  conflict: (i) => i.state === "conflict" || i.state === "duplicate",
  invalid: (i) => i.validity === "invalid",
  "no-data-here": (i) => i.validity === "no-data-here",
};

const FILTER_WORDS = {
  all: "all",
  new: "new",
  same: "same",
  changed: "changed",
  conflict: "conflict",
  invalid: "invalid",
  "no-data-here": "no data here",
};

function choice(state, source, item) {
  const now = source.action(item);
  if (state.done) return html`<span class=${now === "skip" ? "m" : ""}>${DONE[item.action]}</span>`;
  if (item.state === "same" || item.state === "duplicate" || !source.file)
    return html`<span class="m">${WOULD[now]}</span>`;
  const take = item.state === "new" ? "create" : "overwrite";
  const set = (value) => {
    const usual = item.state === "new" ? "take" : state.policy === "overwrite" ? "take" : "leave";
    if (value === usual) source.choices.delete(item.id);
    else if (source.choices.size < MOST_IDS) source.choices.set(item.id, value);
    redraw();
  };
  return segments(
    now === "skip" ? "leave" : "take",
    [
      ["take", take],
      ["leave", "leave"],
    ],
    set,
    `What to do with ${item.name}`,
  );
}

function row(state, { source, item, key }) {
  const issues = item.issues.length;
  const has = item.changes.length || issues || item.remarks.length;
  const toggle = () => {
    if (!state.open.delete(key)) state.open.add(key);
    redraw();
  };
  const shown = state.open.has(key);
  const bad =
    item.validity === "invalid" ? "warning" : item.validity === "no-data-here" ? "unknown" : STATE_SHAPES[item.state];
  const mine = source.choices.has(item.id) && !state.done;
  const lacks = item.validity === "no-data-here" ? item.issues[0]?.message : null;
  const why = mine ? "your choice" : item.state === "conflict" && item.stored[0] ? `${item.reason}` : item.reason;
  return html`<tr
      class=${item.state === "same" ? "quiet" : ""}
      @click=${(e) => e.target.closest("a, button") || (has && toggle())}
    >
      <td>${shape(bad, 12, "")}</td>
      <td class="strong l-name" title=${item.name}>
        ${has
          ? html`<button
              class="twisty"
              aria-expanded=${shown}
              aria-label=${`${shown ? "Hide" : "Show"} what is in ${item.name}`}
              @click=${toggle}
            >
              ${shown ? "\u2304" : "\u203a"}
            </button>`
          : html`<span class="twisty"></span>`}${item.state === "same" || (state.done && item.action !== "skip")
          ? html`<a href=${href(`/super-metrics/${item.state === "same" ? (item.stored[0]?.id ?? item.id) : item.id}`)}
              >${item.name}</a
            >`
          : item.name}
      </td>
      <td class="i2" title=${item.kinds.map((k) => k.objectKind).join(", ")}>${kindsText(item.kinds)}</td>
      <td>${STATE_WORDS[item.state]}</td>
      <td class=${item.validity === "invalid" ? "warn" : "m"} title=${item.issues[0]?.message ?? ""}>
        ${VALIDITY[item.validity]}
      </td>
      <td
        class="m l-what"
        title=${`${item.document}${item.line ? `, line ${item.line}` : ""}: ${lacks ? `${lacks}; ${why}` : why}`}
      >
        ${lacks ? `${lacks}; ${why}` : why}
      </td>
      <td class="r do l-value">${choice(state, source, item)}</td>
    </tr>
    ${shown
      ? html`<tr class="inside">
          <td></td>
          <td colspan="6" class="whole-text">
            ${item.stored[0] && item.state !== "new"
              ? html`<p class="m s12">
                  stored as
                  <a class="acc" href=${href(`/super-metrics/${item.stored[0].id}`)}>${item.stored[0].name}</a>${item
                    .stored[0].id === item.id
                    ? ""
                    : ` under another id`}
                </p>`
              : nothing}
            ${item.changes.map((c) =>
              c.field === "formula" && c.lines.length
                ? html`<div class="m s12 pad-y">formula: <s>stored</s> against the file</div>
                    ${diff(c.lines)}`
                : fieldChange(c),
            )}
            ${item.issues.map(
              (i) =>
                html`<pre class="caret ${i.severity === "error" ? "crit" : "warn"}">
${i.rendered || `line ${i.line}, column ${i.column}: ${i.message}${i.hint ? `; ${i.hint}` : ""}`}</pre
                >`,
            )}
            ${item.remarks.map((r) => html`<p class="s12">${r}</p>`)}
          </td>
        </tr>`
      : nothing}`;
}

/** `state` is that of the import. */
export function itemsTable(state) {
  const { filter, done } = state;
  const all = state.items();
  const counts = Object.fromEntries(
    Object.keys(FILTERS).map((name) => [name, all.filter(({ item }) => FILTERS[name](item)).length]),
  );
  const shown = all.filter(({ item }) => (FILTERS[filter] ?? FILTERS.all)(item));
  return html`<section class="pane rows" aria-label="What is in the files">
    <div class="ph">
      <h2>${plural(all.length, "super metric")}</h2>
      <div class="states" role="group" aria-label="Show">
        ${Object.keys(FILTERS)
          .filter((n) => n === "all" || counts[n])
          .map(
            (n) =>
              html`<button class="ctl low" aria-pressed=${filter === n} @click=${() => ((state.filter = n), redraw())}>
                <span>${count(counts[n])}</span><span class="k">${FILTER_WORDS[n]}</span>
              </button>`,
          )}
      </div>
      <span class="sp"></span>
      ${done || !all.length
        ? nothing
        : html`<span class="m">Stored, but different:</span>${segments(
              state.policy,
              [
                ["skip", "keep what is stored"],
                ["overwrite", "take the file's"],
              ],
              (v) => {
                state.policy = v;
                for (const s of state.sources) s.choices.clear();
                state.again();
              },
              "What happens with those that are stored but differ",
            )}`}
    </div>
    <div class="results" tabindex="-1">
      <table>
        <colgroup>
          <col class="w-state" />
          <col />
          <col class="w-kinds" />
          <col class="w-dur" />
          <col class="w-validity" />
          <col class="w-reason" />
          <col class="w-choice" />
        </colgroup>
        <thead>
          <tr>
            <td></td>
            <th>Name</th>
            <th>Object kinds</th>
            <th title="Against what is stored">State</th>
            <th>Formula</th>
            <th>Why</th>
            <th class="r">${done ? "Done" : "To do"}</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            (r) => r.key,
            (r) => row(state, r),
          )}
        </tbody>
      </table>
      ${!shown.length
        ? html`<div class="empty">
            None of them is ${FILTER_WORDS[filter]}.
            <button class="link" @click=${() => ((state.filter = "all"), redraw())}>Show all</button>
          </div>`
        : nothing}
    </div>
  </section>`;
}
