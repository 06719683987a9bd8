// A button that chooses files, of a form that says what it takes.
import { html } from "../core/html.js";

/**
 * @param {{ words: string, label: string, accept: string, cls?: string, disabled?: boolean,
 *   take: (files: FileList) => void }} choice `words` stand on the button, `label` names the field, `cls` is the button's
 */
export const fileChoice = ({ words, label, accept, cls = "ctl file", disabled = false, take }) =>
  html`<label class=${cls}
    >${words}<input
      type="file"
      multiple
      accept=${accept}
      aria-label=${label}
      ?disabled=${disabled}
      @change=${(e) => {
        take(e.target.files);
        e.target.value = "";
      }}
  /></label>`;
