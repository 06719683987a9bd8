// Bring a result folder: a ZIP, a folder or files are chosen or dropped, what was tested is said, and the job that reads
// them tells how far it is and what it could not read.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { bytes, count, plural } from "../../core/format.js";
import { leaveField } from "../../core/keys.js";
import { Load } from "../../core/load.js";
import { narrow } from "../../core/screen.js";
import { may, NEEDS } from "../../core/session.js";
import { back, href, param } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";
import { failure } from "../../parts/pane.js";
import { progress } from "../../parts/small.js";
import { whenField } from "../../parts/when.js";
import { zip } from "../../parts/zip.js";
import { problemList } from "./run.js";

const MOST = 256 * 1024 * 1024;
const MOST_FILES = 10_000;
const EVERY = 1000;
const SHOWN = 8;

/** Files of what was dropped, those in folders with their paths: `[path, file]`. */
async function dropped(items) {
  const out = [];
  async function take(entry, path) {
    if (out.length > MOST_FILES) return;
    if (entry.isFile) {
      out.push([path + entry.name, await new Promise((resolve, reject) => entry.file(resolve, reject))]);
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) await take(one, `${path}${entry.name}/`);
    }
  }
  for (const entry of [...items].map((item) => item.webkitGetAsEntry()).filter(Boolean)) await take(entry, "");
  return out;
}

const isAlone = (files) => files.length === 1 && !files[0][0].includes("/");
const folderName = (files) =>
  isAlone(files) ? files[0][0] : `${files[0][0].split("/")[0].replace(/\.[^.]*$/, "")}.zip`;

export function page() {
  /** @type {[string, File][]} */
  let files = [];
  let object = null;
  let at = null;
  let note = "";
  let over = false;
  let step = "";
  let error = null;
  let brought = null;
  const named = new Load((id, signal) => get(`/objects/${id}`, {}, signal));
  const state = new Load((id, signal) => get(`/benchmark-imports/${id}`, {}, signal));
  const job = new Load((id, signal) => get(`/jobs/${id}`, {}, signal));

  const tested = () => object ?? named.data;
  const size = () => files.reduce((sum, [, file]) => sum + file.size, 0);

  function take(list) {
    files = list.slice(0, MOST_FILES + 1);
    error = null;
    redraw();
  }
  const chosenFiles = (event) => {
    take([...event.target.files].map((file) => [file.webkitRelativePath || file.name, file]));
    event.target.value = "";
  };

  function tooMuch() {
    if (files.length > MOST_FILES)
      return `These are more than ${count(MOST_FILES)} files. Bring one result folder at a time.`;
    // Files are packed before they are sent; what is packed already goes as it is.
    if (isAlone(files) && size() > MOST)
      return `${bytes(size())} are more than ${bytes(MOST)}. Leave out logs of single operations, or bring one run at a time.`;
    if (size() > 4 * MOST)
      return `${bytes(size())} are too much to be packed here. Bring a ZIP of at most ${bytes(MOST)}.`;
    return "";
  }

  async function send() {
    error = null;
    try {
      let body = files[0][1];
      if (!isAlone(files)) {
        step = "packing";
        redraw();
        body = /** @type {any} */ (await zip(files));
        if (body.size > MOST)
          throw new Error(`Packed these are ${bytes(body.size)}, more than ${bytes(MOST)}. Bring one run at a time.`);
      }
      step = "sending";
      redraw();
      const { data } = await exchange("POST", "/benchmark-runs", {
        query: {
          fileName: folderName(files),
          object: tested()?.id,
          from: at ? new Date(at).toISOString() : null,
          note: note.trim(),
        },
        body,
        type: "application/octet-stream",
      });
      brought = data;
      state.want(data.id);
    } catch (failed) {
      error = failed;
    }
    step = "";
    redraw();
  }

  function reset() {
    files = [];
    brought = null;
    error = null;
    state.reset();
    job.reset();
    redraw();
  }

  const now = () => state.data ?? brought;

  function want() {
    if (param("object")) named.want(param("object"));
    const current = now();
    if (current?.state !== "reading") return;
    state.want(current.id).every(EVERY);
    job.want(current.job).every(EVERY);
  }

  const chooser = (words, label, folder) =>
    html`<label class="ctl file ${folder ? "" : "primary"}"
      >${words}<input
        type="file"
        multiple
        ?webkitdirectory=${folder}
        aria-label=${label}
        ?disabled=${!may("operator")}
        @change=${chosenFiles}
    /></label>`;

  const dropZone = () =>
    html`<section class="pane drop-zone ${over ? "over" : ""}" aria-label="Files">
      <p class="say">
        <b>Drop a result folder or a ZIP of it here</b>, or choose it: fio (JSON, and logs by interval), vdbench,
        HCIBench, DiskSpd, IOBlazer, IOMeter, Login Enterprise, or CSV with a mapping. Which tool wrote a file is found
        by its content. The file is kept.
      </p>
      <div class="row wrap">
        ${chooser("Choose files\u2026", "Result files to bring", false)}
        ${chooser("Choose a folder\u2026", "Result folder to bring", true)}
        <span class="m">${may("operator") ? `At most ${bytes(MOST)}.` : NEEDS}</span>
      </div>
      <p class="m">At a command line: <code>./peerlens import-run FOLDER --object CLUSTER</code></p>
    </section>`;

  function form() {
    const wrong = tooMuch();
    const busy = step !== "";
    return html`<section class="pane" aria-label="What is brought">
      <div class="ph">
        <h2>${plural(files.length, "file")}</h2>
        <span class="m cut">${bytes(size())}</span><span class="sp"></span
        ><button class="link" ?disabled=${busy} @click=${reset}>Choose others</button>
      </div>
      <form
        class="bring-form"
        @submit=${(e) => {
          e.preventDefault();
          send();
        }}
      >
        <ul class="bring-files">
          ${files
            .slice(0, SHOWN)
            .map(
              ([path, file]) =>
                html`<li><span class="mono cut">${path}</span><span class="m s12 nw">${bytes(file.size)}</span></li>`,
            )}
          ${files.length > SHOWN ? html`<li class="m">and ${count(files.length - SHOWN)} more</li>` : nothing}
        </ul>
        <div class="row wrap">
          <span class="m">What was tested</span>
          <b>${tested()?.name ?? "not said"}</b>
          <button
            type="button"
            class="ctl"
            ?disabled=${busy}
            @click=${() =>
              showPalette({
                label: "What was tested",
                choose: (o) => {
                  object = o;
                  redraw();
                },
              })}
          >
            Choose…
          </button>
        </div>
        <label class="lab"
          >When the first run began, if the tool does not say
          it${whenField({
            value: at,
            past: true,
            disabled: busy,
            change: (to) => (at = to),
          })}</label
        >
        <label class="lab"
          >Note<input
            class="field"
            maxlength="2000"
            autocomplete="off"
            placeholder="after the new firmware"
            ?disabled=${busy}
            .value=${note}
            @input=${(e) => (note = e.target.value)}
        /></label>
        ${wrong ? html`<p class="crit" role="alert">${wrong}</p>` : nothing}
        ${error && !error.title ? html`<p class="crit" role="alert">${error.message}</p>` : nothing}
        <div class="row">
          <button class="ctl primary" ?disabled=${busy || wrong !== "" || !may("operator")}>
            ${step === "packing" ? "Packing\u2026" : step === "sending" ? "Sending\u2026" : "Bring it"}
          </button>
        </div>
      </form>
      ${error?.title ? failure(error, send) : nothing}
    </section>`;
  }

  function result() {
    const current = now();
    const reading = current.state === "reading";
    return html`<section class="pane" aria-label="What became of it">
      <div class="ph">
        <h2>${current.fileName}</h2>
        <span class="m cut">${bytes(current.size)}</span>
      </div>
      <div class="bring-form" role="status">
        ${reading
          ? html`<p><b>Reading.</b> ${job.data?.detail ?? ""}</p>
              ${progress(job.data?.done ?? 0, job.data?.total ?? null, "Reading the results")}
              <p class="m">It goes on when you leave this page.</p>`
          : html`<p>
              <b
                >${current.state === "failed"
                  ? "It could not be read."
                  : current.runs
                    ? `${plural(current.runs, "run")} found.`
                    : "No run found in it."}</b
              >
              ${current.problems.length ? `${plural(current.problems.length, "thing")} could not be read.` : ""}
              ${job.data?.error ?? ""}
            </p>`}
        ${state.error ? failure(state.error, () => state.again()) : nothing}
      </div>
      ${problemList(current.problems)}
      ${reading ? nothing : html`<div class="row pad wrap">${narrow() ? nothing : acts()}</div>`}
    </section>`;
  }

  function acts() {
    const current = now();
    if (!current || current.state === "reading") return nothing;
    return html`${current.runs
        ? html`<a class="ctl primary" href=${href("/benchmark-runs", { import: current.id })}
            >${current.runs === 1 ? "Show the run" : "Show the runs"}</a
          >`
        : nothing}<button class="ctl" @click=${reset}>Bring another</button>`;
  }

  return {
    title: "Bring a result folder",
    name: "benchmark-import",
    timed: false,
    update() {},
    escape: () => leaveField() || back("/benchmark-runs"),
    keys: () => ({}),
    acts,
    view() {
      want();
      return html`<div
        class="bring-page"
        @dragover=${(e) => {
          if (![...e.dataTransfer.types].includes("Files")) return;
          e.preventDefault();
          if (over) return;
          over = true;
          redraw();
        }}
        @dragleave=${(e) => {
          if (e.currentTarget.contains(e.relatedTarget)) return;
          over = false;
          redraw();
        }}
        @drop=${(e) => {
          e.preventDefault();
          over = false;
          if (may("operator") && !brought && !step) dropped(e.dataTransfer.items).then(take);
          redraw();
        }}
      >
        <div class="tb">
          <a class="m nw" href=${href("/benchmark-runs")}>Benchmark runs /</a>
          <h1>Bring a result folder</h1>
        </div>
        ${brought ? result() : files.length ? form() : dropZone()}
      </div>`;
    },
  };
}
