// When a report is sent and to whom, and the limit of share above which it raises an alert.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { IMPACTS } from "../../core/health.js";
import { SEVERITIES } from "../../core/severity.js";
import { percent } from "../../core/talkers.js";
import { href } from "../../core/url.js";
import { ZONES, zoneName } from "../../core/zone.js";
import { segments } from "../../parts/small.js";
import { placeOf, typeWord } from "../notifications/words.js";
import { DAYS } from "../settings/maintenance-words.js";
import { recommendationFields } from "../shared/rule-fields.js";
import { at, filled, scheduleWords } from "./report-words.js";

const SENDABLE = ["webhook", "email"];

/** `targets` are those to choose from. */
export function schedulePane(draft, targets) {
  const s = draft.value("schedule");
  const change = (part) => draft.set("schedule", { ...s, ...part });
  const days = s?.days?.length ? s.days : DAYS.map(([d]) => d);
  const day = (d) => {
    const next = DAYS.map(([x]) => x).filter((x) => (x === d ? !days.includes(x) : days.includes(x)));
    if (next.length) change({ days: next.length === 7 ? undefined : next });
  };
  const chosen = draft.value("targets") ?? [];
  const all = (targets.data?.items ?? []).filter((t) => SENDABLE.includes(t.type) || chosen.includes(t.id));
  return html`<section class="pane" aria-label="When and to whom">
    <div class="ph">
      <h2>When, and to whom</h2>
      <span class="m cut"
        >${scheduleWords(s)}${s && !draft.isNew && !draft.edited && draft.before.nextAt
          ? `, next ${at(draft.before.nextAt)}`
          : ""}</span
      >
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="schedule"
          .checked=${Boolean(s)}
          ?disabled=${!draft.allowed}
          @change=${(e) =>
            draft.set(
              "schedule",
              e.target.checked ? (draft.before.schedule ?? { time: "07:00", zone: zoneName() }) : null,
            )}
        />Sent by itself</label
      >
    </div>
    ${s
      ? html`<div class="form">
          <div class="row wrap" role="group" aria-label="Days">
            ${DAYS.map(
              ([d, w]) =>
                html`<button
                  type="button"
                  class="ctl low"
                  aria-pressed=${days.includes(d)}
                  ?disabled=${!draft.allowed}
                  @click=${() => day(d)}
                >
                  ${w}
                </button>`,
            )}
          </div>
          <div class="two">
            <label class="lab"
              >At<input
                class="field"
                type="time"
                name="time"
                .value=${s.time}
                ?disabled=${!draft.allowed}
                @change=${(e) => e.target.value && change({ time: e.target.value.slice(0, 5) })} /></label
            ><label class="lab"
              >Time zone<input
                class="field"
                list="report-zones"
                name="zone"
                autocomplete="off"
                .value=${s.zone}
                ?disabled=${!draft.allowed}
                aria-invalid=${ZONES.includes(s.zone) ? "false" : "true"}
                @change=${(e) => change({ zone: e.target.value.trim() })}
            /></label>
          </div>
          <datalist id="report-zones">${ZONES.map((z) => html`<option value=${z}></option>`)}</datalist>
          ${draft.said("schedule")}
          <ul class="target-checks" role="group" aria-label="Targets">
            ${all.map(
              (t) =>
                html`<li>
                  <label class="check"
                    ><input
                      type="checkbox"
                      .checked=${chosen.includes(t.id)}
                      ?disabled=${!draft.allowed}
                      @change=${() =>
                        draft.set(
                          "targets",
                          chosen.includes(t.id) ? chosen.filter((x) => x !== t.id) : [...chosen, t.id],
                        )}
                    /><b>${t.name}</b></label
                  ><span class="m cut">${typeWord(t.type)}, ${placeOf(t)}</span>${t.enabled
                    ? nothing
                    : html`<span class="warn s12">disabled</span>`}
                </li>`,
            )}
          </ul>
          ${targets.data && !all.length
            ? html`<p class="m s12">
                Reports go to web hooks and mail; there is no such target yet.
                <a class="acc" href=${href("/notifications/targets/new", { type: "email" })}>Make one</a>
              </p>`
            : nothing}${draft.said("targets")}
        </div>`
      : html`<p class="m s12 pad">It is kept and can be opened; nothing is sent.</p>`}
  </section>`;
}

export function limitPane(draft) {
  const share = draft.value("shareAbove");
  const alert = draft.value("alert") ?? {};
  const put = (part) => draft.set("alert", { ...alert, ...part });
  return html`<section class="pane" aria-label="Share limit">
    <div class="ph">
      <h2>Share limit</h2>
      <span class="m cut"
        >${filled(share) ? `an alert while one has more than ${percent(share)} of the whole` : "no alert"}</span
      >
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          name="limited"
          .checked=${filled(share)}
          ?disabled=${!draft.allowed}
          @change=${(e) => draft.set("shareAbove", e.target.checked ? (draft.before.shareAbove ?? 0.3) : null)}
        />Raises an alert</label
      >
    </div>
    ${filled(share)
      ? html`<div class="form">
          <div class="three">
            <label class="lab"
              >More than, in %<input
                class="field"
                name="share"
                inputmode="decimal"
                .value=${String(Number((share * 100).toFixed(3)))}
                ?disabled=${!draft.allowed}
                aria-invalid=${share > 0 && share < 1 ? "false" : "true"}
                @change=${(e) => {
                  const n = Number(e.target.value.replace(",", "."));
                  if (n > 0 && n < 100) draft.set("shareAbove", Number((n / 100).toFixed(5)));
                  else redraw();
                }}
            /></label>
            <label class="lab"
              >Severity<select
                class="field"
                ?disabled=${!draft.allowed}
                @change=${(e) => put({ severity: e.target.value })}
              >
                ${SEVERITIES.map((v) => html`<option ?selected=${v === (alert.severity ?? "warning")}>${v}</option>`)}
              </select></label
            >
            <div class="lab">
              <span>What suffers</span>
              <div>
                ${segments(
                  alert.impact ?? "risk",
                  IMPACTS.map((i) => [i, i]),
                  (impact) => draft.allowed && put({ impact }),
                  "What suffers",
                )}
              </div>
            </div>
          </div>
          ${recommendationFields({
            all: alert.recommendations ?? [],
            set: (recommendations) => put({ recommendations }),
            off: !draft.allowed,
          })}${draft.said("shareAbove")}${draft.said("alert")}
        </div>`
      : html`<p class="m s12 pad">With a limit it is looked at whenever 5 more minutes of flows are there.</p>`}
  </section>`;
}
