// The editor of one template: its steps or its YAML, what they change on a real alert, and what is sent.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may, NEEDS } from "../../core/session.js";
import { titleOf } from "../../core/severity.js";
import { lastTick } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { copy, notice } from "../../parts/notice.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { failure, loaded } from "../../parts/pane.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { chip, segments } from "../../parts/small.js";
import { TemplateText } from "../../template/yaml.js";
import { YamlWords } from "../../template/yaml-words.js";
import { numberOf } from "../alerts/words.js";
import { deliveriesOf } from "./deliveries.js";
import { DiffPane } from "./diff.js";
import { changedLines, lined, RenderedPane } from "./rendered.js";
import { StepsPane } from "./steps.js";
import { showTest } from "./test.js";
import { showClone } from "./templates.js";
import { testsPane, testsWord } from "./template-tests.js";
import { EVENTS, eventWord, tick } from "./words.js";

const NEW = `apiVersion: alert-templates/v1
id: my-template
version: 1.0.0
description: What it is for.
modify:
  - set: {field: summary, value: "\${alert.criticality}: \${alert.name} on \${object.name | default: no object}"}
render:
  format: json
  body:
    text: \${summary}
    url: \${alert.url}
    open: {$switch: event, CANCEL: false, $default: true}
deliver:
  method: POST
`;
const SOON = 350;
const FIELDS = { yaml: "Template", examples: "Tests" };
const parts = (version) =>
  String(version ?? "")
    .split(".")
    .map(Number);
const higher = (a, b) => {
  const [x, y] = [parts(a), parts(b)];
  for (let i = 0; i < 3; i++) if ((x[i] || 0) !== (y[i] || 0)) return (x[i] || 0) > (y[i] || 0);
  return false;
};

/** The version under which a text is published: its own if that is a newer one, else the next. */
export function nextVersion(stored, own) {
  if (!stored || higher(own, stored)) return own;
  const [major, minor] = parts(stored);
  return `${major}.${(minor || 0) + 1}.0`;
}

/** The editor, which this page alone of its group needs: loaded before the page is drawn. */
export const loads = () => import("../../editor/code-editor.js");

export function page(address) {
  const draft = new Draft({
    api: "/notification-templates",
    place: "/notifications/templates",
    list: () => go("/notifications", { tab: "templates" }),
    address,
    blank: { yaml: NEW, examples: [] },
    labels: FIELDS,
    show: (name, v) => (name === "yaml" ? v : plural((v ?? []).length, "test")),
    toBody: ({ yaml, examples }) => ({ document: yaml, ...(examples?.length ? { examples } : {}) }),
    saved: () => "Published; the next notification uses it",
    titled: (t) => t.id,
    changed: () => soon(),
  });
  const alerts = new Load(async (_tick, signal) => {
    const open = await get("/alerts", { limit: 50 }, signal);
    return open.items.length ? open.items : (await get("/alerts", { state: "canceled", limit: 50 }, signal)).items;
  });
  const tests = new Load((id, _version, signal) => post(`/notification-templates/${id}/test-run`, undefined, signal));
  // All three events at once: it must be right for each, and changing between them is done at once.
  const preview = new Load(async (text, alert, signal) => {
    const ask = (event) =>
      post("/notification-templates/preview", { document: text, ...(alert ? { alert } : {}), event }, signal);
    const first = await ask(event());
    const rest = await Promise.all(EVENTS.filter(([e]) => e !== first.event).map(([e]) => ask(e)));
    return { text, byEvent: Object.fromEntries([first, ...rest].map((p) => [p.event, p])) };
  });
  // The same without a step, or without any: lines that differ are what these make.
  const without = new Load(async (text, alert, e, _step, other, signal) => ({
    text,
    message: (
      await post(
        "/notification-templates/preview",
        { document: JSON.parse(other), ...(alert ? { alert } : {}), event: e },
        signal,
      )
    ).message,
  }));
  const parse = memo((text) => new TemplateText(text));
  const soon = settled(() => (ask(), redraw()), SOON);
  const diff = new DiffPane();
  const rendered = new RenderedPane();
  let asked = null;

  const builtIn = () => !draft.isNew && Boolean(draft.before.builtIn);
  const off = () => builtIn() || !draft.allowed;
  const event = () => (EVENTS.some(([e]) => e === param("event")) ? param("event") : "NEW");
  const view = () => (param("view") === "yaml" ? "yaml" : "steps");
  const side = () => param("side");
  const text = () => draft.value("yaml") ?? "";
  const template = () => parse(text());
  const document_ = () => template().value ?? {};
  const shownAlert = () => (alerts.data ?? []).find((a) => a.id === param("alert")) ?? alerts.data?.[0] ?? null;
  const alertId = () => shownAlert()?.id ?? null;
  const now = () => preview.data?.byEvent[event()] ?? null;
  const isFresh = () => preview.data?.text === text() && !preview.loading;
  const words = new YamlWords(() => now()?.after);
  const put = (next) => draft.set("yaml", next);

  const pane = new StepsPane({
    steps: () => (Array.isArray(document_().modify) ? document_().modify : []),
    results: () => (preview.data?.text === text() ? now()?.steps : null),
    set: (i, step) => put(template().setStep(i, step)),
    add: (i, step) => put(template().addStep(i, step)),
    remove: (i) => put(template().removeStep(i)),
    move: (from, to) => put(template().moveStep(from, to)),
    context: () => now()?.after,
    off,
    wrong: (i) => mistakes().find((m) => m.path.startsWith(`modify[${i}]`))?.reason ?? null,
  });

  function ask() {
    if (!draft.there || !(alerts.data || alerts.error) || template().errors.length) return;
    asked = text();
    preview.want(asked, alertId());
  }

  /** What the last answers say against the document, by place. */
  function mistakes() {
    const fromPreview = preview.error && asked === text() ? (preview.error.errors ?? []) : [];
    return [...fromPreview, ...(draft.error?.errors ?? [])]
      .map((e) => ({ path: e.field.replace(/^document\.?/, ""), reason: e.reason }))
      .filter(
        (m, i, all) =>
          !m.path.startsWith("examples") && all.findIndex((o) => o.path === m.path && o.reason === m.reason) === i,
      );
  }

  const issues = memo((parsed, found) => [
    ...parsed.issues(),
    ...(parsed.errors.length ? [] : found.map((m) => parsed.issue(parsed.place(m.path), m.reason))),
  ]);
  const foundNow = memo((key) => JSON.parse(key));

  /** The document with a step, or all of them, switched off; null when there is none. */
  const bare = memo((parsed, step) => {
    const steps = parsed.value?.modify;
    if (!Array.isArray(steps) || !steps.length || (step !== null && !steps[step])) return null;
    return JSON.stringify({
      ...parsed.value,
      modify: steps.map((s, i) => (step === null || i === step ? { ...s, enabled: false } : s)),
    });
  });
  const marksOf = memo((message, other) =>
    message && other && message.kind === "http" ? changedLines(lined(other.body), lined(message.body)) : new Set(),
  );

  function marked() {
    const message = now()?.message;
    const other = bare(template(), pane.selected);
    if (!message || message.kind !== "http" || !other || !isFresh()) return new Set();
    without.want(text(), alertId(), event(), pane.selected, other);
    return without.data?.text === text() && !without.error ? marksOf(message, without.data.message) : new Set();
  }

  function update() {
    draft.want();
    alerts.want(lastTick());
    arrived();
  }

  function arrived() {
    if (!draft.there) return;
    if (asked === null || preview.data === null || (!draft.edited && asked !== text())) ask();
    else if (asked === text()) preview.want(asked, alertId());
    if (!draft.isNew) tests.want(draft.id, draft.before.hash);
  }

  async function publish() {
    if (off()) return notice(builtIn() ? "It came with the product: clone it to change it" : NEEDS);
    if (template().errors.length) return notice("The YAML does not parse; mend that first");
    if (!draft.edited && !draft.isNew) return;
    const version = nextVersion(draft.isNew ? null : draft.before.templateVersion, document_().version);
    if (version !== document_().version) put(template().set(["version"], version));
    await draft.save();
    if (draft.error) notice(`Not published: ${draft.error.errors?.[0]?.reason ?? draft.error.message}`, { seconds: 8 });
  }

  function stepAlert(by) {
    const list = alerts.data ?? [];
    if (list.length < 2)
      return notice(list.length ? "There is no other alert" : "There is no alert yet; a sample is shown");
    const at = list.indexOf(shownAlert());
    amend({ alert: list[(at + by + list.length) % list.length].id }, { replace: true });
  }

  const setEvent = (e) => amend({ event: e === "NEW" ? null : e }, { replace: true });
  const setView = (v) => amend({ view: v === "yaml" ? "yaml" : null }, { replace: true });
  const toggleSide = (name) => amend({ side: side() === name ? null : name }, { replace: true });

  function head() {
    const t = draft.before;
    const id = draft.isNew ? document_().id || "New template" : draft.id;
    const used = t.usedBy?.length ? `used by ${plural(t.usedBy.length, "rule")}` : draft.isNew ? "" : "used by no rule";
    const next = draft.isNew ? document_().version : nextVersion(t.templateVersion, document_().version);
    return html`<div class="tb">
      <a class="m nw" href=${href("/notifications", { tab: "templates" })}>Notifications / Templates /</a>
      <h1 class="nw" title=${document_().description ?? id}>${id}</h1>
      ${draft.isNew ? chip("not stored yet") : chip(`version ${t.templateVersion}`)}${builtIn()
        ? chip("built in", "It came with the product; clone it to change it")
        : nothing}${t.overrides ? chip("in place of a built-in one") : nothing}${draft.edited
        ? html`<span class="chip accent">edited</span>`
        : nothing}${draft.meanwhile()}
      <span class="m cut s12" title=${document_().description ?? ""}>${document_().description ?? ""}</span>
      <span class="sp"></span>
      <span class="m s12 nw" title=${(t.usedBy ?? []).map((r) => r.name).join(", ")}>${used}</span>
      ${draft.isNew
        ? nothing
        : html`${builtIn() ? nothing : historyButton(draft)}<button class="ctl" @click=${() => sendTest()}>
              Send test…
            </button>
            <button
              class="ctl"
              ?disabled=${!may("operator")}
              title=${may("operator") ? nothing : NEEDS}
              @click=${() => showClone(t)}
            >
              Clone…
            </button>`}
      ${builtIn()
        ? nothing
        : html`${draft.edited
              ? html`<button class="ctl ghost" @click=${() => draft.discard()}>Discard</button>`
              : nothing}<button
              class="ctl primary"
              ?disabled=${!draft.allowed ||
              draft.busy ||
              (!draft.edited && !draft.isNew) ||
              template().errors.length > 0}
              title=${draft.allowed ? "Makes a version; its tests run first" : NEEDS}
              @click=${publish}
            >
              ${draft.busy ? "Testing\u2026" : `Publish ${next ?? ""}`} <kbd>Ctrl S</kbd>
            </button>`}
    </div>`;
  }

  const sendTest = () =>
    showTest({
      type: draft.before.targetType,
      template: draft.id,
      alert: alertId(),
      event: event(),
      note: draft.edited ? "What is sent is the published version, without your changes." : "",
    });

  function validity() {
    if (template().errors.length) return html`<span class="crit">The YAML does not parse</span>`;
    if (preview.error && asked === text())
      return html`<span class="crit cut" title=${preview.error.message}
        >${preview.error.errors?.length ? plural(mistakes().length, "mistake") : preview.error.message}</span
      >`;
    if (!preview.data || !isFresh()) return html`<span class="m">checking…</span>`;
    const bad = EVENTS.filter(([e]) => preview.data.byEvent[e]?.error).map(([, w]) => w);
    const run = draft.isNew
      ? html`, no tests yet`
      : draft.edited
        ? html`,
            <button class="link" @click=${() => toggleSide("tests")}>
              ${plural(Math.max(tests.data?.examples.length ?? 0, (draft.value("examples") ?? []).length), "test")} to
              run
            </button>`
        : html`, <button class="link" @click=${() => toggleSide("tests")}>${testsWord(tests)}</button>`;
    return bad.length
      ? html`${shape("warning", 12, "not valid")}<span class="warn"
            >Nothing can be rendered for ${bad.join(" and ")}</span
          >`
      : html`${tests.data?.failed && !draft.edited ? shape("warning", 12, "a test fails") : tick(12, "valid")}<span
            class="nw"
            >Valid for New, Update and Cancel${run}</span
          >`;
  }

  function bar() {
    const list = alerts.data ?? [];
    const a = shownAlert();
    const label = (x) => `${numberOf(x)} ${titleOf(x)}, ${x.object.name}`;
    return html`<div class="tb">
      <span class="m nw">Shown with</span>
      ${list.length
        ? html`<label class="ctl pick-one shown-with"
            >${a ? severityShape(a.severity, 12) : nothing}<select
              aria-label="The alert it is shown with"
              @change=${(e) => amend({ alert: e.target.value }, { replace: true })}
            >
              ${list.map((x) => html`<option value=${x.id} ?selected=${x === a}>${label(x)}</option>`)}</select
            ><span class="m nw"><kbd>[</kbd> <kbd>]</kbd></span></label
          >`
        : html`<span class="i2"
            >${alerts.error
              ? "a sample; alerts could not be read"
              : alerts.data
                ? "a sample, for there is no alert yet"
                : "\u2026"}</span
          >`}
      ${segments(event(), EVENTS, setEvent, "Event")}
      <span class="sp"></span>
      <span class="row s12 validity" role="status">${validity()}</span>
      <a class="link nw" href=${helpAddress("notifications", "templates")}>Fields and steps</a>
      ${segments(
        view(),
        [
          ["steps", "Steps"],
          ["yaml", "YAML"],
        ],
        setView,
        "How it is edited",
      )}
    </div>`;
  }

  function yamlPane() {
    const found = issues(template(), foundNow(JSON.stringify(mistakes())));
    return html`<section class="pane yaml-pane code-pane" aria-label="YAML">
      <div class="ph">
        <h2>YAML</h2>
        <span class="m cut">${off() ? "read only" : "the same document"}</span>
        <span class="sp"></span>
        ${found.length ? html`<span class="crit s12">${plural(found.length, "mistake")}</span>` : nothing}
        <button class="link" @click=${() => copy(text(), "YAML copied")}>Copy</button>
      </div>
      <code-editor
        label="Template in YAML"
        .language=${"yaml"}
        .words=${words}
        .value=${text()}
        .issues=${found}
        .locked=${off()}
        @edited=${(e) => put(e.target.value)}
      ></code-editor>
    </section>`;
  }

  /** Mistakes that belong to no step, where only steps are seen. */
  function otherMistakes() {
    const rest = mistakes().filter((m) => !/^modify\[\d/.test(m.path));
    const other =
      draft.error && !draft.error.errors?.length
        ? failure(draft.error, publish)
        : preview.error && asked === text() && !preview.error.errors?.length
          ? failure(preview.error, () => preview.again())
          : nothing;
    if (!rest.length || view() === "yaml")
      return other === nothing ? nothing : html`<section class="pane wide-row">${other}</section>`;
    return html`<section class="pane wide-row" role="alert">
      <div class="pad s12">
        ${rest
          .slice(0, 5)
          .map((m) => html`<p><code>${m.path || "template"}</code> <span class="crit">${m.reason}</span></p>`)}<button
          class="link"
          @click=${() => setView("yaml")}
        >
          See them in the YAML
        </button>
      </div>
    </section>`;
  }

  function left() {
    if (view() === "yaml") return yamlPane();
    if (template().errors.length)
      return html`<section class="pane" aria-label="Modify">
        <div class="ph">
          <h2>Modify</h2>
        </div>
        <div class="empty">
          The YAML does not parse, so there are no steps to show: ${template().issues()[0].message} in line
          ${template().issues()[0].line}. <button class="link" @click=${() => setView("yaml")}>Mend it there</button>
        </div>
      </section>`;
    return pane.view();
  }

  function remove() {
    draft.remove(draft.before.overrides ? "The built-in one of this id takes its place." : "Its history stays.");
  }

  return {
    get title() {
      return draft.isNew ? "New template" : draft.id;
    },
    name: "template",
    timed: false,
    update,
    leave: () => soon.cancel(),
    escape: () => {
      if (leaveField()) return;
      if (pane.selected !== null) pane.choose(null);
      else back("/notifications?tab=templates");
    },
    keys: () => ({
      "Ctrl S": [publish, "Publish"],
      "[": [() => stepAlert(-1), "The alert before"],
      "]": [() => stepAlert(1), "The next alert"],
      1: [() => setEvent("NEW"), "As New"],
      2: [() => setEvent("UPDATE"), "As Update"],
      3: [() => setEvent("CANCEL"), "As Cancel"],
      V: [() => setView(view() === "yaml" ? "steps" : "yaml"), "Steps or YAML"],
      ...(view() === "steps"
        ? {
            J: [() => pane.step(1), "Next step"],
            K: [() => pane.step(-1), "Step before"],
            "+": [() => pane.toggleAdd(true), "Add a step"],
          }
        : {}),
      ...(builtIn() ? {} : historyKey(draft)),
      T: [() => toggleSide("tests"), "Tests"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No template to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`<div class="tb">
            <a class="m nw" href=${href("/notifications", { tab: "templates" })}>Notifications / Templates /</a>
            <h1>${draft.id}</h1>
          </div>
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 10 })}</section>`;
      arrived();
      const p = now();
      const busy = template().errors.length > 0 || (preview.loading && preview.waited > 150);
      const below =
        side() === "history" && !draft.isNew
          ? draftHistory(draft)
          : side() === "tests"
            ? testsPane({ draft, tests, preview: p, event: event(), off: off(), alert: shownAlert() })
            : draft.isNew
              ? nothing
              : deliveriesOf({ template: draft.id }, { title: "Deliveries with this template" });
      return html`${head()}${bar()}${otherMistakes()}
        <div class="three-panes as-${view()}">
          ${left()}${diff.view({
            preview: p,
            selected: pane.selected,
            choose: (i) => {
              if (view() === "yaml") setView("steps");
              pane.choose(i);
            },
            busy,
          })}${rendered.view({
            preview: p,
            format: document_().render?.format,
            issues: draft.edited ? [] : (draft.before.issues ?? []),
            marked: marked(),
            busy,
          })}
        </div>
        <div class="below">
          ${below}${draft.isNew || builtIn()
            ? nothing
            : html`<div class="row pad end-line">
                <span class="m s12"
                  >${eventWord(event())} of ${shownAlert() ? numberOf(shownAlert()) : "a sample"}</span
                >
                <span class="sp"></span>
                <button class="link s12" ?disabled=${!draft.allowed} @click=${remove}>Delete this template…</button>
              </div>`}
        </div>`;
    },
  };
}
