// What a report asks: what is ranked by what, of which traffic.
import { html, nothing } from "../../core/html.js";
import { DIMENSIONS, DIRECTIONS, learn, MEASURES, nameOf, TRAFFIC } from "../../core/talkers.js";
import { href } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";
import { icon } from "../../parts/shapes.js";
import { pageParams, queryWords, windowOk } from "./report-words.js";

const list = (text) =>
  text
    .split(",")
    .map((t) => t.trim())
    .filter(Boolean);

/** The question of a report that is new. */
export const USUAL = { by: "vm", measure: "bytes", direction: "sent", window: "24h", limit: 20 };

/** What a report asks. */
export const question = (draft) => draft.value("query") ?? USUAL;
const put = (draft, part) => draft.set("query", { ...question(draft), ...part });

/** The objects by which the traffic is narrowed, each to be removed. */
const chips = (draft, name) =>
  (question(draft)[name] ?? []).map(
    (v) =>
      html`<span class="chip"
        >${nameOf(v)}${!draft.allowed
          ? nothing
          : html`<button
              class="icon"
              type="button"
              aria-label=${`Remove ${nameOf(v)}`}
              @click=${() => put(draft, { [name]: question(draft)[name].filter((x) => x !== v) })}
            >
              ${icon("close", 10)}
            </button>`}</span
      >`,
  );

const add = (draft, name, label) =>
  !draft.allowed
    ? nothing
    : html`<button
        class="link s12"
        type="button"
        @click=${() =>
          showPalette({
            label,
            choose: (o) => {
              learn({ object: o });
              put(draft, { [name]: [...new Set([...(question(draft)[name] ?? []), o.id])] });
            },
          })}
      >
        ${label}…
      </button>`;

export function questionPane(draft) {
  const q = question(draft);
  const set = (part) => put(draft, part);
  const select = (label, value, options, choose) =>
    html`<label class="lab"
      >${label}<select class="field" ?disabled=${!draft.allowed} @change=${(e) => choose(e.target.value)}>
        ${options.map(([v, w]) => html`<option value=${v} ?selected=${v === value}>${w}</option>`)}
      </select></label
    >`;
  const own = ["scope", "tier", "network"].some((name) => q[name]?.length);
  const ends = own || ["vm", "host", "cluster", "tier", "network"].includes(q.by);
  return html`<section class="pane" aria-label="Question">
    <div class="ph">
      <h2>Question</h2>
      <span class="m cut" title=${queryWords(q)}>${queryWords(q)}</span>
      <span class="sp"></span>
      <a class="link nw" href=${href("/top-talkers", pageParams(q))}>Look at it now</a>
    </div>
    <div class="form">
      <div class="three">
        ${select(
          "What is ranked",
          q.by,
          Object.entries(DIMENSIONS).map(([id, [, , w]]) => [id, w]),
          (by) => set({ by }),
        )}${select(
          "By",
          q.measure ?? "bytes",
          Object.entries(MEASURES).map(([id, [w]]) => [id, w]),
          (measure) => set({ measure }),
        )}
        ${ends
          ? select("Traffic", q.direction ?? "both", DIRECTIONS, (direction) => set({ direction }))
          : html`<span></span>`}
      </div>
      <div class="three">
        ${select("Of which type", q.trafficType ?? "", [["", "all"], ...Object.entries(TRAFFIC)], (v) =>
          set({ trafficType: v || undefined }),
        )}
        <label class="lab"
          >In the last<input
            class="field"
            name="window"
            placeholder="24h, 7d"
            .value=${q.window ?? ""}
            ?disabled=${!draft.allowed}
            aria-invalid=${windowOk(q.window) ? "false" : "true"}
            @input=${(e) => set({ window: e.target.value.trim() })}
        /></label>
        <label class="lab"
          >How many<input
            class="field"
            type="number"
            min="1"
            max="1000"
            name="limit"
            .value=${String(q.limit ?? 20)}
            ?disabled=${!draft.allowed}
            @change=${(e) => set({ limit: Math.max(1, Math.min(1000, Math.round(Number(e.target.value) || 20))) })}
        /></label>
      </div>
      <div class="two">
        <label class="lab"
          >Only these services, with commas between<input
            class="field"
            name="ports"
            placeholder="443/tcp, 53, icmp"
            .value=${(q.ports ?? []).join(", ")}
            ?disabled=${!draft.allowed}
            @change=${(e) => set({ ports: list(e.target.value.toLowerCase()) })}
        /></label>
        <label class="lab"
          >Only these networks, with commas between<input
            class="field"
            name="networks"
            placeholder="dmz, 10.1.0.0/16"
            .value=${(q.network ?? []).join(", ")}
            ?disabled=${!draft.allowed}
            @change=${(e) => set({ network: list(e.target.value) })}
        /></label>
      </div>
      <label class="lab"
        >Only these tiers, with commas between<input
          class="field"
          name="tiers"
          placeholder="shop/web, pay/db"
          .value=${(q.tier ?? []).join(", ")}
          ?disabled=${!draft.allowed}
          @change=${(e) => set({ tier: list(e.target.value) })}
      /></label>
      <div class="narrow" role="group" aria-label="Ends">
        <span>Only the traffic of</span>
        ${q.scope?.length ? chips(draft, "scope") : html`<span class="m">everything</span>`}${add(
          draft,
          "scope",
          "add an object",
        )}
        <span>with</span>
        ${q.peerScope?.length ? chips(draft, "peerScope") : html`<span class="m">anything</span>`}${add(
          draft,
          "peerScope",
          "add another end",
        )}
      </div>
      ${draft.said("query")}
    </div>
  </section>`;
}
