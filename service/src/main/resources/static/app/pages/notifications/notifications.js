// Notifications: rules, templates, targets, relays, silences, the delivery log, and the tables and secrets that
// templates and targets use.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { may, NEEDS } from "../../core/session.js";
import { amend, filterToAddress, param } from "../../core/url.js";
import { linksLine } from "../../parts/links-line.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { searchBox, segments } from "../../parts/small.js";
import { deliveriesTab } from "./deliveries.js";
import { lookupsTab } from "./lookups.js";
import { relaysTab } from "./relays.js";
import { rulesTab } from "./rules.js";
import { secretsTab } from "./secrets.js";
import { silencesTab } from "./silences.js";
import { targetsTab } from "./targets.js";
import { templatesTab } from "./templates.js";

const MAKERS = {
  rules: rulesTab,
  templates: templatesTab,
  targets: targetsTab,
  relays: relaysTab,
  silences: silencesTab,
  deliveries: deliveriesTab,
  lookups: lookupsTab,
  secrets: secretsTab,
};
const USUAL = "rules";

/**
 * A tab has name, load (what the list is of), view(), and as they apply update(), keys(), escape(), add (what C makes:
 * `[action, words, role]`), buttons(), note(), head(), columns (see `choosable`), beside() for a pane at its side,
 * none() for an empty list, params (of the address that are its own), and filter (the words that its filter box
 * proposes).
 */
export function page() {
  const made = {};
  let typed = param("q");
  const current = () => (MAKERS[param("tab")] ? param("tab") : USUAL);
  const toAddress = filterToAddress();
  const filter = {
    text: () => typed,
    set(text) {
      toAddress.cancel();
      typed = text;
      amend({ q: text.trim(), row: null }, { replace: true });
      redraw();
    },
  };
  const tab = () => (made[current()] ??= MAKERS[current()](filter));

  function choose(name) {
    toAddress.cancel();
    typed = "";
    tab().escape?.();
    const gone = { tab: name === USUAL ? null : name, q: null, row: null, sort: null, columns: null };
    for (const key of tab().params ?? []) gone[key] = null;
    amend(gone, { replace: true });
  }

  function add() {
    const [action, , role] = tab().add;
    if (may(role)) action();
    else notice(role === "admin" ? "Needs the role admin" : NEEDS);
  }

  function filterBox() {
    return searchBox({
      value: typed,
      placeholder: tab().filter,
      type: (text) => {
        typed = text;
        toAddress(typed.trim());
        redraw();
      },
    });
  }

  function body(now) {
    const { load } = now;
    if (load.error && !load.data) return failure(load.error, () => load.again());
    if (!load.data) return loaded(load, () => nothing, { rows: 12 });
    return html`${now.view()}${load.error
      ? html`<div class="row pad warn s12" role="alert">
          Not read again: ${load.error.message} <button class="link" @click=${() => load.again()}>Retry</button>
        </div>`
      : nothing}`;
  }

  return {
    get title() {
      return `Notifications: ${tab().name.toLowerCase()}`;
    },
    name: "notifications",
    timed: false,
    update() {
      if (document.activeElement?.id !== "filter") typed = param("q");
      tab().columns?.arrive();
      tab().update();
    },
    leave: () => toAddress.cancel(),
    keys: () => ({
      ...tab().keys?.(),
      ...(tab().add ? { C: [add, tab().add[1]] } : {}),
      "/": [() => document.getElementById("filter")?.focus(), "Filter"],
    }),
    escape: () => tab().escape?.(),
    view() {
      const now = tab();
      now.update();
      const names = {
        rules: "Rules",
        templates: "Templates",
        targets: "Targets",
        relays: "Relays",
        silences: "Silences",
        deliveries: "Delivery log",
        lookups: "Lookup tables",
        secrets: "Secrets",
      };
      const allowed = now.add && may(now.add[2]);
      const none = now.load.data && now.none?.();
      return html`<div class="tb">
          <h1>Notifications</h1>
          ${segments(current(), Object.entries(names), choose, "What is listed")}${now.filter
            ? filterBox()
            : html`<span class="sp"></span>`}
          ${now.buttons?.() ?? nothing}${now.add
            ? html`<button
                class="ctl primary"
                ?disabled=${!allowed}
                title=${allowed ? nothing : now.add[2] === "admin" ? "Needs the role admin" : NEEDS}
                @click=${add}
              >
                ${now.add[1]} <kbd>C</kbd>
              </button>`
            : nothing}
        </div>
        ${linksLine()}${none
          ? none
          : html`<section class="pane" aria-label=${now.name}>
                <div class="ph">
                  ${now.head?.() ??
                  html`<h2>${now.title()}</h2>
                    <span class="m cut">${now.note?.() ?? ""}</span><span class="sp"></span
                    ><span class="m hint"
                      >Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd></span
                    >`}${now.columns?.button() ?? nothing}
                </div>
                ${body(now)}
              </section>
              ${now.beside?.() ?? nothing}`}`;
    },
  };
}
