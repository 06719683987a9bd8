// The frame of a panel: its head with title, note and window, its menu, its body, and its notes at the foot.
import { html, nothing, ref } from "../core/html.js";
import { count } from "../core/format.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { failure } from "../parts/pane.js";
import { icon } from "../parts/shapes.js";
import { drawPanel, isStill, legendOf, saysNothing } from "./draw.js";
import { emptyPanel } from "./empty.js";
import { columnsLeftOut } from "./table.js";
import { leftOut } from "./top.js";
import { reportingWords } from "./words.js";

/** Opens a menu at a button: `items` are `[words, run, off]`; without `run` it cannot be done now. */
export function menuAt(button, label, items) {
  const { right, bottom } = button.getBoundingClientRect();
  const style = document.documentElement.style;
  style.setProperty("--menu-right", `${Math.max(8, innerWidth - right)}px`);
  style.setProperty("--menu-top", `${Math.min(bottom + 2, innerHeight - 40 * items.length - 16)}px`);
  showLayer(
    "popover at-menu",
    () =>
      html`<ul class="menu">
        ${items.map(
          ([words, run, why]) =>
            html`<li>
              <button ?disabled=${!run} title=${why ?? nothing} @click=${() => (closeLayer(), run())}>${words}</button>
            </li>`,
        )}
      </ul>`,
    { label },
  );
}

/** Whether an answer left objects out; what has no rows of objects leaves none out. */
const leavesOut = ({ type, objects, empty }) =>
  !empty && !["alerts", "changes"].includes(type) && objects?.shown < objects?.matched;

/** What stands at the foot: who reports, what was cut, where figures come from; never silent. */
export function notesOf(answer, context = {}) {
  if (!answer) return [];
  const notes = (answer.notes ?? []).map((n) => n.text);
  const { matched, shown } = answer.objects ?? {};
  const reports = answer.objects ? reportingWords(answer.objects) : "";
  if (reports && !notes.some((n) => n.includes("report"))) notes.unshift(reports);
  if (answer.type === "top" && leftOut(answer)) notes.unshift(leftOut(answer));
  if (leavesOut(answer) && answer.type !== "top" && !notes.some((n) => n.includes(" of ")))
    notes.push(`${count(shown)} of ${count(matched)} shown`);
  const columns = columnsLeftOut(answer, context);
  if (columns) notes.push(`first ${answer.columns.length - columns} of ${answer.columns.length} columns`);
  return [...new Set(notes)];
}

/** What stands in a panel: its picture, or why there is none. */
export function panelBody({ panel, load, context, choose }) {
  const answer = load.data;
  if (saysNothing(panel))
    return emptyPanel({ title: "Nothing to show yet", text: "Add a column: a metric, a property or a name." });
  if (isStill(panel.type) && !answer) return drawPanel({ answer: null, panel, context });
  if (load.error && !load.loading && !answer) return failure(load.error, () => load.again());
  if (!answer)
    return html`<div class="outlines" aria-busy="true">
      ${load.waited > 150 ? Array.from({ length: 4 }, () => html`<span></span>`) : nothing}
    </div>`;
  if (answer.empty) return emptyPanel(answer.empty, choose(answer.empty));
  return drawPanel({ answer, panel, context });
}

/**
 * A panel in its frame. `choose(empty)` gives what is done about an empty place, null = what the answer says; `menu`
 * opens its menu; `window` is what is measured over; `head` stands before the title, `over` above all.
 * @param {{name: string, panel: any, load: any, context: any, window: string, note: string,
 *   menu: (button: HTMLElement) => void, choose: (empty: any) => any, watch?: any, style?: string, cls?: string,
 *   head?: unknown, over?: unknown, keydown?: any, focus?: any}} of
 */
export function panelFrame({
  name,
  panel,
  load,
  context,
  window,
  note,
  menu,
  choose,
  watch = null,
  style = "",
  cls = "",
  head = nothing,
  over = nothing,
  keydown = null,
  focus = null,
}) {
  const answer = load.data;
  const title = context.title ?? panel.title ?? answer?.title ?? name;
  const old = load.loading && answer && load.waited > 150;
  const notes = notesOf(answer, context);
  const failed = load.error && !load.loading && answer;
  return html`<section
    class="pane panel type-${panel.type} ${cls}"
    data-panel=${name}
    aria-label=${title}
    tabindex=${context.edit ? "0" : nothing}
    .style=${style}
    @keydown=${keydown}
    @focus=${focus}
    ${watch ? ref(watch) : nothing}
  >
    <div class="ph">
      ${head}
      <h2 class="panel-title" title=${title}>${title}</h2>
      <span class="m cut note" title=${note || nothing}>${note}</span>
      <span class="sp"></span>
      ${answer && !answer.empty ? (legendOf(answer, panel) ?? nothing) : nothing}
      <span class="m window nw">${window}</span>
      <button class="icon" aria-haspopup="menu" aria-label=${`Menu of ${title}`} @click=${(e) => menu(e.currentTarget)}>
        ${icon("dots", 14)}
      </button>
    </div>
    <div class="panel-body ${old ? "dimmed" : ""}" ?inert=${context.edit} aria-busy=${Boolean(load.loading && !answer)}>
      ${panelBody({ panel, load, context, choose })}
    </div>
    ${failed
      ? html`<div class="foot-line warn" role="alert">
          <span class="cut" title=${load.error.message}>Not read again: ${load.error.message}</span>
          <button class="link" @click=${() => load.again()}>Retry</button>
        </div>`
      : notes.length
        ? html`<div class="foot-line">
            <span class="cut" title=${notes.join("; ")}>${notes.join("; ")}</span>${context.openWhole &&
            (leavesOut(answer) || columnsLeftOut(answer, context))
              ? html`<span class="sp"></span><button class="link nw" @click=${context.openWhole}>Show more</button>`
              : nothing}
          </div>`
        : nothing}
    ${over}
  </section>`;
}
