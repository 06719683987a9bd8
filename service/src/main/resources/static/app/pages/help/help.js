// Help: the documentation of this version, with its contents and a search through it.
import { html, nothing, ref, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { plural } from "../../core/format.js";
import { contents, helpAddress, words } from "../../core/help.js";
import { Load } from "../../core/load.js";
import { href, param } from "../../core/url.js";
import { failure, loaded } from "../../parts/pane.js";

const MOST = 40;
const AROUND = 60;

/** The article of a document. The browser parses it without running anything, and the file is ours. */
const read = (name, signal) =>
  new Promise((resolve, reject) => {
    const asked = new XMLHttpRequest();
    asked.open("GET", `/docs/${name}.html`);
    asked.responseType = "document";
    asked.onload = () =>
      asked.status === 200
        ? resolve(asked.responseXML.querySelector("article"))
        : reject(new Error(`There is no document ${name}.`));
    asked.onerror = () => reject(new Error("The server does not answer."));
    signal.addEventListener("abort", () => asked.abort());
    asked.send();
  });

/** Sections whose title or text has all words typed, titles first. */
function found(typed) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const hits = [];
  for (const { page, title, sections } of contents.data) {
    sections.forEach((section, i) => {
      const text = words.data?.[page]?.[i] ?? "";
      const head = `${title} ${section.title}`.toLowerCase();
      const low = text.toLowerCase();
      if (!wanted.every((w) => head.includes(w) || low.includes(w))) return;
      const at = Math.max(0, ...wanted.map((w) => low.indexOf(w)));
      const from = at < AROUND ? 0 : text.indexOf(" ", at - AROUND) + 1;
      const inTitle = wanted.filter((w) => section.title.toLowerCase().includes(w)).length;
      hits.push({
        page,
        title,
        section,
        rank: inTitle * 2 + (wanted.every((w) => head.includes(w)) ? 1 : 0),
        around: `${from ? "\u2026 " : ""}${text.slice(from, from + 3 * AROUND)}`,
      });
    });
  }
  return hits.sort((a, b) => b.rank - a.rank);
}

export function page(name = "") {
  const article = new Load((_name, signal) => read(_name, signal));
  let typed = "";
  let shown = null; // the article that stands on the page
  let at = null; // the section that was scrolled to

  const doc = () => contents.data?.find((d) => d.page === name) ?? null;

  /** Puts the article there, and goes to the section of the address when that is new. */
  function place(element) {
    if (!element || !article.data) return;
    if (shown !== article.data || !element.firstChild) {
      shown = article.data;
      element.replaceChildren(document.importNode(article.data, true));
      at = null;
    }
    const section = param("section");
    if (at === section) return;
    at = section;
    requestAnimationFrame(() => {
      if (section) document.getElementById(section)?.scrollIntoView({ block: "start" });
      else document.getElementById("main")?.scrollTo(0, 0);
    });
  }

  const link = (d, section, title, cls) =>
    html`<li class=${cls}>
      <a
        href=${helpAddress(d.page, section)}
        aria-current=${d.page === name && param("section") === section ? "true" : nothing}
        >${title}</a
      >
    </li>`;

  const list = () =>
    html`<div class="help-contents" role="navigation" aria-label="Contents">
      ${[...Map.groupBy(contents.data, (d) => d.group)].map(
        ([group, docs]) =>
          html`<h2>${group}</h2>
            <ul>
              ${docs.map(
                (d) =>
                  html`${link(d, "", d.title, "doc")}
                  ${d.page === name
                    ? d.sections
                        .slice(1)
                        .filter((s) => s.level === 2)
                        .map((s) => link(d, s.id, s.title, "sec"))
                    : nothing}`,
              )}
            </ul>`,
      )}
    </div>`;

  function results() {
    const hits = found(typed);
    return html`<section class="pane" aria-label="Found">
      <div class="ph">
        <h2>${hits.length ? plural(hits.length, "section") : "Nothing found"}</h2>
        <span class="m cut">${hits.length ? `with ${typed.trim()}` : `No section has all of these words.`}</span>
      </div>
      <div class="help-found">
        ${repeat(
          hits.slice(0, MOST),
          (h) => `${h.page} ${h.section.id}`,
          (h) =>
            html`<a
              href=${helpAddress(h.page, h.section.id)}
              @click=${() => {
                typed = "";
              }}
              ><b>${h.section.title}</b>${h.section.id ? html` <span class="m">${h.title}</span>` : nothing}<span
                class="m s12"
                >${h.around}</span
              ></a
            >`,
        )}
      </div>
    </section>`;
  }

  const welcome = () =>
    html`<section class="pane words">
      <p class="say">
        This is the documentation of the version that runs here. Choose a document, or search for a word.
        <kbd>?</kbd> on any page shows its keys and the part that helps with it.
      </p>
    </section>`;

  return {
    get title() {
      return doc()?.title ?? "Help";
    },
    name: "help",
    timed: false,
    update() {
      contents.want(0);
      if (name) article.want(name);
    },
    keys: () => ({ "/": [() => document.getElementById("help-search")?.focus(), "Search the help"] }),
    view() {
      const search = html`<input
        id="help-search"
        class="field"
        type="search"
        placeholder="Search the help"
        aria-label="Search the help"
        autocomplete="off"
        .value=${typed}
        @focus=${() => words.want(0)}
        @input=${(e) => {
          typed = e.target.value;
          words.want(0);
          redraw();
        }}
      />`;
      const body =
        typed.trim() && contents.data
          ? results()
          : article.error && name
            ? html`<section class="pane">${failure(article.error, () => article.again())}</section>`
            : name
              ? html`<section class="pane help-doc" ${ref((element) => place(element))}></section>`
              : welcome();
      return html`<div class="tb">
          ${name ? html`<a class="m nw" href=${href("/help")}>Help /</a>` : html`<h1>Help</h1>`}
          <span class="sp"></span>
          ${search}
        </div>
        <div class="help-cols ${name || typed.trim() ? "reading" : ""}">
          ${loaded(contents, list, { rows: 12 })}
          <div>${body}</div>
        </div>`;
    },
  };
}
