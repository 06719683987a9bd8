// Beside the chart of a group: what sets the member apart, its other metrics against the same peers, and the events of
// 30 days.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { count, plural } from "../../core/format.js";
import { clock, DAY, date, duration, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { lane, strip } from "../../parts/peers.js";
import { shape } from "../../parts/shapes.js";
import { eventShape } from "./events.js";
import { nearbyText } from "./chart.js";
import { eventWords, farText, isOver, nameOf, standing, subjectOf, valueText } from "./words.js";

const TRAITS = 6;
const OTHERS = 6;
const EVENTS = 8;
const LANES = 10;
let whole = false;

function trait(t, since) {
  const before = t.changedAt ? Math.round((Date.parse(since) - Date.parse(t.changedAt)) / 1000) : null;
  const distance =
    before === null
      ? ""
      : before >= 0
        ? `${duration(before * 1000)} before the event`
        : `${duration(-before * 1000)} after it began`;
  const peers =
    t.common === null
      ? t.sameCount
        ? `${t.sameCount} of ${t.of} peers have it`
        : "no peer has it"
      : t.commonCount === t.of
        ? `${t.common} on all ${t.of} peers`
        : `${t.common} on ${t.commonCount} of ${t.of}`;
  return html`<div class="trait">
    <span class="cut" title=${t.key}>${t.name}</span>
    <b class="cut ${t.changedAt ? "hot" : ""}" title=${t.value ?? "none"}>${t.value ?? "none"}</b>
    <span class="m cut" title=${peers}>${peers}</span>
    ${t.changedAt
      ? html`<span class="hot why"
          >Changed at ${moment(Date.parse(t.changedAt))}${t.before === null ? "" : ` from ${t.before}`},
          ${distance}</span
        >`
      : nothing}
  </div>`;
}

/** Properties, tags, placement and versions in which the member differs, and what changed shortly before. */
export function apartPane(load, event) {
  const name = event?.object?.name;
  if (!event?.object) return nothing;
  const data = load.data;
  const own = data?.event.id === event.id ? data : null;
  const traits = own?.apart ?? [];
  const told = new Set(traits.filter((t) => t.changedAt).map((t) => t.key));
  const changes = (own?.changes ?? []).filter((c) => !told.has(c.key));
  return pane({
    title: `What sets ${name} apart`,
    name: "apart",
    end: own
      ? html`<span class="m s12" title="In so many things it is like most of its peers"
          >${count(own.equal)} equal</span
        >`
      : nothing,
    body: loaded(
      load,
      () =>
        own
          ? html`${repeat(
              whole ? traits : traits.slice(0, TRAITS),
              (t) => t.key,
              (t) => trait(t, event.since),
            )}
            ${traits.length > TRAITS
              ? html`<button
                  class="list-row link"
                  @click=${() => {
                    whole = !whole;
                    redraw();
                  }}
                >
                  ${whole ? "Fewer" : `${count(traits.length - TRAITS)} more`}
                </button>`
              : nothing}
            ${changes.slice(0, 4).map(
              (c) =>
                html`<div class="trait change">
                  <span class="m">${clock(Date.parse(c.time))}</span>
                  <span class="cut wide" title=${nearbyText(c)}>${nearbyText(c, event.object.id)}</span>
                </div>`,
            )}
            ${traits.length || changes.length
              ? nothing
              : html`<div class="empty s12">
                  It is like its peers in all that is known of it, and nothing changed on it or around it shortly
                  before.
                </div>`}`
          : nothing,
      { rows: 3 },
    ),
  });
}

function other(m) {
  const label = `${nameOf(m)}: ${valueText(m.value, m)}, median of its peers ${valueText(m.centre, m)}`;
  return html`<div class="other-metric" title=${label}>
    <span class="cut ${m.moved ? "strong" : "i2"}">${nameOf(m)}</span>
    ${strip(
      {
        ticks: m.ticks,
        centre: m.centre,
        lower: m.lower,
        upper: m.upper,
        deviants: [{ value: m.value, quiet: !m.moved, words: valueText(m.value, m) }],
        label,
      },
      { width: 140, height: 18 },
    )}
    <span class="r ${m.moved ? "hot" : "m"}">${farText(m, m)}</span>
  </div>`;
}

/** Farthest first; those that did not move stay, since they rule causes out. */
export function otherMetricsPane(load, event) {
  if (!event?.object) return nothing;
  const own = load.data?.event.id === event.id ? load.data.otherMetrics : null;
  return pane({
    title: "Its other metrics",
    note: "against the same peers",
    body: loaded(
      load,
      () =>
        own?.length
          ? html`<div class="other-metrics">${own.slice(0, OTHERS).map(other)}</div>`
          : html`<div class="empty s12">No other metric of it is known for enough of its peers.</div>`,
      { rows: 4 },
    ),
  });
}

/** A lane of 30 days for each member that had events, and the events as a list. */
export function eventsPane({ load, group, chosen, choose }) {
  const items = load.data?.items ?? [];
  const now = Date.now();
  const from = now - 30 * DAY;
  const open = items.filter((e) => !isOver(e)).length;
  const byMember = Map.groupBy(items, (e) => e.object?.id ?? "");
  const lanes = [...byMember]
    .slice(0, LANES)
    .map(([id, list]) => ({ id, name: id ? list[0].object.name : "the group", list }));
  const spans = (list) =>
    list.map((e) => ({
      from: Math.max(from, Date.parse(e.since)),
      to: e.closedAt ? Date.parse(e.closedAt) : null,
      token: isOver(e) ? "--peer-strong" : "--deviant-1",
      words: `${moment(Date.parse(e.since))}: ${eventWords(e)}, ${standing(e)}`,
    }));
  const line = (e) =>
    html`<button
      class="event-line"
      aria-pressed=${e.id === chosen?.id}
      @click=${() => choose(e)}
      title=${e.explanation.text}
    >
      ${eventShape(e, 11)}<span class="cut"
        ><b class=${isOver(e) ? "" : "strong"}>${subjectOf(e)}</b> ${eventWords(e)}</span
      ><span class="m nw">${standing(e)}</span>
    </button>`;
  return pane({
    title: "Events",
    note: load.data ? `${open ? `${open} open, ` : ""}${items.length} in 30 days` : nothing,
    end: html`<a class="link" href=${href("/outliers", { tab: "archive", q: group.name })}>Archive</a>`,
    body: loaded(
      load,
      () =>
        html`${lanes.length
          ? html`<div class="member-lanes">
              ${lanes.map(
                (l) =>
                  html`<span class="m cut">${l.name}</span>${lane(spans(l.list), {
                      from,
                      to: now,
                      width: 226,
                      height: 12,
                      label: `${l.name}: ${plural(l.list.length, "event")}`,
                    })}`,
              )}
              <span></span>
              <span class="ends m"><span>${date(from)}</span><span>now</span></span>
            </div>`
          : nothing}
        ${items.slice(0, EVENTS).map(line)}${items.length > EVENTS
          ? html`<a
              class="list-row"
              href=${href("/outliers", { tab: "events", q: group.name, range: "30d", from: null, to: null })}
              ><span class="acc">${count(items.length - EVENTS)} more</span></a
            >`
          : nothing}`,
      { rows: 3, isEmpty: () => !items.length, empty: "Nothing was out in 30 days." },
    ),
  });
}

/** Members that are marked as expected, and the way back. */
export function exceptionsPane(group, allowed, unmark) {
  if (!group.exceptions.length) return nothing;
  return pane({
    title: "Expected",
    note: "raise nothing",
    body: html`${group.exceptions.map(
      (x) =>
        html`<div class="event-line">
          ${shape("alike", 11)}
          <span class="cut" title=${`${x.reason ?? "no reason given"}, ${x.by} ${moment(Date.parse(x.at))}`}
            ><b>${x.object.name}</b> ${x.until
              ? `until ${moment(Date.parse(x.until))}`
              : "is different, not compared"}${x.reason ? html`, <span class="m">${x.reason}</span>` : nothing}</span
          >
          <button
            class="link s12"
            ?disabled=${!allowed}
            title=${allowed ? nothing : "Needs the role operator"}
            aria-label=${`${x.object.name} is no longer expected`}
            @click=${() => unmark(x)}
          >
            End
          </button>
        </div>`,
    )}`,
  });
}
