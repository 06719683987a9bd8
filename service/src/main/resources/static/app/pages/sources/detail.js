// One source beside the list: how reading it goes, its errors of the week, how it is read, its history.
import { html, nothing } from "../../core/html.js";
import { count, plural } from "../../core/format.js";
import { helpAddress } from "../../core/help.js";
import { may } from "../../core/session.js";
import { ticking } from "../../core/ticking.js";
import { duration, moment } from "../../core/time.js";
import { auditPane } from "../../parts/audit.js";
import { isSide, turnSide, versionsList } from "../../parts/history.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { failure, loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { errorButton, errorList, problemWords } from "./errors.js";
import { fingerprint } from "./fingerprint.js";
import {
  besides,
  kindWord,
  newestAge,
  ofEntry,
  partWord,
  problemOf,
  roundSentence,
  roundWords,
  stateOf,
  trendWords,
} from "./words.js";

const section = (title, note, body) =>
  html`<section class="sec" aria-label=${title}>
    <h3>${title} <span class="m">${note}</span></h3>
    ${body}
  </section>`;

const ago = (iso) => ticking(() => `${duration(Math.max(0, Date.now() - Date.parse(iso)))} ago`);

/** State in a shape and words, and what is to be done about it. */
function stateLine(source, { edit }) {
  const { shape: kind, tone } = stateOf(source);
  const problem = problemOf(source);
  const since = source.stateSince ? ` since ${moment(Date.parse(source.stateSince))}` : "";
  return html`<p class="row source-state">
      ${shape(kind, 13, "")}<span><b class=${tone}>${source.state}</b>${since}</span>
    </p>
    ${problem
      ? html`${problemWords(problem)}
          <div class="row">${errorButton({ problem, source }, edit, source.state !== "paused")}</div>`
      : source.reason && source.state !== "fresh"
        ? html`<p class="i2">${source.reason}</p>`
        : nothing}`;
}

const figure = (term, value, title = /** @type {unknown} */ (nothing)) =>
  html`<dt>${term}</dt>
    <dd title=${title}>${value}</dd>`;

function figures(source) {
  const age = newestAge(source, Date.now());
  return html`<dl class="props about">
    ${figure(
      "Newest sample",
      age === null ? "none yet" : ago(source.newestSampleAt ?? source.lastDataAt),
      source.newestSampleAt ? moment(Date.parse(source.newestSampleAt), true) : nothing,
    )}
    ${figure("Objects", count(source.objects))} ${figure("Samples/s", count(source.samplesPerSecond))}
    ${figure("6 hours", trendWords(source))} ${figure("Rounds", roundSentence(source))}
    ${source.clockOffsetSeconds !== null && Math.abs(source.clockOffsetSeconds) >= 60
      ? figure(
          "Its clock",
          `${duration(Math.abs(source.clockOffsetSeconds) * 1000)} ${source.clockOffsetSeconds < 0 ? "behind" : "ahead"}`,
        )
      : nothing}
  </dl>`;
}

/** Asks before a source is removed, and says what stays. */
function askToRemove(draft, source) {
  const objects = source.objects ? `Its ${plural(source.objects, "object")}` : "Its objects";
  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">Remove ${source.name}?</h2>
        <p class="i2"><b>Goes:</b> it is no longer read, and its password is deleted.</p>
        <p class="i2">
          <b>Stays:</b> ${objects} and all their values, as long as values are kept, with their alerts and history. They
          fall silent unless another source reports them. Who changed this source stays in the audit log.
        </p>
        <p class="i2">To stop reading for a while only, pause it.</p>
        <div class="row">
          <button
            class="ctl primary"
            @click=${() => {
              closeLayer();
              draft.remove("Its objects and values stay.");
            }}
          >
            Remove it
          </button>
          <button class="ctl" autofocus @click=${closeLayer}>Keep it</button>
        </div>`,
    { label: `Remove ${source.name}` },
  );
}

/** How each part goes; what is wrong with the source as a whole is not said again. */
function rounds(list, known) {
  if (!list.length) return html`<p class="m s12">Its first round has not ended yet.</p>`;
  return html`<table class="rounds">
    <thead>
      <tr>
        <th>Part</th>
        <th class="r">Last</th>
        <th class="r">Took / every</th>
        <th class="r">Objects</th>
        <th class="r">Sent</th>
      </tr>
    </thead>
    <tbody>
      ${list.map(
        (r) =>
          html`<tr>
              <td>${r.problem ? html`${shape("warning", 11, "failing")} ` : nothing}${partWord(r.part)}</td>
              <td class="r" title=${moment(Date.parse(r.lastRoundAt), true)}>
                ${ticking(() => duration(Math.max(0, Date.now() - Date.parse(r.lastRoundAt))))}
              </td>
              <td class="r">${roundWords({ roundMillis: r.tookMillis, intervalSeconds: r.intervalSeconds })}</td>
              <td class="r">${count(r.objects)}</td>
              <td class="r">${count(r.samples)}</td>
            </tr>
            ${r.problem
              ? html`<tr class="below-round">
                  <td colspan="5" class="whole-text">
                    ${r.problem.code === known ? nothing : r.problem.what}
                    <span class="m"
                      >${plural(r.failures, "round")}
                      failed${r.problemSince ? ` since ${moment(Date.parse(r.problemSince))}` : ""}</span
                    >
                  </td>
                </tr>`
              : nothing}`,
      )}
    </tbody>
  </table>`;
}

const trustWords = (trust) =>
  trust?.sha256
    ? "only the one with this fingerprint"
    : trust?.authorities
      ? "signed by authorities of its own"
      : "signed by a known authority";

function howItIsRead(source, stored) {
  return section(
    "How it is read",
    "",
    html`<dl class="props about">
        ${figure("Address", html`<span class="mono">${stored.address}</span>`)}
        ${source.detail ? figure("What it is", source.detail) : nothing} ${figure("Account", stored.username)}
        ${figure("Certificate", trustWords(stored.trust))}
        ${figure("What is read", stored.reads.map(partWord).join(", "))} ${figure("By node", stored.node ?? "none")}
        ${stored.pausedAt
          ? figure("Paused", `${moment(Date.parse(stored.pausedAt))}${stored.pausedBy ? ` by ${stored.pausedBy}` : ""}`)
          : nothing}
        ${figure(
          "Changed",
          `${moment(Date.parse(stored.updatedAt))} by ${stored.updatedBy}, version ${stored.version}`,
        )}
      </dl>
      ${stored.trust?.sha256 ? fingerprint(stored.trust.sha256) : nothing}`,
  );
}

/**
 * A vCenter. `editor` holds it as it is stored, `errors` is the `Load` of its errors; `acts` has `edit(id, place)`,
 * `pause(source)` and `close()`.
 */
export function sourceDetail({ source, editor, errors, acts }) {
  const { draft } = editor;
  const stored = draft.stored.data?.data;
  const paused = source.state === "paused";
  return html`<section class="pane source-side" tabindex="-1" aria-label=${source.name}>
    <div class="ph">
      <h2 class="cut">${source.name}</h2>
      <span class="m cut" title=${besides(source)}>${kindWord(source.kind)}</span>
      <span class="sp"></span>
      ${closeButton(acts)}
    </div>
    <div class="detail-scroll">
      <div class="sec first">
        ${stateLine(source, acts)}
        <div class="row wrap">
          ${may("operator")
            ? html`<button class="ctl wide-acts" @click=${() => acts.pause(source)}>
                ${paused ? "Resume" : "Pause"} <kbd>Z</kbd>
              </button>`
            : nothing}${may("admin")
            ? html`<button class="ctl wide-acts" @click=${() => acts.edit(source.id)}>Change <kbd>E</kbd></button>`
            : nothing}<button class="ctl ghost" aria-pressed=${isSide()} @click=${turnSide}>History</button
          ><span class="sp"></span>${may("admin")
            ? html`<button class="ctl" ?disabled=${!stored} @click=${() => askToRemove(draft, source)}>Remove…</button>`
            : nothing}
        </div>
      </div>
      <section class="sec" aria-label="Figures">${figures(source)}</section>
      ${draft.stored.error && !stored
        ? failure(draft.stored.error, () => draft.stored.again())
        : section(
            "Rounds",
            "each part is read by itself",
            loaded(draft.stored, ({ data }) => rounds(data.rounds, source.problem?.code), { rows: 3 }),
          )}
      ${section(
        "Errors of the week",
        errors.data ? plural(errors.data.total, "error") : "",
        loaded(errors, ({ items }) => errorList(items.map(ofEntry), { brief: true }), {
          rows: 2,
          isEmpty: ({ items }) => !items.length,
          empty: "None.",
        }),
      )}
      ${stored ? howItIsRead(source, stored) : nothing} ${stored && isSide() ? history(draft, stored) : nothing}
    </div>
  </section>`;
}

function history(draft, stored) {
  draft.wantHistory();
  return html`${section(
    "History",
    "a restored version becomes the newest",
    versionsList({
      history: draft.history,
      current: stored.version,
      allowed: draft.allowed,
      edited: draft.edited,
      restore: draft.allowed ? (version) => draft.restore(version) : null,
    }),
  )}
  ${auditPane(stored.id, stored.version)}`;
}

const closeButton = ({ close }) => html`<button class="link" @click=${close}>Close</button>`;

const SENDERS = {
  telegraf: ["mappings", "ready-configurations-of-telegraf", "How Telegraf is set up"],
  json: ["mappings", "json", "What JSON may say"],
  "flow-exporter": ["flows", "is-it-right", "Whether flows are right"],
};

/** What sends by itself: Peerlens knows what came, and cannot pause it. */
export function senderDetail({ source, acts }) {
  const [page, part, words] = SENDERS[source.kind] ?? ["sources", "", "About sources"];
  return html`<section class="pane source-side" tabindex="-1" aria-label=${source.name}>
    <div class="ph">
      <h2 class="cut">${source.name}</h2>
      <span class="m cut">${kindWord(source.kind)}</span>
      <span class="sp"></span>
      ${closeButton(acts)}
    </div>
    <div class="detail-scroll">
      <div class="sec first">${stateLine(source, acts)}</div>
      <section class="sec" aria-label="Figures">${figures(source)}</section>
      ${section(
        "How it comes here",
        "",
        html`<dl class="props about">
            ${source.address ? figure("Address", source.address) : nothing}
            ${source.detail ? figure("What it is", source.detail) : nothing}
          </dl>
          <p class="s12 i2">
            It sends by itself, so it is paused and removed where it runs. A week after it fell silent it leaves this
            list; its objects stay. <a class="acc" href=${helpAddress(page, part)}>${words}</a>
          </p>`,
      )}
    </div>
  </section>`;
}
