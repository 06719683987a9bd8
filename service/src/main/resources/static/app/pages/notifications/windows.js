// Times of the week at which a rule sends, or keeps quiet.
import { html, nothing } from "../../core/html.js";
import { ZONES, zoneName } from "../../core/zone.js";
import { icon } from "../../parts/shapes.js";
import { DAYS } from "../settings/maintenance-words.js";

/** @type {Record<string, [string, object]>} */
const WORDS = {
  active: ["Only at these times", { days: ["mon", "tue", "wed", "thu", "fri"], from: "08:00", to: "18:00" }],
  mute: ["Not at these times", { days: ["sat", "sun"], from: "00:00", to: "24:00" }],
};

/**
 * `windows` has active and mute, each a list. What comes outside waits until the next time, if the alert is still open
 * then.
 */
export function windowFields({ windows, set, off }) {
  const of = (name) => windows[name] ?? [];
  const put = (name, list) => set({ ...windows, [name]: list.length ? list : undefined });
  const one = (name, w, i) => {
    const change = (part) => put(name, of(name).with(i, { ...w, ...part }));
    const day = (d) => {
      const days = DAYS.map(([x]) => x).filter((x) => (x === d ? !w.days.includes(x) : w.days.includes(x)));
      if (days.length) change({ days });
    };
    const label = `${WORDS[name][0]}, ${i + 1}`;
    return html`<div class="row wrap window" role="group" aria-label=${label}>
      <span class="row days"
        >${DAYS.map(
          ([d, word]) =>
            html`<button
              type="button"
              class="ctl low"
              aria-pressed=${w.days.includes(d)}
              ?disabled=${off}
              @click=${() => day(d)}
            >
              ${word}
            </button>`,
        )}</span
      >
      from
      <input
        class="field inline clock"
        aria-label="From"
        placeholder="08:00"
        .value=${w.from}
        ?disabled=${off}
        aria-invalid=${/^([01]\d|2[0-3]):[0-5]\d$/.test(w.from) ? "false" : "true"}
        @change=${(e) => change({ from: e.target.value.trim() })}
      />
      to
      <input
        class="field inline clock"
        aria-label="To"
        placeholder="18:00"
        .value=${w.to}
        ?disabled=${off}
        aria-invalid=${/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/.test(w.to) ? "false" : "true"}
        @change=${(e) => change({ to: e.target.value.trim() })}
      />
      <input
        class="field inline zone"
        list="window-zones"
        aria-label="Time zone"
        .value=${w.zone}
        ?disabled=${off}
        aria-invalid=${ZONES.includes(w.zone) ? "false" : "true"}
        @change=${(e) => change({ zone: e.target.value.trim() })}
      />
      ${off
        ? nothing
        : html`<button
            class="icon"
            aria-label=${`Remove: ${label}`}
            @click=${() => put(name, of(name).toSpliced(i, 1))}
          >
            ${icon("close", 12)}
          </button>`}
    </div>`;
  };
  return html`${Object.entries(WORDS).map(
      ([name, [words]]) =>
        html`${of(name).length ? html`<p>${words}</p>` : nothing}${of(name).map((w, i) => one(name, w, i))}`,
    )}
    ${off
      ? nothing
      : html`<p class="row s12">
          ${Object.entries(WORDS).map(
            ([name, [words, first]]) =>
              html`<button class="link" @click=${() => put(name, [...of(name), { ...first, zone: zoneName() }])}>
                ${of(name).length ? `${words}: one more` : `${words}\u2026`}
              </button>`,
          )}
        </p>`} <datalist id="window-zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>`;
}
