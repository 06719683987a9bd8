// What narrows traffic, as chips that can be dropped, and the ways to narrow it further: an object, the other end,
// networks, services.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { bytes } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { nameOf, narrowing, serviceText, TRAFFIC } from "../../core/talkers.js";
import { range } from "../../core/time.js";
import { amend, href } from "../../core/url.js";
import { showPalette } from "../../frame/palette.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { loaded } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { groups } from "../shared/scope-fields.js";

const SERVICE = /^([0-9]{1,5}(\/[a-z][a-z0-9.+-]{0,30})?|[a-z][a-z0-9.+-]{0,30})$/;
const MOST_SERVICES = 20;
const PREFIX = /^[0-9a-f.:]+\/\d{1,3}$/i;

const services = new Load((query, signal) => get("/flows/ports", { ...query, limit: 100 }, signal));
const networks = new Load((_opened, signal) => get("/networks", {}, signal));
let typed = "";
let wrong = "";
let opened = 0;

const setPorts = (ports) => amend({ ports: ports.join(","), row: null });
const flip = (list, value) => (list.includes(value) ? list.filter((v) => v !== value) : [...list, value]);

/** Opens the list of services that were seen; `query` is what else narrows. */
export function showServices(query) {
  typed = wrong = "";
  const { from, to } = range();
  services.want({ ...query, ports: [], from: Math.floor(from), to: Math.floor(to) });
  showLayer("popover at-services", servicesView, { label: "Services" });
}

function addService(text) {
  const { ports } = narrowing();
  const service = text.trim().toLowerCase();
  if (!SERVICE.test(service))
    wrong = "A service is a port with or without its protocol, such as 443/tcp or 53, or a protocol, such as icmp.";
  else if (ports.length >= MOST_SERVICES && !ports.includes(service))
    wrong = `At most ${MOST_SERVICES} services at once.`;
  else {
    wrong = typed = "";
    if (!ports.includes(service)) setPorts([...ports, service]);
  }
  redraw();
}

function servicesView() {
  const { ports } = narrowing();
  const fits = (s) => !typed || serviceText(s).toLowerCase().includes(typed.toLowerCase());
  const toggle = (service) => (ports.includes(service) ? setPorts(flip(ports, service)) : addService(service));
  const row = (service, words, hint) =>
    html`<li>
      <button role="checkbox" aria-checked=${ports.includes(service)} @click=${() => toggle(service)}>
        <input type="checkbox" tabindex="-1" .checked=${ports.includes(service)} aria-hidden="true" /><span class="cut"
          >${words}</span
        ><span class="sp"></span><span class="m">${hint}</span>
      </button>
    </li>`;
  return html`<input
      class="field"
      autofocus
      placeholder="443/tcp, 53, icmp or a name"
      aria-label="Service"
      aria-describedby="service-wrong"
      .value=${typed}
      @input=${(e) => {
        typed = e.target.value.trim();
        wrong = "";
        redraw();
      }}
      @keydown=${(e) => e.key === "Enter" && (e.preventDefault(), addService(e.target.value))}
    />
    <p id="service-wrong" class="crit s12 pad" role="alert" ?hidden=${!wrong}>${wrong}</p>
    <ul class="menu">
      ${ports.filter((p) => !(services.data?.items ?? []).some((s) => s.service === p)).map((p) => row(p, p, "chosen"))}
      ${loaded(
        services,
        ({ items }) =>
          html`${repeat(
            items.filter(fits),
            (s) => s.service,
            (s) => row(s.service, serviceText(s), s.bytes === undefined ? "" : bytes(s.bytes)),
          )}`,
        { rows: 8, isEmpty: ({ items }) => !items.length, empty: "No services in this range." },
      )}
    </ul>
    <div class="row pad">
      <span class="m s12">Seen in this range, most bytes first. Enter takes what was typed.</span>
      <span class="sp"></span>
      ${ports.length ? html`<button class="ctl" @click=${() => setPorts([])}>All</button>` : nothing}
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
}

/** Opens the list of named networks. */
function showNetworks() {
  typed = wrong = "";
  networks.want(++opened);
  showLayer("popover at-networks", networksView, { label: "Networks" });
}

function networksView() {
  const { networks: chosen } = narrowing();
  const set = (list) => amend({ network: list, row: null });
  const add = (text) => {
    if (!text) return;
    if (!PREFIX.test(text) && !(networks.data?.items ?? []).some((n) => n.name === text))
      wrong = "Neither a named network nor a prefix such as 10.1.0.0/16.";
    else {
      wrong = typed = "";
      if (!chosen.includes(text)) set([...chosen, text]);
    }
    redraw();
  };
  const row = (name, hint) =>
    html`<li>
      <button role="checkbox" aria-checked=${chosen.includes(name)} @click=${() => set(flip(chosen, name))}>
        <input type="checkbox" tabindex="-1" .checked=${chosen.includes(name)} aria-hidden="true" /><span class="cut"
          >${name}</span
        ><span class="sp"></span><span class="m cut">${hint}</span>
      </button>
    </li>`;
  return html`<input
      class="field"
      autofocus
      placeholder="Name, or a prefix such as 10.1.0.0/16"
      aria-label="Network"
      .value=${typed}
      @input=${(e) => {
        typed = e.target.value.trim();
        wrong = "";
        redraw();
      }}
      @keydown=${(e) => e.key === "Enter" && (e.preventDefault(), add(e.target.value.trim()))}
    />
    <p class="crit s12 pad" role="alert" ?hidden=${!wrong}>${wrong}</p>
    <ul class="menu">
      ${chosen.filter((n) => !(networks.data?.items ?? []).some((x) => x.name === n)).map((n) => row(n, "prefix"))}
      ${loaded(
        networks,
        ({ items }) =>
          html`${repeat(
            items.filter((n) => n.name.toLowerCase().includes(typed.toLowerCase())),
            (n) => n.name,
            (n) => row(n.name, n.cidrs.join(", ")),
          )}`,
        {
          rows: 6,
          isEmpty: ({ items }) => !items.length,
          empty: html`No network has a name yet. A prefix can be typed.`,
        },
      )}
    </ul>
    <div class="row pad">
      <span class="sp"></span>
      ${chosen.length ? html`<button class="ctl" @click=${() => set([])}>All</button>` : nothing}
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
}

/** Opens the list of custom groups. */
function showGroups() {
  typed = "";
  groups.want(++opened);
  showLayer("popover at-networks", groupsView, { label: "Groups" });
}

function groupsView() {
  const { of } = narrowing();
  const fits = (g) => g.name.toLowerCase().includes(typed.toLowerCase());
  return html`<input
      class="field"
      autofocus
      type="search"
      placeholder="Custom group"
      aria-label="Find a group"
      .value=${typed}
      @input=${(e) => {
        typed = e.target.value.trim();
        redraw();
      }}
    />
    <ul class="menu">
      ${loaded(
        groups,
        ({ items }) =>
          html`${repeat(
            items.filter(fits),
            (g) => g.id,
            (g) =>
              html`<li>
                <button
                  role="checkbox"
                  aria-checked=${of.includes(g.id)}
                  @click=${() => amend({ of: flip(of, g.id), row: null })}
                >
                  <input type="checkbox" tabindex="-1" .checked=${of.includes(g.id)} aria-hidden="true" /><span
                    class="cut"
                    >${g.name}</span
                  >
                </button>
              </li>`,
          )}`,
        {
          rows: 4,
          isEmpty: ({ items }) => !items.length,
          empty: html`There is no custom group yet. <a class="acc" href=${href("/settings/groups/new")}>Make one</a>`,
        },
      )}
    </ul>
    <div class="row pad">
      <span class="sp"></span>
      <button class="ctl" @click=${closeLayer}>Close</button>
    </div>`;
}

const chipOf = (words, drop, title = words) =>
  html`<span class="chip accent" title=${title}
    >${words}<button class="icon" aria-label=${`Drop ${words}`} @click=${drop}>${icon("close", 10)}</button></span
  >`;

/** Asks for one end of the traffic, or for the other. */
const chooseEnd = (name) =>
  showPalette({
    label: name === "of" ? "Only traffic of" : "Only traffic with",
    choose: (o) => amend({ [name]: [...new Set([...narrowing()[name === "of" ? "of" : "peers"], o.id])], row: null }),
  });

/** What narrows, each a chip that drops it. */
function filterChips() {
  const q = narrowing();
  const drop = (name, list, value) => amend({ [name]: list.filter((v) => v !== value), row: null });
  return [
    ...q.of.map((id) => chipOf(`of ${nameOf(id)}`, () => drop("of", q.of, id), "It and what is below it")),
    ...q.peers.map((id) => chipOf(`with ${nameOf(id)}`, () => drop("peer", q.peers, id), "The other end")),
    ...q.tiers.map((t) => chipOf(`tier ${t}`, () => drop("tier", q.tiers, t))),
    ...q.networks.map((n) => chipOf(`in ${n}`, () => drop("network", q.networks, n))),
    ...q.ports.map((p) => chipOf(p, () => setPorts(q.ports.filter((v) => v !== p)), "Service")),
    ...(q.traffic ? [chipOf(TRAFFIC[q.traffic], () => amend({ traffic: null, row: null }))] : []),
  ];
}

/** The line of filters; `more` stands at its end. */
export function filterLine(query, more = /** @type {unknown} */ (nothing)) {
  const chips = filterChips();
  return html`<div class="narrow">
    <span class="m">${chips.length ? "Only" : "All traffic"}</span>
    ${chips}
    <button class="link" @click=${() => chooseEnd("of")}>Object…</button>
    <button class="link" @click=${() => chooseEnd("peer")}>Other end…</button>
    <button class="link" aria-haspopup="dialog" @click=${showGroups}>Group…</button>
    <button class="link" aria-haspopup="dialog" @click=${showNetworks}>Network…</button>
    <button class="link" aria-haspopup="dialog" @click=${() => showServices(query)}>Service…</button>
    <span class="sp"></span>
    ${more}
  </div>`;
}

/** A switch of traffic types. */
export const trafficSelect = () =>
  html`<label class="ctl pick-one"
    ><span class="k">Traffic</span
    ><select aria-label="Traffic" @change=${(e) => amend({ traffic: e.target.value || null, row: null })}>
      <option value="" ?selected=${!narrowing().traffic}>all</option>
      ${Object.entries(TRAFFIC).map(
        ([id, words]) => html`<option value=${id} ?selected=${narrowing().traffic === id}>${words}</option>`,
      )}
    </select></label
  >`;

export const servicesButton = (query) => {
  const { ports } = narrowing();
  return html`<button class="ctl" aria-haspopup="dialog" @click=${() => showServices(query)}>
    <span class="k">Port</span
    ><span class="cut"
      >${ports.length ? (ports.length > 1 ? `${ports[0]} +${ports.length - 1}` : ports[0]) : "all"}</span
    >${icon("caret", 13)}
  </button>`;
};
