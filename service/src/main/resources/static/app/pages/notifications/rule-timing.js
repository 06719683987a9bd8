// When a rule sends: after which delay, again how often, together with what, and at which times of the week.
import { html, nothing } from "../../core/html.js";
import { icon } from "../../parts/shapes.js";
import { whenWords } from "./rule-words.js";
import { durationOk } from "./words.js";
import { windowFields } from "./windows.js";

const time = (draft, label, value, set, hint) =>
  html`<input
    class="field inline tiny"
    aria-label=${label}
    placeholder=${hint}
    .value=${value ?? ""}
    ?disabled=${!draft.allowed}
    aria-invalid=${!value || durationOk(value) || value === "0s" ? "false" : "true"}
    @change=${(e) => set(e.target.value.trim() || null)}
  />`;

function againField(draft) {
  const resend = draft.value("resend");
  return html`<p class="row wrap">
    <label class="check"
      ><input
        type="checkbox"
        .checked=${Boolean(resend)}
        ?disabled=${!draft.allowed}
        @change=${(e) => draft.set("resend", e.target.checked ? { every: "4h" } : null)}
      />and again</label
    >
    ${resend
      ? html` every
          ${time(draft, "Again every", resend.every, (v) => draft.set("resend", { ...resend, every: v ?? "4h" }), "4h")}
          at most
          <input
            class="field inline tiny"
            type="number"
            min="1"
            aria-label="How often at most"
            placeholder="any"
            .value=${resend.max ?? ""}
            ?disabled=${!draft.allowed}
            @change=${(e) => {
              const { max: _max, ...rest } = resend;
              draft.set("resend", Number(e.target.value) ? { ...rest, max: Number(e.target.value) } : rest);
            }}
          />
          times`
      : html`<span class="m s12">while it is open</span>`}${draft.said("resend")}
  </p>`;
}

/** What is sent together with what: `by` finds paths. */
function groupFields(draft, by) {
  const off = !draft.allowed;
  const group = draft.value("group");
  const byIncident = group?.by.length === 1 && group.by[0] === "incident";
  const setGroup = (part) =>
    draft.set(
      "group",
      Object.fromEntries(
        Object.entries({ ...draft.value("group"), ...part }).filter(([, v]) => v !== null && v !== undefined),
      ),
    );
  return html`<p class="row wrap">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${byIncident}
          ?disabled=${off}
          @change=${(e) =>
            draft.set("group", e.target.checked ? { by: ["incident"], wait: "30s", interval: "5m" } : null)}
        />one message for each incident</label
      >
    </p>
    <p class="row wrap">
      <label class="check"
        ><input
          type="checkbox"
          .checked=${Boolean(group) && !byIncident}
          ?disabled=${off}
          @change=${(e) =>
            draft.set(
              "group",
              e.target.checked
                ? { by: ["object.ancestors.ClusterComputeResource.name"], wait: "30s", interval: "5m" }
                : null,
            )}
        />together with others</label
      >
      ${group && !byIncident
        ? html` that agree in
          ${(group.by ?? []).map(
            (p) =>
              html`<span class="chip mono"
                >${p}${off
                  ? nothing
                  : html`<button
                      class="icon"
                      aria-label=${`Remove ${p}`}
                      @click=${() => setGroup({ by: group.by.filter((x) => x !== p) })}
                    >
                      ${icon("close", 10)}
                    </button>`}</span
              >`,
          )}${off || group.by.length >= 10
            ? nothing
            : by.view({
                value: "",
                shown: "",
                choose: (p) => p && !group.by.includes(p) && setGroup({ by: [...group.by, p] }),
                label: "Group by",
                placeholder: "one more path",
                cls: "mono group-by",
              })},
          waiting ${time(draft, "Wait for others", group.wait, (v) => setGroup({ wait: v }), "30s")} for others, at most
          every ${time(draft, "At most every", group.interval, (v) => setGroup({ interval: v }), "5m")}`
        : nothing}${draft.said("group")}
    </p>`;
}

/** `by` finds paths for groups. */
export function timingPane({ draft, by }) {
  return html`<section class="pane" aria-label="When">
    <div class="ph">
      <h2>When</h2>
      <span class="m cut"
        >${whenWords({
          delay: draft.value("delay"),
          resend: draft.value("resend"),
          group: draft.value("group"),
          windows: draft.value("windows"),
        })}</span
      >
    </div>
    <div class="sentence">
      <p class="row wrap">
        Send it after ${time(draft, "Delay", draft.value("delay"), (v) => draft.set("delay", v), "0s")}
        <span class="m s12">if it is still open then</span>
        ${draft.said("delay")}
      </p>
      ${againField(draft)}${groupFields(draft, by)}
      ${windowFields({
        windows: draft.value("windows") ?? {},
        set: (w) => draft.set("windows", Object.values(w).some((x) => x?.length) ? w : null),
        off: !draft.allowed,
      })}${draft.said("windows")}
    </div>
  </section>`;
}
