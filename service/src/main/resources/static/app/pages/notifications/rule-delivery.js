// What a rule sends and to whom: its template with values for it, and its targets.
import { html, nothing } from "../../core/html.js";
import { href, param, place } from "../../core/url.js";
import { failure } from "../../parts/pane.js";
import { placeOf, typeWord } from "./words.js";

/** `t` is the template that is chosen. */
function templateField(draft, t, templates) {
  return html`<p class="row wrap">
    Send as
    <select
      class="field inline"
      aria-label="Template"
      ?disabled=${!draft.allowed}
      @change=${(e) => draft.set("template", e.target.value)}
    >
      ${(templates.data?.items ?? []).map(
        (x) => html`<option value=${x.id} ?selected=${x.id === draft.value("template")}>${x.id}</option>`,
      )}${t || !templates.data
        ? nothing
        : html`<option selected value=${draft.value("template")}>${draft.value("template")}, which is gone</option>`}
    </select>
    ${t
      ? html`<a class="acc s12" href=${href(`/notifications/templates/${t.id}`)}>open</a
          ><span class="m s12">${t.description}</span>`
      : nothing}${draft.said("template")}
  </p>`;
}

/** Values for the template. */
function valueFields(draft, vars) {
  const values = draft.value("vars") ?? {};
  const setVar = (name, v, type) =>
    draft.set(
      "vars",
      Object.fromEntries(
        Object.entries({
          ...values,
          [name]: v === "" ? undefined : type === "number" && v !== "" && Number.isFinite(Number(v)) ? Number(v) : v,
        }).filter(([, x]) => x !== undefined),
      ),
    );
  return html`<div class="vars">
    ${vars.map(
      ([name, v]) =>
        html`<label class="lab" title=${v.description ?? ""}
          >${name} <span class="m">${v.description ?? ""}</span
          ><input
            class="field low"
            aria-label=${`Value ${name}`}
            placeholder=${String(v.default ?? "none")}
            .value=${values[name] === undefined ? "" : String(values[name])}
            ?disabled=${!draft.allowed}
            @change=${(e) => setVar(name, e.target.value.trim(), v.type)}
        /></label>`,
    )}${draft.said("vars")}
  </div>`;
}

function targetFields(draft, t, { templates, targets }) {
  const chosen = draft.value("targets") ?? [];
  const all = targets.data?.items ?? [];
  const fits = all.filter((x) => !t || x.type === t.targetType || chosen.includes(x.id));
  const toggle = (id) => {
    const now = draft.value("targets") ?? [];
    draft.set("targets", now.includes(id) ? now.filter((x) => x !== id) : [...now, id]);
  };
  return html`<p>to</p>
    <ul class="target-checks" role="group" aria-label="Targets">
      ${fits.map(
        (x) =>
          html`<li>
            <label class="check"
              ><input
                type="checkbox"
                .checked=${chosen.includes(x.id)}
                ?disabled=${!draft.allowed}
                @change=${() => toggle(x.id)}
              /><b>${x.name}</b></label
            ><span class="m cut">${typeWord(x.type)}, ${placeOf(x)}</span>${t && x.type !== t.targetType
              ? html`<span class="warn s12">the template does not fit ${typeWord(x.type).toLowerCase()}</span>`
              : nothing}${x.enabled ? nothing : html`<span class="warn s12">disabled</span>`}
          </li>`,
      )}
    </ul>
    ${targets.data && (t || templates.data)
      ? html`<p class="m s12">
          ${fits.length
            ? nothing
            : html`There is no target${t ? ` of type ${typeWord(t.targetType).toLowerCase()}` : ""} yet. `}<a
            class="acc"
            href=${href("/notifications/targets/new", {
              type: t?.targetType,
              rule: place.path,
              definition: param("definition"),
              name: param("name"),
            })}
            >${fits.length ? "New target" : "Make one"}</a
          >
        </p>`
      : nothing}${draft.said("targets")}`;
}

/** `templates` and `targets` are there to be chosen from. */
export function deliveryPane({ draft, templates, targets }) {
  const t = (templates.data?.items ?? []).find((x) => x.id === draft.value("template"));
  const vars = Object.entries(t?.document?.vars ?? {});
  return html`<section class="pane" aria-label="What and to whom">
    <div class="ph">
      <h2>What, and to whom</h2>
    </div>
    <div class="sentence">
      ${[templates, targets].filter((x) => x.error && !x.data).map((x) => failure(x.error, () => x.again()))}
      ${templateField(draft, t, templates)} ${vars.length ? valueFields(draft, vars) : nothing}
      ${targetFields(draft, t, { templates, targets })}
      <p class="row wrap">
        <label class="check"
          ><input
            type="checkbox"
            .checked=${draft.value("continue")}
            ?disabled=${!draft.allowed}
            @change=${(e) => draft.set("continue", e.target.checked)}
          />Continue with later rules</label
        >
      </p>
    </div>
  </section>`;
}
