// The filtered rows as a file, all pages of them.
import { notice } from "../parts/notice.js";
import { plural } from "../core/format.js";

// A cell that a spreadsheet would run as a formula gets an apostrophe.
const cell = (value) => {
  const text = String(value ?? "");
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

export function csv(items) {
  const tags = [...new Set(items.flatMap((o) => Object.keys(o.tags)))].sort();
  const head = ["id", "adapterKind", "objectKind", "name", "state", "path", "firstSeen", "lastSeen", ...tags.map((t) => `tag:${t}`)];
  const lines = items.map((o) => [o.id, o.adapterKind, o.objectKind, o.name, o.state, (o.path ?? []).join(" / "), o.firstSeen, o.lastSeen, ...tags.map((t) => o.tags[t])]);
  return [head, ...lines].map((line) => line.map(cell).join(",")).join("\r\n");
}

export async function save(format, rows) {
  try {
    const items = await rows.all();
    const text = format === "csv" ? csv(items) : JSON.stringify(items, null, 2);
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: format === "csv" ? "text/csv" : "application/json" }));
    link.download = `peerlens-objects.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    notice(`${plural(items.length, "object")} saved as ${format.toUpperCase()}`);
  } catch (error) {
    notice(`Not saved: ${error.message}`);
  }
}
