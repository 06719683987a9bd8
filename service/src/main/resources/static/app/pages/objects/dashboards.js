// Dashboards for the kind of an object, each opened for this one.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { kindWord } from "../../core/metrics.js";
import { Load } from "../../core/load.js";
import { href } from "../../core/url.js";
import { pane } from "../../parts/pane.js";

const MOST = 6;

export class ObjectDashboards {
  #list = new Load((kind, signal) => get("/dashboards", { kind, limit: MOST }, signal));

  constructor(id) {
    this.id = id;
  }

  /** Nothing where there are none. */
  view(object) {
    if (!object) return nothing;
    const kind = `${object.adapterKind}/${object.objectKind}`;
    this.#list.want(kind);
    const { items = [], total = 0 } = this.#list.data ?? {};
    if (!items.length) return nothing;
    return pane({
      title: "Dashboards",
      note: `for a ${kindWord(object.objectKind)}`,
      end:
        total > items.length ? html`<a class="link" href=${href("/dashboards", { kind })}>All ${total}</a>` : nothing,
      body: html`<div class="rel">
        ${items.map(
          (d) =>
            html`<a class="list-row" href=${href(`/dashboards/${d.id}`, { for: this.id })}
              ><b class="cut">${d.name}</b><span class="m">${d.folder ?? ""}</span></a
            >`,
        )}
      </div>`,
    });
  }
}
