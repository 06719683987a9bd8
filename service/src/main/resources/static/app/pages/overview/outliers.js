// What Overview says of outliers: who differs from its peers, with a sentence, a strip and a line, and the groups as
// strips.
import { html, nothing, repeat } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import {
  byState,
  deviantsOf,
  groupShape,
  metricShown,
  OPEN_EVENTS,
  readPages,
  stateWord,
} from "../../core/outliers.js";
import { kindWord } from "../../core/metrics.js";
import { rank } from "../../core/severity.js";
import { ticking } from "../../core/ticking.js";
import { duration, HOUR, lastTick } from "../../core/time.js";
import { href } from "../../core/url.js";
import { scopeName } from "../../frame/scope.js";
import { loaded, pane } from "../../parts/pane.js";
import { bandLine, deviantText, deviantToken, strip } from "../../parts/peers.js";
import { shape } from "../../parts/shapes.js";
import { EventLines } from "../outliers/lines.js";
import { eventShape } from "../outliers/events.js";
import { stripOf } from "../outliers/groups.js";
import { suggestions } from "../outliers/suggested.js";
import {
  farText,
  isOfConfiguration,
  lasted,
  propertyText,
  rangeText,
  scoreText,
  sinceText,
  subjectOf,
  valueText,
} from "../outliers/words.js";

const SHOWN = 5;
const GROUPS = 12;
const WINDOW = 6 * HOUR;

const open = new Load((ancestor, _version, signal) =>
  readPages("/outlier-events", { state: OPEN_EVENTS, archived: false, ancestor }, signal, 1000),
);
const groups = new Load((ancestor, _tick, _version, signal) => readPages("/outlier-groups", { ancestor }, signal));
const lines = new EventLines({ points: 72, members: 1 });

const worst = (a, b) =>
  rank(b.severity) - rank(a.severity) ||
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) ||
  a.since.localeCompare(b.since);
const sorted = () => (open.data?.items ?? []).toSorted(worst);

export function wantOutliers(scope) {
  open.want(scope ?? undefined, alertVersion());
  groups.want(scope ?? undefined, lastTick(), alertVersion());
  if (groups.data?.items.length === 0 && !scope) suggestions.want(0);
  const to = Math.floor(lastTick() / 60_000) * 60_000;
  lines.want(sorted().slice(0, SHOWN), to - WINDOW, to);
}

/**
 * "3 machines differ from their peers.", "All 1,012 members of 42 groups are alike."; null while that is not known or
 * nothing is compared.
 */
export function outliersHeadline(scoped) {
  if (!open.data || !groups.data?.items.length) return null;
  const members = new Map(open.data.items.filter((e) => e.object).map((e) => [e.object.id, e.object]));
  const moved = open.data.items.length - open.data.items.filter((e) => e.object).length;
  const kinds = [...new Set([...members.values()].map((o) => o.objectKind))];
  const name = kinds.length === 1 ? kindWord(kinds[0], members.size) : members.size === 1 ? "machine" : "machines";
  const words = [
    members.size
      ? `${count(members.size)} ${name} ${members.size === 1 ? "differs from its peers" : "differ from their peers"}.`
      : "",
    moved ? `${plural(moved, "group")} moved as a whole.` : "",
  ].filter(Boolean);
  if (words.length || scoped) return words.join(" ") || "Nothing differs from its peers.";
  const judged = groups.data.items.reduce((n, g) => n + g.now.judged, 0);
  return judged ? `All ${count(judged)} members of ${plural(groups.data.items.length, "group")} are alike.` : null;
}

/** Whether it is known what groups there are. */
export const groupsKnown = () => groups.data !== null;

/** How many members are judged, for the line at the right of the headline. */
export function judgedWords() {
  const all = groups.data?.items ?? [];
  const judged = all.reduce((n, g) => n + g.now.judged, 0);
  return judged ? `${plural(judged, "member")} of ${plural(all.length, "group")} judged` : "";
}

function row(e) {
  const m = e.metrics[0];
  const [property] = e.properties;
  const x = e.explanation;
  const group = groups.data?.items.find((g) => g.id === e.group.id);
  const now = group?.now.metrics.find((n) => n.key === m?.key);
  const found = lines.of(e);
  const rest = x.text.replace(/^[^:]{1,80}: /, "").replace(/^./, (c) => c.toUpperCase());
  return html`<a class="differs" href=${href(`/outliers/${e.group.id}`, { event: e.id })}
    >${eventShape(e, 13)}
    <span class="words-of"
      ><span class="row"
        ><b class="cut">${subjectOf(e)}</b><span class="m cut">${e.object ? e.group.name : "the whole group"}</span
        ><span class="sp"></span
        ><span class="m s12 nw"
          >${isOfConfiguration(e) ? "" : `score ${scoreText(e.score ?? e.peakScore)}, `}since ${sinceText(e.since)},
          ${ticking(() => duration(lasted(e)))}</span
        ></span
      >
      <span class="i2 two-lines" title=${x.text}>${rest}</span></span
    >
    <span class="strip-of"
      >${now
        ? strip(
            {
              ticks: now.ticks,
              centre: now.centre,
              lower: now.lower,
              upper: now.upper,
              bands: now.bands,
              count: now.judged,
              deviants: now.deviants.map((d, i) => ({
                value: d.value,
                token: d.event === e.id ? "--deviant-1" : deviantToken(i + 1, now.deviants.length),
              })),
              label: "",
            },
            { width: 190, height: 28 },
          )
        : nothing}
      <span class="row s12"
        ><span class="m cut" title="What its peers have"
          >${property ? propertyText(property.common) : rangeText(x.peersLow, x.peersHigh, x, false)}</span
        ><span class="sp"></span>${property ? html`<b class="hot cut">${propertyText(property.value)}</b>` : nothing}${m
          ? html`<span class="nw"
              ><b class="hot">${valueText(m.value, m)}</b> <span class="m">${farText(m, m)}</span></span
            >`
          : nothing}</span
      ></span
    >
    <span class="line-of prio-3"
      >${found?.line
        ? bandLine(found.line.values, found.metric.lower, found.metric.upper, { width: 146, height: 44 })
        : nothing}</span
    ></a
  >`;
}

/** Who differs, most severe first; nothing while no group is compared. */
export function differPane() {
  if (groups.data && !groups.data.items.length) return nothing;
  const all = sorted();
  return pane({
    title: "Different from their peers",
    name: "differ-pane",
    note: all.length ? "most severe first" : nothing,
    end: all.length
      ? html`<span class="m s12 strip-head">now, each tick a peer</span
          ><span class="m s12 line-head prio-3">6 h over accepted range</span>`
      : nothing,
    body: loaded(
      stay(open),
      () =>
        html`${repeat(all.slice(0, SHOWN), (e) => e.id, row)}${all.length > SHOWN
          ? html`<a class="list-row" href=${href("/outliers", { tab: "events" })}
              ><span class="acc">${count(all.length - SHOWN)} more</span></a
            >`
          : nothing}`,
      { rows: 4, isEmpty: (d) => !d.items.length, empty: "Nothing differs from its peers." },
    ),
  });
}

function groupRow(g) {
  const deviants = deviantsOf(g);
  const metric = metricShown(g);
  const asks = deviants.length || ["split", "group-wide"].includes(g.now.state);
  const end = deviants.length
    ? html`<b class="cut" .style=${`color:var(${deviantText("--deviant-1")})`}
        >${deviants[0].object.name}${deviants.length > 1 ? ` +${deviants.length - 1}` : ""}</b
      >`
    : g.now.state === "split"
      ? html`<span class="split-word nw">split ${metric?.bands.map((b) => b.members).join(" : ") ?? ""}</span>`
      : html`<span class="m nw"
          >${g.now.state === "alike" ? `${count(g.now.judged)} alike` : stateWord(g.now.state)}</span
        >`;
  return html`<a
    class="group-line ${asks ? "" : "i2"}"
    href=${href(`/outliers/${g.id}`)}
    title=${`${g.name}: ${g.now.judged} of ${g.now.members} judged`}
    >${shape(groupShape(g), 12, "")}<span class="cut ${asks ? "strong" : ""}">${g.name}</span>${stripOf(metric, {
      width: 132,
      height: asks ? 20 : 18,
    })}<span class="end">${end}</span></a
  >`;
}

export function groupsPane() {
  const all = (groups.data?.items ?? []).toSorted(byState);
  const suggested = suggestions.data?.items.length ?? 0;
  return pane({
    title: "Groups",
    name: "groups-pane",
    note: all.length ? "deviants first" : nothing,
    end: all.length ? html`<a class="link" href=${href("/outliers")}>All ${plural(all.length, "group")}</a>` : nothing,
    body: loaded(
      stay(groups),
      () => html`<div class="list">${repeat(all.slice(0, GROUPS), (g) => g.id, groupRow)}</div>`,
      {
        rows: 6,
        isEmpty: (d) => !d.items.length,
        empty: scopeName()
          ? html`No group has members in ${scopeName()}.
              <a class="acc" href=${href("/outliers", { scope: null })}>All groups</a>`
          : html`No group of peers is compared yet.
            ${suggested
              ? html`<a class="acc" href=${href("/outliers")}
                    >${plural(suggested, "group suggests itself", "groups suggest themselves")}</a
                  >.`
              : html`<a class="acc" href=${href("/outliers/new")}>Make one</a> of machines that do the same job.`}`,
      },
    ),
  });
}

/** What is read again because something changed stays as it is meanwhile. */
const stay = (load) => (load.data ? { data: load.data, error: null, loading: false, waited: 0 } : load);
