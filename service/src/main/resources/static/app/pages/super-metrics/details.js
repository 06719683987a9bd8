// What can be set of a super metric beside its formula: name, words, unit, kinds, interval, and for whom it is
// computed.
import { html, nothing, repeat } from "../../core/html.js";
import { count, plural } from "../../core/format.js";
import { duration, moment } from "../../core/time.js";
import { showPalette } from "../../frame/palette.js";
import { copy } from "../../parts/notice.js";
import { icon } from "../../parts/shapes.js";
import { millisOf } from "../thresholds/words.js";
import { millis, stateText, UNIT_IDS, unitWord } from "./words.js";

const INTERVALS = ["5s", "10s", "20s", "30s", "1m", "5m", "10m", "15m", "30m", "1h"];
const CONDITIONS = [
  ["objectKind", "of kind"],
  ["tag", "with tag"],
  ["property", "with property"],
  ["name", "named"],
  ["ancestor", "below"],
];
const HINTS = { tag: "env=production", property: "runtime|powerState=poweredOn", name: "shop-*" };

const kindKey = (k) => `${k.adapterKind} ${k.objectKind}`;

export function detailsPane({ value, set, error, kinds, allowed, stored, remove }) {
  const off = !allowed;
  const wrong = (name) => error?.field?.(name);
  const said = (name) => (wrong(name) ? html`<span class="crit s12" role="alert">${wrong(name)}</span>` : nothing);
  const list = (text) =>
    text
      .split(",")
      .map((t) => t.trim())
      .filter(Boolean);
  const interval = value("interval");
  return html`<section class="pane details" aria-label="Details">
    <div class="ph">
      <h2>Details</h2>
      <span class="m cut"
        >${stored
          ? `version ${stored.version}, ${stored.updatedBy}, ${moment(Date.parse(stored.updatedAt))}`
          : "needed: a name, a formula, an object kind"}</span
      >
    </div>
    <div class="form">
      <label class="lab"
        >Name<input
          class="field"
          name="name"
          maxlength="1000"
          autocomplete="off"
          .value=${value("name")}
          ?disabled=${off}
          aria-invalid=${wrong("name") ? "true" : "false"}
          @input=${(e) => set("name", e.target.value)}
        />${said("name")}</label
      >
      <div class="lab" role="group" aria-label="Object kinds">
        <span>Object kinds, for whose objects it is computed</span>${kindsField({ value, set, kinds, off })}${said(
          "kinds",
        )}
      </div>
      <div class="two">
        <label class="lab"
          >Unit<input
            class="field"
            name="unitId"
            list="unit-ids"
            maxlength="100"
            autocomplete="off"
            placeholder="none"
            .value=${value("unitId") ?? ""}
            ?disabled=${off}
            @change=${(e) => set("unitId", e.target.value.trim() || null)}
          />${said("unitId")}</label
        >
        <datalist id="unit-ids">${UNIT_IDS.map((u) => html`<option value=${u}>${unitWord(u)}</option>`)}</datalist>
        <label class="lab"
          >Computed every<select
            class="field"
            name="interval"
            ?disabled=${off}
            @change=${(e) => set("interval", e.target.value)}
          >
            ${[...new Set([...INTERVALS, interval])]
              .sort((a, b) => millisOf(a) - millisOf(b))
              .map(
                (s) => html`<option value=${s} ?selected=${s === interval}>${duration(millisOf(s))}</option>`,
              )}</select
          >${said("interval")}</label
        >
      </div>
      <label class="lab"
        >What it says and how to read it<textarea
          class="field tall"
          name="description"
          rows="3"
          maxlength="20000"
          .value=${value("description") ?? ""}
          ?disabled=${off}
          @input=${(e) => set("description", e.target.value || null)}
        ></textarea
        >${said("description")}</label
      >
      <div class="two">
        <label class="lab"
          >Tags, with commas between<input
            class="field"
            name="tags"
            autocomplete="off"
            .value=${value("tags").join(", ")}
            ?disabled=${off}
            @change=${(e) => set("tags", list(e.target.value))}
          />${said("tags")}</label
        >
        <label class="lab"
          >Owner<input
            class="field"
            name="owner"
            maxlength="200"
            autocomplete="off"
            .value=${value("owner") ?? ""}
            ?disabled=${off}
            @input=${(e) => set("owner", e.target.value || null)}
          />${said("owner")}</label
        >
      </div>
    </div>
    <div class="ph inner">
      <h2>For whom</h2>
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="enabled"
          .checked=${value("policy").enabled}
          ?disabled=${off}
          @change=${(e) => set("policy", { ...value("policy"), enabled: e.target.checked })}
        />Enabled</label
      >
    </div>
    ${rules({ value, set, off })} ${stored ? lastTick(stored) : nothing}
    ${stored
      ? html`<div class="ph inner">
            <h2>Key of its values</h2>
          </div>
          <div class="row pad">
            <code class="cut" title=${stored.key}>${stored.key}</code>
            <span class="sp"></span>
            <button class="link" @click=${() => copy(stored.key, "Key copied")}>Copy</button>
          </div>
          <div class="row pad end">
            <span class="m s12">Made ${moment(Date.parse(stored.createdAt))} by ${stored.createdBy}</span>
            <span class="sp"></span>
            <button
              class="ctl"
              ?disabled=${off || !remove}
              title=${off ? "Needs the role operator" : nothing}
              @click=${remove}
            >
              Delete…
            </button>
          </div>`
      : nothing}
  </section>`;
}

function kindsField({ value, set, kinds, off }) {
  const assigned = value("kinds");
  const known = (kinds.data?.items ?? []).flatMap((a) => a.objectKinds).sort((a, b) => b.objects - a.objects);
  const objects = (k) => known.find((o) => kindKey(o) === kindKey(k))?.objects ?? 0;
  const has = new Set(assigned.map(kindKey));
  const add = (event) => {
    const found = known.find((k) => kindKey(k) === event.target.value);
    event.target.value = "";
    if (found) set("kinds", [...assigned, { adapterKind: found.adapterKind, objectKind: found.objectKind }]);
  };
  return html`<div class="kinds">
    ${repeat(
      assigned,
      kindKey,
      (k) =>
        html`<span class="chip"
          >${k.objectKind} <span class="m">${k.adapterKind}, ${count(objects(k))}</span>${off
            ? nothing
            : html`<button
                class="icon"
                aria-label=${`Remove ${k.objectKind}`}
                @click=${() =>
                  set(
                    "kinds",
                    assigned.filter((x) => x !== k),
                  )}
              >
                ${icon("close", 11)}
              </button>`}</span
        >`,
    )}
    <select class="field low" name="add-kind" aria-label="Add an object kind" ?disabled=${off} @change=${add}>
      <option value="">${assigned.length ? "Add\u2026" : "Choose an object kind\u2026"}</option>
      ${known
        .filter((k) => !has.has(kindKey(k)))
        .map((k) => html`<option value=${kindKey(k)}>${k.objectKind} (${k.adapterKind}, ${count(k.objects)})</option>`)}
    </select>
  </div>`;
}

function rules({ value, set, off }) {
  const policy = value("policy");
  const change = (list) => set("policy", { ...policy, rules: list });
  const at = (i, rule) => change(policy.rules.map((r, n) => (n === i ? rule : r)));
  const without = (rule, name) =>
    Object.fromEntries(
      Object.entries(rule).filter(([key]) => key !== name && !(name === "objectKind" && key === "adapterKind")),
    );
  const pickObject = (i, rule) =>
    showPalette({
      label: "Objects below",
      choose: (o) => {
        at(i, { ...rule, ancestor: o.id });
        names.set(o.id, o.name);
      },
    });
  const put = (i, rule, name) => {
    if (name === "ancestor") pickObject(i, rule);
    else if (name === "objectKind") at(i, { ...rule, ...(value("kinds")[0] ?? {}) });
    else at(i, { ...rule, [name]: HINTS[name] });
  };
  const field = (i, rule, name, label) => {
    if (!(name in rule)) return nothing;
    const control =
      name === "objectKind"
        ? html`<select
            class="field low"
            aria-label=${label}
            ?disabled=${off}
            @change=${(e) => at(i, { ...rule, ...value("kinds")[Number(e.target.value)] })}
          >
            ${value("kinds").map(
              (k, n) => html`<option value=${n} ?selected=${k.objectKind === rule.objectKind}>${k.objectKind}</option>`,
            )}
          </select>`
        : name === "ancestor"
          ? html`<button class="ctl low cut" ?disabled=${off} @click=${() => pickObject(i, rule)}>
              ${names.get(rule.ancestor) ?? rule.ancestor}
            </button>`
          : html`<input
              class="field low"
              aria-label=${label}
              .value=${rule[name]}
              ?disabled=${off}
              @change=${(e) => e.target.value.trim() && at(i, { ...rule, [name]: e.target.value.trim() })}
            />`;
    return html`<span class="condition"
      ><span class="m">${label}</span>${control}${off
        ? nothing
        : html`<button class="icon" aria-label=${`Drop ${label}`} @click=${() => at(i, without(rule, name))}>
            ${icon("close", 11)}
          </button>`}</span
    >`;
  };
  const row = (rule, i) => {
    const left = CONDITIONS.filter(([name]) => !(name in rule));
    return html`<li class="rule">
      <span class="m">${i + 1}</span>
      <div class="conditions">
        <select
          class="field low"
          aria-label=${`Rule ${i + 1}`}
          ?disabled=${off}
          @change=${(e) => at(i, { ...rule, enabled: e.target.value === "on" })}
        >
          <option value="on" ?selected=${rule.enabled}>compute</option>
          <option value="off" ?selected=${!rule.enabled}>do not compute</option>
        </select>
        ${CONDITIONS.map(([name, label]) => field(i, rule, name, label))}
        ${left.length === CONDITIONS.length ? html`<span class="i2">all objects</span>` : nothing}
        ${left.length && !off
          ? html`<select
              class="field low faint"
              aria-label="Add a condition"
              @change=${(e) => {
                const { value: name } = e.target;
                e.target.value = "";
                if (name) put(i, rule, name);
              }}
            >
              <option value="">only…</option>
              ${left.map(([name, label]) => html`<option value=${name}>${label}</option>`)}
            </select>`
          : nothing}
      </div>
      ${off
        ? nothing
        : html`<span class="row tight"
            ><button
              class="icon"
              aria-label=${`Move rule ${i + 1} up`}
              ?disabled=${i === 0}
              @click=${() => change(policy.rules.toSpliced(i, 1).toSpliced(i - 1, 0, rule))}
            >
              ${icon("up", 12)}</button
            ><button
              class="icon"
              aria-label=${`Move rule ${i + 1} down`}
              ?disabled=${i === policy.rules.length - 1}
              @click=${() => change(policy.rules.toSpliced(i, 1).toSpliced(i + 1, 0, rule))}
            >
              ${icon("down", 12)}</button
            ><button
              class="icon"
              aria-label=${`Remove rule ${i + 1}`}
              @click=${() => change(policy.rules.toSpliced(i, 1))}
            >
              ${icon("close", 12)}
            </button></span
          >`}
    </li>`;
  };
  const { rules: all } = policy;
  return html`<p class="i2 pad s12">
      ${!policy.enabled
        ? "It is computed for nobody."
        : all.length
          ? "An object that no rule matches is computed; of several rules that match, the last decides."
          : "It is computed for all objects of its kinds."}
    </p>
    ${all.length
      ? html`<ol class="rules">
          ${all.map(row)}
        </ol>`
      : nothing}
    ${off
      ? nothing
      : html`<div class="row pad">
          <button class="link" @click=${() => change([...all, { enabled: all.length > 0 }])}>Add a rule</button>
          ${all.length
            ? nothing
            : html`<button class="link" @click=${() => change([{ enabled: false }, { enabled: true, tag: HINTS.tag }])}>
                Only objects with a tag
              </button>`}
        </div>`}`;
}
// Names of objects that rules name by their id, as far as they were chosen here.
const names = new Map();

function lastTick(sm) {
  const e = sm.evaluation;
  const [words, why] = stateText(sm);
  return html`<div class="ph inner">
      <h2>Last tick</h2>
      <span class="m">${e.tick ? moment(Date.parse(e.tick), true) : ""}</span>
    </div>
    <dl class="props about">
      <dt>State</dt>
      <dd title=${why}>${words}${why ? html` <span class="m">${why}</span>` : nothing}</dd>
      <dt>Values</dt>
      <dd>${count(e.computed)} of ${plural(e.computed + e.withoutValue, "object")}, ${millis(e.tookMillis)}</dd>
      ${e.noData.map(
        (r) =>
          html`<dt>Without</dt>
            <dd title=${r.text}>${count(r.objects)}: ${r.text}</dd>`,
      )}
      ${e.error
        ? html`<dt>Error</dt>
            <dd title=${e.error} class="warn">${e.error}</dd>`
        : nothing}
    </dl>`;
}
