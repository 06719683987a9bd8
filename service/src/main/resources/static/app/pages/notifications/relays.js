// Relays: where other systems send their alerts, and what came through each of them.
import { html, nothing } from "../../core/html.js";
import { get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { may } from "../../core/session.js";
import { duration, lastTick, moment } from "../../core/time.js";
import { go, href } from "../../core/url.js";
import { copy } from "../../parts/notice.js";
import { ordered, Rows } from "../../parts/rows.js";
import { shape } from "../../parts/shapes.js";
import { words } from "../../core/filter.js";

const AUTHS = { basic: "user and password", bearer: "token", certificate: "client certificate" };
export const authWord = (type) => AUTHS[type] ?? type;

/** What a sender is given. */
export const urlOf = (relay) => `${location.origin}${relay.path}`;

const readRelays = async (signal) => {
  const [{ items, total }, states] = await Promise.all([
    get("/notification-relays", { limit: 1000 }, signal),
    get("/notification-relays/states", {}, signal),
  ]);
  const byId = new Map(states.items.map((s) => [s.relay, s]));
  return { items: items.map((r) => ({ ...r, state: byId.get(r.id) ?? null })), total };
};

/** How a relay does: `[rank, shape, words, hint]`; the worst ranks highest. */
export function relayState(relay) {
  const s = relay.state;
  if (!relay.enabled) return [0, shape("alike", 12, "disabled"), "disabled", ""];
  if (relay.issues.length)
    return [4, shape("critical", 12), relay.issues[0].message, relay.issues.map((i) => i.message).join("; ")];
  const wrong = s?.errorAt && (!s.receivedAt || Date.parse(s.errorAt) >= Date.parse(s.receivedAt));
  if (wrong)
    return [
      3,
      shape("warning", 12, "something was wrong"),
      `trouble ${duration(Date.now() - Date.parse(s.errorAt))} ago`,
      s.error,
    ];
  if (s?.receivedAt)
    return [1, shape("alike", 12, "works"), `heard ${duration(Date.now() - Date.parse(s.receivedAt))} ago`, ""];
  return [
    2,
    shape("unknown", 12, "nothing heard yet"),
    s?.testedAt ? "tested, nothing heard yet" : "nothing heard yet",
    "",
  ];
}

const byName = (a, b) => a.name.localeCompare(b.name);
const ORDERS = {
  state: (a, b) => relayState(b)[0] - relayState(a)[0],
  name: byName,
  open: (a, b) => (b.state?.open ?? 0) - (a.state?.open ?? 0),
  received: (a, b) => (b.state?.received ?? 0) - (a.state?.received ?? 0),
  last: (a, b) => (b.state?.receivedAt ?? "").localeCompare(a.state?.receivedAt ?? ""),
};

export function relaysTab(filter) {
  const load = new Load((_tick, signal) => readRelays(signal));
  const matches = (r) =>
    words(filter.text()).every(
      (w) =>
        ({ "is:failing": relayState(r)[0] >= 3, "is:disabled": !r.enabled, "is:silent": !r.state?.receivedAt })[w] ??
        `${r.name} ${r.description ?? ""} ${authWord(r.auth.type)}`.toLowerCase().includes(w.toLowerCase()),
    );
  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({
    main: "notifications",
    items: () => (load.data ? left(load.data.items, filter.text()) : null),
    asked: () => filter.text(),
    compare: (a, b) => ordered(ORDERS, "state", byName)(a, b),
    address: (r) => `/notifications/relays/${r.id}`,
    go,
  });
  const head = (id, name, cls) => rows.head(id, name, cls, "state");

  function row(r) {
    const [, mark, state, hint] = relayState(r);
    const s = r.state;
    return html`<tr
      class="${rows.isOn(r) ? "sel" : ""} ${r.enabled ? "" : "quiet"}"
      aria-selected=${rows.isOn(r)}
      @click=${(e) => rows.click(e, r)}
      @dblclick=${() => rows.open(r)}
    >
      <td>${mark}</td>
      <td class="strong l-name" title=${r.description ?? r.name}><a href=${href(rows.address(r))}>${r.name}</a></td>
      <td class="i2">${authWord(r.auth.type)}</td>
      <td class="mono l-what" title=${urlOf(r)}>${r.path}</td>
      <td title=${hint || state}>${state}${hint ? html` <span class="m">${hint}</span>` : nothing}</td>
      <td class="r l-value">${count(s?.open ?? 0)}</td>
      <td class="r">${count(s?.received ?? 0)}</td>
      <td class="r">
        ${s?.refused ? html`<span class="warn">${count(s.refused)}</span>` : html`<span class="m">0</span>`}
      </td>
      <td class="r m prio-3">${s?.receivedAt ? moment(Date.parse(s.receivedAt)) : "-"}</td>
      <td class="r">
        <button class="link" aria-label=${`Copy the URL of ${r.name}`} @click=${() => copy(urlOf(r), "URL copied")}>
          Copy URL
        </button>
      </td>
    </tr>`;
  }

  return {
    name: "Relays",
    load,
    filter: "name, is:failing is:silent",
    add: [() => go("/notifications/relays/new"), "New relay", "admin"],
    update: () => load.want(lastTick()),
    keys: () => rows.keys({ selecting: false }),
    escape: () => rows.escape(),
    title: () => (load.data ? plural(load.data.total, "relay") : "Relays"),
    note() {
      const all = load.data?.items ?? [];
      const failing = all.filter((r) => relayState(r)[0] >= 3).length;
      return load.data
        ? `${failing ? `${failing} with trouble, ` : ""}${plural(
            all.reduce((n, r) => n + (r.state?.open ?? 0), 0),
            "alert",
          )} of other systems open`
        : "";
    },
    none() {
      if (load.data.items.length) return null;
      return html`<section class="pane words">
        <p class="say">
          <b>There is no relay yet.</b> A relay takes the alerts of another system, vRealize Operations or Alertmanager
          as they are, and sends them on by the same rules, templates and targets, with what is known here of the
          object: its tags, properties, metrics, and what is above it.
        </p>
        <p class="say row">
          <a class="ctl primary" href=${href("/notifications/relays/new")}>New relay</a>
          ${may("admin") ? nothing : html`<span class="m">needs the role admin</span>`}
        </p>
      </section>`;
    },
    view() {
      const list = rows.list();
      if (!list.length)
        return html`<div class="empty">
          Nothing matches. <button class="link" @click=${() => filter.set("")}>Drop the filter</button>
        </div>`;
      return rows.box(
        html`<table>
          <colgroup>
            <col class="w-state" />
            <col class="w-name" />
            <col class="w-template" />
            <col class="w-who" />
            <col />
            <col class="w-few" />
            <col class="w-few" />
            <col class="w-few" />
            <col class="w-time prio-3" />
            <col class="w-dur" />
          </colgroup>
          <thead>
            <tr>
              <td></td>
              ${head("name", "Name")}
              <th>Senders show</th>
              <th>Senders post to</th>
              ${head("state", "State")}${head("open", "Open", "r")}${head("received", "Received", "r")}
              <th class="r">Refused</th>
              ${head("last", "Last heard", "r prio-3")}
              <td></td>
            </tr>
          </thead>
          ${rows.body(list, row)}
        </table>`,
      );
    },
  };
}
