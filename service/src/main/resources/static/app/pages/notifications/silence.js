// One silence: which alerts, why, and for how long. From an alert it comes filled in.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { DAY, HOUR, lastTick, moment } from "../../core/time.js";
import { back, go, href, param } from "../../core/url.js";
import { nextAt } from "../../core/zone.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { failure, loaded } from "../../parts/pane.js";
import { icon, severityShape } from "../../parts/shapes.js";
import { Suggest } from "../../parts/suggest.js";
import { whenField } from "../../parts/when.js";
import { celIssue, CelWords, readCel } from "../../template/cel.js";
import { fitting, pathItems, sampleContext } from "../../template/context-names.js";
import { numberOf } from "../alerts/words.js";
import { expire, OPERATORS, silenceShape, silenceWords } from "./silences.js";
import { cleanScope, isEverything, ScopeFields, scopeWords } from "../shared/scope-fields.js";
import { ofItsRule } from "../alerts/silence-sheet.js";

const LISTED = 12;
const FIELDS = {
  comment: "Why",
  alerts: "Alerts",
  matchers: "Matchers",
  scope: "Objects",
  when: "Condition",
  from: "From",
  to: "To",
};
const iso = (ms) => new Date(Math.round(ms / 1000) * 1000).toISOString().replace(".000Z", "Z");
const morning = () => nextAt(8, { days: 1 });
/** @type {[string, () => number][]} */
const ENDS = [
  ["2 h", () => Date.now() + 2 * HOUR],
  ["8 h", () => Date.now() + 8 * HOUR],
  ["tomorrow 8:00", morning],
  ["3 days", () => Date.now() + 3 * DAY],
  ["a week", () => Date.now() + 7 * DAY],
];

/** What it is about, as the service wants it. */
const about = (/** @type {Record<string, any>} */ { alerts, matchers, scope, when }) => ({
  ...(alerts?.length ? { alerts } : {}),
  ...(matchers?.length ? { matchers } : {}),
  ...(isEverything(scope) ? {} : { scope: cleanScope(scope) }),
  ...(when?.trim() ? { when } : {}),
});

function toBody({ comment, from, to, ...what }) {
  return { comment: comment.trim(), to, ...(from ? { from } : {}), ...about(what) };
}

function shown(name, v) {
  if (name === "alerts") return v?.length ? plural(v.length, "alert") : "any";
  if (name === "matchers") return (v ?? []).map((m) => `${m.path} ${m.operator} ${m.value}`).join(", ") || "none";
  if (name === "scope") return scopeWords(v, "every object");
  return name === "from" || name === "to" ? (v ? moment(Date.parse(v)) : "now") : `${v ?? ""}` || "none";
}

/** The editor, which this page alone of its group needs: loaded before the page is drawn. */
export const loads = () => import("../../editor/code-editor.js");

export function page(address) {
  const blank = {
    comment: "",
    alerts: [],
    matchers: [{ path: "object.name", operator: "equals", value: "" }],
    scope: {},
    when: null,
    from: null,
    to: iso(Date.now() + 2 * HOUR),
  };
  const draft = new Draft({
    api: "/silences",
    place: "/notifications/silences",
    list: () => go("/notifications", { tab: "silences" }),
    address,
    blank,
    labels: FIELDS,
    show: shown,
    toBody,
    saved: () => "Saved",
    titled: () => "The silence",
    remember: address !== "new",
  });
  const given = new Load((id, signal) => get(`/alerts/${id}`, {}, signal));
  const cover = new Load((body, _tick, signal) => post("/silences/preview", JSON.parse(body), signal));
  const wantCover = settled((body, tick) => (cover.want(body, tick), redraw()), 250);
  const scope = new ScopeFields({ label: "Objects" });
  const words = new CelWords(sampleContext);
  const paths = [];
  let filled = false;
  let asked = null;
  let issues = { cel: "", wrong: null, list: [] };

  const matchers = () => draft.value("matchers") ?? [];
  const put = (i, part) => draft.set("matchers", matchers().with(i, { ...matchers()[i], ...part }));

  function update() {
    draft.want();
    if (draft.isNew && param("alert")) given.want(param("alert"));
  }

  /** What is asked of the service: null while there is nothing, or something unfinished. */
  function question() {
    const what = about({
      alerts: draft.value("alerts"),
      matchers: matchers(),
      scope: draft.value("scope"),
      when: draft.value("when"),
    });
    return Object.keys(what).length && matchers().every((m) => m.path)
      ? JSON.stringify({ ...what, limit: what.alerts ? 1000 : LISTED })
      : null;
  }

  function fill() {
    if (filled || !given.data) return;
    filled = true;
    draft.begin({ comment: "", ...ofItsRule(given.data), to: iso(Date.now() + 2 * HOUR) });
  }

  function matcherRow(m, i, off) {
    paths[i] ??= new Suggest(async (typed) =>
      fitting(pathItems(await sampleContext()), typed)
        .slice(0, 14)
        .map((o) => ({ value: o.insert, label: o.label, hint: o.end })),
    );
    const named =
      m.path === "alert.definitionId" && given.data?.definition.id === m.value
        ? given.data.definition.name
        : m.path === "object.id" && given.data?.object.id === m.value
          ? given.data.object.name
          : null;
    return html`<div class="row matcher">
      ${paths[i].view({
        value: m.path,
        choose: (path) => put(i, { path }),
        label: `Matcher ${i + 1}: path`,
        placeholder: "object.tags.env",
        off,
        cls: "mono",
      })}
      <select
        class="field low slim"
        aria-label=${`Matcher ${i + 1}: how`}
        ?disabled=${off}
        @change=${(e) => put(i, { operator: e.target.value })}
      >
        ${OPERATORS.map(([o, w]) => html`<option value=${o} ?selected=${o === m.operator}>${w}</option>`)}
      </select>
      <input
        class="field low"
        aria-label=${`Matcher ${i + 1}: value`}
        placeholder=${m.operator.endsWith("matches") ? "shop-.*" : "empty"}
        autocomplete="off"
        spellcheck="false"
        .value=${m.value}
        ?disabled=${off}
        @input=${(e) => put(i, { value: e.target.value })}
      />
      ${named ? html`<span class="m s12 cut">${named}</span>` : nothing}
      ${off
        ? nothing
        : html`<button
            class="icon"
            aria-label=${`Remove matcher ${i + 1}`}
            @click=${() => draft.set("matchers", matchers().toSpliced(i, 1))}
          >
            ${icon("close", 12)}
          </button>`}
    </div>`;
  }

  function coverPane() {
    const body = question();
    const key = body && `${body} ${lastTick()}`;
    if (asked !== key) {
      asked = key;
      wantCover.cancel();
      if (body && cover.data) wantCover(body, lastTick());
      else if (body) cover.want(body, lastTick());
    }
    const list = ({ covered, open: all, truncated, alerts }) =>
      html`<p class="say pad" role="status">
          ${covered
            ? html`It ${covers() ? "covers" : "would cover"} <b>${plural(covered, "open alert")}</b> of ${count(all)},
                and what opens meanwhile and fits.`
            : html`It covers none of the ${plural(all, "alert")} that ${all === 1 ? "is" : "are"} open now.`}${truncated
            ? html` <span class="warn">More are open than were looked at.</span>`
            : nothing}
        </p>
        ${alerts.slice(0, LISTED).map(alertRow)}${covered > LISTED
          ? html`<p class="m s12 pad">and ${count(covered - LISTED)} more</p>`
          : nothing}`;
    const wrong = cover.error?.errors?.[0];
    return html`<section class="pane" aria-label="What it would cover now">
      <div class="ph">
        <h2>
          ${over()
            ? "What it would cover, were it in force"
            : covers()
              ? "What it covers now"
              : "What it would cover now"}
        </h2>
      </div>
      ${!body
        ? html`<div class="empty s12">
            ${matchers().some((m) => !m.path)
              ? "A matcher has no path yet."
              : "It is about no alert yet: say which, by name, by matchers, by objects, or by a condition."}
          </div>`
        : cover.error && !cover.loading && wrong
          ? html`<p class="crit s12 pad" role="alert">
              ${FIELDS[wrong.field.split(/[.[]/)[0]] ?? wrong.field}: ${wrong.reason}
            </p>`
          : loaded(cover, list, { rows: 4 })}
    </section>`;
  }

  const covers = () => !draft.isNew && !draft.edited && draft.before.state === "active";
  const over = () => !draft.isNew && draft.before.state === "expired";
  const alertRow = (a) => {
    const words = html`${severityShape(a.severity, 11)}<span class="m"
        >${a.source === "peerlens" ? numberOf(a) : a.source}</span
      ><span class="cut">${a.name}${a.objectName ? `, ${a.objectName}` : ""}</span>`;
    return a.source === "peerlens"
      ? html`<a class="list-row" href=${href(`/alerts/${a.id}`)}>${words}</a>`
      : html`<div class="list-row">${words}</div>`;
  };

  /** The alerts that it names: those that are open with their names. */
  function namedAlerts(off) {
    const ids = draft.value("alerts") ?? [];
    if (!ids.length) return nothing;
    const known = new Map((cover.data?.alerts ?? []).map((a) => [a.id, a]));
    return html`<div class="lab" role="group" aria-label="These alerts">
      <span>one of these ${plural(ids.length, "alert")}</span>
      <div class="named-alerts">
        ${ids.map(
          (id) =>
            html`<div class="row">
              ${known.has(id)
                ? alertRow(known.get(id))
                : html`<a class="list-row" href=${href(`/alerts/${id}`)}
                    ><span class="mono m">${id.slice(0, 8)}</span
                    ><span class="m cut">${cover.data ? "not covered now" : ""}</span></a
                  >`}
              ${off
                ? nothing
                : html`<button
                    class="icon"
                    aria-label=${`Remove ${known.get(id)?.name ?? id}`}
                    @click=${() =>
                      draft.set(
                        "alerts",
                        ids.filter((x) => x !== id),
                      )}
                  >
                    ${icon("close", 12)}
                  </button>`}
            </div>`,
        )}
      </div>
      ${draft.said("alerts")}
    </div>`;
  }

  return {
    get title() {
      return draft.value("comment") || "Silence";
    },
    name: "rule-page",
    timed: false,
    update,
    escape: () => leaveField() || back("/notifications?tab=silences"),
    keys: () => ({ "Ctrl S": [() => draft.save(), "Save"], ...historyKey(draft) }),
    leave: () => wantCover.cancel(),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No silence to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there || (draft.isNew && param("alert") && !given.data && !given.error))
        return html`<div class="tb">
            <h1>&nbsp;</h1>
          </div>
          <section class="pane">${loaded(draft.isNew ? given : draft.stored, () => nothing, { rows: 6 })}</section>`;
      fill();
      const off = !draft.allowed;
      const s = draft.before;
      const to = draft.value("to");
      const cel = draft.value("when") ?? "";
      const wrong = cel
        ? (draft.wrong("when") ?? cover.error?.errors?.find((e) => e.field === "when")?.reason ?? null)
        : null;
      if (issues.cel !== cel || issues.wrong !== wrong)
        issues = { cel, wrong, list: wrong ? [celIssue(cel, wrong)] : [] };
      const ready =
        draft.allowed && !draft.busy && (draft.value("comment") ?? "").trim() && (draft.edited || draft.isNew);
      return html`<div class="tb">
          <a class="m nw" href=${href("/notifications", { tab: "silences" })}>Notifications / Silences /</a>
          <h1 class="cut">${draft.value("comment") || "New silence"}</h1>
          ${draft.isNew
            ? nothing
            : html`<span class="row s12 m nw"
                >${silenceShape(s, 11)}${{ active: "in force", pending: "to come", expired: "over" }[s.state]}, by
                ${s.author}</span
              >`}${draft.edited && !draft.isNew
            ? html`<span class="chip accent">edited</span>`
            : nothing}${draft.meanwhile()}
          <span class="sp"></span>
          ${historyButton(draft)}${draft.isNew || over()
            ? nothing
            : html`<button class="ctl" ?disabled=${off} @click=${() => expire(s, () => draft.stored.again())}>
                End now
              </button>`}${draft.edited && !draft.isNew
            ? html`<button class="ctl ghost" @click=${() => draft.discard()}>Discard</button>`
            : nothing}
          ${draft.allowed && !(draft.value("comment") ?? "").trim()
            ? html`<span class="m s12 nw">Say why first</span>`
            : nothing}
          <button
            class="ctl primary"
            ?disabled=${!ready}
            title=${off ? "Needs the role operator" : (draft.value("comment") ?? "").trim() ? nothing : "Say why first"}
            @click=${() => draft.save()}
          >
            ${draft.isNew ? "Silence" : "Save"} <kbd>Ctrl S</kbd>
          </button>
        </div>
        ${draft.error && !draft.error.errors?.length
          ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
          : nothing}
        <div class="cols">
          <div class="col">
            <section class="pane code-pane" aria-label="Silence">
              <div class="form">
                <label class="lab"
                  >Why<input
                    class="field"
                    name="comment"
                    maxlength="2000"
                    autocomplete="off"
                    placeholder="Switch replacement in row 4, CHG-20418"
                    .value=${draft.value("comment") ?? ""}
                    ?disabled=${off}
                    aria-invalid=${draft.wrong("comment") ? "true" : "false"}
                    @input=${(e) => draft.set("comment", e.target.value)}
                  />${draft.said("comment")}</label
                >
                <div class="lab" role="group" aria-label="Ends">
                  <span>Ends</span>
                  <div class="row wrap">
                    ${ENDS.map(
                      ([word, at]) =>
                        html`<button
                          type="button"
                          class="ctl low"
                          aria-pressed=${Math.abs(at() - Date.parse(to)) < 10 * 60_000}
                          ?disabled=${off}
                          @click=${() => draft.set("to", iso(at()))}
                        >
                          ${/^\d|^a /.test(word) ? `in ${word}` : word}
                        </button>`,
                    )}${whenField({
                      label: "Ends at",
                      value: to,
                      low: true,
                      disabled: off,
                      change: (at) => draft.set("to", iso(at)),
                    })}
                  </div>
                  ${draft.said("to")}
                </div>
                <div class="lab" role="group" aria-label="Begins">
                  <span>Begins</span>
                  <div class="row">
                    <button
                      type="button"
                      class="ctl low"
                      aria-pressed=${!draft.value("from")}
                      ?disabled=${off || !draft.isNew}
                      @click=${() => draft.set("from", null)}
                    >
                      now
                    </button>
                    ${whenField({
                      label: "Begins at",
                      value: draft.value("from"),
                      low: true,
                      disabled: off,
                      change: (at) => draft.set("from", iso(at)),
                    })}
                  </div>
                  ${draft.said("from")}
                </div>
              </div>
              <div class="ph inner">
                <h2>Alerts for which all of this holds</h2>
                <span class="m cut"
                  >${silenceWords({
                    alerts: draft.value("alerts"),
                    matchers: matchers(),
                    scope: draft.value("scope"),
                    when: cel,
                  })}</span
                >
              </div>
              <div class="form">
                ${namedAlerts(off)}${matchers().map((m, i) => matcherRow(m, i, off))}${off
                  ? nothing
                  : html`<div>
                      <button
                        class="link"
                        @click=${() =>
                          draft.set("matchers", [...matchers(), { path: "", operator: "equals", value: "" }])}
                      >
                        Add a matcher
                      </button>
                    </div>`}${draft.said("matchers")}
                <div class="lab" role="group" aria-label="Objects">
                  <span>and on objects</span>${scope.view({
                    scope: draft.value("scope") ?? {},
                    set: (v) => draft.set("scope", v),
                    off,
                  })}${draft.said("scope")}
                </div>
              </div>
              <div class="ph inner">
                <h3>and only when</h3>
                <span class="m cut">a condition in CEL; empty for none</span>
                <span class="sp"></span>
                <a class="link" href=${helpAddress("notifications", "silences")}>Fields and CEL</a>
              </div>
              <code-editor
                class="cel"
                label="Condition in CEL"
                .language=${readCel}
                .words=${words}
                .value=${cel}
                .issues=${issues.list}
                .locked=${off}
                @edited=${(e) => draft.set("when", e.target.value.trim() ? e.target.value : null)}
              ></code-editor>
            </section>
          </div>
          <div class="col">
            ${draftHistory(draft)}${coverPane()}
            <section class="pane words s12">
              <p class="i2">
                It holds back notifications, not alerts: pages show them as before. An alert whose opening was delivered
                is still closed at its receiver; alerts that are open when the silence ends are sent then.
              </p>
            </section>
          </div>
        </div>`;
    },
  };
}
