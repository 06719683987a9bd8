// Hours of the week, such as business hours: in words, and as fields.
import { html, nothing } from "../../core/html.js";
import { isZone, ZONES, zoneName } from "../../core/zone.js";
import { DAYS, daysText } from "../settings/maintenance-words.js";

const ORDER = DAYS.map(([d]) => d);

/** Monday to Friday from seven to seven, in the zone of the pages. */
export const businessHours = () => ({
  days: ORDER.slice(0, 5),
  begins: "07:00",
  ends: "19:00",
  zone: zoneName(),
});

/** "Mon to Fri, 07:00 to 19:00", with the zone where that is not the one of the pages. */
export function hoursText(hours) {
  if (!hours) return "all hours";
  const { days, begins, ends, zone } = hours;
  const on = daysText(days).replace("Monday to Friday", "Mon to Fri");
  return `${on}, ${begins} to ${ends}${zone === zoneName() ? "" : ` ${zone.replace(/^Etc\/(?=UTC$)/, "")}`}`;
}

/**
 * The fields of `{ days, begins, ends, zone }`; `change` is called with a function that makes the new one of
 * the present one, which may be newer than what is drawn. `wrong(field)` says what the server
 * has against one of them, null where it has nothing.
 */
export function hoursFields({ value, change, off = false, wrong = (_field) => null }) {
  const set = (part) => change((now) => ({ ...now, ...part }));
  const turn = (day) => change((now) => ({ ...now, days: ORDER.filter((d) => (d === day) !== now.days.includes(d)) }));
  const said = (field) => (wrong(field) ? html`<span class="crit s12" role="alert">${wrong(field)}</span>` : nothing);
  const time = (name, words) =>
    html`<label class="lab"
      >${words}<input
        class="field"
        type="time"
        name=${name}
        required
        .value=${value[name]}
        ?disabled=${off}
        @change=${(e) => e.target.value && set({ [name]: e.target.value.slice(0, 5) })}
      />${said(name)}</label
    >`;
  return html`<div class="row wrap" role="group" aria-label="Days">
      ${DAYS.map(
        ([d, words]) =>
          html`<button
            type="button"
            class="ctl low"
            aria-pressed=${value.days.includes(d)}
            ?disabled=${off || (value.days.length === 1 && value.days[0] === d)}
            @click=${() => turn(d)}
          >
            ${words}
          </button>`,
      )}
    </div>
    ${said("days")}
    <div class="three">
      ${time("begins", "From")}${time("ends", "to")}
      <label class="lab"
        >Time zone<input
          class="field"
          name="zone"
          list="zones"
          autocomplete="off"
          required
          .value=${value.zone}
          ?disabled=${off}
          aria-invalid=${isZone(value.zone) ? "false" : "true"}
          @change=${(e) => set({ zone: e.target.value.trim() })}
        />${said("zone")}</label
      >
    </div>
    <datalist id="zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>`;
}
