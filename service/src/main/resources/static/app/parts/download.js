// Rows of a list as a file.
import { notice } from "./notice.js";

// A cell that a spreadsheet would run as a formula gets an apostrophe.
const guarded = (text) => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
const quoted = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Lines of cells as CSV; `asIs` for a file that is read back, since that would keep the apostrophes. */
export const asCsv = (lines, { asIs = false } = {}) =>
  lines
    .map((line) =>
      line
        .map((value) => String(value ?? ""))
        .map((text) => quoted(asIs ? text : guarded(text)))
        .join(","),
    )
    .join("\r\n");

const TYPES = { csv: "text/csv", json: "application/json", yaml: "application/yaml", pdf: "application/pdf" };

/** Hands `content`, a text or bytes, to the browser as a file, and says what is in it. */
export function download(name, format, content, words) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type: TYPES[format] }));
  link.download = `peerlens-${name}.${format}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  notice(`${words} saved as ${format.toUpperCase()}`);
}
