// A super metric as it is edited: what is typed, what the server says to it, and what follows from that.
import { redraw, settled } from "../../core/bus.js";
import { exchange, get, post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { html } from "../../core/html.js";
import { Load } from "../../core/load.js";
import { lastTick } from "../../core/time.js";
import { amend, go, param } from "../../core/url.js";
import { coloured } from "../../formula/coloured.js";
import { FormulaWords } from "../../formula/words.js";
import { Draft } from "../../parts/draft.js";
import { notice } from "../../parts/notice.js";
import { Effects } from "./effects.js";
import { Explanation } from "./explain.js";
import { Preview } from "./preview.js";

const LABELS = {
  name: "Name",
  formula: "Formula",
  description: "Description",
  unitId: "Unit",
  kinds: "Object kinds",
  tags: "Tags",
  owner: "Owner",
  interval: "Interval",
  policy: "Enabled",
};
const BLANK = {
  name: "",
  formula: "",
  description: null,
  unitId: null,
  kinds: [],
  tags: [],
  owner: null,
  interval: "1m",
  policy: { enabled: true, rules: [] },
};

function shown(name, v) {
  if (name === "formula") return html`<pre class="formula">${coloured(v ?? "")}</pre>`;
  if (name === "kinds") return v.map((k) => k.objectKind).join(", ") || "none";
  if (name === "policy")
    return `${v.enabled ? "enabled" : "disabled"}${v.rules.length ? `, ${plural(v.rules.length, "rule")}` : ""}`;
  return Array.isArray(v) ? v.join(", ") : `${v ?? ""}` || "none";
}

export class SuperMetricState {
  /** The formula that was sent to be checked last. */
  #checked = null;
  #checkSoon = settled(() => {
    this.#check();
    this.preview.want();
    redraw();
  }, 250);

  constructor(address) {
    this.isNew = address === "new";
    const id = (this.id = this.isNew ? null : address);
    const value = (this.value = (name) => this.draft.value(name));
    const valid = () => this.valid;
    this.uses = new Load((_tick, signal) => get(`/super-metrics/${id}/used-by`, {}, signal));
    this.kinds = new Load((_tick, signal) => get("/adapter-kinds", {}, signal));
    this.check = new Load((formula, assigned, signal) =>
      post("/super-metrics/validate", { formula, kinds: assigned, ...(id ? { id } : {}) }, signal),
    );
    this.draft = new Draft({
      api: "/super-metrics",
      place: "/super-metrics",
      address,
      blank: BLANK,
      labels: LABELS,
      show: shown,
      toBody: ({ policy: _, ...body }) => body,
      list: () => go("/super-metrics"),
      changed: (name) => this.#changed(name),
      create: (body) => this.#create(body),
      store: (etag) => this.#store(etag),
      saved: ({ validity }) =>
        validity === "invalid"
          ? "Saved; its formula has errors, so nothing is computed"
          : "Saved; the next tick computes it",
      made(data) {
        notice(`${data.name} is stored; its first values come with the next tick`);
        go(`/super-metrics/${data.id}`);
      },
    });
    this.words = new FormulaWords(() => value("kinds"));
    this.preview = new Preview({
      id,
      value,
      stored: () => this.draft.before.formula,
      storedValid: () => this.draft.before.validity !== "invalid",
      valid,
      known: () => this.known,
      kinds: this.kinds,
    });
    this.explanation = new Explanation({ value, valid, preview: this.preview });
    this.effects = new Effects({ id, value, stored: () => this.draft.stored.data?.data, valid, uses: this.uses });
  }

  /** Whether the text at hand is being checked, or is to be. */
  get stale() {
    return this.#checked !== this.value("formula") || this.check.loading;
  }

  /** Whether the answer is of the text at hand. */
  get known() {
    return this.check.data !== null && !this.stale;
  }

  /** Whether the text at hand is known to have no errors, so that it is worth computing. */
  get valid() {
    return this.known && this.check.data.validity !== "invalid" && !this.check.error;
  }

  get side() {
    return param("side", this.isNew ? "details" : "explain");
  }

  showSide(name) {
    amend({ side: name === this.side && name !== "explain" ? null : name }, { replace: true });
  }

  #check() {
    this.check.want(this.value("formula"), this.value("kinds"));
    this.#checked = this.value("formula");
  }

  /** What is computed anew when a field is another; without a name, all of them may be. */
  #changed(name) {
    if (name === undefined || name === "formula" || name === "kinds") this.#checkSoon();
    if (name === undefined) this.preview.again();
  }

  update() {
    this.draft.want();
    if (this.id) this.uses.want(lastTick());
    this.kinds.want(lastTick());
    this.arrived();
  }

  /** What waits for the stored super metric; called again by each view. */
  arrived() {
    const { draft } = this;
    if (!draft.there) return;
    const typed = draft.fields.includes("formula");
    if (this.#checked === null || (!typed && this.#checked !== this.value("formula"))) this.#check();
    this.preview.want();
    this.explanation.want();
    this.effects.want();
    if (this.side === "history") draft.wantHistory();
  }

  leave() {
    this.preview.leave();
    this.explanation.leave();
    this.effects.leave();
  }

  async #create(body) {
    const policy = this.value("policy");
    const { data, etag } = await exchange("POST", "/super-metrics", { body: { ...body, enabled: policy.enabled } });
    if (policy.rules.length) await exchange("PUT", `/super-metrics/${data.id}/policy`, { body: policy, etag });
    return data;
  }

  /** Definition and policy are stored apart: when only the first is, a second try goes on from there. */
  async #store(etag) {
    const { draft } = this;
    let saved = { data: draft.before, etag };
    if (draft.fields.some((name) => name !== "policy"))
      saved = draft.took(await exchange("PUT", draft.path, { body: draft.body(), etag }));
    if (draft.fields.includes("policy"))
      saved = await exchange("PUT", `${draft.path}/policy`, { body: this.value("policy"), etag: saved.etag });
    return saved;
  }

  async save() {
    await this.draft.save();
    if (this.draft.error?.errors?.length) amend({ side: "details" }, { replace: true });
  }
}
