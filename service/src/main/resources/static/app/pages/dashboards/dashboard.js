// A dashboard: variables, panels on a grid, and on the same page its editor.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { chooseOverview, chosenOverview, missedOverview, missOverview } from "../../core/overview.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS, session } from "../../core/session.js";
import { ticking } from "../../core/ticking.js";
import { duration, lastTick, moment, range, windowText } from "../../core/time.js";
import { amend, back, go, href, param, place } from "../../core/url.js";
import { asCsv, download } from "../../parts/download.js";
import { copy, notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { PanelLoad } from "../../panels/answers.js";
import { hasRows, isStill, linesOf, saysNothing } from "../../panels/draw.js";
import { menuAt, panelFrame } from "../../panels/frame.js";
import { asRange, millis, panelWindow, windowWords } from "../../panels/words.js";
import { addToAnother } from "./add-to.js";
import { isSet, reads, setBy, setters, sortOf, sortParams, valueParams, valuesOf } from "./address.js";
import { slicesOf, withoutPart } from "./conditions.js";
import { Editing, leadTo } from "./editing.js";
import { Editor } from "./editor.js";
import { explainPanel } from "./explain.js";
import { reading } from "./layout.js";
import { publicLinks } from "./links.js";
import { Variables, variableTitle } from "./variables.js";
import "../../panels/panel-box.js";

/** Parts of a rule that are no condition, as people say them. */
const PARTS = { relations: "relations", group: "the group" };
const POINTS = 300;
const WHOLE = 10_000;
const NEAR = "400px 0px";

export function page(address) {
  const id = address === "new" ? null : address;
  const stored = new Load((signal) => exchange("GET", `/dashboards/${id}`, { signal }));
  const others = new Load((kind, signal) => get("/dashboards", { kind, limit: 50 }, signal));
  const loads = new Map();
  const shownAs = new Map(); // panels that are shown as tables
  const folded = new Map(); // sections that somebody opened or closed
  const dropped = new Map(); // panels without a condition that left nothing, `{ panel, words }`
  const near = new Set();
  const elements = new Map();
  let timer = null;
  let every = null;
  let defaulted = false;

  const editing = new Editing(id, stored);
  const isOverview = () => place.path === "/";
  const isEditing = () => id === null || (!isOverview() && param("edit") === "yes");
  const definition = () =>
    isEditing() ? (id === null || stored.data ? editing.definition : null) : (stored.data?.data.definition ?? null);
  const variables = new Variables(definition);
  const editor = new Editor({ editing, variables, question, loadOf: (name) => load(name), leave: leaveEditor, made });
  const editable = () => isEditing() && !editor.reading;

  let observer = null;
  const approached = (entries) => {
    let more = false;
    for (const { target, isIntersecting } of entries) {
      const name = target.getAttribute("data-panel");
      if (isIntersecting && !near.has(name)) more = Boolean(near.add(name));
      else if (!isIntersecting) near.delete(name);
    }
    if (more) redraw();
  };
  const observe = (element) => {
    observer ??= new IntersectionObserver(approached, { root: document.getElementById("main"), rootMargin: NEAR });
    observer.observe(element);
  };

  /** Watches a panel, so that it asks when one comes near it. */
  function watch(name) {
    if (!elements.has(name)) {
      let seen = null;
      elements.set(name, (element) => {
        if (seen === element) return;
        if (seen) observer?.unobserve(seen);
        if (!element) near.delete(name);
        seen = element ?? null;
        if (seen) observe(seen);
      });
    }
    return elements.get(name);
  }

  const load = (name) => {
    if (!loads.has(name)) loads.set(name, new PanelLoad());
    return loads.get(name);
  };

  /** The moment that the page shows; null is now. */
  const asOf = () => param("asOf") || null;
  const live = () => range().live && !asOf();

  /** What is asked for a panel as it is defined. */
  function question(panel, name = null, limit = null) {
    const values = variables.values();
    const wanted = panel.view ? null : reads(panel);
    const own = Object.fromEntries(
      Object.entries(values)
        .filter(([v]) => !wanted || wanted.has(v))
        .map(([v, value]) => [v, Array.isArray(value) ? value.join(",") : String(value)]),
    );
    const { from, to, relative } = range();
    const sort = name && sortOf(place.query, name);
    const time =
      relative && !asOf() ? { last: relative } : { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
    return {
      panel,
      variables: own,
      time: relative && asOf() ? { last: relative } : time,
      points: POINTS,
      ...(asOf() ? { asOf: asOf() } : {}),
      ...(param("vs") ? { compareWith: param("vs") } : {}),
      ...(sort ? { sort } : {}),
      ...(limit ? { limit } : {}),
    };
  }

  /** Changes with each refresh. */
  function round() {
    const ms = millis(definition()?.refresh);
    return live() ? (ms ? Math.floor(Date.now() / ms) : lastTick()) : 0;
  }

  /** Refreshes as often as the dashboard says. */
  function pulse() {
    const ms = millis(definition()?.refresh);
    if (ms === every) return;
    clearInterval(timer);
    every = ms;
    timer = ms
      ? setInterval(() => document.visibilityState === "visible" && live() && redraw(), Math.max(1000, ms))
      : null;
  }

  /** The panels in sight or nearly so ask what they show. */
  function ask(placed) {
    for (const name of placed) {
      const panel = panelOf(name);
      if (!panel || !near.has(name)) continue;
      if (isStill(panel.type) && !reads(panel.markdown ?? "").size) continue;
      if (saysNothing(panel)) continue;
      if ([...reads(panel)].some((v) => variables.waits(v))) continue;
      load(name).want(question(panel, name, whole() === name ? WHOLE : null), round());
    }
  }

  /** A panel as it is shown: while one reads, without the condition that was dropped. */
  const panelOf = (name) => (isEditing() ? null : dropped.get(name)?.panel) ?? definition().panels[name];

  /** The panel that fills the page; null for all. */
  const whole = () => (param("panel") in (definition()?.panels ?? {}) ? param("panel") : null);

  function update() {
    if (id !== null) stored.want();
  }

  /** The range that the dashboard wants, where the address says none. */
  function usualRange() {
    const time = definition()?.time;
    if (defaulted || !time) return;
    defaulted = true;
    if (place.query.has("range") || place.query.has("from")) return;
    const params = time.last ? { range: asRange(time.last) } : { from: time.from, to: time.to };
    queueMicrotask(() => amend(params, { replace: true }));
  }

  /** Whoever comes from an object sees the dashboard for it: the first variable of the type object is that one. */
  function forObject() {
    const object = param("for");
    if (!object) return;
    const variable = variables.list.find((v) => v.type === "object");
    const own = variable ? valueParams({ [variable.name]: object }) : {};
    queueMicrotask(() => amend({ ...own, for: null }, { replace: true }));
  }

  function made(data) {
    stored.data = null;
    leadTo(data, false);
  }

  function edit(name = null) {
    dropped.clear();
    if (name) editor.choose(name);
    if (isOverview()) openItself({ edit: "yes" });
    else amend({ edit: "yes", panel: null, asOf: null });
  }

  /** Goes from the overview to the dashboard itself, with what is chosen. */
  function openItself(params = {}) {
    go(`/dashboards/${id}`, { ...valueParams(valuesOf(place.query, variables.list)), ...params });
  }

  /** The address of what is shown; that of the overview leads others to theirs. */
  const itsAddress = () =>
    new URL(isOverview() ? `/dashboards/${id}${location.search}` : location.href, location.origin);
  const share = () => copy(itsAddress().href, "Link copied; it shows this view");

  function leaveEditor() {
    if (id === null) return back("/dashboards");
    amend({ edit: null });
  }

  /** What is done about a condition that removes all objects of a panel; null when nothing can be. */
  function dropCondition(empty, name) {
    const panel = panelOf(name);
    const slices = slicesOf(panel, variables.values());
    const next = slices.length ? null : withoutPart(panel, empty.part);
    if (!slices.length && !next) return null;
    return {
      label: "Drop this condition",
      run: () => {
        if (slices.length) variables.set(Object.fromEntries(slices.map((v) => [v, null])));
        else if (isEditing()) editing.change((d) => (d.panels[name] = next));
        else {
          const words = [dropped.get(name)?.words, empty.condition ?? PARTS[empty.part]].filter(Boolean).join(" and ");
          dropped.set(name, { panel: next, words });
          redraw();
        }
      },
    };
  }

  function choose(empty, name) {
    if (empty.reason === "no-match") return dropCondition(empty, name);
    if (empty.reason !== "choose" || !empty.variable) return null;
    const [setter] = setters(definition(), empty.variable);
    const variable = variables.list.find((v) => v.name === empty.variable);
    if (!variable) return null;
    const title = setter && definition().panels[setter]?.title;
    return setter && title
      ? { label: `Go to ${title}`, run: () => goTo(setter) }
      : { label: `Choose ${variableTitle(variable).toLowerCase()}`, run: () => variables.open(variable.name) };
  }

  function goTo(name) {
    const panel = document.querySelector(`.dash [data-panel="${CSS.escape(name)}"]`);
    panel?.scrollIntoView({ block: "center" });
    /** @type {HTMLElement} */ (panel?.querySelector("[data-row]") ?? panel?.querySelector("button"))?.focus();
  }

  /** What a panel needs to be drawn and to drive others. */
  function context(name, panel, values) {
    const sets = panel.sets ?? {};
    const edits = editable();
    const sort = sortOf(place.query, name) ?? panel.sort ?? null;
    const drives = Object.keys(sets).length > 0 && !edits;
    return {
      name,
      title: titleOf(panel, name),
      drives,
      edit: edits,
      asTable: shownAs.get(name) ?? false,
      set: (what) => {
        if (!drives) return;
        const next = setBy(sets, what);
        // The same slice once more shows all again.
        const again = isSet(sets, what, values);
        for (const key of Object.keys(next)) if (again && sets[key] === "slice") next[key] = null;
        variables.set(next);
      },
      isChosen: (what) => drives && isSet(sets, what, values),
      tab: (index, chosen) => (index === 0 || chosen ? "0" : "-1"),
      sort,
      sortBy: edits
        ? null
        : (column) => amend(sortParams(name, sort, column.name, column.type === "number"), { replace: true }),
      openWhole: whole() === name || edits ? null : () => amend({ panel: name }),
      whole: whole() === name,
      version: JSON.stringify([drives ? Object.keys(sets).map((v) => values[v] ?? null) : 0, edits, sort]),
    };
  }

  /** A title says what its variables are. */
  function titleOf(panel, name) {
    const title = panel.title ?? load(name).data?.title ?? name;
    return title.replace(/\$([A-Za-z][\w-]*)/g, (all, v) => {
      const variable = variables.list.find((one) => one.name === v);
      return variable ? variables.words(variable) : all;
    });
  }

  const rangeWords = () => {
    const { relative } = range();
    return relative ? relative.replace(/(\d+)/, "$1 ") : windowText(range());
  };

  /** What time the figures of a panel are of: as they say, until then as it is defined. */
  function windowOf(panel, answer) {
    const windows = new Set((answer?.columns ?? []).map((c) => c.window).filter(Boolean));
    return windows.size === 1 && panel.type !== "chart" ? windowWords([...windows][0]) : definedWindow(panel);
  }

  const definedWindow = (panel) =>
    isStill(panel.type) || ["properties", "relations", "alerts"].includes(panel.type)
      ? panel.type === "text"
        ? ""
        : asOf()
          ? moment(Date.parse(asOf()))
          : "now"
      : panelWindow(panel, rangeWords());

  function noteOf(panel, name) {
    const without = isEditing() ? null : dropped.get(name)?.words;
    if (without) return `without ${without}`;
    if (panel.note) return panel.note;
    const sets = Object.entries(panel.sets ?? {});
    if (!sets.length) return "";
    const part =
      { table: "a row", top: "a bar", heatmap: "a cell", timeline: "a lane", distribution: "a part" }[panel.type] ??
      "a click";
    const words = sets.map(([v]) => {
      const variable = variables.list.find((one) => one.name === v);
      return variable ? variableTitle(variable).toLowerCase().replace(/^vm\b/, "VM") : v;
    });
    return `${part} chooses the ${words.join(" and the ")}`;
  }

  function openMenu(name, panel, button) {
    const answer = load(name).data;
    const lines = answer ? linesOf(answer) : null;
    const title = titleOf(panel, name);
    const asTable = shownAs.get(name);
    const canTable = (answer && hasRows(answer) && answer.type !== "table") || answer?.type === "chart";
    const link = itsAddress();
    link.searchParams.set("panel", name);
    link.searchParams.delete("edit");
    const item = sizeOf(name);
    menuAt(button, `Menu of ${title}`, [
      ...(dropped.has(name) && !isEditing()
        ? [["Take the condition back", () => (dropped.delete(name), redraw())]]
        : []),
      whole() === name
        ? ["Back to the dashboard", () => amend({ panel: null })]
        : ["Open as a page", () => amend({ panel: name, edit: null })],
      [asTable ? "Show as it was" : "Show as table", canTable ? () => (shownAs.set(name, !asTable), redraw()) : null],
      ["CSV", lines ? () => download(slug(title), "csv", asCsv(lines), plural(lines.length - 1, "row")) : null],
      ["Copy link", () => copy(link.href, "Link copied; it shows this panel")],
      ["Explain", () => explainPanel({ title, panel, load: load(name), window: windowOf(panel, answer) })],
      ["Add to another", () => addToAnother({ id, name, panel, size: item })],
      ...(isEditing()
        ? [
            ["Duplicate", () => editor.duplicate(name)],
            ["Remove", () => editor.remove(name)],
          ]
        : [["Edit", () => edit(name)]]),
      ...(panel.links ?? []).map((l) => [l.title ?? l.dashboard, () => followLink(l)]),
    ]);
  }

  /** Puts a dashboard in the place of the overview, or the usual one back. */
  function putOverview(next) {
    const before = chosenOverview();
    chooseOverview(next);
    notice(next ? `Overview shows ${next.name}` : "Overview is as usual", {
      seconds: 10,
      undo: () => chooseOverview(before),
    });
  }

  /** Begins a report with what is shown: the values that are chosen, and the range where it is not the usual one. */
  function sendAsReport(data) {
    const { relative } = range();
    const usual = relative !== null && relative === asRange(definition().time?.last);
    go("/reports/new", {
      dashboard: id,
      name: data.name,
      ...valueParams(valuesOf(place.query, variables.list)),
      last: usual ? null : relative,
      fixed: relative ? null : "yes",
    });
  }

  function openOwnMenu(data, button) {
    menuAt(button, `Menu of ${data.name}`, [
      ["Send as a report\u2026", may("operator") ? () => sendAsReport(data) : null, may("operator") ? null : NEEDS],
      ...(isOverview() ? [["Open as a dashboard", () => openItself()]] : []),
      chosenOverview()?.id === id
        ? ["Show the usual overview", () => putOverview(null)]
        : ["Use as overview", () => putOverview(data)],
      ...(data.visibility === "shared" && may("operator")
        ? [["Public links", () => publicLinks(data, variables.list, variables.values())]]
        : []),
    ]);
  }

  /** Goes to the dashboard that a panel names, with the values it hands over. */
  async function followLink(link) {
    const { items } = await get("/dashboards", { name: link.dashboard, limit: 1 });
    if (!items.length) return notice(`There is no dashboard ${link.dashboard}.`);
    const values = variables.values();
    const params = Object.fromEntries(
      Object.entries(link.variables ?? {}).map(([v, of]) => [`v.${v}`, of.startsWith("$") ? values[of.slice(1)] : of]),
    );
    go(`/dashboards/${items[0].id}`, params);
  }

  const sizeOf = (name) => {
    const { w, h } = definition()
      .layout.flatMap((s) => s.items)
      .find((i) => i.panel === name) ?? { w: 6, h: 6 };
    return { w, h };
  };
  const slug = (text) =>
    text
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "panel";

  function panelView(item, values) {
    const { panel: name, x, y, w, h } = item;
    const panel = panelOf(name);
    if (!panel) return nothing;
    const edits = editable();
    return panelFrame({
      name,
      panel,
      load: load(name),
      context: context(name, panel, values),
      window: windowOf(panel, load(name).data),
      note: edits && editor.chosen === name ? `w ${w}, h ${h}` : noteOf(panel, name),
      menu: (button) => openMenu(name, panel, button),
      choose: (empty) => choose(empty, name),
      watch: watch(name),
      style: `--x:${x};--y:${y};--w:${w};--h:${h}`,
      cls: whole() === name ? "whole" : editor.onWall(name),
      ...(edits ? editor.dressing(item) : {}),
    });
  }

  function sectionView(section, at, values) {
    const closed = folded.get(at) ?? section.collapsed ?? false;
    const items = narrow() || !editable() ? reading(section.items) : section.items;
    const head = section.section
      ? html`<button class="section-head" aria-expanded=${!closed} @click=${() => (folded.set(at, !closed), redraw())}>
          ${icon(closed ? "right" : "caret", 13)}<b>${section.section}</b
          ><span class="m s12">${closed ? plural(items.length, "panel") : ""}</span>
        </button>`
      : nothing;
    return html`${head}${closed && !editable()
      ? nothing
      : html`<div class="grid" data-section=${at}>
          ${repeat(
            items,
            (item) => item.panel,
            (item) => panelView(item, values),
          )}${editable() ? editor.addPlace(section, at) : nothing}
        </div>`}`;
  }

  const placed = (layout) =>
    layout.flatMap((s, at) => ((folded.get(at) ?? s.collapsed) && !editable() ? [] : s.items.map((i) => i.panel)));

  /** How long the last round took, and how old the newest of its data is. */
  function readWords() {
    const answers = [...loads].filter(([name, l]) => near.has(name) && l.data).map(([, l]) => l);
    if (!answers.length) return nothing;
    const took = Math.max(...answers.map((l) => l.data.tookMillis));
    const newest = Math.max(...answers.map((l) => l.data.newest ?? 0));
    const loading = [...loads.values()].some((l) => l.loading);
    return html`<span class="m s12 nw read" role="status" aria-busy=${loading}
      >read in ${Math.round(took)}
      ms${newest
        ? html`, newest ${live() ? html`${ticking(() => duration(Date.now() - newest))} ago` : moment(newest)}`
        : nothing}</span
    >`;
  }

  function head(data, dashboard) {
    const kind = data?.kinds?.[0] ?? null;
    if (kind) others.want(kind);
    const more = (others.data?.items ?? []).filter((d) => d.id !== id);
    const word = kind ? kindWord(kind.split("/")[1]) : "";
    return html`<div class="tb">
      <h1>${dashboard.name}</h1>
      <span class="m cut" title=${dashboard.folder ?? nothing}>${dashboard.folder ?? ""}</span>
      ${data?.pack ? html`<span class="chip" title=${`Comes with the pack ${data.pack}`}>${data.pack}</span>` : nothing}
      ${data?.visibility === "private" ? html`<span class="chip">private</span>` : nothing}
      <span class="sp"></span>
      ${kind && more.length
        ? html`<a class="link nw" href=${href("/dashboards", { kind })}
            >${more.length} more for a ${word === "VM" ? word : word.toLowerCase()}</a
          >`
        : nothing}
      <button class="ctl" @click=${share}>Share</button>
      ${narrow()
        ? nothing
        : html`<button class="ctl" @click=${full}>Full screen <kbd>F</kbd></button>
            <button class="ctl" @click=${() => edit()}>Edit <kbd>E</kbd></button>`}
      ${data
        ? html`<button
            class="icon"
            aria-label=${`Menu of ${data.name}`}
            aria-haspopup="menu"
            @click=${(e) => openOwnMenu(data, e.currentTarget)}
          >
            ${icon("dots", 14)}
          </button>`
        : nothing}
    </div>`;
  }

  function full() {
    const on = param("full") !== "yes";
    amend({ full: on ? "yes" : null }, { replace: true });
    if (on) document.documentElement.requestFullscreen?.().catch(() => {});
    else if (document.fullscreenElement) document.exitFullscreen();
  }
  const fullChanged = () => {
    if (!document.fullscreenElement && param("full")) amend({ full: null }, { replace: true });
  };
  document.addEventListener("fullscreenchange", fullChanged);

  // Rows, bars, cells, lanes and nodes: the same keys for all of them.
  const row = () => /** @type {HTMLElement} */ (document.activeElement?.closest?.(".dash [data-row]"));
  function step(by) {
    const here = row();
    const panel = here?.closest(".panel") ?? document.querySelector(".dash .panel:has([data-row])");
    const all = /** @type {HTMLElement[]} */ ([...(panel?.querySelectorAll("[data-row]") ?? [])]);
    const next = all[Math.max(0, Math.min(all.length - 1, here ? all.indexOf(here) + by : 0))];
    next?.focus();
    next?.scrollIntoView({ block: "nearest" });
  }
  const click = () => row()?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  const openRow = () => row()?.dataset.object && go(`/objects/${row().dataset.object}`);
  const space = () => {
    const play = /** @type {HTMLElement} */ (document.activeElement?.closest?.(".panel")?.querySelector(".play"));
    if (play) play.click();
    else click();
  };

  function keys() {
    if (isEditing()) return editor.keys();
    const here = row();
    return {
      E: [() => edit(), "Edit the dashboard"],
      F: [full, "Full screen"],
      J: [() => step(1), "Next row"],
      K: [() => step(-1), "Row before"],
      Y: [share, "Copy link"],
      ...(here
        ? {
            ArrowDown: [() => step(1), ""],
            ArrowUp: [() => step(-1), ""],
            Enter: [click, "Choose the row"],
            O: [openRow, "Open the object of the row"],
          }
        : {}),
      ...(here || document.activeElement?.closest?.(".panel")
        ? { " ": [space, "Play the moments of a heat map"] }
        : {}),
    };
  }

  function escape() {
    if (isEditing()) return editor.escape();
    if (asOf()) return amend({ asOf: null });
    if (param("full")) return full();
    if (whole()) return amend({ panel: null });
    if (!isOverview()) back("/dashboards");
  }

  /** Why nothing is shown; where the overview stood before, that one is shown again. */
  function failed() {
    if (isOverview() && stored.error.status === 404) {
      if (!missedOverview()) queueMicrotask(missOverview);
      return blank();
    }
    return html`<div class="tb">
        <h1>No dashboard to show</h1>
        <span class="sp"></span>
        ${isOverview()
          ? html`<button class="ctl" @click=${() => putOverview(null)}>Show the usual overview</button>`
          : nothing}
      </div>
      <section class="pane">${failure(stored.error, () => stored.again())}</section>`;
  }

  const blank = () =>
    html`<div class="tb"><h1>${"\u00a0"}</h1></div>
      <div class="dash" aria-busy="true"></div>`;

  function reader(dashboard) {
    const values = variables.values();
    const only = whole();
    const sections = only ? [{ items: [{ panel: only, x: 1, y: 1, w: 12, h: 14 }] }] : dashboard.layout;
    ask(only ? [only] : placed(dashboard.layout));
    return html`${param("full") ? nothing : head(stored.data?.data, dashboard)} ${variables.view({ end: readWords() })}
      ${asOf()
        ? html`<div class="as-of" role="status">
            As of ${moment(Date.parse(asOf()))}, with alerts and properties of that time.
            <button class="link" @click=${() => amend({ asOf: null })}>Back to now</button> <kbd>Esc</kbd>
          </div>`
        : nothing}
      ${only
        ? html`<p class="s12">
            <button class="link" @click=${() => amend({ panel: null })}>All panels of ${dashboard.name}</button>
          </p>`
        : nothing}
      <div class="dash ${only ? "only" : ""}">
        ${sections.map((s, at) => sectionView(s, at, values))}
        ${Object.keys(dashboard.panels).length
          ? nothing
          : html`<section class="pane words">
              <p class="say">
                This dashboard has no panels yet.
                ${session.info
                  ? html`<button class="link" @click=${() => edit()}>Add the first</button> <kbd>E</kbd>`
                  : nothing}
              </p>
            </section>`}
      </div>`;
  }

  function builder(dashboard) {
    const values = variables.values();
    if (editor.walling) {
      const { items, rows } = editor.partOf(dashboard);
      ask(items.map((item) => item.panel));
      return editor.view(
        html`<div class="dash">
          <div class="grid" .style=${`--rows:${rows}`}>
            ${repeat(
              items,
              (item) => item.panel,
              (item) => panelView(item, values),
            )}
          </div>
        </div>`,
        readWords(),
      );
    }
    ask(placed(dashboard.layout));
    return editor.view(
      html`<div class="dash ${editor.previewing ? "" : "editing"}">
        ${dashboard.layout.map((s, at) => sectionView(s, at, values))}
      </div>`,
      readWords(),
    );
  }

  return {
    get title() {
      return definition()?.name ?? "Dashboard";
    },
    name: "dashboard",
    get timed() {
      return !isEditing();
    },
    get bare() {
      return param("full") === "yes";
    },
    update,
    keys,
    escape,
    leave() {
      observer?.disconnect();
      clearInterval(timer);
      document.removeEventListener("fullscreenchange", fullChanged);
      editor.end();
    },
    view() {
      if (stored.error && !stored.data) return failed();
      const dashboard = definition();
      if (!dashboard) return blank();
      usualRange();
      forObject();
      pulse();
      variables.want();
      return isEditing() ? builder(dashboard) : reader(dashboard);
    },
  };
}
