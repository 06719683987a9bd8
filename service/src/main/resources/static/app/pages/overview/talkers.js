// What Overview says of traffic: who sent most within the last hour, against a week ago.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { amount, changeText } from "../../core/talkers.js";
import { HOUR, lastTick } from "../../core/time.js";
import { href } from "../../core/url.js";
import { pane } from "../../parts/pane.js";
import { bar } from "../../parts/small.js";
import { hasAlert } from "./alerts.js";

const SHOWN = 5;
const talkers = new Load((scope, to, signal) =>
  get(
    "/top-talkers",
    {
      by: "vm",
      measure: "rate",
      direction: "sent",
      scope: scope ? [scope] : [],
      from: to - HOUR,
      to,
      compare: ["week-ago"],
      sparkline: false,
      limit: SHOWN,
    },
    signal,
  ),
);

export function wantTalkers(scope) {
  talkers.want(scope, Math.floor(lastTick() / 60_000) * 60_000);
}

function row(i, most) {
  const hot = i.talker.object && hasAlert(i.talker.object.id);
  return html`<a class="talk" href=${href("/top-talkers", { range: "1h", from: null, to: null, row: i.talker.key })}
    ><span class="strong cut">${i.talker.name}</span>${bar(most ? i.value / most : 0, hot ? "--deviant-1" : "--seq-3")}
    <span class="r">${amount(i.value, "bit/s")}</span
    ><span class="r ${hot ? "hot" : "m"}">${changeText(i.weekAgo, i.value)}</span></a
  >`;
}

/** Nothing while there are no flows: who has no exporter is not told of it here. */
export function talkersPane() {
  if (!talkers.data?.items.length) return nothing;
  const most = talkers.data.items[0].value;
  return pane({
    title: "Top talkers",
    name: "overview-talkers",
    note: "sent, last hour, against a week ago",
    end: html`<a class="link" href=${href("/top-talkers", { range: "1h", from: null, to: null })}>All</a>`,
    body: html`<div class="list">${talkers.data.items.map((i) => row(i, most))}</div>`,
  });
}
