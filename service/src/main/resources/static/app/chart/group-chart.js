// <group-chart>: the members of a group over time against what is accepted. Set `spec` (see `GroupSpec`); `pointed`
// marks the member that a list points at.
import { html } from "../core/html.js";
import { NONE, short } from "../core/format.js";
import { moment } from "../core/time.js";
import { Crowd } from "./crowd.js";
import { layoutGroup } from "./group-layout.js";
import { paintGroupCursor } from "./group-cursor.js";
import { paintGroup } from "./group-paint.js";
import { ink } from "./canvas.js";
import { newestSteps, TimeChart } from "./time-chart.js";

/**
 * @typedef {object} GroupMember
 * @property {string} id
 * @property {string} name
 * @property {(number|null)[]} values
 * @property {(number|null)[]} scores
 * @property {string|null} token colour of a member that differs, null for a peer
 *
 * @typedef {object} GroupSpec
 * @property {string|null} unit of the values
 * @property {boolean} [network] show byte rates as bit/s
 * @property {boolean} log whether the axis is logarithmic
 * @property {number} from
 * @property {number} to
 * @property {number[]} times
 * @property {number} stepMillis
 * @property {(number|null)[]} centre
 * @property {(number|null)[]} lower
 * @property {(number|null)[]} upper
 * @property {(number|null)[]} [usualLower] where what is usual for the middle of the group begins
 * @property {(number|null)[]} [usualUpper] where it ends
 * @property {number[]} judged
 * @property {GroupMember[]} members
 * @property {{from: number, to: number|null, token?: string}[]} events
 * @property {{at: number, text: string, note?: boolean}[]} flags changes, and notes of people
 * @property {number} opensAt
 * @property {number} closesBelow
 * @property {string} [opensWords]
 * @property {string} [closesWords]
 * @property {{name: string, spans: {from: number, to: number|null, token?: string, words?: string, dashed?: boolean}[],
 * note?: string}[]} [lanes]
 * @property {boolean} [lane] false: without the scores below
 * @property {boolean} [margin] false: without the members at the right edge
 * @property {boolean} [wall] large, for a screen on a wall
 * @property {boolean} [tight] the axis need not begin at 0
 * @property {string} words what it shows, for those who do not see it
 */
class GroupChart extends TimeChart {
  #pointed = null;
  #crowds = { values: new Crowd(), scores: new Crowd() };

  set pointed(id) {
    if (id === this.#pointed) return;
    this.#pointed = id;
    this.drawCursorSoon();
  }

  layout(spec, width, height) {
    return layoutGroup(spec, width, height, ink("--font"));
  }

  paint(context) {
    paintGroup(context, this.spec, this.at, this.#crowds);
  }

  paintCursor(context, time) {
    paintGroupCursor(context, { ...this.spec, pointed: this.#pointed }, this.at, time);
  }

  words() {
    return this.spec.words;
  }

  rowsView() {
    const { spec } = this;
    const lines = spec.members.filter((m) => m.token);
    const text = (v) => (v === null ? NONE : short(v * (this.at?.units.factor ?? 1)));
    const steps = newestSteps(spec.times, (i) => spec.centre[i] !== null);
    return html`<table>
      <thead>
        <tr>
          <th>Time</th>
          <th class="r">Judged</th>
          <th class="r">Median</th>
          <th class="r">Accepted</th>
          ${lines.map(
            (m) =>
              html`<th class="r">${m.name}</th>
                <th class="r">score</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${steps.map(
          (i) =>
            html`<tr>
              <td>${moment(spec.times[i])}</td>
              <td class="r">${spec.judged[i]}</td>
              <td class="r">${text(spec.centre[i])}</td>
              <td class="r">${text(spec.lower[i])} to ${text(spec.upper[i])}</td>
              ${lines.map(
                (m) =>
                  html`<td class="r">${text(m.values[i])}</td>
                    <td class="r">${short(m.scores[i])}</td>`,
              )}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

customElements.define("group-chart", GroupChart);
