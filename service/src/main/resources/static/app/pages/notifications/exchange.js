// One try to deliver: the exact request, with secrets as names, and the exact answer.
import { html, nothing } from "../../core/html.js";
import { bytes } from "../../core/format.js";
import { headerLines, lined } from "./rendered.js";
import { issueLines, verdictShape, verdictWords } from "./words.js";

const size = (text) => bytes(new TextEncoder().encode(text ?? "").length);
const pretty = (text) => lined(text).join("\n");

/**
 * `exchange` has sent, answer (or null), tookMillis, verdict and reason; issues is what the receiver would refuse or
 * cut.
 */
export function exchangeView({ sent, answer, tookMillis, verdict, reason, retryAfterSeconds, issues }) {
  const kept = verdict === "refused" && !answer; // by ourselves: a receiver that refuses has answered
  return html`<p class="row verdict" role="status">
      ${verdictShape(verdict, 14)}
      <b>${kept ? "Not sent" : html`${answer ? answer.status : ""} ${verdictWords(verdict)}`}</b>
      <span class="m">${Math.round(tookMillis)} ms${retryAfterSeconds ? `, again in ${retryAfterSeconds} s` : ""}</span>
    </p>
    ${reason ? html`<p class="s12 ${verdict === "delivered" ? "m" : "crit"}">${reason}</p>` : nothing}${issueLines(
      issues,
    )}
    <div class="exchange">
      <section aria-label=${kept ? "Not sent" : "Sent"}>
        <h3>${kept ? "Would have been sent" : "Sent"} <span class="m">${size(sent.body)}</span></h3>
        <div class="raw">
          <div class="head-line"><b>${sent.request}</b></div>
          ${headerLines(sent.headers)}
        </div>
        <pre class="payload wire">${sent.body ? pretty(sent.body) : "no body"}</pre>
      </section>
      <section aria-label="Received">
        <h3>Received ${answer ? html`<span class="m">${size(answer.body)}</span>` : nothing}</h3>
        ${answer
          ? html`<div class="raw">
                <div class="head-line"><b>${answer.status}</b></div>
                ${headerLines(answer.headers)}
              </div>
              <pre class="payload wire">${answer.body ? pretty(answer.body) : "no body"}</pre>`
          : html`<p class="m s12 pad">
              ${kept ? "Nothing left this machine, so nothing came back." : "Nothing came back."}
            </p>`}
      </section>
    </div>`;
}
