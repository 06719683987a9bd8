// The settings of a target by its type. A secret is a name in the secret store, or a value that is typed here and never
// comes back.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { icon } from "../../parts/shapes.js";
import { listOf } from "./words.js";

const secrets = new Load((_opened, signal) => get("/secrets", {}, signal));
let opened = 0;
/** Reads the names of secrets, once for each page that is opened. */
export const wantSecrets = () => secrets.want((opened ||= 1));
export const forgetSecrets = () => opened++;

// No secret can be called so.
const TYPED = ":typed";
const AUTHS = [
  ["none", "none"],
  ["basic", "user and password"],
  ["bearer", "bearer token"],
  ["api-key", "API key in a header"],
  ["oauth2-client-credentials", "OAuth2, client credentials"],
  ["mutual-tls", "client certificate"],
];
const SIGNINGS = [
  ["none", "not signed"],
  ["standard-webhooks", "Standard Webhooks, HMAC"],
  ["standard-webhooks-ed25519", "Standard Webhooks, ed25519"],
  ["hmac", "HMAC in a header"],
];

/** `ref` is `{ secret }` or `{ value }` or nothing; `set` takes the same. */
/**
 * @param {{label: string, ref: any, set: (ref: any) => void, off: boolean, long?: boolean, wrong?: unknown}} field
 */
export function secretField({ label, ref, set, off, long = false, wrong = nothing }) {
  const names = secrets.data?.items.map((s) => s.name) ?? [];
  const typed = ref && "value" in ref;
  const now = typed ? TYPED : (ref?.secret ?? "");
  const gone = ref?.secret && secrets.data && !names.includes(ref.secret);
  const choose = (v) => set(v === TYPED ? { value: "" } : v ? { secret: v } : undefined);
  const options = [
    ["", "none"],
    ...[...new Set([...(ref?.secret ? [ref.secret] : []), ...names])].map((n) => [n, `secret ${n}`]),
    [TYPED, "type a value\u2026"],
  ];
  const entry = long
    ? html`<textarea
        class="field tall mono"
        rows="4"
        aria-label=${`${label}: value`}
        placeholder="PEM, certificate and key"
        autocomplete="off"
        spellcheck="false"
        .value=${ref?.value ?? ""}
        @input=${(e) => set({ value: e.target.value })}
      ></textarea>`
    : html`<input
        class="field"
        type="password"
        autocomplete="new-password"
        aria-label=${`${label}: value`}
        placeholder="the value; it is stored encrypted and never shown again"
        .value=${ref?.value ?? ""}
        @input=${(e) => set({ value: e.target.value })}
      />`;
  return html`<div class="lab" role="group" aria-label=${label}>
    <span>${label}</span
    ><select class="field" aria-label=${label} ?disabled=${off} @change=${(e) => choose(e.target.value)}>
      ${options.map(([v, word]) => html`<option value=${v} ?selected=${v === now}>${word}</option>`)}
    </select>
    ${typed ? entry : nothing}${gone ? html`<span class="warn s12">There is no such secret.</span>` : nothing}${wrong}
  </div>`;
}

export function settingsFields({ draft, type, off }) {
  const s = draft.value(type) ?? {};
  // What another field was given since this was drawn stays.
  const put = (part) => draft.set(type, { ...draft.value(type), ...part });
  const field = (
    name,
    label,
    {
      hint = "",
      of = s,
      at = `${type}.${name}`,
      set = put,
      read = (v) => v.trim() || undefined,
      mono = false,
      show = (v) => v ?? "",
      input = "text",
    } = {},
  ) =>
    html`<label class="lab"
      >${label}<input
        class="field ${mono ? "mono" : ""}"
        inputmode=${input}
        aria-label=${label}
        placeholder=${hint}
        autocomplete="off"
        spellcheck="false"
        .value=${show(of[name])}
        ?disabled=${off}
        aria-invalid=${draft.wrong(at) ? "true" : "false"}
        @input=${(e) => set({ [name]: read(e.target.value) })}
      />${draft.said(at)}</label
    >`;
  const whole = (v) => (/^\d+$/.test(v.trim()) ? Number(v) : v.trim() || undefined);
  const list = { read: listOf, show: (v) => (v ?? []).join(", ") };
  const lists = (name, label, hint) =>
    html`<label class="lab"
      >${label}<input
        class="field"
        aria-label=${label}
        placeholder=${hint}
        autocomplete="off"
        .value=${(s[name] ?? []).join(", ")}
        ?disabled=${off}
        aria-invalid=${draft.wrong(`${type}.${name}`) ? "true" : "false"}
        @change=${(e) => put({ [name]: list.read(e.target.value) })}
      />${draft.said(`${type}.${name}`)}</label
    >`;
  const choice = (name, label, options, { of = s, set = put } = {}) =>
    html`<label class="lab"
      >${label}<select
        class="field"
        aria-label=${label}
        ?disabled=${off}
        @change=${(e) => set({ [name]: e.target.value })}
      >
        ${options.map(
          ([v, word]) => html`<option value=${v} ?selected=${v === (of[name] ?? options[0][0])}>${word}</option>`,
        )}
      </select></label
    >`;
  const secret = (name, label, { of = s, set = put, at = `${type}.${name}`, long = false } = {}) =>
    secretField({ label, ref: of[name], set: (ref) => set({ [name]: ref }), off, long, wrong: draft.said(at) });
  const pane = (title, note, body) =>
    html`<section class="pane" aria-label=${title}>
      <div class="ph">
        <h2>${title}</h2>
        <span class="m cut">${note}</span>
      </div>
      <div class="form">${body}</div>
    </section>`;

  if (type === "email") {
    return html`${pane(
      "Mail server",
      "that takes the mail",
      html`<div class="three">
          ${field("host", "Server", { hint: "smtp.example.org" })}${field("port", "Port", {
            hint: { tls: "465", none: "25" }[s.security] ?? "587",
            read: whole,
            input: "numeric",
          })}${choice(
            "security",
            "Encryption",
            [
              ["starttls", "STARTTLS, demanded"],
              ["tls", "TLS from the first byte"],
              ["none", "none"],
            ],
            { set: (part) => put(part.security === "none" ? { ...part, caBundle: undefined } : part) },
          )}
        </div>
        <div class="three">
          ${field("username", "User", { hint: "none" })}${choice(
            "by",
            "Signs in by",
            [
              ["password", "password"],
              ["oauth2", "token of OAuth 2 (XOAUTH2)"],
            ],
            {
              of: { by: s.oauth2 ? "oauth2" : "password" },
              set: ({ by }) => put(by === "oauth2" ? { password: undefined, oauth2: {} } : { oauth2: undefined }),
            },
          )}${s.oauth2 ? nothing : secret("password", "Password")}${field("timeout", "Waits for", { hint: "30s" })}
        </div>
        ${s.oauth2
          ? html`<div class="two">
              ${[
                ["tokenUrl", "Tokens come from", "https://login.example.org/token"],
                ["clientId", "Id of the client", ""],
                ["scope", "Scope", "none"],
              ].map(([name, label, hint]) =>
                field(name, label, {
                  hint,
                  of: s.oauth2,
                  at: `email.oauth2.${name}`,
                  set: (part) => put({ oauth2: { ...s.oauth2, ...part } }),
                }),
              )}${secret("clientSecret", "Secret of the client", {
                of: s.oauth2,
                at: "email.oauth2.clientSecret",
                set: (part) => put({ oauth2: { ...s.oauth2, ...part } }),
              })}
            </div>`
          : nothing}
        ${s.security === "none"
          ? nothing
          : html`<label class="lab"
              >Certificates that are trusted instead of the usual ones, PEM<textarea
                class="field tall mono"
                rows=${s.caBundle ? 4 : 1}
                aria-label="Trusted certificates"
                placeholder="those of the operating system"
                spellcheck="false"
                .value=${s.caBundle ?? ""}
                ?disabled=${off}
                @change=${(e) => put({ caBundle: e.target.value.trim() || undefined })}
              ></textarea
              >${draft.said("email.caBundle")}</label
            >`}`,
    )}
    ${pane(
      "People",
      "",
      html`<div class="two">
        ${field("from", "From", { hint: "Peerlens <peerlens@example.org>" })}${field("replyTo", "Answers to", {
          hint: "the sender",
        })}${lists("to", "To", "ops@example.org, it@example.org")}${lists("cc", "Copy to", "")}${lists(
          "bcc",
          "Hidden copy to",
          "",
        )}${lists("allowedDomains", "Only to addresses in", "any domain")}
      </div>`,
    )}`;
  }
  if (type === "snmp") {
    const v3 = s.version === "v3";
    return pane(
      "Trap receiver",
      v3 ? "authenticated and encrypted" : "the community travels as it is",
      html`<div class="three">
          ${field("host", "Receiver", { hint: "nms.example.org" })}${field("port", "Port", {
            hint: "162",
            read: whole,
            input: "numeric",
          })}${choice(
            "version",
            "Version",
            [
              ["v3", "v3, authenticated and encrypted"],
              ["v2c", "v2c"],
            ],
            {
              set: (part) =>
                put(
                  part.version === "v2c"
                    ? {
                        version: "v2c",
                        user: undefined,
                        authProtocol: undefined,
                        authPassword: undefined,
                        privProtocol: undefined,
                        privPassword: undefined,
                        context: undefined,
                      }
                    : { version: "v3", community: undefined, authProtocol: "SHA-256", privProtocol: "AES-128" },
                ),
            },
          )}
        </div>
        ${v3
          ? html`<div class="three">
              ${field("user", "User")}${choice(
                "authProtocol",
                "Authentication",
                ["SHA-256", "SHA-224", "SHA-384", "SHA-512"].map((p) => [p, p]),
              )}${secret("authPassword", "Password of the authentication")}${field("context", "Context", {
                hint: "none",
              })}${choice(
                "privProtocol",
                "Encryption",
                ["AES-128", "AES-192", "AES-256"].map((p) => [p, p]),
              )}${secret("privPassword", "Password of the encryption")}
            </div>`
          : html`<div class="two">${secret("community", "Community")}</div>`}
        <div class="two">
          <label class="check"
            ><input
              type="checkbox"
              .checked=${s.inform ?? false}
              ?disabled=${off}
              @change=${(e) => put({ inform: e.target.checked })}
            />Inform: the receiver must confirm; of a trap nobody knows whether it arrived</label
          >${field("timeout", "Waits for a confirmation", { hint: "5s" })}
        </div>`,
    );
  }

  const auth = s.auth ?? { type: "none" };
  const tls = s.tls ?? {};
  const proxy = s.proxy ?? {};
  const signing = s.signing ?? { type: "none" };
  const within = (name, value) => ({
    of: value,
    set: (part) => put({ [name]: { ...(draft.value(type)?.[name] ?? value), ...part } }),
  });
  const a = (n) => ({ ...within("auth", auth), at: `webhook.auth.${n}` });
  const keep = (...names) => Object.fromEntries(names.filter((n) => auth[n] !== undefined).map((n) => [n, auth[n]]));
  const AUTH_FIELDS = {
    none: () => nothing,
    basic: () =>
      html`<div class="two">
        ${field("username", "User", a("username"))}${secret("password", "Password", a("password"))}
      </div>`,
    bearer: () => html`<div class="two">${secret("token", "Token", a("token"))}</div>`,
    "api-key": () =>
      html`<div class="two">
        ${field("header", "Header", { ...a("header"), hint: "X-Api-Key" })}${secret("token", "Key", a("token"))}
      </div>`,
    "oauth2-client-credentials": () =>
      html`<div class="two">
        ${field("tokenUrl", "Tokens from", {
          ...a("tokenUrl"),
          hint: "https://login.example.org/oauth2/token",
        })}${field("scope", "Scopes", { ...a("scope"), hint: "none" })}${field(
          "clientId",
          "Client id",
          a("clientId"),
        )}${secret("clientSecret", "Client secret", a("clientSecret"))}
      </div>`,
    "mutual-tls": () => secret("keyStore", "Certificate and key", { ...a("keyStore"), long: true }),
  };
  const setAuth = ({ type: next }) =>
    put({
      auth: {
        type: next,
        ...keep(
          ...(next === "basic" ? ["username", "password"] : next === "bearer" || next === "api-key" ? ["token"] : []),
        ),
      },
    });
  const headers = s.headers ?? [];
  const keys = signing.secrets ?? [];
  const signs = signing.type !== "none";
  const hmac = signing.type === "hmac";
  return html`${pane(
    "Receiver",
    "the path of the template is joined to its URL",
    html`<div class="url-line">
        ${field("url", "URL", { hint: "https://events.example.org/v2", mono: true, read: (v) => v.trim() })}${field(
          "timeout",
          "Waits for",
          { hint: "15s" },
        )}
      </div>
      <p class="m s12">
        What looks like a secret in the URL is stored as one; write <code>\${secret:NAME}</code> where it is to stand.
      </p>
      <div class="lab" role="group" aria-label="Headers">
        <span>Headers of every request</span>${headers.map(
          (h, i) =>
            html`<div class="row header-row">
              <input
                class="field"
                aria-label=${`Header ${i + 1}`}
                placeholder="X-Team"
                .value=${h.name ?? ""}
                ?disabled=${off}
                @input=${(e) => put({ headers: headers.with(i, { ...h, name: e.target.value.trim() }) })}
              />
              <input
                class="field"
                aria-label=${`Value of header ${i + 1}`}
                .value=${h.value ?? ""}
                ?disabled=${off}
                @input=${(e) => put({ headers: headers.with(i, { ...h, value: e.target.value }) })}
              />
              ${off
                ? nothing
                : html`<button
                    class="icon"
                    aria-label=${`Remove header ${i + 1}`}
                    @click=${() => put({ headers: headers.toSpliced(i, 1) })}
                  >
                    ${icon("close", 12)}
                  </button>`}
            </div>`,
        )}${off
          ? nothing
          : html`<button class="link" @click=${() => put({ headers: [...headers, { name: "", value: "" }] })}>
              Add a header
            </button>`}${draft.said("webhook.headers")}
      </div>`,
  )}
  ${pane(
    "Authentication",
    "who we are to the receiver",
    html`<div class="two">${choice("type", "By", AUTHS, { of: auth, set: setAuth })}</div>
      ${AUTH_FIELDS[auth.type]?.() ?? nothing}${draft.said("webhook.auth")}`,
  )}
  ${pane(
    "Signature",
    "by which the receiver knows that it is from us, and whole",
    html`<div class="two">
        ${choice("type", "Body", SIGNINGS, {
          of: signing,
          set: ({ type: next }) =>
            put({
              signing: next === "none" ? undefined : { type: next, secrets: keys.length ? keys : [{ value: "" }] },
            }),
        })}
      </div>
      ${signs
        ? html`${keys.map(
            (ref, i) =>
              html`<div class="row key-row">
                ${secretField({
                  label: keys.length > 1 ? (i ? `Older secret ${i}` : "Newest secret") : "Secret",
                  ref,
                  set: (next) => put({ signing: { ...signing, secrets: keys.with(i, next ?? {}) } }),
                  off,
                  wrong: i ? nothing : draft.said("webhook.signing"),
                })}${keys.length > 1 && !off
                  ? html`<button
                      class="icon"
                      aria-label=${`Remove signing secret ${i + 1}`}
                      @click=${() => put({ signing: { ...signing, secrets: keys.toSpliced(i, 1) } })}
                    >
                      ${icon("close", 12)}
                    </button>`
                  : nothing}
              </div>`,
          )}
          ${off || keys.length >= 5
            ? nothing
            : html`<p class="s12">
                <button
                  class="link"
                  @click=${() => put({ signing: { ...signing, secrets: [{ value: "" }, ...keys] } })}
                >
                  Rotate: add a newer secret
                </button>
                <span class="m">All of them sign, so that the receiver may change over.</span>
              </p>`}
          ${hmac
            ? html`<div class="two">
                ${field("header", "Header", {
                  ...within("signing", signing),
                  hint: "X-Hub-Signature-256",
                  at: "webhook.signing.header",
                })}${field("prefix", "Before the signature", {
                  ...within("signing", signing),
                  hint: "sha256=",
                  at: "webhook.signing.prefix",
                })}${choice(
                  "encoding",
                  "Written in",
                  [
                    ["hex", "hex"],
                    ["base64", "base64"],
                  ],
                  within("signing", signing),
                )}${field("timestampHeader", "Time in header", {
                  ...within("signing", signing),
                  hint: "none",
                  at: "webhook.signing.timestampHeader",
                })}
              </div>`
            : nothing}`
        : nothing}`,
  )}
  ${pane(
    "TLS and proxy",
    "",
    html`<label class="lab"
        >Certificates that are trusted instead of the usual ones, PEM<textarea
          class="field tall mono"
          rows=${tls.caBundle ? 4 : 1}
          aria-label="Trusted certificates"
          placeholder="those of the operating system"
          spellcheck="false"
          .value=${tls.caBundle ?? ""}
          ?disabled=${off}
          @change=${(e) => put({ tls: { ...tls, caBundle: e.target.value.trim() || undefined } })}
        ></textarea
        >${draft.said("webhook.tls.caBundle")}</label
      >
      <div class="two">
        <label class="lab"
          >Only with these SHA-256 thumbprints<input
            class="field mono"
            aria-label="Thumbprints"
            placeholder="any that is trusted"
            .value=${(tls.pinSha256 ?? []).join(", ")}
            ?disabled=${off}
            @change=${(e) => put({ tls: { ...tls, pinSha256: listOf(e.target.value) } })}
          />${draft.said("webhook.tls.pinSha256")}</label
        ><label class="check"
          ><input
            type="checkbox"
            .checked=${tls.verifyHost ?? true}
            ?disabled=${off}
            @change=${(e) => put({ tls: { ...tls, verifyHost: e.target.checked ? undefined : false } })}
          />The name in the certificate must fit</label
        >
        ${field("url", "Proxy", {
          ...within("proxy", proxy),
          hint: "none; http://proxy.example.org:3128",
          at: "webhook.proxy.url",
        })}${proxy.url
          ? secretField({
              label: "Proxy user and password",
              ref: proxy.secret,
              set: (ref) => put({ proxy: { ...proxy, secret: ref } }),
              off,
            })
          : nothing}
      </div>`,
  )}`;
}
