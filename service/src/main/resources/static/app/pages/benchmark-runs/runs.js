// Benchmark runs: what was tested carries so much at a latency, by the curve of runs that differ in one parameter; the
// runs themselves, and two of them beside each other.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { amend, filterToAddress, go, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { searchBox } from "../../parts/small.js";
import { COLUMNS, newest, ORDERS, runAddress } from "./columns.js";
import { Comparison } from "./comparison.js";
import { chosenCriteria, kept } from "./criteria.js";
import { curvePane, latencyKind } from "./curve-pane.js";
import { ALL, runFilters } from "./filters.js";
import { Reading } from "./reading.js";
import { headline, namedCurves, proposedLimit, workload } from "./words.js";

/** As many as curves are read of. */
const MOST = 500;

export function page() {
  const all = new Load((signal) => get("/benchmark-runs", { limit: MOST }, signal));
  // Of one object or import, where the newest of all are not all.
  const some = new Load((object, benchmarkImport, signal) =>
    get("/benchmark-runs", { object, benchmarkImport, limit: MOST }, signal),
  );
  const first = new Load((body, signal) => post("/benchmark-runs/curves", body, signal));
  const curves = new Load((body, signal) => post("/benchmark-runs/curves", body, signal));
  const reading = new Reading();
  const comparison = new Comparison();
  let typed = param("q");
  const toAddress = filterToAddress();

  const objects = memo((items) => [
    ...new Map(items.filter((r) => r.object).map((r) => [r.object.id, r.object])).values(),
  ]);
  const known = () => all.data?.items ?? [];
  const importId = () => param("import") || null;

  /** What was tested: that of the address, else that of the newest run; null = all. */
  function tested() {
    const wanted = param("tested");
    if (wanted === ALL || importId()) return null;
    return wanted || (known().find((run) => run.object)?.object.id ?? null);
  }
  const testedName = () => objects(known()).find((o) => o.id === tested())?.name ?? null;

  const chosenItems = memo((items, object, benchmarkImport) =>
    items.filter(
      (run) => (!object || run.object?.id === object) && (!benchmarkImport || run.benchmarkImport === benchmarkImport),
    ),
  );
  const partial = () => (all.data?.total ?? 0) > MOST && Boolean(tested() || importId());
  const source = () => (partial() ? some : all);
  const runs = () => source().data && chosenItems(source().data.items, tested(), importId());

  const matching = memo((items, text) => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return items.filter((run) => {
      const told = `${run.name} ${run.note ?? ""} ${run.tool} ${workload(run)} ${run.object?.name ?? ""} ${Object.values(run.parameters).join(" ")}`;
      return words.every((w) => told.toLowerCase().includes(w));
    });
  });
  const rows = new Rows({
    main: "benchmark-runs",
    items: () => runs() && matching(runs(), typed),
    asked: () => [typed, param("sort"), tested(), importId()],
    compare: (a, b) => ordered(ORDERS, "newest", newest)(a, b),
    address: runAddress,
    go,
  });
  const columns = choosable("benchmark-runs", {
    definitions: COLUMNS,
    usual: ["name", "tool", "outstanding", "iops", "p95", "p99", "steady"],
    fixed: ["name"],
  });

  const theoretical = () => {
    const [each, parts] = [Number(param("each")), Number(param("parts"))];
    return each > 0 && parts >= 1 ? { each, count: Math.round(parts), part: param("part", "parts") } : null;
  };
  /** Nodes of the address, else those that people gave all these runs. */
  const nodes = () => {
    if (Number(param("nodes")) >= 1) return Math.round(Number(param("nodes")));
    const said = new Set((runs() ?? []).map((run) => run.parameters.nodes));
    const one = said.size === 1 ? Number([...said][0]) : NaN;
    return one >= 1 && one <= 10_000 ? Math.round(one) : null;
  };
  const question = (limit) => ({
    ...(tested() ? { object: tested() } : {}),
    ...(importId() ? { benchmarkImport: importId() } : {}),
    // Without a choice the newest are read, for more than these are too many at once.
    ...(!tested() && !importId() ? { runs: known().map((run) => run.id) } : {}),
    latency: latencyKind(),
    ...(limit ? { limit } : {}),
    ...(nodes() ? { nodes: nodes() } : {}),
    ...(theoretical() ? { theoretical: theoretical() } : {}),
  });

  const named = memo((data, items) => (data && items ? namedCurves(data.curves, items) : []));
  const shownCurves = () => named((curves.data ?? first.data) || null, runs());

  /** The curve that the address names, else the first. */
  function chosen(list = shownCurves()) {
    const wanted = param("series");
    const alike = list.filter((c) => c.label === wanted);
    const from = alike.length ? alike : list;
    return from.find((c) => c.curve.parameter === param("varies")) ?? from[0] ?? null;
  }
  const proposed = memo((curve) => curve && proposedLimit(curve.points));
  function limit() {
    const own = Number(param("limit"));
    if (own > 0) return own;
    const basis = chosen(named(first.data, runs()));
    return basis ? proposed(basis.curve) : null;
  }

  const marked = (name) => (runs() ?? []).find((run) => run.id === param(name)) ?? null;

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    columns.arrive();
  }

  function want() {
    all.want();
    kept.want();
    if (partial()) some.want(tested(), importId());
    const items = runs();
    if (!items?.length) return;
    const own = Number(param("limit")) > 0;
    if (!own) first.want(question(null));
    if (own || (first.data && !first.loading)) {
      const at = limit();
      if (at) curves.want(question(at));
    }
    reading.want({ chosen: chosen(), theoretical: theoretical() });
    comparison.want(marked("a"), marked("b"));
  }

  function mark(run) {
    if (!run) return notice("Choose a run first, with J and K or the mouse.");
    const [a, b] = [param("a"), param("b")];
    if (run.id === a) return amend({ a: b || null, b: null }, { replace: true });
    if (run.id === b) return amend({ b: null }, { replace: true });
    amend(a ? { b: run.id } : { a: run.id }, { replace: true });
  }

  function compare() {
    const run = rows.chosen();
    if (param("a") && !param("b") && run && run.id !== param("a")) mark(run);
    if (!param("a") || !param("b")) return notice("Mark two runs first, with X.");
    const pane = /** @type {HTMLElement} */ (document.querySelector(".comparison-pane"));
    pane?.scrollIntoView({ block: "nearest" });
    pane?.focus({ preventScroll: true });
  }

  function setFilter(text) {
    toAddress.cancel();
    typed = text;
    amend({ q: text.trim() }, { replace: true });
  }

  const bring = () => go("/benchmark-runs/import", tested() ? { object: tested() } : {});

  const bringButton = (cls = "ctl primary") =>
    html`<button class=${cls} ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${bring}>
      Bring a result folder
    </button>`;

  const letters = (run) => (run.id === param("a") ? "A" : run.id === param("b") ? "B" : "");

  const row = (run) => {
    const letter = letters(run);
    return html`<tr
      class=${letter || rows.isOn(run) ? "sel" : ""}
      aria-selected=${run.id === param("row")}
      @click=${(e) => e.target.closest("a, button, label") || rows.choose(run)}
      @dblclick=${(e) => e.target.closest("a, button, label") || rows.open(run)}
    >
      <td class="l-shape pick">
        <button
          class="run-mark"
          aria-pressed=${letter !== ""}
          aria-label=${`${letter ? `${letter}, unmark` : "Mark"} ${run.name}`}
          @click=${() => mark(run)}
        >
          ${letter}
        </button>
      </td>
      ${cells(columns.shown(), run)}
    </tr>`;
  };

  function runsPane() {
    const items = runs();
    const beyond = source().data && source().data.total > source().data.items.length;
    const list = items ? rows.list() : [];
    return html`<section class="pane runs-pane" aria-label="Runs">
      <div class="ph">
        <h2>Runs</h2>
        <span class="m cut"
          >${items
            ? `${count(items.length)}${param("a") && param("b") ? ", marked ones are compared" : ""}`
            : nothing}</span
        >
        <span class="sp"></span>
        ${searchBox({
          value: typed,
          placeholder: "name, note, parameter",
          type: (text) => {
            typed = text;
            toAddress(typed.trim());
          },
        })}
        ${columns.button()}
      </div>
      ${items === null
        ? loaded(source(), () => nothing, { rows: 8 })
        : list.length
          ? rows.box(columns.table({ lead: "w-state", leadWidth: 34, room: 80, usual: "newest" }, rows.body(list, row)))
          : html`<div class="empty">
              No run matches. <button class="link" @click=${() => setFilter("")}>Drop the filter</button>
            </div>`}
      <div class="foot-line keys-said">
        <span><kbd>X</kbd> mark</span><span><kbd>V</kbd> compare</span><span><kbd>Enter</kbd> open</span>${beyond
          ? html`<span>the newest ${count(source().data.items.length)} of ${count(source().data.total)}</span>`
          : nothing}
      </div>
    </section>`;
  }

  function curvePart() {
    const load = curves.data || curves.error ? curves : first;
    if (load.error && !load.loading)
      return html`<section class="pane curve-pane">${failure(load.error, () => load.again())}</section>`;
    const list = shownCurves();
    const now = chosen(list);
    if (now) {
      const others = list.filter((c) => c !== now && c.curve.parameter === now.curve.parameter && c.name === now.name);
      return html`${curvePane({ chosen: now, others, limit: curves.data ? limit() : null })}
      ${reading.view({ chosen: now, limit: limit() })}`;
    }
    return html`<section class="pane curve-pane wide-pane" aria-label="Load and latency">
      ${first.data || curves.data
        ? html`<div class="empty">
            <b>No curve yet.</b> Runs that differ in one parameter only, such as outstanding IO, become a curve of load
            and latency; among ${plural((runs() ?? []).length, "run")} here no two do.
          </div>`
        : loaded(first, () => nothing, { rows: 6 })}
    </section>`;
  }

  const empty = () =>
    html`<section class="pane words">
      <p class="say">
        Bring the result folder of fio, vdbench, HCIBench, DiskSpd, IOBlazer, IOMeter or Login Enterprise, as a ZIP or
        as it is. Runs that differ in one parameter become a curve, and each is shown as a change on what was tested.
      </p>
      <p class="say row wrap">${bringButton()}<span class="m s12">or at a command line</span></p>
      <pre class="payload">./peerlens import-run FOLDER --object CLUSTER</pre>
      <p class="m">
        For the whole picture let fio write <code>--output-format=json+</code> and logs by interval
        (<code>--write_iops_log</code>, <code>--write_lat_log</code>, <code>--log_avg_msec=1000</code>).
      </p>
    </section>`;

  const title = () => {
    const items = runs();
    if (!items) return "Benchmark runs";
    if (!items.length) return all.data.total ? "No run of this kind." : "No benchmark run yet.";
    const now = chosen();
    if (!now && !first.data && !curves.data) return plural(items.length, "benchmark run");
    return headline(testedName(), now?.curve ?? null, items.length);
  };

  function keys() {
    const { X: _select, ...moves } = rows.keys({ selecting: false });
    return {
      ...moves,
      X: [() => mark(rows.chosen()), "Mark the run, unmark it", () => runs() !== null],
      V: [compare, "Compare the marked runs", () => runs() !== null],
      ...(may("operator") ? { C: [bring, "Bring a result folder"] } : {}),
    };
  }

  return {
    title: "Benchmark runs",
    name: "benchmark-runs",
    timed: false,
    update,
    keys,
    escape: () => leaveField() || (param("a") ? amend({ a: null, b: null }, { replace: true }) : rows.escape()),
    acts: () => (all.data?.total ? bringButton() : nothing),
    view() {
      want();
      const none = all.data && !all.data.total;
      if (all.error && !all.data) return html`<section class="pane">${failure(all.error, () => all.again())}</section>`;
      const criteria = chosenCriteria();
      return html`<div class="top">
          <h1 class="lead">${title()}</h1>
          <span class="sp"></span>
          ${criteria ? html`<span class="m s12 nw">Criteria: ${criteria.name}</span>` : nothing}
          ${narrow() || none ? nothing : bringButton()}
        </div>
        ${none
          ? empty()
          : html`${runFilters({
                objects: objects(known()),
                tested: importId() ? "" : (tested() ?? ALL),
                ofImport: importId() !== null,
                curves: shownCurves(),
                chosen: chosen(),
                limit: limit(),
                nodes: nodes(),
                theoretical: theoretical(),
              })}
              <div class="runs-grid">
                ${curvePart()} ${runsPane()}
                ${comparison.view({
                  a: marked("a"),
                  b: marked("b"),
                  swap: () => amend({ a: param("b"), b: param("a") }, { replace: true }),
                  clear: () => amend({ a: null, b: null }, { replace: true }),
                })}
              </div>`}`;
    },
  };
}
