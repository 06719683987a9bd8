// A wall that shows the dashboards of a playlist in turn, for a screen that nobody touches.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion, readAlerts, stream } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { metricName } from "../../core/metrics.js";
import { against, found, rank, SEVERITIES, titleOf } from "../../core/severity.js";
import { dataAge, isStale } from "../../core/status.js";
import { ticking } from "../../core/ticking.js";
import { clock, duration, HOUR, lastTick, moment } from "../../core/time.js";
import { back } from "../../core/url.js";
import { wall } from "../../core/zone.js";
import { pairView } from "../../frame/pairing.js";
import { StoredPanels, given } from "../../panels/stored.js";
import { HALF, partsOf, ROOM, WALL } from "../../panels/wall-parts.js";
import { millis } from "../../panels/words.js";
import { severityShape } from "../../parts/shapes.js";
import { ownSymptom } from "../incidents/words.js";
import { WallLine } from "./line.js";
import { interruption, isDim, partAt, turnAt } from "./turns.js";

const LOOK = 250;
const LIST_EVERY = 60_000;
const USUAL = 60_000;
const AHEAD = 8_000;
const MOST_ALERTS = 50;
/** So much of the past the line of an alert shows. */
const BEFORE = 6 * HOUR;
/** What stands around the dashboard is drawn as at 1080p. */
const FULL = { width: 1920, height: 1080 };
/** How much larger than that this screen is; never smaller. */
const larger = ({ width, height }) => Math.max(1, Math.min(innerWidth / width, innerHeight / height));
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const named = (address) => {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

/** Tells screens apart whose panels are asked for other things. */
const keyOf = (screen) => `${screen.dashboard.id}:${JSON.stringify(given(screen.values))}`;

export function page(address) {
  const wanted = named(address);
  const playlist = new Load(async (_round, signal) =>
    UUID.test(wanted)
      ? { id: wanted }
      : ((await get("/playlists", { name: wanted, limit: 1 }, signal)).items[0] ?? { id: null }),
  );
  const list = new Load((id, _round, signal) => get(`/playlists/${id}/screens`, {}, signal));
  const alerts = new Load((severities, _version, signal) =>
    readAlerts({ severity: severities, controlState: ["open"], limit: MOST_ALERTS }, signal),
  );
  const dashboards = new Map();
  const panels = new StoredPanels();
  /** Since when each alert is known here. */
  const seen = new Map();
  /** Lines of the alerts that have taken the screen, by id. */
  const lines = new Map();
  let first = true;
  let shown = "";
  let of = null;

  const screens = () => list.data?.screens ?? [];
  const definitionOf = (id) => dashboards.get(id)?.data?.definition ?? null;

  /** What interrupts now; null for nothing. */
  function interrupting() {
    const items = alerts.data?.items ?? [];
    return list.data?.interruptAt ? interruption(items, seen, Date.now()) : null;
  }

  /** What of a screen is shown: all of its dashboard, or one part of it; null while that is not known. */
  function part(turn, half) {
    const screen = screens()[turn.index];
    const definition = definitionOf(screen.dashboard.id);
    if (!definition) return null;
    const parts = partsOf(definition.layout, half ? HALF : ROOM.height);
    const at = partAt(parts.length, screen.staySeconds * 1000, turn.left);
    return { ...parts[at], at, of: parts.length };
  }

  /** Reads what the alert that has the screen is about. */
  function readLine(stop) {
    for (const id of lines.keys()) if (id !== stop?.alert.id) lines.delete(id);
    if (!stop) return;
    if (!lines.has(stop.alert.id)) lines.set(stop.alert.id, new WallLine());
    const to = Math.floor(lastTick() / 60_000) * 60_000;
    lines.get(stop.alert.id).want(ownSymptom(stop.alert), to - BEFORE, to);
  }

  function noteAlerts() {
    if (!alerts.data || of === alerts.data) return;
    of = alerts.data;
    const now = new Set(alerts.data.items.map((a) => a.id));
    // What was there before the wall was has had its minute, unless it is that new.
    for (const a of alerts.data.items) if (!seen.has(a.id)) seen.set(a.id, first ? Date.parse(a.openedAt) : Date.now());
    for (const id of seen.keys()) if (!now.has(id)) seen.delete(id);
    alerts.data.items.sort((a, b) => rank(b.severity) - rank(a.severity) || b.openedAt.localeCompare(a.openedAt));
    first = false;
  }

  /** Asks for the panels of a screen. */
  function ask(screen) {
    const { id } = screen.dashboard;
    if (!dashboards.has(id)) dashboards.set(id, new Load((_version, signal) => get(`/dashboards/${id}`, {}, signal)));
    dashboards.get(id).want(list.data.version);
    const definition = definitionOf(id);
    if (!definition) return;
    const every = Math.max(5_000, millis(definition.refresh) || USUAL);
    panels.ask({
      key: keyOf(screen),
      dashboard: id,
      definition,
      // All walls ask in the same rounds, and share what the first of them was answered.
      body: {
        variables: given(screen.values),
        maxAge: `${Math.min(90, Math.max(3, Math.round(every / 1000) - 2))}s`,
        points: 300,
      },
      round: Math.floor(Date.now() / every),
    });
  }

  function read() {
    const minute = Math.floor(Date.now() / LIST_EVERY);
    playlist.want(minute);
    const id = playlist.data?.id;
    if (!id) return;
    list.want(id, minute);
    if (!list.data) return;
    const least = list.data.interruptAt;
    if (least) {
      alerts.want(
        SEVERITIES.filter((s) => rank(s) >= rank(least)),
        alertVersion(),
      );
      noteAlerts();
    }
    readLine(interrupting());
    const turn = turnAt(screens(), Date.now());
    if (!turn) return;
    panels.keep(screens().map(keyOf));
    ask(screens()[turn.index]);
    if (turn.left < AHEAD) ask(screens()[(turn.index + 1) % screens().length]);
  }

  /** Draws anew when it is another's turn, or time to read again. */
  const timer = setInterval(() => {
    const turn = turnAt(screens(), Date.now());
    const stop = interrupting();
    const now = [
      turn?.index,
      turn && part(turn, stop)?.at,
      turn && turn.left < AHEAD,
      stop?.alert.id,
      stop?.whole,
      Math.floor(Date.now() / 5_000),
    ].join();
    if (now === shown) return;
    shown = now;
    redraw();
  }, LOOK);
  addEventListener("resize", redraw);

  function lostLine(screen) {
    const since = list.error && list.data ? list.at : screen ? panels.lost(keyOf(screen)) : null;
    if (since)
      return html`<div class="wall-lost" role="alert">
        No answer from the server; this is from ${moment(since)}. It is tried again.
      </div>`;
    return isStale()
      ? html`<div class="wall-lost" role="alert">No data for ${ticking(() => duration(dataAge()))}.</div>`
      : nothing;
  }

  function alertView({ alert, others, whole }) {
    const symptom = ownSymptom(alert);
    const line = lines.get(alert.id);
    const drawn = line?.has(symptom);
    const isAbout = symptom.key && (symptom.value !== null || symptom.text);
    return html`<div
      class="wall-alert ${alert.severity} ${whole ? "whole" : "half"} ${drawn ? "" : "plain"}"
      role="alert"
    >
      <div class="wall-alert-words">
        <span class="row top-line"
          >${severityShape(alert.severity, whole ? 60 : 40)}<span class="wall-alert-name cut"
            >${alert.object?.name ?? ""}</span
          ><span class="sp"></span
          ><span class="wall-big nw">for ${ticking(() => duration(Date.now() - Date.parse(alert.since)))}</span></span
        >
        <span class="wall-alert-title">${titleOf(alert)}</span>
        ${isAbout
          ? html`<span class="row wall-alert-figures"
              ><span class="wall-alert-value nw">${found(symptom, symptom.unit, symptom.key)}</span
              ><span
                >${metricName(symptom.key)}
                <b class="nw">${against(symptom, symptom.operator, symptom.unit, symptom.key)}</b></span
              ></span
            >`
          : nothing}
        <span class="wall-alert-text">${alert.explanation?.text ?? ""}</span>
        <span class="wall-sub"
          >A-${alert.number}, not acknowledged${others ? `; and ${plural(others, "other alert")}` : ""}</span
        >
      </div>
      ${drawn ? line.view(symptom, Date.parse(alert.since)) : nothing}
    </div>`;
  }

  function order(turn) {
    const all = screens();
    if (!turn || all.length < 2) return nothing;
    const next = all[(turn.index + 1) % all.length];
    return html`<span class="wall-turns" aria-hidden="true"
        >${all.map((_, i) => html`<i class=${i === turn.index ? "on" : ""}></i>`)}</span
      ><span class="m">${turn.index + 1} of ${all.length}</span><span class="sp"></span
      ><span class="m cut"
        >${next.title} ${ticking(() => `in ${Math.ceil((turnAt(screens(), Date.now())?.left ?? 0) / 1000)} s`)}</span
      >`;
  }

  const words = (text) => html`<div class="wall"><span class="wall-big">${text}</span></div>`;

  function body(screen, shown) {
    const load = dashboards.get(screen.dashboard.id);
    const definition = definitionOf(screen.dashboard.id);
    if (!definition || !shown)
      return html`<div class="dash on-wall" aria-busy=${!load?.error}>
        ${load?.error ? html`<span class="wall-sub">${load.error.message}</span>` : nothing}
      </div>`;
    return html`<div class="dash on-wall" .style=${`zoom:${(larger(WALL) / larger(FULL)).toFixed(3)}`}>
      ${panels.view({ key: keyOf(screen), definition, values: screen.values, part: shown })}
    </div>`;
  }

  return {
    get title() {
      return list.data?.name ?? "Wall";
    },
    name: "wall",
    bare: true,
    signIn: pairView,
    timed: false,
    update: read,
    leave() {
      clearInterval(timer);
      removeEventListener("resize", redraw);
    },
    escape: () => back("/walls"),
    keys: () => ({
      W: [() => back("/walls"), "Leave the wall"],
      F: [
        () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
        "Full screen",
      ],
    }),
    view() {
      read();
      if (playlist.data && !playlist.data.id) return words(`There is no playlist "${wanted}"`);
      if (list.error && !list.data) return words(list.error.message);
      if (!list.data) return words("\u00a0");
      const turn = turnAt(screens(), Date.now());
      const screen = turn ? screens()[turn.index] : null;
      const stop = interrupting();
      const shown = turn ? part(turn, stop) : null;
      return html`<div
        class="wall turning ${isDim(list.data.dim, wall(Date.now())) ? "night" : ""}"
        .style=${`zoom:${larger(FULL).toFixed(3)}`}
      >
        ${lostLine(screen)} ${stop ? alertView(stop) : nothing}
        ${stop?.whole
          ? nothing
          : screen
            ? html`<div class="row wall-head">
                  <span class="wall-big cut">${screen.title}</span>${shown && shown.of > 1
                    ? html`<span class="wall-sub nw">part ${shown.at + 1} of ${shown.of}</span>`
                    : nothing}<span class="sp"></span
                  ><span class="wall-age row"
                    ><i class=${stream.live && !isStale() ? "" : "off"}></i>${dataAge() === null
                      ? "no data yet"
                      : ticking(() => `data ${duration(dataAge())} old`)}</span
                  ><span class="wall-big">${ticking(() => clock(Date.now()))}</span>
                </div>
                ${body(screen, shown)}`
            : html`<span class="wall-big">Nothing of this playlist can be shown</span>
                <span class="wall-sub">${list.data.issues[0] ? list.data.issues[0].reason : ""}</span>`}
        <div class="row wall-foot">
          ${order(turn)}${list.data.issues.length && screen
            ? html`<span class="m nw">${plural(list.data.issues.length, "problem")} in the playlist</span>`
            : nothing}
        </div>
      </div>`;
    },
  };
}
