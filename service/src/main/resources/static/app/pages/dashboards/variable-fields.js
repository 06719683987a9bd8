// The variables of a dashboard as fields: what panels read and what is chosen above them.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { plural } from "../../core/format.js";
import { readers, setters } from "./address.js";
import { assign, listField, selectField, textField } from "./fields.js";
import { knownKinds } from "./rule-fields.js";

const TYPES = [
  ["object", "one object"],
  ["objects", "several objects"],
  ["tag", "value of a tag"],
  ["group", "custom group"],
  ["metric", "metric"],
  ["text", "text"],
  ["number", "number"],
  ["time", "moment"],
  ["slice", "slice of a distribution"],
];
const NAME = /^[A-Za-z][A-Za-z0-9_\-]{0,39}$/; // "-" is escaped, as the pattern of a field wants it

const usualOf = (v) =>
  v.default === undefined ? "" : typeof v.default === "object" ? (v.default.first ? "first" : "pinned") : "value";

function fields(dashboard, v, at, edit) {
  const set = (member) => (value) => edit((one) => assign(one, member, value), `${at}.${member}`);
  const isObject = v.type === "object" || v.type === "objects";
  const kind = Array.isArray(v.kind) ? v.kind[0] : v.kind;
  const read = readers(dashboard, v.name).length;
  const sets = setters(dashboard, v.name).length;
  return html`<fieldset class="ed-part">
    <legend>
      $${v.name}
      <span class="m">read by ${plural(read, "panel")}${sets ? `, set by ${plural(sets, "panel")}` : ""}</span>
    </legend>
    <div class="two">
      ${textField("Title", v.title, set("title"))}
      ${selectField("Type", v.type, TYPES, (type) =>
        edit((one) => {
          one.type = type;
          delete one.default;
        }),
      )}
      ${isObject || v.type === "tag" || v.type === "metric"
        ? selectField("Kind", kind, [["", "any"], ...knownKinds()], set("kind"))
        : nothing}
      ${v.type === "tag" ? textField("Key of the tag", v.key, set("key"), { placeholder: "env" }) : nothing}
      ${isObject
        ? selectField(
            "Until one is chosen",
            usualOf(v),
            [
              ["", "has to be chosen"],
              ["first", "the first by name"],
              ...(usualOf(v) === "pinned" ? [["pinned", v.default.name]] : []),
            ],
            (value) =>
              value !== "pinned" &&
              edit((one) => assign(one, "default", value === "first" ? { first: {} } : undefined)),
          )
        : v.type === "slice" || v.type === "time"
          ? nothing
          : textField("Until one is chosen", v.default, (value) =>
              edit(
                (one) => assign(one, "default", value !== undefined && v.type === "number" ? Number(value) : value),
                `${at}.default`,
              ),
            )}
      ${["text", "number"].includes(v.type)
        ? listField("Choices", v.choices?.map(String), (list) =>
            edit(
              (one) => assign(one, "choices", v.type === "number" ? list?.map(Number).filter(Number.isFinite) : list),
              `${at}.choices`,
            ),
          )
        : nothing}
    </div>
    <button class="link" @click=${() => edit((_one, d) => d.variables.splice(at, 1))}>Remove $${v.name}</button>
  </fieldset>`;
}

/** Opens the variables; `editing` holds the draft. */
export function showVariables(editing) {
  let name = "";
  const add = () => {
    if (!NAME.test(name) || (editing.definition.variables ?? []).some((v) => v.name === name)) return;
    editing.change((d) => (d.variables ??= []).push({ name, type: "object" }));
    name = "";
    redraw();
  };
  showLayer(
    "dialog",
    () => {
      const dashboard = editing.definition;
      return html`<h2 class="title">Variables</h2>
        <p class="i2">Panels read one as <code>$name</code>; it is chosen above them, or by a click in a panel.</p>
        ${(dashboard.variables ?? []).map((v, at) =>
          fields(dashboard, v, at, (make, of = null) =>
            editing.change((d) => make(d.variables[at], d), of && `variables.${of}`),
          ),
        )}
        <div class="row">
          <input
            class="field"
            placeholder="Name of a new one, such as cluster"
            aria-label="Name of a new variable"
            pattern=${NAME.source}
            autocomplete="off"
            .value=${name}
            @input=${(e) => {
              name = e.target.value.trim();
              redraw();
            }}
            @keydown=${(e) => e.key === "Enter" && (e.preventDefault(), add())}
          />
          <button class="ctl" ?disabled=${!NAME.test(name)} @click=${add}>Add</button>
          <button class="ctl" @click=${closeLayer}>Done</button>
        </div>`;
    },
    { label: "Variables" },
  );
}
