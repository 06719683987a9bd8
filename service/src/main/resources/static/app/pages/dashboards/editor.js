// The editor of a dashboard: panels are added, moved and sized by mouse, touch or keys; what each of them is stands in
// the pane beside them.
import { html, nothing, ref } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { narrow } from "../../core/screen.js";
import { moment } from "../../core/time.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { typeWord } from "../../panels/draw.js";
import { freeName } from "./add-to.js";
import { move, placeWords, put, size } from "./layout.js";
import { PanelFields, retyped } from "./panel-fields.js";
import { typePicker } from "./pictures.js";
import { showVariables } from "./variable-fields.js";
import { partsOf, WALL } from "../../panels/wall-parts.js";
import { wallFindings } from "./wall-lint.js";

const HANDLES = ["n", "ne", "e", "se", "s", "sw", "w", "nw"];
const PITCH = 54;
const SIZES = {
  table: [6, 5],
  chart: [6, 5],
  scoreboard: [6, 4],
  top: [4, 6],
  heatmap: [6, 6],
  distribution: [4, 5],
  text: [4, 3],
  properties: [4, 6],
};
const LATER = 700;

/** What a new panel of a type says, of the kind that the dashboard is about. */
function fresh(type, dashboard) {
  if (type === "text") return { type, markdown: "Text" };
  const about = (dashboard.variables ?? []).find((v) => v.type === "object");
  const kind = Array.isArray(about?.kind) ? about.kind[0] : about?.kind;
  if (["properties", "relations", "alerts", "changes"].includes(type))
    return about ? { type, subject: `$${about.name}` } : { type };
  const panel = { type, ...(kind ? { kind } : {}) };
  retyped(panel, type);
  return panel;
}

export class Editor {
  chosen = null;
  previewing = false;
  /** Whether all is drawn as on a wall. */
  walling = false;
  #part = 0;
  #fields = new PanelFields();
  #said = "";
  #drag = null;
  #check = new Load((definition, signal) =>
    post("/dashboards/validate", { format: "peerlens-dashboards", version: 1, dashboards: [definition] }, signal),
  );
  #checkSoon = settled((definition) => (this.#check.want(definition), redraw()), LATER);
  #checked = null;
  #marked = new Set();
  #fit = new ResizeObserver(([{ target, contentRect }]) => {
    const below = Math.max(WALL.height / 2, innerHeight - target.getBoundingClientRect().top - 80);
    const zoom = Math.min(contentRect.width / WALL.width, below / WALL.height);
    /** @type {HTMLElement} */ (target).style.setProperty("--wall-zoom", zoom.toFixed(3));
  });
  #room = (element) => {
    this.#fit.disconnect();
    if (element) this.#fit.observe(element);
  };

  /**
   * `editing` holds the draft, `question(panel)` is what is asked for a panel, `loadOf(name)` its load, `leave()` goes
   * back to reading, `made(data)` on to what was stored.
   */
  constructor({ editing, variables, question, loadOf, leave, made }) {
    this.editing = editing;
    this.variables = variables;
    this.question = question;
    this.loadOf = loadOf;
    this.leave = leave;
    this.made = made;
  }

  get #dashboard() {
    return this.editing.definition;
  }

  /** The panel that is chosen, its section and its place; null when none is. */
  #at(name = this.chosen) {
    for (const [at, section] of this.#dashboard.layout.entries()) {
      const item = section.items.find((i) => i.panel === name);
      if (item && this.#dashboard.panels[name]) return { at, item, panel: this.#dashboard.panels[name] };
    }
    return null;
  }

  choose(name) {
    if (this.chosen === name) return;
    this.chosen = name;
    this.#fields = new PanelFields();
    redraw();
  }

  #say(words) {
    this.#said = words;
    redraw();
  }

  /** The name that people know a panel by. */
  #title(name) {
    return this.#dashboard.panels[name]?.title ?? name;
  }

  /** Changes the places of a section; says where the panel stands then. */
  #places(at, make, name, of = null) {
    this.editing.change((d) => (d.layout[at].items = make(d.layout[at].items)), of);
    const now = this.#at(name);
    if (now) this.#say(`${this.#title(name)}: ${placeWords(now.item)}`);
  }

  #step(event, columns, rows) {
    const now = this.#at();
    if (!now) return;
    const resize = event.shiftKey;
    this.#places(
      now.at,
      (items) => (resize ? size(items, this.chosen, "se", columns, rows) : move(items, this.chosen, columns, rows)),
      this.chosen,
    );
  }

  #focus(name) {
    requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        /** @type {HTMLElement} */ (document.querySelector(`.dash [data-panel="${CSS.escape(name)}"]`))?.focus(),
      ),
    );
  }

  add(type) {
    const [w, h] = SIZES[type] ?? [6, 5];
    const name = freeName(this.#dashboard.panels, type);
    const after = this.chosen;
    const at = this.#at()?.at ?? Math.max(0, this.#dashboard.layout.length - 1);
    this.editing.change((d) => {
      d.panels[name] = { ...fresh(type, d), title: typeWord(type) };
      (d.layout[at] ??= { items: [] }).items = put(d.layout[at].items, name, { w, h }, after);
    });
    this.choose(name);
    this.#say(`${typeWord(type)} added: ${placeWords(this.#at().item)}`);
    this.#focus(name);
  }

  pickType() {
    showLayer(
      "dialog",
      () =>
        html`<h2 class="title">Add a panel</h2>
          ${typePicker(null, (type) => (closeLayer(), this.add(type)))}`,
      { label: "Add a panel" },
    );
  }

  duplicate(name = this.chosen) {
    const now = this.#at(name);
    if (!now) return;
    const copy = freeName(this.#dashboard.panels, name.replace(/-\d+$/, ""));
    this.editing.change((d) => {
      d.panels[copy] = structuredClone(d.panels[name]);
      const { items } = d.layout[now.at];
      d.layout[now.at].items = put(items, copy, now.item, name);
    });
    this.choose(copy);
    this.#say(`Copy of ${this.#title(name)}: ${placeWords(this.#at().item)}`);
    this.#focus(copy);
  }

  remove(name = this.chosen) {
    const now = this.#at(name);
    if (!now) return;
    const title = this.#title(name);
    this.editing.change((d) => {
      delete d.panels[name];
      for (const section of d.layout) section.items = section.items.filter((i) => i.panel !== name);
    });
    if (this.chosen === name) this.choose(null);
    this.#say(`${title} removed`);
    notice(`${title} is removed`, { seconds: 10, undo: () => this.undo() });
  }

  undo() {
    this.#say(this.editing.undo() ? "Taken back" : "Nothing to take back");
  }

  redo() {
    this.#say(this.editing.redo() ? "Done again" : "Nothing to do again");
  }

  save() {
    return this.editing.save(this.made);
  }

  preview() {
    this.previewing = !this.previewing;
    this.walling = false;
    redraw();
  }

  wall() {
    this.walling = !this.walling;
    this.previewing = false;
    this.#part = 0;
    redraw();
  }

  /** Whether the panels are there to be read only. */
  get reading() {
    return this.previewing || this.walling;
  }

  escape() {
    if (this.#drag) return this.#drop(false);
    if (leaveField()) return;
    if (this.previewing) return this.preview();
    if (this.walling) return this.wall();
    if (this.chosen) return this.choose(null);
    this.leave();
  }

  end() {
    this.#checkSoon.cancel();
    this.#fit.disconnect();
  }

  /** Dragging: `handle` names the edges that are pulled, "" moves. */
  #grab(event, name, handle) {
    if (event.button !== 0 || this.#drag) return;
    const grid = event.currentTarget.closest(".grid");
    const now = this.#at(name);
    if (!grid || !now) return;
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.setPointerCapture(event.pointerId);
    this.choose(name);
    const column = (grid.clientWidth + 12) / 12;
    this.#drag = {
      name,
      handle,
      at: now.at,
      x: event.clientX,
      y: event.clientY,
      column,
      items: this.#dashboard.layout[now.at].items,
      columns: 0,
      rows: 0,
    };
  }

  #pull(event) {
    const drag = this.#drag;
    if (!drag) return;
    const columns = Math.round((event.clientX - drag.x) / drag.column);
    const rows = Math.round((event.clientY - drag.y) / PITCH);
    if (columns === drag.columns && rows === drag.rows) return;
    [drag.columns, drag.rows] = [columns, rows];
    // Always from where all stood at first, so that what gave way comes back.
    this.#places(
      drag.at,
      () =>
        drag.handle
          ? size(drag.items, drag.name, drag.handle, columns, rows)
          : move(drag.items, drag.name, columns, rows),
      drag.name,
      `drag ${drag.x} ${drag.y}`,
    );
  }

  #drop(keeps = true) {
    const drag = this.#drag;
    this.#drag = null;
    if (!keeps && drag && (drag.columns || drag.rows)) this.undo();
    redraw();
  }

  #pointers = (name, handle) => ({
    down: (e) => this.#grab(e, name, handle),
    move: (e) => this.#pull(e),
    up: () => this.#drop(),
    cancel: () => this.#drop(false),
  });

  /** What a panel has besides while it is edited. */
  dressing(item) {
    const name = item.panel;
    const grip = this.#pointers(name, "");
    const on = this.chosen === name;
    return {
      cls: `${on ? "chosen" : ""} ${this.#marked.has(name) ? "marked" : ""}`,
      focus: (event) => event.target === event.currentTarget && this.choose(name),
      keydown: (event) => {
        if (event.key !== "Enter" || event.target !== event.currentTarget) return;
        event.preventDefault();
        event.stopPropagation();
        document.getElementById("panel-title")?.focus();
      },
      head: html`<span
        class="grip-dots"
        aria-hidden="true"
        title="Drag moves the panel"
        @pointerdown=${grip.down}
        @pointermove=${grip.move}
        @pointerup=${grip.up}
        @pointercancel=${grip.cancel}
        ><svg width="9" height="14" viewBox="0 0 9 14" fill="currentColor">
          <circle cx="2" cy="2" r="1.3" />
          <circle cx="7" cy="2" r="1.3" />
          <circle cx="2" cy="7" r="1.3" />
          <circle cx="7" cy="7" r="1.3" />
          <circle cx="2" cy="12" r="1.3" />
          <circle cx="7" cy="12" r="1.3" /></svg
      ></span>`,
      over: html`<div
          class="cover"
          @click=${(e) => (this.choose(name), e.currentTarget.closest(".panel").focus())}
        ></div>
        ${on
          ? HANDLES.map((handle) => {
              const pull = this.#pointers(name, handle);
              return html`<i
                class="handle ${handle}"
                aria-hidden="true"
                @pointerdown=${pull.down}
                @pointermove=${pull.move}
                @pointerup=${pull.up}
                @pointercancel=${pull.cancel}
              ></i>`;
            })
          : nothing}`,
    };
  }

  /** The place below the panels of the last section where one adds. */
  addPlace(_section, at) {
    if (at !== this.#dashboard.layout.length - 1) return nothing;
    return html`<button class="add-place" @click=${() => this.pickType()}>
      ${Object.keys(this.#dashboard.panels).length ? "Add a panel" : "Add the first panel"} <kbd>A</kbd>
    </button>`;
  }

  keys() {
    const some = () => this.#at() !== null && !this.reading;
    const arrow = (columns, rows) => [(e) => this.#step(e, columns, rows), ""];
    return {
      A: [() => this.pickType(), "Add a panel"],
      ...(some()
        ? {
            ArrowLeft: arrow(-1, 0),
            ArrowRight: [(e) => this.#step(e, 1, 0), "Move the panel, with Shift size it"],
            ArrowUp: arrow(0, -1),
            ArrowDown: arrow(0, 1),
            D: [() => this.duplicate(), "Duplicate the panel"],
            Delete: [() => this.remove(), "Remove the panel"],
            Enter: [() => document.getElementById("panel-title")?.focus(), "Settings of the panel"],
            "/": [
              () => (document.getElementById("add-column") ?? document.getElementById("panel-title"))?.focus(),
              "Search a metric",
            ],
          }
        : {}),
      P: [() => this.preview(), "Preview"],
      ...(narrow() ? {} : { W: [() => this.wall(), "As on a wall"] }),
      "Ctrl Z": [(e) => (e?.shiftKey ? this.redo() : this.undo()), "Take back, with Shift do again"],
      "Ctrl Y": [() => this.redo(), ""],
      "Ctrl S": [() => this.save(), "Save"],
    };
  }

  #wantCheck() {
    const { definition } = this.editing;
    if (this.#checked === definition) return;
    this.#checked = definition;
    this.#checkSoon(definition);
  }

  /** Panels that a finding is about. */
  #shown(findings) {
    const names = findings.flatMap((f) => /panels\.([\w-]+)/.exec(f.path ?? f.field ?? "")?.[1] ?? []);
    this.#marked = this.#marked.size ? new Set() : new Set(names);
    redraw();
  }

  /** What the file says of itself, never in the way. */
  #lint() {
    const check = this.#check.data;
    if (!check) return html`<span class="m s12">${this.#check.error ? "" : "Checking"}</span>`;
    const { errors, findings } = check;
    if (errors.length)
      return html`<span class="lint" title=${errors.map((e) => `${e.field}: ${e.reason}`).join("\n")}
        >${shape("warning", 11, "")}<span class="cut">${errors[0].reason}</span>
        <button class="link" @click=${() => this.#shown(errors)}>Show</button></span
      >`;
    if (findings.length)
      return html`<span class="lint" title=${findings.map((f) => `${f.text} ${f.hint}`).join("\n")}
        >${shape("info", 11, "")}<span class="cut"
          >${findings.length === 1
            ? findings[0].text
            : `${findings[0].text} ${plural(findings.length - 1, "more", "more")}`}</span
        ><button class="link" @click=${() => this.#shown(findings)}>Show</button></span
      >`;
    return html`<span class="lint m">${icon("check", 13)}Portable: no ids, units set</span>`;
  }

  /** What a wall shows at a time of a dashboard. */
  partOf(dashboard) {
    const parts = partsOf(dashboard.layout);
    return parts[Math.min(this.#part, parts.length - 1)];
  }

  #unreadable() {
    return wallFindings(this.#dashboard, (name) => this.loadOf(name).data);
  }

  /** What a panel has besides on a wall. */
  onWall(name) {
    return this.walling && this.#unreadable().some((f) => f.panel === name) ? "marked" : "";
  }

  /** Whether the dashboard can be read on a wall; never in the way either. */
  #wallLine() {
    const found = this.#unreadable();
    const { length } = partsOf(this.#dashboard.layout);
    if (!found.length)
      return html`<div class="foot-line">
        <span class="lint m"
          >${icon("check", 13)}Wall, 3 m: all can be read${length > 1 ? `, in ${length} parts` : ""}</span
        >
      </div>`;
    const panels = found.filter((f) => f.panel !== null).length;
    return html`<div class="foot-line">
      <span class="lint" title=${found.map((f) => this.#wallWords(f)).join("\n")}
        >${shape("info", 11, "")}<span class="cut"
          >Wall, 3 m: ${panels ? `${plural(panels, "panel")} cannot be read` : found[0].text}</span
        ><button class="link" @click=${() => this.wall()}>Show</button></span
      >
    </div>`;
  }

  #wallWords(finding) {
    return `${finding.panel === null ? this.#dashboard.name : this.#title(finding.panel)}: ${finding.text}`;
  }

  /** The dashboard as a wall shows it, and what of it cannot be read there. */
  #wallView(grid) {
    const found = this.#unreadable();
    const parts = partsOf(this.#dashboard.layout);
    const shown = Math.min(this.#part, parts.length - 1);
    return html`${parts.length > 1
        ? html`<div class="row wall-parts" role="group" aria-label="Parts on a wall">
            <span class="m">A wall shows it in ${parts.length} parts, one after the other</span>${parts.map(
              (_, at) =>
                html`<button
                  class="ctl low"
                  aria-label=${`Part ${at + 1}`}
                  aria-pressed=${at === shown}
                  @click=${() => {
                    this.#part = at;
                    redraw();
                  }}
                >
                  ${at + 1}
                </button>`,
            )}
          </div>`
        : nothing}
      <div class="wall-room" ${ref(this.#room)}>
        <div class="wall-stage" inert>
          <div class="wall-stage-head cut">
            ${this.#dashboard.name}${parts.length > 1 ? `, ${shown + 1} of ${parts.length}` : ""}
          </div>
          ${grid}
          <div class="wall-stage-foot m">
            As on 1,920 by 1,080, read at three metres; a larger screen shows it larger
          </div>
        </div>
      </div>
      ${found.length
        ? html`<ul class="wall-found" aria-label="What cannot be read on a wall">
            ${found.map((f) => html`<li>${shape("info", 11, "")}<span>${this.#wallWords(f)}</span></li>`)}
          </ul>`
        : html`<p class="m">All of it can be read on a wall.</p>`}`;
  }

  #general(dashboard) {
    const set = (member) => (e) =>
      this.editing.change((d) => {
        if (e.target.value === "" && member !== "name") delete d[member];
        else d[member] = e.target.value;
      }, member);
    const last = dashboard.time?.last ?? "";
    return html`<div class="ed-part">
        <label class="lab">Name<input class="field" .value=${dashboard.name} @input=${set("name")} /></label>
        <label class="lab"
          >Folder<input class="field" placeholder="none" .value=${dashboard.folder ?? ""} @input=${set("folder")}
        /></label>
        <label class="lab"
          >Description<textarea
            class="field"
            rows="3"
            .value=${dashboard.description ?? ""}
            @input=${set("description")}
          ></textarea>
        </label>
        <div class="two">
          <label class="lab"
            >Time
            <select
              class="field"
              @change=${(e) =>
                this.editing.change((d) => {
                  if (e.target.value) d.time = { last: e.target.value };
                  else delete d.time;
                })}
            >
              ${[["", "as it was"], ...["1h", "6h", "24h", "7d", "30d"].map((t) => [t, `last ${t}`])].map(
                ([key, words]) => html`<option value=${key} ?selected=${key === last}>${words}</option>`,
              )}
            </select></label
          ><label class="lab"
            >Refresh
            <select class="field" @change=${set("refresh")}>
              ${[
                ["", "each minute"],
                ["10s", "10 s"],
                ["30s", "30 s"],
                ["5m", "5 min"],
                ["15m", "15 min"],
              ].map(
                ([key, words]) =>
                  html`<option value=${key} ?selected=${key === (dashboard.refresh ?? "")}>${words}</option>`,
              )}
            </select></label
          >
        </div>
      </div>
      <fieldset class="ed-part">
        <legend>Sections</legend>
        ${dashboard.layout.map(
          (section, at) =>
            html`<div class="row">
              <input
                class="field"
                aria-label=${`Title of section ${at + 1}`}
                placeholder="without a title"
                .value=${section.section ?? ""}
                @input=${(e) =>
                  this.editing.change((d) => (d.layout[at].section = e.target.value || null), `section ${at}`)}
              /><span class="m s12 nw">${plural(section.items.length, "panel")}</span>
              <button
                class="icon"
                aria-label="Remove the section"
                ?disabled=${section.items.length > 0 || dashboard.layout.length < 2}
                @click=${() => this.editing.change((d) => d.layout.splice(at, 1))}
              >
                ${icon("close", 12)}
              </button>
            </div>`,
        )}
        <button
          class="link"
          @click=${() => this.editing.change((d) => d.layout.push({ section: "Section", items: [] }))}
        >
          Add a section
        </button>
      </fieldset>
      <p class="ed-part m s12">Choose a panel to change it, or add one.</p>`;
  }

  #pane(dashboard) {
    const now = this.#at();
    const name = this.chosen;
    return html`<section class="pane ed-pane" aria-label=${now ? "Panel" : "Dashboard"}>
      <div class="ph">
        <h2>${now ? "Panel" : "Dashboard"}</h2>
        <span class="m cut">${now ? name : ""}</span><span class="sp"></span>
        ${now ? html`<button class="link" @click=${() => this.choose(null)}>Done</button>` : nothing}
      </div>
      <div class="ed-scroll">
        ${now
          ? this.#fields.view({
              panel: now.panel,
              item: now.item,
              dashboard,
              set: (change, of = null) => this.editing.change((d) => change(d.panels[name]), of && `${name}.${of}`),
              move: (side, by) =>
                this.#places(
                  now.at,
                  (items) =>
                    side === "x"
                      ? move(items, name, by, 0)
                      : side === "y"
                        ? move(items, name, 0, by)
                        : size(items, name, "se", side === "w" ? by : 0, side === "h" ? by : 0),
                  name,
                ),
              question: this.question,
              retype: (type) => this.editing.change((d) => retyped(d.panels[name], type)),
            })
          : this.#general(dashboard)}
      </div>
      <div class="foot-line">
        ${this.#lint()}<span class="sp"></span>${now && this.loadOf(name).data
          ? html`<span class="m nw">${Math.round(this.loadOf(name).data.tookMillis)} ms</span>`
          : nothing}
      </div>
      ${narrow() ? nothing : this.#wallLine()}
    </section>`;
  }

  view(grid, read) {
    const { editing } = this;
    const dashboard = this.#dashboard;
    this.#wantCheck();
    const origin = editing.id && editing.stored.data?.data;
    const changed = editing.changed;
    return html`<div class="tb">
        <h1>${dashboard.name}</h1>
        ${editing.copies
          ? html`<span class="chip acc">Editing your copy</span>`
          : editing.id
            ? nothing
            : html`<span class="chip acc">new</span>`}
        <span class="m s12 cut"
          >${editing.copies ? `of ${origin.pack ?? origin.name}${changed ? "; " : ""}` : ""}${changed
            ? `${plural(changed, "change")}, draft kept ${moment(editing.keptAt)}`
            : editing.edited
              ? "a draft"
              : "nothing changed yet"}</span
        >
        ${editing.meanwhile ? html`<span class="warn s12 nw">saved by ${origin.updatedBy} meanwhile</span>` : nothing}
        <span class="sp"></span>
        <button class="ctl ghost" ?disabled=${!editing.canUndo} @click=${() => this.undo()}>
          Undo <kbd>Ctrl Z</kbd>
        </button>
        ${editing.edited ? html`<button class="ctl ghost" @click=${() => editing.discard()}>Discard</button>` : nothing}
        <button class="ctl" aria-pressed=${this.previewing} @click=${() => this.preview()}>
          ${this.previewing ? "Edit" : "Preview"} <kbd>P</kbd>
        </button>
        ${narrow()
          ? nothing
          : html`<button class="ctl" aria-pressed=${this.walling} @click=${() => this.wall()}>
              Wall <kbd>W</kbd>
            </button>`}
        <button class="ctl" @click=${() => this.pickType()}>Add panel <kbd>A</kbd></button>
        <button class="ctl" @click=${() => this.leave()}>Leave <kbd>Esc</kbd></button>
        <button
          class="ctl primary"
          ?disabled=${editing.busy || (!editing.edited && editing.id !== null) || !dashboard.name.trim()}
          @click=${() => this.save()}
        >
          Save
        </button>
      </div>
      ${this.variables.view({
        edit: !this.reading,
        more: this.reading
          ? nothing
          : html`<button class="link nw" @click=${() => showVariables(editing)}>
              ${dashboard.variables?.length ? "Change variables" : "Add a variable"}
            </button>`,
        end: read,
      })}
      ${editing.error
        ? html`<section class="pane">${failure(editing.error, () => this.save(), "Save again")}</section>`
        : nothing}
      <div class="workplace ${this.reading ? "previewing" : ""}">
        <div class="canvas">${this.walling ? this.#wallView(grid) : grid}</div>
        ${this.reading ? nothing : this.#pane(dashboard)}
      </div>
      ${this.reading
        ? nothing
        : html`<div class="key-line m s12">
            <span><kbd>←</kbd> <kbd>→</kbd> <kbd>↑</kbd> <kbd>↓</kbd> move</span
            ><span><kbd>Shift</kbd> arrows size</span><span><kbd>D</kbd> duplicate</span
            ><span><kbd>Del</kbd> remove</span><span><kbd>/</kbd> search a metric</span
            ><span><kbd>Ctrl S</kbd> save</span>
          </div>`}
      <div class="unseen" role="status" aria-live="polite">${this.#said}</div>`;
  }
}
