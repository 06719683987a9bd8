// The pane that adds a vCenter or changes one: address, account, certificate, rights and what is read, all in one.
// Nothing that is typed here is kept in the browser: it may be a secret.
import { html, live, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { helpAddress } from "../../core/help.js";
import { clock } from "../../core/time.js";
import { Draft } from "../../parts/draft.js";
import { copy } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { problemWords } from "./errors.js";
import { fingerprint } from "./fingerprint.js";
import { Probe } from "./probe.js";
import {
  certificateWords,
  loadWords,
  nameOf,
  needs,
  partWord,
  PARTS,
  readAddress,
  roleCommands,
  sameFingerprint,
  seenWords,
} from "./words.js";

const FIELDS = {
  name: "Name",
  address: "Address",
  username: "Account",
  password: "Password",
  trust: "Certificate",
  reads: "What is read",
};
const BLANK = {
  name: "",
  kind: "vcenter",
  address: "",
  username: "",
  password: null,
  trust: null,
  reads: ["configuration", "events", "performance"],
  options: {},
};
/** Codes of problems that are about the certificate. */
const OF_CERTIFICATE = /^certificate-/;

function toBody({ name, kind, address, username, password, trust, reads, options }) {
  const read = readAddress(address ?? "");
  return {
    name: name.trim() || nameOf(read.host),
    kind,
    address: read.address ?? address,
    username: username.trim(),
    ...(password?.value ? { password: { value: password.value } } : {}),
    ...(trust?.sha256 || trust?.authorities ? { trust } : {}),
    reads,
    ...(Object.keys(options ?? {}).length ? { options } : {}),
  };
}

function shown(name, v) {
  if (name === "password") return v?.value ? "another one" : "as it was";
  if (name === "trust") return v?.sha256 ?? (v?.authorities ? "signed by authorities of our own" : "known authorities");
  return (Array.isArray(v) ? v.map(partWord).join(", ") : `${v ?? ""}`) || "none";
}

/**
 * A source as it is being made (`address` is "new") or changed; `list` leads away from it when it is gone, `back` when
 * nothing was changed, `made` on from a new one.
 */
export class SourceEditor {
  probe = new Probe();
  /** Whether the field for authorities of one's own is open. */
  #ca = false;
  /** What is wrong with the address, once it was left. */
  #wrongAddress = null;
  /** Where a button has led, until it is drawn: to the password, the certificate, a test. */
  #goal = null;

  constructor({ address, list, back, made }) {
    this.back = back;
    this.draft = new Draft({
      api: "/sources",
      list,
      address,
      blank: BLANK,
      labels: FIELDS,
      show: shown,
      toBody,
      role: "admin",
      saved: () => "Saved; it is read anew",
      remember: false,
      made,
      changed: (name) => this.#changed(name),
    });
  }

  get #address() {
    return readAddress(this.draft.value("address") ?? "");
  }

  get #typedPassword() {
    return this.draft.value("password")?.value ?? "";
  }

  get #trust() {
    const trust = this.draft.value("trust");
    return trust?.sha256 || trust?.authorities ? trust : null;
  }

  /** Whether it is the host and port of what is stored, whose password may be used. */
  get #sameHost() {
    return !this.draft.isNew && this.#address.address === readAddress(this.draft.before.address).address;
  }

  get #account() {
    return Boolean(this.draft.value("username")?.trim()) && (Boolean(this.#typedPassword) || this.#sameHost);
  }

  /** What was found of the address that stands there now. */
  get #found() {
    return this.probe.address === this.#address.address ? this.probe.result : null;
  }

  /** Whether somebody or an authority vouches for the certificate that was shown. */
  get #trusted() {
    const found = this.#found;
    if (!found?.certificate) return false;
    const trust = this.#trust;
    if (trust?.sha256) return sameFingerprint(trust.sha256, found.certificate.sha256);
    if (trust?.authorities)
      return this.probe.authorities === trust.authorities && !OF_CERTIFICATE.test(found.problem?.code ?? "");
    return found.certificate.trustedByAuthorities;
  }

  /** What is still needed, null = nothing. */
  get #needs() {
    const of = {
      address: this.#address.address,
      account: this.#account,
      trusted: this.#trusted,
      testing: this.probe.busy,
      probe: this.#found,
    };
    if (this.draft.isNew) return needs(of);
    if (!this.draft.edited) return "Nothing is changed";
    if (!of.address || !of.account) return needs(of);
    // What was tested or confirmed before need not be tested again.
    const touched = this.draft.fields.some((name) => ["address", "username", "password", "trust"].includes(name));
    return touched ? needs(of) : null;
  }

  #changed(name) {
    if (name === "address") {
      // Trust is in one certificate of one server.
      if (this.draft.value("trust")?.sha256 && !this.#sameHost) this.draft.set("trust", null);
      this.#wrongAddress = null;
    }
    // What was found with another account says nothing of this one.
    const { result } = this.probe;
    if ((name === "username" || name === "password") && result)
      this.probe.result = { ...result, signedIn: false, problem: null };
    if (name === undefined) this.probe.forget();
  }

  /** Looks at the vCenter, with the account as soon as its certificate is trusted. */
  look() {
    const { address, wrong } = this.#address;
    this.#wrongAddress = wrong;
    if (!address || !this.draft.allowed) return redraw();
    const trust = this.#trust;
    const known = trust !== null || (this.probe.address === address && this.#trusted);
    const username = this.draft.value("username")?.trim();
    const signs = known && username && this.#account;
    const password = this.#typedPassword;
    this.probe.look({
      kind: "vcenter",
      address,
      ...(this.#sameHost ? { id: this.draft.id } : {}),
      ...(signs ? { username, ...(password ? { password } : {}) } : {}),
      ...(trust ? { trust } : {}),
    });
    return undefined;
  }

  /** Looks when a field is left with something else in it than what was looked at. */
  #left(name) {
    const { address, wrong } = this.#address;
    if (name === "address") {
      this.#wrongAddress = wrong;
      if (address && (this.probe.address !== address || this.probe.error)) return this.look();
    } else if (name !== "name" && address && this.#account && this.#trusted) return this.look();
    return redraw();
  }

  #compared(yes) {
    this.draft.set("trust", yes ? { sha256: this.#found.certificate.sha256 } : null);
    if (yes && this.#account) this.look();
  }

  save() {
    if (this.#needs === null) this.draft.save();
  }

  /**
   * @param {string} name
   * @param {string} label
   * @param {{value: string, set: (text: string) => void, note?: unknown, type?: string, hint?: string, mono?: boolean,
   *   wrong?: string | null}} options
   */
  #field(name, label, { note = nothing, type = "text", hint = "", mono = false, value, set, wrong = null }) {
    const said = wrong ?? this.draft.wrong(name);
    const id = `source-${name}`;
    return html`<label class="lab" for=${id}
      ><span>${label} <span class="m">${note}</span></span
      ><input
        class="field ${mono ? "mono" : ""}"
        id=${id}
        type=${type}
        autocomplete=${type === "password" ? "new-password" : "off"}
        autocapitalize="off"
        spellcheck="false"
        placeholder=${hint}
        maxlength=${type === "password" ? 20_000 : 200}
        .value=${live(value)}
        ?disabled=${!this.draft.allowed}
        aria-invalid=${said ? "true" : "false"}
        aria-describedby=${said ? `${id}-wrong` : nothing}
        @input=${(e) => set(e.target.value)}
        @change=${() => this.#left(name)}
      />${said ? html`<span class="crit s12" role="alert" id=${`${id}-wrong`}>${said}</span>` : nothing}</label
    >`;
  }

  #fields() {
    const draft = this.draft;
    const problem = this.#found?.problem;
    const refused = problem?.code === "sign-in-refused" ? problem.what : null;
    const odd = problem?.code === "address" ? problem.what : null;
    const setPassword = (value) => draft.set("password", value ? { value } : (draft.before.password ?? null));
    return html`<div class="form">
      <div class="two address-name">
        ${this.#field("address", "Address", {
          hint: "vcenter.example.com",
          mono: true,
          value: draft.value("address") ?? "",
          set: (v) => draft.set("address", v),
          wrong: this.#wrongAddress ?? odd,
        })}${this.#field("name", "Name", {
          note: "in lists",
          hint: nameOf(this.#address.host) || "as in its address",
          value: draft.value("name") ?? "",
          set: (v) => draft.set("name", v),
        })}
      </div>
      <div class="two">
        ${this.#field("username", "Account", {
          hint: "peerlens@vsphere.local",
          value: draft.value("username") ?? "",
          set: (v) => draft.set("username", v),
        })}${this.#field("password", "Password", {
          note: "kept as a secret",
          type: "password",
          hint: draft.isNew ? "" : this.#sameHost ? "as it was" : "again, for another host",
          value: this.#typedPassword,
          set: setPassword,
          wrong: refused,
        })}
      </div>
    </div>`;
  }

  #compareBox(words) {
    const { sha256 } = this.#found.certificate;
    return html`<label class="check"
      ><input
        type="checkbox"
        name="compared"
        .checked=${live(sameFingerprint(this.#trust?.sha256, sha256))}
        ?disabled=${!this.draft.allowed}
        @change=${(e) => this.#compared(e.target.checked)}
      />${words}</label
    >`;
  }

  #authorities() {
    const draft = this.draft;
    return html`<label class="lab"
      ><span>Authorities whose signature is accepted, PEM</span
      ><textarea
        class="field tall mono"
        rows="4"
        spellcheck="false"
        placeholder="-----BEGIN CERTIFICATE-----"
        .value=${this.#trust?.authorities ?? ""}
        ?disabled=${!draft.allowed}
        @change=${(e) => {
          const authorities = e.target.value.trim();
          draft.set("trust", authorities ? { authorities } : null);
          this.look();
        }}
      ></textarea>
      ${draft.said("trust")}</label
    >`;
  }

  /** Who it is: all of its fingerprint, and a box that nobody but the reader ticks. */
  #certificate() {
    const found = this.#found;
    const stored = this.draft.isNew ? null : this.draft.before.trust?.sha256;
    const c = found?.certificate;
    if (!c) {
      if (this.probe.busy && this.probe.address === this.#address.address)
        return html`<p class="m s12" role="status">Looking at its certificate…</p>`;
      if (this.probe.error) return failure(this.probe.error, () => this.look());
      if (found?.problem && found.problem.code !== "address")
        return html`${problemWords(found.problem)}<button class="ctl" @click=${() => this.look()}>Look again</button>`;
      if (stored && this.#sameHost)
        return html`<p class="s12 i2">Only the certificate with this fingerprint is trusted.</p>
          ${fingerprint(stored)}
          <button class="link s12" @click=${() => this.look()}>See what it shows now</button>`;
      return html`<p class="m s12">
        Its certificate stands here as soon as there is an address. Nothing is sent to it before you have confirmed who
        it is.
      </p>`;
    }
    const ca = this.#ca || this.#trust?.authorities;
    const known = c.trustedByAuthorities;
    const other = stored && this.#sameHost && !sameFingerprint(stored, c.sha256);
    const head = other
      ? [shape("immediate", 13, ""), "It shows another certificate", "than the one that is trusted"]
      : this.#trusted
        ? [icon("check", 13), "Certificate", known && !this.#trust ? "a known authority vouches for it" : "trusted"]
        : [shape("warning", 13, ""), "Is this your vCenter?", "first contact, fingerprint not known"];
    return html`<div class="row source-head">${head[0]}<b>${head[1]}</b><span class="m s12">${head[2]}</span></div>
      ${fingerprint(c.sha256)}
      <p class="s12 i2">
        ${certificateWords(c, Date.now())} Compare it with the one in vCenter under Administration, Certificates.
      </p>
      <div class="row wrap">
        ${ca
          ? nothing
          : this.#compareBox(
              known
                ? "I have compared it, trust this one only, not every one that is vouched for"
                : "I have compared it, trust this one only",
            )}
        <span class="sp"></span>
        ${this.draft.allowed
          ? html`<button
              class="link s12"
              @click=${() => {
                this.#ca = !ca;
                if (this.#trust) this.draft.set("trust", null);
                redraw();
              }}
            >
              ${ca ? "Use the fingerprint" : "Use a CA"}
            </button>`
          : nothing}
      </div>
      ${ca ? this.#authorities() : nothing}${found.problem &&
      !["address", "sign-in-refused"].includes(found.problem.code)
        ? this.#afterCertificate(found.problem)
        : nothing}`;
  }

  /** What keeps it from being read beyond what the box says by itself. */
  #afterCertificate(problem) {
    if (problem.code === "certificate-not-known" && !this.#trust?.authorities) return nothing;
    if (OF_CERTIFICATE.test(problem.code) && this.#trusted) return nothing;
    return problemWords(problem);
  }

  #rights() {
    const { rights, product, counts } = this.#found;
    const missing = rights.filter((r) => !r.found);
    return html`<section class="sec" aria-label="Rights">
      <h3>
        Rights
        <span class="m">${[product, seenWords(counts) && `sees ${seenWords(counts)}`].filter(Boolean).join(", ")}</span>
      </h3>
      <ul class="rights">
        ${rights.map(
          (r) =>
            html`<li>
              ${r.found ? icon("check", 13) : shape("warning", 13, "")}<span
                >${r.name}${r.found ? nothing : html`<span class="m s12 block">${r.missing}</span>`}</span
              ><span class="s12 ${r.found ? "m" : "warn"}">${r.found ? "found" : "missing"}</span>
            </li>`,
        )}
      </ul>
      ${missing.length
        ? html`<p class="s12 i2">
            All else works without ${missing.length === 1 ? "it" : "them"}.
            <button
              class="link"
              @click=${() => copy(roleCommands(this.draft.value("username") ?? ""), "Commands copied")}
            >
              Copy a role as govc commands</button
            >, or see <a class="acc" href=${helpAddress("sources", "an-account")}>which rights are needed</a>.
          </p>`
        : nothing}
    </section>`;
  }

  #reads() {
    const draft = this.draft;
    const reads = draft.value("reads") ?? PARTS.map(([part]) => part);
    const counts = this.#found?.signedIn ? this.#found.counts : null;
    const turn = (part, on) =>
      draft.set(
        "reads",
        PARTS.map(([p]) => p).filter((p) => (p === part ? on : reads.includes(p))),
      );
    return html`<section class="sec" aria-label="What to read">
      <h3>What to read</h3>
      <div class="reads">
        ${PARTS.map(
          ([part, word]) =>
            html`<label class="check"
              ><input
                type="checkbox"
                name=${part}
                .checked=${live(reads.includes(part))}
                ?disabled=${!draft.allowed || (reads.length === 1 && reads[0] === part)}
                title=${reads.length === 1 && reads[0] === part ? "Something has to be read" : nothing}
                @change=${(e) => turn(part, e.target.checked)}
              />${word}</label
            >`,
        )}
      </div>
      ${counts ? html`<p class="s12 m load">${loadWords(counts, reads)}</p>` : nothing}${draft.said("reads")}
    </section>`;
  }

  /** What is still needed, or what the test found. */
  #standing(lacks) {
    const found = this.#found;
    if (this.probe.busy) return html`<span class="m s12" role="status">Testing…</span>`;
    const says =
      lacks && this.draft.edited
        ? lacks
        : found
          ? `Tested ${clock(this.probe.at)}, ${found.signedIn ? "signed in" : "not signed in"}`
          : "";
    return html`<span class="m s12" role="status">${says}</span>${found
        ? html`<button class="link s12" @click=${() => this.look()}>Test again</button>`
        : nothing}`;
  }

  /** Buttons of the pane; on a phone they stand below the page. */
  buttons() {
    const lacks = this.#needs;
    const off = lacks !== null || this.draft.busy;
    return html`<button class="ctl" @click=${() => this.cancel()}>Cancel</button
      ><button class="ctl primary" ?disabled=${off} title=${lacks ?? nothing} @click=${() => this.save()}>
        ${this.draft.isNew ? "Start reading" : "Save"}
      </button>`;
  }

  cancel() {
    if (this.draft.edited) this.draft.discard();
    this.probe.forget();
    this.#ca = false;
    this.back();
  }

  /** Goes where a button of an error leads, as soon as it is there. */
  at(goal) {
    this.#goal = goal ?? "address";
    redraw();
  }

  #arrive() {
    const goal = this.#goal;
    this.#goal = null;
    if (goal === "certificate" || goal === "test") this.look();
    requestAnimationFrame(() =>
      document.getElementById(goal === "password" ? "source-password" : "source-address")?.focus(),
    );
  }

  view({ buttons = true } = {}) {
    const draft = this.draft;
    if (this.#goal) this.#arrive();
    const lacks = this.#needs;
    const title = draft.isNew ? "Add a vCenter" : `Change ${draft.before.name}`;
    const wide = draft.error && !draft.error.errors?.length;
    return html`<section class="pane source-side" aria-label=${title}>
      <div class="ph">
        <h2>${title}</h2>
        <span class="sp"></span>
        <span class="m cut">${draft.isNew ? "nothing is read before you confirm" : draft.meanwhile()}</span>
      </div>
      <div class="detail-scroll">
        ${wide ? failure(draft.error, () => this.save()) : nothing} ${this.#fields()}
        <section class="sec certificate" aria-label="Certificate">${this.#certificate()}</section>
        ${this.#found?.signedIn ? this.#rights() : nothing}${this.#reads()}
      </div>
      <div class="side-foot">${this.#standing(lacks)}<span class="sp"></span>${buttons ? this.buttons() : nothing}</div>
    </section>`;
  }
}
