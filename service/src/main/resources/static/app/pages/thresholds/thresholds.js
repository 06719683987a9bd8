// Thresholds, and as a second tab alert definitions: all of them, those with something open first; the selected ones
// are exported, switched on or off together.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { memo } from "../../core/memo.js";
import { kindWord } from "../../core/metrics.js";
import { rank } from "../../core/severity.js";
import { may, NEEDS } from "../../core/session.js";
import { clock, DAY, date, lastTick, moment } from "../../core/time.js";
import { amend, filterToAddress, go, href, param } from "../../core/url.js";
import { notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { ordered, Rows } from "../../parts/rows.js";
import { severityShape, shape } from "../../parts/shapes.js";
import { searchBox, segments, weeks } from "../../parts/small.js";
import { treeText } from "./alert-tree.js";
import { words } from "../../core/filter.js";
import { showRulePacks } from "./packs.js";
import { scopeWords, wantNames } from "../shared/scope-fields.js";
import { conditionText, openOf, stateOf, triggerText } from "./words.js";

const PAGE = 1000;
const EDITABLE = {
  thresholds: [
    "name",
    "description",
    "enabled",
    "objectKind",
    "scope",
    "condition",
    "trigger",
    "overrides",
    "alert",
    "tags",
    "owner",
    "interval",
  ],
  definitions: [
    "name",
    "description",
    "enabled",
    "objectKind",
    "scope",
    "impact",
    "severity",
    "condition",
    "waitCycles",
    "cancelCycles",
    "recommendations",
    "type",
    "subType",
    "tags",
    "owner",
    "interval",
  ],
};
const PLACES = { thresholds: "/thresholds", definitions: "/thresholds/definitions" };
const APIS = { thresholds: "/thresholds", definitions: "/alert-definitions" };

async function readAll(path, signal) {
  const items = [];
  let cursor = null;
  do {
    const page = await get(path, { limit: PAGE, cursor }, signal);
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor);
  return items;
}

const openCount = (rule) => rule.openAlerts ?? openOf(rule.state).count;
const changedWord = (ms) => html`<span title=${moment(ms)}>${Date.now() - ms < DAY ? clock(ms) : date(ms)}</span>`;
const fires = (rule) => (rule.firesPerWeek ?? []).reduce((n, week) => n + week, 0);
const ORDERS = {
  fires: (a, b) => fires(b) - fires(a),
  open: (a, b) => rank(openOf(b.state).worst) - rank(openOf(a.state).worst) || openCount(b) - openCount(a),
  name: (a, b) => a.name.localeCompare(b.name),
  kind: (a, b) => a.objectKind.objectKind.localeCompare(b.objectKind.objectKind),
  pack: (a, b) => (a.pack ?? "\uffff").localeCompare(b.pack ?? "\uffff"),
  changed: (a, b) => b.updatedAt.localeCompare(a.updatedAt),
};

export function page() {
  const all = {
    thresholds: new Load((_tick, _version, signal) => readAll(APIS.thresholds, signal)),
    definitions: new Load((_tick, _version, signal) => readAll(APIS.definitions, signal)),
  };
  let typed = param("q");
  let version = 0;
  let busy = false;

  const tab = () => (param("tab") === "definitions" ? "definitions" : "thresholds");
  const load = () => all[tab()];
  const toAddress = filterToAddress();

  function update() {
    if (document.activeElement?.id !== "filter") typed = param("q");
    for (const l of Object.values(all)) l.want(lastTick(), version);
  }

  /** Words must all occur; `pack:`, `kind:`, `tag:` and `is:` say where. */
  function matches(rule) {
    const text =
      `${rule.name} ${rule.description ?? ""} ${rule.objectKind.objectKind} ${rule.pack ?? ""} ${(rule.tags ?? []).join(" ")} ${rule.condition.key ?? ""}`.toLowerCase();
    return words(typed).every((word) => {
      const colon = word.indexOf(":");
      const value = word.slice(colon + 1);
      switch (word.slice(0, Math.max(0, colon))) {
        case "pack":
          return rule.pack === value;
        case "kind":
          return rule.objectKind.objectKind === value;
        case "tag":
          return (rule.tags ?? []).includes(value);
        case "is":
          return (
            {
              open: openCount(rule) > 0,
              disabled: !rule.enabled,
              symptom: !rule.alert && tab() === "thresholds",
              error: Boolean(rule.error ?? rule.state?.error),
            }[value] ?? false
          );
        default:
          return text.includes(word.toLowerCase());
      }
    });
  }

  const left = memo((items, _text) => items.filter(matches));
  const rows = new Rows({
    main: "thresholds",
    items: () => (load().data ? left(load().data, typed) : null),
    asked: () => [tab(), param("sort"), typed],
    compare: (a, b) => ordered(ORDERS, "open", ORDERS.name)(a, b),
    address: (rule) => `${PLACES[tab()]}/${rule.id}`,
    go,
  });

  async function enable(on, list) {
    busy = true;
    redraw();
    const kind = tab();
    const done = [];
    const failed = [];
    for (const rule of list.filter((r) => r.enabled !== on)) {
      try {
        const body = Object.fromEntries(EDITABLE[kind].filter((f) => rule[f] !== undefined).map((f) => [f, rule[f]]));
        done.push(
          (
            await exchange("PUT", `${APIS[kind]}/${rule.id}`, {
              body: { ...body, enabled: on },
              etag: `"${rule.version}"`,
            })
          ).data,
        );
      } catch (error) {
        failed.push(`${rule.name}: ${error.message}`);
      }
    }
    busy = false;
    version++;
    update();
    const word = on ? "enabled" : "disabled";
    if (failed.length) notice(`${done.length} ${word}, ${failed.length} not. ${failed[0]}`, { seconds: 10 });
    else
      notice(done.length ? `${plural(done.length, "rule")} ${word}` : `All of them were ${word} already`, {
        seconds: 10,
        undo: done.length ? () => enable(!on, done) : null,
      });
  }

  const add = () => (may("operator") ? go(`${PLACES[tab()]}/new`) : notice(NEEDS));
  const keys = () => ({ ...rows.keys(), C: [add, tab() === "thresholds" ? "New threshold" : "New alert definition"] });
  const head = (id, name, cls) => rows.head(id, name, cls, "open");
  /** Whether the service says how often rules fired. */
  const counted = () => tab() === "thresholds" && (load().data ?? []).some((r) => r.firesPerWeek);

  function stateCell(rule) {
    if (tab() === "thresholds") return stateOf(rule);
    if (!rule.enabled) return ["alike", "disabled"];
    if (rule.error) return ["immediate", rule.error];
    return rule.openAlerts ? ["warning", `${plural(rule.openAlerts, "alert")} open`] : ["alike", "nothing open"];
  }

  function row(rule) {
    const [kind, state] = stateCell(rule);
    const what =
      tab() === "thresholds"
        ? conditionText(rule.condition, rule.unit)
        : treeText(rule.condition, rule.thresholds ?? all.thresholds.data ?? []);
    const { worst } = openOf(rule.state);
    const n = openCount(rule);
    return html`<tr
      class="${rows.isOn(rule) ? "sel" : ""} ${rule.enabled ? "" : "quiet"}"
      aria-selected=${rows.selected.has(rule.id)}
      @click=${(e) => rows.click(e, rule)}
      @dblclick=${() => rows.open(rule)}
    >
      ${rows.pick(rule, shape(kind, 12, state))}
      <td class="strong l-name" title=${rule.description ?? rule.name}>
        <a href=${href(rows.address(rule))}>${rule.name}</a>
      </td>
      <td class="i2 l-value">${kindWord(rule.objectKind.objectKind, 2)}</td>
      <td class="l-what" title=${tab() === "thresholds" ? `${what}; ${triggerText(rule.trigger)}` : what}>${what}</td>
      <td class="i2 prio-3" title=${scopeWords(rule.scope)}>
        ${scopeWords(rule.scope, "")}${rule.overrides?.length
          ? html` <span class="m">${plural(rule.overrides.length, "override")}</span>`
          : nothing}
      </td>
      <td class="m prio-3">${tab() === "thresholds" ? (rule.alert?.impact ?? "symptom") : rule.impact}</td>
      <td class="r l-long" title=${state}>
        ${n
          ? html`<span class="row end-row">${worst ? severityShape(worst, 10) : nothing}${count(n)}</span>`
          : html`<span class="m">0</span>`}
      </td>
      ${counted() ? html`<td class="prio-3">${weeks(rule.firesPerWeek)}</td>` : nothing}
      <td class="m prio-3" title=${(rule.tags ?? []).join(", ")}>${rule.pack ?? (rule.tags ?? []).join(", ")}</td>
      <td class="r m prio-3">${changedWord(Date.parse(rule.updatedAt))}</td>
    </tr>`;
  }

  function table() {
    const list = rows.list();
    if (!list.length)
      return html`<div class="empty">
        Nothing matches.
        <button
          class="link"
          @click=${() => {
            toAddress.cancel();
            typed = "";
            amend({ q: null }, { replace: true });
          }}
        >
          Drop the filter
        </button>
      </div>`;
    wantNames(list.map((r) => r.scope));
    return html`<table class="wide">
      <colgroup>
        <col class="w-pick" />
        <col />
        <col class="w-dur" />
        <col class="w-rule" />
        <col class="w-scope prio-3" />
        <col class="w-dur prio-3" />
        <col class="w-open" />
        ${counted() ? html`<col class="w-weeks prio-3" />` : nothing}
        <col class="w-pack prio-3" />
        <col class="w-slim prio-3" />
      </colgroup>
      <thead>
        <tr>
          <td></td>
          ${head("name", "Name")}${head("kind", "On")}
          <th>${tab() === "thresholds" ? "When" : "Condition"}</th>
          <th class="prio-3">Scope</th>
          <th class="prio-3">Impact</th>
          ${head("open", "Open now", "r")}${counted() ? head("fires", "Fires, 8 weeks", "prio-3") : nothing}${head(
            "pack",
            "Pack, tags",
            "prio-3",
          )}${head("changed", "Changed", "r prio-3")}
        </tr>
      </thead>
      ${rows.body(list, row)}
    </table>`;
  }

  function bulk() {
    const list = rows.picked();
    const allowed = may("operator");
    const needs = allowed ? nothing : NEEDS;
    return html`<b>${count(list.length)} selected</b
      ><a class="ctl" href=${`/api/v1/rules/export?id=${list.map((r) => r.id).join(",")}`} download>Export</a>
      <button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(true, list)}>Enable</button
      ><button class="ctl" ?disabled=${!allowed || busy} title=${needs} @click=${() => enable(false, list)}>
        Disable
      </button>
      <button class="link" @click=${() => rows.clear()}>None</button>`;
  }

  const write = (primary) =>
    html`<button
      class="ctl ${primary}"
      ?disabled=${!may("operator")}
      title=${may("operator") ? nothing : NEEDS}
      @click=${add}
    >
      Write one
    </button>`;
  const none = () =>
    tab() === "thresholds"
      ? html`<section class="pane words">
          <p class="say">
            <b>There is no threshold yet.</b> A threshold says when a metric, a super metric or a property of an object
            needs somebody, how bad that is, and for how long it must last.
          </p>
          <p class="say row">
            <button class="ctl primary" @click=${() => showRulePacks()}>Install a pack…</button>
            <a class="ctl" href=${href("/thresholds/import")}>Import a file…</a>
            ${write("")}
          </p>
        </section>`
      : html`<section class="pane words">
          <p class="say">
            <b>There is no alert definition yet.</b> A threshold raises alerts by itself. An alert definition combines
            several: on an object, on what is above it and on what is below it, such as "at least 3 hosts of a cluster".
          </p>
          <p class="say row">${write("primary")}</p>
        </section>`;

  return {
    get title() {
      return tab() === "thresholds" ? "Thresholds" : "Alert definitions";
    },
    name: "thresholds",
    timed: false,
    update,
    keys,
    escape: () => rows.escape(),
    view() {
      const now = load();
      const switchTab = (name) => {
        rows.clear();
        amend({ tab: name === "thresholds" ? null : name, row: null }, { replace: true });
      };
      const total = (name) =>
        all[name].data ? html` <span class="n">${count(all[name].data.length)}</span>` : nothing;
      const operator = may("operator");
      return html`<div class="tb">
          <h1>Thresholds</h1>
          ${segments(
            tab(),
            [
              ["thresholds", html`Thresholds${total("thresholds")}`],
              ["definitions", html`Alert definitions${total("definitions")}`],
            ],
            switchTab,
            "What is listed",
          )}
          ${searchBox({
            value: typed,
            placeholder: "name, key, is:open pack:vm-basics kind:VirtualMachine",
            type: (text) => {
              typed = text;
              toAddress(typed.trim());
              redraw();
            },
          })}
          <button class="ctl" @click=${() => showRulePacks()}>Packs…</button>
          <a class="ctl" href=${href("/thresholds/import")}>Import…</a>
          <button class="ctl primary" ?disabled=${!operator} title=${operator ? nothing : NEEDS} @click=${add}>
            New <kbd>C</kbd>
          </button>
        </div>
        ${now.data?.length === 0
          ? none()
          : html`<section class="pane" aria-label=${tab() === "thresholds" ? "Thresholds" : "Alert definitions"}>
              <div class="ph ${rows.selected.size ? "bulk" : ""}">
                ${rows.selected.size
                  ? bulk()
                  : html`<h2>
                      ${now.data
                        ? plural(now.data.length, tab() === "thresholds" ? "threshold" : "alert definition")
                        : "Thresholds"}
                    </h2>`}
                <span class="sp"></span>
                ${rows.selected.size
                  ? nothing
                  : html`<a class="link" href="/api/v1/rules/export" download>Export all</a>`}
                <span class="m hint">Row <kbd>J</kbd> <kbd>K</kbd> Open <kbd>Enter</kbd> Select <kbd>X</kbd></span>
              </div>
              ${rows.box(
                now.error && !now.data
                  ? failure(now.error, () => now.again())
                  : loaded(now, () => table(), { rows: 12 }),
              )}
            </section>`}`;
    },
  };
}
