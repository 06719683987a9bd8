// What a report showed each time that it was due.
import { html, nothing } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { amount, changeText, percent } from "../../core/talkers.js";
import { moment } from "../../core/time.js";
import { amend, href, param } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { question } from "./report-question.js";
import { at, pageParams } from "./report-words.js";

const SHOWN = 10;

/** What one run showed; the first talkers of it. */
function runView(draft, r) {
  if (r.state !== "done" || !r.result)
    return html`<p class="pad i2">
      ${r.state === "missed" ? "It was missed" : "It could not be answered"}${r.reason ? `: ${r.reason}` : "."}
    </p>`;
  const { items, unit, total } = r.result;
  const most = items[0]?.value || 1;
  const sent = r.deliveries ?? [];
  return html`<div class="behind-list">
    ${items.slice(0, SHOWN).map(
      (i) =>
        html`<div class="behind-line run">
          <span class="r m">${i.rank}</span>
          <span class="cut strong" title=${i.talker.name}
            >${i.talker.object
              ? html`<a href=${href(`/objects/${i.talker.object.id}`)}>${i.talker.name}</a>`
              : i.talker.name}</span
          >
          <span class="share-bar"><i .style=${`width:${(i.value / most) * 100}%;background:var(--seq-3)`}></i></span>
          <span class="r">${amount(i.value, unit)}</span>
          <span class="r ${r.overShare && i.share > (draft.before.shareAbove ?? 2) ? "hot" : "m"}"
            >${percent(i.share)}</span
          >
          <span class="r m">${i.before ? changeText(i.before, i.value) : ""}</span>
        </div>`,
    )}
    <p class="behind-say">
      ${amount(total, unit)} in all${items.length > SHOWN ? `, ${plural(items.length, "talker")} in the report` : ""}.
      <a
        class="acc"
        href=${href("/top-talkers", {
          ...pageParams(question(draft)),
          range: null,
          from: new Date(r.result.from).toISOString(),
          to: new Date(r.result.to).toISOString(),
        })}
        >Open this window</a
      >
    </p>
    ${sent.length
      ? html`<p class="behind-more">
          ${sent.map((d) =>
            d.delivery
              ? html`<a class="acc" href=${href(`/notifications/deliveries/${d.delivery}`)}
                  >sent to ${d.target.name}</a
                >`
              : html`<span class="warn">not sent to ${d.target.name}${d.reason ? `: ${d.reason}` : ""}</span>`,
          )}
        </p>`
      : nothing}
  </div>`;
}

export function runsPane(draft, runs) {
  const open = (dueAt) => amend({ run: dueAt }, { replace: true });
  return html`<section class="pane" aria-label="What it showed">
    <div class="ph">
      <h2>What it showed</h2>
      <span class="m cut">each time that it was due, newest first</span>
    </div>
    ${loaded(
      runs,
      ({ items, total }) =>
        html`<ul class="runs">
            ${items.map((r, n) => {
              const on = param("run") ? param("run") === r.dueAt : n === 0;
              const [first] = r.result?.items ?? [];
              return html`<li>
                <button class="run-head" aria-expanded=${on} @click=${() => open(on ? "none" : r.dueAt)}>
                  ${shape(
                    r.state === "failed"
                      ? "critical"
                      : r.state === "missed"
                        ? "unknown"
                        : r.overShare
                          ? "warning"
                          : "alike",
                    11,
                    r.state === "done" ? (r.overShare ? "over the limit" : "") : r.state,
                  )}<b>${moment(Date.parse(r.dueAt))}</b
                  ><span class="m cut"
                    >${r.state === "done"
                      ? first
                        ? `${first.talker.name} ${percent(first.share)}`
                        : "no traffic"
                      : r.state}${r.overShare ? ", over the limit" : ""}</span
                  ></button
                >${on ? runView(draft, r) : nothing}
              </li>`;
            })}
          </ul>
          ${total > items.length ? html`<p class="pad m s12">the newest ${items.length} of ${total}</p>` : nothing}`,
      {
        rows: 6,
        isEmpty: ({ items }) => !items.length,
        empty: draft.before.schedule
          ? `It was not due yet. The first time is ${at(draft.before.nextAt)}.`
          : "It is not sent by itself, so it never was due.",
      },
    )}
  </section>`;
}
