// What the history of means does not say: randomness, working set, sizes within an hour; what was added that does, and
// how to add more.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post, remove } from "../../core/api.js";
import { count } from "../../core/format.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { showPalette } from "../../frame/palette.js";
import { fileChoice } from "../../parts/file-choice.js";
import { notice, soon } from "../../parts/notice.js";
import { failure } from "../../parts/pane.js";
import { runs, wantRuns } from "./fits.js";
import { ALL, groupName, share, size, UNKNOWNS } from "./words.js";

/** As much text as the API takes. */
const MOST = 900_000;
const [MACHINE, ONE] = ["machine", "one"];

export class Accesses {
  /** The machine that the output of vscsiStats is of, null = of the whole group. */
  #machine = null;
  #error = null;
  #busy = false;
  #hidden = new Set();

  /** `again()` reads the profile anew once something was added or removed. */
  constructor(id, again) {
    this.id = id;
    this.again = again;
  }

  async #add(group, body) {
    this.#busy = true;
    this.#error = null;
    redraw();
    try {
      const added = await post(`/load-profiles/${this.id}/accesses`, {
        ...(group.name === ALL || body.machine ? {} : { group: group.name }),
        ...body,
      });
      const doubts = added.problems.length ? ` ${added.problems[0]}` : "";
      notice(`Added, for ${added.machine?.name ?? groupName(group.name)}.${doubts}`, { seconds: 6 });
      this.again();
    } catch (error) {
      this.#error = error;
    }
    this.#busy = false;
    redraw();
  }

  async #file(group, /** @type {FileList} */ files) {
    const file = files[0];
    if (!file) return;
    if (file.size > MOST) {
      this.#error = new Error(`${file.name} has ${size(file.size)}; the output of vscsiStats may have ${size(MOST)}.`);
      return redraw();
    }
    const machine = this.#machine;
    await this.#add(group, { vscsiStats: await file.text(), ...(machine ? { machine: machine.id } : {}) });
  }

  /** Whether the output is of the group or of one of its machines; `ancestor` is what the profile is below. */
  #ofWhat(group, ancestor, off) {
    const chosen = this.#machine ? MACHINE : "";
    const choose = (event) => {
      const { value } = event.target;
      // Until one is chosen it stays what it was.
      event.target.value = chosen;
      if (value === "") this.#machine = null;
      else if (value === ONE)
        showPalette({
          label: "vscsiStats of which machine",
          among: { ancestor: ancestor?.id, objectKind: "VirtualMachine" },
          choose: ({ id, name }) => ((this.#machine = { id, name }), redraw()),
        });
      redraw();
    };
    const option = (value, words) =>
      html`<option value=${value} ?selected=${value === chosen} .selected=${value === chosen}>${words}</option>`;
    return html`<select class="field of-what" aria-label="vscsiStats of" ?disabled=${off} @change=${choose}>
      ${option("", `of ${group.name === ALL ? "all machines" : group.name}`)}
      ${this.#machine ? option(MACHINE, `of ${this.#machine.name}`) : nothing}${option(ONE, "of one machine\u2026")}
    </select>`;
  }

  #remove(one) {
    this.#hidden.add(one.id);
    redraw();
    const back = () => (this.#hidden.delete(one.id), redraw());
    soon(
      "Removed; what it told is not known again",
      async () => {
        try {
          await remove(`/load-profiles/${this.id}/accesses/${one.id}`);
        } catch (error) {
          back();
          notice(`Not removed: ${error.message}`, { seconds: 8 });
        }
        this.again();
      },
      back,
    );
  }

  #row(group, name) {
    const [words, tells] = UNKNOWNS[name];
    const value = knownWords(group.accesses, name);
    return html`<dt>${words}</dt>
      <dd>
        ${value
          ? html`<b>${value.text}</b> <span class="m">from ${value.source}</span>`
          : html`<b>not known</b> <span class="m">Would tell: ${tells}.</span>`}
      </dd>`;
  }

  /** `added` is what was added to the profile, of any group; `ancestor` is what the profile is below. */
  view(group, added, ancestor) {
    const off = !may("operator") || this.#busy;
    wantRuns();
    const list = runs.data?.items ?? [];
    const own = added.filter(
      (a) => !this.#hidden.has(a.id) && (!a.group || a.group === group.name || group.name === ALL),
    );
    return html`<dl class="props about accesses">${Object.keys(UNKNOWNS).map((name) => this.#row(group, name))}</dl>
      ${own.length
        ? html`<ul class="added">
            ${own.map(
              (a) =>
                html`<li>
                  <span class="whole"
                    >${a.source}, <span class="m">${moment(Date.parse(a.addedAt))} by ${a.addedBy}</span>${a.problems
                      .length
                      ? html`<br /><span class="warn">${a.problems.join(" ")}</span>`
                      : nothing}</span
                  >
                  <button
                    class="link"
                    ?disabled=${off}
                    title=${may("operator") ? nothing : NEEDS}
                    @click=${() => this.#remove(a)}
                  >
                    Remove
                  </button>
                </li>`,
            )}
          </ul>`
        : nothing}
      ${this.#error ? failure(this.#error, null) : nothing}
      <div class="row pad wrap add-accesses">
        ${this.#ofWhat(group, ancestor, off)}
        ${fileChoice({
          words: "Add vscsiStats…",
          label: "Output of vscsiStats -p all -c",
          accept: ".csv,.txt,text/*",
          disabled: off,
          take: (files) => this.#file(group, files),
        })}
        ${list.length
          ? html`<select
              class="field from-run"
              aria-label="Add from a benchmark run"
              ?disabled=${off}
              @change=${(e) => {
                const run = e.target.value;
                e.target.value = "";
                if (run) this.#add(group, { run });
              }}
            >
              <option value="">Add from a benchmark run…</option>
              ${list.map((r) => html`<option value=${r.id}>${r.name}</option>`)}
            </select>`
          : runs.data
            ? html`<span class="m s12">no benchmark run is imported yet</span>`
            : nothing}
      </div>`;
  }
}

/** What is known of one of them: `{ text, source }`, null for nothing. */
function knownWords(accesses, name) {
  if (!accesses) return null;
  const { randomShare, randomReadShare, randomWriteShare, workingSet, readSizes, writeSizes } = accesses;
  const has = (v) => v !== null && v !== undefined;
  if (name === "randomness") {
    if (!has(randomShare) && !has(randomReadShare) && !has(randomWriteShare)) return null;
    const parts = [
      has(randomReadShare) ? `reads ${share(randomReadShare)}` : "",
      has(randomWriteShare) ? `writes ${share(randomWriteShare)}` : "",
    ].filter(Boolean);
    const all = has(randomShare) ? `${share(randomShare)} random` : "random:";
    return { text: [all, parts.join(", ")].filter(Boolean).join(", "), source: accesses.randomSource };
  }
  if (name === "working set")
    return has(workingSet) ? { text: size(workingSet), source: accesses.workingSetSource } : null;
  if (!readSizes && !writeSizes) return null;
  const all = [readSizes, writeSizes].filter(Boolean);
  return { text: `${sizesWords(all)}`, source: accesses.sizesSource };
}

/** The sizes that most operations have: "4 KiB 62 %, 8 KiB 21 %". */
function sizesWords(distributions) {
  const counts = new Map();
  for (const { sizes, counts: numbers } of distributions)
    sizes.forEach((s, i) => counts.set(s, (counts.get(s) ?? 0) + numbers[i]));
  const total = [...counts.values()].reduce((sum, n) => sum + n, 0);
  if (!total) return `${count(0)} operations`;
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3)
    .map(([s, n]) => `${size(s)} ${share(n / total)}`)
    .join(", ");
}
