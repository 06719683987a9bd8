// Tests of a template: alerts, and what it must make of them. They run before a version is published.
import { html, nothing } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { loaded } from "../../parts/pane.js";
import { notice } from "../../parts/notice.js";
import { icon, shape } from "../../parts/shapes.js";
import { numberOf } from "../alerts/words.js";
import { eventWord, tick } from "./words.js";

/** How the stored tests ended, in a few words. */
export function testsWord(tests) {
  if (tests.error && !tests.loading) return "tests could not run";
  if (!tests.data) return "tests run\u2026";
  const { passed, failed, examples } = tests.data;
  return !examples.length
    ? "no tests yet"
    : failed
      ? `${failed} of ${examples.length} tests fail`
      : `${passed} of ${examples.length} tests pass`;
}

const bodyOf = (message) => {
  if (message.body === undefined) return {};
  try {
    return { body: JSON.parse(message.body) };
  } catch {
    return { body: message.body };
  }
};

/** The preview that is shown, kept as a test. */
function exampleOf(preview, name) {
  const { now, ...context } = preview.before;
  const { kind, ...message } = preview.message ?? {};
  return {
    name,
    event: preview.event,
    context: { ...context, ...(now === undefined ? {} : { now }) },
    expect: preview.dropped ? { dropped: true } : { ...message, ...bodyOf(message) },
  };
}

export function testsPane({ draft, tests, preview, event, off, alert }) {
  const own = draft.value("examples") ?? [];
  const keep = () => {
    const base = `${eventWord(event)} of ${alert ? numberOf(alert) : "a sample"}`;
    const name = own.some((e) => e.name === base) ? `${base}, ${own.length + 1}` : base;
    draft.set("examples", [...own, exampleOf(preview, name)]);
    notice(`${name} is a test once this is published`);
  };
  const run = (name) => tests.data?.examples.find((e) => e.name === name);
  const names = [...new Set([...(tests.data?.examples ?? []).map((e) => e.name), ...own.map((e) => e.name)])];
  const row = (name) => {
    const result = run(name);
    const mine = own.findIndex((e) => e.name === name);
    return html`<li class="test">
      <div class="row">
        ${!result || draft.edited
          ? shape("unknown", 12, "not run yet")
          : result.passed
            ? tick(12, "passes")
            : shape("warning", 12, "fails")}
        <b>${name}</b>
        <span class="m">${eventWord(result?.event ?? own[mine]?.event ?? "NEW")}</span>
        <span class="sp"></span>
        ${mine >= 0 && !off
          ? html`<button
              class="icon"
              aria-label=${`Remove the test ${name}`}
              @click=${() => draft.set("examples", own.toSpliced(mine, 1))}
            >
              ${icon("close", 12)}
            </button>`
          : nothing}
      </div>
      ${(result && !result.passed && !draft.edited ? result.differences : []).map(
        (d) => html`<p class="s12 mono crit">${d}</p>`,
      )}
    </li>`;
  };
  return html`<section class="pane tests-pane" aria-label="Tests">
    <div class="ph">
      <h2>Tests</h2>
      <span class="m cut">they run before a version is published; one that fails refuses it</span>
      <span class="sp"></span>
      ${off
        ? nothing
        : html`<button class="ctl low" ?disabled=${!preview || Boolean(preview.error)} @click=${keep}>
            Keep what is shown as a test
          </button>`}
    </div>
    ${draft.isNew ? nothing : tests.error || !tests.data ? loaded(tests, () => nothing, { rows: 3 }) : nothing}
    ${draft.error?.errors
      ?.filter((e) => e.field.startsWith("examples"))
      .map((e) => html`<p class="pad s12 crit" role="alert"><code>${e.field}</code> ${e.reason}</p>`) ?? nothing}
    ${names.length
      ? html`<ul class="tests">
          ${names.map(row)}
        </ul>`
      : html`<div class="empty s12">
          ${off
            ? "It has none."
            : "Keep what is shown now as a test: it tells whoever changes the template when something else comes out."}
        </div>`}
    ${names.length
      ? html`<p class="m s12 pad">
          ${plural(names.length, "test")}${draft.edited ? "; they run when you publish" : ""}
        </p>`
      : nothing}
  </section>`;
}
