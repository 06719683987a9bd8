// The fields of a relay: how senders prove who they are, and what labels of Alertmanager mean.
import { html, nothing } from "../../core/html.js";
import { segments } from "../../parts/small.js";
import { secretField } from "./target-fields.js";
import { authWord } from "./relays.js";
import { clean } from "./target.js";
import { listOf } from "./words.js";

const AUTHS = ["basic", "bearer", "certificate"].map((type) => [type, authWord(type)]);
const SEVERITIES = ["critical", "immediate", "warning", "information"];

export function authPane(draft) {
  const off = !draft.allowed;
  const auth = draft.value("auth");
  const put = (part) => draft.set("auth", { ...draft.value("auth"), ...part });
  const lines = (name, label, hint) =>
    html`<label class="lab"
      >${label}<textarea
        class="field mono"
        rows="2"
        aria-label=${label}
        placeholder=${hint}
        spellcheck="false"
        .value=${(auth[name] ?? []).join("\n")}
        ?disabled=${off}
        aria-invalid=${draft.wrong(`auth.${name}`) ? "true" : "false"}
        @change=${(e) =>
          put({
            [name]: e.target.value
              .split("\n")
              .map((l) => l.trim())
              .filter(Boolean),
          })}
      ></textarea
      >${draft.said(`auth.${name}`)}</label
    >`;
  const fields = {
    basic: () =>
      html`<div class="two">
        <label class="lab"
          >User<input
            class="field"
            aria-label="User"
            maxlength="200"
            autocomplete="off"
            .value=${auth.username ?? ""}
            ?disabled=${off}
            aria-invalid=${draft.wrong("auth.username") ? "true" : "false"}
            @input=${(e) => put({ username: e.target.value })}
          />${draft.said("auth.username")}</label
        >${secretField({
          label: "Password",
          ref: auth.password,
          set: (password) => put({ password }),
          off,
          wrong: draft.said("auth.password"),
        })}
      </div>`,
    bearer: () =>
      html`<div class="two">
        ${secretField({
          label: "Token",
          ref: auth.token,
          set: (token) => put({ token }),
          off,
          wrong: draft.said("auth.token"),
        })}
      </div>`,
    certificate: () =>
      html`<div class="two">
          ${lines("fingerprints", "SHA-256 fingerprints, one a line", "4f:9a:\u2026")}${lines(
            "subjects",
            "Subjects, one a line",
            "CN=vrops,O=Example",
          )}
        </div>
        <p class="m s12">
          The server has to ask for certificates: <code>server.ssl.client-auth=want</code>, and to trust those who
          issued them: <code>server.ssl.trust-certificate</code>.
        </p>`,
  };
  return html`<section class="pane" aria-label="Authentication">
    <div class="ph">
      <h2>Authentication</h2>
      <span class="m cut">how senders prove who they are; tokens of people are not taken</span>
    </div>
    <div class="form">
      <div class="row">
        ${off
          ? html`<span>${authWord(auth.type)}</span>`
          : segments(auth.type, AUTHS, (type) => type !== auth.type && draft.set("auth", { type }), "By")}
      </div>
      ${fields[auth.type]?.() ?? nothing}${draft.said("auth")}
    </div>
  </section>`;
}

export function labelsPane(draft) {
  const off = !draft.allowed;
  const labels = draft.value("labels") ?? {};
  const put = (part) => draft.set("labels", clean({ ...draft.value("labels"), ...part }));
  const severities = labels.severities ?? {};
  const of = (severity) => Object.keys(severities).filter((v) => severities[v] === severity);
  const setOf = (severity, text) =>
    put({
      severities: {
        ...Object.fromEntries(Object.entries(severities).filter(([, s]) => s !== severity)),
        ...Object.fromEntries(listOf(text).map((v) => [v.toLowerCase(), severity])),
      },
    });
  const usual = {
    critical: "critical, page, emergency",
    immediate: "error, high, major",
    warning: "everything else",
    information: "info, low, notice, none",
  };
  return html`<section class="pane" aria-label="Labels">
    <div class="ph">
      <h2>Labels of Alertmanager</h2>
      <span class="m cut">what they mean; vRealize Operations says it itself</span>
    </div>
    <div class="form">
      <div class="three">
        <label class="lab"
          >How bad it is<input
            class="field mono"
            aria-label="Severity label"
            placeholder="severity"
            .value=${labels.severity ?? ""}
            ?disabled=${off}
            @change=${(e) => put({ severity: e.target.value.trim() })}
          />${draft.said("labels.severity")}</label
        >
        <label class="lab"
          >Names the object, the best first<input
            class="field mono"
            aria-label="Object labels"
            placeholder="vm, vmname, host, hostname, node, instance"
            .value=${(labels.object ?? []).join(", ")}
            ?disabled=${off}
            @change=${(e) => put({ object: listOf(e.target.value) })}
          />${draft.said("labels.object")}</label
        >
        <label class="lab"
          >Kind of the objects<input
            class="field"
            aria-label="Kind of the objects"
            placeholder="any, if the name is of one only"
            .value=${labels.objectKind ?? ""}
            ?disabled=${off}
            @change=${(e) => put({ objectKind: e.target.value.trim() })}
          />${draft.said("labels.objectKind")}</label
        >
      </div>
      <div class="two">
        ${SEVERITIES.map(
          (c) =>
            html`<label class="lab"
              >${c[0].toUpperCase() + c.slice(1)}<input
                class="field mono"
                aria-label=${`Values that are ${c}`}
                placeholder=${usual[c]}
                .value=${of(c).join(", ")}
                ?disabled=${off}
                @change=${(e) => setOf(c, e.target.value)}
            /></label>`,
        )}
      </div>
      ${draft.said("labels.severities")}
    </div>
  </section>`;
}
