// What is behind a row: its pairs, its services, its flows, and a sentence that says what they amount to.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import {
  amount,
  asParams,
  changeText,
  endName,
  filterQuery,
  learn,
  narrowTo,
  percent,
  serviceText,
  within,
} from "../../core/talkers.js";
import { amend, href, param } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { severityShape } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { span } from "./table.js";

const SHOWN = 6;
const LISTS = { pairs: "Pairs", ports: "Ports", flows: "Flows" };
// What flows are sorted by for a measure; rates have the order of bytes.
const SORTS = { rate: "bytes" };

async function read(list, query, measure, signal) {
  if (list === "flows")
    return { list, ...(await get("/flows", { ...query, sort: SORTS[measure] ?? measure, limit: SHOWN }, signal)) };
  const by = list === "pairs" ? "pair" : "port";
  const answer = await get(
    "/top-talkers",
    { ...query, by, measure, compare: ["before"], sparkline: false, limit: SHOWN },
    signal,
  );
  for (const { talker } of answer.items) learn(talker);
  return { list, ...answer };
}

/** The lines of a list: `{ name, hint, value, share, change, to }`, `to` what narrows to it. */
function linesOf(data, { measure, talker, whole }) {
  if (data.list === "flows") {
    const key = SORTS[measure] ?? measure;
    const value = (f) => (key === "peak" ? f.peakMinuteBytes : f[key]);
    const unit = key === "bytes" || key === "peak" ? "B" : "";
    return {
      unit,
      lines: data.items.map((f) => ({
        name: `${endName(f.from)} to ${f.to ? endName(f.to) : plural(f.folded ?? 0, "folded flow")}`,
        hint: serviceText(f.service),
        value: value(f),
        share: whole ? value(f) / whole : null,
        to: {
          of: [f.from.key],
          ...(f.to ? { peer: [f.to.key] } : {}),
          direction: "sent",
          ...(f.service ? { ports: f.service.service } : {}),
        },
      })),
      total: data.total,
    };
  }
  // Where one end is the same in all of them, the other one tells them apart.
  const same = (end) =>
    data.list === "pairs" &&
    talker &&
    data.items.length > 0 &&
    data.items.every((i) => i.talker[end]?.key === data.items[0].talker[end]?.key);
  const name = (t) =>
    same("from") && !same("to") ? endName(t.to) : same("to") && !same("from") ? endName(t.from) : t.name;
  const base = whole || data.total;
  return {
    unit: data.unit,
    total: data.items.length + (data.others?.talkers ?? 0),
    lines: data.items.map((i) => ({
      name: name(i.talker),
      value: i.value,
      share: base && measure !== "peak" ? i.value / base : null,
      change: i.before,
      to: narrowTo(i.talker),
    })),
  };
}

export class TalkerDetail {
  #load = new Load(read);
  #lines = memo((data, measure, talker, whole) => linesOf(data, { measure, talker, whole }));

  get list() {
    return LISTS[param("list")] ? param("list") : "pairs";
  }

  /** Reads what is behind `row`, or all of the question when none is chosen. */
  want(q, row, scope, window) {
    const own = within(q, row?.talker);
    const subject = row?.id ?? "";
    if (this.#load.of !== `${subject} ${this.list}`) this.#load.reset();
    this.#load.of = `${subject} ${this.list}`;
    this.#load.want(this.list, { ...filterQuery(own, scope), direction: own.direction, ...window }, q.measure);
  }

  view({ q, row, data, health, open }) {
    const own = within(q, row?.talker);
    const params = { ...asParams(own), direction: own.direction === "both" ? null : own.direction };
    const object = row?.talker.object;
    return html`<section class="pane behind" aria-label=${row ? row.name : "All of it"}>
      <div class="ph">
        <h2 class="cut" title=${row?.name ?? nothing}>
          ${row ? (object ? html`<a href=${href(`/objects/${object.id}`)}>${row.name}</a>` : row.name) : "All of it"}
        </h2>
        <span class="sp"></span>
        ${segments(
          this.list,
          Object.entries(LISTS),
          (v) => amend({ list: v === "pairs" ? null : v }, { replace: true }),
          "What is listed",
        )}
      </div>
      ${row
        ? html`<p class="behind-say">
            ${this.#say(q, row, data)}${health
              ? html` <a class="acc" href=${href("/alerts", { q: `object:"${object.name}"` })}
                    >${severityShape(health.own, 10)} ${plural(health.count, "open alert")}</a
                  >.`
              : nothing}
          </p>`
        : nothing}
      ${loaded(this.#load, (answer) => this.#list(answer, q, row), {
        rows: 6,
        isEmpty: (d) => !d.items.length,
        empty: "Nothing is known behind it in this range.",
      })}
      <p class="behind-more">
        ${row ? nothing : html`<span class="m">Choose a row for what is behind it.</span>`}
        <a class="acc" href=${href("/top-talkers/flows", params)}>Flows</a>
        ${row ? html`<button class="link" @click=${() => open(row)}>Only this <kbd>Enter</kbd></button>` : nothing}
      </p>
    </section>`;
  }

  #list(answer, q, row) {
    const whole = row && !["peak", "rate"].includes(q.measure) ? row.value : 0;
    const { lines, unit, total } = this.#lines(answer, q.measure, row?.talker ?? null, whole);
    if (!lines.length) return html`<div class="empty">Nothing went this way.</div>`;
    const most = Math.max(...lines.map((l) => l.value), 1);
    const long = lines.some((l) => l.name.length > 18);
    const line = (l) =>
      html`<button
        class="behind-line"
        title=${`${l.name}${l.hint ? `, ${l.hint}` : ""}: only this`}
        @click=${() => this.#narrow(l)}
      >
        <span class="cut strong">${l.name}</span><span class="m cut">${l.hint ?? ""}</span
        ><span class="share-bar"><i .style=${`width:${(l.value / most) * 100}%;background:var(--seq-3)`}></i></span
        ><span class="r">${amount(l.value, unit)}</span
        ><span class="r m">${l.share === null ? "" : percent(l.share)}</span
        ><span class="r m">${l.change ? changeText(l.change, l.value) : ""}</span>
      </button>`;
    return html`<div class="behind-list ${answer.list} ${long ? "long" : ""}">
      ${lines.map(line)}${total > lines.length
        ? html`<div class="behind-line m">
            <span>${count(total - lines.length)} others</span>
          </div>`
        : nothing}
    </div>`;
  }

  #narrow({ to }) {
    if (Object.keys(to).length) amend({ ...to, row: null });
  }

  /** One sentence: how much, of what, how it changed, and who has most of it. */
  #say(q, row, data) {
    const verb = { sent: "sent", received: "received", both: "moved" }[q.direction];
    const parts = [
      html`<b>${row.name}</b> ${verb} <b>${data.text(row.value)}</b>${q.measure === "peak"
          ? " in its busiest minute"
          : row.share
            ? `, ${percent(row.share)} of all`
            : ""}.`,
    ];
    const before = row.before;
    if (before && before.change === null && row.value > 0) parts.push(html` Nothing in the ${span()} before.`);
    else if (before && Math.abs(before.change) >= 0.05)
      parts.push(html` In the ${span()} before it was ${data.text(before.value)}.`);
    if (row.weekAgo && row.weekAgo.value > 0 && Math.abs(row.weekAgo.change) >= 0.05)
      parts.push(html` A week ago ${data.text(row.weekAgo.value)}.`);
    if (row.usual?.unusual)
      parts.push(html` That is more than is usual for it in these hours, ${data.text(row.usual.most)} at most.`);
    const answer = this.#load.data;
    if (answer?.items.length && answer.list !== "flows") {
      const [first] = this.#lines(
        answer,
        q.measure,
        row.talker,
        ["peak", "rate"].includes(q.measure) ? 0 : row.value,
      ).lines;
      if (first?.share > 0.3)
        parts.push(
          html` ${percent(first.share)} of it
          ${answer.list === "ports"
            ? html`is <b>${first.name}</b>`
            : q.direction === "received"
              ? html`came from <b>${first.name}</b>`
              : html`went to <b>${first.name}</b>`}.`,
        );
    }
    if (row.peakMinuteRate > 4 * row.meanRate && row.meanRate > 0) parts.push(html` It comes in bursts.`);
    return parts;
  }
}
