// Payload templates of vRealize Operations: first what would become of each, then it is done.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { may, NEEDS } from "../../core/session.js";
import { back, href } from "../../core/url.js";
import { failure } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";

const SHAPES = { new: "info", same: "alike", changed: "info", conflict: "warning", invalid: "warning" };
const WOULD = { create: "create", overwrite: "overwrite", skip: "leave" };
const DONE = { create: "created", overwrite: "overwritten", skip: "left as it was" };

export function page() {
  let file = null;
  let result = null;
  let error = null;
  let loading = false;
  let policy = "skip";

  async function ask(dryRun) {
    loading = true;
    error = null;
    redraw();
    try {
      result = (
        await exchange("POST", "/notification-templates/import-vrops", {
          query: { dryRun, onConflict: policy },
          body: file,
        })
      ).data;
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
    ask(true);
  }

  const row = (i) =>
    html`<tr class=${i.state === "same" ? "quiet" : ""}>
      <td>${shape(SHAPES[i.state] ?? "unknown", 12, i.state)}</td>
      <td class="strong l-name" title=${i.name}>
        ${!result.dryRun && i.id && i.action !== "skip"
          ? html`<a href=${href(`/notifications/templates/${i.id}`)}>${i.name}</a>`
          : i.name}
      </td>
      <td class="mono">${i.id ?? "-"}</td>
      <td class="l-value ${i.state === "invalid" ? "warn" : ""}">${i.state}</td>
      <td class="whole-text">${i.reason}${i.notes.map((n) => html`<p class="m s12">${n}</p>`)}</td>
      <td class="r">${(result.dryRun ? WOULD : DONE)[i.action]}</td>
    </tr>`;

  return {
    title: "Import templates",
    name: "notify-import",
    timed: false,
    update() {},
    escape: () => back("/notifications?tab=templates"),
    view() {
      const operator = may("operator");
      const work = result ? result.created + result.overwritten : 0;
      return html`<div class="tb">
          <a class="m nw" href=${href("/notifications", { tab: "templates" })}>Notifications / Templates /</a>
          <h1>Import from vRealize Operations</h1>
          <span class="sp"></span>
          ${result?.dryRun
            ? html`<button
                class="ctl primary"
                ?disabled=${!operator || !work || loading}
                title=${operator ? nothing : NEEDS}
                @click=${() => ask(false)}
              >
                Import ${count(work)}
              </button>`
            : nothing}
        </div>
        <section class="pane words">
          <p class="say">
            Payload templates as vRealize Operations, Aria Operations and VCF Operations export them. Each becomes a
            template of your own that sends the same; what cannot be taken over is said. Nothing is stored before you
            have seen it.
          </p>
          <label
            class="drop-file"
            @dragover=${(e) => e.preventDefault()}
            @drop=${(e) => (e.preventDefault(), take(e.dataTransfer.files))}
            ><input
              type="file"
              accept=".json,.zip,.xml,application/json"
              aria-label="Export of payload templates"
              ?disabled=${!operator}
              @change=${(e) => take(e.target.files)}
            /><span>${file ? file.name : operator ? "Choose the exported file, or drop it here." : NEEDS}</span></label
          >
        </section>
        ${error ? html`<section class="pane">${failure(error, () => ask(true))}</section>` : nothing}
        ${result
          ? html`<section class="pane rows" aria-label="What is in the file">
              <div class="ph">
                <h2>${plural(result.items.length, "template")}</h2>
                <span class="m cut"
                  >${[
                    result.created ? `${count(result.created)} ${result.dryRun ? "to create" : "created"}` : "",
                    result.overwritten
                      ? `${count(result.overwritten)} ${result.dryRun ? "to overwrite" : "overwritten"}`
                      : "",
                    result.skipped ? `${count(result.skipped)} left` : "",
                  ]
                    .filter(Boolean)
                    .join(", ")}</span
                >
                <span class="sp"></span>
                ${result.dryRun
                  ? html`<span class="m">Of the same id, but different:</span
                      ><span class="low-seg"
                        >${segments(
                          policy,
                          [
                            ["skip", "keep mine"],
                            ["overwrite", "take the file's"],
                          ],
                          (v) => {
                            policy = v;
                            ask(true);
                          },
                          "What happens with those that are stored but differ",
                        )}</span
                      >`
                  : nothing}
              </div>
              <div class=${loading ? "dimmed" : ""}>
                <table>
                  <colgroup>
                    <col class="w-state" />
                    <col class="w-name" />
                    <col class="w-wide" />
                    <col class="w-dur" />
                    <col />
                    <col class="w-dur" />
                  </colgroup>
                  <thead>
                    <tr>
                      <td></td>
                      <th>Name in the file</th>
                      <th>Template</th>
                      <th>State</th>
                      <th>Why</th>
                      <th class="r">${result.dryRun ? "To do" : "Done"}</th>
                    </tr>
                  </thead>
                  <tbody>
                    ${repeat(result.items, (i) => i.index, row)}
                  </tbody>
                </table>
              </div>
            </section>`
          : nothing}`;
    },
  };
}
