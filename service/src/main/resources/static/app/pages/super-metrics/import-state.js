// The files or the pack of an import, what is chosen for what is in them, and what was done.
import { redraw } from "../../core/bus.js";
import { exchange } from "../../core/api.js";

const keyOf = (item, i) => `${item.id} ${i}`;

class Source {
  result = null;
  error = null;
  loading = false;
  /** What somebody chose for one item, by its id: take or leave. */
  choices = new Map();

  /** `of` is the import; without a file it is a pack. */
  constructor(of, { file = null, name }) {
    this.of = of;
    this.file = file;
    this.name = name;
  }

  async ask(dryRun) {
    this.loading = true;
    this.error = null;
    redraw();
    const skip = [...this.choices].filter(([, c]) => c === "leave").map(([id]) => id);
    const overwrite = [...this.choices].filter(([, c]) => c === "take").map(([id]) => id);
    const query = { dryRun, onConflict: this.of.policy, enable: this.of.enable };
    try {
      const path = this.file
        ? "/super-metrics/import"
        : `/super-metrics/packs/${encodeURIComponent(this.name)}/install`;
      const chosen = this.file ? { ...query, skip, overwrite, fileName: this.name } : query;
      this.result = (await exchange("POST", path, { query: chosen, body: this.file ?? undefined })).data;
    } catch (error) {
      this.error = error;
    }
    this.loading = false;
    redraw();
  }

  /** What would be done with an item, the choices of its row included. */
  action(item) {
    const choice = this.choices.get(item.id);
    if (this.of.done || !choice || item.state === "same" || item.state === "duplicate") return item.action;
    if (choice === "leave") return "skip";
    return item.state === "new" ? "create" : "overwrite";
  }
}

export class ImportState {
  /** @type {Source[]} */
  sources = [];
  policy = "skip";
  enable = true;
  filter = "all";
  /** Keys of the rows that are open. */
  open = new Set();
  running = false;
  done = false;
  /** Whether files are held over the page. */
  over = false;

  constructor(pack) {
    this.pack = pack;
    if (!pack) return;
    const source = new Source(this, { name: pack });
    this.sources = [source];
    source.ask(true);
  }

  async add(files) {
    if (!files.length) return;
    if (this.done) {
      this.sources = [];
      this.done = false;
    }
    const fresh = [...files].map((file) => new Source(this, { file, name: file.name }));
    this.sources = [...this.sources.filter((s) => !fresh.some((f) => f.name === s.name)), ...fresh];
    // One after the other: the server reads each whole.
    for (const source of fresh) await source.ask(true);
  }

  async again() {
    for (const source of this.sources) await source.ask(true);
  }

  async run() {
    this.running = true;
    redraw();
    for (const source of this.sources) if (source.result && !source.error) await source.ask(false);
    this.running = false;
    this.done = this.sources.every((s) => !s.error);
    redraw();
  }

  /** Each item of each source, with its key in the table. */
  items() {
    return this.sources.flatMap((source) =>
      (source.result?.items ?? []).map((item, i) => ({ source, item, key: `${source.name} ${keyOf(item, i)}` })),
    );
  }

  totals() {
    const counts = { create: 0, overwrite: 0, skip: 0, invalid: 0, "no-data-here": 0 };
    for (const { source, item } of this.items()) {
      counts[source.action(item)]++;
      if (item.validity !== "valid") counts[item.validity]++;
    }
    return counts;
  }
}
