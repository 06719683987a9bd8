// A stored dashboard as walls and links show it: its panels by what the server says of its variables, nothing to edit.
import { html, nothing, repeat } from "../core/html.js";
import { askStored, PanelLoad } from "./answers.js";
import { isStill, legendOf, saysNothing } from "./draw.js";
import { notesOf, panelBody } from "./frame.js";
import { onOneGrid } from "./wall-parts.js";
import { windowWords } from "./words.js";
import "./panel-box.js";

const NAMES = /\$([A-Za-z][\w-]*)/g;

/** A text with what its variables are called. */
export const withWords = (text, values) =>
  text.replace(NAMES, (all, name) => values.find((v) => v.name === name)?.label ?? all);

/** The values that a panel is asked with. */
export const given = (values) =>
  Object.fromEntries(values.filter((v) => v.value !== null).map((v) => [v.name, v.value]));

export class StoredPanels {
  #loads = new Map();

  load(key, name) {
    const own = `${key} ${name}`;
    if (!this.#loads.has(own)) this.#loads.set(own, new PanelLoad(askStored));
    return this.#loads.get(own);
  }

  /** Forgets all but these. */
  keep(keys) {
    for (const own of this.#loads.keys()) if (!keys.some((key) => own.startsWith(`${key} `))) this.#loads.delete(own);
  }

  /**
   * Asks for all panels of a dashboard; `key` tells its screens apart, `body` is what each is asked with besides, and
   * `round` changes when it is asked anew.
   * @param {{key: string, dashboard: string, definition: any, body: object, round: number, sorts?: Record<string, any>}} of
   */
  ask({ key, dashboard, definition, body, round, sorts = {} }) {
    for (const { panel: name } of definition.layout.flatMap((s) => s.items)) {
      const panel = definition.panels[name];
      if (!panel || saysNothing(panel)) continue;
      if (isStill(panel.type) && !(panel.markdown ?? "").includes("$")) continue;
      const sort = sorts[name] ? { sort: sorts[name] } : {};
      this.load(key, name).want({ dashboard, name, panel, ...body, ...sort }, round);
    }
  }

  /** What an object of these panels is called; null = none of them shows it. */
  nameOf(id) {
    for (const { data } of this.#loads.values()) {
      const all = [...(data?.rows ?? []), ...(data?.groups ?? []), ...(data?.tree ?? []), ...(data?.lanes ?? [])];
      const found = all.find((one) => one.object?.id === id);
      if (found) return found.object.name;
    }
    return null;
  }

  /** The newest value of those panels, in milliseconds; null = none is known. */
  newest(key) {
    const times = [...this.#loads].filter(([own]) => own.startsWith(`${key} `)).map(([, l]) => l.data?.newest ?? 0);
    return Math.max(0, ...times) || null;
  }

  /** Since when panels could not be read again, in milliseconds; null = all could. */
  lost(key) {
    const failed = [...this.#loads].filter(([own, l]) => own.startsWith(`${key} `) && l.error && l.data);
    return failed.length ? Math.min(...failed.map(([, l]) => l.at)) : null;
  }

  /**
   * The panels, or those of one part; `context(name, panel)` may say what drives and sorts.
   * @param {{key: string, definition: any, values: any[], part?: {items: any[], rows: number},
   * context?: (name: string, panel: any) => object, style?: string}} of
   */
  view({ key, definition, values, part = onOneGrid(definition.layout), context = () => ({}), style = "" }) {
    const { items, rows } = part;
    return html`<div class="grid" .style=${`--rows:${rows};${style}`}>
      ${repeat(
        items,
        (item) => item.panel,
        (item) => this.#panel(key, item, definition, values, context),
      )}
    </div>`;
  }

  #panel(key, { panel: name, x, y, w, h }, definition, values, context) {
    const panel = definition.panels[name];
    if (!panel) return nothing;
    const load = this.load(key, name);
    const answer = load.data;
    const title = withWords(panel.title ?? answer?.title ?? name, values);
    const windows = new Set((answer?.columns ?? []).map((c) => c.window).filter(Boolean));
    const notes = notesOf(answer);
    const whole = {
      name: `${key} ${name}`,
      title,
      drives: false,
      edit: false,
      asTable: false,
      set: () => {},
      isChosen: () => false,
      tab: () => "-1",
      sort: panel.sort ?? null,
      sortBy: null,
      openWhole: null,
      version: key,
      ...context(name, panel),
    };
    return html`<section
      class="pane panel type-${panel.type}"
      data-panel=${name}
      aria-label=${title}
      .style=${`--x:${x};--y:${y};--w:${w};--h:${h}`}
    >
      <div class="ph">
        <h2 class="panel-title" title=${title}>${title}</h2>
        <span class="sp"></span>
        ${answer && !answer.empty ? (legendOf(answer, panel) ?? nothing) : nothing}
        <span class="m window nw">${windows.size === 1 ? windowWords([...windows][0]) : nothing}</span>
      </div>
      <div class="panel-body" aria-busy=${Boolean(load.loading && !answer)}>
        ${panelBody({ panel, load, context: whole, choose: () => null })}
      </div>
      ${notes.length
        ? html`<div class="foot-line"><span class="cut" title=${notes.join("; ")}>${notes.join("; ")}</span></div>`
        : nothing}
    </section>`;
  }
}
