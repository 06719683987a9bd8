// A playlist: which dashboards a wall shows, for how long each, and when alerts take the screen.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get, post } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { SEVERITIES } from "../../core/severity.js";
import { back, go } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { partsOf } from "../../panels/wall-parts.js";
import { choicesOf } from "../dashboards/choices.js";
import { wallFindings } from "../dashboards/wall-lint.js";
import { wallAddress } from "./walls.js";

const USUAL = "30s";
/** So many seconds a part of a dashboard needs to be read. */
const LEAST = 10;

/** A duration such as 2m in seconds. */
const secondsOf = (text) => Number.parseInt(text, 10) * { s: 1, m: 60, h: 3600 }[text.at(-1)];
const empty = () => ({ name: "", description: null, items: [], interruptAt: "critical", dim: null });
const item = (dashboard) => ({ dashboard, stay: USUAL, variables: {}, repeat: null });

export function page(address) {
  const id = address === "new" ? null : address;
  const stored = new Load((signal) => exchange("GET", `/playlists/${id}`, { signal }));
  const dashboards = new Load((signal) =>
    get("/dashboards", { visibility: "shared", limit: 1000, sort: "name" }, signal),
  );
  /** Definitions of dashboards by id, and their variables with what each can be. */
  const known = new Map();
  let edit = id ? null : empty();
  let problem = null;
  let busy = false;

  function update() {
    dashboards.want();
    if (id) stored.want();
  }

  function begin() {
    if (edit || !stored.data) return;
    const { name, description, items, interruptAt, dim } = stored.data.data;
    edit = structuredClone({ name, description, items, interruptAt, dim });
    for (const one of edit.items) {
      one.variables ??= {};
      one.repeat ??= null;
    }
  }

  /** The dashboard of an item among those there are; null = it is none of them. */
  const shown = (one) =>
    dashboards.data?.items.find((d) => d.id === one.dashboard) ??
    dashboards.data?.items.find((d) => d.name === one.dashboard) ??
    null;

  function knownOf(dashboard) {
    if (!known.has(dashboard.id))
      known.set(
        dashboard.id,
        new Load(async (signal) => {
          const { definition } = await get(`/dashboards/${dashboard.id}`, {}, signal);
          const variables = await Promise.all(
            (definition.variables ?? [])
              .filter((v) => v.type !== "slice" && v.type !== "time")
              .map(async (v) => ({ ...v, all: await choicesOf(v, "", {}, signal) })),
          );
          return { definition, variables };
        }),
      );
    return known.get(dashboard.id).want();
  }

  /** What a wall makes of a dashboard, and what of it cannot be read there. */
  function wallWords(definition, stay) {
    const { length } = partsOf(definition.layout);
    const each = Math.floor(stay / length);
    const found = wallFindings(definition, () => null).map(
      ({ panel, text }) => `${panel === null ? "" : `${definition.panels[panel].title ?? panel}: `}${text}`,
    );
    return html`${length > 1
      ? html`<p class="s12 about-wall ${each < LEAST ? "warn" : "m"}">
          Too much for one screen: shown in ${length} parts of ${each}
          s${each < LEAST ? `; give it ${length * LEAST} seconds to be read` : ""}.
        </p>`
      : nothing}${found.length
      ? html`<p class="s12 about-wall warn" title=${found.join("\n")}>
          Cannot be read at three metres: ${found[0]}${found.length > 1 ? `, and ${found.length - 1} more` : ""}.
        </p>`
      : nothing}`;
  }

  function change(act) {
    act();
    problem = null;
    redraw();
  }

  const move = (at, by) =>
    change(() => {
      const [one] = edit.items.splice(at, 1);
      edit.items.splice(Math.max(0, Math.min(edit.items.length, at + by)), 0, one);
    });

  async function save(event) {
    event.preventDefault();
    busy = true;
    problem = null;
    redraw();
    const body = { ...edit, name: edit.name.trim(), description: edit.description?.trim() || null };
    try {
      if (id) await exchange("PUT", `/playlists/${id}`, { body, etag: stored.data.etag });
      else await post("/playlists", body);
      notice(`${body.name} is saved; walls show it within a minute`);
      go("/walls");
    } catch (failed) {
      problem = failed;
    }
    busy = false;
    redraw();
  }

  async function drop() {
    try {
      await exchange("DELETE", `/playlists/${id}`, { etag: stored.data.etag });
      notice(`${edit.name} is deleted`);
      go("/walls");
    } catch (failed) {
      notice(`Not deleted: ${failed.message}`, { seconds: 8 });
    }
  }

  const wrong = (field) =>
    problem?.field?.(field) ? html`<span class="crit s12">${problem.field(field)}</span>` : nothing;

  function variableField(at, v) {
    const one = edit.items[at];
    const value = one.variables[v.name] ?? "";
    const set = (text) =>
      change(() => {
        if (text) one.variables[v.name] = text;
        else delete one.variables[v.name];
      });
    return html`<label class="lab"
      >${v.title ?? v.name}${v.all.length
        ? html`<select class="field" ?disabled=${one.repeat === v.name} @change=${(e) => set(e.target.value)}>
            <option value="" ?selected=${!value}>as its default</option>
            ${value && !v.all.some((o) => o.value === value)
              ? html`<option value=${value} selected>${value}</option>`
              : nothing}${v.all.map(
              (o) => html`<option value=${o.value} ?selected=${o.value === value}>${o.label}</option>`,
            )}
          </select>`
        : html`<input
            class="field"
            .value=${value}
            placeholder="as its default"
            autocomplete="off"
            @change=${(e) => set(e.target.value.trim())}
          />`}${wrong(`items[${at}].variables.${v.name}`)}</label
    >`;
  }

  function itemView(one, at) {
    const dashboard = shown(one);
    const load = dashboard ? knownOf(dashboard) : null;
    const own = load?.data?.variables ?? [];
    const repeatable = own.filter((v) => v.type === "object" || v.choices?.length);
    return html`<li class="playlist-item" aria-label=${`Dashboard ${at + 1}`}>
      <div class="row">
        <b class="nw">${at + 1}</b>
        <label class="lab wide"
          >Dashboard<select
            class="field"
            @change=${(e) => change(() => Object.assign(one, item(e.target.value), { stay: one.stay }))}
          >
            ${dashboard ? nothing : html`<option value=${one.dashboard} selected>${one.dashboard} (not there)</option>`}
            ${(dashboards.data?.items ?? []).map(
              (d) => html`<option value=${d.id} ?selected=${d === dashboard}>${d.name}</option>`,
            )}</select
          >${wrong(`items[${at}].dashboard`)}</label
        >
        <label class="lab"
          >Seconds<input
            class="field"
            type="number"
            min="5"
            max="3600"
            required
            .value=${String(secondsOf(one.stay ?? USUAL))}
            @change=${(e) => change(() => (one.stay = `${Math.round(Number(e.target.value)) || 30}s`))}
        /></label>
        ${repeatable.length
          ? html`<label class="lab"
              >Once for each<select class="field" @change=${(e) => change(() => (one.repeat = e.target.value || null))}>
                <option value="" ?selected=${!one.repeat}>-</option>
                ${repeatable.map(
                  (v) => html`<option value=${v.name} ?selected=${one.repeat === v.name}>${v.title ?? v.name}</option>`,
                )}</select
              >${wrong(`items[${at}].repeat`)}</label
            >`
          : nothing}
        <span class="sp"></span>
        <button type="button" class="ctl low" ?disabled=${at === 0} @click=${() => move(at, -1)}>Up</button>
        <button type="button" class="ctl low" ?disabled=${at === edit.items.length - 1} @click=${() => move(at, 1)}>
          Down
        </button>
        <button
          type="button"
          class="ctl low"
          aria-label=${`Remove dashboard ${at + 1}`}
          @click=${() => change(() => edit.items.splice(at, 1))}
        >
          Remove
        </button>
      </div>
      ${load?.error ? html`<p class="crit s12" role="alert">${load.error.message}</p>` : nothing}
      ${load?.data ? wallWords(load.data.definition, secondsOf(one.stay ?? USUAL)) : nothing}
      ${own.length ? html`<div class="three">${own.map((v) => variableField(at, v))}</div>` : nothing}
    </li>`;
  }

  const dimFields = () =>
    html`<label class="check"
        ><input
          type="checkbox"
          .checked=${edit.dim !== null}
          @change=${(e) => change(() => (edit.dim = e.target.checked ? { from: "22:00", to: "06:00" } : null))}
        />
        Dim at night</label
      >${edit.dim
        ? ["from", "to"].map(
            (end) =>
              html`<label class="lab"
                >${end === "from" ? "From" : "To"}<input
                  class="field"
                  type="time"
                  required
                  .value=${edit.dim[end]}
                  @change=${(e) => change(() => (edit.dim[end] = e.target.value))}
              /></label>`,
          )
        : nothing}`;

  function form() {
    const off = busy || !may("operator") || !edit.items.length;
    return html`<form class="form" @submit=${save}>
      <div class="three">
        <label class="lab"
          >Name, also in the address<input
            class="field"
            required
            maxlength="200"
            .value=${edit.name}
            autocomplete="off"
            @input=${(e) => (edit.name = e.target.value)}
          />${wrong("name")}</label
        >
        <label class="lab"
          >What it is for<input
            class="field"
            maxlength="2000"
            .value=${edit.description ?? ""}
            autocomplete="off"
            @input=${(e) => (edit.description = e.target.value)}
        /></label>
        <label class="lab"
          >Alerts take the screen<select
            class="field"
            @change=${(e) => change(() => (edit.interruptAt = e.target.value || null))}
          >
            <option value="" ?selected=${!edit.interruptAt}>never</option>
            ${SEVERITIES.map((s) => html`<option value=${s} ?selected=${s === edit.interruptAt}>from ${s}</option>`)}
          </select></label
        >
      </div>
      <div class="row">${dimFields()}</div>
      <ol class="playlist-items">
        ${edit.items.map(itemView)}
      </ol>
      <div class="row">
        <button
          type="button"
          class="ctl"
          ?disabled=${!dashboards.data?.items.length || edit.items.length >= 50}
          @click=${() => change(() => edit.items.push(item(dashboards.data.items[0].id)))}
        >
          Add a dashboard
        </button>
        ${dashboards.data && !dashboards.data.items.length
          ? html`<span class="m">No dashboard is shared; a wall shows shared ones only.</span>`
          : nothing}
      </div>
      ${problem ? failure(problem, null) : nothing}
      <div class="row">
        <button class="ctl primary" ?disabled=${off} title=${may("operator") ? nothing : NEEDS}>Save</button>
        <button type="button" class="ctl" @click=${() => back("/walls")}>Cancel</button>
        <span class="sp"></span>
        ${id ? html`<a class="ctl" href=${wallAddress(stored.data.data)}>Show</a>` : nothing}
        ${id && may("operator") ? html`<button type="button" class="ctl" @click=${drop}>Delete</button>` : nothing}
      </div>
    </form>`;
  }

  return {
    get title() {
      return edit?.name || "New wall";
    },
    name: "walls",
    timed: false,
    update,
    escape: () => back("/walls"),
    view() {
      begin();
      return html`<div class="tb"><h1>${id ? (stored.data?.data.name ?? "\u00a0") : "New wall"}</h1></div>
        <section class="pane" aria-label="Playlist">
          ${edit && dashboards.data ? form() : loaded(edit ? dashboards : stored, () => nothing, { rows: 6 })}
        </section>`;
    },
  };
}
