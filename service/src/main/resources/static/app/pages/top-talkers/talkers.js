// Top talkers: who uses the network most, over time, against before, with whom and for what; or who has most of any
// metric.
import { html, nothing } from "../../core/html.js";
import { exchange, get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Health } from "../../core/health.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import {
  asParams,
  BELOW,
  DIMENSIONS,
  DIRECTIONS,
  filterQuery,
  hasDirection,
  isNarrowed,
  MEASURES,
  narrowTo,
  NOTHING_NARROWED,
  percent,
  question as asked,
  TRAFFIC,
} from "../../core/talkers.js";
import { DAY, duration, range } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { scopeId, scopeName } from "../../frame/scope.js";
import { download } from "../../parts/download.js";
import { copy, notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { Rows } from "../../parts/rows.js";
import { segments } from "../../parts/small.js";
import { readObjects, readTalkers } from "./answer.js";
import { chartSpec, layered, Shades } from "./chart.js";
import { TalkerDetail } from "./detail.js";
import { connectWords } from "./empty.js";
import { filterLine, servicesButton, showServices, trafficSelect } from "./filters.js";
import { WhoTalks } from "./matrix.js";
import { byMetric, metricControls, metricQuery, metricWords, wantMetrics } from "./metric.js";
import { compare, honestly, LONG_NAMES, measureHead, SHORT_NAMES, talkerColumns, talkerTable } from "./table.js";

const LIMITS = [20, 50, 100, 500, 1000];
const VERBS = { sent: "sent", received: "received", both: "sent or received" };
const JUDGED = 500;

const HALF = 0.5;

export function page() {
  const traffic = new Load(readTalkers);
  const objects = new Load(readObjects);
  // Whether anything came in at all, asked only where nothing is to be shown.
  const ever = new Load((signal) =>
    get(
      "/top-talkers",
      { by: "protocol", from: Date.now() - 30 * DAY, compare: ["none"], sparkline: false, limit: 1 },
      signal,
    ),
  );
  const health = new Health();
  const who = new WhoTalks();
  const behind = new TalkerDetail();
  const spec = chartSpec(new Shades());
  const question = () => asked(scopeId());
  const load = () => (byMetric() ? objects : traffic);
  const data = () => measured(load().data);
  const measured = memo(
    (d) =>
      d && {
        ...d,
        most: d.items.reduce((m, i) => Math.max(m, i.value), 0),
        mostPeak: d.items.reduce((m, i) => Math.max(m, i.peakMinuteRate ?? 0), 0),
      },
  );

  const limit = () => (LIMITS.includes(Number(param("limit"))) ? Number(param("limit")) : LIMITS[0]);
  const heads = () =>
    byMetric()
      ? { name: "Object", value: "Value", burst: "Mean, peak" }
      : { name: DIMENSIONS[question().by][2], value: measureHead(question().measure), burst: "Mean, peak minute" };
  const leads = (row) => (row.talker.object ? href(`/objects/${row.talker.object.id}`) : null);
  const tables = {
    usual: talkerColumns("talkers", heads, leads, SHORT_NAMES),
    pairs: talkerColumns("talkers.pairs", heads, leads, LONG_NAMES),
  };
  const columnsNow = () => (!byMetric() && question().by === "pair" ? tables.pairs : tables.usual);
  const rows = new Rows({
    main: "talkers",
    items: () => data()?.items ?? null,
    asked: () => [param("sort", "rank"), byMetric() ? param("metric") : question()],
    compare,
    address: (row) => (row.talker.object ? `/objects/${row.talker.object.id}` : null),
    go,
  });
  const isHot = (row) => Boolean(row.talker?.object && health.of(row.talker.object.id)?.own);
  const hotKeys = () =>
    (data()?.items ?? [])
      .filter(isHot)
      .map((i) => i.id)
      .join(" ");

  const window = () => {
    const { from, to } = range();
    return { from: Math.floor(from), to: Math.floor(to) };
  };

  function trafficQuery() {
    const q = question();
    return { by: q.by, measure: q.measure, direction: q.direction, ...filterQuery(q, scopeId()), ...window() };
  }

  function update() {
    columnsNow().arrive();
    read();
  }

  function read() {
    if (byMetric()) {
      wantMetrics();
      const query = metricQuery(scopeId());
      if (query) objects.want({ ...query, ...window(), compare: ["before", "week-ago"], limit: limit() });
    } else {
      const query = trafficQuery();
      traffic.want({ ...query, limit: limit() });
      const { by: _by, ...rest } = query;
      who.want({ ...rest, measure: ["rate", "peak"].includes(query.measure) ? "bytes" : query.measure });
      behind.want(question(), rows.chosen() ?? null, scopeId(), window());
    }
    const ids = (data()?.items ?? [])
      .slice(0, JUDGED)
      .map((i) => i.talker.object?.id)
      .filter(Boolean);
    health.want(ids);
    if (data() && !data().items.length && !byMetric()) ever.want();
  }

  /** One level down: a talker to its pairs, a port to those who use it, a pair to its flows. */
  function open(row) {
    if (!row) return;
    if (byMetric()) return go(`/objects/${row.talker.object.id}`);
    const { by } = question();
    const to = narrowTo(row.talker);
    if (!Object.keys(to).length) return notice("Nothing narrows to it.");
    if (by === "pair") return go("/top-talkers/flows", { ...kept(), ...to });
    amend({
      direction: question().direction,
      ...to,
      by: BELOW[by] === "vm" ? null : BELOW[by],
      row: null,
      sort: null,
      columns: null,
    });
  }

  /** What narrows now, for the pages that list the same traffic. */
  const kept = () => asParams(question());

  function up() {
    if (param("row")) rows.choose(null);
    else if (isNarrowed(question())) back("/top-talkers");
  }

  async function csv() {
    /** @type {any} */
    const query = byMetric() ? metricQuery(scopeId()) : trafficQuery();
    if (!query) return notice("Nothing to save yet.");
    try {
      const { data: text } = await exchange("GET", byMetric() ? "/series/top" : "/top-talkers", {
        query: { ...query, ...window(), limit: 1000 },
        accept: "text/csv",
      });
      download(`top-talkers-${query.by ?? "metric"}`, "csv", text, "The first 1,000");
    } catch (error) {
      notice(`Not saved: ${error.message}`);
    }
  }

  const report = () => {
    if (!may("operator")) return notice(NEEDS);
    const q = question();
    const { from, to, relative } = range();
    go("/top-talkers/reports/new", {
      ...kept(),
      ...(q.of.length || !scopeId() ? {} : { of: [scopeId()] }),
      by: q.by,
      measure: q.measure,
      direction: q.direction,
      window: relative ?? `${Math.max(1, Math.round((to - from) / 3_600_000))}h`,
      limit: limit(),
    });
  };

  /** Keeps only one layer of the stack. */
  const directed = (q) => hasDirection(q.by, q, scopeId());
  const only = (key) => {
    const row = data()?.items.find((i) => i.id === key);
    const to = row && narrowTo(row.talker);
    if (to && Object.keys(to).length) amend({ ...to, row: null });
  };

  const setBy = (by) =>
    amend({
      by: by === "vm" ? null : by,
      row: null,
      sort: null,
      columns: null,
      metric: null,
      kind: null,
      agg: null,
      order: null,
    });
  const setMeasure = (measure) =>
    measure === "metric"
      ? amend({ ...NOTHING_NARROWED, by: "metric", measure: null, row: null, sort: null })
      : amend({
          by: byMetric() ? null : param("by"),
          metric: null,
          kind: null,
          agg: null,
          order: null,
          measure: measure === "bytes" ? null : measure,
          row: null,
          sort: null,
        });

  function head() {
    const q = question();
    const metric = byMetric();
    return html`<div class="tb">
      <h1>Top talkers</h1>
      ${metric
        ? nothing
        : segments(
            q.by,
            Object.entries(DIMENSIONS).map(([id, [, , words]]) => [id, words]),
            setBy,
            "What is ranked",
          )}
      <span class="m">by</span>
      <label class="ctl pick-one"
        ><select aria-label="Measure" @change=${(e) => setMeasure(e.target.value)}>
          ${Object.entries(MEASURES).map(
            ([id, [words]]) => html`<option value=${id} ?selected=${!metric && id === q.measure}>${words}</option>`,
          )}
          <option value="metric" ?selected=${metric}>Any metric…</option>
        </select></label
      >
      ${metric
        ? metricControls()
        : html`${directed(q)
            ? segments(q.direction, DIRECTIONS, (v) => amend({ direction: v, row: null }), "Direction")
            : nothing}${trafficSelect()}${servicesButton(filters())}`}
    </div>`;
  }

  const filters = () => {
    const q = question();
    return { ...filterQuery(q, scopeId()), direction: q.direction };
  };

  const links = () =>
    html`<a class="link" href=${href("/top-talkers/flows", kept())}>Flows</a
      ><a class="link" href=${href("/top-talkers/reports")}>Reports</a
      ><a class="link" href=${href("/top-talkers/networks")}>Networks</a><button class="link" @click=${csv}>CSV</button
      ><button
        class="link"
        ?disabled=${!may("operator")}
        title=${may("operator") ? "Keep this question, send it, or be notified of a share" : NEEDS}
        @click=${report}
      >
        Save report
      </button>`;

  /** The share of the whole that those have which are drawn by name. */
  const shareShown = (d) => layered(d, isHot).all.reduce((n, i) => n + (i.share ?? 0), 0);

  const isApart = (d) => (param("chart") ? param("chart") === "lines" : d !== null && shareShown(d) < HALF);

  function chart() {
    const d = data();
    const q = question();
    const metric = byMetric();
    const { from, to } = range();
    const title = !d
      ? "\u00a0"
      : metric
        ? d.metricName
        : q.measure === "peak"
          ? `${d.text(d.total)} in the busiest minute`
          : `${d.text(d.total)} ${["bytes", "rate"].includes(q.measure) ? "" : `${MEASURES[q.measure][0].toLowerCase()} `}${directed(q) ? VERBS[q.direction] : "in all"}`;
    // Layers tell of the whole; where the first ones carry less than half of it, they are told apart by lines.
    const lines = metric || isApart(d);
    const said = () => {
      if (metric) return `${metricWords()}, ${plural(d.ranked, "object")} ranked`;
      const { all } = layered(d, isHot);
      const unit = lines
        ? spec.apart(d, hotKeys(), d.from, d.to).units.unit
        : d.lineScale((d.sparklineTotal ?? []).reduce((m, v) => Math.max(m, v ?? 0), 0)).unit;
      return `${q.traffic ? `${TRAFFIC[q.traffic]}, ` : ""}by ${d.one}, ${unit}${q.measure === "peak" || !all.length || (q.direction === "both" && directed(q)) ? "" : `; the top ${all.length} of ${count(d.talkers)} carry ${percent(shareShown(d))}`}`;
    };
    return html`<section class="pane talk-chart" aria-label="Over time">
      <div class="ph">
        <h2>${title}</h2>
        <span class="m cut">${d ? said() : nothing}</span>
        <span class="sp"></span>
        <span class="m nw prio-3">${lines ? "drag to zoom" : "drag to zoom, click a layer to keep only it"}</span>
        ${metric || !d?.items.length
          ? nothing
          : html`<span class="prio-3"
              >${segments(
                lines ? "lines" : "layers",
                [
                  ["lines", "Lines"],
                  ["layers", "Layers"],
                ],
                (v) => amend({ chart: v }, { replace: true }),
                "Chart",
              )}</span
            >`}
      </div>
      <div class="talk-plot">
        ${loaded(
          load(),
          () =>
            metric
              ? html`<series-chart .spec=${spec.lines(d, from, to)}></series-chart>`
              : lines
                ? html`<series-chart .spec=${spec.apart(d, hotKeys(), d.from, d.to)}></series-chart>`
                : html`<stack-chart .spec=${spec.stack(d, hotKeys(), param("row"), d.from, d.to, only)}></stack-chart>`,
          { rows: 4, isEmpty: () => !d.items.length && !(d.total > 0), empty: "Nothing to draw in this range." },
        )}
      </div>
    </section>`;
  }

  function tablePane() {
    const d = data();
    const q = question();
    const metric = byMetric();
    const shades = metric || !d ? () => null : colours(d, hotKeys(), isApart(d));
    const notes = d && (d.items.length || d.total) ? honestly(d) : "";
    return html`<section class="pane ranking" aria-label="Ranking">
      ${!metric && q.by === "network" && d && !d.items.length && d.total > 0
        ? html`<div class="empty">
            No network that has traffic here has a name.
            <a class="acc" href=${href("/top-talkers/networks")}>Name networks</a>; it holds for flows that arrive from
            then on.
          </div>`
        : nothing}
      ${!metric && d?.hint ? html`<div class="empty">${d.hint}</div>` : nothing}
      ${loaded(
        load(),
        () =>
          d.items.length || d.total > 0
            ? talkerTable({
                data: d,
                rows,
                columns: columnsNow(),
                hot: isHot,
                colour: shades,
                open,
                none: metric ? "" : DIMENSIONS[q.by][3],
              })
            : emptyWords(q, metric),
        { rows: 14 },
      )}
      <div class="foot-line">
        <label class="row"
          >First<select
            class="quiet-select"
            aria-label="How many"
            @change=${(e) =>
              amend({ limit: e.target.value === String(LIMITS[0]) ? null : e.target.value }, { replace: true })}
          >
            ${LIMITS.map((n) => html`<option value=${n} ?selected=${n === limit()}>${count(n)}</option>`)}
          </select></label
        >
        <span class="cut" title=${notes}>${notes}</span>
        <span class="sp"></span>
        ${columnsNow().button()}
      </div>
    </section>`;
  }

  const colours = memo((d, hot, apart) => {
    const drawn = apart
      ? spec.apart(d, hot, d.from, d.to).series
      : spec.stack(d, hot, param("row"), d.from, d.to, only).layers;
    const of = new Map(drawn.map((l) => [l.key, l.colour]));
    return (id) => of.get(id) ?? null;
  });

  function emptyWords(q, metric) {
    const { from, to } = range();
    if (metric) return html`<div class="empty">No object of this kind has a value of it in this range.</div>`;
    if (isNarrowed(q))
      return html`<div class="empty">
        Nothing matches in this range.
        <button class="link" @click=${() => amend({ ...NOTHING_NARROWED, row: null })}>Drop what narrows it</button>
      </div>`;
    if (scopeId())
      return html`<div class="empty">
        No traffic of ${scopeName()} in this range.
        <a class="acc" href=${href("/top-talkers", { scope: null })}>All traffic</a>
      </div>`;
    if (ever.data && !(ever.data.total > 0)) return connectWords();
    return html`<div class="empty">
      No flows in these ${duration(to - from)}. Those of the last minutes are ranked once they are rolled up, every 5
      minutes. <button class="link" @click=${() => amend({ range: "24h", from: null, to: null })}>Last 24 hours</button>
    </div>`;
  }

  const there = () => data() !== null;
  return {
    title: "Top talkers",
    name: "talkers",
    update,
    escape: () => rows.escape(),
    keys: () => ({
      ...rows.keys({ selecting: false }),
      Enter: [() => open(rows.chosen()), "Only the row, one level down", there],
      Backspace: [up, "One level up"],
      F: [() => go("/top-talkers/flows", kept()), "Flows of this"],
      B: [() => showServices(filters()), "Services"],
      S: [report, "Save as a report"],
      "/": [() => document.querySelector(".talkers [aria-label=Measure]")?.focus(), "Measure"],
      Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    }),
    view() {
      read();
      const chosen = byMetric() ? null : (rows.chosen() ?? null);
      return html`${head()}${byMetric()
          ? html`<div class="narrow">
              <span class="sp"></span>
              <a class="link" href=${href("/top-talkers")}>Traffic</a>
              <button class="link" @click=${csv}>CSV</button>
            </div>`
          : filterLine(filters(), links())}${chart()}
        <div class="talk-cols ${byMetric() ? "alone" : ""}">
          ${tablePane()}${byMetric() || !data() || (!data().items.length && !(data().total > 0))
            ? nothing
            : html`<div class="talk-side">
                ${who.view(MEASURES[question().measure][0].toLowerCase())}${behind.view({
                  q: question(),
                  row: chosen,
                  data: data(),
                  health: chosen?.talker.object && isHot(chosen) ? health.of(chosen.talker.object.id) : null,
                  open,
                })}
              </div>`}
        </div>`;
    },
  };
}
