// The objects of a panel as fields: kind, from where, tags, name, conditions; with how many they are.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { icon } from "../../parts/shapes.js";
import { askPanel } from "../../panels/answers.js";
import { OPERATORS, kindsWords, operatorWords, ruleWords, sourceWords } from "../../panels/words.js";
import { assign, listField, selectField, textField } from "./fields.js";
import { MetricSearch, sourceOf } from "./metric-search.js";

const kinds = new Load((signal) => get("/adapter-kinds", {}, signal));
const ATTRIBUTES = ["name", "health", "alerts", "firstSeen", "lastSeen"];

/** The kinds that are known here, `[ADAPTER/KIND, words]`. */
export function knownKinds() {
  kinds.want();
  return (kinds.data?.items ?? []).flatMap((a) =>
    a.objectKinds.map((k) => [
      `${k.adapterKind}/${k.objectKind}`,
      `${kindWord(k.objectKind, 2)} (${count(k.objects)})`,
    ]),
  );
}

export const firstKind = (panel) => (Array.isArray(panel.kind) ? panel.kind[0] : panel.kind) ?? null;

/** The members of a panel that choose its objects. */
export function ruleOf({ kind, select, subject }) {
  return { ...(kind ? { kind } : {}), ...(select ? { select } : {}), ...(subject ? { subject } : {}) };
}

const WAYS = [
  ["", "itself or below"],
  ["children", "its children"],
  ["descendants", "all below"],
  ["parents", "its parents"],
  ["ancestors", "all above"],
];

/** The one step of a path that the fields can show; null for none, undefined for what is more than that. */
function wayOf(select) {
  const paths = select?.paths;
  if (!paths) return "";
  const [path] = paths;
  const step = path?.[0];
  const to = typeof step === "string" ? step : step?.to;
  return paths.length === 1 && path.length === 1 && !step?.kind && !step?.depth ? to : undefined;
}

export class RuleFields {
  #count = new Load((panel, values, _narrow, signal) => {
    const body = { panel, variables: values, time: { last: "6h" } };
    return askPanel(body, signal);
  });
  #narrow = new Load((panel, values, _narrow, signal) =>
    askPanel({ panel, variables: values, time: { last: "6h" } }, signal),
  );
  #search = new MetricSearch();

  /** Changes what chooses the objects, and leaves out what is empty. */
  #select(change, of) {
    this.set((panel) => {
      const select = structuredClone(panel.select ?? {});
      change(select);
      if (select.scope && !Object.keys(select.scope).length) delete select.scope;
      if (select.where && !select.where.length) delete select.where;
      assign(panel, "select", Object.keys(select).length ? select : undefined);
    }, of);
  }

  #scope = (member) => (value) =>
    this.#select((select) => assign((select.scope ??= {}), member, value), `scope.${member}`);

  #condition(c, at) {
    const edit = (make) => this.#select((select) => make(select.where[0][at], select), `where.${at}`);
    const valued = !/xists$/.test(c.op);
    return html`<li class="condition">
      <span class="cut" title=${sourceWords(c)}>${sourceWords(c)}</span>
      <select
        class="field"
        aria-label=${`How ${sourceWords(c)} is compared`}
        @change=${(e) =>
          edit((one) => {
            one.op = e.target.value;
            if (/xists$/.test(one.op)) delete one.value;
            else one.value ??= "";
          })}
      >
        ${OPERATORS.map((op) => html`<option value=${op} ?selected=${op === c.op}>${operatorWords(op)}</option>`)}
      </select>
      ${valued
        ? html`<input
            class="field"
            aria-label=${`What ${sourceWords(c)} is compared with`}
            .value=${String(c.value ?? "")}
            @input=${(e) =>
              edit((one) => {
                const text = e.target.value;
                one.value = c.metric && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text;
              })}
          />`
        : html`<span></span>`}
      <button
        class="icon"
        aria-label=${`Drop the condition on ${sourceWords(c)}`}
        @click=${() =>
          this.#select((select) => {
            select.where[0].splice(at, 1);
            if (!select.where[0].length) select.where.splice(0, 1);
          })}
      >
        ${icon("close", 12)}
      </button>
    </li>`;
  }

  #add = (condition) =>
    this.#select((select) => {
      select.where ??= [[]];
      select.where[0].push(condition);
    });

  /** How many objects match, how many of them report, and how many with the variables as they are. */
  #counted(panel, columns, question) {
    const rule = ruleOf(panel);
    if (!rule.kind && !rule.select) return nothing;
    const probe = {
      type: "table",
      ...rule,
      columns: columns.length ? columns.slice(0, 1) : [{ name: "name", attribute: "name" }],
      limit: 1,
    };
    const free = structuredClone(probe);
    delete free.subject;
    const { variables } = question(probe);
    this.#narrow.want(probe, variables, 1);
    const driven = Boolean(probe.subject);
    if (driven) this.#count.want(free, {}, 0);
    const load = driven ? this.#count : this.#narrow;
    const objects = load.data?.objects;
    if (!objects) return html`<p class="m s12 counted">${load.error ? load.error.message : "Counting"}</p>`;
    const report = objects.reporting ?? objects.matched;
    const word = panel.kind ? kindsWords(panel.kind, objects.matched === 1 ? 1 : 2) : "objects";
    const here = driven && this.#narrow.data?.objects;
    return html`<p class="s12 counted">
      <span class="count-bar"
        ><span class="bar-fill" .style=${`width:${objects.matched ? (report / objects.matched) * 100 : 0}%`}></span
      ></span>
      <b>${count(objects.matched)} ${word} match${columns.length ? `, ${count(report)} report it` : ""}</b>
      ${here ? html`<span class="m">${count(here.matched)} with ${panel.subject} as it is</span>` : nothing}
    </p>`;
  }

  /**
   * `panel` as it is, `set(change, of)` changes it, `variables` those of the dashboard, `question(panel)` what is asked
   * for a panel, `columns` what it shows of the objects.
   */
  view({ panel, set, variables, question, columns = [] }) {
    this.set = set;
    const select = panel.select ?? {};
    const scope = select.scope ?? {};
    const objects = variables.filter((v) => v.type === "object");
    const subject = typeof panel.subject === "string" ? panel.subject : panel.subject ? "pinned" : "";
    const way = wayOf(select);
    const simple = way !== undefined && (select.where?.length ?? 0) <= 1 && !Array.isArray(panel.kind);
    const conditions = select.where?.[0] ?? [];
    const options = knownKinds();
    const kind = firstKind(panel);
    if (kind && !options.some(([key]) => key === kind)) options.unshift([kind, kindWord(kind.split("/")[1], 2)]);
    return html`<fieldset class="ed-part">
      <legend>Objects</legend>
      <p class="s12 i2 rule-words">${ruleWords(panel)}</p>
      ${simple
        ? html`<div class="two">
              ${selectField("Kind", kind, [["", "any"], ...options], (value) =>
                set((p) => assign(p, "kind", value), "kind"),
              )}
              ${selectField(
                "Of",
                subject,
                [
                  ["", "the whole installation"],
                  ...objects.map((v) => [`$${v.name}`, `$${v.name}`]),
                  ...(subject === "pinned" ? [["pinned", panel.subject.name]] : []),
                ],
                (value) => value !== "pinned" && set((p) => assign(p, "subject", value)),
              )}
              ${panel.subject
                ? selectField("How related", way, WAYS, (value) =>
                    this.#select((s) => assign(s, "paths", value ? [[value]] : undefined)),
                  )
                : nothing}
              ${textField("Name", scope.name, this.#scope("name"), { placeholder: "shop-*" })}
              ${listField("Tags", scope.tags, this.#scope("tags"), { placeholder: "env=$env, tier" })}
              ${listField("Groups", scope.groups, this.#scope("groups"), { placeholder: "by name" })}
            </div>
            <ul class="conditions">
              ${conditions.map((c, at) => this.#condition(c, at))}
            </ul>
            ${this.#search.view({
              label: "Add a condition on a metric or property",
              kind,
              rule: ruleOf(panel),
              question,
              placeholder: "Add a condition: type a metric or property",
              take: (hit) =>
                this.#add({
                  ...sourceOf(hit),
                  op: hit.source === "property" ? "=" : ">",
                  value: hit.source === "property" ? "" : 0,
                }),
            })}
            <p class="s12 links-of">
              ${ATTRIBUTES.map(
                (name) =>
                  html`<button
                      class="link"
                      @click=${() =>
                        this.#add({
                          attribute: name,
                          op: name === "alerts" ? ">" : "contains",
                          value: name === "alerts" ? 0 : "",
                        })}
                    >
                      ${name === "alerts"
                        ? "open alerts"
                        : name === "firstSeen"
                          ? "first seen"
                          : name === "lastSeen"
                            ? "last seen"
                            : name}</button
                    >${" "}`,
              )}
            </p>`
        : html`<p class="m s12">
            This rule says more than the fields here can show; it is kept as it is. Change it in the file.
          </p>`}
      ${this.#counted(panel, columns, question)}
    </fieldset>`;
  }
}
