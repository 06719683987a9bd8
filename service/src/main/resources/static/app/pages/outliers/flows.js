// Traffic as what a group is compared in: how much, which way, of what type and to which ports. The choice stands in
// the group as metric keys, one for each direction, and is read back from them.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { bytes } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { flowPart, parseKey } from "../../core/metrics.js";
import { icon } from "../../parts/shapes.js";
import { segments } from "../../parts/small.js";
import { Suggest } from "../../parts/suggest.js";

/** What is counted: [name, words, metric without direction, unit]. */
const MEASURES = [
  ["rate", "Traffic rate", "bytes_rate", "B/s"],
  ["bytes", "Total traffic", "bytes_summation", "B"],
  ["packets", "Packets", "packets_rate", "packets/s"],
  ["sessions", "Sessions", "sessions_summation", ""],
  ["drops", "Drops", "drops_rate", "drops/s"],
  ["resets", "Resets", "resets_summation", ""],
];
const DIRECTIONS = [
  ["incoming", "Incoming"],
  ["outgoing", "Outgoing"],
  ["both", "Both"],
];
const TYPES = [
  ["all", "All"],
  ["east-west", "East-west"],
  ["north-south", "North-south"],
];
const WORDS = { "east-west": "eastWest", "north-south": "northSouth" };
const NUMBERS = { icmp: 1, tcp: 6, udp: 17, dccp: 33, sctp: 132 };
const SERVICE = /^(?:([0-9]{1,5})(?:\/(tcp|udp|sctp|dccp))?|([a-z][a-z0-9.-]{0,30}))$/;
const MOST_PORTS = 20;
const ASKED = 60;
const OFFERED = 30;

/**
 * A port as it is written in keys; null for what is none. A name, as "https", means the port of that name in `seen`.
 */
export function servicePort(text, seen = []) {
  const typed = text.trim().toLowerCase();
  const named = seen.find((s) => s.name === typed);
  if (named) return named.service;
  const found = SERVICE.exec(typed);
  if (!found) return null;
  const [, port, protocol, name] = found;
  if (name) return name;
  if (Number(port) > 65_535) return null;
  return `${Number(port)}${protocol ? `/${protocol}` : ""}`;
}

const rank = (service) => {
  const [, port, protocol, name] = SERVICE.exec(service);
  return [port === undefined ? -1 : Number(port), NUMBERS[protocol ?? name] ?? -1];
};
const byPort = (a, b) => rank(a)[0] - rank(b)[0] || rank(a)[1] - rank(b)[1] || (a < b ? -1 : 1);

function keyOf(name, received, { type, ports }) {
  const metric = MEASURES.find(([m]) => m === name)[2].replace("_", received ? "Rx_" : "Tx_");
  const part = [
    "flow",
    ...(type === "all" ? [] : [WORDS[type]]),
    ...(ports.length ? [ports.toSorted(byPort).join("+")] : []),
  ].join(":");
  return `net:${part}|${metric}`;
}

/** What a key counts: `{ measure, received, type, ports }`; null when it is not of flows. */
export function flowOf(key) {
  const part = flowPart(key);
  const found = part && /^([a-z]+)(Rx|Tx)_([a-z]+)$/.exec(parseKey(key).metric);
  const measure = found && MEASURES.find(([, , metric]) => metric === `${found[1]}_${found[3]}`);
  return measure ? { measure: measure[0], received: found[2] === "Rx", ...part } : null;
}

/** The unit of a flow metric, which is known before there is one. */
export const flowUnit = (key) => MEASURES.find(([m]) => m === flowOf(key)?.measure)?.[3] ?? "";

/** The options that the flow metrics of a group have in common: the first ones, where they differ. */
export function optionsOf(metrics) {
  const flows = metrics.map((m) => flowOf(m.key)).filter(Boolean);
  if (!flows.length) return { measures: [], direction: "both", type: "all", ports: [] };
  const [{ type, ports }] = flows;
  const direction = flows.every((f) => f.received) ? "incoming" : flows.some((f) => f.received) ? "both" : "outgoing";
  return {
    measures: MEASURES.map(([m]) => m).filter((m) => flows.some((f) => f.measure === m)),
    direction,
    type,
    ports,
  };
}

/** The metrics of a group with other options; what was set for a metric stays with what it counts. */
export function withOptions(metrics, options) {
  const before = new Map(
    metrics
      .map((m) => [flowOf(m.key), m])
      .filter(([f]) => f)
      .map(([f, m]) => [`${f.measure} ${f.received}`, m]),
  );
  const flows = options.measures.flatMap((m) =>
    [true, false]
      .filter((received) => options.direction === "both" || received === (options.direction === "incoming"))
      .map((received) => ({ ...before.get(`${m} ${received}`), key: keyOf(m, received, options) })),
  );
  return [...metrics.filter((m) => !flowOf(m.key)), ...flows];
}

export class FlowFields {
  #seen = new Load(
    async (type, ids, signal) =>
      (await get("/flows/ports", { scope: ids, trafficType: type === "all" ? null : type, limit: OFFERED }, signal))
        .items,
  );
  #wrong = "";
  #port = new Suggest(
    async (text, seen, chosen) => {
      const typed = text.toLowerCase();
      return seen
        .filter((s) => !chosen.includes(s.service) && (s.service.includes(typed) || (s.name ?? "").includes(typed)))
        .map((s) => ({
          value: s.service,
          label: s.service,
          hint: [s.name, s.bytes === undefined ? "" : bytes(s.bytes)].filter(Boolean).join("  "),
        }));
    },
    () => [this.#seen.data ?? [], this.#chosen],
  );
  #chosen = [];

  /** `members` are objects in scope, whose ports are offered; `most` metrics fit into a group. */
  view({ metrics, set, members, most, off }) {
    const options = optionsOf(metrics);
    this.#chosen = options.ports;
    const put = (part) => {
      const next = withOptions(metrics, { ...options, ...part });
      if (next.length <= most) set(next);
    };
    const ids = members.slice(0, ASKED).map((o) => o.id);
    if (ids.length) this.#seen.want(options.type, ids);
    const fits = (part) => withOptions(metrics, { ...options, ...part }).length <= most;
    const check = ([name, words]) => {
      const on = options.measures.includes(name);
      const next = on
        ? options.measures.filter((m) => m !== name)
        : MEASURES.map(([m]) => m).filter((m) => m === name || options.measures.includes(m));
      return html`<label class="check s12"
        ><input
          type="checkbox"
          name=${name}
          .checked=${on}
          ?disabled=${off || (!on && !fits({ measures: next }))}
          @change=${() => put({ measures: next })}
        />${words}</label
      >`;
    };
    return html`<div class="flow-fields" role="group" aria-label="Flows">
      <div class="flow-measures">${MEASURES.map(check)}</div>
      ${segments(
        options.direction,
        DIRECTIONS,
        (direction) =>
          !off &&
          (fits({ direction })
            ? put({ direction })
            : this.#refuse(`Both directions of these are more than ${most} metrics.`)),
        "Direction",
      )}
      ${segments(options.type, TYPES, (type) => !off && put({ type }), "Traffic type")}
      <div class="row wrap flow-ports" role="group" aria-label="Destination ports">
        ${options.ports.length
          ? options.ports.map(
              (p) =>
                html`<span class="chip"
                  >${p}${off
                    ? nothing
                    : html`<button
                        type="button"
                        class="icon"
                        aria-label=${`Remove ${p}`}
                        @click=${() => put({ ports: options.ports.filter((x) => x !== p) })}
                      >
                        ${icon("close", 10)}
                      </button>`}</span
                >`,
            )
          : html`<span class="m s12">all ports</span>`}
        ${off || options.ports.length >= MOST_PORTS
          ? nothing
          : this.#port.view({
              value: "",
              shown: "",
              label: "Add a destination port",
              placeholder: `only\u2026 ${this.#seen.data?.find((s) => !options.ports.includes(s.service))?.service ?? "443/tcp"}`,
              cls: "port-field",
              choose: (text) => text && this.#add(text, options.ports, put),
            })}
      </div>
      ${this.#wrong ? html`<p class="crit s12" role="alert">${this.#wrong}</p>` : nothing}
      <p class="m s12">
        ${options.ports.length > 1 ? "The ports are counted together. " : ""}Flows are counted by 5 minutes and judged
        some 6 minutes later.
      </p>
    </div>`;
  }

  #refuse(why) {
    this.#wrong = why;
    redraw();
  }

  #add(text, ports, put) {
    const port = servicePort(text, this.#seen.data ?? []);
    this.#wrong = port ? "" : `\u201c${text}\u201d is no port: give one such as 443/tcp, 53 or icmp.`;
    if (port && !ports.includes(port)) put({ ports: [...ports, port] });
    redraw();
  }
}
