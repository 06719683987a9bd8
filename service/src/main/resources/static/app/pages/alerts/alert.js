// One alert at an address of its own.
import { html, nothing } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { titleOf } from "../../core/severity.js";
import { back, go, href } from "../../core/url.js";
import { copy } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { AlertDetail } from "./detail.js";
import { acknowledge, act, actButton, suspend } from "./actions.js";
import { isClosed, numberOf } from "./words.js";
import { silenceAlerts } from "./silence-sheet.js";
import { canAsk } from "../why-slow/words.js";

export function page(id) {
  const alert = new Load((_version, signal) => get(`/alerts/${id}`, {}, signal));
  const detail = new AlertDetail();
  const update = () => alert.want(alertVersion());
  const open = () => (alert.data && !isClosed(alert.data) ? [alert.data] : []);
  return {
    get title() {
      return alert.data ? `${numberOf(alert.data)} ${titleOf(alert.data)}` : "Alert";
    },
    name: "alert",
    timed: false,
    update,
    leave: () => detail.leave(),
    escape: () => back("/alerts"),
    get short() {
      return alert.data ? numberOf(alert.data) : "Alert";
    },
    acts() {
      const [a] = open();
      return a
        ? html`${a.owner
            ? actButton("Give back", "", () => act("release", [a]))
            : actButton("Take", "", () => act("take", [a]), { primary: true })}
          ${actButton(a.controlState === "acknowledged" ? "Acknowledged" : "Acknowledge", "", () =>
            acknowledge([a]),
          )}${actButton("Silence\u2026", "", () => silenceAlerts([a]))}`
        : nothing;
    },
    keys: () => ({
      A: [() => acknowledge(open()), "Acknowledge"],
      I: [() => open().length && act("take", open()), "Take"],
      Z: [() => open().length && suspend(open()), "Suspend until"],
      M: [() => open().length && silenceAlerts(open()), "Silence it"],
      N: [() => document.getElementById("note")?.focus(), "Note"],
      S: [() => alert.data && canAsk(alert.data.object) && go("/why-slow", { alert: id }), "Why is it slow?"],
      O: [() => alert.data && go(`/objects/${alert.data.object.id}`), "Open the object"],
      Y: [() => copy(location.href, "Link copied"), "Copy link"],
    }),
    view() {
      update();
      if (alert.error && !alert.data)
        return html`<div class="tb">
            <h1>No alert to show</h1>
          </div>
          <section class="pane">${failure(alert.error, () => alert.again())}</section>`;
      const a = alert.data;
      return html`<div class="tb">
          <a class="m nw" href=${href("/alerts")}>Alerts /</a>
          <h1 class="cut">${a ? `${titleOf(a)} on ${a.object.name}` : "\u00a0"}</h1>
        </div>
        ${a ? detail.page(a) : html`<section class="pane">${loaded(alert, () => "", { rows: 8 })}</section>`}`;
    },
  };
}
