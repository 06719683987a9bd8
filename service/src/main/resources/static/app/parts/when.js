// A field for a moment, in the zone of the pages, with 24 hours whatever the browser's language is.
import { html, nothing } from "../core/html.js";
import { fieldText, parseMoment, zoneName } from "../core/zone.js";

const MINUTE = 60_000;
const HOW = "As 2026-11-23 14:05, 14:05, tomorrow 8:00 or in 2h";

/** Says what is wrong with the text of a field, so that its form cannot be sent. Gives the moment, or NaN. */
function check(input, past) {
  const at = input.value.trim() ? parseMoment(input.value) : NaN;
  const wrong = !input.value.trim()
    ? ""
    : Number.isNaN(at)
      ? `Not understood. ${HOW}.`
      : past && at > Date.now() + MINUTE
        ? "That is in the future."
        : "";
  input.setCustomValidity(wrong);
  if (wrong) input.setAttribute("aria-invalid", "true");
  else input.removeAttribute("aria-invalid");
  return at;
}

function changed(event, change, past) {
  const at = check(event.target, past);
  if (Number.isNaN(at) || !event.target.validity.valid) {
    if (event.target.value.trim()) event.target.reportValidity();
    return;
  }
  event.target.value = fieldText(at);
  change?.(at);
}

/**
 * `value` is in epoch milliseconds or an ISO text, null = empty; `past` says that it may not lie in the future; `change`
 * is called with epoch milliseconds when another moment was typed.
 * @param {{value: number | string | null, change?: (at: number) => void, name?: string, label?: string,
 *   required?: boolean, disabled?: boolean, low?: boolean, past?: boolean, describedby?: string}} field
 */
export const whenField = ({
  value,
  change,
  name,
  label,
  required = false,
  disabled = false,
  low = false,
  past = false,
  describedby,
}) =>
  html`<input
    class="field ${low ? "low" : ""} when-field"
    type="text"
    inputmode="text"
    autocomplete="off"
    spellcheck="false"
    maxlength="40"
    placeholder="YYYY-MM-DD HH:MM"
    title=${`${HOW}; ${zoneName()}`}
    name=${name ?? nothing}
    aria-label=${label ?? nothing}
    aria-describedby=${describedby ?? nothing}
    .value=${fieldText(typeof value === "string" ? Date.parse(value) : value)}
    ?required=${required}
    ?disabled=${disabled}
    @input=${(e) => check(e.target, past)}
    @change=${(e) => changed(e, change, past)}
  />`;
