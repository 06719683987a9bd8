// Whether an object itself is in trouble or something that it depends on, from what is open now.
import { html, nothing } from "../../core/html.js";
import { alertVersion } from "../../core/alerts.js";
import { plural } from "../../core/format.js";
import { getIncident, isSure, smallKind } from "../../core/incidents.js";
import { Load } from "../../core/load.js";
import { rank } from "../../core/severity.js";
import { href } from "../../core/url.js";
import { icon, severityShape } from "../../parts/shapes.js";
import { isClosed } from "../alerts/words.js";

/** What carries an object: its parents, and the datastores on which its disks lie. */
export const carriers = (parents, children) => [...parents, ...children.filter((o) => o.objectKind === "Datastore")];

/** Kinds as they stand in a sentence: "host or datastore". */
const kindsText = (objects, group) => {
  const kinds = [...new Set(objects.map((o) => smallKind(o.objectKind, 1))), ...(group ? ["group"] : [])];
  return kinds.length > 1 ? `${kinds.slice(0, -1).join(", ")} or ${kinds.at(-1)}` : (kinds[0] ?? "");
};

export class Verdict {
  #incident = new Load((number, _version, signal) => getIncident(number, signal));

  constructor(id) {
    this.id = id;
  }

  /** Open alerts of the object itself, the worst first; information is no trouble. */
  #open(alerts) {
    return alerts
      .filter((a) => a.object.id === this.id && !isClosed(a) && rank(a.severity) >= rank("warning"))
      .sort((a, b) => rank(b.severity) - rank(a.severity));
  }

  /** Reads the incident that its alerts are in. `alerts` may hold closed ones and those of others. */
  want(alerts) {
    const number = this.#open(alerts).find((a) => a.incident)?.incident;
    if (number) this.#incident.want(number, alertVersion());
  }

  /**
   * `{ severity, words, row }`: a sentence, and the way to the incident. Null while nothing is open, or not enough is
   * known: without an incident its carriers must be known to have nothing open themselves, which `near.of(id)` says.
   */
  find(object, alerts, carriers, near, { group = false } = {}) {
    const open = this.#open(alerts);
    if (!open.length) return null;
    const kind = smallKind(object.objectKind, 1);
    const severity = open[0].severity;
    const number = open.find((a) => a.incident)?.incident;
    if (!number) {
      const known = carriers.map((o) => near.of(o.id));
      if (!known.length || known.some((k) => k === null)) return null;
      const troubled = carriers.find((_, i) => rank(known[i].own) >= rank("warning"));
      const words = troubled
        ? html`Something is open on its ${smallKind(troubled.objectKind, 1)}
            <a class="acc" href=${href(`/objects/${troubled.id}`)}>${troubled.name}</a> too.`
        : html`<b>It is this ${kind}</b>, not its ${kindsText(carriers, group)}: nothing is open there.`;
      return { severity, words, row: nothing };
    }
    const i = this.#incident.data?.incident;
    if (i?.number !== number) return null;
    const own = open.filter((a) => a.incident === number).length;
    const row = html`<a class="ctl to-incident" href=${href(`/incidents/${number}`)}
      >${severityShape(i.severity, 12)} Incident I-${number}, ${own} of its ${plural(i.alertCount, "alert")}
      ${icon("right", 12)}</a
    >`;
    return { severity, words: this.#because(object, kind, i), row };
  }

  /** What is found as a line of its own. */
  view(...about) {
    const found = this.find(...about);
    return found
      ? html`<section class="said verdict ${found.severity}" aria-label="Verdict">
          ${severityShape(found.severity, 14)}
          <p class="say">${found.words}</p>
          ${found.row === nothing ? nothing : html`<span class="row acts">${found.row}</span>`}
        </section>`
      : nothing;
  }

  #because(object, kind, i) {
    if (!i.cause) return html`<b>It is not this ${kind} alone</b>: ${i.title}.`;
    if (i.cause.object.id === object.id)
      return html`<b>It is this ${kind}</b>${i.alertCount > 1
          ? `: it ${isSure(i) ? "explains" : "may explain"} ${plural(i.alertCount - 1, "other alert")}`
          : ""}.`;
    const whose =
      i.cause.object.objectKind === object.objectKind
        ? `another ${kind}`
        : `its ${smallKind(i.cause.object.objectKind, 1)}`;
    const trouble = i.title.startsWith(i.cause.object.name) ? `${whose} ${i.title}` : i.title;
    return isSure(i)
      ? html`<b>It is not this ${kind}</b>: ${trouble}.`
      : html`<b>It may not be this ${kind}</b>: ${trouble}, a possible cause.`;
  }
}
