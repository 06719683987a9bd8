// What stands beside the bands: who waits with it, other limits, machines of a host or cluster, what changed.
import { html, nothing, repeat } from "../../core/html.js";
import { changeWords } from "../../core/changes.js";
import { count, number, plural, short, withUnit } from "../../core/format.js";
import { clock, duration, moment, sameDay } from "../../core/time.js";
import { href } from "../../core/url.js";
import { pane } from "../../parts/pane.js";
import { bar, chip, spark } from "../../parts/small.js";
import { figureText, usualText } from "./words.js";

const percent = (share) => `${number(share * 100, 2)} %`;
const signed = (share) => `${share < 0 ? "\u2212" : "+"}${number(Math.abs(share) * 100, 2)} %`;

function victim(v) {
  const fell = v.change < 0 ? `fell to ${percent(1 + v.change)}` : `rose to ${percent(1 + v.change)}`;
  const among = v.days ? `of ${plural(v.days, "day")} before` : "of the minutes around";
  return html`<div class="victim">
    <div>
      <a class="strong" href=${href(`/objects/${v.object.id}`)}>${v.object.name}</a>
      <span class="m s12">waits on ${v.port}</span>
      <p class="s12 i2" title=${`${among}, ${percent(v.chance)} or fewer show such a fall`}>
        no limit; ${fell} in ${v.minutes} of ${v.ofMinutes} min
      </p>
    </div>
    <div class="victim-line">
      ${spark(v.history.values, { width: 96, height: 26, colour: "--deviant-1", zero: true })}
      <span class="s12 hot">${signed(v.change)}</span>
    </div>
  </div>`;
}

export function victimsPane(victims) {
  if (!victims) return nothing;
  const { items, limited, unchanged, comparedWith, note } = victims;
  const rest = [
    limited ? `${count(limited)} more with limits of their own ${limited === 1 ? "is" : "are"} not counted` : "",
    unchanged ? `${count(unchanged)} that ${unchanged === 1 ? "talks" : "talk"} with it did not fall` : "",
  ].filter(Boolean);
  const said = items.length || unchanged;
  const foot = [said ? comparedWith : null, said ? note : null, rest.length ? `${rest.join("; ")}.` : null].filter(
    Boolean,
  );
  return pane({
    title: "Who waits with it",
    note: "second victims, joined by flows",
    name: "victims",
    body: html`${items.length
      ? repeat(items, (v) => v.object.id, victim)
      : note && !unchanged
        ? html`<p class="empty s12">${note}</p>`
        : html`<p class="empty s12">Nobody that talks with it fell in the minutes in which it was delayed.</p>`}
    ${foot.length
      ? html`<div class="pane-foot m s12">${foot.map((sentence) => html`<p>${sentence}</p>`)}</div>`
      : nothing}`,
  });
}

function counted({ meanBlockKb, weight, limit, normalised }) {
  if (!normalised || !meanBlockKb || !weight || weight < 1.01) return nothing;
  return html`<p class="s12 i2 pad">
    Its mean block is ${number(meanBlockKb, 3)} KB, so each of its requests counts ${number(weight, 3)}. Set as
    ${count(limit)} it gives ${count(limit / weight)} real IOPS.
  </p>`;
}

export function limitPane(limit, latencyUnit = "ms") {
  if (!limit) return nothing;
  const most = Math.max(1, ...limit.trials.map((t) => t.minutesCut));
  const row = (t) =>
    html`<tr class=${t.now ? "sel" : ""}>
      <td class="nw">
        ${t.now
          ? html`<b>${t.limit === null ? "none" : count(t.limit)}, now</b>`
          : t.limit === null
            ? "none"
            : count(t.limit)}
        ${t.forP95 ? chip("p95", "what the 95th percentile of what it asked for needs") : nothing}
      </td>
      <td class="nw">
        <span class="row"
          ><span class="cut-bar">${bar(t.minutesCut / most, "--seq-4")}</span
          ><span class="s12">${count(t.minutesCut)}</span></span
        >
      </td>
      <td class="r nw">${percent(t.shareOfTime)}</td>
      <td class="r nw" title=${t.latencyMillisP95 === null ? "cannot be told" : t.estimated ? "estimated" : "measured"}>
        ${t.latencyMillisP95 === null ? "-" : `${t.estimated ? "~" : ""}${withUnit(t.latencyMillisP95, latencyUnit)}`}
      </td>
    </tr>`;
  const title = `${limit.disk}${limit.policy ? `, policy ${limit.policy}` : ""}`;
  return html`<section class="pane trials" id="trials" tabindex="-1" aria-label="If the limit were">
    <div class="ph">
      <h2>If the limit were</h2>
      <span class="m cut" title=${title}
        >${limit.trials.length
          ? `from its last ${duration(Date.parse(limit.to) - Date.parse(limit.from))}`
          : `${count(limit.limit)} now, ${title}`}</span
      >
    </div>
    ${limit.trials.length
      ? html`<table>
          <thead>
            <tr>
              <th>Limit</th>
              <th>Minutes cut</th>
              <th class="r">of the time</th>
              <th class="r">Latency p95</th>
            </tr>
          </thead>
          <tbody>
            ${limit.trials.map(row)}
          </tbody>
        </table>`
      : html`<p class="empty s12">Too little history to say what other limits would do.</p>`}
    ${counted(limit)}
    <div class="pane-foot m s12">
      <p class="i2">${limit.spare.note}</p>
      ${limit.trials.length ? html`<p>${limit.note}</p>` : nothing}
    </div>
  </section>`;
}

const FIRST = 8;

/** The foot of a list that is cut to its first rows. */
const showMore = (left, show) =>
  left > 0
    ? html`<div class="pane-foot"><button class="link s12" @click=${show}>Show ${count(left)} more</button></div>`
    : nothing;

export function machinesPane(machines, at, all, showAll) {
  if (!machines) return nothing;
  const shown = all ? machines.items : machines.items.slice(0, FIRST);
  const unknown = machines.total - machines.known;
  return pane({
    title: "Slow machines",
    note: `${count(machines.slow)} of ${plural(machines.total, "machine")}${unknown ? `, of ${count(unknown)} it is not known` : ""}`,
    name: "machines",
    body: machines.items.length
      ? html`${repeat(
          shown,
          (m) => m.object.id,
          (m) =>
            html`<a
              class="list-row"
              href=${href("/why-slow", { object: m.object.id, at })}
              title=${`${m.figure.label}, usual ${usualText(m.figure)}`}
              ><span class="grow cut">${m.object.name}</span><span class="m s12 nw">${m.figure.label}</span
              ><b class="nw hot">${figureText(m.figure)}</b
              ><span class="m s12 nw">${short(m.timesUsual)} times usual</span></a
            >`,
        )}${showMore(machines.items.length - shown.length, showAll)}${all && machines.slow > machines.items.length
          ? html`<div class="pane-foot m s12">${count(machines.slow - machines.items.length)} more are slow</div>`
          : nothing}`
      : html`<p class="empty s12">No machine of it is slow.</p>`,
  });
}

function change(c, at) {
  const [words, before, link, after] = changeWords(c);
  const time = Date.parse(c.time);
  return html`<a
    class="change"
    href=${c.id ? href("/compare", { change: c.id }) : href(`/objects/${c.object.id}`)}
    title=${c.id ? "Compare before and after" : nothing}
  >
    <span class="m nw" title=${moment(time, true)}>${sameDay(time, at) ? clock(time) : moment(time)}</span
    ><span><b>${c.object.name}</b> ${words} <span class="m">${before ?? ""} ${link}</span> ${after ?? ""}</span>
  </a>`;
}

export function changesPane(changes, at, all, showAll) {
  const shown = all ? changes : changes.slice(0, FIRST);
  return pane({
    title: "What changed",
    note: "on its path, 24 h",
    name: "changed",
    body: html`${changes.length
      ? html`<div class="pad-y">
          ${repeat(
            shown,
            (c) => `${c.time} ${c.object.id} ${c.kind} ${c.key}`,
            (c) => change(c, at),
          )}
        </div>`
      : html`<p class="empty s12">Nothing changed on its path in the 24 hours before.</p>`}
    ${showMore(changes.length - shown.length, showAll)}`,
  });
}
