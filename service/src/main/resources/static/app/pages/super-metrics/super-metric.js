// One super metric: its formula with what it yields as it is typed, why, and all that can be set about it.
import { html, nothing } from "../../core/html.js";
import { leaveField } from "../../core/keys.js";
import { amend, back, href } from "../../core/url.js";
import { auditPane } from "../../parts/audit.js";
import { historyPane } from "../../parts/history.js";
import { copy } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { chip } from "../../parts/small.js";
import { showBackfill } from "./backfill.js";
import { detailsPane } from "./details.js";
import { usersText } from "./effects.js";
import { editor, formulaPane, readsTable } from "./formula-pane.js";
import { SuperMetricState } from "./super-metric-state.js";
import { exportAddress } from "./words.js";

/** The editor, which this page alone of its group needs: loaded before the page is drawn. */
export const loads = () => import("../../editor/code-editor.js");

export function page(address) {
  const metric = new SuperMetricState(address);
  const { draft, isNew } = metric;
  const { stored } = draft;
  return {
    get title() {
      return draft.value("name") || "Super metric";
    },
    name: "super-metric",
    update: () => metric.update(),
    leave: () => metric.leave(),
    escape: () => leaveField() || back("/super-metrics"),
    keys: () => ({
      "Ctrl S": [() => metric.save(), "Save"],
      "/": [() => editor()?.focus(), "To the formula"],
      H: [() => !isNew && metric.showSide("history"), "History"],
      B: [() => !isNew && draft.allowed && !draft.edited && showBackfill(draft.before), "Backfill"],
      Y: [() => copy(location.href, "Link copied; it shows this view"), "Copy link"],
    }),
    view() {
      if (!isNew && stored.error && !stored.data)
        return html`<div class="tb">
            <h1>No super metric to show</h1>
          </div>
          <section class="pane">${failure(stored.error, () => stored.again())}</section>`;
      if (draft.there) metric.arrived();
      return html`${bar(metric)}
        <div class="cols">
          <div class="col">
            ${formulaPane(metric)}
            <section class="pane" aria-label="Preview">
              ${metric.preview.view({
                subject: metric.explanation.subject(),
                choose: (o) => amend({ of: o.id }, { replace: true }),
              })}${isNew ? nothing : html`${metric.effects.view()} ${readsTable(metric)}`}
            </section>
          </div>
          <aside class="side">${sidePane(metric)}</aside>
        </div>`;
    },
  };
}

function bar(metric) {
  const { id, isNew, draft } = metric;
  const operator = draft.allowed;
  const needs = operator ? nothing : "Needs the role operator";
  const sm = draft.before;
  return html`<div class="tb">
    <a class="m nw" href=${href("/super-metrics")}>Super metrics /</a>
    <h1 class="cut" title=${draft.value("name")}>${draft.value("name") || (isNew ? "New super metric" : "\u00a0")}</h1>
    ${sm.pack ? chip(`pack ${sm.pack}`) : nothing}${draft.edited
      ? html`<span class="chip accent">edited</span>`
      : nothing}${draft.value("policy").enabled ? nothing : chip("disabled")}${draft.meanwhile()}
    <span class="sp"></span>
    ${draft.edited ? html`<button class="ctl ghost" @click=${() => draft.discard()}>Discard</button>` : nothing}
    ${["explain", "details", ...(isNew ? [] : ["history"])].map(
      (name) =>
        html`<button class="ctl ghost" aria-pressed=${metric.side === name} @click=${() => metric.showSide(name)}>
          ${{ explain: "Explanation", details: "Details", history: "History" }[name]}
        </button>`,
    )}
    ${isNew || !sm.kinds?.length
      ? nothing
      : html`<a
          class="ctl ghost"
          href=${href("/thresholds/new", {
            metric: `Super Metric|sm_${id}`,
            adapterKind: sm.kinds[0].adapterKind,
            objectKind: sm.kinds[0].objectKind,
            name: sm.name,
          })}
          >New threshold</a
        >`}
    ${isNew
      ? nothing
      : html`<a class="ctl ghost" href=${exportAddress([id], "json")} download>Export</a>
          <button
            class="ctl"
            ?disabled=${!operator || draft.edited || sm.validity === "invalid" || !draft.stored.data}
            title=${draft.edited ? "Save first: history is computed with the stored formula" : needs}
            @click=${() => showBackfill(sm)}
          >
            Backfill…
          </button>`}
    <button
      class="ctl primary"
      ?disabled=${!operator || draft.busy || (!draft.edited && !isNew) || !draft.value("name").trim()}
      title=${!operator ? needs : !draft.value("name").trim() ? "It needs a name" : nothing}
      @click=${() => metric.save()}
    >
      Save <kbd>Ctrl S</kbd>
    </button>
  </div>`;
}

/** What becomes of its values and of those that read it. */
const removalWords = (users) =>
  `Stored values stay until retention drops them.${users.length ? ` It is read by ${usersText(users)}, which get no new values then.` : ""}`;

function sidePane(metric) {
  const { draft } = metric;
  if (metric.side === "details" && draft.there)
    return detailsPane({
      value: metric.value,
      set: (name, next) => draft.set(name, next),
      error: draft.error,
      kinds: metric.kinds,
      allowed: draft.allowed,
      stored: metric.isNew ? null : draft.before,
      remove: () => draft.remove(removalWords(metric.uses.data?.usedBy ?? [])),
    });
  if (metric.side === "history" && draft.stored.data)
    return html`${historyPane({
      history: draft.history,
      current: draft.before.version,
      allowed: draft.allowed,
      edited: draft.edited,
      restore: (version) => draft.restore(version),
    })}${auditPane(draft.before.id, draft.before.version)}`;
  return metric.explanation.view();
}
