// A load like that of a group, as parameters of a load generator: to look at, to copy, as a file.
import { html, nothing } from "../../core/html.js";
import { exchange } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { settled } from "../../core/bus.js";
import { download } from "../../parts/download.js";
import { copy } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";

/** Tools: `[key, name, what the file is called, its ending, whether it works on files that one names]`. */
const TOOLS = [
  ["fio", "fio", "Job file", "fio", true],
  ["vdbench", "vdbench", "Parameter file", "txt", true],
  ["diskspd", "DiskSpd", "Command line", "txt", true],
  ["hcibench", "HCIBench", "Parameters", "txt", false],
];
const LEVELS = [
  ["mean", "mean"],
  ["p50", "p50"],
  ["p95", "p95"],
  ["p99", "p99"],
  ["peak", "highest hour"],
];

export class LoadText {
  #tool = "fio";
  #at = "p95";
  #paths = "";
  #read = new Load(
    async (id, query, signal) =>
      (await exchange("GET", `/load-profiles/${id}/load`, { query, accept: "text/plain", signal })).data,
  );
  #typed = settled((text) => (this.#paths = text), 300);

  /** `cluster()` is the profile that it is made of, null for the whole mixture; `choose(name)` takes another. */
  constructor(id, { cluster, choose, redraw }) {
    this.id = id;
    this.cluster = cluster;
    this.choose = choose;
    this.redraw = redraw;
  }

  #set(part) {
    part();
    this.redraw();
  }

  view(group) {
    const [tool, name, what, ending, onFiles] = TOOLS.find(([key]) => key === this.#tool);
    const cluster = group.clusters.some((c) => c.name === this.cluster()) ? this.cluster() : null;
    const path = onFiles ? this.#paths.split(/\s*[\n,]\s*/).filter(Boolean) : [];
    if (!group.clusters.length)
      return html`<div class="empty">
        A load can be made where operations, their sizes and the share of reads are known. Of this group they are not.
      </div>`;
    this.#read.want(this.id, { tool, group: group.name, cluster, at: this.#at, path });
    const text = this.#read.data;
    const slug = `${group.name} ${cluster ?? "mixture"} ${this.#at}`.toLowerCase().replace(/[^a-z0-9]+/g, "-");
    return html`<div class="form load-form">
        <div>
          ${segments(
            tool,
            TOOLS.map(([key, words]) => [key, words]),
            (v) => this.#set(() => (this.#tool = v)),
            "Tool",
          )}
        </div>
        <div class="two">
          <label class="lab"
            >Profile<select class="field" @change=${(e) => this.choose(e.target.value || null)}>
              <option value="" ?selected=${cluster === null}>the whole mixture</option>
              ${group.clusters.map(
                (c) => html`<option value=${c.name} ?selected=${c.name === cluster}>${c.name}</option>`,
              )}
            </select></label
          >
          <label class="lab"
            >Load of<select class="field" @change=${(e) => this.#set(() => (this.#at = e.target.value))}>
              ${LEVELS.map(
                ([key, words]) => html`<option value=${key} ?selected=${key === this.#at}>${words}</option>`,
              )}
            </select></label
          >
        </div>
        ${onFiles
          ? html`<label class="lab"
              >Files or devices, one a line<textarea
                class="field mono tall"
                rows="1"
                maxlength="8000"
                spellcheck="false"
                placeholder="/path/to/test-file"
                @input=${(e) => this.#typed(e.target.value)}
              ></textarea>
            </label>`
          : nothing}
      </div>
      ${loaded(
        this.#read,
        (data) => html`<pre class="load-text" tabindex="0" aria-label=${`${what} for ${name}`}>${data}</pre>`,
        {
          rows: 6,
        },
      )}
      <div class="row pad wrap">
        <button class="ctl" ?disabled=${!text} @click=${() => copy(text, `${what} for ${name} copied`)}>Copy</button>
        <button
          class="ctl"
          ?disabled=${!text}
          @click=${() => download(`${tool}-${slug}`, ending, text, `${what} for ${name}`)}
        >
          Save as a file
        </button>
        <span class="m s12">what is assumed stands in its comments</span>
      </div>`;
  }
}
