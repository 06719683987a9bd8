// Further conditions of a rule, of which it shows those that say something or were opened.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { IMPACTS } from "../../core/health.js";
import { kindWord } from "../../core/metrics.js";
import { icon } from "../../parts/shapes.js";
import { CHANGES, FIELDS, USUAL_CHANGES } from "./rule-words.js";
import { listOf } from "./words.js";

const MORE = {
  objectKinds: "of kind",
  impacts: "with impact",
  types: "of type",
  subTypes: "of subtype",
  definitions: "raised by",
  controlStates: "in state",
  sources: "from",
  changes: "of updates, when",
  sampling: "a share of",
};
const STATES = ["open", "acknowledged", "suspended", "suppressed"];
const isUsual = (changes) => changes.length === USUAL_CHANGES.length && USUAL_CHANGES.every((c) => changes.includes(c));
const HINTS = { types: "APPLICATION, NETWORK", subTypes: "PERFORMANCE", sources: "peerlens, notices, a relay" };

const listed = (draft, name) => draft.value(name) ?? [];

const toggle = (draft, name, value, order) => {
  const next = listed(draft, name).includes(value)
    ? listed(draft, name).filter((v) => v !== value)
    : [...listed(draft, name), value];
  draft.set(name, order ? order.filter((v) => next.includes(v)) : next);
};

const checks = (draft, name, options, label) =>
  html`<span class="row wrap inline-checks" role="group" aria-label=${label}
    >${options.map(
      ([v, word]) =>
        html`<label class="check s12"
          ><input
            type="checkbox"
            .checked=${listed(draft, name).includes(v)}
            ?disabled=${!draft.allowed}
            @change=${() =>
              toggle(
                draft,
                name,
                v,
                options.map(([x]) => x),
              )}
          />${word}</label
        >`,
    )}</span
  >`;

/** The values of a condition, each to be removed. */
const chips = (draft, name, items, wordsOf, key = (x) => x) =>
  items.map(
    (x) =>
      html`<span class="chip"
        >${wordsOf(x)}${!draft.allowed
          ? nothing
          : html`<button
              class="icon"
              type="button"
              aria-label=${`Remove ${wordsOf(x)}`}
              @click=${() =>
                draft.set(
                  name,
                  items.filter((y) => key(y) !== key(x)),
                )}
            >
              ${icon("close", 10)}
            </button>`}</span
      >`,
  );

/** The choice of one more value. */
const choose = (draft, name, options, label) =>
  !draft.allowed || !options.length
    ? nothing
    : html`<select
        class="field low slim"
        aria-label=${label}
        @change=${(e) => {
          const o = options[Number(e.target.value)];
          e.target.value = "";
          if (o) draft.set(name, [...listed(draft, name), o.value]);
        }}
      >
        <option value="">choose…</option>
        ${options.map((o, i) => html`<option value=${i}>${o.label}</option>`)}
      </select>`;

function kindFields({ draft, kinds }) {
  const name = "objectKinds";
  const all = (kinds.data?.items ?? [])
    .flatMap((a) => a.objectKinds)
    .filter((k) => !listed(draft, name).some((x) => x.objectKind === k.objectKind && x.adapterKind === k.adapterKind));
  return html`${chips(
    draft,
    name,
    listed(draft, name),
    (k) => kindWord(k.objectKind, 2),
    (k) => `${k.adapterKind} ${k.objectKind}`,
  )}${choose(
    draft,
    name,
    all.map((k) => ({
      value: { adapterKind: k.adapterKind, objectKind: k.objectKind },
      label: `${k.objectKind} (${k.adapterKind})`,
    })),
    "Object kind",
  )}`;
}

function definitionFields({ draft, definitions }) {
  const name = "definitions";
  definitions.want(0);
  const known = definitions.data ?? [];
  return html`${chips(
    draft,
    name,
    listed(draft, name),
    (id) => known.find((d) => d.id === id)?.name ?? (definitions.data ? "one that is gone" : "\u2026"),
  )}${choose(
    draft,
    name,
    known.filter((d) => !listed(draft, name).includes(d.id)).map((d) => ({ value: d.id, label: d.name })),
    "Threshold, alert definition, outlier group or report",
  )}`;
}

function valuesOf(rule, name) {
  const { draft } = rule;
  if (name === "impacts")
    return checks(
      draft,
      name,
      IMPACTS.map((i) => [i, i]),
      "Impacts",
    );
  if (name === "controlStates")
    return checks(
      draft,
      name,
      STATES.map((s) => [s, s]),
      "Control states",
    );
  if (name === "changes")
    return html`<span class="changes"
      >${checks(draft, name, CHANGES, "Updates")}<span class="m s12"
        >${listed(draft, name).length
          ? ""
          : `none chosen: ${CHANGES.filter(([c]) => USUAL_CHANGES.includes(c))
              .map(([, w]) => w)
              .join(", ")}`}</span
      ></span
    >`;
  if (name === "sampling")
    return html`<input
        class="field low num"
        type="number"
        min="1"
        max="100"
        aria-label="Percentage of alerts"
        .value=${String(draft.value("sampling") ?? 100)}
        ?disabled=${!draft.allowed}
        @change=${(e) => draft.set("sampling", Math.max(1, Math.min(100, Math.round(Number(e.target.value) || 100))))}
      />
      % of alerts`;
  if (name === "objectKinds") return kindFields(rule);
  if (name === "definitions") return definitionFields(rule);
  return html`<input
    class="field low"
    aria-label=${FIELDS[name]}
    placeholder=${HINTS[name]}
    .value=${listed(draft, name).join(", ")}
    ?disabled=${!draft.allowed}
    @change=${(e) => draft.set(name, listOf(e.target.value))}
  />`;
}

function condition(rule, name) {
  const { draft, opened } = rule;
  const drop = () => {
    opened.delete(name);
    draft.set(name, name === "sampling" ? 100 : []);
    redraw();
  };
  return html`<span class="condition"
    ><span class="m">${MORE[name]}</span>${valuesOf(rule, name)}${!draft.allowed
      ? nothing
      : html`<button class="icon" type="button" aria-label=${`Drop ${MORE[name]}`} @click=${drop}>
          ${icon("close", 11)}
        </button>`}${draft.said(name)}</span
  >`;
}

/** `rule` is the state of its page. */
export function conditionFields(rule) {
  const { draft, opened } = rule;
  const has = Object.keys(MORE).filter(
    (n) =>
      opened.has(n) ||
      (n === "sampling"
        ? draft.value(n) < 100
        : n === "changes"
          ? listed(draft, n).length && !isUsual(listed(draft, n))
          : listed(draft, n).length),
  );
  const rest = Object.keys(MORE).filter((n) => !has.includes(n));
  return html`<div class="conditions">
    ${has.map((name) => condition(rule, name))}${rest.length && draft.allowed
      ? html`<select
          class="field low faint"
          aria-label="Add a condition"
          @change=${(e) => {
            const { value } = e.target;
            e.target.value = "";
            if (value) {
              opened.add(value);
              redraw();
            }
          }}
        >
          <option value="">${has.length ? "and\u2026" : "only\u2026"}</option>
          ${rest.map((n) => html`<option value=${n}>${MORE[n]}</option>`)}
        </select>`
      : nothing}
  </div>`;
}
