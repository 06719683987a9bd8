// A formula that is read, not written, in the colours of the editor.
import { html } from "../core/html.js";
import { read } from "./tokens.js";

const CLASS = { fn: "fn", key: "ky", str: "st", num: "nu", op: "op" };

export function coloured(text) {
  return read(text).tokens.map(({ kind, start, end }) => {
    const part = text.slice(start, end);
    return CLASS[kind] ? html`<span class=${CLASS[kind]}>${part}</span>` : part;
  });
}
