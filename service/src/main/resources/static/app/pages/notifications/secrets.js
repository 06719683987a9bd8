// Secrets: their names and who uses them; a value goes in and never comes out.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get, post, remove as removeAt } from "../../core/api.js";
import { plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { go } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice, soon } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";
import { forgetSecrets } from "./target-fields.js";

const NEEDS_ADMIN = "Needs the role admin";
const byName = (a, b) => Number(a.openable) - Number(b.openable) || a.name.localeCompare(b.name);

/** Takes a value for a name. */
function showSecret(secret, done) {
  if (!may("admin")) return notice(NEEDS_ADMIN);
  const state = { name: secret?.name ?? "", value: "", error: null, busy: false };
  const valid = () => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(state.name) && state.value.length >= 4;
  const save = async (event) => {
    event.preventDefault();
    state.busy = true;
    redraw();
    try {
      await exchange("PUT", `/secrets/${encodeURIComponent(state.name)}`, { body: { value: state.value } });
      state.value = "";
      closeLayer();
      notice(`${state.name} is stored`);
      forgetSecrets();
      done();
    } catch (error) {
      state.error = error;
    }
    state.busy = false;
    redraw();
  };
  showLayer(
    "dialog",
    () =>
      html`<form class="form-lines" autocomplete="off" @submit=${save}>
        <h2 class="title">${secret ? `Another value for ${secret.name}` : "New secret"}</h2>
        ${secret
          ? nothing
          : html`<label class="lab"
              >Name: small letters, digits, and . _ - within<input
                class="field mono"
                autofocus
                maxlength="64"
                autocomplete="off"
                spellcheck="false"
                placeholder="pd-storage"
                .value=${state.name}
                @input=${(e) => {
                  state.name = e.target.value.trim();
                  redraw();
                }}
            /></label>`}
        <label class="lab"
          >Value, at least 4 characters<textarea
            class="field tall mono hidden-text"
            rows="2"
            maxlength="20000"
            autocomplete="off"
            spellcheck="false"
            .value=${state.value}
            @input=${(e) => {
              state.value = e.target.value;
              redraw();
            }}
          ></textarea>
        </label>
        <p class="m s12">
          It is encrypted, and nobody can read it here again. Templates write
          <code>\${secret:${state.name || "NAME"}}</code>, targets choose it by its name.
        </p>
        ${state.error ? failure(state.error) : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${state.busy || !valid()}>Store</button>
          <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
        </div>
      </form>`,
    { label: "Secret" },
  );
}

export function secretsTab(filter) {
  let version = 0;
  let busy = false;
  const load = new Load((_tick, _version, signal) => get("/secrets", {}, signal));
  const left = memo((items, text) =>
    items
      .map((s) => ({ ...s, id: s.name }))
      .filter((s) =>
        words(text).every((w) => `${s.name} ${s.usedBy.join(" ")}`.toLowerCase().includes(w.toLowerCase())),
      ),
  );
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: byName,
    address: () => null,
    go,
  });
  const again = () => {
    version++;
    load.want(lastTick(), version);
    redraw();
  };
  async function rotate() {
    busy = true;
    redraw();
    try {
      const { rotated, keyId, unopenable } = await post("/secrets/rotate-key");
      notice(
        `${plural(rotated, "secret")} encrypted anew with key ${keyId}${unopenable.length ? `; no key opens ${unopenable.join(", ")}: set them again` : ""}`,
        { seconds: 8 },
      );
    } catch (error) {
      notice(`Not encrypted anew: ${error.message}`, { seconds: 8 });
    }
    busy = false;
    again();
  }
  const remove = (s) =>
    soon(
      `${s.name} is deleted in 10 s`,
      async () => {
        try {
          await removeAt(`/secrets/${encodeURIComponent(s.name)}`);
          forgetSecrets();
        } catch (failed) {
          notice(`Not deleted: ${failed.message}`, { seconds: 8 });
        }
        again();
      },
      again,
    );

  const admin = () => may("admin");
  const row = (s) =>
    html`<tr class=${rows.isOn(s) ? "sel" : ""} aria-selected=${rows.isOn(s)} @click=${(e) => rows.click(e, s)}>
      <td>${s.openable ? shape("alike", 12) : shape("warning", 12, "no key opens it")}</td>
      <td class="strong mono l-name">${s.name}</td>
      <td class="l-what" title=${s.usedBy.join(", ")}>
        ${s.usedBy.length ? s.usedBy.join(", ") : html`<span class="m">nobody</span>`}
      </td>
      <td class=${s.openable ? "m mono" : "warn"}>
        ${s.openable ? s.keyId : `key ${s.keyId} is missing: set it again`}
      </td>
      <td class="m">${s.updatedBy}</td>
      <td class="r m">${moment(Date.parse(s.updatedAt))}</td>
      <td class="r">
        <button
          class="link"
          ?disabled=${!admin()}
          title=${admin() ? nothing : NEEDS_ADMIN}
          aria-label=${`Replace ${s.name}`}
          @click=${() => showSecret(s, again)}
        >
          Replace…
        </button>
        <button
          class="link"
          ?disabled=${!admin() || s.usedBy.length > 0}
          title=${admin() ? (s.usedBy.length ? `Used by ${s.usedBy.join(", ")}` : nothing) : NEEDS_ADMIN}
          aria-label=${`Delete ${s.name}`}
          @click=${() => remove(s)}
        >
          Delete
        </button>
      </td>
    </tr>`;

  return {
    name: "Secrets",
    load,
    filter: "name, who uses it",
    add: [() => showSecret(null, again), "New secret", "admin"],
    buttons: () =>
      html`<button
        class="ctl"
        ?disabled=${!admin() || busy || !load.data?.items.length}
        title=${admin() ? "Encrypts all with the newest key of the key file" : NEEDS_ADMIN}
        @click=${rotate}
      >
        Encrypt anew
      </button>`,
    update: () => load.want(lastTick(), version),
    keys: () => rows.keys({ selecting: false }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.items.length, "secret") : "Secrets"),
    note: () => "names only: a value goes in and never comes out",
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words">
        <p class="say">
          <b>There is no secret yet.</b> Passwords, keys and tokens of targets and templates are kept here, encrypted;
          everything else names them. What is typed into a target is stored here by itself.
        </p>
        <p class="say row">
          <button
            class="ctl primary"
            ?disabled=${!admin()}
            title=${admin() ? nothing : NEEDS_ADMIN}
            @click=${() => showSecret(null, again)}
          >
            Store one…
          </button>
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      return rows.box(
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col class="w-name" />
            <col />
            <col class="w-why" />
            <col class="w-dur" />
            <col class="w-time" />
            <col class="w-who" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Name</th>
              <th>Used by</th>
              <th>Key</th>
              <th>By</th>
              <th class="r">Set</th>
              <td></td>
            </tr>
          </thead>
          ${rows.body(list, row)}
        </table>`,
      );
    },
  };
}
