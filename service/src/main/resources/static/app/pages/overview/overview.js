// Overview: who differs, what is open, what is watched, what is silent, what was rejected, what changed, who is
// busiest.
import { html, nothing, ref, repeat } from "../../core/html.js";
import { get, getShared } from "../../core/api.js";
import { changeText, changeWords, removedWords } from "../../core/changes.js";
import { count, NONE, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindRank, kindWord } from "../../core/metrics.js";
import { chooseOverview, missedOverview } from "../../core/overview.js";
import { dataAge, summary, totals } from "../../core/status.js";
import { ticking } from "../../core/ticking.js";
import { clock, duration, moment, range, sameDay, windowText } from "../../core/time.js";
import { timeline, wantTimeline } from "../../core/timeline.js";
import { href } from "../../core/url.js";
import { scopeId, scopeName } from "../../frame/scope.js";
import { linksLine } from "../../parts/links-line.js";
import { Near } from "../../parts/near.js";
import { loaded, pane } from "../../parts/pane.js";
import { shape, stateShape } from "../../parts/shapes.js";
import { busiestLists, wantBusiest } from "./busiest.js";
import { alertsHeadline, alertsPane, wantAlerts } from "./alerts.js";
import { firstSteps } from "./empty.js";
import { differPane, groupsKnown, groupsPane, judgedWords, outliersHeadline, wantOutliers } from "./outliers.js";
import { talkersPane, wantTalkers } from "./talkers.js";
import { lagLine, minuteChart } from "../ingest/charts.js";
import { backFillLine } from "../ingest/jobs.js";
import "../../chart/series-chart.js";

/** Counts per kind: from the kinds at once, or counted below the scope. */
async function readKinds(scope, _tick, signal) {
  const { items } = await getShared("/adapter-kinds");
  const kinds = items
    .flatMap((a) => a.objectKinds)
    .sort((a, b) => kindRank(a.objectKind) - kindRank(b.objectKind) || a.objectKind.localeCompare(b.objectKind));
  if (!scope) return kinds;
  const total = async (kind, silent) => {
    const query = { ancestor: scope, adapterKind: [kind.adapterKind], objectKind: [kind.objectKind], silent, limit: 1 };
    return (await get("/objects", query, signal)).total;
  };
  const scoped = await Promise.all(
    kinds.map(async (k) => {
      const [objects, silent] = await Promise.all([total(k, null), total(k, true)]);
      return { ...k, objects, silent, reporting: objects - silent };
    }),
  );
  return scoped.filter((k) => k.objects > 0);
}

const kinds = new Load(readKinds);
const silent = new Load((scope, _tick, signal) =>
  get("/objects", { silent: true, ancestor: scope, sort: "-lastSeen", limit: 8, withPath: true }, signal),
);
const reasons = new Load((_tick, signal) => get("/ingest/dead-letters/reasons", {}, signal));
const members = new Load(async (scope, signal) => {
  if (!scope) return null;
  const found = await get("/objects", { ancestor: scope, limit: 1000 }, signal);
  return { ids: new Set([scope, ...found.items.map((o) => o.id)]), whole: found.nextCursor === null };
});

// What was rejected and who is busiest stand at the foot of the columns.
const left = new Near();
const right = new Near();

export function page() {
  return {
    title: "Overview",
    name: "overview",
    update() {
      const scope = scopeId();
      const { to } = range();
      kinds.want(scope, to);
      members.want(scope);
      wantTimeline(range(), scope); // as the time rail does, which phones do not have
    },
    view,
  };
}

function headline(list) {
  const objects = list.reduce((n, k) => n + k.objects, 0);
  const quiet = list.reduce((n, k) => n + k.silent, 0);
  const where = scopeName() ? ` in ${scopeName()}` : "";
  if (quiet === 0) return `All ${count(objects)} objects${where} report.`;
  const since =
    silent.data?.items[0] && quiet === 1 ? ` since ${moment(Date.parse(silent.data.items[0].lastSeen))}` : "";
  return `${plural(objects - quiet, "object reports", "objects report")}${where}. ${count(quiet)} ${quiet === 1 ? "has" : "have"} been silent${since}.`;
}

function view() {
  wantAlerts(scopeId());
  wantOutliers(scopeId());
  const outliers = outliersHeadline(scopeId() !== null);
  const { from, to } = range();
  if (kinds.data?.some((k) => k.silent)) silent.want(scopeId(), to);
  // Not before what stands above them has its height.
  const stands = kinds.data && summary.data && timeline.data && alertsHeadline(false) !== null && groupsKnown();
  if (left.seen) reasons.want(to);
  if (right.seen) {
    wantTalkers(scopeId());
    if (kinds.data)
      wantBusiest(
        from,
        to,
        scopeId(),
        kinds.data.filter((k) => k.objects > 0),
      );
  }
  const nothingYet = kinds.data && kinds.data.length === 0 && !scopeId();
  if (nothingYet) {
    kinds.every(5000);
    return html`${missedLine()}${firstSteps(totals())}`;
  }
  const status = summary.data;
  return html`<div class="top">
      <h1 class="lead">
        ${kinds.data
          ? [outliers, alertsHeadline(outliers !== null), headline(kinds.data)].filter(Boolean).join(" ")
          : "\u00a0"}
      </h1>
      <span class="sp"></span>
      <span class="m s12 nw"
        >${status
          ? [judgedWords(), `as of ${clock(Date.parse(status.time), true)}`].filter(Boolean).join(", ")
          : nothing}</span
      >
    </div>
    ${missedLine()}${backFillLine()}${linksLine({ once: true })}
    <div class="cols">
      <div class="col">
        ${differPane()} ${alertsPane()} ${silentPane()} ${watchedPane()} ${ingestPane(status)}
        <div ${stands ? ref(left.watch) : nothing}>${problemsPane()}</div>
      </div>
      <div class="col">
        ${groupsPane()} ${changesPane()}
        <div class="col" ${stands ? ref(right.watch) : nothing}>${talkersPane()} ${busiestLists()}</div>
      </div>
    </div>`;
}

/** Says why the dashboard that was chosen does not stand here. */
function missedLine() {
  const missed = missedOverview();
  if (!missed) return nothing;
  return html`<p class="links-line" role="note">
    ${missed.name}, the dashboard chosen for this place, is gone, or only its owner may see it.
    <a class="acc" href=${href("/dashboards")}>Choose another</a>
    <button class="link" @click=${() => chooseOverview(null)}>Keep the usual overview</button>
  </p>`;
}

/** Nothing while all report, as the headline says. */
function silentPane() {
  if (!kinds.data?.some((k) => k.silent)) return nothing;
  const total = silent.data?.total ?? 0;
  return pane({
    title: "Silent objects",
    note: total ? `missed several of their own intervals, ${count(total)} in all` : nothing,
    end: total > 8 ? html`<a class="link" href=${href("/explorer", { q: "silent" })}>All ${count(total)}</a>` : nothing,
    body: loaded(
      silent,
      ({ items }) =>
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col />
            <col class="w-kind" />
            <col class="prio-3" />
            <col class="w-time" />
            <col class="w-dur" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Object</th>
              <th>Kind</th>
              <th class="prio-3">In</th>
              <th class="r">Last sample</th>
              <th class="r">Silent for</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(
              items,
              (o) => o.id,
              (o) =>
                html`<tr>
                  <td class="l-shape">${stateShape(o.state)}</td>
                  <td class="strong l-name"><a href=${href(`/objects/${o.id}`)}>${o.name}</a></td>
                  <td>${kindWord(o.objectKind)}</td>
                  <td class="m prio-3 l-what">${(o.path ?? []).join(" / ")}</td>
                  <td class="r">${moment(Date.parse(o.lastSeen))}</td>
                  <td class="r l-value">${ticking(() => duration(Date.now() - Date.parse(o.lastSeen)))}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      { rows: 2 },
    ),
  });
}

function watchedPane() {
  const list = kinds.data ?? [];
  const objects = list.reduce((n, k) => n + k.objects, 0);
  const quiet = list.reduce((n, k) => n + k.silent, 0);
  const age = dataAge();
  return pane({
    title: "What is watched",
    note: kinds.data
      ? html`${plural(objects, "object")}, ${quiet}
        silent${age === null ? nothing : ticking(() => `, newest sample ${duration(dataAge())} ago`)}`
      : nothing,
    body: loaded(
      kinds,
      (all) =>
        html`<div class="tiles">
          ${all.map(
            (k) =>
              html`<a class="tile" href=${href("/explorer", { q: `kind:${k.objectKind}` })}>
                <div class="m s12 cut" title=${`${k.adapterKind} ${k.objectKind}`}>${kindWord(k.objectKind, 2)}</div>
                <div class="n">${count(k.objects)}</div>
                <div class="s12 reports ${k.silent ? "" : "m"}">
                  ${k.silent ? shape("unknown", 10, "") : nothing} ${count(k.reporting)} reporting
                </div></a
              >`,
          )}
        </div>`,
      { rows: 3, empty: "Nothing below this scope.", isEmpty: (d) => !d.length },
    ),
  });
}

function ingestPane(status) {
  const now = status?.ingest;
  return pane({
    title: "Ingest",
    name: "rates",
    note: now ? `${count(now.pointsPerSecond)} points/s, ${lagLine(now.lag)}` : nothing,
    end: html`<span class="m s12">${now ? `${count(now.rejectedLastHour)} rejected in the last hour` : NONE}</span
      ><a class="link" href=${href("/ingest")}>Open</a>`,
    body: loaded(
      summary,
      ({ history }) =>
        html`<div class="four">
          ${minuteChart(history, "pointsPerSecond", "Points", "/s")}
          ${minuteChart(history, "lag", "Records waiting", "")}
          ${minuteChart(history, "commitMillis", "Commit time", "ms")}
        </div>`,
      { rows: 5 },
    ),
  });
}

/** Nothing while nothing was rejected. */
function problemsPane() {
  if (!reasons.data?.items.length && !reasons.error) return nothing;
  return pane({
    title: "Rejected input",
    note: "last 24 hours, by reason",
    end: html`<a class="link" href=${href("/ingest")}>Open Ingest</a>`,
    body: loaded(
      reasons,
      ({ items }) =>
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col />
            <col class="w-num" />
            <col class="w-num" />
            <col class="w-time" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Reason</th>
              <th class="r">Count</th>
              <th class="r">Not replayed</th>
              <th class="r">Newest</th>
            </tr>
          </thead>
          <tbody>
            ${items.map(
              (r) =>
                html`<tr>
                  <td>${shape(r.notReplayed ? "warning" : "alike", 12, r.notReplayed ? "open" : "")}</td>
                  <td class="strong"><a href=${href("/ingest", { reason: r.reason })}>${r.reason}</a></td>
                  <td class="r">${count(r.count)}</td>
                  <td class="r">${count(r.notReplayed)}</td>
                  <td class="r">${moment(Date.parse(r.newestAt))}</td>
                </tr>`,
            )}
          </tbody>
        </table>`,
      { rows: 2 },
    ),
  });
}

function changesPane() {
  const { from, to } = range();
  const scope = members.data;
  const inside = (timeline.data?.changes ?? []).filter((c) => {
    const at = Date.parse(c.time);
    return at >= from && at < to && (!scope || scope.ids.has(c.object.id));
  });
  const wide = !sameDay(from, Date.now());
  return pane({
    title: "What changed",
    note: `${windowText({ from, to })}${scope && !scope.whole ? ", first 1,000 objects of the scope" : ""}`,
    body: loaded(
      timeline,
      () =>
        inside.length
          ? html`<div class="list feed ${wide ? "wide" : ""}">
              ${folded(inside).slice(0, 12).map(changeRow)}
              ${inside.length > 12
                ? html`<div><span></span><span class="m">${plural(inside.length, "change")} in this range</span></div>`
                : nothing}
            </div>`
          : html`<div class="empty">
              Nothing changed in this range. Renames, moves, properties, tags and new objects appear here.
            </div>`,
      { rows: 5 },
    ),
  });
}

/**
 * Several objects that did the same within ten minutes make one line: "3 VMs moved to esx-b-04". All that is new is one
 * line behind the others, since a first sight explains no trouble and a new installation has nothing else.
 */
function folded(list) {
  const rows = [];
  const isNew = (c) => c.kind === "new-object";
  const seen = list.filter(isNew);
  for (const change of seen.length > 1 ? list.filter((c) => !isNew(c)) : list) {
    const same = rows.at(-1);
    const first = same?.[0];
    const alike =
      first &&
      first.kind === change.kind &&
      first.key === change.key &&
      (change.kind === "new-object" || first.after === change.after) &&
      first.object.objectKind === change.object.objectKind;
    if (alike && Date.parse(first.time) - Date.parse(change.time) < 600_000) same.push(change);
    else rows.push([change]);
  }
  return seen.length > 1 ? [...rows, seen] : rows;
}

/** "37 VMs, 6 hosts and 2 clusters are new"; of many kinds the most frequent three. */
function newWords(group) {
  const by = Map.groupBy(group, (c) => c.object.objectKind);
  const kindsOf = [...by].sort((x, y) => y[1].length - x[1].length);
  const words = kindsOf.slice(0, 3).map(([kind, of]) => `${of.length} ${kindWord(kind, of.length)}`);
  if (kindsOf.length > 3)
    words.push(
      `${plural(
        kindsOf.slice(3).reduce((n, [, of]) => n + of.length, 0),
        "other",
      )}`,
    );
  return `${words.length > 1 ? `${words.slice(0, -1).join(", ")} and ${words.at(-1)}` : words[0]}`;
}

function changeRow(group) {
  const [change] = group;
  const when = html`<span class="m">${moment(Date.parse(change.time))}</span>`;
  if (group.length > 1 && change.kind === "new-object") {
    return html`<div
      title=${group
        .slice(0, 50)
        .map((c) => c.object.name)
        .join("\n")}
    >
      ${when}<span class="cut"><b>${newWords(group)}</b> are new</span>
    </div>`;
  }
  if (group.length > 1) {
    const what =
      change.kind === "placement"
        ? change.after === null
          ? `left their ${kindWord(change.key)}`
          : `moved to ${change.after}`
        : change.kind === "recorded"
          ? changeText(change)
          : change.kind === "reporting"
            ? change.after === "silent"
              ? "went silent"
              : "report again"
            : change.kind === "removed"
              ? change.after === "removed"
                ? `were ${removedWords(change.object)}`
                : "are there again"
              : `${change.key ?? "name"} now ${change.after ?? "gone"}`;
    return html`<div title=${group.map((c) => `${c.object.name} ${changeText(c)}`).join("\n")}>
      ${when}<span class="cut"><b>${group.length} ${kindWord(change.object.objectKind, group.length)}</b> ${what}</span>
    </div>`;
  }
  const [words, before, link, after] = changeWords(change);
  return html`<a href=${href(`/objects/${change.object.id}`)} title=${`${change.object.name} ${changeText(change)}`}
    >${when}
    <span class="cut"><b>${change.object.name}</b> ${words} <span class="m">${before} ${link}</span> ${after}</span></a
  >`;
}
