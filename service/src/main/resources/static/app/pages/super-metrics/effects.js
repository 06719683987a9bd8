// What refers to a super metric, and what the rules among it would have done with the formula as it is being edited.
import { html, nothing } from "../../core/html.js";
import { redraw, settled } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { clock, DAY, date, duration, weekday } from "../../core/time.js";
import { href } from "../../core/url.js";
import { failure } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";

const KINDS = {
  "super-metric": { word: "Super metric", many: "super metric", page: "/super-metrics" },
  threshold: { word: "Threshold", many: "threshold", page: "/thresholds" },
  "outlier-group": { word: "Outlier group", many: "group", page: "/outliers" },
  dashboard: { word: "Dashboard", many: "dashboard", page: "/dashboards", shows: true },
  view: { word: "View", many: "view", shows: true },
};
const NAMED = 2;
/** Whether what reads it decides nothing by its values, so that an edit changes no more than what is seen there. */
const onlyShows = (kind) => Boolean(KINDS[kind]?.shows);
const plain = (kinds) => kinds.map(({ adapterKind, objectKind }) => ({ adapterKind, objectKind }));

/** "2 thresholds, 1 group" */
export const usersText = (users) =>
  Object.entries(KINDS)
    .map(([kind, { many }]) => [users.filter((u) => u.kind === kind).length, many])
    .filter(([n]) => n)
    .map(([n, many]) => plural(n, many))
    .join(", ") || "nothing";

/** "Cluster B, Tue 14:10, 25 min" */
function episode(e) {
  const from = Date.parse(e.from);
  const subject = e.object ? `${e.object.name}${e.instance ? ` ${e.instance}` : ""}` : "the group as a whole";
  const day = Date.now() - from < 7 * DAY ? weekday(from) : date(from);
  return `${subject}, ${day} ${clock(from)}, ${e.to ? duration(Date.parse(e.to) - from) : "still open"}`;
}

const some = (list, n) =>
  `${list.slice(0, NAMED).map(episode).join("; ")}${n > Math.min(NAMED, list.length) ? `; and ${n - Math.min(NAMED, list.length)} more` : ""}`;

/** What the edit changes for a rule, as `{ strong, rest }`. */
function effectWords(rule) {
  const group = rule.kind === "outlier-group";
  if (rule.problem) return { strong: "", rest: `not computed: ${rule.problem}` };
  const times = (n, word) => (group ? `${plural(n, "event")} ${word}` : `${plural(n, "time")} ${word}`);
  const { addedCount, droppedCount, edited, stored } = rule;
  if (addedCount || droppedCount) {
    const more = addedCount ? times(addedCount, "more") : "";
    const fewer = droppedCount ? times(droppedCount, group ? "fewer" : "less") : "";
    const which = [
      addedCount ? some(rule.added, addedCount) : "",
      droppedCount ? `${addedCount ? "no longer " : ""}${some(rule.dropped, droppedCount)}` : "",
    ];
    return { strong: [more, fewer].filter(Boolean).join(", "), rest: which.filter(Boolean).join("; ") };
  }
  if (edited !== stored)
    return {
      strong: group
        ? `${plural(edited, "event")} instead of ${stored}`
        : `${plural(edited, "time")} instead of ${stored}`,
      rest: "at the same hours",
    };
  const all = plural(rule.judged, group ? "member" : "object");
  return {
    strong: "",
    rest: `no change, ${edited ? (group ? plural(edited, "event") : `fires ${plural(edited, "time")}`) : group ? `${all} alike` : `${all}, never fires`}`,
  };
}

/**
 * `value(name)` gives a field as it is typed, `stored()` what is in force, `valid()` whether the text at hand has no
 * errors.
 */
export class Effects {
  #soon = settled(() => {
    this.#rested = this.#edit;
    this.want();
    redraw();
  }, 700);
  #asked = null;
  #rested = null;

  constructor({ id, value, stored, valid, uses }) {
    this.id = id;
    this.value = value;
    this.stored = stored;
    this.valid = valid;
    this.uses = uses;
    this.load = new Load((formula, kinds, signal) => post(`/super-metrics/${id}/effects`, { formula, kinds }, signal));
  }

  /** What would be computed, as a text; null while nothing differs from what is stored. */
  get #edit() {
    const text = (formula, kinds) => JSON.stringify([formula, plain(kinds)]);
    const is = this.stored();
    const edit = text(this.value("formula"), this.value("kinds"));
    return this.id && is && edit !== text(is.formula, is.kinds) ? edit : null;
  }

  /** To be called whenever something may have changed: it asks once the typing has paused. */
  want() {
    const edit = this.#edit;
    if (edit === null || !this.uses.data?.usedBy.some((u) => !onlyShows(u.kind))) {
      this.#asked = this.#rested = null;
      this.load.reset();
    } else if (!this.valid()) {
      this.#asked = null;
    } else if (edit === this.#rested) {
      this.load.want(this.value("formula"), plain(this.value("kinds")));
    } else if (edit !== this.#asked) {
      this.#asked = edit;
      this.#soon();
    }
  }

  leave() {
    this.#soon.cancel();
    this.load.reset();
  }

  /** The rows: who reads it itself, then who reads it through others. */
  get #rows() {
    const users = this.uses.data?.usedBy ?? [];
    const rules = this.#edit === null ? [] : (this.load.data?.rules ?? []);
    const known = new Set(users.map((u) => u.id));
    return [
      ...users.map((u) => ({ ...u, rule: rules.find((r) => r.id === u.id) })),
      ...rules.filter((r) => !known.has(r.id)).map((r) => ({ ...r, active: true, through: true, rule: r })),
    ];
  }

  #said(row) {
    if (row.kind === "super-metric")
      return html`<span class="m">${row.active ? "computed with it each tick" : "not computed now"}</span>`;
    if (onlyShows(row.kind)) return html`<span class="m">shows what it yields</span>`;
    if (!row.active) return html`<span class="m">not judged now</span>`;
    if (this.#edit === null)
      return html`<span class="m">${row.kind === "threshold" ? "judged each tick" : "judged each bucket"}</span>`;
    if (!this.valid()) return html`<span class="m">comes when the formula has no errors</span>`;
    if (this.load.error && !this.load.loading) return html`<span class="m">not computed</span>`;
    if (!row.rule || this.load.loading || this.#edit !== this.#rested) return html`<span class="m">computing…</span>`;
    const { strong, rest } = effectWords(row.rule);
    const fires = row.kind === "threshold" && strong ? "fires " : "";
    return strong
      ? html`<span class="row"
          ><span class="nw">${row.rule.addedCount ? shape("warning", 11) : nothing}${fires}<b>${strong}</b></span
          ><span class="cut" title=${rest}>${rest}</span></span
        >`
      : html`<span class="m" title=${rest}>${rest}</span>`;
  }

  view() {
    const { uses, load } = this;
    const rows = this.#rows;
    const edited = this.#edit !== null && rows.some((r) => r.kind !== "super-metric" && !onlyShows(r.kind));
    const words =
      uses.data && !rows.length ? "nothing reads it" : edited ? "over the last 7 days, with the edited formula" : "";
    return html`<div class="ph inner" id="used-by">
        <h2>What depends on it</h2>
        <span class="m">${words}</span>
      </div>
      ${rows.length
        ? html`<table class="depends" aria-busy=${load.loading}>
            <colgroup>
              <col class="w-kind" />
              <col class="w-wide" />
              <col />
            </colgroup>
            <tbody>
              ${rows.map(
                (r) =>
                  html`<tr>
                    <td class="m">${KINDS[r.kind]?.word ?? r.kind}</td>
                    <td>
                      ${KINDS[r.kind]?.page
                        ? html`<a class="acc" href=${href(`${KINDS[r.kind].page}/${r.id}`)}>${r.name}</a>`
                        : r.name}${r.through ? html` <span class="m">through another super metric</span>` : nothing}
                    </td>
                    <td>${this.#said(r)}</td>
                  </tr>`,
              )}
            </tbody>
          </table>`
        : nothing}
      ${edited && load.error && !load.loading ? failure(load.error, () => load.again()) : nothing}
      ${uses.error ? failure(uses.error, () => uses.again()) : nothing}`;
  }
}
