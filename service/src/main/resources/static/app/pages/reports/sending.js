// When a report is sent, to whom, and what mails carry.
import { html, nothing } from "../../core/html.js";
import { scheduleFields, scheduleSwitch, scheduleWords, targetChecks } from "../shared/sending-fields.js";
import { nextWords } from "./words.js";

const FILES = [
  ["pdf", "PDF", "all panels on pages of A4"],
  ["csv", "CSV", "the values of each panel"],
];

function fileChecks(draft) {
  const chosen = draft.value("files") ?? [];
  const toggle = (id) =>
    draft.set(
      "files",
      FILES.map(([f]) => f).filter((f) => (f === id ? !chosen.includes(f) : chosen.includes(f))),
    );
  return html`<div class="lab" role="group" aria-label="Files of a mail">
    <span>Mails show a picture of each panel, and carry</span>
    <div class="row wrap files">
      ${FILES.map(
        ([id, name, words]) =>
          html`<label class="check"
            ><input
              type="checkbox"
              name=${id}
              .checked=${chosen.includes(id)}
              ?disabled=${!draft.allowed}
              @change=${() => toggle(id)}
            /><b>${name}</b><span class="m s12">${words}</span></label
          >`,
      )}
    </div>
    ${draft.said("files")}
  </div>`;
}

/** `targets` are those to choose from. */
export function sendingPane(draft, targets) {
  const s = draft.value("schedule");
  const next = nextWords(s);
  return html`<section class="pane" aria-label="When and to whom">
    <div class="ph">
      <h2>When, and to whom</h2>
      <span class="m cut">${scheduleWords(s, "only when somebody runs it")}</span>
      <span class="sp"></span>
      ${scheduleSwitch(draft, "Runs by itself")}
    </div>
    <div class="form">
      ${s ? html`${scheduleFields(draft)}${next ? html`<p class="i2 s12 next">${next}.</p>` : nothing}` : nothing}
      <div class="lab"><span>To</span>${targetChecks(draft, targets)}</div>
      ${fileChecks(draft)}
    </div>
  </section>`;
}
