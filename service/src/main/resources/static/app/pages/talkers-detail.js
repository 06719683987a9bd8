// What is behind a row: its pairs, its services, its flows, and a sentence that says what they amount to.
import { html, nothing } from "../core/html.js";
import { get } from "../core/api.js";
import { count, plural } from "../core/format.js";
import { Load } from "../core/load.js";
import { memo } from "../core/memo.js";
import { amount, changeText, endName, filterQuery, narrowTo, percent, serviceText } from "../core/talkers.js";
import { duration, range } from "../core/time.js";
import { amend, href, param } from "../core/url.js";
import { loaded } from "../parts/pane.js";
import { severityShape } from "../parts/shapes.js";
import { segments } from "../parts/small.js";

const SHOWN = 6;
const MOST = 200;
const LISTS = { pairs: "Pairs", ports: "Ports", flows: "Flows" };
// What flows are sorted by for a measure; rates have the order of bytes.
const SORTS = { rate: "bytes" };

/** The question of a row: that of the page, narrowed to the talker. */
export function questionOf(q, talker) {
  const to = talker ? narrowTo(talker) : {};
  return { ...q, of: to.of ?? q.of, peers: to.peer ?? q.peers, networks: to.network ?? q.networks, ports: to.ports ? [to.ports] : q.ports };
}

async function read(list, query, measure, signal) {
  if (list === "flows") return { list, ...(await get("/flows", { ...query, sort: SORTS[measure] ?? measure, limit: SHOWN }, signal)) };
  const by = list === "pairs" ? "pair" : "port";
  return { list, ...(await get("/top-talkers", { ...query, by, measure, direction: "both", compare: ["before"], sparkline: false, limit: list === "pairs" ? MOST : SHOWN }, signal)) };
}

/** One line of a list: `{ name, hint, value, share, change, to }`. */
function linesOf(data, { measure, direction, talker, whole }) {
  if (data.list === "flows") {
    const key = SORTS[measure] ?? measure;
    const value = (f) => (key === "peak" ? f.peakMinuteBytes : f[key]);
    const unit = key === "bytes" || key === "peak" ? "B" : "";
    return { unit, lines: data.items.map((f) => ({ name: `${endName(f.from)} to ${f.to ? endName(f.to) : plural(f.folded ?? 0, "folded flow")}`, hint: serviceText(f.service), value: value(f), share: whole ? value(f) / whole : null, narrow: { from: f.from, to: f.to } })), total: data.total };
  }
  const own = talker?.object?.id;
  const isEnd = (end) => end?.object?.id === own;
  let { items } = data;
  // Of an end itself it is known which way the bytes go.
  const known = data.list === "pairs" && own && items.some((i) => isEnd(i.talker.from) || isEnd(i.talker.to));
  if (known && direction !== "both") items = items.filter((i) => isEnd(direction === "sent" ? i.talker.from : i.talker.to));
  const name = (t) => {
    if (!known) return t.name;
    return direction === "sent" ? endName(t.to) : direction === "received" ? endName(t.from) : isEnd(t.from) ? `to ${endName(t.to)}` : `from ${endName(t.from)}`;
  };
  const base = whole || data.total;
  return { unit: data.unit, way: known ? direction : null, total: items.length + (items.length < data.items.length ? 0 : (data.others?.talkers ?? 0)), lines: items.slice(0, SHOWN).map((i) => ({ name: name(i.talker), value: i.value, share: base && measure !== "peak" ? i.value / base : null, change: i.before, narrow: i.talker })) };
}

export class TalkerDetail {
  #load = new Load(read);
  #lines = memo((data, measure, direction, talker, whole) => linesOf(data, { measure, direction, talker, whole }));

  get list() {
    return LISTS[param("list")] ? param("list") : "pairs";
  }

  /** Reads what is behind `row`, or all of the question when none is chosen. */
  want(q, row, scope, window) {
    const own = questionOf(q, row?.talker);
    const subject = row?.id ?? "";
    if (this.#load.of !== `${subject} ${this.list}`) this.#load.reset();
    this.#load.of = `${subject} ${this.list}`;
    this.#load.want(this.list, { ...filterQuery(own, scope), ...window }, q.measure);
  }

  view({ q, row, data, health, open }) {
    const behind = questionOf(q, row?.talker);
    const params = { traffic: behind.traffic, ports: behind.ports.join(","), network: behind.networks, of: behind.of, peer: behind.peers };
    const object = row?.talker.object;
    return html`<section class="pane behind" aria-label=${row ? row.name : "All of it"}>
      <div class="ph"><h2 class="cut" title=${row?.name ?? nothing}>${row ? (object ? html`<a href=${href(`/objects/${object.id}`)}>${row.name}</a>` : row.name) : "All of it"}</h2><span class="sp"></span>
        ${segments(this.list, Object.entries(LISTS), (v) => amend({ list: v === "pairs" ? null : v }, { replace: true }), "What is listed")}</div>
      ${row ? html`<p class="behind-say">${this.#say(q, row, data)}${health ? html` <a class="acc" href=${href("/alerts", { q: `object:"${object.name}"` })}>${severityShape(health.own, 10)} ${plural(health.count, "open alert")}</a>.` : nothing}</p>` : nothing}
      ${loaded(this.#load, (answer) => this.#list(answer, q, row, open), { rows: 6, isEmpty: (d) => !d.items.length, empty: "Nothing is known behind it in this range." })}
      <p class="behind-more">${row ? nothing : html`<span class="m">Choose a row for what is behind it.</span>`}<a class="acc" href=${href("/top-talkers/flows", params)}>Flows</a>${row ? html`<button class="link" @click=${() => open(row)}>Only this <kbd>Enter</kbd></button>` : nothing}</p></section>`;
  }

  #list(answer, q, row, open) {
    const whole = row && !["peak", "rate"].includes(q.measure) ? row.value : 0;
    const { lines, unit, total } = this.#lines(answer, q.measure, q.direction, row?.talker ?? null, whole);
    if (!lines.length) return html`<div class="empty">Nothing went this way.</div>`;
    const most = Math.max(...lines.map((l) => l.value), 1);
    const long = lines.some((l) => l.name.length > 24);
    const line = (l) => html`<button class="behind-line" title=${`${l.name}${l.hint ? `, ${l.hint}` : ""}: only this`} @click=${() => this.#narrow(l)}><span class="cut strong">${l.name}</span><span class="m cut">${l.hint ?? ""}</span><span class="share-bar"><i .style=${`width:${(l.value / most) * 100}%;background:var(--seq-3)`}></i></span><span class="r">${amount(l.value, unit)}</span><span class="r m">${l.share === null ? "" : percent(l.share)}</span><span class="r m">${l.change ? changeText(l.change, l.value) : ""}</span></button>`;
    return html`<div class="behind-list ${answer.list} ${long ? "long" : ""}">${lines.map(line)}${total > lines.length ? html`<div class="behind-line m"><span>${count(total - lines.length)} others</span></div>` : nothing}</div>`;
  }

  #narrow(l) {
    const to = narrowTo(l.narrow.from || l.narrow.to ? { from: l.narrow.from, to: l.narrow.to } : l.narrow);
    if (Object.keys(to).length) amend({ ...to, row: null });
  }

  /** One sentence: how much, of what, how it changed, and who has most of it. */
  #say(q, row, data) {
    const verb = { sent: "sent", received: "received", both: "moved" }[q.direction];
    const parts = [html`<b>${row.name}</b> ${verb} <b>${data.text(row.value)}</b>${q.measure === "peak" ? " in its busiest minute" : row.share ? `, ${percent(row.share)} of all` : ""}.`];
    const before = row.before;
    if (before && before.change === null && row.value > 0) parts.push(html` Nothing in the ${duration(range().to - range().from)} before.`);
    else if (before && Math.abs(before.change) >= 0.05) parts.push(html` In the ${duration(range().to - range().from)} before it was ${data.text(before.value)}.`);
    if (row.weekAgo && row.weekAgo.value > 0 && Math.abs(row.weekAgo.change) >= 0.05) parts.push(html` A week ago ${data.text(row.weekAgo.value)}.`);
    const answer = this.#load.data;
    if (answer?.items.length && answer.list !== "flows") {
      const [first] = this.#lines(answer, q.measure, q.direction, row.talker, ["peak", "rate"].includes(q.measure) ? 0 : row.value).lines;
      if (first?.share > 0.3) parts.push(html` ${percent(first.share)} of it ${answer.list === "ports" ? html`is <b>${first.name}</b>` : q.direction === "received" ? html`came from <b>${first.name}</b>` : html`went to <b>${first.name}</b>`}.`);
    }
    if (row.peakMinuteRate > 4 * row.meanRate && row.meanRate > 0) parts.push(" It comes in bursts.");
    return parts;
  }
}
