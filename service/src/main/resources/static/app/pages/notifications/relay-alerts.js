// The alerts that came through a relay.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { count } from "../../core/format.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";

/** At most so many alerts are read. */
export const MOST = 200;

export const readAlerts = (state) => state.alerts.want(lastTick(), state.onlyOpen);

function choose(state, id) {
  state.chosen = id;
  state.why.reset();
  if (id) state.why.want(id, lastTick());
  redraw();
}

async function end(state, alert) {
  if (!may("operator")) return notice(NEEDS);
  try {
    await post(`/notification-relays/${state.draft.id}/alerts/${alert.id}/end`);
    notice(`${alert.name} is over`);
  } catch (error) {
    notice(`Not ended: ${error.message}`, { seconds: 8 });
  }
  state.alerts.again();
}

function alertRow(state, a) {
  const on = state.chosen === a.id;
  const { severity } = a;
  return html`<tr class="${on ? "sel" : ""} ${a.open ? "" : "quiet"}" @click=${() => choose(state, on ? null : a.id)}>
      <td>
        ${a.open ? shape(severity === "information" ? "info" : severity, 12, severity) : shape("alike", 12, "over")}
      </td>
      <td class="strong" title=${a.info ?? a.name}>${a.name}</td>
      <td title=${a.objectKind ?? ""}>${a.objectName ?? html`<span class="m">none</span>`}</td>
      <td class="m cut" title=${a.info ?? ""}>${a.info ?? ""}</td>
      <td class="r m">${moment(Date.parse(a.openedAt))}</td>
      <td class="r m">${moment(Date.parse(a.updatedAt))}</td>
      <td class="r">
        <button class="link" aria-expanded=${on} aria-label=${`Why ${a.name}`}>Why?</button>${a.open && may("operator")
          ? html`&nbsp;
              <button
                class="link"
                title="As if the sender had said so"
                aria-label=${`End ${a.name}`}
                @click=${(e) => {
                  e.stopPropagation();
                  end(state, a);
                }}
              >
                End
              </button>`
          : nothing}
      </td>
    </tr>
    ${on
      ? html`<tr class="inside-row">
          <td></td>
          <td colspan="6">
            <p class="s12 m row">
              ${a.key}
              <a class="acc" href=${href("/notifications", { tab: "deliveries", alert: a.id, since: "30d" })}
                >Deliveries</a
              >
              ${a.url && /^https?:/.test(a.url)
                ? html` <a class="acc" href=${a.url} rel="noreferrer noopener" target="_blank">At the sender</a>`
                : nothing}
            </p>
            ${state.why.section(a, true)}
          </td>
        </tr>`
      : nothing}`;
}

export function alertsPane(state) {
  const { alerts } = state;
  const list = alerts.data?.items ?? [];
  return html`<section class="pane relayed" aria-label="Alerts that came through">
    <div class="ph">
      <h2>Alerts that came through</h2>
      <span class="m cut"
        >${alerts.data
          ? `${count(alerts.data.total)}${alerts.data.total > MOST ? `, the last ${MOST} are shown` : ""}`
          : ""}</span
      >
      <span class="sp"></span>
      <label class="check"
        ><input
          type="checkbox"
          .checked=${state.onlyOpen}
          @change=${(e) => {
            state.onlyOpen = e.target.checked;
            readAlerts(state);
            redraw();
          }}
        />Only open ones</label
      >
    </div>
    ${loaded(
      alerts,
      () =>
        list.length
          ? html`<div class="scrolls">
              <table>
                <colgroup>
                  <col class="w-state" />
                  <col class="w-why" />
                  <col class="w-name" />
                  <col />
                  <col class="w-stamp" />
                  <col class="w-stamp" />
                  <col class="w-acts" />
                </colgroup>
                <thead>
                  <tr>
                    <td></td>
                    <th>Alert</th>
                    <th>Object</th>
                    <th>Says</th>
                    <th class="r">Opened</th>
                    <th class="r">Last news</th>
                    <th></th>
                  </tr>
                </thead>
                <tbody>
                  ${list.map((a) => alertRow(state, a))}
                </tbody>
              </table>
            </div>`
          : html`<div class="empty s12">
              ${state.onlyOpen ? "None is open." : "Nothing has come yet, or it is forgotten."}
            </div>`,
      { rows: 4 },
    )}
  </section>`;
}
