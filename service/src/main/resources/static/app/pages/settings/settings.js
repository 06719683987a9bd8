// Settings: maintenance windows, custom groups, tokens, sessions, retention, guards, appearance, and what this
// installation is.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { bytes } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { keep, kept } from "../../core/store.js";
import { may } from "../../core/session.js";
import { ticking } from "../../core/ticking.js";
import { clock, lastTick, moment, zone } from "../../core/time.js";
import { href } from "../../core/url.js";
import { browserZone, isZone, setZone, ZONES } from "../../core/zone.js";
import { links as linksLoad, linksLine } from "../../parts/links-line.js";
import { loaded, pane } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { SettingsForm } from "./form.js";
import { groupsPane, maintenancePane, rulesOpened, wantRules } from "./rules.js";
import { sessionsPane } from "./sessions.js";
import { tokensPane } from "./tokens.js";

let otherZone = false;
/** Which of the three ways to choose a zone is taken. */
const zoneChoice = () =>
  otherZone || !["UTC", null].includes(kept("zone", null)) ? "other" : (kept("zone", null) ?? "browser");
function chooseZone(way) {
  otherZone = way === "other";
  if (way !== "other") setZone(way === "UTC" ? "UTC" : null);
  redraw();
}

const DURATION = /^[1-9][0-9]{0,5}[hd]$/;
const whole = (value) => (/^\d+$/.test(value) ? Number(value) : value);

const retention = new SettingsForm({
  path: "/settings/retention",
  title: "Retention",
  note: "how long each level is kept; empty means for ever",
  empty: "for ever",
  fields: [
    { name: "raw", label: "Raw samples", hint: "14d" },
    { name: "rollup5m", label: "Roll-ups of 5 min", hint: "90d" },
    { name: "rollup1h", label: "Roll-ups of 1 h", hint: "730d" },
  ],
  read: (value) => (value === "" ? null : value),
  check: (value) => (value === null || DURATION.test(value) ? null : "A whole number and h or d, such as 14d."),
  effect(before, after) {
    const shorter = Object.keys(after).filter((k) => hours(after[k]) < hours(before[k]));
    return shorter.length ? "A shorter time deletes data when retention next runs. This cannot be undone." : null;
  },
});
const hours = (text) => (text === null ? Infinity : Number.parseInt(text, 10) * (text.endsWith("d") ? 24 : 1));

const guards = new SettingsForm({
  path: "/settings/ingest-guards",
  title: "Guards",
  note: "limits on what ingest accepts; nodes follow within a minute",
  fields: [
    { name: "newObjectsPerMinute", label: "New objects per minute and node", hint: "10000" },
    { name: "newMetricNamesPerMinute", label: "New metric names per minute and node", hint: "1000" },
    { name: "newSetsPerMinute", label: "New metric sets per minute and node", hint: "20000" },
    { name: "maxFuture", label: "Ahead of the clock, at most", hint: "10m" },
    { name: "maxRecordBytes", label: "Largest record in bytes", hint: "1048576" },
  ],
  read: whole,
  check: (value, name) =>
    name === "maxFuture"
      ? /^[1-9][0-9]{0,5}[smhd]$/.test(value)
        ? null
        : "A whole number and s, m, h or d, such as 10m."
      : Number.isInteger(value) && value > 0
        ? null
        : "A whole number above 0.",
  effect: () => null,
});

const links = new SettingsForm({
  path: "/settings/notifications",
  load: linksLoad,
  title: "Links in notifications",
  note: "the address under which people reach these pages; empty: as configured",
  fields: [{ name: "url", label: "Address", hint: location.origin }],
  read: (value) => (value === "" ? null : value),
  check: (value) =>
    value === null || /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/.test(value)
      ? null
      : "http or https, a host, and a path if there is one, such as https://peerlens.example.com.",
  effect: () => null,
});

const about = new Load((_tick, signal) => get("/status", {}, signal));

export function page() {
  rulesOpened();
  return settings;
}

const settings = {
  title: "Settings",
  name: "settings",
  timed: false,
  update() {
    retention.load();
    guards.load();
    links.load();
    about.want(lastTick());
    wantRules();
  },
  view: () =>
    html`<div class="top">
        <h1>Settings</h1>
        ${may("admin")
          ? html`<span class="sp"></span><a class="ctl" href=${href("/settings/audit")}>Audit log</a>`
          : nothing}
      </div>
      ${linksLine()}
      <div class="cols">
        <div class="col">${maintenancePane()} ${groupsPane()} ${tokensPane()} ${sessionsPane()}</div>
        <div class="col">${retention.view()} ${guards.view()} ${links.view()} ${appearance()} ${aboutPane()}</div>
      </div>`,
};

function appearance() {
  const set = (key) => (value) => {
    keep(key, value);
    redraw();
  };
  return pane({
    title: "Appearance",
    note: "kept in this browser",
    body: html`<div class="form">
      <div class="row">
        <span class="i2 label">Theme</span>
        ${segments(
          peerlensTheme.choice,
          [
            ["light", "Light"],
            ["dark", "Dark"],
            ["system", "As the system"],
          ],
          (v) => ((peerlensTheme.choice = v), redraw()),
          "Theme",
        )}
        <kbd>D</kbd>
      </div>
      <div class="row">
        <span class="i2 label">Single keys</span>
        ${segments(
          kept("singleKeys", true),
          [
            [true, "On"],
            [false, "Off"],
          ],
          set("singleKeys"),
          "Single keys",
        )}
        <span class="m s12">Ctrl K and ? always act</span>
      </div>
      <div class="row">
        <span class="i2 label">Row height</span>
        ${segments(
          kept("rows", "dense"),
          [
            ["dense", "28 px"],
            ["comfy", "36 px"],
          ],
          (v) => {
            keep("rows", v);
            peerlensTheme.rows();
            redraw();
          },
          "Row height",
        )}
      </div>
      <div class="row wrap">
        <span class="i2 label">Time zone</span>
        ${segments(
          zoneChoice(),
          [
            ["browser", `Of this browser, ${browserZone()}`],
            ["UTC", "UTC"],
            ["other", "Another"],
          ],
          chooseZone,
          "Time zone",
        )}
        ${zoneChoice() === "other"
          ? html`<input
                class="field"
                list="zones"
                aria-label="Time zone"
                autocomplete="off"
                placeholder="Europe/Berlin"
                .value=${kept("zone", "")}
                aria-invalid=${kept("zone", "") && isZone(kept("zone", "")) ? "false" : "true"}
                @change=${(e) => isZone(e.target.value.trim()) && (setZone(e.target.value.trim()), redraw())}
              /><datalist id="zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>`
          : nothing}
        <span class="m s12"
          >It is ${ticking(() => clock(Date.now()))} ${zone()}; mails, messages and the API say UTC</span
        >
      </div>
    </div>`,
  });
}

function database({ edition, postgresqlVersion, timescaledbVersion }) {
  const postgres = `PostgreSQL ${postgresqlVersion}`;
  if (edition === "postgresql") return `${postgres}, without TimescaleDB`;
  return `TimescaleDB ${timescaledbVersion}, ${edition === "timescaledb-apache" ? "Apache-2" : "community"} edition, on ${postgres}`;
}

function aboutPane() {
  return pane({
    title: "About",
    body: loaded(
      about,
      (s) =>
        html`<dl class="props about">
          <dt>Version</dt>
          <dd>${s.version}</dd>
          <dt>Node</dt>
          <dd>${s.node}, up since ${moment(Date.parse(s.startedAt))}</dd>
          <dt>Roles</dt>
          <dd>${s.roles.join(", ")}</dd>
          <dt>Edition</dt>
          <dd>${s.standalone ? "standalone: database and broker run with it" : "service"}</dd>
          <dt>Database</dt>
          <dd>${database(s.database)}</dd>
          <dt>Size</dt>
          <dd>${bytes(s.database.sizeBytes)}${s.database.columnstore ? ", old samples compressed" : nothing}</dd>
          <dt>Clock</dt>
          <dd>${moment(Date.parse(s.time), true)}</dd>
          <dt>Licence</dt>
          <dd>Apache-2.0</dd>
          <dt>Components</dt>
          <dd><a class="link" href="/ui-kit">shown in both themes</a></dd>
        </dl>`,
      { rows: 6 },
    ),
  });
}
