// The highest peaks of a group; below the chosen one what else went on then: machines, changes and talkers.
import { html, nothing, repeat } from "../../core/html.js";
import { get } from "../../core/api.js";
import { changeText } from "../../core/changes.js";
import { count, NONE } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { amount } from "../../core/talkers.js";
import { clock, HOUR, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { loaded } from "../../parts/pane.js";
import { byteRate, iops, millis, share, size } from "./words.js";

const text = (v, words) => (v === null || v === undefined ? NONE : words(v));

export class Peaks {
  #around = new Load((id, group, at, signal) => get(`/load-profiles/${id}/peak`, { group, at }, signal));

  /** `chosen()` is when the chosen peak began, "" for none; `choose(at)` chooses another. */
  constructor(id, { chosen, choose }) {
    this.id = id;
    this.chosen = chosen;
    this.choose = choose;
  }

  /** Chooses the next peak or the one before. */
  step(group, by) {
    const list = group.peaks;
    if (!list.length) return;
    const now = list.findIndex((p) => p.at === this.chosen());
    this.choose(list[Math.max(0, Math.min(list.length - 1, now < 0 ? 0 : now + by))].at);
  }

  view(group) {
    const most = Math.max(...group.peaks.map((p) => p.iops ?? p.throughput ?? 0), 1);
    const several = group.machines > 1;
    return html`<table class="peaks">
      <colgroup>
        <col class="w-moment" />
        <col />
        <col class="w-n prio-3" />
        <col class="w-n prio-3" />
        <col class="w-n prio-3" />
        <col class="w-n" />
        ${several ? html`<col class="w-most beside-gone" />` : nothing}
      </colgroup>
      <thead>
        <tr>
          <th>Hour from</th>
          <th>IOPS</th>
          <th class="r prio-3">Throughput</th>
          <th class="r prio-3">Block size</th>
          <th class="r prio-3">Reads</th>
          <th class="r">Latency</th>
          ${several ? html`<th class="beside-gone">Most from</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${repeat(
          group.peaks,
          (p) => p.at,
          (p) => [this.#row(p, most, several), p.at === this.chosen() ? this.#below(group, p) : nothing],
        )}
      </tbody>
    </table>`;
  }

  #row(peak, most, several) {
    const on = peak.at === this.chosen();
    const first = peak.machines?.[0];
    return html`<tr
      class=${on ? "sel" : ""}
      @click=${(e) => e.target.closest("a, button") || this.choose(on ? null : peak.at)}
    >
      <td>
        <button class="link" aria-expanded=${on} @click=${() => this.choose(on ? null : peak.at)}>
          ${moment(Date.parse(peak.at))}
        </button>
      </td>
      <td>
        <span class="peak-bar"
          ><span class="bar-track"
            ><span
              class="bar-fill"
              .style=${`width:${((peak.iops ?? peak.throughput ?? 0) / most) * 100}%`}
            ></span></span
          ><span class="r">${text(peak.iops, iops)}</span></span
        >
      </td>
      <td class="r prio-3">${text(peak.throughput, byteRate)}</td>
      <td class="r prio-3">${text(peak.blockSize, size)}</td>
      <td class="r prio-3">${text(peak.readShare, share)}</td>
      <td class="r">${text(peak.latencyMillis, millis)}</td>
      ${several
        ? html`<td class="beside-gone cut" title=${first?.name ?? ""}>
            ${first ? html`${first.name} <span class="m">${share(first.share)}</span>` : nothing}
          </td>`
        : nothing}
    </tr>`;
  }

  #below(group, peak) {
    this.#around.want(this.id, group.name, peak.at);
    const begin = Date.parse(peak.at);
    return html`<tr class="around-row">
      <td colspan="7">
        <div class="around">
          <div>
            <h3>Machines that made it</h3>
            ${peak.machines?.length
              ? machines(peak.machines)
              : html`<p class="m">${group.machines > 1 ? "They are not known." : "This is one machine alone."}</p>`}
            <p class="row wrap">
              <a class="acc" href=${href("/top-talkers", { from: iso(begin), to: iso(begin + HOUR), range: null })}
                >Traffic of this hour</a
              >
            </p>
          </div>
          ${loaded(
            this.#around,
            (around) =>
              html`<div>
                  <h3>Changes from ${clock(Date.parse(around.from))} to ${clock(Date.parse(around.to))}</h3>
                  ${changes(around)}
                </div>
                <div>
                  <h3>Who talked most</h3>
                  ${talkers(around)}
                </div>`,
            { rows: 3 },
          )}
        </div>
      </td>
    </tr>`;
  }
}

const iso = (ms) => new Date(ms).toISOString().replace(".000Z", "Z");

const named = (object, name) => (object ? html`<a href=${href(`/objects/${object.id}`)}>${name}</a>` : name);

const machines = (list) =>
  html`<ul class="around-list">
    ${list.map(
      (m) =>
        html`<li>
          <span class="cut" title=${m.name}>${named(m.object, m.name)}</span>
          <span class="r"
            >${m.iops === null ? text(m.throughput, byteRate) : `${iops(m.iops)} IOPS`}
            <span class="m">${share(m.share)}</span></span
          >
        </li>`,
    )}
  </ul>`;

function changes({ changes: list, changeCount }) {
  if (!list.length)
    return html`<p class="m">Nothing was recorded or noticed on these machines and what is above them.</p>`;
  const beyond = changeCount > list.length;
  return html`<ul class="around-list">
      ${list.map(
        (c) =>
          html`<li>
            <span class="whole"
              ><span class="m">${moment(Date.parse(c.time))}</span> ${named(c.object, c.object.name)}
              ${changeText(c)}</span
            >
            <a class="acc" href=${href("/compare", { change: c.id })}>Compare</a>
          </li>`,
      )}
    </ul>
    ${beyond ? html`<p class="m">The newest ${list.length} of ${count(changeCount)}.</p>` : nothing}`;
}

function talkers({ talkers: ranking, noTalkers }) {
  if (!ranking?.items.length)
    return html`<p class="m">
      ${noTalkers ?? ranking?.hint ?? "No traffic of these machines is known of this hour."}
    </p>`;
  return html`<ul class="around-list">
    ${ranking.items.map(
      (t) =>
        html`<li>
          <span class="cut" title=${t.talker.name}>${named(t.talker.object, t.talker.name)}</span>
          <span class="r">${amount(t.value, ranking.unit)}</span>
        </li>`,
    )}
  </ul>`;
}
