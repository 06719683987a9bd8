// The wall: deviants first as large tiles, then what is split or unknown, then what is alike, for a screen that nobody
// touches.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion, stream } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { byState, deviantsOf, OPEN_EVENTS, readPages, stateWord } from "../../core/outliers.js";
import { isNetwork } from "../../core/metrics.js";
import { rank, SEVERITIES } from "../../core/severity.js";
import { dataAge, isStale, summary } from "../../core/status.js";
import { keep, kept } from "../../core/store.js";
import { ticking } from "../../core/ticking.js";
import { clock, duration, HOUR, lastTick, moment } from "../../core/time.js";
import { back, href } from "../../core/url.js";
import { wall } from "../../core/zone.js";
import { pairView } from "../../frame/pairing.js";
import { deviantToken, strip } from "../../parts/peers.js";
import { mark, severityShape, shape } from "../../parts/shapes.js";
import { nearbyText } from "../outliers/chart.js";
import { EventLines } from "../outliers/lines.js";
import { stripOf } from "../outliers/groups.js";
import { lowered, nameOf, propertyText, rangeText, valueText } from "../outliers/words.js";
import { WallIncidents } from "./incidents.js";
import "../../chart/group-chart.js";

const TURN = 20_000;
const SHIFT = 600_000;
const FADE = 600;
const LARGE = 6;
/** So many incidents have a tile with a chart. */
const INCIDENTS = 3;
/** Beside incidents so many outliers have one. */
const BESIDE = 2;
const WINDOW = 6 * HOUR;
const NIGHT = { from: 22, to: 6 };
const POINTS = 150;

const isNight = (hour) => hour >= NIGHT.from || hour < NIGHT.to;

export function page() {
  const groups = new Load((_tick, _version, signal) => readPages("/outlier-groups", { enabled: true }, signal));
  const open = new Load((_version, signal) =>
    readPages("/outlier-events", { state: OPEN_EVENTS, archived: false }, signal),
  );
  const incidents = new WallIncidents();
  const lines = new EventLines({ points: POINTS, members: 40 });
  // Of each deviant what changed near it, and its chart.
  const near = new Map();
  let known = null;
  const fresh = new Map();
  const began = performance.now();
  let perPage = 24;
  const timer = setInterval(redraw, TURN);
  addEventListener("resize", measure);

  const sorted = () =>
    (open.data?.items ?? []).toSorted(
      (a, b) =>
        rank(b.severity) - rank(a.severity) ||
        Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) ||
        a.since.localeCompare(b.since),
    );

  /** How many incidents and how many outliers have large tiles. */
  function tiles() {
    const n = Math.min(INCIDENTS, incidents.items.length);
    return { incidents: n, outliers: n ? Math.min(BESIDE, LARGE - n) : LARGE };
  }

  function read() {
    groups.want(lastTick(), alertVersion());
    open.want(alertVersion());
    incidents.want(INCIDENTS, WINDOW);
    if (!open.data) return;
    const now = new Set(open.data.items.map((e) => e.id));
    if (known) for (const id of now) if (!known.has(id)) announce(id);
    known = now;
    const to = Math.floor(lastTick() / 60_000) * 60_000;
    const shown = sorted().slice(0, tiles().outliers);
    lines.want(shown, to - WINDOW, to);
    for (const e of shown) {
      if (!near.has(e.id))
        near.set(e.id, {
          details: new Load((_since, signal) => get(`/outlier-events/${e.id}`, {}, signal)),
          spec: null,
          of: null,
        });
      near.get(e.id).details.want(e.since);
    }
    for (const id of near.keys()) if (!now.has(id)) near.delete(id);
  }

  /** A new deviant fades in once, and is heard where somebody asked for that. */
  function announce(id) {
    fresh.set(id, performance.now());
    setTimeout(redraw, FADE);
    if (!kept("wall.sound", false)) return;
    const audio = new AudioContext();
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.12, audio.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.5);
    tone.connect(volume).connect(audio.destination);
    tone.start();
    tone.stop(audio.currentTime + 0.5);
    tone.onended = () => audio.close();
  }

  function chart(e) {
    const l = near.get(e.id);
    const found = lines.of(e);
    if (!l || !found) return html`<div class="wall-chart"></div>`;
    const { data, metric } = found;
    if (l.of !== found) {
      l.of = found;
      l.spec = {
        unit: metric.unit,
        network: isNetwork(metric.key),
        log: metric.log,
        tight: true,
        from: data.from,
        to: data.to,
        times: data.times,
        stepMillis: data.stepMillis,
        centre: metric.centre,
        lower: metric.lower,
        upper: metric.upper,
        judged: data.judged,
        members: metric.members.map((m) => ({
          id: m.objectId,
          name: "",
          values: m.values,
          scores: m.scores,
          token: m.objectId === e.object?.id ? "--deviant-1" : null,
        })),
        events: [],
        flags: [],
        opensAt: data.opensAt,
        closesBelow: data.closesBelow,
        lane: false,
        margin: false,
        wall: true,
        words: e.explanation.text,
      };
    }
    return html`<div class="wall-chart"><group-chart .spec=${l.spec}></group-chart></div>`;
  }

  /** The likely cause in one line: what changed shortly before, else what sets it apart best. */
  function cause(e) {
    const data = near.get(e.id)?.details.data;
    if (!data) return "\u00a0";
    const change = data.changes.find((c) => c.secondsBefore >= 0);
    if (change) return `${nearbyText(change, e.object?.id)} at ${clock(Date.parse(change.time))}`;
    const [trait] = data.apart;
    return trait
      ? `${trait.name} ${trait.value ?? "none"}${trait.common ? `, peers ${trait.common}` : ""}`
      : "nothing known sets it apart";
  }

  function large(e) {
    const m = e.metrics[0];
    const [property] = e.properties;
    const x = e.explanation;
    const group = groups.data?.items.find((g) => g.id === e.group.id);
    const shown = group?.now.metrics.find((n) => n.key === m?.key) ?? null;
    const arrived = fresh.get(e.id);
    const since = ticking(() => duration(Date.now() - Date.parse(e.since)));
    return html`<a
      class="wall-tile ${e.severity} ${arrived && performance.now() - arrived < FADE ? "fading" : ""}"
      href=${href(`/outliers/${e.group.id}`, { event: e.id })}
    >
      <span class="row top-line"
        >${e.state === "unknown" ? shape("unknown", 26) : severityShape(e.severity, 26)}<span class="wall-name cut"
          >${e.object?.name ?? e.group.name}</span
        ><span class="sp"></span><span class="wall-m nw since">for ${since}</span></span
      >
      <span class="wall-m cut"
        ><span class="since-here">for ${since}, </span>${e.object ? `${e.group.name}, ` : "the whole group, "}${m
          ? lowered(nameOf(m))
          : property
            ? lowered(property.name)
            : ""}</span
      >
      <span class="row base"
        ><span class="wall-value nw">${m ? valueText(m.value, m) : property ? propertyText(property.value) : "-"}</span
        ><span class="sp"></span
        ><span class="wall-peers cut"
          >${property
            ? `peers ${propertyText(property.common)}`
            : x.peersLow === null
              ? ""
              : `peers ${rangeText(x.peersLow, x.peersHigh, x)}`}</span
        ></span
      >
      ${chart(e)}
      <span class="wall-strip"
        >${shown
          ? strip(
              {
                ticks: shown.ticks,
                centre: shown.centre,
                lower: shown.lower,
                upper: shown.upper,
                bands: shown.bands,
                count: shown.judged,
                deviants: shown.deviants.map((d, i) => ({
                  value: d.value,
                  token: d.event === e.id ? "--deviant-1" : deviantToken(i + 1, shown.deviants.length),
                })),
              },
              { width: 414, height: 34 },
            )
          : nothing}</span
      >
      <span class="wall-why cut">${cause(e)}</span></a
    >`;
  }

  const small = (e) =>
    html`<a class="wall-small ${e.severity}" href=${href(`/outliers/${e.group.id}`, { event: e.id })}
      ><span class="row"
        >${severityShape(e.severity, 18)}<b class="cut">${e.object?.name ?? e.group.name}</b><span class="sp"></span
        ><span class="wall-value low nw"
          >${e.metrics[0]
            ? valueText(e.metrics[0].value, e.metrics[0])
            : e.properties[0]
              ? propertyText(e.properties[0].value)
              : ""}</span
        ></span
      ><span class="m cut">${e.group.name}, for ${ticking(() => duration(Date.now() - Date.parse(e.since)))}</span></a
    >`;

  const tile = (g) =>
    html`<a class="wall-group ${g.now.state}" href=${href(`/outliers/${g.id}`)}
      ><span class="row"
        ><span class="cut">${g.name}</span><span class="sp"></span
        ><span class="nw"
          >${g.now.state === "split"
            ? `split ${
                g.now.metrics
                  .find((m) => m.bands.length)
                  ?.bands.map((b) => b.members)
                  .join(" : ") ?? ""
              }`
            : g.now.state === "alike"
              ? count(g.now.judged)
              : html`<span class="row">${shape("unknown", 14, "")}${stateWord(g.now.state)}</span>`}</span
        ></span
      >
      ${stripOf(g.now.metrics.find((m) => m.bands.length) ?? g.now.metrics[0] ?? null, {
        width: 200,
        height: 22,
      })}</a
    >`;

  /** How many tiles of groups there is room for, once the rest is drawn. */
  function measure() {
    const box = document.querySelector(".wall-groups");
    if (!box) return;
    const before = perPage;
    const columns = Math.max(1, Math.floor((box.clientWidth + 8) / (innerWidth < 1800 ? 208 : 298)));
    perPage = Math.max(
      columns,
      columns * Math.max(1, Math.floor((box.clientHeight + 8) / (innerWidth < 1800 ? 80 : 94))),
    );
    if (perPage !== before) redraw();
  }

  function headline(out) {
    const all = groups.data?.items ?? [];
    const judged = all.reduce((n, g) => n + g.now.judged, 0);
    const members = new Set(open.data?.items.map((e) => e.object?.id).filter(Boolean));
    if (!groups.data || !open.data) return html`<span class="wall-big">&nbsp;</span>`;
    if (!all.length) return html`<span class="wall-big">No group is compared yet</span>`;
    const others = [
      incidents.items.length ? plural(incidents.items.length, "incident") : "",
      incidents.alone.length ? plural(incidents.alone.length, "other alert") : "",
    ];
    const groupEvents = out.filter((e) => !e.object).length;
    if (others.some(Boolean)) {
      const differ = members.size
        ? `${count(members.size)} ${members.size === 1 ? "differs" : "differ"}`
        : groupEvents
          ? `${plural(groupEvents, "group")} moved`
          : "";
      return html`<span class="wall-big">${[others[0], differ, others[1]].filter(Boolean).join(", ")}</span>`;
    }
    if (!out.length)
      return html`<span class="wall-big">All alike</span
        ><span class="wall-sub">${plural(judged, "member")} of ${plural(all.length, "group")}</span>`;
    return html`<span class="wall-big"
        >${members.size
          ? `${count(members.size)} ${members.size === 1 ? "differs" : "differ"}`
          : `${plural(groupEvents, "group")} moved`}</span
      ><span class="wall-sub"
        >${count(Math.max(0, judged - members.size))} alike in ${plural(all.length, "group")}</span
      >`;
  }

  return {
    title: "Wall",
    name: "wall",
    bare: true,
    signIn: pairView,
    timed: false,
    update: read,
    leave() {
      clearInterval(timer);
      removeEventListener("resize", measure);
    },
    escape: () => back("/outliers"),
    keys: () => ({
      W: [() => back("/outliers"), "Leave the wall"],
      S: [
        () => {
          keep("wall.sound", kept("wall.sound", false) ? null : true);
          redraw();
        },
        "Sound on new deviants",
      ],
      N: [
        () => {
          keep("wall.night", kept("wall.night", true) ? false : null);
          redraw();
        },
        "Dim from 22 to 6 o'clock",
      ],
      F: [
        () => (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen()),
        "Full screen",
      ],
    }),
    view() {
      read();
      requestAnimationFrame(measure);
      const out = sorted();
      const sizes = tiles();
      const shownLarge = out.slice(0, sizes.outliers);
      const rest = out.slice(sizes.outliers);
      const first = incidents.items.slice(0, sizes.incidents);
      const tilesShown = first.length + shownLarge.length;
      const all = (groups.data?.items ?? []).toSorted(byState);
      const odd = all.filter((g) => !deviantsOf(g).length && g.now.state !== "alike" && g.now.state !== "deviants");
      const alike = all.filter((g) => !deviantsOf(g).length && g.now.state === "alike");
      const room = Math.max(1, perPage - odd.length);
      const pages = Math.max(1, Math.ceil(alike.length / room));
      const ran = performance.now() - began;
      const at = Math.floor(ran / TURN) % pages;
      const shown = alike.slice(at * room, (at + 1) * room);
      const age = dataAge();
      const counts = Object.fromEntries((summary.data?.openAlerts ?? []).map((i) => [i.severity, i.count]));
      const pixel = Math.floor(ran / SHIFT) % 4;
      const lost = (groups.error && groups.data) || (open.error && open.data);
      return html`<div
        class="wall ${kept("wall.night", true) && isNight(wall(Date.now()).hour) ? "night" : ""}"
        .style=${`transform:translate(${pixel % 2}px,${pixel > 1 ? 1 : 0}px)`}
      >
        ${lost
          ? html`<div class="wall-lost" role="alert">
              No answer from the server; this is from ${moment(Math.min(groups.at, open.at))}. It is tried again.
            </div>`
          : isStale()
            ? html`<div class="wall-lost" role="alert">No new data for ${ticking(() => duration(dataAge()))}.</div>`
            : nothing}
        <div class="row wall-head">
          <span class="wall-mark">${mark(out.length > 0 || incidents.items.length > 0)}</span>
          ${headline(out)}
          <span class="sp"></span>
          <span class="wall-age row"
            ><i class=${stream.live && !isStale() ? "" : "off"}></i>${age === null
              ? "no data yet"
              : ticking(() => `data ${duration(dataAge())} old`)}</span
          >
          <span class="wall-big">${ticking(() => clock(Date.now()))}</span>
        </div>
        ${tilesShown
          ? html`<div
              class="wall-out n${Math.min(LARGE, tilesShown)} ${first.length === 1 && shownLarge.length ? "lead" : ""}"
            >
              ${repeat(
                first,
                (i) => i.number,
                (i) => incidents.tile(i),
              )}${repeat(shownLarge, (e) => e.id, large)}
            </div>`
          : nothing}
        ${rest.length || incidents.items.length > first.length || incidents.alone.length
          ? html`<div class="wall-rest">
              ${incidents.items.slice(first.length).map((i) => incidents.small(i))}${rest
                .slice(0, 12)
                .map(small)}${rest.length > 12
                ? html`<span class="wall-small">and ${count(rest.length - 12)} more</span>`
                : nothing}${incidents.aloneTiles()}
            </div>`
          : nothing}
        <div class="wall-groups">
          ${repeat([...odd, ...shown], (g) => g.id, tile)}${groups.error && !groups.data
            ? html`<p class="wall-sub">${groups.error.message}</p>`
            : nothing}
        </div>
        <div class="row wall-foot">
          ${SEVERITIES.map((s) => html`<span class="row">${severityShape(s, 18)}${count(counts[s] ?? 0)}</span>`)}
          <span class="m">open alerts</span>
          <span class="sp"></span>
          ${kept("wall.sound", false) ? html`<span class="m">sound on</span>` : nothing}${alike.length
            ? html`<span class="m"
                >alike groups ${count(at * room + 1)} to ${count(Math.min(alike.length, (at + 1) * room))} of
                ${count(alike.length)}${pages > 1
                  ? ticking(() => `, next in ${Math.ceil((TURN - ((performance.now() - began) % TURN)) / 1000)} s`)
                  : ""}</span
              >`
            : nothing}
        </div>
      </div>`;
    },
  };
}
