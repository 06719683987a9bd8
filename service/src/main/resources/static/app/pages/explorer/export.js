// The filtered rows as a file, all pages of them.
import { plural } from "../../core/format.js";
import { asCsv, download } from "../../parts/download.js";
import { notice } from "../../parts/notice.js";

export function csv(items) {
  const tags = [...new Set(items.flatMap((o) => Object.keys(o.tags)))].sort();
  const head = [
    "id",
    "adapterKind",
    "objectKind",
    "name",
    "state",
    "path",
    "firstSeen",
    "lastSeen",
    ...tags.map((t) => `tag:${t}`),
  ];
  return asCsv([
    head,
    ...items.map((o) => [
      o.id,
      o.adapterKind,
      o.objectKind,
      o.name,
      o.state,
      (o.path ?? []).join(" / "),
      o.firstSeen,
      o.lastSeen,
      ...tags.map((t) => o.tags[t]),
    ]),
  ]);
}

export async function save(format, rows) {
  try {
    const items = await rows.all();
    download(
      "objects",
      format,
      format === "csv" ? csv(items) : JSON.stringify(items, null, 2),
      plural(items.length, "object"),
    );
  } catch (error) {
    notice(`Not saved: ${error.message}`);
  }
}
