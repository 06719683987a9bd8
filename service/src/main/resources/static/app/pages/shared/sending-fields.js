// When something is sent by itself and to whom, as reports have it: days, time, zone and targets.
import { html, nothing } from "../../core/html.js";
import { href } from "../../core/url.js";
import { ZONES, zoneName } from "../../core/zone.js";
import { placeOf, typeWord } from "../notifications/words.js";
import { DAYS } from "../settings/maintenance-words.js";

const SENDABLE = ["webhook", "email"];

const dayWord = (d) => DAYS.find(([id]) => id === d)?.[1] ?? d;

/** "every Mon at 07:00, Europe/Berlin"; `none` where there is no schedule. */
export function scheduleWords(s, none = "not sent by itself") {
  if (!s) return none;
  const days =
    s.days?.length && s.days.length < 7
      ? `every ${DAYS.map(([d]) => d)
          .filter((d) => s.days.includes(d))
          .map(dayWord)
          .join(", ")}`
      : "every day";
  return `${days} at ${s.time}, ${s.zone}`;
}

/** The box that turns the schedule of a draft on and off. */
export const scheduleSwitch = (draft, words) =>
  html`<label class="check"
    ><input
      type="checkbox"
      name="schedule"
      .checked=${Boolean(draft.value("schedule"))}
      ?disabled=${!draft.allowed}
      @change=${(e) =>
        draft.set("schedule", e.target.checked ? (draft.before.schedule ?? { time: "07:00", zone: zoneName() }) : null)}
    />${words}</label
  >`;

/** Days, time and zone of the schedule of a draft, which is on. */
export function scheduleFields(draft) {
  const s = draft.value("schedule");
  const change = (part) => draft.set("schedule", { ...s, ...part });
  const days = s.days?.length ? s.days : DAYS.map(([d]) => d);
  const day = (d) => {
    const next = DAYS.map(([x]) => x).filter((x) => (x === d ? !days.includes(x) : days.includes(x)));
    if (next.length) change({ days: next.length === 7 ? undefined : next });
  };
  return html`<div class="row wrap" role="group" aria-label="Days">
      ${DAYS.map(
        ([d, w]) =>
          html`<button
            type="button"
            class="ctl low"
            aria-pressed=${days.includes(d)}
            ?disabled=${!draft.allowed}
            @click=${() => day(d)}
          >
            ${w}
          </button>`,
      )}
    </div>
    <div class="two">
      <label class="lab"
        >At<input
          class="field"
          type="time"
          name="time"
          .value=${s.time}
          ?disabled=${!draft.allowed}
          @change=${(e) => e.target.value && change({ time: e.target.value.slice(0, 5) })} /></label
      ><label class="lab"
        >Time zone<input
          class="field"
          list="report-zones"
          name="zone"
          autocomplete="off"
          .value=${s.zone}
          ?disabled=${!draft.allowed}
          aria-invalid=${ZONES.includes(s.zone) ? "false" : "true"}
          @change=${(e) => change({ zone: e.target.value.trim() })}
      /></label>
    </div>
    <datalist id="report-zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>
    ${draft.said("schedule")}`;
}

/** The targets of a draft that take reports; `targets` are all there are to choose from. */
export function targetChecks(draft, targets) {
  const chosen = draft.value("targets") ?? [];
  const all = (targets.data?.items ?? []).filter((t) => SENDABLE.includes(t.type) || chosen.includes(t.id));
  const toggle = (id) => draft.set("targets", chosen.includes(id) ? chosen.filter((x) => x !== id) : [...chosen, id]);
  return html`<ul class="target-checks" role="group" aria-label="Targets">
      ${all.map(
        (t) =>
          html`<li>
            <label class="check"
              ><input
                type="checkbox"
                .checked=${chosen.includes(t.id)}
                ?disabled=${!draft.allowed}
                @change=${() => toggle(t.id)}
              /><b>${t.name}</b></label
            ><span class="m cut">${typeWord(t.type)}, ${placeOf(t)}</span>${t.enabled
              ? nothing
              : html`<span class="warn s12">disabled</span>`}
          </li>`,
      )}
    </ul>
    ${targets.data && !all.length
      ? html`<p class="m s12">
          Reports go to web hooks and mail; there is no such target yet.
          <a class="acc" href=${href("/notifications/targets/new", { type: "email" })}>Make one</a>
        </p>`
      : nothing}${draft.said("targets")}`;
}
