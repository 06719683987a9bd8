// One custom group: a scope with a name, and who belongs to it now.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { lastTick, moment } from "../../core/time.js";
import { back, go, href } from "../../core/url.js";
import { Draft } from "../../parts/draft.js";
import { draftHistory, historyButton, historyKey } from "../../parts/history.js";
import { failure, loaded } from "../../parts/pane.js";
import { cleanScope, ScopeFields, scopeWords } from "../shared/scope-fields.js";

const BLANK = { name: "", description: null, scope: {} };
const FIELDS = { name: "Name", description: "Description", scope: "Members" };
const toBody = (body) => ({ ...body, scope: cleanScope(body.scope) });
const shown = (name, v) => (name === "scope" ? scopeWords(v, "every object") : `${v ?? ""}` || "none");

export function page(address) {
  const kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
  const draft = new Draft({
    api: "/groups",
    place: "/settings/groups",
    list: () => go("/settings"),
    address,
    blank: BLANK,
    labels: FIELDS,
    show: shown,
    toBody,
  });
  const scope = new ScopeFields({
    label: "Members",
    kinds: () => (kinds.data?.items ?? []).flatMap((a) => a.objectKinds),
    open: true,
  });
  return {
    get title() {
      return draft.value("name") || "Custom group";
    },
    name: "rule-page",
    timed: false,
    update() {
      draft.want();
      kinds.want(lastTick());
    },
    escape: () => leaveField() || back("/settings"),
    keys: () => ({ "Ctrl S": [() => draft.save(), "Save"], ...historyKey(draft) }),
    view() {
      if (!draft.isNew && draft.stored.error && !draft.stored.data)
        return html`<div class="tb">
            <h1>No group to show</h1>
          </div>
          <section class="pane">${failure(draft.stored.error, () => draft.stored.again())}</section>`;
      const off = !draft.allowed;
      const g = draft.before;
      const head = html`<div class="tb">
        <a class="m nw" href=${href("/settings")}>Settings /</a>
        <h1 class="cut">${draft.value("name") || (draft.isNew ? "New group" : "\u00a0")}</h1>
        ${draft.edited ? html`<span class="chip accent">edited</span>` : nothing}${draft.meanwhile()}
        <span class="sp"></span>
        ${historyButton(draft)}${draft.saveButtons()}
      </div>`;
      if (!draft.there)
        return html`${head}
          <section class="pane">${loaded(draft.stored, () => nothing, { rows: 6 })}</section>`;
      return html`${head}${draft.error && !draft.error.errors?.length
          ? html`<section class="pane">${failure(draft.error, () => draft.save())}</section>`
          : nothing}
        <div class="cols">
          <section class="pane" aria-label="Group">
            <div class="form">
              <label class="lab"
                >Name<input
                  class="field"
                  name="name"
                  maxlength="200"
                  autocomplete="off"
                  .value=${draft.value("name")}
                  ?disabled=${off}
                  aria-invalid=${draft.wrong("name") ? "true" : "false"}
                  @input=${(e) => draft.set("name", e.target.value)}
                />${draft.said("name")}</label
              >
              <label class="lab"
                >What it is for<textarea
                  class="field tall"
                  name="description"
                  rows="2"
                  maxlength="2000"
                  .value=${draft.value("description") ?? ""}
                  ?disabled=${off}
                  @input=${(e) => draft.set("description", e.target.value || null)}
                ></textarea
                >${draft.said("description")}</label
              >
            </div>
            ${draft.isNew
              ? nothing
              : html`<div class="row pad end">
                  <span class="m s12">Version ${g.version}, ${g.updatedBy}, ${moment(Date.parse(g.updatedAt))}</span>
                  <span class="sp"></span>
                  <button
                    class="ctl"
                    ?disabled=${off}
                    title=${off ? "Needs the role operator" : nothing}
                    @click=${() => draft.remove("Rules that name it no longer match its members.")}
                  >
                    Delete…
                  </button>
                </div>`}
          </section>
          <div class="col">
            ${draftHistory(draft)}
            <section class="pane" aria-label="Members">
              <div class="ph">
                <h2>Members</h2>
                <span class="m cut">${scopeWords(draft.value("scope"), "every object")}</span>
              </div>
              <div class="pad">
                ${scope.view({ scope: draft.value("scope"), set: (s) => draft.set("scope", s), off })}${draft.said(
                  "scope",
                )}
              </div>
            </section>
          </div>
        </div>`;
    },
  };
}
