// A panel put into another dashboard.
import { html } from "../../core/html.js";
import { exchange, get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { notice } from "../../parts/notice.js";
import { loaded } from "../../parts/pane.js";
import { href } from "../../core/url.js";
import { mayChange } from "./editing.js";
import { put } from "./layout.js";

/** A name for a panel that none has yet. */
export function freeName(panels, wanted) {
  const base = wanted.replace(/[^A-Za-z0-9_-]/g, "").replace(/^[^A-Za-z]+/, "") || "panel";
  const short = base.slice(0, 34);
  if (!(short in panels)) return short;
  for (let n = 2; ; n++) if (!(`${short}-${n}` in panels)) return `${short}-${n}`;
}

async function add(to, name, panel, size) {
  const { data, etag } = await exchange("GET", `/dashboards/${to.id}`);
  const definition = structuredClone(data.definition);
  const own = freeName(definition.panels, name);
  definition.panels[own] = panel;
  const section = (definition.layout[0] ??= { items: [] });
  section.items = put(section.items, own, size);
  await exchange("PUT", `/dashboards/${to.id}`, { body: { visibility: data.visibility, definition }, etag });
}

export function addToAnother({ id, name, panel, size }) {
  const list = new Load((signal) => get("/dashboards", { limit: 200, sort: "name" }, signal));
  list.want();
  const take = async (to) => {
    closeLayer();
    try {
      await add(to, name, panel, size);
      notice(`Added to ${to.name}`);
    } catch (failed) {
      notice(`Not added: ${failed.message}`, { seconds: 8 });
    }
  };
  showLayer(
    "dialog",
    () =>
      html`<h2 class="title">Add ${panel.title ?? name} to another dashboard</h2>
        ${loaded(
          list,
          ({ items }) => {
            const mine = items.filter((d) => d.id !== id && mayChange(d));
            return mine.length
              ? html`<ul class="menu">
                  ${mine.map(
                    (d) =>
                      html`<li>
                        <button @click=${() => take(d)}>
                          <span class="cut" title=${d.name}>${d.name}</span><span class="sp"></span
                          ><span class="m s12">${d.folder ?? ""}</span>
                        </button>
                      </li>`,
                  )}
                </ul>`
              : html`<p class="m">
                  There is no other dashboard that you may change.
                  <a class="acc" href=${href("/dashboards/new")} @click=${closeLayer}>Make a new one</a>
                </p>`;
          },
          { rows: 4 },
        )}
        <div class="row"><span class="sp"></span><button class="ctl" @click=${closeLayer}>Close</button></div>`,
    { label: "Add to another dashboard" },
  );
}
