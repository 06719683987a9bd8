// One group: the sentence of its worst open event, the chart of all members, who they are, and what sets the one apart.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion } from "../../core/alerts.js";
import { exchange, get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { OPEN_EVENTS, readPages, stateWord } from "../../core/outliers.js";
import { rank } from "../../core/severity.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, lastTick, moment, range, spanName, windowText } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { sentence } from "../../parts/say.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { act } from "../alerts/actions.js";
import { scopeWords, wantNames } from "../shared/scope-fields.js";
import { eventSteps, flagsOf, OutlierChart, plainWords } from "./chart.js";
import { ConfigurationPane } from "./configuration.js";
import { annotate, markExpected, outlierActs, unmark } from "./mark.js";
import { byName, memberOrders, membersPane } from "./members.js";
import { apartPane, eventsPane, exceptionsPane, otherMetricsPane } from "./side.js";
import { eventNumber, isOfConfiguration, isOver, judgedText, nameOf, standing, subjectOf } from "./words.js";
import { millisOf } from "../thresholds/words.js";

const MONTH = 30 * DAY;
const MEMBERS = 10_000;
const worst = (a, b) =>
  rank(b.severity) - rank(a.severity) ||
  Math.abs(b.score ?? 0) - Math.abs(a.score ?? 0) ||
  a.since.localeCompare(b.since);

export function page(id) {
  const group = new Load((_tick, _version, signal) => exchange("GET", `/outlier-groups/${id}`, { signal }));
  const open = new Load((_version, signal) => readPages("/outlier-events", { group: id, state: OPEN_EVENTS }, signal));
  const month = new Load((from, _version, signal) =>
    readPages("/outlier-events", { group: id, from: String(from), sort: "-openedAt" }, signal, 1000),
  );
  const single = new Load((event, _version, signal) => get(`/outlier-events/${event}`, {}, signal));
  const members = new Load(async (_bucket, _version, signal) => {
    const { items, total } = await readPages(`/outlier-groups/${id}/members`, {}, signal, MEMBERS);
    return { items: items.map((m) => ({ ...m, id: m.object.id, name: m.object.name })), total };
  });
  const joined = new Load((from, to, signal) =>
    get(`/outlier-groups/${id}/membership`, { from: String(from), to: String(to), limit: 200 }, signal),
  );
  const configuration = new Load((_bucket, _version, signal) => get(`/outlier-groups/${id}/configuration`, {}, signal));
  const compared = new ConfigurationPane();
  const steps = eventSteps();
  const chart = new OutlierChart(id);
  let version = 0;

  const data = () => group.data?.data ?? null;
  /** What each metric showed last; before the first judgement there is nothing to show of them yet. */
  const metricsOf = (g) =>
    g.now.metrics.length
      ? g.now.metrics
      : g.metrics.map((m) => ({ ...m, state: g.now.state, centre: null, lower: null, upper: null, deviants: [] }));
  const metric = () => {
    const g = data();
    const all = metricsOf(g);
    return (
      all.find((m) => m.key === param("metric")) ?? all.find((m) => subject()?.metrics[0]?.key === m.key) ?? all[0]
    );
  };

  /** The event the page is about: the one in the address, else the worst that is open. */
  function subject() {
    const all = [...(open.data?.items ?? []), ...(month.data?.items ?? [])];
    const asked = param("event");
    return (
      all.find((e) => e.id === asked) ??
      (single.data?.event.id === asked ? single.data.event : null) ??
      (open.data?.items ?? []).toSorted(worst)[0] ??
      null
    );
  }

  const rows = new Rows({
    main: "outlier",
    items: () => members.data?.items ?? null,
    asked: () => [param("sort"), param("metric")],
    compare: (a, b) => ordered(memberOrders(metric().key), "state", byName)(a, b),
    address: (m) => `/objects/${m.object.id}`,
    go,
    selectable: () => false,
  });

  function update() {
    const { from, to } = range();
    group.want(lastTick(), `${alertVersion()} ${version}`);
    open.want(alertVersion());
    month.want(Math.floor((Date.now() - MONTH) / 3_600_000) * 3_600_000, alertVersion());
    joined.want(Math.floor(from), Math.ceil(to));
    arrived();
  }

  function arrived() {
    const g = data();
    if (!g) return;
    members.want(g.now.bucket, `${alertVersion()} ${version}`);
    if (g.properties?.length) configuration.want(g.now.bucket, `${g.version} ${alertVersion()}`);
    chart.want(g, metric().key);
    const id = subject()?.id ?? (param("event") || null);
    if (id) single.want(id, alertVersion());
    if (subject()?.noteCount) steps.want(subject().id, alertVersion(), subject().noteCount);
    wantNames([g.scope]);
  }

  const again = () => {
    version++;
    group.again();
    members.again();
    update();
    redraw();
  };
  const choose = (event) => amend({ event: event.id, metric: null, row: event.object?.id ?? null });
  const chosenObject = () => rows.chosen()?.object ?? subject()?.object ?? null;
  const link = () => copy(location.href, "Link copied; it shows this view");
  const edit = () => go(`/outliers/${id}/edit`);

  function take() {
    const event = subject();
    if (!event || isOver(event)) return notice("Nothing is open here.");
    if (!event.alertId) return notice("This group raises no alert that somebody could take.");
    act("take", [{ id: event.alertId, definition: { name: `${subjectOf(event)} in ${event.group.name}` } }]);
  }

  const keys = () => ({
    ...rows.keys({ selecting: false }),
    "[": [() => stepEvent(-1), "Event before"],
    "]": [() => stepEvent(1), "Next event"],
    I: [take, "Take the alert", () => open.data !== null],
    N: [() => annotate(subject(), again), "Annotate", () => open.data !== null],
    E: [
      () => markExpected(data(), chosenObject(), again),
      "Mark as expected",
      () => data() !== null && members.data !== null,
    ],
    C: [edit, "Edit the group"],
    W: [() => go("/wall"), "Wall"],
  });

  function stepEvent(by) {
    const list = (month.data?.items ?? []).toSorted((a, b) => a.since.localeCompare(b.since));
    const now = list.findIndex((e) => e.id === subject()?.id);
    const next = list[Math.max(0, Math.min(list.length - 1, (now < 0 ? list.length : now) + by))];
    if (next) choose(next);
  }

  function tabs(g) {
    const all = metricsOf(g);
    if (all.length < 2) return nothing;
    return html`<div class="metric-tabs" role="group" aria-label="Metrics">
      ${all.map(
        (m) =>
          html`<button
            aria-pressed=${m.key === metric().key}
            title=${m.deviants.map((d) => d.object.name).join(", ") || m.key}
            @click=${() => amend({ metric: m.key }, { replace: true })}
          >
            ${m.deviants.length
              ? severityShape(m.deviants[0].severity, 10)
              : shape({ split: "split", alike: "alike" }[m.state] ?? "unknown", 10, m.state)}${nameOf(m)}
          </button>`,
      )}
    </div>`;
  }

  function head(g) {
    const operator = may("operator");
    const needs = operator ? nothing : NEEDS;
    return html`<div class="tb">
      <a class="m nw" href=${href("/outliers")}>Outliers /</a>
      <h1 class="cut" title=${g?.description ?? g?.name ?? ""}>${g?.name ?? "\u00a0"}</h1>
      ${g
        ? html`<span class="m cut judged" title=${scopeWords(g.scope, "every object of the kind")}
              >${g.enabled ? judgedText(g) : "switched off"}</span
            >${tabs(g)}<span class="sp"></span>
            <button class="ctl" ?disabled=${!operator} title=${needs} @click=${() => annotate(subject(), again)}>
              Annotate <kbd>N</kbd></button
            ><button
              class="ctl"
              ?disabled=${!operator}
              title=${needs}
              @click=${() => markExpected(g, chosenObject(), again)}
            >
              Mark as expected <kbd>E</kbd>
            </button>
            <a class="ctl" href=${href("/notifications/rules/new", { definition: id, name: g.name })}>Notify…</a
            ><a class="ctl" href=${href(`/outliers/${id}/edit`)}>Edit group <kbd>C</kbd></a>`
        : nothing}
    </div>`;
  }

  /**
   * When a new group is judged first: at the end of the bucket in which it was stored, late values waited for; null =
   * that time is over.
   */
  function firstWords(g) {
    const at =
      (Math.floor(Date.parse(g.updatedAt) / g.bucketMillis) + 1) * g.bucketMillis + (millisOf(g.evaluationDelay) ?? 0);
    return g.enabled && at > Date.now() - 120_000
      ? `Not judged yet: the first judgement comes at ${moment(at)}.`
      : null;
  }

  /** The sentence of the subject, and one line for each of the others that are open. */
  function say(g) {
    const event = subject();
    const others = (open.data?.items ?? []).filter((e) => e.id !== event?.id).toSorted(worst);
    if (!event) {
      const state = g.now.state;
      const words =
        g.now.error ??
        (g.now.bucket ? null : firstWords(g)) ??
        (state === "alike"
          ? `All ${plural(g.now.judged, "judged member is", "judged members are")} alike.`
          : state === "split"
            ? "Members are in two bands, so nobody is called an outlier. A tag that parts them would make two groups of them."
            : `${stateWord(state).replace(/^./, (c) => c.toUpperCase())}.`);
      return html`<section class="said calm" aria-label="Explanation">
        ${shape({ split: "split", alike: "alike" }[state] ?? "unknown", 14, "")}
        <p class="say">${open.data ? words : "\u00a0"}</p>
      </section>`;
    }
    const operator = may("operator");
    const over = isOver(event);
    return html`<section class="said ${over ? "calm" : event.severity}" aria-label="Explanation">
      ${over ? shape("alike", 14, "closed") : severityShape(event.severity, 14)}
      <div>
        <p class="say">${sentence(event.explanation, event.severity)}</p>
        ${over
          ? html`<p class="m s12">
              ${eventNumber(event)}, ${standing(event)}. The page shows the range ${windowText(range())}.
            </p>`
          : nothing}
        ${others.slice(0, 4).map(
          (e) =>
            html`<button class="event-line" @click=${() => choose(e)} title=${e.explanation.text}>
              ${severityShape(e.severity, 11)}<span class="cut"
                ><b>${subjectOf(e)}</b> ${e.explanation.text.replace(/^[^:]*: /, "")}</span
              ><span class="m nw">${standing(e)}</span>
            </button>`,
        )}
        ${others.length > 4
          ? html`<a class="acc s12" href=${href("/outliers", { tab: "events", q: g.name })}
              >${others.length - 4} more are open</a
            >`
          : nothing}
      </div>
      <span class="row acts"
        >${over
          ? nothing
          : html`<button
              class="ctl primary"
              ?disabled=${!operator || !event.alertId}
              title=${!operator ? NEEDS : event.alertId ? nothing : "This group raises no alert"}
              @click=${take}
            >
              Take <kbd>I</kbd>
            </button>`}<a class="ctl" href=${href(`/outliers/events/${event.id}`)}>${eventNumber(event)}</a
        ><button class="ctl" @click=${link}>Copy link</button></span
      >
    </section>`;
  }

  const flags = memo((event, joins, done, begun) =>
    flagsOf(event?.changes ?? [], done?.items ?? [], joins?.items ?? [], Date.parse(begun)),
  );
  /** Events to draw: those of the metric that is shown, each once. */
  const eventsShown = memo((key, single, open, month) => {
    const all = [...(single ? [single.event] : []), ...(open?.items ?? []), ...(month?.items ?? [])].filter(
      (e) => e.group.id === id,
    );
    return [...new Map(all.map((e) => [e.id, e])).values()].filter(
      (e) => !isOfConfiguration(e) && (!e.metrics.length || e.metrics.some((m) => m.key === key)),
    );
  });

  return {
    get title() {
      return data()?.name ?? "Outlier group";
    },
    name: "outlier",
    update,
    keys,
    acts: () =>
      subject() && data()
        ? outlierActs(subject(), { take, expected: () => markExpected(data(), chosenObject(), again) })
        : null,
    escape: () => {
      if (param("row")) rows.choose(null);
      else if (param("event")) amend({ event: null }, { replace: true });
      else back("/outliers");
    },
    view() {
      if (group.error && !group.data)
        return html`<div class="tb">
            <h1>No group to show</h1>
          </div>
          <section class="pane">${failure(group.error, () => group.again())}</section>`;
      const g = data();
      if (!g)
        return html`${head(null)}
          <section class="pane">${loaded(group, () => nothing, { rows: 10 })}</section>`;
      update();
      const m = metric();
      const event = subject();
      const events = eventsShown(m.key, single.data, open.data, month.data);
      const words = event?.explanation.text ?? plainWords(g, m);
      const current = events.filter((e) => !isOver(e));
      const point = (object) => {
        if (chart.pointed === object) return;
        chart.pointed = object;
        redraw();
      };
      return html`${head(g)}${g.now.bucket && lastTick() - Date.parse(g.now.bucket) > 4 * g.bucketMillis + 120_000
          ? html`<p class="row s12 pad old" role="status">
              ${shape("unknown", 11)}Last judged at ${moment(Date.parse(g.now.bucket) + g.bucketMillis)}; nothing newer.
            </p>`
          : nothing}
        ${say(g)}
        <div class="cols">
          <div class="col">
            ${chart.view({
              group: g,
              etag: group.data.etag,
              metric: m,
              events,
              changes: flags(single.data, joined.data, event?.noteCount ? steps.data : null, g.createdAt),
              words,
              done: again,
            })}
            ${membersPane(members, {
              rows,
              metric: m,
              log: g.metrics.find((x) => x.key === m.key)?.log ?? false,
              tokens: chart.tokens(current),
              chart,
              opensAt: chart.sensitivity(g),
              rangeWords: range().relative ? spanName(range().relative).replace("Last ", "") : windowText(range()),
              point,
            })}
            ${g.properties?.length ? compared.view(configuration) : nothing}
          </div>
          <div class="col side">
            ${apartPane(single, event)}${otherMetricsPane(single, event)}${eventsPane({
              load: month,
              group: g,
              chosen: event,
              choose,
            })}${exceptionsPane(g, may("operator"), (x) => unmark(g, x, again))}
          </div>
        </div>`;
    },
  };
}
