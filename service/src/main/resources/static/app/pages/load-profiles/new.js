// Asks of which machines, over which period and in which hours a load profile is to be computed.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { redraw } from "../../core/bus.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { DAY, HOUR, moment } from "../../core/time.js";
import { back, go, href, param } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";
import { failure } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";
import { whenField } from "../../parts/when.js";
import { businessHours, hoursFields } from "../shared/hours.js";
import { GROUPINGS } from "./words.js";

const PERIODS = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "365 days"],
  ["own", "From, to"],
];
const NAMED = ["tag", "from", "to", "ancestor"];

export function page() {
  const named = new Load((id, signal) => get(`/objects/${id}`, {}, signal));
  const full = Math.floor(Date.now() / HOUR) * HOUR;
  const asked = {
    ancestor: param("below") || param("scope") || null,
    days: "365",
    from: full - 30 * DAY,
    to: full,
    by: "cluster",
    tag: "",
    hours: null,
  };
  let error = null;
  let busy = false;
  const set = (part) => {
    Object.assign(asked, part);
    error = null;
    redraw();
  };
  const said = (name) =>
    error?.field?.(name) ? html`<span class="crit s12" role="alert">${error.field(name)}</span>` : nothing;

  function body() {
    const { ancestor, days, from, to, by, tag, hours } = asked;
    const begins = days === "own" ? from : full - Number(days) * DAY;
    return {
      ...(ancestor ? { ancestor } : {}),
      from: new Date(begins).toISOString(),
      to: new Date(days === "own" ? to : full).toISOString(),
      by,
      ...(by === "tag" ? { tag: tag.trim() } : {}),
      ...(hours ? { onlyDuring: hours } : {}),
    };
  }

  async function compute(event) {
    event?.preventDefault();
    if (busy || !may("operator")) return;
    const form = /** @type {HTMLFormElement} */ (document.getElementById("profile-form"));
    if (!form.reportValidity()) return;
    busy = true;
    redraw();
    try {
      const { id } = await post("/load-profiles", body());
      go(`/load-profiles/${id}`);
    } catch (failed) {
      error = failed;
    }
    busy = false;
    redraw();
  }

  const choose = () => showPalette({ label: "Only machines below", choose: (o) => set({ ancestor: o.id }) });
  const isPlaced = () => (error?.errors ?? []).some((e) => NAMED.includes(e.field) || e.field.startsWith("onlyDuring"));

  const button = (key) =>
    html`<button
      class="ctl primary"
      type="button"
      ?disabled=${busy || !may("operator")}
      title=${may("operator") ? nothing : NEEDS}
      @click=${compute}
    >
      ${busy ? "Starting" : html`Compute ${key}`}
    </button>`;

  function fields() {
    return html`<form id="profile-form" class="form" @submit=${compute}>
      <div class="lab">
        Machines
        <div class="row wrap">
          ${asked.ancestor
            ? html`<span class="chip">below ${named.data?.id === asked.ancestor ? named.data.name : "\u2026"}</span>
                <button type="button" class="link" @click=${() => set({ ancestor: null })}>All instead</button>`
            : html`<span class="chip">all</span>`}
          <button type="button" class="ctl low" @click=${choose}>Only below…</button>
        </div>
        ${said("ancestor")}
      </div>
      <div class="lab">
        Period
        <div>${segments(asked.days, PERIODS, (days) => set({ days }), "Period")}</div>
      </div>
      ${asked.days === "own"
        ? html`<div class="two">
            <label class="lab"
              >From${whenField({
                value: asked.from,
                past: true,
                required: true,
                change: (from) => set({ from }),
              })}${said("from")}</label
            >
            <label class="lab"
              >To${whenField({ value: asked.to, past: true, required: true, change: (to) => set({ to }) })}${said(
                "to",
              )}</label
            >
          </div>`
        : html`<p class="m s12">Until ${moment(full)}, in full hours.</p>`}
      <div class="lab">
        In groups of
        <div>
          ${segments(
            asked.by,
            GROUPINGS.map(([key, , words]) => [key, words]),
            (by) => set({ by }),
            "In groups of",
          )}
        </div>
      </div>
      ${asked.by === "tag"
        ? html`<label class="lab"
            >Key of the tag<input
              class="field"
              name="tag"
              required
              maxlength="200"
              autocomplete="off"
              placeholder="app"
              .value=${asked.tag}
              @input=${(e) => set({ tag: e.target.value })}
            />${said("tag")}</label
          >`
        : html`<p class="m s12">
            There is always a group of all machines. A group's load is that of its machines in the same hour.
          </p>`}
      <label class="check"
        ><input
          type="checkbox"
          .checked=${asked.hours !== null}
          @change=${(e) => set({ hours: e.target.checked ? businessHours() : null })}
        />Only some hours of the week</label
      >
      ${asked.hours
        ? hoursFields({
            value: asked.hours,
            change: (next) => set({ hours: next(asked.hours) }),
            wrong: (field) => error?.field?.(`onlyDuring.${field}`) ?? null,
          })
        : nothing}
    </form>`;
  }

  return {
    title: "New load profile",
    name: "rule-page profile-new",
    timed: false,
    update() {},
    escape: () => leaveField() || back("/load-profiles"),
    keys: () => ({ "Ctrl S": [compute, "Compute it"] }),
    acts: () => button(nothing),
    view() {
      if (asked.ancestor) named.want(asked.ancestor);
      return html`<div class="tb">
          <a class="m nw" href=${href("/load-profiles")}>Load profile /</a>
          <h1 class="cut">New load profile</h1>
          <span class="sp"></span>
          <span class="wide-acts">${button(html`<kbd>Ctrl</kbd> <kbd>S</kbd>`)}</span>
        </div>
        ${error && !isPlaced() ? html`<section class="pane">${failure(error, null)}</section>` : nothing}
        <div class="cols alone">
          <div class="col"><section class="pane" aria-label="What is profiled">${fields()}</section></div>
        </div>`;
    },
  };
}
