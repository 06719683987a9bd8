// Import of rules files and packs: first what it would do, row by row; then what it did.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { may } from "../../core/session.js";
import { go, href, param } from "../../core/url.js";
import { fieldChange } from "../../parts/history.js";
import { failure } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";

const SECTIONS = {
  groups: ["group", "/settings/groups"],
  thresholds: ["threshold", "/thresholds"],
  alertDefinitions: ["alert definition", "/thresholds/definitions"],
  outlierGroups: ["outlier group", "/outliers"],
  lookupTables: ["lookup table", null],
  notificationTemplates: ["template", "/notifications/templates"],
  notificationTargets: ["target", "/notifications/targets"],
  notificationRules: ["notification rule", "/notifications/rules"],
  silences: ["silence", "/notifications/silences"],
  notificationRelays: ["relay", "/notifications/relays"],
  talkerReports: ["report", "/top-talkers/reports"],
};
const SHAPES = { new: "info", same: "alike", changed: "info", conflict: "warning", invalid: "warning" };
const WOULD = { create: "create", overwrite: "overwrite", skip: "leave" };
const DONE = { create: "created", overwrite: "overwritten", skip: "left as it was" };

export function page() {
  const pack = param("pack");
  let file = null;
  let result = null;
  let error = null;
  let loading = false;
  let done = false;
  let policy = "skip";
  let only = "all";
  let open = new Set();
  let over = false;

  async function ask(dryRun) {
    loading = true;
    error = null;
    redraw();
    try {
      const path = pack ? `/rules/packs/${encodeURIComponent(pack)}/install` : "/rules/import";
      result = (await exchange("POST", path, { query: { dryRun, onConflict: policy }, body: pack ? undefined : file }))
        .data;
      done = !dryRun;
    } catch (failed) {
      error = failed;
    }
    loading = false;
    redraw();
  }

  function take(files) {
    if (!files.length) return;
    [file] = files;
    result = null;
    done = false;
    ask(true);
  }

  const keyOf = (item) => `${item.section} ${item.index}`;

  function row(item) {
    const key = keyOf(item);
    const has = item.changes.length > 0 || item.errors.length > 0;
    const shown = open.has(key);
    const [words, place] = SECTIONS[item.section] ?? [item.section, null];
    const toggle = () => {
      open = new Set(open);
      if (!open.delete(key)) open.add(key);
      redraw();
    };
    return html`<tr
        class=${item.state === "same" ? "quiet" : ""}
        @click=${(e) => e.target.closest("a, button") || (has && toggle())}
      >
        <td>${shape(SHAPES[item.state] ?? "unknown", 12, "")}</td>
        <td class="strong l-name" title=${item.name}>
          ${has
            ? html`<button
                class="twisty"
                aria-expanded=${shown}
                aria-label=${`${shown ? "Hide" : "Show"} what is in ${item.name}`}
                @click=${toggle}
              >
                ${shown ? "\u2304" : "\u203a"}
              </button>`
            : html`<span class="twisty"></span>`}${done && item.action !== "skip" && item.id && place
            ? html`<a href=${href(`${place}/${item.id}`)}>${item.name}</a>`
            : item.name || "without a name"}
        </td>
        <td class="i2">${words}</td>
        <td class=${item.state === "invalid" ? "warn" : ""}>${item.state}</td>
        <td class="m l-what" title=${item.reason}>${item.reason}</td>
        <td class="r l-value">${(done ? DONE : WOULD)[item.action]}</td>
      </tr>
      ${shown
        ? html`<tr class="inside">
            <td></td>
            <td colspan="5" class="whole-text">
              ${item.changes.map(fieldChange)}${item.errors.map(
                (e) => html`<p class="s12"><code>${e.field}</code> ${e.reason}</p>`,
              )}
            </td>
          </tr>`
        : nothing}`;
  }

  function table() {
    const { items } = result;
    const states = ["new", "changed", "conflict", "invalid", "same"].filter((s) => items.some((i) => i.state === s));
    const shown = items.filter((i) => only === "all" || i.state === only);
    return html`<section class="pane rows" aria-label="What is in the file">
      <div class="ph">
        <h2>${plural(items.length, "rule")}</h2>
        <div class="states" role="group" aria-label="Show">
          ${["all", ...states].map(
            (s) =>
              html`<button class="ctl low" aria-pressed=${only === s} @click=${() => ((only = s), redraw())}>
                <span>${count(s === "all" ? items.length : items.filter((i) => i.state === s).length)}</span
                ><span class="k">${s}</span>
              </button>`,
          )}
        </div>
        <span class="sp"></span>
        ${done
          ? nothing
          : html`<span class="m">Stored, but different:</span>${segments(
                policy,
                [
                  ["skip", "keep what is stored"],
                  ["overwrite", "take the file's"],
                ],
                (v) => {
                  policy = v;
                  ask(true);
                },
                "What happens with those that are stored but differ",
              )}`}
      </div>
      <div class="results ${loading ? "dimmed" : ""}" tabindex="-1">
        <table>
          <colgroup>
            <col class="w-state" />
            <col />
            <col class="w-kind" />
            <col class="w-dur" />
            <col class="w-said" />
            <col class="w-dur" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              <th>Name</th>
              <th>What</th>
              <th title="Against what is stored">State</th>
              <th>Why</th>
              <th class="r">${done ? "Done" : "To do"}</th>
            </tr>
          </thead>
          <tbody>
            ${repeat(shown, keyOf, row)}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  function foot() {
    const would = [
      result.created ? `${count(result.created)} ${done ? "created" : "to create"}` : "",
      result.overwritten ? `${count(result.overwritten)} ${done ? "overwritten" : "to overwrite"}` : "",
      result.skipped ? `${count(result.skipped)} ${done ? "left as they were" : "to leave"}` : "",
    ]
      .filter(Boolean)
      .join(", ");
    const some = result.created + result.overwritten;
    const allowed = may("operator");
    return html`<div class="import-foot pane">
      <span class="strong">${done ? "Imported: " : ""}${would || "nothing"}</span>
      <span class="m cut">${result.invalid ? `${count(result.invalid)} make no sense and are left out` : ""}</span>
      <span class="sp"></span>
      ${done
        ? html`<a class="ctl primary" href=${href("/thresholds")}>To the list</a>`
        : html`<a class="ctl" href=${href("/thresholds")}>Cancel</a>
            <button
              class="ctl primary"
              ?disabled=${!allowed || loading || !some}
              title=${allowed ? (some ? nothing : "Nothing would change") : "Needs the role operator"}
              @click=${() => ask(false)}
            >
              ${loading ? "Importing\u2026" : some ? `Import ${count(some)}` : "Import"}
            </button>`}
    </div>`;
  }

  const drop = () =>
    html`<section class="pane drop-zone ${over ? "over" : ""}" aria-label="File">
      <p class="say">
        <b>Drop a rules file here</b>, or choose it: the JSON that Thresholds > Export gives, with thresholds, alert
        definitions, outlier groups and the groups that they name.
      </p>
      <div>
        <label class="ctl primary file"
          >Choose a file…<input
            type="file"
            accept=".json,application/json"
            aria-label="File to import"
            @change=${(e) => {
              take(e.target.files);
              e.target.value = "";
            }}
        /></label>
      </div>
      <p class="m s12">Nothing is saved until you confirm.</p>
    </section>`;

  if (pack) ask(true);

  return {
    get title() {
      return pack ? `Install ${pack}` : "Import rules";
    },
    name: "import",
    timed: false,
    update() {},
    escape: () => go("/thresholds"),
    view: () =>
      html`<div
        class="import-page"
        @dragover=${(e) => {
          if (!pack && [...e.dataTransfer.types].includes("Files")) {
            e.preventDefault();
            if (!over) {
              over = true;
              redraw();
            }
          }
        }}
        @dragleave=${(e) => {
          if (!e.currentTarget.contains(e.relatedTarget)) {
            over = false;
            redraw();
          }
        }}
        @drop=${(e) => {
          if (pack) return;
          e.preventDefault();
          over = false;
          take(e.dataTransfer.files);
        }}
      >
        <div class="tb">
          <a class="m nw" href=${href("/thresholds")}>Thresholds /</a>
          <h1>${pack ? `Install ${pack}` : "Import"}</h1>
          <span class="m cut"
            >${done ? "done" : result ? `${file ? `${file.name}: ` : ""}nothing is changed yet` : ""}</span
          >
        </div>
        ${error ? html`<section class="pane">${failure(error, () => ask(true))}</section>` : nothing}
        ${result
          ? html`${table()}${foot()}`
          : loading
            ? html`<section class="pane rows">
                <div class="outlines" aria-busy="true">${Array.from({ length: 6 }, () => html`<span></span>`)}</div>
              </section>`
            : pack
              ? nothing
              : drop()}
      </div>`,
  };
}
