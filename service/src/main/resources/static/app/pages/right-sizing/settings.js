// What evaluations go by: business hours, how much history, who owns a machine, and what is left out.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { hoursFields } from "../shared/hours.js";

const PATH = "/right-sizing/settings";

export const settings = new Load((_tick, signal) => exchange("GET", PATH, { signal }));

/** Days as fields have them: `[name, words, least, most]`. */
const DAYS = [
  ["history", "History, days", 14, 366],
  ["poweredOffAfter", "Powered off since, days", 1, 999],
  ["snapshotAfter", "Old snapshot from, days", 1, 999],
];

/** Shows them as they are now; `done()` is called once they are stored. */
export async function showSettings(done) {
  await settings.again();
  const stored = settings.data;
  if (!stored) return;
  const value = structuredClone(stored.data);
  const off = !may("operator");
  let error = null;
  let busy = false;
  const wrong = (field) => error?.field?.(field) ?? null;
  const said = (field) => (wrong(field) ? html`<span class="crit s12" role="alert">${wrong(field)}</span>` : nothing);
  const set = (part) => (Object.assign(value, part), redraw());
  const submit = async (event) => {
    event.preventDefault();
    if (busy || off) return;
    busy = true;
    error = null;
    redraw();
    try {
      await exchange("PUT", PATH, { body: value, etag: stored.etag });
      closeLayer();
      notice("Saved; they hold from the next evaluation on");
      settings.again();
      done();
    } catch (failed) {
      error = failed;
      if (failed.status === 412) settings.again();
    }
    busy = false;
    redraw();
  };
  const days = ([name, words, least, most]) =>
    html`<label class="lab"
      >${words}<input
        class="field"
        type="number"
        name=${name}
        min=${least}
        max=${most}
        required
        ?disabled=${off}
        .value=${String(Number.parseInt(value[name], 10))}
        @change=${(e) => e.target.value && (value[name] = `${Math.round(Number(e.target.value))}d`)}
      />${said(name)}</label
    >`;
  showLayer(
    "dialog wide-dialog",
    () =>
      html`<h2 class="title">What evaluations go by</h2>
        <form class="form-lines" @submit=${submit}>
          <div class="lab">Business hours</div>
          ${hoursFields({
            value: value.hours,
            off,
            change: (next) => set({ hours: next(value.hours) }),
            wrong: (f) => wrong(`hours.${f}`),
          })}
          <div class="three">${DAYS.map(days)}</div>
          <div class="two">
            <label class="lab"
              >Tag that names the owner<input
                class="field"
                name="ownerTag"
                maxlength="200"
                autocomplete="off"
                placeholder="none"
                ?disabled=${off}
                .value=${value.ownerTag ?? ""}
                @input=${(e) => (value.ownerTag = e.target.value.trim() || null)}
              />${said("ownerTag")}</label
            >
            <label class="lab"
              >Hosts of a cluster that may fail<input
                class="field"
                type="number"
                name="hostFailures"
                min="0"
                max="16"
                required
                ?disabled=${off}
                .value=${String(value.hostFailures)}
                @change=${(e) => e.target.value && (value.hostFailures = Math.round(Number(e.target.value)))}
              />${said("hostFailures")}</label
            >
          </div>
          <label class="lab"
            >No recommendations for machines with these tags<input
              class="field"
              name="exclude"
              maxlength="2000"
              autocomplete="off"
              placeholder="appliance, tier=licensed"
              ?disabled=${off}
              .value=${(value.exclude?.tags ?? []).join(", ")}
              @input=${(e) => {
                const tags = e.target.value.split(/\s*,\s*/).filter(Boolean);
                const rest = Object.fromEntries(Object.entries(value.exclude ?? {}).filter(([k]) => k !== "tags"));
                const next = { ...rest, ...(tags.length ? { tags } : {}) };
                value.exclude = Object.keys(next).length ? next : null;
              }}
            />${said("exclude")}</label
          >
          ${error && !error.errors?.length ? failure(error, null) : nothing}
          <p class="m s12">They hold from the next evaluation on.</p>
          <div class="row">
            <span class="sp"></span>
            <button type="button" class="ctl" @click=${closeLayer}>Cancel</button>
            <button class="ctl primary" ?disabled=${off || busy} title=${off ? NEEDS : nothing}>Save</button>
          </div>
        </form>`,
    { label: "Settings of right-sizing" },
  );
}
