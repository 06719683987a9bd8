// What the parts of a group's form have in common.
import { html } from "../../core/html.js";

/** A part of the form with its title. */
export const field = (title, note, body) =>
  html`<div class="wiz-field" role="group" aria-label=${title}>
    <div class="wiz-label">
      <b>${title}</b>
      <span class="m">${note}</span>
    </div>
    ${body}
  </div>`;

/** A number that was typed, at least 0; undefined for none. */
export const numeric = (text) =>
  text.trim() === "" || Number.isNaN(Number(text.replace(",", ".")))
    ? undefined
    : Math.max(0, Number(text.replace(",", ".")));
