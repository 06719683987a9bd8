// One event at an address of its own: why it opened, how it went, what set the member apart, and what people wrote.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { alertVersion, OPEN, readAlerts } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Health } from "../../core/health.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { HOUR, MINUTE, moment, setAbsolute } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { sentence } from "../../parts/say.js";
import { shape } from "../../parts/shapes.js";
import { chip } from "../../parts/small.js";
import { act, actButton } from "../alerts/actions.js";
import { eventSteps, flagsOf, OutlierChart } from "./chart.js";
import { differencesPane } from "./configuration.js";
import { annotate, markExpected, outlierActs } from "./mark.js";
import { apartPane, otherMetricsPane } from "./side.js";
import { archive, eventShape } from "./events.js";
import {
  acceptedText,
  eventNumber,
  isOfConfiguration,
  isOver,
  nameOf,
  scoreText,
  standing,
  subjectOf,
  valueText,
} from "./words.js";
import { carriers, Verdict } from "../shared/verdict.js";

const WORDS = {
  opened: "opened",
  updated: "updated",
  unknown: "no data any more",
  known: "has data again",
  reopened: "came back",
  closed: "closed",
  archived: "archived",
  unarchived: "taken out of the archive",
  note: "noted",
};

export function page(id) {
  const single = new Load((_version, signal) => get(`/outlier-events/${id}`, {}, signal));
  const steps = eventSteps();
  const group = new Load((groupId, _version, signal) => get(`/outlier-groups/${groupId}`, {}, signal));
  const series = { chart: null, load: null };
  // Of the object, to say whether it is itself or what carries it.
  const open = new Load((object, _version, signal) => readAlerts({ object, controlState: OPEN }, signal));
  const around = new Load(async (object, signal) => {
    const [parents, children] = await Promise.all([
      get(`/objects/${object}/parents`, {}, signal),
      get(`/objects/${object}/children`, { objectKind: ["Datastore"], limit: 100 }, signal),
    ]);
    return carriers(parents.items, children.items);
  });
  const near = new Health();
  let verdict = null;
  let n = 0;

  const event = () => single.data?.event ?? null;
  const alone = memo((e) => [e]);
  const flags = memo((details, done) => flagsOf(details.changes, done?.items ?? []));
  const again = () => {
    n++;
    single.again();
    update();
    redraw();
  };

  /**
   * From before it began until a while after it was over, or now: whole minutes, since each other span is another
   * question to the server.
   */
  function span(e) {
    const since = Date.parse(e.since);
    const now = Math.ceil(Date.now() / MINUTE) * MINUTE;
    const end = e.closedAt ? Math.min(now, Math.ceil(Date.parse(e.closedAt) / MINUTE) * MINUTE + HOUR) : now;
    return [since - Math.min(48 * HOUR, Math.max(2 * HOUR, end - since)), end];
  }

  function update() {
    single.want(alertVersion());
    steps.want(id, alertVersion(), n);
    const e = event();
    if (!e) return;
    if (e.object && !isOver(e)) {
      verdict ??= new Verdict(e.object.id);
      open.want(e.object.id, alertVersion());
      around.want(e.object.id);
      if (open.data) verdict.want(open.data.items);
      if (around.data) near.want(around.data.map((o) => o.id));
    }
    group.want(e.group.id, alertVersion());
    if (!group.data || !e.metrics.length) return;
    series.chart ??= new OutlierChart(e.group.id);
    const [from, to] = span(e);
    series.chart.between(group.data, e.metrics[0].key, from, to, e.updatedAt);
  }

  const toGroup = (e) => {
    const [from, to] = span(e);
    go(`/outliers/${e.group.id}`, { event: e.id });
    setAbsolute(from, to);
  };
  const take = (e) =>
    e.alertId && act("take", [{ id: e.alertId, definition: { name: `${subjectOf(e)} in ${e.group.name}` } }]);

  function chart(e) {
    const { chart: c } = series;
    const load = c?.results;
    if (!e.metrics.length) return nothing;
    if (group.error && !group.data)
      return html`<div class="empty">Its group is gone; the chart went with it. The explanation above stays.</div>`;
    if (!load || (!load.data && !load.error)) return html`<div class="outlines"></div>`;
    if (load.error && !load.loading) return failure(load.error, () => load.again());
    if (!c.metric?.members.some((m) => m.values.some((v) => v !== null)))
      return html`<div class="empty">What was judged then is no longer kept; the explanation above stays.</div>`;
    return html`<group-chart
      .spec=${c.spec({
        group: group.data,
        events: alone(e),
        changes: flags(single.data, steps.data),
        words: e.explanation.text,
      })}
    ></group-chart>`;
  }

  /**
   * The value with its metric; a step of before the metric was kept has one only where the event has but one metric.
   */
  function stepValue(e, step) {
    const metric = step.metric ? { key: step.metric, unit: step.unit } : e.metrics.length === 1 ? e.metrics[0] : null;
    return metric && step.value !== null ? `: ${nameOf(metric)} ${valueText(step.value, metric)}` : "";
  }

  function history(e) {
    return pane({
      title: "History",
      body: loaded(
        steps,
        ({ items, total }) =>
          html`<div class="sec first">
            ${items.map(
              (s) =>
                html`<div class="ev" title=${s.explanation ?? s.note ?? ""}>
                  <span class="m nw">${moment(Date.parse(s.time))}</span>
                  ${s.event === "opened" || s.event === "reopened"
                    ? eventShape({ ...e, state: "open" }, 10)
                    : shape("alike", 10, "")}
                  <span
                    >${WORDS[s.event] ?? s.event}${s.by ? ` by ${s.by}` : ""}${stepValue(e, s)}${s.score === null
                      ? ""
                      : `, score ${scoreText(s.score)}`}${s.note
                      ? html`<br /><span class="i2 note-text">${s.note}</span>`
                      : nothing}</span
                  >
                </div>`,
            )}
            ${total > items.length ? html`<p class="m s12">the newest ${items.length} of ${total}</p>` : nothing}
          </div>`,
        { rows: 3, isEmpty: (d) => !d.items.length, empty: "Nothing has happened to it yet." },
      ),
    });
  }

  const metricsPane = (e) =>
    pane({
      title: "Metrics",
      note: "that make it",
      body: html`<table>
        <colgroup>
          <col />
          <col class="w-num" />
          <col class="w-accepted" />
          <col class="w-few" />
        </colgroup>
        <thead>
          <tr>
            <th>Metric</th>
            <th class="r">Value</th>
            <th>Accepted</th>
            <th class="r">Score</th>
          </tr>
        </thead>
        <tbody>
          ${e.metrics.map(
            (m) =>
              html`<tr>
                <td class="strong l-name" data-name title=${m.key}>${nameOf(m)}</td>
                <td class="r l-value">${valueText(m.value, m)}</td>
                <td class="m l-what">${acceptedText(m)}</td>
                <td class="r l-long">${scoreText(m.score)}</td>
              </tr>`,
          )}
        </tbody>
      </table>`,
    });

  return {
    get title() {
      return event() ? `${eventNumber(event())} ${subjectOf(event())}` : "Outlier event";
    },
    name: "outlier event",
    timed: false,
    update,
    get short() {
      return event() ? `Outlier ${eventNumber(event())}` : "Outlier";
    },
    acts: () =>
      event()
        ? outlierActs(event(), {
            take: () => take(event()),
            expected: () => markExpected({ id: event().group.id }, event().object, again),
          })
        : null,
    escape: () => back("/outliers?tab=events"),
    keys: () => ({
      N: [() => annotate(event(), again), "Annotate", () => single.data !== null],
      E: [
        () => event().object && markExpected({ id: event().group.id }, event().object, again),
        "Mark as expected",
        () => single.data !== null,
      ],
      I: [() => take(event()), "Take the alert", () => single.data !== null],
      O: [() => event().object && go(`/objects/${event().object.id}`), "Open the object", () => single.data !== null],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (single.error && !single.data)
        return html`<div class="tb">
            <h1>No event to show</h1>
          </div>
          <section class="pane">${failure(single.error, () => single.again())}</section>`;
      const e = event();
      if (!e)
        return html`<div class="tb">
            <a class="m nw" href=${href("/outliers", { tab: "events" })}>Events /</a>
            <h1>&nbsp;</h1>
          </div>
          <section class="pane">${loaded(single, () => nothing, { rows: 8 })}</section>`;
      update();
      const operator = may("operator");
      const over = isOver(e);
      const found =
        verdict && !over && open.data && around.data
          ? verdict.find(e.object, open.data.items, around.data, near, {
              group: group.data?.now.state !== "group-wide",
            })
          : null;
      return html`<div class="tb">
          <a class="m nw" href=${href("/outliers", { tab: "events" })}>Events /</a>
          <h1 class="cut">${subjectOf(e)} in <a href=${href(`/outliers/${e.group.id}`)}>${e.group.name}</a></h1>
          ${chip(eventNumber(e))}${e.archivedAt
            ? chip("archived", `by ${e.archivedBy}, ${moment(Date.parse(e.archivedAt))}`)
            : nothing}
          <span class="m nw">${standing(e)}</span>
          <span class="sp"></span>
          ${over || !e.alertId ? nothing : actButton("Take", "I", () => take(e), { primary: true })}
          <button
            class="ctl"
            ?disabled=${!operator}
            title=${operator ? nothing : NEEDS}
            @click=${() => annotate(e, again)}
          >
            Annotate <kbd>N</kbd>
          </button>
          ${e.object
            ? html`<button
                class="ctl"
                ?disabled=${!operator}
                title=${operator ? nothing : NEEDS}
                @click=${() => markExpected({ id: e.group.id }, e.object, again)}
              >
                Mark as expected <kbd>E</kbd>
              </button>`
            : nothing}
          <button
            class="ctl"
            ?disabled=${!operator}
            title=${operator ? nothing : NEEDS}
            @click=${() => archive([e], !e.archivedAt).then(again)}
          >
            ${e.archivedAt ? "Back to the list" : "Archive"}
          </button>
        </div>
        <section class="said ${over ? "calm" : e.severity}" aria-label="Explanation">
          ${eventShape(e, 14)}
          <p class="say">${found ? html`${found.words} ` : nothing}${sentence(e.explanation, e.severity)}</p>
          <span class="row acts"
            >${found?.row ?? nothing}<button class="ctl" @click=${() => toGroup(e)}>Group then</button>${e.object
              ? html`<a class="ctl" href=${href(`/objects/${e.object.id}`)}>Open object <kbd>O</kbd></a>`
              : nothing}${e.alertId
              ? html`<a class="ctl" href=${href(`/alerts/${e.alertId}`)}>Alert</a>`
              : nothing}</span
          >
        </section>
        <div class="cols">
          <div class="col">
            ${isOfConfiguration(e)
              ? differencesPane(e, again)
              : html`<section class="pane group-pane" aria-label="Chart">
                    <div class="ph">
                      <h2>${e.metrics.length ? nameOf(e.metrics[0]) : "Values"}</h2>
                      <span class="m cut"
                        >${plural(e.judged, "member")} judged of ${e.members}, from before it began</span
                      >
                    </div>
                    ${chart(e)}
                  </section>
                  ${metricsPane(e)}`}
          </div>
          <div class="col side">${apartPane(single, e)}${otherMetricsPane(single, e)}${history(e)}</div>
        </div>`;
    },
  };
}
