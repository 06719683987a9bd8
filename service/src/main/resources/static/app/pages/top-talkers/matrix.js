// Who talks to whom: the largest pairs, put together by tier, cluster, network or object, as a matrix or as bands
// between two columns.
import { html, nothing, svg } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { number, scale } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { phone } from "../../core/screen.js";
import { amount, learn, percent } from "../../core/talkers.js";
import { amend, param } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { pane, loaded } from "../../parts/pane.js";
import { segments } from "../../parts/small.js";

const PAIRS = 1000;
const SHOWN = 8;
const LISTED = 10;
const MOST_KNOWN = 20_000;
const BY = { tier: "tier to tier", cluster: "cluster to cluster", network: "network to network", object: "end to end" };
const OTHERS = "others";

// Tier and cluster of objects, by their id.
const known = new Map();

async function read(query, signal) {
  const answer = await get(
    "/top-talkers",
    { ...query, by: "pair", compare: ["none"], sparkline: false, limit: PAIRS },
    signal,
  );
  const ids = [...new Set(answer.items.flatMap((i) => [i.talker.from?.object?.id, i.talker.to?.object?.id]))].filter(
    (id) => id && !known.has(id),
  );
  for (const { talker } of answer.items) learn(talker);
  if (known.size + ids.length > MOST_KNOWN) {
    known.clear();
    ids.push(
      ...answer.items
        .flatMap((i) => [i.talker.from?.object?.id, i.talker.to?.object?.id])
        .filter((id) => id && !ids.includes(id)),
    );
  }
  for (let i = 0; i < ids.length; i += 1000) {
    const { items } = await post("/objects/query", { ids: ids.slice(i, i + 1000), limit: 1000 }, signal);
    for (const o of items)
      known.set(o.id, { tier: tierOf(o.tags), cluster: o.properties["summary|parentCluster"] ?? null });
  }
  return answer;
}

/** Tiers of different applications have the same names: shop/db and pay/db. */
function tierOf({ app, tier }) {
  return tier ? [app, tier].filter(Boolean).join("/") : null;
}

const outside = (end) => end.network ?? (end.internal ? "internal" : "Internet");
const LABELS = {
  tier: (end) => known.get(end.object?.id)?.tier ?? outside(end),
  cluster: (end) => known.get(end.object?.id)?.cluster ?? outside(end),
  network: outside,
  object: (end) => end.name,
};

/** Pairs put together: labels in the order of their sums, cells by sender and receiver. */
function grouped(items, by) {
  const label = LABELS[by];
  const sums = new Map();
  const cells = new Map();
  const ends = new Map();
  for (const { talker, value } of items) {
    if (!talker.from || !talker.to) continue;
    const [from, to] = [label(talker.from), label(talker.to)];
    ends.set(from, talker.from);
    ends.set(to, talker.to);
    for (const l of new Set([from, to])) sums.set(l, (sums.get(l) ?? 0) + value);
    cells.set(`${from}\n${to}`, (cells.get(`${from}\n${to}`) ?? 0) + value);
  }
  const all = [...sums].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([l]) => l);
  const labels = all.length > SHOWN ? [...all.slice(0, SHOWN - 1), OTHERS] : all;
  const place = (l) => (labels.includes(l) ? l : OTHERS);
  const together = new Map();
  for (const [key, value] of cells) {
    const [from, to] = key.split("\n");
    const at = `${place(from)}\n${place(to)}`;
    together.set(at, (together.get(at) ?? 0) + value);
  }
  return { labels, cells: together, distinct: all.length, ends };
}

/** By what is put together when nobody chose: the first that tells more than one from another. */
function usual(items) {
  for (const by of ["tier", "network"]) if (grouped(items, by).distinct > 2) return by;
  return "object";
}

/** "shop/web" in two lines, for narrow heads. */
function twoLines(label) {
  const slash = label.indexOf("/");
  return slash > 0 ? html`${label.slice(0, slash + 1)}<br />${label.slice(slash + 1)}` : label;
}

export class WhoTalks {
  #load = new Load(read);
  #made = memo((data, chosen) => {
    const by = BY[chosen] ? chosen : usual(data.items);
    return { by, ...grouped(data.items, by), sum: data.items.reduce((n, i) => n + i.value, 0) };
  });
  #spec = memo((made, unit) => {
    const most = Math.max(0, ...made.cells.values());
    // In a unit that leaves small cells legible beside the largest.
    const s = unit === "B" ? scale("B", most / 50) : { unit: "", factor: 1 };
    return { most, ...s };
  });

  want(query) {
    this.#load.want(query);
  }

  /** Narrows to one cell: to its sender exactly, to its receiver where that is a single end. */
  #choose(made, from, to) {
    const [one, other] = [made.ends.get(from), made.ends.get(to)];
    if (from === OTHERS || !one) return;
    const { by } = made;
    const sender =
      by === "object"
        ? { of: [one.key] }
        : by === "tier" && known.get(one.object?.id)?.tier === from
          ? { tier: [from] }
          : one.network === from
            ? { network: [from] }
            : null;
    const receiver = by === "object" && to !== OTHERS && other ? { peer: [other.key] } : {};
    if (sender) amend({ ...sender, ...receiver, direction: "sent", row: null });
    else notice("Only tiers, networks and single ends can be narrowed to from here.");
  }

  view(measure) {
    const data = this.#load.data;
    const made = data && this.#made(data, param("ends"));
    const spec = data && this.#spec(made, data.unit);
    const sankey = param("flow") === "sankey";
    const covered =
      data && data.total > 0 && made.sum < data.total * 0.995
        ? `The ${data.items.length.toLocaleString("en")} largest pairs, ${percent(made.sum / data.total)} of ${amount(data.total, data.unit)}`
        : "";
    return pane({
      title: "Who talks to whom",
      name: "talk-who",
      note: made
        ? html`<select
            class="quiet-select"
            aria-label="Put together by"
            @change=${(e) => amend({ ends: e.target.value }, { replace: true })}
          >
            ${Object.entries(BY).map(
              ([id, words]) =>
                html`<option value=${id} ?selected=${id === made.by}>${words}, ${spec.unit || measure}</option>`,
            )}
          </select>`
        : nothing,
      end: phone()
        ? nothing
        : segments(
            sankey ? "sankey" : "matrix",
            [
              ["matrix", "Matrix"],
              ["sankey", "Sankey"],
            ],
            (v) => amend({ flow: v === "matrix" ? null : v }, { replace: true }),
            "How it is drawn",
          ),
      body: loaded(
        this.#load,
        () =>
          html`${phone()
            ? this.#list(made, spec)
            : sankey
              ? this.#sankey(made, spec)
              : this.#matrix(made, spec)}${covered ? html`<p class="m s12 covered">${covered}</p>` : nothing}`,
        { rows: 7, isEmpty: (d) => !d.items.length, empty: "No traffic between two ends in this range." },
      ),
    });
  }

  #text(v, spec) {
    const shown = v * spec.factor;
    if (shown >= 1e6) return `${number(shown / 1e6, 2)} M`;
    return shown < 0.1 ? "< 0.1" : shown < 10 ? String(Number(shown.toFixed(1))) : number(Math.round(shown));
  }

  #matrix(made, spec) {
    const { labels, cells } = made;
    const at = (from, to) => cells.get(`${from}\n${to}`) ?? 0;
    // Who only sends has no column, who only receives no row.
    const senders = labels.filter((from) => labels.some((to) => at(from, to) > 0));
    const receivers = labels.filter((to) => labels.some((from) => at(from, to) > 0));
    const cell = (from, to) => {
      const v = at(from, to);
      const q = v > 0 ? 1 + Math.min(4, Math.floor(5 * Math.sqrt(v / spec.most) * 0.999)) : 0;
      if (!v) return html`<td class="q0"></td>`;
      const words = `${from} to ${to}: ${amount(v, spec.unit ? "B" : "")}`;
      return html`<td class="q${q}">
        <button title=${words} aria-label=${words} @click=${() => this.#choose(made, from, to)}>
          ${this.#text(v, spec)}
        </button>
      </td>`;
    };
    return html`<div class="x-scroll" tabindex="0" role="region" aria-label="Who sends to whom">
      <table class="matrix" aria-label="Senders in rows, receivers in columns">
        <thead>
          <tr>
            <th class="corner">from, to</th>
            ${receivers.map((l) => html`<th scope="col" title=${l}>${twoLines(l)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${senders.map(
            (from) =>
              html`<tr>
                <th scope="row" title=${from}>${from}</th>
                ${receivers.map((to) => cell(from, to))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }

  /** On phones: the largest pairs, one below the other. */
  #list(made, spec) {
    const pairs = [...made.cells].filter(([, v]) => v > 0).sort((a, b) => b[1] - a[1]);
    const rest = pairs.slice(LISTED);
    const row = ([key, v]) => {
      const [from, to] = key.split("\n");
      return html`<button class="list-row pair-row" @click=${() => this.#choose(made, from, to)}>
        <span class="pair"><b>${from}</b> <span class="m">to</span> <b>${to}</b></span
        ><span class="r nw">${amount(v, spec.unit ? "B" : "")}</span
        ><span class="m r share">${percent(v / made.sum)}</span>
      </button>`;
    };
    return html`<div class="list" role="group" aria-label="Largest pairs">${pairs.slice(0, LISTED).map(row)}</div>
      ${rest.length
        ? html`<p class="m s12 covered">
            ${rest.length} smaller ones, ${percent(rest.reduce((n, [, v]) => n + v, 0) / made.sum)} together
          </p>`
        : nothing}`;
  }

  #sankey(made, spec) {
    const [width, height, gap, bar] = [388, 240, 5, 8];
    const [left, right] = [96, width - 96];
    const list = [...made.cells]
      .map(([key, value]) => ({ from: key.split("\n")[0], to: key.split("\n")[1], value }))
      .filter((c) => c.value > 0);
    const sum = list.reduce((n, c) => n + c.value, 0);
    const column = (side) => {
      const sums = made.labels
        .map((l) => [l, list.filter((c) => c[side] === l).reduce((n, c) => n + c.value, 0)])
        .filter(([, v]) => v > 0);
      const room = height - gap * Math.max(0, sums.length - 1);
      let y = 0;
      return new Map(
        sums.map(([l, v]) => {
          const node = { y, at: y, height: Math.max(1, (v / sum) * room), value: v, room };
          y += node.height + gap;
          return [l, node];
        }),
      );
    };
    const [froms, tos] = [column("from"), column("to")];
    const ribbons = list
      .toSorted(
        (a, b) =>
          made.labels.indexOf(a.from) - made.labels.indexOf(b.from) ||
          made.labels.indexOf(a.to) - made.labels.indexOf(b.to),
      )
      .map((c) => {
        const [a, b] = [froms.get(c.from), tos.get(c.to)];
        const [ha, hb] = [(c.value / sum) * a.room, (c.value / sum) * b.room];
        const [ya, yb] = [a.at, b.at];
        a.at += ha;
        b.at += hb;
        const [x1, x2, xm] = [left + bar, right - bar, (left + right) / 2];
        const words = `${c.from} to ${c.to}: ${amount(c.value, spec.unit ? "B" : "")}, ${percent(c.value / sum)}`;
        const d = `M${x1} ${ya}C${xm} ${ya} ${xm} ${yb} ${x2} ${yb}V${yb + hb}C${xm} ${yb + hb} ${xm} ${ya + ha} ${x1} ${ya + ha}Z`;
        return svg`<path
          class="ribbon"
          tabindex="0"
          role="button"
          aria-label=${words}
          d=${d}
          @click=${() => this.#choose(made, c.from, c.to)}
          @keydown=${(e) => e.key === "Enter" && (e.stopPropagation(), this.#choose(made, c.from, c.to))}
          ><title>${words}</title></path
        >`;
      });
    const node = ([label, n], end) =>
      svg`<rect x=${end ? right - bar : left} y=${n.y} width=${bar} height=${n.height} fill="var(--seq-4)" />
        ${
          n.height > 8 || n.value / sum > 0.02
            ? svg`<text x=${end ? right + 6 : left - 6} y=${n.y + n.height / 2 + 4} text-anchor=${end ? "start" : "end"}
              >${label.length > 14 ? `${label.slice(0, 13)}\u2026` : label}<title>${label}</title></text
            >`
            : nothing
        }`;
    return html`<svg
      class="sankey"
      viewBox="0 -4 ${width} ${height + 8}"
      role="group"
      aria-label="Senders at the left, receivers at the right"
    >
      ${ribbons}${[...froms].map((n) => node(n, false))}${[...tos].map((n) => node(n, true))}
    </svg>`;
  }
}
