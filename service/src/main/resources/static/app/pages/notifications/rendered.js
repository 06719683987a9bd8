// What is sent: the body with its lines, the whole request, a mail as a mail, a trap as its variables, and what is odd
// about it.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { bytes } from "../../core/format.js";
import { segments } from "../../parts/small.js";
import { shape } from "../../parts/shapes.js";
import { FORMATS, issueLines } from "./words.js";

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|(-?\b\d+(?:\.\d+)?(?:[eE][-+]?\d+)?\b|\btrue\b|\bfalse\b|\bnull\b)/g;
const MOST_LINES = 2000;

/** A JSON text line by line as people read it; another text as it is. */
export function lined(body) {
  try {
    return JSON.stringify(JSON.parse(body), null, 2).split("\n");
  } catch {
    return (body ?? "").split("\n");
  }
}

/** Which lines of `now` are not in `before`, told by the longest common sequence of both. */
export function changedLines(before, now) {
  let start = 0;
  while (start < before.length && start < now.length && before[start] === now[start]) start++;
  let end = 0;
  while (
    end < before.length - start &&
    end < now.length - start &&
    before[before.length - 1 - end] === now[now.length - 1 - end]
  )
    end++;
  const a = before.slice(start, before.length - end);
  const b = now.slice(start, now.length - end);
  const changed = new Set();
  if (a.length * b.length > 4_000_000) return new Set(b.map((_l, i) => i + start));
  const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
  for (let i = 0, j = 0; j < b.length; ) {
    if (i < a.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (i < a.length && table[i + 1][j] > table[i][j + 1]) i++;
    else changed.add(start + j++);
  }
  return changed;
}

function coloured(line) {
  const parts = [];
  let done = 0;
  for (const m of line.matchAll(TOKEN)) {
    parts.push(
      line.slice(done, m.index),
      html`<span class=${m[3] ? "nu" : m[2] ? "ky" : "st"}>${m[1] ?? m[3]}</span>${m[2] ?? ""}`,
    );
    done = m.index + m[0].length;
  }
  return [...parts, line.slice(done)];
}

/** Lines with their numbers; `marked` are those that stand out. */
function codeLines(lines, marked = new Set(), plain = false) {
  const line = (l, i) =>
    html`<li class=${marked.has(i) ? "changed" : ""}>${plain ? l : coloured(l)}${l ? nothing : "\u200b"}</li>`;
  const more = lines.length - MOST_LINES;
  return html`<ol class="code-lines">
      ${lines.slice(0, MOST_LINES).map(line)}
    </ol>
    ${more > 0 ? html`<p class="m s12 pad">and ${more} more lines</p>` : nothing}`;
}

export const headerLines = (headers) =>
  (headers ?? []).map((h) => html`<div class="head-line"><span class="ky">${h.name}</span>: ${h.value}</div>`);

// A mail's HTML is shown without scripts, links and anything from elsewhere. The page's policy lets no style act that
// comes as text, and says so for each, even in a document that is only parsed: styles are taken out of the text first
// and set from outside.
const STYLE = "data-mail-style";
const TAG = /<([a-zA-Z][^\s/>]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?|\s*\/)*)\s*>/g;
const ATTRIBUTE = /(\s+)([^\s=>/]+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+))?/g;
const NOT_SHOWN =
  "script, style, iframe, object, embed, form, input, button, link, meta, base, frame, frameset, template, svg, math, video, audio, source";

// The one place that makes HTML of a text: browsers that know trusted types let no other do it.
const MAILS = globalThis.trustedTypes?.createPolicy("peerlens-mail", { createHTML: (text) => text }) ?? {
  createHTML: (text) => text,
};

/**
 * HTML of a mail made safe to show: `{ html, sheets }`, its styles put aside. `chart` is what stands in it as
 * `cid:chart`: `{ png, words }`.
 */
function mailDocument(source, chart = {}) {
  const sheets = [];
  const text = source
    .replace(/<script\b[\s\S]*?<\/script\s*>/gi, "")
    .replace(/<style\b[^>]*>([\s\S]*?)<\/style\s*>/gi, (_all, sheet) => (sheets.push(sheet), ""))
    .replace(
      TAG,
      (_all, name, attributes) =>
        `<${name}${attributes.replace(ATTRIBUTE, (all, space, attribute, value = "") => (/^style$/i.test(attribute) ? `${space}${STYLE}${value}` : /^on/i.test(attribute) ? "" : all))}>`,
    );
  const doc = new DOMParser().parseFromString(MAILS.createHTML(text), "text/html");
  for (const e of doc.querySelectorAll(NOT_SHOWN)) e.remove();
  for (const e of doc.querySelectorAll("*")) {
    for (const { name } of [...e.attributes])
      if (/^on/i.test(name) || ["style", "srcset", "background", "formaction", "ping", "target"].includes(name))
        e.removeAttribute(name);
    if (e.tagName === "IMG" && /^cid:chart/i.test(e.getAttribute("src") ?? "")) {
      if (chart.png) e.setAttribute("src", `data:image/png;base64,${chart.png}`);
      if (chart.words) e.setAttribute("alt", chart.words);
    }
    if (e.tagName === "IMG" && !/^data:image\/(png|gif|jpeg);/.test(e.getAttribute("src") ?? "")) {
      const place = doc.createElement("span");
      place.textContent = `[${e.getAttribute("alt") || "chart"}]`;
      place.setAttribute(STYLE, "display:inline-block;padding:24px;border:1px dashed currentColor;opacity:.7");
      e.replaceWith(place);
    }
    if (e.tagName === "A" || e.tagName === "AREA") {
      e.title = e.getAttribute("href") ?? "";
      e.removeAttribute("href");
      e.setAttribute(STYLE, `text-decoration:underline;${e.getAttribute(STYLE) ?? ""}`);
    }
  }
  return { html: `<!doctype html>${doc.documentElement.outerHTML}`, sheets };
}

function dressed(frame, sheets) {
  const doc = frame.contentDocument;
  if (!doc) return;
  for (const text of sheets) {
    const sheet = new frame.contentWindow.CSSStyleSheet();
    sheet.replaceSync(text.replace(/@import[^;]*;?/g, "").replace(/url\([^)]*\)/g, "none"));
    doc.adoptedStyleSheets.push(sheet);
  }
  for (const e of doc.querySelectorAll(`[${STYLE}]`))
    e.style.cssText = e.getAttribute(STYLE).replace(/url\([^)]*\)/g, "none");
}

let shownHtml = null;
const mailFrame = ({ html: source, chartPng: png, chartWords: words }) => {
  if (shownHtml?.source !== source || shownHtml.png !== png || shownHtml.words !== words) {
    const { html: safe, sheets } = mailDocument(source, { png, words });
    shownHtml = { source, png, words, sheets, text: MAILS.createHTML(safe) };
  }
  const { text, sheets } = shownHtml;
  return html`<iframe
    class="mail"
    title="The mail"
    sandbox="allow-same-origin"
    referrerpolicy="no-referrer"
    .srcdoc=${text}
    @load=${(e) => dressed(e.target, sheets)}
  ></iframe>`;
};

const VIEWS = {
  http: (m, format) => [
    ["body", FORMATS[format] ?? (/json/.test(m.contentType) ? "JSON" : "Body")],
    ["request", "Request"],
    ["schema", "Checks"],
  ],
  mail: (m) => [...(m.html ? [["html", "Mail"]] : []), ["text", "Text"], ["headers", "Headers"], ["schema", "Checks"]],
  trap: () => [
    ["binds", "Variables"],
    ["schema", "Checks"],
  ],
};

/** A message as one of its views; `marked` are the lines of a body that stand out. */
export function messageView(message, view, marked = new Set()) {
  if (message.kind === "trap")
    return html`<p class="pad s12"><span class="m">Trap</span> <code>${message.trapOid}</code></p>
      <table class="binds">
        <colgroup>
          <col class="w-oid" />
          <col class="w-dur" />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th>OID</th>
            <th>Type</th>
            <th>Value</th>
          </tr>
        </thead>
        <tbody>
          ${message.varBinds.map(
            (b) =>
              html`<tr>
                <td class="mono" title=${b.oid}>${b.oid}</td>
                <td class="m">${b.type}</td>
                <td class="mono" title=${b.value}>${b.value}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  if (message.kind === "mail") {
    if (view === "headers")
      return html`<div class="raw">
        <div class="head-line"><span class="ky">Subject</span>: ${message.subject}</div>
        ${headerLines(message.headers)}
        <p class="m s12">From, To, Date, Message-ID and the headers of the thread are the target's.</p>
      </div>`;
    return html`<p class="subject">
        <b>${message.subject}</b>${message.chart
          ? html` <span class="m s12">with a chart of the metric</span>`
          : nothing}
      </p>
      ${view === "html" && message.html ? mailFrame(message) : html`<pre class="payload">${message.text ?? ""}</pre>`}`;
  }
  if (view === "request")
    return html`<div class="raw">
        <div class="head-line">
          <b>${message.method} ${message.path || "/"}</b> <span class="m">below the URL of the target</span>
        </div>
        <div class="head-line"><span class="ky">Content-Type</span>: ${message.contentType}</div>
        ${headerLines(message.headers)}
      </div>
      <pre class="payload wire">${message.body}</pre>`;
  return codeLines(lined(message.body), marked, !/json/.test(message.contentType ?? "json"));
}

export class RenderedPane {
  #view = null;

  /** `preview` is what the service made, `issues` what it says of the template, `marked` the lines that stand out. */
  view({ preview, format, issues = [], marked, busy }) {
    const message = preview?.message;
    const kind = message?.kind ?? (format === "mail" ? "mail" : format === "snmp" ? "trap" : "http");
    const views = VIEWS[kind](message ?? { html: true }, format);
    const view = views.some(([v]) => v === this.#view) ? this.#view : views[0][0];
    const odd = [...(preview?.issues ?? []), ...issues];
    const body = () => {
      if (view === "schema")
        return odd.length || preview?.error
          ? html`${preview?.error ? html`<p class="crit pad s12">${preview.error}</p>` : nothing}${issueLines(odd)}`
          : html`<p class="pad s12 row">
              ${shape("alike", 11)}
              <span>Nothing is odd: the message can be built, and every value that the template names exists.</span>
            </p>`;
      if (preview?.error)
        return html`<div class="failure" role="alert">
          <b>Nothing can be rendered</b>
          <p>${preview.error}</p>
        </div>`;
      if (preview?.dropped) return html`<div class="empty">Nothing is sent: a step drops it.</div>`;
      return message ? messageView(message, view, marked) : nothing;
    };
    const named = views.map(([v, word]) => [
      v,
      v === "schema" && odd.length ? html`${word} <span class="n">${odd.length}</span>` : word,
    ]);
    return html`<section class="pane rendered-pane" aria-label="Rendered">
      <div class="ph">
        <h2>Rendered</h2>
        <div class="low-seg">
          ${segments(
            view,
            named,
            (v) => {
              this.#view = v;
              redraw();
            },
            "What of the message is shown",
          )}
        </div>
        <span class="sp"></span>
        <span class="m nw">${message ? bytes(preview.bytes) : ""}</span>
      </div>
      <div class="scrolls ${busy ? "dimmed" : ""}" tabindex="0" role="group" aria-label="Rendered message">
        ${preview ? body() : nothing}
      </div>
    </section>`;
  }
}
