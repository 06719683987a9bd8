// The members of a group: value, deviation from the middle, score, the last buckets, and where each lies.
import { html, nothing } from "../../core/html.js";
import { count, scale, short } from "../../core/format.js";
import { isNetwork } from "../../core/metrics.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { buckets, deviantText, deviationBar } from "../../parts/peers.js";
import { shape } from "../../parts/shapes.js";
import { spark } from "../../parts/small.js";
import { memberShape, memberWords, scoreText } from "./words.js";

const STATES = ["deviant", "unknown", "not-judged", "expected", "excluded", "alike"];
const at = (m, key) => m.metrics.find((x) => x.key === key) ?? m.metrics[0] ?? null;
const byName = (a, b) => a.object.name.localeCompare(b.object.name, undefined, { numeric: true });

export const memberOrders = (key) => ({
  state: (a, b) =>
    STATES.indexOf(a.state) - STATES.indexOf(b.state) ||
    Math.abs(at(b, key)?.score ?? -1) - Math.abs(at(a, key)?.score ?? -1),
  name: byName,
  value: (a, b) => (at(b, key)?.value ?? -Infinity) - (at(a, key)?.value ?? -Infinity),
  score: (a, b) => Math.abs(at(b, key)?.score ?? -1) - Math.abs(at(a, key)?.score ?? -1),
});
export { byName };

function row(m, page) {
  const { rows, metric, units, low, high, log, tokens, chart, opensAt, point } = page;
  const now = at(m, metric.key);
  const hot = m.state === "deviant" || m.state === "unknown";
  const token = tokens.get(m.object.id) ?? "--deviant-1";
  const ink = hot ? `color:var(${deviantText(token)})` : "";
  const line = chart.values(m.object.id);
  const words = memberWords(m);
  const place = m.parents[0];
  return html`<tr
    class="${rows.isOn(m) ? "sel" : ""} ${hot ? "dev" : m.state === "alike" ? "quiet" : ""}"
    @click=${(e) => rows.click(e, m)}
    @dblclick=${() => rows.open(m)}
    @mouseenter=${() => point(m.object.id)}
    @mouseleave=${() => point(null)}
  >
    <td class="l-shape">${shape(memberShape(m), 11, m.state)}</td>
    <td class="l-name ${hot ? "strong" : ""}" title=${m.object.name}>
      <a .style=${ink} href=${href(`/objects/${m.object.id}`)}>${m.object.name}</a>
    </td>
    <td class="r l-value ${hot ? "strong" : ""}">
      ${now?.value === null || now === null ? html`<span class="m">no data</span>` : short(now.value * units.factor)}
    </td>
    <td>
      ${now?.centre === null || now === null || now.value === null
        ? html`<span class="m">not judged</span>`
        : deviationBar({
            value: now.value,
            centre: now.centre,
            lower: now.lower,
            upper: now.upper,
            low,
            high,
            hot,
            log,
          })}
    </td>
    <td
      class="r l-long ${hot ? "strong" : ""}"
      title=${m.metrics.map((x) => `${x.key} ${scoreText(x.score)}`).join("\n")}
    >
      ${now?.score === null || now === null ? html`<span class="m">-</span>` : scoreText(now.score)}
    </td>
    <td class="prio-3">${buckets(m.recent, opensAt, { token })}</td>
    <td class="prio-3 own-line">
      ${line.length
        ? spark(line, { width: 102, height: 18, colour: hot ? token : "--peer-strong", dot: line.at(-1) !== null })
        : nothing}
    </td>
    <td class="m wide-only" title=${m.parents.map((p) => p.name).join(", ")}>
      ${place ? html`<a href=${href(`/objects/${place.id}`)}>${place.name}</a>` : nothing}
    </td>
    <td class="l-what ${hot || m.state === "not-judged" ? "" : "m"}" title=${words}>${words}</td>
  </tr>`;
}

/** The table of members; `page` holds what its cells need beside them. */
export function membersPane(load, page) {
  const { rows, metric } = page;
  const items = load.data?.items ?? [];
  const values = items.map((m) => at(m, metric.key)?.value).filter((v) => v !== null && v !== undefined);
  const units = scale(
    metric.unit,
    values.reduce((most, v) => Math.max(most, Math.abs(v)), 0),
    isNetwork(metric.key),
  );
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  const head = (id, name, cls) => rows.head(id, name, cls, "state");
  const list = rows.list();
  return html`<section class="pane members-pane" aria-label="Members">
    ${loaded(
      load,
      () =>
        html`${rows.box(
          html`<table>
            <colgroup>
              <col class="w-state" />
              <col />
              <col class="w-value" />
              <col class="w-bar" />
              <col class="w-few" />
              <col class="w-buckets prio-3" />
              <col class="w-line prio-3 own-line" />
              <col class="w-host wide-only" />
              <col class="w-words" />
            </colgroup>
            <thead>
              <tr>
                <td></td>
                ${head("name", `Member${items.length > 20 ? `, ${count(items.length)}` : ""}`)}${head(
                  "value",
                  units.unit || "Value",
                  "r",
                )}
                <th>Against the median</th>
                ${head("score", "Score", "r")}
                <th class="prio-3">Last 12 buckets</th>
                <th class="prio-3 own-line">${page.rangeWords}</th>
                <th class="wide-only">In</th>
                ${head("state", "State")}
              </tr>
            </thead>
            ${rows.body(list, (m) => row(m, { ...page, units, low, high }))}
          </table>`,
        )}`,
      {
        rows: 6,
        isEmpty: (d) => !d.items.length,
        empty: "Members are listed here after the first judgement. If none comes, nothing is in the scope.",
      },
    )}
  </section>`;
}
