// Ctrl K: objects, groups, events and alerts (from the API), pages, settings and actions, those taken last first; `>`
// actions only, `@` people, `:` a time.
import { html, live, nothing, repeat } from "../core/html.js";
import { redraw, settled } from "../core/bus.js";
import { get } from "../core/api.js";
import { activeKeys } from "../core/keys.js";
import { contents } from "../core/help.js";
import { Load } from "../core/load.js";
import { kindWord } from "../core/metrics.js";
import { may, session } from "../core/session.js";
import { titleOf } from "../core/severity.js";
import { keep, kept } from "../core/store.js";
import { moment, parseRange, setAbsolute, setRelative } from "../core/time.js";
import { go } from "../core/url.js";
import { browserZone, setZone, zoneName } from "../core/zone.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { icon, severityShape, stateShape } from "../parts/shapes.js";
import { allPlaces } from "./places.js";

const MOST = 12;

let text = "";
let chosen = 0;
let actions = [];
let pick = null;
let within = null;

// Free text also finds ids, tags and properties; objects that have it in their name come first.
const objects = new Load(async (q, among, signal) => {
  const read = (query) => get("/objects", { ...among, ...query, limit: MOST, withPath: true }, signal);
  if (!q) return { q, items: (await read({})).items };
  const [named, rest] = await Promise.all([read({ name: q }), read({ q })]);
  const items = [...named.items, ...rest.items.filter((o) => !named.items.some((n) => n.id === o.id))];
  return { q, items: items.slice(0, MOST) };
});
// Alerts by number, rule or object; open ones first.
const alerts = new Load(async (q, signal) => {
  const [open, closed] = await Promise.all(
    ["open", "canceled"].map((state) => get("/alerts", { q, state, limit: 5 }, signal)),
  );
  return { q, items: [...open.items, ...closed.items].slice(0, 5) };
});
// Groups of peers by name, and their events by number.
const outliers = new Load(async (q, signal) => {
  const [groups, events] = await Promise.all([
    get("/outlier-groups", { q, limit: 4 }, signal),
    get("/outlier-events", { q, limit: 4 }, signal),
  ]);
  return { q, groups: groups.items, events: events.items };
});
const search = settled((q) => {
  if (!q && !within) return;
  objects.want(q, within);
  if (pick) return;
  alerts.want(q);
  outliers.want(q);
}, 120);
// Who has access: whoever, or whatever, holds a token. Only admins may read that.
const people = new Load((_opened, signal) => get("/tokens", {}, signal));
let opened = 0;

const TIMES = ["1h", "6h", "24h", "7d", "yesterday 0-24", "yesterday 9-11"];

/**
 * Opens the palette; with `choose`, it only finds objects and hands the chosen one over, with `among` only those that
 * this query of the API gives, which are then listed from the start.
 */
export function showPalette({ choose = null, label = "Go to", among = null } = {}) {
  text = "";
  chosen = 0;
  opened++;
  pick = choose;
  within = among;
  const of = JSON.stringify(among);
  if (objects.of !== of) objects.reset();
  objects.of = of;
  if (among) objects.want("", among);
  actions = activeKeys()
    .flat()
    .filter(([name, value]) => name !== "modal" && value[1] && !/^(G |Ctrl K|Enter|Escape|J$|K$)/.test(name))
    .map(([name, [act, words]]) => ({ id: `action ${words}`, name: words, hint: name, act, picture: "right" }));
  showLayer("palette", view, { label });
}

const recentObjects = () => kept("recent", []);
const recentIds = () => kept("recentIds", []);

function remember(entry) {
  if (entry.object) {
    const { id, name, objectKind } = entry.object;
    keep("recent", [{ id, name, objectKind }, ...recentObjects().filter((r) => r.id !== id)].slice(0, 8));
  }
  if (entry.id) keep("recentIds", [entry.id, ...recentIds().filter((id) => id !== entry.id)].slice(0, 12));
}

/** Letters in order, better the earlier and the closer together; null when they are not all there. */
function fuzzy(name, typed) {
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

const objectEntry = (o) => ({
  id: `object ${o.id}`,
  object: o,
  name: o.name,
  hint: `${kindWord(o.objectKind)}${o.path?.length ? ` in ${o.path.join(" / ")}` : ""}`,
  state: o.state ?? "reporting",
  act: () => (pick ? pick(o) : go(`/objects/${o.id}`)),
});

const alertEntry = (a) => ({
  id: `alert ${a.id}`,
  name: `A-${a.number} ${titleOf(a)} on ${a.object.name}`,
  hint: a.canceledAt ? `closed ${moment(Date.parse(a.canceledAt))}` : `open since ${moment(Date.parse(a.since))}`,
  severity: a.canceledAt ? "closed" : a.severity,
  act: () => go(`/alerts/${a.id}`),
});

const groupEntry = (g) => ({
  id: `group ${g.id}`,
  name: g.name,
  hint: `outlier group, ${g.now.members} members${g.openEvents ? `, ${g.openEvents} open` : ""}`,
  picture: "outliers",
  act: () => go(`/outliers/${g.id}`),
});

const eventEntry = (e) => ({
  id: `event ${e.id}`,
  name: `O-${e.number} ${e.object?.name ?? "whole group"} in ${e.group.name}`,
  hint: e.closedAt ? `closed ${moment(Date.parse(e.closedAt))}` : `open since ${moment(Date.parse(e.since))}`,
  severity: e.closedAt ? "closed" : e.severity,
  act: () => go(`/outliers/events/${e.id}`),
});

const MORE_PAGES = [
  ["/dashboards/new", "New dashboard", "page", "dashboards"],
  ["/dashboards/import", "Import dashboards", "page", "dashboards"],
  ["/reports", "Reports", "page", "dashboards"],
  ["/reports/new", "New report", "page", "dashboards"],
  ["/wall", "Wall", "W", "outliers"],
  ["/outliers/new", "New outlier group", "page", "outliers"],
  ["/top-talkers/flows", "Flows", "page", "talkers"],
  ["/top-talkers/networks", "Networks", "page", "talkers"],
  ["/top-talkers/reports", "Reports of top talkers", "page", "talkers"],
].map(([path, name, hint, picture]) => ({ id: `page ${path}`, name, hint, picture, act: () => go(path) }));
const pages = () => [
  ...allPlaces().map((p) => ({
    id: `page ${p.path}`,
    name: p.name,
    hint: p.key ? `G ${p.key}` : "page",
    picture: p.icon,
    act: () => go(p.path),
  })),
  ...MORE_PAGES,
];

/** Goes to the settings and, once the page is there, to the pane with this title. */
function openSettings(title) {
  go("/settings");
  let frames = 0;
  const reveal = () => {
    const pane = document.querySelector(`main.settings section[aria-label="${title}"]`);
    const control = pane?.querySelector("input, select, button, a[href]");
    pane?.scrollIntoView({ block: "nearest" });
    if (control) control.focus({ preventScroll: true });
    else if (frames++ < 120) requestAnimationFrame(reveal);
  };
  requestAnimationFrame(reveal);
}

function settings() {
  const setting = (name, hint, act) => ({ id: `setting ${name}`, name, hint, act, picture: "settings" });
  const theme = (value, words) =>
    setting(`Theme: ${words}`, peerlensTheme.choice === value ? "as it is" : "D", () => (peerlensTheme.choice = value));
  const times = (value, words) =>
    setting(`Time zone: ${words}`, zoneName() === (value ?? browserZone()) ? "as it is" : "setting", () =>
      setZone(value),
    );
  const rows = (value, words) =>
    setting(
      `Rows of ${words}`,
      kept("rows", "dense") === value ? "as it is" : "setting",
      () => (keep("rows", value), peerlensTheme.rows()),
    );
  const panes = ["Maintenance windows", "Custom groups", "Tokens", "Retention", "Guards", "Appearance", "About"].map(
    (title) => setting(`Settings: ${title}`, "setting", () => openSettings(title)),
  );
  return [
    ...panes,
    theme("light", "light"),
    theme("dark", "dark"),
    theme("system", "as the system"),
    times(null, `of this browser, ${browserZone()}`),
    times("UTC", "UTC"),
    rows("dense", "28 px"),
    rows("comfy", "36 px"),
  ];
}

/** Sections of the documentation, by their title and that of the document. */
const helps = () =>
  (contents.data ?? []).flatMap((d) =>
    d.sections
      .filter((s) => s.level < 4)
      .map((s) => ({
        id: `help ${d.page} ${s.id}`,
        name: `Help: ${s.id ? `${s.title}` : d.title}`,
        hint: s.id ? d.title : "document",
        picture: "help",
        act: () => go(`/help/${d.page}`, { section: s.id }),
      })),
  );

const used = (t) => (t.lastUsedAt ? `last used ${moment(Date.parse(t.lastUsedAt))}` : "never used");

function persons() {
  const you = {
    id: "you",
    name: session.info.name,
    hint: `${session.info.role}, you`,
    picture: "person",
    act: () => openSettings("Tokens"),
  };
  const others = (people.data?.items ?? []).filter((t) => t.id !== session.info.tokenId);
  return [
    you,
    ...others.map((t) => ({
      id: `person ${t.id}`,
      name: t.name,
      hint: `${t.role}, ${used(t)}`,
      picture: "person",
      act: () => openSettings("Tokens"),
    })),
  ];
}

function times(words) {
  const read = words && parseRange(words);
  const entry = (name, /** @type {{relative?: string, from?: number, to?: number}} */ { relative, from, to }) => ({
    name: `Range: ${name}`,
    hint: "time",
    picture: "caret",
    act: () => (relative ? setRelative(relative) : setAbsolute(from, to)),
  });
  if (read) return [entry(words, read)];
  return TIMES.filter((t) => t.startsWith(words)).flatMap((t) => (parseRange(t) ? [entry(t, parseRange(t))] : []));
}

/** Those whose name has the letters typed, best first; what was taken lately counts as closer. */
function matching(list, q) {
  const lately = recentIds();
  return list
    .map((e) => [fuzzy(e.name, q), e])
    .filter(([cost]) => cost !== null)
    .map(([cost, e]) => [cost - (lately.includes(e.id) ? 4 : 0), e])
    .sort((a, b) => a[0] - b[0])
    .map(([, e]) => e);
}

function entries() {
  const typed = text.trim();
  const rest = typed.slice(1).trim();
  if (!pick) {
    if (typed.startsWith(":")) return times(rest);
    if (typed.startsWith(">")) return matching(actions, rest);
    if (typed.startsWith("@")) return matching(persons(), rest);
  }
  const recent = within ? [] : recentObjects().map(objectEntry);
  if (!typed && !within) {
    if (pick) return recent;
    const all = [...recent, ...pages(), ...settings(), ...actions];
    const lately = recentIds()
      .flatMap((id) => all.find((e) => e.id === id) ?? [])
      .slice(0, 6);
    return [...lately, ...[...recent, ...pages(), ...actions].filter((e) => !lately.includes(e))];
  }
  // Until the answer to what is typed is there, that to what was typed before serves as far as it fits.
  const read = (objects.data?.items ?? [])
    .filter((o) => objects.data.q === typed || fuzzy(o.name, typed) !== null)
    .map(objectEntry);
  const again = matching(recent, typed).map((e) => read.find((r) => r.id === e.id) ?? e);
  const found = [...again, ...read.filter((e) => !again.some((a) => a.id === e.id))];
  if (pick) return found;
  const raised = alerts.data?.q === typed ? alerts.data.items.map(alertEntry) : [];
  const peers =
    outliers.data?.q === typed
      ? [...outliers.data.groups.map(groupEntry), ...outliers.data.events.map(eventEntry)]
      : [];
  // A number such as A-1042 is an alert, O-17 an outlier event.
  if (/^[ao]-\d+$/i.test(typed)) return [...raised, ...peers, ...found];
  return [
    ...matching(pages(), typed).slice(0, 4),
    ...found,
    ...peers,
    ...raised,
    ...matching(settings(), typed).slice(0, 4),
    ...matching(
      helps().filter((h) => h.name.toLowerCase().includes(typed.toLowerCase().replace(/^help\b\s*/, ""))),
      typed.replace(/^help\b\s*/i, ""),
    ).slice(0, 6),
    ...matching(actions, typed).slice(0, 4),
  ];
}

function take(entry) {
  remember(entry);
  closeLayer();
  entry.act();
  redraw();
}

function key(event) {
  const list = entries();
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) {
    event.preventDefault();
    chosen = (chosen + move + list.length) % Math.max(1, list.length);
    redraw();
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.getElementById(`palette-${chosen}`)?.scrollIntoView({ block: "nearest" })),
    );
  } else if (event.key === "Enter" && list[chosen]) {
    event.preventDefault();
    take(list[chosen]);
  }
}

function typed(event) {
  text = event.target.value;
  chosen = 0;
  if (!pick && text.trim().startsWith("@") && may("admin")) people.want(opened);
  if (!pick && text.trim().length > 1) contents.want(0);
  search(pick ? text.trim() : text.trim().replace(/^[>:@].*/, ""));
  redraw();
}

function view() {
  const list = entries();
  return html`<input
      class="field big"
      autofocus
      placeholder=${pick ? "Find an object" : "Objects, alerts, pages, settings, actions.  > actions  @ people  : time"}
      aria-label="Search"
      role="combobox"
      aria-expanded="true"
      aria-controls="palette-list"
      aria-activedescendant=${list.length ? `palette-${chosen}` : nothing}
      .value=${live(text)}
      @input=${typed}
      @keydown=${key}
    />
    <ul class="menu" id="palette-list" role="listbox" aria-label="Matches">
      ${repeat(
        list,
        (e, i) => `${i}${e.name}`,
        (e, i) =>
          html`<li role="option" id=${`palette-${i}`} aria-selected=${i === chosen} @click=${() => take(e)}>
            <span class="opt"
              >${e.severity
                ? severityShape(e.severity === "closed" ? null : e.severity)
                : e.state
                  ? stateShape(e.state)
                  : icon(e.picture, 13)}<span class="cut">${e.name}</span><span class="sp"></span
              ><span class="m cut">${e.hint}</span></span
            >
          </li>`,
      )}
      ${list.length ? nothing : html`<li class="pad m">${silence()}</li>`}
    </ul>
    ${!pick && text.trim().startsWith("@") && !may("admin")
      ? html`<div class="pad m s12">Who else has access is shown to the role admin.</div>`
      : nothing}`;
}

/** Why nothing is listed. */
function silence() {
  const typed = text.trim();
  if (!typed && !within) return "Type to search names, ids, tags and properties, or the number of an alert.";
  if (!pick && typed.startsWith(":")) return "A time such as 3h, 14 Mar 10:00 to 12:30 or yesterday 9-11.";
  const asked = !pick && typed.startsWith("@") ? people : objects;
  if (asked.loading) return "Searching";
  return asked.error ? asked.error.message : "Nothing matches.";
}
