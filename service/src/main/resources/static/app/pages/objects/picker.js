// "Add metric": everything the object reports, searched by name or key; a tick draws it.
import { html, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { allInstances, metricName } from "../../core/metrics.js";
import { closeLayer, showLayer } from "../../parts/layer.js";

let typed = "";

function options(items) {
  const counts = new Map();
  for (const m of items)
    if (m.instance !== null) counts.set(allInstances(m.key), (counts.get(allInstances(m.key)) ?? 0) + 1);
  const all = [...counts]
    .filter(([, n]) => n > 1)
    .map(([key, n]) => ({ key, name: `${metricName(key.replace(":*", ""))}, all ${n} instances` }));
  return [...items.map((m) => ({ key: m.key, name: metricName(m.key), unit: m.unit })), ...all];
}

/** `keys()` gives what is drawn now, `setKeys` what to draw from now on (null: the usual ones again). */
export function showMetricPicker(items, keys, setKeys) {
  typed = "";
  const list = options(items);
  const toggle = (key) => {
    const now = keys();
    setKeys(now.includes(key) ? now.filter((k) => k !== key) : [...now, key]);
  };
  showLayer("dialog", () => view(list, keys(), toggle, setKeys), { label: "Add metric" });
}

function view(list, drawn, toggle, setKeys) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const found = list.filter((o) =>
    words.every((w) => o.name.toLowerCase().includes(w) || o.key.toLowerCase().includes(w)),
  );
  return html`<div class="picker">
    <h2 class="title">Metrics</h2>
    <input
      class="field"
      autofocus
      type="search"
      placeholder="Name or key, such as ready or net:vmnic0|usage"
      aria-label="Find a metric"
      @input=${(e) => ((typed = e.target.value), redraw())}
      @keydown=${(e) => e.key === "Enter" && found.length && toggle(found[0].key)}
    />
    <ul class="menu">
      ${repeat(
        found.slice(0, 200),
        (o) => o.key,
        (o) =>
          html`<li>
            <button role="checkbox" aria-checked=${drawn.includes(o.key)} @click=${() => toggle(o.key)}>
              <input type="checkbox" tabindex="-1" .checked=${drawn.includes(o.key)} aria-hidden="true" /><span
                class="cut"
                >${o.name}</span
              ><span class="m">${o.unit ?? ""}</span><span class="sp"></span><span class="mono m cut">${o.key}</span>
            </button>
          </li>`,
      )}
      ${found.length ? "" : html`<li class="pad m">It reports no such metric.</li>`}
    </ul>
    <div class="row">
      <span class="m s12"
        >${found.length > 200 ? `first 200 of ${found.length}` : `${found.length} of ${list.length}`}, ${drawn.length}
        drawn. Kept for all objects of this kind.</span
      >
      <span class="sp"></span>
      <button class="ctl" @click=${() => setKeys(null)}>The usual ones</button>
      <button class="ctl primary" @click=${closeLayer}>Done</button>
    </div>
  </div>`;
}
