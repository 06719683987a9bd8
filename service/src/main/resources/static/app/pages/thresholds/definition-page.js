// The page of one threshold or alert definition: what both have around what they judge.
import { html, nothing } from "../../core/html.js";
import { leaveField } from "../../core/keys.js";
import { back } from "../../core/url.js";
import { historyButton, historyKey } from "../../parts/history.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { chip } from "../../parts/small.js";
import { scopeWords } from "../shared/scope-fields.js";

function bar({ draft, kind, list, listAddress, marks, links = () => nothing }) {
  const { pack } = draft.before;
  return html`<div class="tb">
    <a class="m nw" href=${listAddress}>${list} /</a>
    <h1 class="cut" title=${draft.value("name")}>
      ${draft.value("name") || (draft.isNew ? `New ${kind.toLowerCase()}` : "\u00a0")}
    </h1>
    ${pack ? chip(`pack ${pack}`) : nothing}${draft.edited
      ? html`<span class="chip accent">edited</span>`
      : nothing}${draft.value("enabled") ? nothing : chip("disabled")}${draft.meanwhile()}
    ${marks()}
    <span class="sp"></span>
    ${historyButton(draft)}${draft.isNew
      ? nothing
      : html`${links()}<a class="ctl ghost" href=${`/api/v1/rules/export?id=${draft.id}`} download>Export</a>`}
    ${draft.saveButtons()}
  </div>`;
}

/**
 * What `page()` gives. `kind` is what it is called, `name` the class of the page, `list` the words of the link to the
 * list and `listAddress` where that leads; `marks()` stands behind the name, `links()` before Export; `columns()` is
 * what stands below the bar.
 */
export function definitionPage(of) {
  const { draft, kind, name, update, columns } = of;
  return {
    get title() {
      return draft.value("name") || kind;
    },
    name,
    timed: false,
    update,
    escape: () => leaveField() || back("/thresholds"),
    keys: () => ({
      "Ctrl S": [() => draft.save(), "Save"],
      ...historyKey(draft),
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No ${kind.toLowerCase()} to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      if (!draft.there)
        return html`${bar(of)}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 8 })}</section>`;
      return html`${bar(of)}
        <div class="cols">${columns()}</div>`;
    },
  };
}

/** Why it was not stored, where that is not the fault of one field. */
export const notStored = (draft) =>
  draft.error && !draft.error.errors?.length
    ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
    : nothing;

export const nameField = (draft, longest) =>
  html`<div class="form">
    <label class="lab"
      >Name<input
        class="field"
        name="name"
        maxlength=${longest}
        autocomplete="off"
        .value=${draft.value("name")}
        ?disabled=${!draft.allowed}
        aria-invalid=${draft.wrong("name") ? "true" : "false"}
        @input=${(e) => draft.set("name", e.target.value)}
      />${draft.said("name")}</label
    >
  </div>`;

/** The scope, once the object kind is chosen. */
export function scopePane(draft, fields) {
  const kind = draft.value("objectKind");
  const scope = draft.value("scope");
  return html`<section class="pane" aria-label="Scope">
    <div class="ph">
      <h2>Scope</h2>
      <span class="m cut">${kind ? scopeWords(scope, "all objects of the kind") : "choose an object kind first"}</span>
    </div>
    <div class="pad">
      ${kind
        ? fields.view({ scope, set: (s) => draft.set("scope", s), kind, off: !draft.allowed })
        : nothing}${draft.said("scope")}
    </div>
  </section>`;
}
