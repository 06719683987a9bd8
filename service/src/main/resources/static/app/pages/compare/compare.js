// Two periods compared: before and after a change, or any two, of the same objects or of different ones. The address
// holds what is compared.
import { html, nothing, repeat } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { changeText } from "../../core/changes.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { DAY, duration, moment, windowText } from "../../core/time.js";
import { amend, back, href, param, place } from "../../core/url.js";
import { zoneName } from "../../core/zone.js";
import { showPalette } from "../../frame/palette.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { whenField } from "../../parts/when.js";
import { CompareCharts } from "./charts.js";
import { chance, interval, judgementShape, judgementWord, percent, share, unitOf, widest } from "./words.js";
import { showMetricPicker } from "../objects/picker.js";

const LENGTHS = ["1h", "6h", "1d", "3d", "7d", "14d", "31d"];
const USUAL = "7d";
const STEP = 300_000;
const list = (name) => param(name).split(",").filter(Boolean);

/** The week until now and the one before it, on full steps. */
function usualPeriods() {
  const now = Math.floor(Date.now() / STEP) * STEP;
  return { a: [now - 14 * DAY, now - 7 * DAY], b: [now - 7 * DAY, now] };
}

export function page() {
  const usual = usualPeriods();
  const goals = new Load((signal) => get("/goals", {}, signal));
  const named = new Load((ids, signal) => post("/objects/query", { ids, limit: ids.length }, signal));
  const metrics = new Load((id, signal) => get(`/objects/${id}/metrics`, {}, signal));
  const answer = new Load(({ path, query, body }, signal) =>
    body ? post(path, body, signal) : get(path, query, signal),
  );
  const charts = new CompareCharts();

  const change = () => param("change");
  const keys = () => place.query.getAll("m");
  const time = (name, otherwise) => Date.parse(param(name)) || otherwise;
  const side = (name) => ({
    objects: name === "b" && !list("b").length ? list("a") : list(name),
    from: time(`${name}f`, usual[name][0]),
    to: time(`${name}t`, usual[name][1]),
  });
  const body = ({ objects, from, to }) => ({ objects, from: String(from), to: String(to) });

  function asked() {
    const goal = param("goal") || undefined;
    if (change())
      return {
        path: `/changes/${change()}/impact`,
        query: {
          before: param("before", USUAL),
          after: param("after", USUAL),
          goal: keys().length ? undefined : goal,
          keys: keys(),
          zone: zoneName(),
        },
      };
    if (!side("a").objects.length) return null;
    return {
      path: "/comparisons",
      body: {
        a: body(side("a")),
        b: body(side("b")),
        zone: zoneName(),
        ...(keys().length ? { keys: keys() } : { goal: goal ?? "balanced" }),
      },
    };
  }

  function update() {
    goals.want();
    const wanted = asked();
    if (wanted) answer.want(wanted);
    else answer.reset();
    const ids = [...new Set([...list("a"), ...list("b")])];
    if (ids.length) named.want(ids);
  }

  const name = (id) => named.data?.items.find((o) => o.id === id)?.name ?? "\u2026";
  const firstObject = () => answer.data?.a.objects[0]?.id ?? list("a")[0] ?? null;
  const add = (to) =>
    showPalette({
      label: "Compare which object",
      choose: (o) => amend({ [to]: [...new Set([...list(to), o.id])].join(",") }),
    });
  const pick = () => {
    const items = metrics.data?.items;
    if (items)
      showMetricPicker(
        items,
        () => (keys().length ? keys() : []),
        (chosen) => amend({ m: (chosen ?? []).slice(0, 50), goal: null }, { replace: true }),
      );
  };
  const link = () => copy(location.href, "Link copied; it shows this comparison");
  const swap = () => {
    if (change()) return;
    const { a, b } = { a: side("a"), b: side("b") };
    amend({
      a: b.objects.join(","),
      af: new Date(b.from).toISOString(),
      at: new Date(b.to).toISOString(),
      b: a.objects.join(","),
      bf: new Date(a.from).toISOString(),
      bt: new Date(a.to).toISOString(),
    });
  };

  function periodFields(which, title) {
    const { objects, from, to } = side(which);
    const same = which === "b" && !list("b").length;
    const put = (key, at) => amend({ [which + key]: new Date(at).toISOString() }, { replace: true });
    return html`<fieldset class="compare-side">
      <legend>${title}</legend>
      <div class="row wrap">
        ${same
          ? html`<span class="m">${objects.length ? "of the same objects" : "of which objects?"}</span>`
          : repeat(
              objects,
              (id) => id,
              (id) =>
                html`<span class="chip"
                  ><a href=${href(`/objects/${id}`)}>${name(id)}</a
                  ><button
                    class="icon"
                    aria-label=${`Without ${name(id)}`}
                    @click=${() =>
                      amend({
                        [which]: list(which)
                          .filter((o) => o !== id)
                          .join(","),
                      })}
                  >
                    ${icon("close", 10)}
                  </button></span
                >`,
            )}
        <button class="ctl" @click=${() => add(which)}>
          ${same ? "Of others\u2026" : objects.length ? "Add object\u2026" : "Choose object\u2026"}
        </button>
      </div>
      <div class="row wrap">
        <label class="row nw">From ${whenField({ value: from, change: (at) => put("f", at) })}</label>
        <label class="row nw">to ${whenField({ value: to, change: (at) => put("t", at) })}</label>
        <span class="m nw">${duration(to - from)}</span>
      </div>
    </fieldset>`;
  }

  function changeFields() {
    const c = answer.data?.change;
    const note = c?.recorded?.note ? html`<br /><span class="m">${c.recorded.note}</span>` : nothing;
    const length = (key, words) =>
      html`<label class="row nw"
        >${words}
        <select class="field" @change=${(e) => amend({ [key]: e.target.value }, { replace: true })}>
          ${[...new Set([...LENGTHS, param(key, USUAL)])].map(
            (l) => html`<option value=${l} ?selected=${l === param(key, USUAL)}>${l}</option>`,
          )}
        </select></label
      >`;
    return html`<div class="compare-change">
      <div class="say">
        ${c
          ? html`<a class="strong" href=${href(`/objects/${c.object.id}`)}>${c.object.name}</a> ${changeText(c)}
              <span class="m">${moment(Date.parse(c.time))}</span>${note}`
          : nothing}
      </div>
      <div class="row wrap">
        ${length("before", "Before it")}${length("after", "After it")}${c
          ? html`<button
              class="link"
              @click=${() =>
                amend({
                  change: null,
                  before: null,
                  after: null,
                  a: c.object.id,
                  af: answer.data.a.from,
                  at: answer.data.a.to,
                  bf: answer.data.b.from,
                  bt: answer.data.b.to,
                })}
            >
              Other periods
            </button>`
          : nothing}
      </div>
    </div>`;
  }

  function subject() {
    const id = firstObject();
    if (id) metrics.want(id);
    const goal = keys().length ? "" : (answer.data?.goal ?? param("goal", "balanced"));
    return html`<section class="pane compare-what" aria-label="What is compared">
      ${change()
        ? changeFields()
        : html`<div class="compare-sides">
            ${periodFields("a", "First period")}${periodFields("b", "Second period")}
          </div>`}
      <div class="row wrap">
        <label class="row nw"
          >Judge by
          <select
            class="field"
            aria-label="Goal"
            @change=${(e) => (e.target.value ? amend({ goal: e.target.value, m: [] }, { replace: true }) : pick())}
          >
            ${(goals.data?.items ?? []).map(
              (g) => html`<option value=${g.id} ?selected=${g.id === goal}>${g.name}</option>`,
            )}
            <option value="" ?selected=${goal === "" || goal === null}>Chosen metrics</option>
          </select></label
        >
        <button class="ctl" ?disabled=${!metrics.data} @click=${pick}>Metrics… <kbd>M</kbd></button>
        ${keys().length ? html`<span class="m">${keys().length} chosen</span>` : nothing}
      </div>
    </section>`;
  }

  return {
    title: "Compare periods",
    name: "compare",
    timed: false,
    update,
    escape: () => back("/explorer"),
    keys: () => ({
      M: [pick, "Choose metrics"],
      ...(change() ? {} : { V: [() => add("a"), "Add an object"], X: [swap, "Swap the periods"] }),
      Y: [link, "Copy a link to this comparison"],
    }),
    view() {
      return html`<div class="tb">
          <h1>Compare periods</h1>
          <span class="sp"></span>
          ${change() ? nothing : html`<button class="ctl" @click=${swap}>Swap <kbd>X</kbd></button>`}
          <button class="ctl" @click=${link}>Copy link <kbd>Y</kbd></button>
        </div>
        ${subject()}
        ${asked()
          ? answer.error && !answer.loading
            ? html`<section class="pane">${failure(answer.error, () => answer.again())}</section>`
            : loaded(answer, (data) => result(data, charts), { rows: 6 })
          : html`<section class="pane words">
              <p class="say">
                Choose an object to compare two of its periods, such as before and after an update, or choose different
                objects for them, such as two test runs.
              </p>
            </section>`}`;
    },
  };
}

/** What changed most first; what could not be judged last. */
const arranged = memo((data) => {
  const rank = ({ judgement }) => (judgement === "not-enough-data" ? 2 : judgement === "same" ? 1 : 0);
  const size = (m) => Math.abs(share(m, m.shift) ?? 0);
  return { ...data, metrics: [...data.metrics].sort((x, y) => rank(x) - rank(y) || size(y) - size(x)) };
});

function result(answer, charts) {
  const data = arranged(answer);
  return html`<section class="pane verdict" aria-label="Verdict">
      <h2>${judgementShape(data.judgement, 16)} ${data.verdict}</h2>
      <p class="m">
        ${windowText({ from: Date.parse(data.a.from), to: Date.parse(data.a.to) })} against
        ${windowText({ from: Date.parse(data.b.from), to: Date.parse(data.b.to) })}${data.index === null
          ? nothing
          : html`; index ${Math.round(data.index)}, where 50 is no change, 100 twice as good and 0 twice as bad`}.
      </p>
      ${data.warnings.length
        ? html`<ul class="compare-warnings">
            ${data.warnings.map((w) => html`<li>${w.text}</li>`)}
          </ul>`
        : nothing}
    </section>
    ${data.metrics.length ? html`${table(data)} ${charts.view(data)}` : nothing}`;
}

function table(data) {
  const most = widest(data.metrics);
  const row = (m) => {
    const u = unitOf(m);
    const tail = m.tail !== m.level && m.tail !== "same";
    return html`<tr>
      <td class="strong" title=${m.key}>${m.name}</td>
      <td class="r nw">${u.text(m.a.median)}</td>
      <td class="r nw">${u.text(m.b.median)} <span class="m">${u.unit}</span></td>
      <td class="r prio-3 i2">${u.text(m.a.p95)}</td>
      <td class="r prio-3 i2">${u.text(m.b.p95)}</td>
      <td class="r nw" title=${`${u.signed(m.low)} to ${u.signed(m.high)} ${u.unit}`}>${percent(share(m, m.shift))}</td>
      <td>${interval(m, most)}</td>
      <td
        class="r prio-3 m"
        title=${`worth ${Math.round(m.a.effective ?? 0)} and ${Math.round(m.b.effective ?? 0)} independent values`}
      >
        ${chance(m.p)}
      </td>
      <td>
        <span class="row nw"
          >${judgementShape(m.judgement)}
          ${judgementWord(m.judgement)}${tail
            ? html` <span class="m">highest ${judgementWord(m.tail)}</span>`
            : nothing}</span
        >
      </td>
      <td class="r prio-3 m nw">${Math.round(m.a.coverage * 100)}, ${Math.round(m.b.coverage * 100)} %</td>
    </tr>`;
  };
  return pane({
    title: "Metrics",
    name: "compare-metrics",
    note: `change of the level with its 95 % interval; the edge of the picture is ${Math.round(most * 100)} %`,
    body: html`<div class="wide">
      <table>
        <colgroup>
          <col />
          <col class="w-n" />
          <col class="w-n2" />
          <col class="w-n prio-3" />
          <col class="w-n prio-3" />
          <col class="w-n" />
          <col class="w-interval" />
          <col class="w-n prio-3" />
          <col class="w-judged" />
          <col class="w-n2 prio-3" />
        </colgroup>
        <thead>
          <tr>
            <th>Metric</th>
            <th class="r">First</th>
            <th class="r">Second</th>
            <th class="r prio-3" title="95th percentile of the first period">95 % first</th>
            <th class="r prio-3" title="95th percentile of the second period">second</th>
            <th class="r">Change</th>
            <th title="no change in the middle">Interval</th>
            <th class="r prio-3" title="how probable such a shift is without a change, adjusted for all metrics">p</th>
            <th>Judgement</th>
            <th class="r prio-3" title="share of five-minute means that are there, in both periods">Data</th>
          </tr>
        </thead>
        <tbody>
          ${repeat(data.metrics, (m) => m.key, row)}
        </tbody>
      </table>
    </div>`,
  });
}
