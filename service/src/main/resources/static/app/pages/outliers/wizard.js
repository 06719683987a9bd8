// A group being written, on one page without steps: what it is at the left, what it would have found at the right.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { Suggest } from "../../parts/suggest.js";
import { membersField, metricsField } from "./compare-fields.js";
import { configurationField } from "./configuration.js";
import { alertField, methodField, timingField, wholeField } from "./event-fields.js";
import { FlowFields } from "./flows.js";
import { field } from "./form-field.js";
import { OutlierPreview } from "./preview.js";
import { BLANK, cleanGroup, FIELDS, proposedName, shownField } from "./definition-words.js";
import { suggestions } from "./suggested.js";
import { cleanScope, ScopeFields } from "../shared/scope-fields.js";
import { keysOf, METRICS } from "../thresholds/rule.js";

export function page(address) {
  const id = address.replace(/\/edit$/, "");
  let proposed = "";
  const draft = new Draft({
    api: "/outlier-groups",
    place: "/outliers",
    list: () => go("/outliers"),
    address: id,
    blank: BLANK,
    labels: FIELDS,
    show: shownField,
    toBody: cleanGroup,
    changed: (name) => (name === "scope" || name === "objectKind") && propose(),
  });
  const group = {
    draft,
    kinds: new Load((_tick, signal) => get("/adapter-kinds", {}, signal)),
    units: new Load(async (kind, signal) => {
      const path = `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/keys`;
      return new Map((await get(path, { limit: 1000 }, signal)).items.map((k) => [k.key, k.unit ?? ""]));
    }),
    scope: new ScopeFields({ label: "Members", open: true }),
    key: new Suggest(keysOf, () => [draft.value("objectKind"), METRICS]),
    property: new Suggest(keysOf, () => [draft.value("objectKind"), ["property"]]),
    flows: new FlowFields(),
    preview: new OutlierPreview(draft),
    /** What is added to the metrics, "metrics" or "flows"; null until somebody says so. */
    source: null,
  };
  let begun = false;

  /** Names the group after its scope, until somebody names it. */
  function propose() {
    const next = proposedName(cleanScope(draft.value("scope")), draft.value("objectKind"));
    const now = draft.value("name");
    if (draft.isNew && (!now || now === proposed) && next !== now) {
      proposed = next;
      draft.set("name", next);
    }
  }

  function update() {
    draft.want();
    group.kinds.want(lastTick());
    if (param("suggestion")) suggestions.want(0);
  }

  /** Fills in a suggestion once, when it is there. */
  function begin() {
    const asked = param("suggestion");
    if (begun || !asked || !suggestions.data) return;
    begun = true;
    const found = suggestions.data.items.find((s) => s.id === asked);
    if (found) {
      const { id: _id, ...group } = found.group;
      draft.begin(group);
      proposed = "";
    } else notice("This suggestion is no longer there.");
    amend({ suggestion: null }, { replace: true });
  }

  return {
    get title() {
      return draft.value("name") || "Outlier group";
    },
    name: "wizard",
    timed: false,
    update,
    escape: () => leaveField() || back(draft.isNew ? "/outliers" : `/outliers/${id}`),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No group to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      begin();
      const kind = draft.value("objectKind");
      if (draft.there) {
        if (kind) group.units.want(kind);
        group.preview.want(draft.body());
      }
      if (!draft.there)
        return html`${bar(draft)}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 10 })}</section>`;
      return html`${bar(draft)}
        <div class="cols">
          ${form(group)}
          <div class="col side-col">
            ${draftHistory(draft)}
            ${group.preview.view({
              at: group.preview.valueOf(draft.value("sensitivity")),
              opens: draft.value("opens"),
              closesAfter: draft.value("closesAfter"),
              set: (v) => {
                draft.set("sensitivity", v);
                redraw();
              },
              off: !draft.allowed,
            })}
          </div>
        </div>`;
    },
  };
}

function bar(draft) {
  return html`<div class="tb">
    <a class="m nw" href=${href("/outliers")}>Outliers /</a>
    ${draft.isNew ? nothing : html`<a class="m nw" href=${href(`/outliers/${draft.id}`)}>${draft.before.name} /</a>`}
    <h1 class="cut">${draft.isNew ? "New group" : "Edit"}</h1>
    <span class="m nw"
      >${draft.isNew
        ? draft.edited
          ? "draft kept, nothing runs yet"
          : "nothing runs yet"
        : draft.edited
          ? "edited, draft kept"
          : ""}</span
    >
    ${draft.meanwhile()}
    <span class="sp"></span>
    ${historyButton(draft)}${draft.isNew
      ? nothing
      : html`<a class="ctl ghost" href=${`/api/v1/rules/export?id=${draft.id}`} download>Export</a>`}
    <button class="ctl" @click=${() => back(draft.isNew ? "/outliers" : `/outliers/${draft.id}`)}>
      Cancel <kbd>Esc</kbd>
    </button>
    ${draft.saveButtons()}
  </div>`;
}

function form(group) {
  const { draft } = group;
  const g = draft.before;
  return html`<section class="pane wiz-form" aria-label="Group">
    ${draft.error && !draft.error.errors?.length ? failure(draft.error, () => draft.save()) : nothing}
    ${field(
      "Name",
      draft.isNew ? "proposed from the scope" : "",
      html`<input
          class="field"
          name="name"
          maxlength="200"
          autocomplete="off"
          aria-label="Name"
          .value=${draft.value("name")}
          ?disabled=${!draft.allowed}
          aria-invalid=${draft.wrong("name") ? "true" : "false"}
          @input=${(e) => draft.set("name", e.target.value)}
        />${draft.said("name")}`,
    )}
    ${membersField(group)}${metricsField(group)}
    ${field(
      "Which side counts",
      "",
      html`${segments(
        draft.value("side"),
        [
          ["both", "High and low"],
          ["high", "High"],
          ["low", "Low"],
        ],
        (v) => draft.allowed && draft.set("side", v),
        "Which side counts",
      )}`,
    )}
    ${timingField(draft)}${wholeField(draft)}${configurationField(group)}${alertField(draft)}${methodField(draft)}
    ${field(
      "What it is for",
      "",
      html`<textarea
          class="field tall"
          name="description"
          rows="2"
          maxlength="20000"
          aria-label="What it is for"
          .value=${draft.value("description") ?? ""}
          ?disabled=${!draft.allowed}
          @input=${(e) => draft.set("description", e.target.value || null)}
        ></textarea>
        <label class="check s12"
          ><input
            type="checkbox"
            name="enabled"
            .checked=${draft.value("enabled")}
            ?disabled=${!draft.allowed}
            @change=${(e) => draft.set("enabled", e.target.checked)}
          />Enabled</label
        >`,
    )}
    ${draft.isNew
      ? nothing
      : html`<div class="row pad end">
          <span class="m s12 cut">Version ${g.version}, ${g.updatedBy}, ${moment(Date.parse(g.updatedAt))}</span>
          <span class="sp"></span>
          <button
            class="ctl"
            ?disabled=${!draft.allowed}
            title=${!draft.allowed ? NEEDS : nothing}
            @click=${() =>
              draft.remove(
                `Deletes 1 group; ${g.openEvents ? `${plural(g.openEvents, "open event")} ${g.openEvents === 1 ? "is" : "are"} closed, and ` : ""}its events stay in the archive.`,
              )}
          >
            Delete…
          </button>
        </div>`}
  </section>`;
}
