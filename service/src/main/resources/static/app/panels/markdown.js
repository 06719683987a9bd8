// Markdown of panels of text: headings, paragraphs, lists, code, emphasis and links. What it does not know stays text,
// and markup in it is text, too.
import { html, nothing } from "../core/html.js";

/** Links lead to pages of ours or by http(s) elsewhere; whatever else stays text. */
const isAddress = (url) => /^(\/(?!\/)|https?:\/\/)/.test(url);

// Lengths are bounded, and no two ways lead through the same text: texts are imported from strangers.
const INLINE =
  /\\([\\`*_[\]<>#+-])|`([^`]+)`|\*\*((?:\\.|[^*\\]){1,2000})\*\*|__([^_]{1,2000})__|\*((?:\\.|[^*\s\\])(?:\\.|[^*\\]){0,2000})\*|\b_([^_]{1,2000})_\b|\[((?:\\.|[^\]\\]){1,500})\]\(([^)\s]+)\)/;

const ESCAPED = /\\([\\`*_[\]<>#+-])/g;

/** A text as parts: strings, and `{ kind: "code" | "strong" | "em" | "link", text | parts, url }`. */
export function inline(text) {
  const parts = [];
  for (let rest = text; rest; ) {
    const match = INLINE.exec(rest);
    if (!match) {
      parts.push(rest);
      break;
    }
    if (match.index) parts.push(rest.slice(0, match.index));
    const [all, escaped, code, bold, bold2, italic, italic2, label, url] = match;
    if (escaped !== undefined) parts.push(escaped);
    else if (code !== undefined) parts.push({ kind: "code", text: code });
    else if (bold ?? bold2) parts.push({ kind: "strong", parts: inline(bold ?? bold2) });
    else if (italic ?? italic2) parts.push({ kind: "em", parts: inline(italic ?? italic2) });
    else if (isAddress(url)) parts.push({ kind: "link", parts: [label.replace(ESCAPED, "$1")], url });
    else parts.push(all);
    rest = rest.slice(match.index + all.length);
  }
  return parts;
}

/** A text as blocks: `{ kind: "heading" | "text" | "list" | "numbers" | "code" | "rule" | "quote", ... }`. */
export function blocks(text) {
  const lines = String(text ?? "")
    .replaceAll("\r\n", "\n")
    .split("\n");
  const found = [];
  let paragraph = [];
  const end = () => {
    if (paragraph.length) found.push({ kind: "text", parts: inline(paragraph.join(" ")) });
    paragraph = [];
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i];
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    const item = /^\s*(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/.exec(line);
    if (/^\s*```/.test(line)) {
      end();
      const code = [];
      while (++i < lines.length && !/^\s*```/.test(lines[i])) code.push(lines[i]);
      found.push({ kind: "code", text: code.join("\n") });
    } else if (heading) {
      end();
      found.push({ kind: "heading", level: heading[1].length, parts: inline(heading[2]) });
    } else if (/^\s*([-*_])\s*(\1\s*){2,}$/.test(line)) {
      end();
      found.push({ kind: "rule" });
    } else if (item) {
      end();
      const kind = item[1] ? "numbers" : "list";
      if (found.at(-1)?.kind !== kind) found.push({ kind, items: [] });
      found.at(-1).items.push(inline(item[2]));
    } else if (/^\s*>/.test(line)) {
      end();
      found.push({ kind: "quote", parts: inline(line.replace(/^\s*>\s?/, "")) });
    } else if (line.trim()) paragraph.push(line.trim());
    else end();
  }
  end();
  return found;
}

const drawn = (parts) =>
  parts.map((part) => {
    if (typeof part === "string") return part;
    if (part.kind === "code") return html`<code>${part.text}</code>`;
    if (part.kind === "strong") return html`<b>${drawn(part.parts)}</b>`;
    if (part.kind === "em") return html`<em>${drawn(part.parts)}</em>`;
    return part.url.startsWith("/")
      ? html`<a href=${part.url}>${drawn(part.parts)}</a>`
      : html`<a href=${part.url} target="_blank" rel="noreferrer noopener">${drawn(part.parts)}</a>`;
  });

const block = (b) => {
  switch (b.kind) {
    case "heading":
      return html`<h3 class=${b.level < 2 ? "first" : ""}>${drawn(b.parts)}</h3>`;
    case "list":
      return html`<ul>
        ${b.items.map((parts) => html`<li>${drawn(parts)}</li>`)}
      </ul>`;
    case "numbers":
      return html`<ol>
        ${b.items.map((parts) => html`<li>${drawn(parts)}</li>`)}
      </ol>`;
    case "code":
      return html`<pre tabindex="0"><code>${b.text}</code></pre>`;
    case "rule":
      return html`<hr />`;
    case "quote":
      return html`<blockquote>${drawn(b.parts)}</blockquote>`;
    default:
      return html`<p>${drawn(b.parts)}</p>`;
  }
};

export const markdown = (text) => (text ? html`<div class="md">${blocks(text).map(block)}</div>` : nothing);
