// Busiest: rankings over the window, for the kinds and metrics that exist here.
import { html, nothing } from "../../core/html.js";
import { post } from "../../core/api.js";
import { count, withUnit } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { isNetwork, kindWord, metricName } from "../../core/metrics.js";
import { range, spanName } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded, pane } from "../../parts/pane.js";
import { bar, spark } from "../../parts/small.js";

const CPU = ["cpu|usage_average", "cpu|usage_active", "cpu|usage_user"];
const MEMORY = ["mem|usage_average", "mem|used_percent"];
const SENT = ["net|transmitted_average", "net|bytesTx_average", "net|usage_average"];
// Of each list the first metric that has values is shown.
const WANTED = [
  ["VirtualMachine", CPU],
  ["VirtualMachine", SENT],
  ["HostSystem", MEMORY],
  ["Host", CPU],
  ["Host", MEMORY],
  ["Host", SENT],
];

async function read(from, to, ancestor, kinds, signal) {
  const rankings = WANTED.flatMap(([objectKind, metrics]) => {
    const kind = kinds.find((k) => k.objectKind === objectKind);
    return kind ? [{ metrics, objectKind, adapterKind: kind.adapterKind }] : [];
  });
  if (!rankings.length) return [];
  const { items } = await post(
    "/series/top/query",
    { from: String(from), to: String(to), ancestor: ancestor ?? undefined, rankings, limit: 5, sparkline: true },
    signal,
  );
  return items
    .map((list, i) => ({ ...list, kind: rankings[i].objectKind }))
    .filter((list) => list.items.length)
    .slice(0, 3);
}

export const busiest = new Load(read);

/** `kinds` are those of which there are objects: `{ adapterKind, objectKind }`. */
export const wantBusiest = (from, to, scope, kinds) =>
  busiest.want(
    from,
    to,
    scope,
    kinds.map(({ adapterKind, objectKind }) => ({ adapterKind, objectKind })),
  );

export function busiestLists() {
  // While nothing is known yet, three panes hold the place of the lists.
  if (!busiest.data?.length) {
    const waiting = (n = 1) =>
      pane({
        title: n === 1 ? "Busiest" : `Busiest ${n}`,
        name: "busiest",
        body: loaded(busiest, () => nothing, { rows: 5, empty: "No values in this range.", isEmpty: (d) => !d.length }),
      });
    return busiest.data || busiest.error ? waiting() : [waiting(1), waiting(2), waiting(3)];
  }
  return busiest.data.map((list) =>
    pane({
      title: `${kindWord(list.kind, 2)} by ${metricName(list.metric).replace(/^([A-Z])([a-z])/, (_, a, b) => a.toLowerCase() + b)}`,
      name: "busiest",
      note: `mean, ${range().relative ? spanName(range().relative).toLowerCase() : "this range"}, ${count(list.ranked)} ranked`,
      body: loaded(busiest, () => html`<div class="list">${list.items.map((entry) => row(list, entry))}</div>`),
    }),
  );
}

function row(list, { object, value, sparkline }) {
  const most = list.unit === "%" ? Math.max(100, list.items[0].value) : list.items[0].value;
  return html`<a class="talk" href=${href(`/objects/${object.id}`)}
    ><span class="strong cut">${object.name}</span>${bar(most ? value / most : 0)}
    <span class="r">${withUnit(value, list.unit, isNetwork(list.metric))}</span>${spark(sparkline ?? [], {
      width: 60,
      height: 18,
      zero: true,
    })}</a
  >`;
}
