// A fingerprint with all of its bytes; a narrow line breaks between two of them.
import { html } from "../../core/html.js";
import { fingerprintLines } from "./words.js";

const line = (pairs) => html`<span>${pairs.split(":").map((pair, i) => (i ? html`:<wbr />${pair}` : pair))}</span>`;

export const fingerprint = (sha256) =>
  html`<div class="fingerprint mono">
    <span class="m">SHA-256, all 32 bytes</span>${fingerprintLines(sha256).map(line)}
  </div>`;
