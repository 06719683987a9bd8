// A threshold as a sentence with fields in it: on what, when, how bad, for how long.
import { html, nothing, repeat } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count } from "../../core/format.js";
import { flowKeys, kindWord, metricName } from "../../core/metrics.js";
import { OPERATORS, SEVERITIES } from "../../core/severity.js";
import { icon, severityShape } from "../../parts/shapes.js";
import { Suggest } from "../../parts/suggest.js";
import {
  byRank,
  freeSeverities,
  isLearned,
  millisOf,
  NUMERIC,
  RANGES,
  SENSITIVITIES,
  TEXTUAL,
  TYPES,
  USUAL,
} from "./words.js";

const BOUNDS = [
  ["number", "the number"],
  ["metric", "the metric"],
  ["property", "the property"],
];

const SHOWN = 14;
const ALL = 1000;

/** Keys of an object kind by what somebody types of the key or of its name; super metrics are among them. */
export async function keysOf(text, kind, sources, signal) {
  if (!kind) return [];
  const path = `/adapter-kinds/${encodeURIComponent(kind.adapterKind)}/object-kinds/${encodeURIComponent(kind.objectKind)}/keys`;
  let { items } = await get(path, { limit: ALL }, signal);
  if (items.length === ALL && text) ({ items } = await get(path, { q: text, limit: ALL }, signal));
  const nameOf = (k) => k.name ?? (k.source === "property" ? k.key : metricName(k.key));
  const typed = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items
    .flatMap((k) => (k.source === "metric" ? flowKeys(k.key).map((key) => ({ ...k, key })) : [k]))
    .filter(
      (k) =>
        sources.includes(k.source) &&
        typed.every((w) => k.key.toLowerCase().includes(w) || nameOf(k).toLowerCase().includes(w)),
    )
    .slice(0, SHOWN)
    .map((k) => ({
      value: k.key,
      label: nameOf(k),
      hint: `${k.name || k.source === "property" ? "" : `${k.key}  `}${k.unit ?? ""} ${count(k.objects)}`,
    }));
}

export const METRICS = ["metric", "super-metric"];

export class ThresholdRule {
  #key = new Suggest(keysOf, () => [
    this.draft.value("objectKind"),
    this.draft.value("condition").type === "property" ? ["property"] : METRICS,
  ]);
  #bounds = new Map();

  constructor(draft, kinds) {
    this.draft = draft;
    this.kinds = kinds;
  }

  get condition() {
    return this.draft.value("condition");
  }

  #set(change) {
    this.draft.set("condition", { ...this.condition, ...change });
  }

  #level(severity, change) {
    this.#set({ levels: this.condition.levels.map((l) => (l.severity === severity ? { ...l, ...change } : l)) });
  }

  #type(type) {
    const levels = this.condition.levels.map(({ severity }) => ({
      severity,
      ...(type === "no-data"
        ? { after: "10m" }
        : type === "property"
          ? { text: "" }
          : { bound: { type: "number", value: null } }),
    }));
    this.#set({ type, operator: type === "property" ? "eq" : "gt", key: "", instances: false, levels });
  }

  /** Properties may be compared as numbers too. */
  get #textual() {
    return (
      this.condition.type === "property" &&
      this.condition.levels.every((l) => l.bound === undefined || l.bound === null)
    );
  }

  #operator(wanted) {
    const usual = Object.keys(USUAL).find((o) => USUAL[o] === wanted);
    if (usual) {
      const levels = this.condition.levels.map(({ severity, bound, clear }) =>
        bound?.type === "learned"
          ? { severity, bound, ...(clear ? { clear } : {}) }
          : {
              severity,
              bound: { type: "learned", sensitivity: "medium", minimumDeviation: 0, minimumRelativeDeviation: 0 },
            },
      );
      this.#set({ operator: usual, levels });
      return;
    }
    const operator = wanted;
    const ranged = RANGES.includes(operator);
    const textual =
      this.condition.type === "property" &&
      TEXTUAL.includes(operator) &&
      !(["eq", "ne"].includes(operator) && !this.#textual);
    const levels = this.condition.levels.map((l) => {
      if (textual) return { severity: l.severity, text: l.text ?? "" };
      const next =
        l.bound?.type === "learned"
          ? { severity: l.severity, bound: { type: "number", value: null } }
          : { ...l, bound: l.bound ?? { type: "number", value: null } };
      delete next.text;
      if (ranged) next.upper ??= { type: "number", value: null };
      else {
        delete next.upper;
        delete next.clearUpper;
      }
      return next;
    });
    this.#set({ operator, levels });
  }

  view({ unit, active, choose }) {
    const { draft, condition } = this;
    const off = !draft.allowed;
    const kind = draft.value("objectKind");
    const all = (this.kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
    const at = all.findIndex((k) => k.objectKind === kind?.objectKind && k.adapterKind === kind?.adapterKind);
    const pickKind = (event) => {
      const found = all[Number(event.target.value)];
      if (found) draft.set("objectKind", { adapterKind: found.adapterKind, objectKind: found.objectKind });
    };
    const operators =
      condition.type === "property" ? [...new Set([...TEXTUAL, ...NUMERIC])] : [...NUMERIC, ...Object.values(USUAL)];
    const operator = isLearned(condition) ? USUAL[condition.operator] : condition.operator;
    const select = (label, value, options, change) =>
      html`<select class="field inline" aria-label=${label} ?disabled=${off} @change=${(e) => change(e.target.value)}>
        ${options.map(([v, w]) => html`<option value=${v} ?selected=${v === value}>${w}</option>`)}
      </select>`;
    return html`<div class="sentence">
      <p>
        On each
        <select class="field inline" aria-label="Object kind" ?disabled=${off} @change=${pickKind}>
          <option value="-1" ?selected=${at < 0}>${kind && at < 0 ? kind.objectKind : "object kind\u2026"}</option>
          ${all.map(
            (k, i) =>
              html`<option value=${i} ?selected=${i === at}>
                ${kindWord(k.objectKind)} (${k.adapterKind}, ${count(k.objects)})
              </option>`,
          )}
        </select>
        in the scope below, when
        ${select(
          "What is judged",
          condition.type,
          TYPES.map(([v, w]) => [v, v === "no-data" ? "there is no data of" : `the ${w}`]),
          (v) => this.#type(v),
        )}
        ${this.#key.view({
          value: condition.key ?? "",
          shown: condition.type === "property" || !condition.key ? (condition.key ?? "") : metricName(condition.key),
          choose: (key) => this.#set({ key }),
          label: "Key",
          placeholder: "metric, super metric or key",
          off,
          cls: "key-field",
          invalid: Boolean(draft.wrong("condition.key")),
        })}
        ${condition.type === "metric"
          ? html`<label class="check nw"
              ><input
                type="checkbox"
                .checked=${condition.instances ?? false}
                ?disabled=${off}
                @change=${(e) => this.#set({ instances: e.target.checked })}
              />each instance by itself</label
            >`
          : nothing}
        ${condition.type === "no-data"
          ? "for"
          : html`is
            ${select(
              "Operator",
              operator,
              operators.map((o) => [o, OPERATORS[o]]),
              (v) => this.#operator(v),
            )}`}
      </p>
      <ul class="levels">
        ${repeat(
          byRank(condition.levels),
          (l) => l.severity,
          (l) => this.#levelRow(l, unit, off, active === l.severity, choose),
        )}
      </ul>
      ${draft.said("condition")}
      ${off || !freeSeverities(condition.levels).length
        ? nothing
        : html`<p class="row wrap">
            ${freeSeverities(condition.levels).map(
              (s) =>
                html`<button type="button" class="link row" @click=${() => this.#add(s)}>
                  ${severityShape(s, 11, "")}add ${s}
                </button>`,
            )}
          </p>`}
      ${condition.type === "no-data" ? this.#cycles(off) : this.#trigger(off)}
    </div>`;
  }

  #add(severity) {
    const { condition } = this;
    const like = condition.levels[0] ?? { bound: { type: "number", value: null } };
    this.#set({ levels: byRank([...condition.levels, { ...structuredClone(like), severity }]) });
  }

  #levelRow(level, unit, off, active, choose) {
    const { condition } = this;
    const change = (part) => this.#level(level.severity, part);
    const ranged = RANGES.includes(condition.operator);
    let what;
    if (condition.type === "no-data")
      what = html`<input
        class="field inline num"
        aria-label=${`${level.severity}: silent for`}
        .value=${level.after ?? ""}
        placeholder="10m"
        ?disabled=${off}
        aria-invalid=${millisOf(level.after) === null ? "true" : "false"}
        @change=${(e) => change({ after: e.target.value.trim() })}
      />`;
    else if (this.#textual && TEXTUAL.includes(condition.operator))
      what = html`<input
        class="field inline"
        aria-label=${`${level.severity}: text`}
        .value=${level.text ?? ""}
        ?disabled=${off}
        @input=${(e) => change({ text: e.target.value })}
      />`;
    else if (level.bound?.type === "learned") what = this.#learned(level, unit, off);
    else
      what = html`${this.#bound(level, "bound", unit, off)}${ranged
          ? html`<span>to</span>${this.#bound(level, "upper", unit, off)}`
          : nothing} <span class="m">clears at</span>${this.#clear(level, "clear", off)}${ranged
          ? html`<span class="m">and</span>${this.#clear(level, "clearUpper", off)}`
          : nothing}`;
    return html`<li class=${active ? "on" : ""} @focusin=${() => choose(level.severity)}>
      <span class="row sev"
        >${severityShape(level.severity, 12, "")}<select
          class="field inline"
          aria-label=${`Severity of this level, now ${level.severity}`}
          ?disabled=${off}
          @change=${(e) => {
            this.#set({ levels: condition.levels.map((l) => (l === level ? { ...l, severity: e.target.value } : l)) });
            choose(e.target.value);
          }}
        >
          ${SEVERITIES.filter((s) => s === level.severity || freeSeverities(condition.levels).includes(s)).map(
            (s) => html`<option value=${s} ?selected=${s === level.severity}>${s}</option>`,
          )}
        </select></span
      >
      <span class="row wrap">${what}</span>${off || condition.levels.length < 2
        ? nothing
        : html`<button
            type="button"
            class="icon"
            aria-label=${`Drop ${level.severity}`}
            @click=${() => this.#set({ levels: condition.levels.filter((l) => l !== level) })}
          >
            ${icon("close", 12)}
          </button>`}
    </li>`;
  }

  #learned(level, unit, off) {
    const { severity, bound, clear } = level;
    const change = (part) => this.#level(severity, { bound: { ...bound, ...part } });
    const deviation = (label, value, put) =>
      html`<input
        class="field inline tiny"
        inputmode="decimal"
        aria-label=${`${severity}: ${label}`}
        .value=${String(value)}
        ?disabled=${off}
        @change=${(e) => put(Math.max(0, numberOf(e.target.value) ?? 0))}
      />`;
    // Where it clears, if not at the limit: within the same ends without the deviations.
    const within = { type: "learned", sensitivity: bound.sensitivity };
    const own =
      clear && (clear.sensitivity !== bound.sensitivity || clear.minimumDeviation || clear.minimumRelativeDeviation);
    return html`<span>by</span>${deviation("least deviation", bound.minimumDeviation ?? 0, (v) =>
        change({ minimumDeviation: v }),
      )}<span class="m">${unit}</span> <span>and</span>${deviation(
        "least share",
        Number(((bound.minimumRelativeDeviation ?? 0) * 100).toPrecision(6)),
        (v) => change({ minimumRelativeDeviation: Number((v / 100).toPrecision(6)) }),
      )}<span class="m">%&nbsp;of it</span>
      <select
        class="field inline"
        aria-label=${`${severity}: sensitivity`}
        ?disabled=${off}
        @change=${(e) =>
          this.#level(severity, {
            bound: { ...bound, sensitivity: e.target.value },
            clear: clear ? { ...within, sensitivity: e.target.value } : undefined,
          })}
      >
        ${SENSITIVITIES.map(
          (s) => html`<option value=${s} ?selected=${s === (bound.sensitivity ?? "medium")}>${s} sensitivity</option>`,
        )}
      </select>
      <select
        class="field inline faint"
        aria-label=${`${severity}: where it clears`}
        ?disabled=${off}
        @change=${(e) => this.#level(severity, { clear: e.target.value ? within : undefined })}
      >
        <option value="" ?selected=${!clear}>clears there</option>
        <option value="usual" ?selected=${Boolean(clear)}>
          ${own ? "clears at a level of its own" : "clears back within the usual"}
        </option>
      </select>`;
  }

  #bound(level, name, unit, off) {
    const bound = level[name] ?? { type: "number", value: null };
    const change = (part) => this.#level(level.severity, { [name]: { ...bound, ...part } });
    const label = `${level.severity}: ${name === "upper" ? "upper " : ""}limit`;
    const kinds = html`<select
      class="field inline faint"
      aria-label=${`${label}, against what`}
      ?disabled=${off}
      @change=${(e) =>
        this.#level(level.severity, {
          [name]:
            e.target.value === "number"
              ? { type: "number", value: null }
              : { type: e.target.value, key: "", factor: 1, offset: 0 },
        })}
    >
      ${BOUNDS.map(([v, w]) => html`<option value=${v} ?selected=${v === bound.type}>${w}</option>`)}
    </select>`;
    if (bound.type === "number")
      return html`${kinds}<input
          class="field inline num"
          inputmode="decimal"
          aria-label=${label}
          .value=${bound.value ?? ""}
          ?disabled=${off}
          aria-invalid=${bound.value === null ? "true" : "false"}
          @change=${(e) => change({ value: numberOf(e.target.value) })}
        /><span class="m">${unit}</span>`;
    const key = `${level.severity} ${name}`;
    if (!this.#bounds.has(key))
      this.#bounds.set(
        key,
        new Suggest(keysOf, () => [this.draft.value("objectKind"), this.#sources(level.severity, name)]),
      );
    return html`<input
        class="field inline tiny"
        inputmode="decimal"
        aria-label=${`${label}: factor`}
        .value=${bound.factor ?? 1}
        ?disabled=${off}
        @change=${(e) => change({ factor: numberOf(e.target.value) ?? 1 })}
      /><span>x</span>${kinds}
      ${this.#bounds.get(key).view({
        value: bound.key ?? "",
        shown: bound.type === "metric" && bound.key ? metricName(bound.key) : (bound.key ?? ""),
        choose: (k) => change({ key: k }),
        label: `${label}: key`,
        placeholder: "key",
        off,
        cls: "key-field",
      })} <span>+</span
      ><input
        class="field inline tiny"
        inputmode="decimal"
        aria-label=${`${label}: added`}
        .value=${bound.offset ?? 0}
        ?disabled=${off}
        @change=${(e) => change({ offset: numberOf(e.target.value) ?? 0 })}
      />`;
  }

  #sources(severity, name) {
    return this.condition.levels.find((l) => l.severity === severity)?.[name]?.type === "property"
      ? ["property"]
      : METRICS;
  }

  #clear(level, name, off) {
    const bound = level[name];
    const own = bound && bound.type !== "number";
    if (own) return html`<span class="m">${bound.key}</span>`;
    return html`<input
      class="field inline num"
      inputmode="decimal"
      aria-label=${`${level.severity}: ${name === "clearUpper" ? "upper " : ""}level at which it clears`}
      placeholder="its limit"
      .value=${bound?.value ?? ""}
      ?disabled=${off}
      @change=${(e) => {
        const v = numberOf(e.target.value);
        this.#level(level.severity, { [name]: v === null ? undefined : { type: "number", value: v } });
      }}
    />`;
  }

  #number(label, value, change, off, least = 1, most = 1000) {
    return html`<input
      class="field inline tiny"
      type="number"
      min=${least}
      max=${most}
      aria-label=${label}
      .value=${String(value)}
      ?disabled=${off}
      @change=${(e) => change(Math.min(most, Math.max(least, Math.round(Number(e.target.value) || least))))}
    />`;
  }

  #trigger(off) {
    const { draft } = this;
    const t = draft.value("trigger") ?? {};
    const of = t.of ?? t.violations ?? 1;
    const set = (part) => draft.set("trigger", { ...draft.value("trigger"), ...part });
    return html`<p>
        It opens when
        ${this.#number(
          "Samples over the limit",
          t.violations ?? 1,
          (n) => set({ violations: n, of: Math.max(n, of) }),
          off,
        )}
        of the last
        ${this.#number("Samples looked at", of, (n) => set({ of: n, violations: Math.min(n, t.violations ?? 1) }), off)}
        samples are so, for at least
        <input
          class="field inline tiny"
          aria-label="Least duration"
          .value=${t.minimumDuration ?? "0s"}
          ?disabled=${off}
          aria-invalid=${millisOf(t.minimumDuration ?? "0s") === null ? "true" : "false"}
          @change=${(e) => set({ minimumDuration: e.target.value.trim() || "0s" })}
        />, and clears after
        ${this.#number("Samples within the clearing level", t.clearAfter ?? 1, (n) => set({ clearAfter: n }), off)}
        samples back.
      </p>
      ${draft.said("trigger")}`;
  }

  #cycles(off) {
    const { draft } = this;
    const t = draft.value("trigger") ?? {};
    return html`<p>
      It clears with the
      ${this.#number(
        "Samples until it clears",
        t.clearAfter ?? 1,
        (n) => draft.set("trigger", { ...draft.value("trigger"), clearAfter: n }),
        off,
      )}.
      sample that comes.
    </p>`;
  }
}

export const numberOf = (text) => {
  const value = Number(String(text).trim().replace(/,/g, ""));
  return String(text).trim() === "" || !Number.isFinite(value) ? null : value;
};
