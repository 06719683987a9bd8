// A dashboard by a public link: for whoever has the link, without a session. What is chosen stays in the page.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { ticking } from "../../core/ticking.js";
import { duration, moment } from "../../core/time.js";
import { session } from "../../core/session.js";
import { StoredPanels, withWords } from "../../panels/stored.js";
import { millis } from "../../panels/words.js";
import { mark } from "../../parts/shapes.js";
import { isSet, setBy } from "../dashboards/address.js";

const USUAL = 60_000;
const LEAST = 30_000;

export function page(id) {
  const stored = new Load((_round, signal) => get(`/dashboards/${id}`, {}, signal));
  const panels = new StoredPanels();
  const chosen = {};
  const sorts = {};

  const every = () => Math.max(LEAST, millis(stored.data?.definition.refresh) || USUAL);
  const timer = setInterval(() => document.visibilityState === "visible" && redraw(), 5_000);

  /** Values as they are now: those of the link, and what was chosen of the free ones. */
  const values = () =>
    stored.data.link.values.map((v) => {
      const value = v.free ? chosen[v.name] : undefined;
      if (value === undefined) return v;
      return { ...v, value: value.value, label: value.label };
    });

  const isFree = (name) => stored.data.link.values.some((v) => v.name === name && v.free);
  const allows = (name, value) => {
    const variable = stored.data.link.values.find((v) => v.name === name);
    if (!variable?.free) return false;
    // Of objects only the first are listed; whether it is one of the others says the server.
    const type = stored.data.definition.variables.find((v) => v.name === name)?.type;
    const open = type === "object" || type === "objects" || !variable.choices.length;
    return open || variable.choices.some((c) => c.value === value);
  };

  function choose(name, value, label = value) {
    if (value === null || value === "") delete chosen[name];
    else if (allows(name, value)) chosen[name] = { value, label };
    redraw();
  }

  function read() {
    stored.want(Math.floor(Date.now() / (5 * USUAL)));
    if (!stored.data) return;
    panels.ask({
      key: "link",
      dashboard: id,
      definition: stored.data.definition,
      body: {
        variables: Object.fromEntries(Object.entries(chosen).map(([name, { value }]) => [name, value])),
        points: 300,
      },
      round: Math.floor(Date.now() / every()),
      sorts,
    });
  }

  /** What a panel drives: free variables, as far as its choices go. */
  function context(name, panel) {
    const sets = Object.fromEntries(Object.entries(panel.sets ?? {}).filter(([v]) => isFree(v)));
    const now = Object.fromEntries(values().map((v) => [v.name, v.value]));
    const drives = Object.keys(sets).length > 0;
    const sort = sorts[name] ?? panel.sort ?? null;
    return {
      drives,
      set: (what) => {
        for (const [v, value] of Object.entries(drives ? setBy(sets, what) : {}))
          choose(v, value, panels.nameOf(value) ?? value);
      },
      isChosen: (what) => drives && isSet(sets, what, now),
      tab: (index, on) => (index === 0 || on ? "0" : "-1"),
      sort,
      sortBy: (column) => {
        const again = sort?.[0]?.column === column.name;
        const descending = again ? sort[0].order !== "desc" : column.type === "number";
        sorts[name] = [{ column: column.name, order: descending ? "desc" : "asc" }];
        redraw();
      },
      version: JSON.stringify([now, sort]),
    };
  }

  function control(v) {
    const variable = stored.data.definition.variables?.find((one) => one.name === v.name);
    const title = variable?.title ?? v.name;
    const wordy = variable?.type === "number";
    if (!v.free || (!v.choices.length && !wordy))
      return html`<span class="ctl variable" title=${v.free ? "A panel sets it" : nothing}
        ><span class="k">${title}</span><b class="cut">${v.label ?? "none"}</b></span
      >`;
    if (!v.choices.length)
      return html`<label class="ctl variable"
        ><span class="k">${title}</span
        ><input
          class="field low"
          .value=${v.label ?? ""}
          autocomplete="off"
          @change=${(e) => choose(v.name, e.target.value.trim())}
      /></label>`;
    return html`<label class="ctl variable"
      ><span class="k">${title}</span
      ><select
        class="field low"
        @change=${(e) => choose(v.name, e.target.value, e.target.selectedOptions[0].textContent.trim())}
      >
        ${v.choices.some((c) => c.value === v.value)
          ? nothing
          : html`<option value=${v.value ?? ""} selected>${v.label ?? "choose"}</option>`}${v.choices.map(
          (c) => html`<option value=${c.value} ?selected=${c.value === v.value}>${c.label}</option>`,
        )}
      </select></label
    >`;
  }

  /** What leads elsewhere leads a reader of a link nowhere. */
  const stay = (event) => event.target.closest?.("a[href]") && event.preventDefault();

  const gone = (title, text) =>
    html`<div class="link-page words">
      <div class="empty">
        <h1>${title}</h1>
        <p class="i2">${text}</p>
      </div>
    </div>`;

  return {
    get title() {
      return stored.data?.name ?? "Dashboard";
    },
    name: "by-link",
    bare: true,
    timed: false,
    update: read,
    leave: () => clearInterval(timer),
    view() {
      if (!session.link) return gone("This link is not whole", "Its last part, after #, is missing. Ask for it again.");
      read();
      if (stored.error?.status === 401)
        return gone(
          "This link has ended",
          "It has expired or was revoked. Ask whoever gave it to you for another one.",
        );
      if (stored.error && !stored.data) return gone("Nothing to show", stored.error.message);
      if (!stored.data) return html`<div class="link-page" aria-busy="true"></div>`;
      const { definition, link } = stored.data;
      const now = values();
      const newest = panels.newest("link");
      const lost = panels.lost("link");
      return html`<div class="link-page" @click=${stay}>
        ${lost
          ? html`<div class="wall-lost" role="alert">
              No answer from the server; this is from ${moment(lost)}. It is tried again.
            </div>`
          : nothing}
        <div class="tb">
          ${mark()}
          <h1>${withWords(definition.name, now)}</h1>
          <span class="m cut">${definition.description ?? ""}</span><span class="sp"></span
          ><span class="m s12 nw"
            >${newest ? html`newest ${ticking(() => duration(Date.now() - newest))} ago; ` : nothing}until
            ${moment(Date.parse(link.expiresAt))}</span
          >
        </div>
        ${now.length
          ? html`<div class="variables" role="group" aria-label="Variables">${now.map(control)}</div>`
          : nothing}
        <div class="dash">${panels.view({ key: "link", definition, values: now, context })}</div>
      </div>`;
    },
  };
}
