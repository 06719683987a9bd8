// What the steps of a template change: each field before and after, with the step that did it.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { join } from "../../template/context-names.js";

const AROUND = 24;
const LONGEST = 160;
const LIST = 6;

const text = (v) =>
  typeof v === "string" ? v : Array.isArray(v) || (v && typeof v === "object") ? JSON.stringify(v) : String(v);
const cut = (t, n = LONGEST) => (t.length > n ? `${t.slice(0, n - 1)}\u2026` : t);
const none = (v) => v === null || v === undefined;

/** Both ends that two texts share, and what differs between: `[start, before, after, end]`. */
export function differing(a, b) {
  let from = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  let back = 0;
  while (back < a.length - from && back < b.length - from && a[a.length - 1 - back] === b[b.length - 1 - back]) back++;
  // Words stay whole.
  const inWord = (...chars) => chars.every((c) => /\w/.test(c ?? ""));
  while (from > 0 && (inWord(a[from - 1], a[from]) || inWord(b[from - 1], b[from]))) from--;
  while (
    back > 0 &&
    (inWord(a[a.length - back - 1], a[a.length - back]) || inWord(b[b.length - back - 1], b[b.length - back]))
  )
    back--;
  return [a.slice(0, from), a.slice(from, a.length - back), b.slice(from, b.length - back), a.slice(a.length - back)];
}

const removed = (t) => html`<s class="del">${cut(t)}</s>`;
const added = (t) => html`<ins class="ins">${cut(t)}</ins>`;

function change(before, after) {
  if (none(before)) return added(none(after) ? "nothing" : text(after));
  if (none(after)) return removed(text(before));
  if (typeof before !== "string" || typeof after !== "string")
    return html`${removed(text(before))} ${added(text(after))}`;
  const [start, gone, come, end] = differing(before, after);
  const near = start.length > AROUND ? `\u2026${start.slice(-AROUND)}` : start;
  const rest = end.length > AROUND * 2 ? `${end.slice(0, AROUND * 2)}\u2026` : end;
  if (!start.trim() && !end.trim()) return html`${removed(before)} ${added(after)}`;
  return html`${near}${gone ? removed(gone) : nothing}${gone && come ? " " : nothing}${come
    ? added(come)
    : nothing}${rest}`;
}

/** Fields with a value, by path; lists as one. */
function leaves(value, path, found) {
  for (const [name, inner] of Object.entries(value ?? {})) {
    const at = join(path, name);
    if (inner && typeof inner === "object" && !Array.isArray(inner) && Object.keys(inner).length)
      leaves(inner, at, found);
    else found.push([at, inner]);
  }
  return found;
}

const unchangedText = (v) =>
  Array.isArray(v)
    ? `${v.length}, unchanged `
    : none(v) || (typeof v === "object" && !Object.keys(v).length)
      ? ""
      : cut(text(v), 90);

export class DiffPane {
  #all = false;

  /** `selected` is the index of the step that is chosen, `choose(index)` chooses one. */
  view({ preview, selected, choose, busy }) {
    const changes = preview?.changes ?? [];
    const doers = (path) =>
      (preview?.steps ?? []).filter((s) => s.changes.some((c) => c.path === path)).map((s) => s.index);
    const note = (path) =>
      (preview?.steps ?? []).flatMap((s) => s.changes).findLast((c) => c.path === path && c.note)?.note;
    const before = preview ? leaves(preview.before, "", []) : [];
    const touched = (path) =>
      changes.some((c) => path === c.path || path.startsWith(`${c.path}.`) || path.startsWith(`${c.path}[`));
    const same = before.filter(([path]) => !touched(path));
    const row = (c) => {
      const steps = doers(c.path);
      const on = selected !== null && steps.includes(selected);
      return html`<tr class=${on ? "sel" : ""} @click=${() => steps.length && choose(steps.at(-1))}>
        <td class="mono m" title=${c.path}>${c.path}</td>
        <td class="whole-text">
          ${change(c.before, c.after)}${note(c.path) ? html` <span class="m">${note(c.path)}</span>` : nothing}
        </td>
        <td class="r m">${steps.map((s) => s + 1).join(", ")}</td>
      </tr>`;
    };
    const unchanged = ([path, v]) =>
      html`<tr>
        <td class="mono m" title=${path}>${path}</td>
        <td class="i2" title=${text(v ?? "nothing")}>
          ${unchangedText(v)}${Array.isArray(v)
            ? html`<span class="m"
                >${v
                  .slice(0, LIST)
                  .map((x) => x?.message ?? (typeof x === "string" ? x : ""))
                  .filter(Boolean)
                  .join(", ")}</span
              >`
            : nothing}
        </td>
        <td></td>
      </tr>`;
    return html`<section class="pane diff-pane" aria-label="Before and after">
      <div class="ph">
        <h2>Before and after</h2>
        <span class="m cut"
          >${preview ? `${changes.length} of ${changes.length + same.length} fields change` : ""}</span
        >
        <span class="sp"></span>
        <span class="m">step</span>
      </div>
      <div class="scrolls ${busy ? "dimmed" : ""}" tabindex="0" role="group" aria-label="Compared fields">
        ${preview?.dropped
          ? html`<p class="warn pad s12" role="status">A step drops it: nothing is sent.</p>`
          : nothing}
        ${preview
          ? html`<table class="fields">
                <colgroup>
                  <col class="w-path" />
                  <col />
                  <col class="w-step" />
                </colgroup>
                <tbody>
                  ${changes.map(row)}${this.#all ? same.map(unchanged) : nothing}
                </tbody>
              </table>
              ${same.length
                ? html`<p class="m s12 pad">
                    ${same.length} unchanged fields
                    <button
                      class="link"
                      aria-expanded=${this.#all}
                      @click=${() => {
                        this.#all = !this.#all;
                        redraw();
                      }}
                    >
                      ${this.#all ? "hide" : "show"}
                    </button>
                  </p>`
                : nothing}`
          : nothing}
      </div>
    </section>`;
  }
}
