// The delivery log: every notification with its state, attempts and answer; what is over can be sent again, what waits
// dropped.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, HOUR, lastTick, spanName, span } from "../../core/time.js";
import { amend, go, href, param } from "../../core/url.js";
import { cells, choosable } from "../../parts/columns.js";
import { asCsv, download } from "../../parts/download.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { Rows } from "../../parts/rows.js";
import { whenField } from "../../parts/when.js";
import { DeliveryDetail, deliveryTitle, drop, replay } from "./delivery.js";
import { DELIVERY_TABLE } from "./delivery-columns.js";
import { words } from "../../core/filter.js";
import { DELIVERY_EVENTS, deliveryShape, isOver, OVER, STATE_NAMES, stateWord } from "./words.js";

const PAGE = 500;
const MOST = 5000;
const SPANS = ["1h", "6h", "24h", "7d", "30d"];
const SINCE = "24h";
const BELOW = "6h";

/** Many at once: what matches is counted before anything is sent. */
function showReplay({ target = null, rule = null, template = null, targets = [], rules = [], from, to, done }) {
  if (!may("operator")) return notice(NEEDS);
  const state = {
    target: target ?? "",
    rule: rule ?? "",
    status: ["dead"],
    from,
    to,
    busy: false,
    error: null,
    result: null,
  };
  const body = (dryRun) => ({
    ...(state.target ? { target: state.target } : {}),
    ...(state.rule ? { rule: state.rule } : {}),
    ...(template ? { template } : {}),
    state: state.status,
    from: new Date(state.from).toISOString(),
    to: new Date(state.to).toISOString(),
    dryRun,
  });
  const counted = new Load((b, signal) => post("/deliveries/replay", JSON.parse(b), signal));
  const valid = () => state.status.length > 0 && state.from < state.to;
  const set = (part) => (Object.assign(state, part), redraw());
  const send = async (e) => {
    e.preventDefault();
    state.busy = true;
    state.error = null;
    redraw();
    try {
      const { replayed } = await post("/deliveries/replay", body(false));
      closeLayer();
      notice(`${plural(replayed, "delivery", "deliveries")} sent again, in their order`, { seconds: 6 });
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  showLayer(
    "dialog",
    () => {
      if (valid()) counted.want(JSON.stringify(body(true)));
      const n = valid() && counted.data && !counted.loading ? counted.data.matched : null;
      return html`<form class="form-lines" @submit=${send}>
        <h2 class="title">Send many again${template ? html` <span class="m">made by ${template}</span>` : nothing}</h2>
        <div class="two-fields">
          <label class="lab"
            >To<select
              class="field"
              aria-label="Target"
              ?disabled=${Boolean(target)}
              @change=${(e) => set({ target: e.target.value })}
            >
              <option value="">every target</option>
              ${targets.map((t) => html`<option value=${t.id} ?selected=${t.id === state.target}>${t.name}</option>`)}
            </select></label
          >
          <label class="lab"
            >By<select
              class="field"
              aria-label="Rule"
              ?disabled=${Boolean(rule)}
              @change=${(e) => set({ rule: e.target.value })}
            >
              <option value="">every rule</option>
              ${rules.map((r) => html`<option value=${r.id} ?selected=${r.id === state.rule}>${r.name}</option>`)}
            </select></label
          >
          <label class="lab"
            >Made from${whenField({ label: "From", value: state.from, change: (at) => set({ from: at }) })}</label
          >
          <label class="lab"
            >until${whenField({ label: "To", value: state.to, change: (at) => set({ to: at }) })}</label
          >
        </div>
        <div class="row wrap" role="group" aria-label="States">
          ${OVER.map(
            (s) =>
              html`<label class="check"
                ><input
                  type="checkbox"
                  .checked=${state.status.includes(s)}
                  @change=${() =>
                    set({
                      status: OVER.filter((x) => (x === s ? !state.status.includes(s) : state.status.includes(x))),
                    })}
                /><span aria-hidden="true">${deliveryShape(s)}</span>${stateWord(s)}</label
              >`,
          )}
        </div>
        <p role="status">
          ${!valid()
            ? html`<span class="warn">Choose a state, and an end after the start.</span>`
            : counted.error && !counted.loading
              ? html`<span class="crit">${counted.error.message}</span>`
              : n === null
                ? html`<span class="m">counting…</span>`
                : html`<b>${plural(n, "delivery", "deliveries")}</b> would be sent again: the same bytes under the same
                    ids, in their order.`}
        </p>
        ${state.error ? failure(state.error) : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${!n || state.busy}>Send ${n === null ? "" : count(n)} again</button>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        </div>
      </form>`;
    },
    { label: "Send many again" },
  );
}

/** Reads pages until there are no more, or as many as a list holds. */
async function readDeliveries(query, signal, most = MOST) {
  const items = [];
  let cursor = null;
  do {
    const page = await get("/deliveries", { limit: PAGE, ...query, cursor }, signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor && items.length < most);
  return { items, more: Boolean(cursor) };
}

/** Words of the filter box that the service looks for: "template:slack event:cancel error:429". */
export function asked(text) {
  const found = { template: null, event: [], error: null };
  const left = words(text).filter((w) => {
    const [, key, value] = /^(template|event|error):(.*)$/i.exec(w) ?? [];
    if (!key || !value) return true;
    if (key !== "event") found[key] = value;
    else if (DELIVERY_EVENTS.some(([e]) => e === value.toUpperCase())) found.event.push(value.toUpperCase());
    else return true;
    return false;
  });
  return { ...found, left };
}

export function deliveriesTab(filter) {
  let version = 0;
  const query = () => ({
    target: param("target"),
    rule: param("rule"),
    alert: param("alert"),
    object: param("object"),
    template: param("template") || asked(param("q")).template,
    event: asked(param("q")).event,
    error: asked(param("q")).error,
    state: param("status")
      .split(",")
      .filter((s) => STATE_NAMES.includes(s)),
    since: SPANS.includes(param("since")) ? param("since") : SINCE,
  });
  const load = new Load(({ since, ...q }, _tick, _version, signal) =>
    readDeliveries({ ...q, from: new Date(Date.now() - span(since)).toISOString() }, signal),
  );
  const targets = new Load((_once, signal) => get("/notification-targets", { limit: 1000 }, signal));
  const rules = new Load((_once, signal) => get("/notification-rules", { limit: 1000 }, signal));
  const templates = new Load((_once, signal) => get("/notification-templates", { limit: 1000 }, signal));
  const columns = choosable("notifications.deliveries", DELIVERY_TABLE);
  const detail = new DeliveryDetail({ changed: () => again() });
  const again = () => {
    version++;
    update();
    detail.again();
  };

  const text = (d) =>
    `${d.alertName} ${d.objectName ?? ""} ${d.target.name} ${d.rule?.name ?? ""} ${d.template} ${d.id} A-${d.alertNumber ?? ""} ${d.reason ?? ""}`.toLowerCase();
  const left = memo((items, typed) =>
    items.filter((d) => asked(typed).left.every((w) => text(d).includes(w.toLowerCase()))),
  );
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => [filter.text(), query()],
    compare: (a, b) => b.number - a.number,
    address: (d) => `/notifications/deliveries/${d.id}`,
    go,
  });

  function update() {
    const { state, ...q } = query();
    load.want({ ...q, state }, lastTick(), version);
    targets.want(0);
    rules.want(0);
    templates.want(0);
  }

  const choice = (name, label, options, all) =>
    html`<label class="ctl pick-one"
      ><span class="k">${label}</span
      ><select
        aria-label=${label}
        @change=${(e) => amend({ [name]: e.target.value || null, row: null }, { replace: true })}
      >
        <option value="">${all}</option>
        ${options.map(([v, word]) => html`<option value=${v} ?selected=${v === param(name)}>${word}</option>`)}
      </select></label
    >`;
  const chosen = () => (rows.selected.size ? rows.picked() : [rows.chosen()].filter(Boolean));
  const replayThem = () => {
    const list = chosen().filter((d) => isOver(d) || d.state === "retry");
    return list.length
      ? replay(list, () => {
          rows.clear();
          again();
        })
      : notice("Choose deliveries that are over, with J, K and X or the mouse.");
  };
  const dropThem = () => {
    const list = chosen().filter((d) => !isOver(d));
    return list.length
      ? drop(list, () => {
          rows.clear();
          again();
        })
      : notice("Choose deliveries that wait, with J, K and X or the mouse.");
  };
  const range = () =>
    showReplay({
      target: param("target") || null,
      rule: param("rule") || null,
      template: query().template,
      targets: targets.data?.items ?? [],
      rules: rules.data?.items ?? [],
      from: Date.now() - span(query().since),
      to: Date.now(),
      done: again,
    });
  const save = (format) => {
    const head = [
      "id",
      "number",
      "createdAt",
      "state",
      "event",
      "change",
      "alertNumber",
      "alertName",
      "objectName",
      "severity",
      "target",
      "rule",
      "template",
      "templateVersion",
      "sequence",
      "attempts",
      "answerStatus",
      "tookMillis",
      "endedAt",
      "reason",
    ];
    const list = rows.list();
    download(
      "deliveries",
      format,
      format === "csv"
        ? asCsv([
            head,
            ...list.map((d) =>
              head.map((k) =>
                k === "target" || k === "rule"
                  ? d[k]?.name
                  : k === "answerStatus"
                    ? d.lastAttempt?.status
                    : k === "tookMillis"
                      ? d.lastAttempt?.tookMillis
                      : d[k],
              ),
            ),
          ])
        : JSON.stringify(list, null, 2),
      plural(list.length, "delivery", "deliveries"),
    );
  };

  function head() {
    const operator = may("operator");
    const n = rows.selected.size;
    if (n) {
      const list = rows.picked();
      return html`<b>${count(n)} selected</b
        ><button
          class="ctl low"
          ?disabled=${!operator || !list.some(isOver)}
          title=${operator ? nothing : NEEDS}
          @click=${replayThem}
        >
          Replay</button
        ><button
          class="ctl low"
          ?disabled=${!operator || list.every(isOver)}
          title=${operator ? nothing : NEEDS}
          @click=${dropThem}
        >
          Drop</button
        ><button class="link" @click=${() => rows.clear()}>None</button>`;
    }
    const items = load.data?.items ?? [];
    const sum = STATE_NAMES.map((s) => [s, items.filter((d) => d.state === s).length]).filter(([, c]) => c);
    return html`<h2>${load.data ? plural(items.length, "delivery", "deliveries") : "Delivery log"}</h2>
      <span class="m cut"
        >${sum.map(([s, c]) => `${count(c)} ${stateWord(s)}`).join(", ")}${load.data?.more
          ? "; older ones are not listed"
          : ""}</span
      ><span class="sp"></span> ${choice(
        "target",
        "To",
        (targets.data?.items ?? []).map((t) => [t.id, t.name]),
        "any target",
      )}${choice(
        "rule",
        "By",
        (rules.data?.items ?? []).map((r) => [r.id, r.name]),
        "any rule",
      )}${choice(
        "template",
        "As",
        (templates.data?.items ?? []).map((t) => [t.id, t.id]),
        "any template",
      )}${choice(
        "status",
        "State",
        [...STATE_NAMES.map((s) => [s, stateWord(s)]), ["waiting,sending,retry", "on its way"]],
        "any state",
      )}${choice(
        "since",
        "Of",
        SPANS.filter((s) => s !== SINCE).map((s) => [s, spanName(s).toLowerCase()]),
        "last 24 hours",
      )}
      ${param("object")
        ? html`<button class="ctl low" @click=${() => amend({ object: null }, { replace: true })}>
            of one object ×
          </button>`
        : nothing}${param("alert")
        ? html`<button class="ctl low" @click=${() => amend({ alert: null }, { replace: true })}>
            of one alert ×
          </button>`
        : nothing}<button class="link" ?disabled=${!items.length} @click=${() => save("csv")}>CSV</button
      ><button class="link" ?disabled=${!items.length} @click=${() => save("json")}>JSON</button>`;
  }

  const row = (d) =>
    html`<tr
      class="${rows.isOn(d) ? "sel" : ""} ${d.state === "dropped" ? "quiet" : ""}"
      aria-selected=${rows.selected.has(d.id)}
      @click=${(e) => rows.click(e, d)}
      @dblclick=${() => rows.open(d)}
    >
      ${rows.pick({ ...d, name: deliveryTitle(d) }, deliveryShape(d.state))}${cells(columns.shown(), d)}
    </tr>`;

  return {
    name: "Delivery log",
    load,
    columns,
    params: ["target", "rule", "alert", "object", "template", "status", "since"],
    filter: "alert, object, id, error:429 event:cancel",
    buttons: () =>
      html`<button class="ctl" ?disabled=${!may("operator")} title=${may("operator") ? nothing : NEEDS} @click=${range}>
        Replay a range…
      </button>`,
    update,
    head,
    keys: () => ({
      ...rows.keys(),
      R: [replayThem, "Replay what is chosen"],
      Delete: [dropThem, "Drop what is chosen"],
    }),
    escape: () => rows.escape(),
    beside: () =>
      rows.chosen()
        ? html`<section class="pane" aria-label="Delivery">${detail.view(rows.chosen())}</section>`
        : nothing,
    view() {
      const list = rows.list();
      if (!list.length) {
        const q = query();
        const narrowed =
          q.target || q.rule || q.alert || q.object || q.template || q.state.length || filter.text().trim();
        return html`<div class="empty">
          ${narrowed
            ? "No delivery matches."
            : `Nothing was sent in the ${spanName(q.since).toLowerCase()}, and nothing waits.`}
          ${narrowed
            ? html`<button
                class="link"
                @click=${() => {
                  filter.set("");
                  amend(
                    { target: null, rule: null, alert: null, object: null, template: null, status: null, q: null },
                    { replace: true },
                  );
                }}
              >
                Drop the filters
              </button>`
            : html`<button class="link" @click=${() => amend({ since: "30d" }, { replace: true })}>
                Look at 30 days
              </button>`}
        </div>`;
      }
      return rows.box(columns.table({ lead: "w-pick", leadWidth: 52, room: 150, usual: "" }, rows.body(list, row)));
    },
  };
}

const below = new Map();

/** Deliveries of a template, a rule or a target, below its editor. */
export function deliveriesOf(what, { title }) {
  const key = JSON.stringify(what);
  if (!below.has(key)) {
    below.clear();
    below.set(
      key,
      new Load(
        async (_tick, signal) =>
          (await readDeliveries({ ...what, from: new Date(Date.now() - span(BELOW)).toISOString() }, signal, 2000))
            .items,
      ),
    );
  }
  const load = below.get(key);
  load.want(lastTick());
  const items = load.data ?? [];
  const n = (...states) => items.filter((d) => states.includes(d.state)).length;
  const again = () => load.again();
  const shown = DELIVERY_TABLE.usual
    .filter((id) => !(id in what))
    .map((id) => ({ id, ...DELIVERY_TABLE.definitions[id] }));
  const row = (d) =>
    html`<tr @dblclick=${() => go(`/notifications/deliveries/${d.id}`)}>
      <td>${deliveryShape(d.state)}</td>
      ${cells(shown, d)}
    </tr>`;
  return html`<section class="pane deliveries-below" aria-label=${title}>
    <div class="ph">
      <h2>${title}</h2>
      <span class="m cut"
        >${load.data
          ? `last 6 hours: ${count(n("delivered", "unconfirmed"))} delivered, ${count(n("waiting", "sending", "retry"))} waiting, ${count(n("dead"))} dead`
          : ""}</span
      >
      <span class="sp"></span>
      <a class="link" href=${href("/notifications", { tab: "deliveries", ...what })}>All</a>
      ${html`<button
        class="ctl low"
        ?disabled=${!may("operator")}
        title=${may("operator") ? nothing : NEEDS}
        @click=${() => showReplay({ ...what, from: Date.now() - DAY, to: Date.now() + HOUR / 60, done: again })}
      >
        Replay…
      </button>`}
    </div>
    ${load.error && !load.data
      ? failure(load.error, again)
      : items.length
        ? html`<div class="scrolls">
            <table>
              <colgroup>
                <col class="w-state" />
                ${shown.map(
                  (c) =>
                    html`<col class="${c.cls ?? ""} ${c.col ?? ""}" .style=${c.width ? `width:${c.width}px` : ""} />`,
                )}
              </colgroup>
              <thead>
                <tr>
                  <td></td>
                  ${shown.map((c) => html`<th class=${c.cls ?? ""}>${c.name}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${items.slice(0, 50).map(row)}
              </tbody>
            </table>
          </div>`
        : html`<div class="empty s12">${load.data ? "Nothing in the last 6 hours." : "\u00a0"}</div>`}
  </section>`;
}
