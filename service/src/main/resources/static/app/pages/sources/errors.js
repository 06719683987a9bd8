// Errors of sources: what happened, what Peerlens does now, and what the reader does, with a button where it can be done.
import { html, nothing, repeat } from "../../core/html.js";
import { count } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { may } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { shape } from "../../parts/shapes.js";
import { keyOf, partWord } from "./words.js";

/** What happened, what follows and what to do, for a place of its own. */
export const problemWords = (problem) =>
  html`<div class="source-problem">
    <p>${problem.what}</p>
    <p class="i2">${problem.whatNow}</p>
    <p class="i2"><b>To do:</b> ${problem.whatToDo}</p>
  </div>`;

// Where the button of an error leads: to a part of the editor, for admins, or to a page.
const IN_EDITOR = {
  "sign-in-refused": ["New password", "password"],
  "certificate-not-trusted": ["Compare it", "certificate"],
  "certificate-not-known": ["Compare it", "certificate"],
  unreachable: ["Test it", "test"],
  address: ["Correct it", "address"],
};
const PAGES = {
  "no-permission": ["Which rights", () => helpAddress("sources", "an-account")],
  "egress-refused": ["How to allow it", () => helpAddress("sources", "where-peerlens-may-connect-to")],
  "clock-differs": ["About clocks", () => helpAddress("sources", "states")],
  "no-collector": ["About nodes", () => helpAddress("sources", "nodes")],
  kafka: ["Open Ingest", () => href("/ingest")],
};

/** The button of an error; `edit(id, place)` opens the editor. */
export function errorButton({ problem, source }, edit, primary = false) {
  const inEditor = IN_EDITOR[problem.code];
  if (source.id && inEditor && may("admin"))
    return html`<button class="ctl low ${primary ? "primary" : ""}" @click=${() => edit(source.id, inEditor[1])}>
      ${inEditor[0]}
    </button>`;
  const page = PAGES[problem.code];
  return page ? html`<a class="ctl low" href=${page[1]()}>${page[0]}</a>` : nothing;
}

const when = (e) =>
  html`<span
    class="m nw"
    title=${e.from && e.from !== e.at ? `${moment(Date.parse(e.from))} to ${moment(Date.parse(e.at))}` : nothing}
    >${e.at ? moment(Date.parse(e.at)) : "now"}</span
  >`;
const often = (e) => (e.count > 1 ? html` <span class="m nw">${count(e.count)} times.</span>` : nothing);

/** One error; `first` says whether its button is the main one. */
const errorLine = (e, { edit, first }) =>
  html`<li class="source-error">
    ${shape(e.shape, 12)} ${when(e)}
    <a class="strong" href=${href("/sources", { row: keyOf(e.source) })}>${e.name}</a>
    <span class="i2 error-says"
      >${e.problem.what}${often(e)} ${e.problem.whatNow} <span class="m">${e.problem.whatToDo}</span></span
    >
    <span class="act">${errorButton(e, edit, first)}</span>
  </li>`;

/** One error of a source that is named already: what happened, and when. */
const briefLine = (e) =>
  html`<li class="source-error brief">
    ${shape(e.shape, 12)} ${when(e)}
    <span class="i2 error-says" title=${`${e.problem.whatNow} ${e.problem.whatToDo}`}
      >${e.part ? `${partWord(e.part)}: ` : ""}${e.problem.what}${often(e)}</span
    >
  </li>`;

/**
 * Errors, one below the other; the first of them that needs somebody has the main button. `brief` ones are of one source,
 * and say only what happened.
 * @param {any[]} errors
 * @param {{edit?: (id: string, place: string) => void, brief?: boolean}} options
 */
export const errorList = (errors, { edit, brief = false }) =>
  html`<ul class="source-errors">
    ${repeat(
      errors,
      (e) => e.key,
      (e, i) => (brief ? briefLine(e) : errorLine(e, { edit, first: i === 0 && e.shape !== "info" })),
    )}
  </ul>`;
