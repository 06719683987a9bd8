// Public links to a dashboard: those in force, and another one.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post, remove } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { DAY, moment } from "../../core/time.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { copy, notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";

const ENDS = [
  ["1", "in a day"],
  ["7", "in a week"],
  ["30", "in 30 days"],
  ["90", "in 90 days"],
  ["365", "in a year"],
];

/** Could be any text, so a link has to name what its readers choose from. */
const needsChoices = (v) => ["tag", "group", "metric", "text"].includes(v.type) && !v.choices?.length;

/** What stands between commas or on lines, each once. */
const listed = (text) => [...new Set(text.split(/[,\n]/).map((one) => one.trim()))].filter(Boolean);

const title = (v) => v.title ?? v.name;

/** Opens the dialog; `values` are those of now, which a link fixes unless their variable is free. */
export function publicLinks({ id, name }, variables, values) {
  const list = new Load((signal) => get(`/dashboards/${id}/links`, {}, signal));
  list.want();
  const open = new Set();
  let made = null;
  let error = "";
  let busy = false;

  async function create(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const free = variables.filter((v) => form.has(`free.${v.name}`));
    const fixed = Object.entries(values).filter(([, value]) => value !== null && value !== undefined);
    // A reader begins with the first of the values that are named here.
    const chosen = new Set(free.filter(needsChoices).map((v) => v.name));
    busy = true;
    error = "";
    redraw();
    try {
      const answer = await post(`/dashboards/${id}/links`, {
        name: String(form.get("name")).trim(),
        expiresAt: new Date(Date.now() + Number(form.get("days")) * DAY).toISOString(),
        variables: Object.fromEntries(
          fixed
            .filter(([v]) => !chosen.has(v))
            .map(([v, value]) => [v, Array.isArray(value) ? value.join(",") : String(value)]),
        ),
        free: free.map((v) =>
          needsChoices(v)
            ? { name: v.name, choices: listed(String(form.get(`choices.${v.name}`) ?? "")) }
            : { name: v.name },
        ),
      });
      made = location.origin + answer.path;
      list.again();
    } catch (failed) {
      error = [failed.message, failed.hint].filter(Boolean).join(" ");
    }
    busy = false;
    redraw();
  }

  async function revoke(link) {
    try {
      await remove(`/dashboards/${id}/links/${link.id}`);
      notice(`The link ${link.name} is revoked`);
    } catch (failed) {
      notice(`Not revoked: ${failed.message}`, { seconds: 8 });
    }
    list.again();
  }

  const row = (link) =>
    html`<li class="row">
      <span class="cut"><b>${link.name}</b> <code class="m s12">${link.start}…</code></span
      ><span class="sp"></span
      ><span class="m s12 nw"
        >${link.lastUsedAt ? `used ${moment(Date.parse(link.lastUsedAt))}` : "never used"}, until
        ${moment(Date.parse(link.expiresAt))}</span
      ><button class="link" aria-label=${`Revoke ${link.name}`} @click=${() => revoke(link)}>Revoke</button>
    </li>`;

  const secret = () =>
    html`<div class="secret" role="status">
      <span>Whoever has this address reads the dashboard. It is shown this once.</span>
      <code class="mono">${made}</code>
      <div class="row">
        <button class="ctl" @click=${() => copy(made, "Address copied")}>Copy</button>
        <button class="ctl" @click=${() => ((made = null), redraw())}>I have it</button>
      </div>
    </div>`;

  const form = () =>
    html`<form class="form-lines" @submit=${create}>
      <label class="lab"
        >What it is for<input class="field" name="name" required maxlength="100" autofocus autocomplete="off"
      /></label>
      <label class="lab"
        >Ends<select class="field" name="days">
          ${ENDS.map(([value, words]) => html`<option value=${value} ?selected=${value === "30"}>${words}</option>`)}
        </select></label
      >
      ${variables.length
        ? html`<fieldset class="lab link-free">
            <legend>Readers may choose; the others stay as they are now</legend>
            ${variables.map(
              (v) =>
                html`<label class="check"
                    ><input
                      type="checkbox"
                      name=${`free.${v.name}`}
                      .checked=${open.has(v.name)}
                      @change=${(e) => (open[e.target.checked ? "add" : "delete"](v.name), redraw())}
                    />
                    ${title(v)}</label
                  >${needsChoices(v) && open.has(v.name)
                    ? html`<input
                        class="field"
                        name=${`choices.${v.name}`}
                        aria-label=${`Values of ${title(v)}, with commas`}
                        placeholder="values they choose from, with commas"
                        .value=${values[v.name] ?? ""}
                        required
                        autocomplete="off"
                      />`
                    : nothing}`,
            )}
          </fieldset>`
        : nothing}
      <p class="crit s12" role="alert">${error}</p>
      <div class="row">
        <span class="sp"></span>
        <button type="button" class="ctl" @click=${closeLayer}>Close</button>
        <button class="ctl primary" ?disabled=${busy}>Make a link</button>
      </div>
    </form>`;

  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">Public links to ${name}</h2>
        <p class="i2">
          A link shows this dashboard to whoever has it, without signing in, and nothing else. It ends by itself, or
          when somebody revokes it here or among the tokens.
        </p>
        ${made ? secret() : nothing}
        ${loaded(
          list,
          ({ items }) =>
            items.length
              ? html`<ul class="link-list">
                  ${repeat(items, (link) => link.id, row)}
                </ul>`
              : html`<p class="m">There is none.</p>`,
          { rows: 1 },
        )}
        ${form()}`,
    { label: `Public links to ${name}` },
  );
}
