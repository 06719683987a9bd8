// The files of an import of dashboards, what is chosen for what they leave open, and what was done.
import { redraw } from "../../core/bus.js";
import { exchange, Problem } from "../../core/api.js";
import { memo } from "../../core/memo.js";
import { choicesText, treeOf } from "./import-words.js";

class ImportFile {
  result = null;
  error = null;
  loading = false;
  /** What there is to settle, by its key; what is settled stays, so that it can be settled anew. */
  settle = new Map();
  /** Whether the report is that of the choices. */
  shown = false;
  /** Whether it is imported; another file that cannot be read does not keep it from that. */
  imported = false;
  #chosen = new Map();
  #turn = 0;

  /** `of` is the import. */
  constructor(of, file) {
    this.of = of;
    this.file = file;
    this.name = file.name;
  }

  /** What is chosen for something: what somebody chose, else what is proposed. */
  chosen(one) {
    return this.#chosen.get(one.key) ?? one.proposal?.value ?? "";
  }

  /** Choices of all there is to settle, and how many of them do not fit. */
  get choices() {
    return choicesText([...this.settle.values()].map((one) => [one.key, this.chosen(one)]));
  }

  choose(one, value) {
    this.#chosen.set(one.key, value);
    return this.show();
  }

  /** Asks what comes of the choices. */
  show() {
    this.shown = true;
    return this.ask(true);
  }

  async ask(dryRun) {
    const turn = ++this.#turn;
    this.loading = true;
    this.error = null;
    redraw();
    const { policy, visibility, enable } = this.of;
    try {
      if (!this.file.size)
        throw new Problem(
          {
            status: 0,
            title: "The file is empty",
            detail: `${this.name} has no content.`,
            hint: "Export it once more: an export that was broken off leaves such a file.",
          },
          `Reading ${this.name}`,
        );
      const { data } = await exchange("POST", "/dashboards/import", {
        query: {
          dryRun,
          onConflict: policy,
          visibility,
          enable,
          choices: this.shown || !dryRun ? this.choices.text : null,
          fileName: this.name.slice(-255),
        },
        body: this.file,
      });
      if (turn !== this.#turn) return;
      this.result = data;
      // Without choices the report says how many places wait for each.
      for (const one of data.settle) if (!this.settle.has(one.key)) this.settle.set(one.key, one);
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = error;
    }
    this.loading = false;
    redraw();
  }
}

export class ImportState {
  /** @type {ImportFile[]} */
  files = [];
  policy = "skip";
  visibility = "private";
  enable = true;
  filter = "all";
  /** Parts of the tree that somebody opened (true) or closed, by their keys. */
  folded = new Map();
  /** Key of the line that the keyboard is on. */
  at = null;
  running = false;
  done = false;
  /** Whether files are held over the page. */
  over = false;
  #tree = memo((...results) => treeOf(results));

  async add(/** @type {FileList} */ files) {
    if (!files.length || this.running) return;
    if (this.done) this.reset();
    const fresh = [...files].map((file) => new ImportFile(this, file));
    this.files = [...this.files.filter((f) => !fresh.some((n) => n.name === f.name)), ...fresh];
    // One after the other: the server reads each whole.
    for (const file of fresh) await file.ask(true);
  }

  remove(file) {
    this.files = this.files.filter((f) => f !== file);
    redraw();
  }

  /** Asks anew, for what is wanted of all files is another. */
  async want(/** @type {Partial<{policy: string, visibility: string, enable: boolean}>} */ wishes) {
    Object.assign(this, wishes);
    redraw();
    for (const file of this.files) if (!file.imported) await file.ask(true);
  }

  async run() {
    this.running = true;
    redraw();
    for (const file of this.pending) {
      await file.ask(false);
      file.imported = !file.error;
    }
    this.running = false;
    this.done = this.files.every((f) => f.imported);
    redraw();
  }

  reset() {
    this.files = [];
    this.folded = new Map();
    this.at = null;
    this.filter = "all";
    this.done = false;
  }

  get loading() {
    return this.files.some((f) => f.loading);
  }

  /** Files that were read and are not imported yet. */
  get pending() {
    return this.files.filter((f) => f.result && !f.error && !f.imported);
  }

  get results() {
    return this.files.flatMap((f) => f.result ?? []);
  }

  /** The same as long as the reports are. */
  get tree() {
    return this.#tree(...this.results);
  }

  /** Everything to settle with its file: `[file, one]`. */
  get settle() {
    return this.files.flatMap((file) => [...file.settle.values()].map((one) => [file, one]));
  }
}
