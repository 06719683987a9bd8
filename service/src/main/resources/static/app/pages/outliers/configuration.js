// How members of a group are configured unlike their peers: the event, the table of a group, and the patterns of its
// form.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";
import { alertsChanged } from "../../core/alerts.js";
import { count, plural } from "../../core/format.js";
import { propertyName } from "../../core/metrics.js";
import { may, NEEDS } from "../../core/session.js";
import { moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { loaded, pane } from "../../parts/pane.js";
import { icon, shape } from "../../parts/shapes.js";
import { field } from "./form-field.js";
import { isOver, lowered, propertyText } from "./words.js";

const MOST_PATTERNS = 50;
const MOST_DIFFERING = 5;

const STATES = {
  different: ["immediate", "differ"],
  alike: ["alike", "alike"],
  "no-majority": ["unknown", "no value prevails"],
  "too-few": ["unknown", "too few have it"],
};

/** A value of a property is meant, whichever member has it. */
async function accept(group, { key, value }, done) {
  if (!may("operator")) return notice(NEEDS);
  try {
    await post(`/outlier-groups/${group.id}/configuration/accept`, { key, value });
    notice(`${propertyText(value)} is accepted in ${group.name} from the next bucket on`, { seconds: 8 });
  } catch (error) {
    notice(`Not changed: ${error.errors?.[0]?.reason ?? error.message}`, { seconds: 8 });
  }
  alertsChanged();
  done();
}

const acceptButton = (group, property, done) =>
  html`<button
    class="ctl ghost"
    ?disabled=${!may("operator")}
    title=${may("operator") ? "It is no difference any more, whichever member has it" : NEEDS}
    aria-label=${`${propertyText(property.value)} is meant for ${property.name}`}
    @click=${() => accept(group, property, done)}
  >
    This value is meant
  </button>`;

/** The properties in which the member of an event differs, in the place of a chart. */
export function differencesPane(event, done) {
  const over = isOver(event);
  return pane({
    title: "Unlike its peers",
    name: "differences",
    note: `${plural(event.judged, "member")} compared of ${event.members}`,
    body: html`<table>
      <colgroup>
        <col />
        <col />
        <col />
        <col class="w-since" />
        ${over ? nothing : html`<col class="w-accept" />`}
      </colgroup>
      <thead>
        <tr>
          <th>Property</th>
          <th>Its value</th>
          <th>Its peers have</th>
          <th class="r">Since</th>
          ${over ? nothing : html`<th></th>`}
        </tr>
      </thead>
      <tbody>
        ${event.properties.map(
          (p) =>
            html`<tr>
              <td class="strong l-name" data-name title=${p.key}>${p.name}</td>
              <td class="l-value hot cut" title=${p.value}>${propertyText(p.value)}</td>
              <td class="l-what" title=${p.common}>
                ${propertyText(p.common)} <span class="m s12">${count(p.agree)} of ${count(p.judged - 1)}</span>
              </td>
              <td class="r m l-long">${moment(Date.parse(p.since))}</td>
              ${over ? nothing : html`<td class="r l-act">${acceptButton(event.group, p, done)}</td>`}
            </tr>`,
        )}
      </tbody>
    </table>`,
  });
}

/** How many properties there are in each state: "2 differ, 14 alike". */
export function statesText(properties) {
  const counts = Map.groupBy(properties, (p) => p.state);
  return Object.entries(STATES)
    .filter(([state]) => counts.has(state))
    .map(([state, [, words]]) => {
      const n = counts.get(state).length;
      return `${count(n)} ${state === "different" && n === 1 ? "differs" : words}`;
    })
    .join(", ");
}

const differing = (p) =>
  html`${p.differing
    .slice(0, MOST_DIFFERING)
    .map(
      (d, i) =>
        html`${i ? ", " : ""}<a
            class="strong"
            href=${href(d.event ? `/outliers/events/${d.event}` : `/objects/${d.object.id}`)}
            >${d.object.name}</a
          >
          <span class="i2">${propertyText(d.value)}</span>`,
    )}${p.differingCount > MOST_DIFFERING
    ? html` <span class="m s12">+${count(p.differingCount - MOST_DIFFERING)}</span>`
    : nothing}`;

/** The compared properties of a group; those in which nobody differs on request. */
export class ConfigurationPane {
  #all = false;

  view(load) {
    const properties = load.data?.properties ?? [];
    const shown = this.#all ? properties : properties.filter((p) => p.state === "different");
    return pane({
      title: "Configuration",
      name: "configuration",
      note: load.data ? statesText(properties) || "no member has such a property" : nothing,
      end:
        properties.length > properties.filter((p) => p.state === "different").length
          ? html`<button
              class="link"
              aria-pressed=${this.#all}
              @click=${() => {
                this.#all = !this.#all;
                redraw();
              }}
            >
              ${this.#all ? "Only what differs" : `All ${count(properties.length)}`}
            </button>`
          : nothing,
      body: loaded(
        load,
        () =>
          html`<table>
              <thead>
                <tr>
                  <th>Property</th>
                  <th>Nearly all have</th>
                  <th>Differs</th>
                </tr>
              </thead>
              <tbody>
                ${shown.map(
                  (p) =>
                    html`<tr>
                      <td class="l-name" data-name title=${p.key}>
                        <span class="row">${shape(STATES[p.state]?.[0] ?? "unknown", 11, "")}${p.name}</span>
                      </td>
                      <td class="l-value" title=${p.common ?? ""}>
                        ${p.common === null
                          ? html`<span class="m">${STATES[p.state]?.[1] ?? p.state}</span>`
                          : html`${propertyText(p.common)}
                              <span class="m s12">${count(p.agree)} of ${count(p.judged)}</span>`}
                      </td>
                      <td class="l-what">${differing(p)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>
            ${load.data.more
              ? html`<p class="m s12 pad">${count(load.data.more)} more properties fit and are not compared.</p>`
              : nothing}`,
        { rows: 3, isEmpty: () => !shown.length, empty: "Nobody differs from nearly all others." },
      ),
    });
  }
}

/** What the patterns would find now: "esx-07: multipath policy VMW_PSP_FIXED, not VMW_PSP_RR". */
function found(configuration) {
  if (!configuration) return nothing;
  const different = configuration.properties.filter((p) => p.state === "different");
  return html`<p class="s12 i2" role="status">
      ${configuration.properties.length
        ? `Now: ${statesText(configuration.properties)}.`
        : "No member has a property that a pattern fits."}
    </p>
    ${different.length
      ? html`<ul class="differing">
          ${different.slice(0, MOST_DIFFERING).map(
            (p) =>
              html`<li class="s12" title=${p.key}>
                ${p.differing
                  .slice(0, MOST_DIFFERING)
                  .map((d) => d.object.name)
                  .join(", ")}${p.differingCount > MOST_DIFFERING
                  ? ` and ${count(p.differingCount - MOST_DIFFERING)} more`
                  : ""}:
                ${lowered(p.name)} <b>${[...new Set(p.differing.map((d) => propertyText(d.value)))].join(", ")}</b>, not
                ${propertyText(p.common)}
              </li>`,
          )}
        </ul>`
      : nothing}`;
}

const listed = (text) => [
  ...new Set(
    text
      .split("\n")
      .map((v) => v.trim())
      .filter(Boolean),
  ),
];

function patternRow(draft, p, i) {
  const list = draft.value("properties");
  const swap = (part) => draft.set("properties", list.with(i, { ...list[i], ...part }));
  return html`<li class="metric-row of-pattern">
    <span class="cut strong" title=${p.pattern}>${p.pattern.includes("*") ? p.pattern : propertyName(p.pattern)}</span>
    <textarea
      class="field low"
      rows=${Math.max(1, (p.accept ?? []).length)}
      aria-label=${`Accepted values of ${p.pattern}, one a line`}
      placeholder="accepted values"
      .value=${(p.accept ?? []).join("\n")}
      ?disabled=${!draft.allowed}
      @change=${(e) => swap({ accept: listed(e.target.value) })}
    ></textarea>
    ${draft.allowed
      ? html`<button
          type="button"
          class="icon"
          aria-label=${`Remove ${p.pattern}`}
          @click=${() => draft.set("properties", list.toSpliced(i, 1))}
        >
          ${icon("close", 11)}
        </button>`
      : nothing}
  </li>`;
}

/** Which properties are compared, and when a difference counts. `group` is the state of the form. */
export function configurationField({ draft, property, preview }) {
  const list = draft.value("properties") ?? [];
  const rule = draft.value("configuration") ?? {};
  const set = (part) => draft.set("configuration", { ...draft.value("configuration"), ...part });
  const kind = draft.value("objectKind");
  return field(
    "Configuration",
    list.length ? "one of many with another value than nearly all is an event" : "properties are not compared",
    html`${list.length
      ? html`<ul class="metric-rows">
          ${list.map((p, i) => patternRow(draft, p, i))}
        </ul>`
      : nothing}
    ${!kind
      ? html`<p class="m s12">Choose an object kind first.</p>`
      : draft.allowed && list.length < MOST_PATTERNS
        ? property.view({
            value: "",
            shown: "",
            label: "Add a property or a pattern",
            placeholder: list.length ? "add another" : "multipath policy, config|advanced|*\u2026",
            cls: "wide-field",
            choose: (key) =>
              key &&
              !list.some((p) => p.pattern === key) &&
              draft.set("properties", [...list, { pattern: key, accept: [] }]),
          })
        : nothing}
    ${list.length
      ? html`<p class="wiz-sentence">
            Nearly all are
            <input
              class="field low tiny"
              inputmode="numeric"
              aria-label="Percent that must have one value"
              placeholder="80"
              .value=${rule.majority ? String(Math.round(rule.majority * 100)) : ""}
              ?disabled=${!draft.allowed}
              @change=${(e) => {
                const percent = Number(e.target.value);
                set({ majority: percent ? Math.min(100, Math.max(51, percent)) / 100 : undefined });
              }}
            />
            % of at least
            <input
              class="field low tiny"
              inputmode="numeric"
              aria-label="Members that must have the property"
              placeholder="5"
              .value=${rule.fewest ?? ""}
              ?disabled=${!draft.allowed}
              @change=${(e) => {
                const members = Math.round(Number(e.target.value));
                set({ fewest: members ? Math.min(10_000, Math.max(3, members)) : undefined });
              }}
            />
            members; opens after
            <input
              class="field low tiny"
              aria-label="How long a difference must last"
              placeholder="1h"
              .value=${rule.lasts ?? ""}
              ?disabled=${!draft.allowed}
              @change=${(e) => set({ lasts: e.target.value.trim() || undefined })}
            />.
          </p>
          ${found(preview.data?.configuration)}`
      : nothing}${draft.said("properties")}${draft.said("configuration")}`,
  );
}
