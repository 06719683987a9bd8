// What is written where the alerts of a relay come from.
import { html } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { copy } from "../../parts/notice.js";
import { segments } from "../../parts/small.js";
import { urlOf } from "./relays.js";

const SENDERS = [
  ["vrops", "vRealize Operations"],
  ["alertmanager", "Alertmanager"],
];

/** What is written where alerts come from; secrets are left for people to put in. */
function snippet(sender, { name, auth }, url) {
  if (sender === "alertmanager") {
    const http =
      {
        basic: [
          `basic_auth: { username: ${JSON.stringify(auth.username || "USER")}, password_file: /etc/alertmanager/peerlens-password }`,
        ],
        bearer: ["authorization: { type: Bearer, credentials_file: /etc/alertmanager/peerlens-token }"],
        certificate: [
          "tls_config:",
          "  cert_file: /etc/alertmanager/client.pem",
          "  key_file: /etc/alertmanager/client-key.pem",
        ],
      }[auth.type] ?? [];
    return [
      "receivers:",
      "  - name: peerlens",
      "    webhook_configs:",
      `      - url: ${url}`,
      "        send_resolved: true",
      "        http_config:",
      ...http.map((line) => `          ${line}`),
    ].join("\n");
  }
  const who =
    {
      basic: [`User name      ${auth.username || "USER"}`, "Password       the one of this relay"],
      bearer: ["Credential     bearer token (webhook plug-in only)"],
      certificate: ["Credential     client certificate (webhook plug-in only)"],
    }[auth.type] ?? [];
  return [
    `Plug-in        ${auth.type === "basic" ? "REST or Webhook Notification" : "Webhook Notification"}`,
    `Instance       peerlens-${name || "NAME"}`,
    `URL            ${url}`,
    ...who,
    "Content type   application/json",
  ].join("\n");
}

/** Where a sender sends to. */
export const relayUrl = (draft) => urlOf({ path: `/relay/${draft.value("name") || "NAME"}` });

/** `state.sender` is the one that is shown. */
export function senderPane(state) {
  const { draft, sender } = state;
  const url = relayUrl(draft);
  const text = snippet(sender, { name: draft.value("name"), auth: draft.value("auth") }, url);
  return html`<section class="pane" aria-label="For senders">
    <div class="ph">
      <h2 class="cut">For senders</h2>
      <span class="sp"></span>
      <span class="low-seg"
        >${segments(
          sender,
          SENDERS,
          (s) => {
            state.sender = s;
            redraw();
          },
          "Sender",
        )}</span
      >
    </div>
    <div class="form">
      <div class="row">
        <code class="mono cut" title=${url}>${url}</code>
        <span class="sp"></span>
        <button class="ctl" @click=${() => copy(url, "URL copied")}>Copy URL <kbd>U</kbd></button>
      </div>
      <pre class="mono s12 snippet">${text}</pre>
      <div class="row">
        <span class="m s12"
          >${sender === "vrops"
            ? "No slash at the end: the id of the alert is added. Test sends a sample, which is not passed on."
            : "One alert is one fingerprint. Secrets stay in files of Alertmanager."}</span
        >
        <span class="sp"></span>
        <button class="link nw" @click=${() => copy(text, "Copied")}>Copy all</button>
      </div>
    </div>
  </section>`;
}
