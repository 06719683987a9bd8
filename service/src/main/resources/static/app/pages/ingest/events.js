// Events of vCenters on the page Ingest: what waits, and what was given up.
import { html, nothing } from "../../core/html.js";
import { count } from "../../core/format.js";
import { moment } from "../../core/time.js";
import { loaded, pane } from "../../parts/pane.js";
import { lagLine } from "./charts.js";
import { ingest } from "./status.js";

/** Whether there is a topic of events, or anything of one. */
export const hasEvents = () => {
  const events = ingest.data?.events;
  return Boolean(events && (events.lag !== null || events.waiting || events.deadLetters));
};

export function eventsPane() {
  return pane({
    title: "Events of vCenters",
    note: ingest.data?.events?.topic ?? nothing,
    body: loaded(
      ingest,
      ({ events }) =>
        html`<table>
          <tbody>
            <tr>
              <td>In Kafka</td>
              <td class="r">${lagLine(events.lag)}</td>
            </tr>
            <tr>
              <td>
                Waiting for their object
                <span class="m"
                  >${events.oldestWaiting
                    ? `the oldest since ${moment(Date.parse(events.oldestWaiting))}`
                    : nothing}</span
                >
              </td>
              <td class="r" title="an object that no collector has told of yet">${count(events.waiting)}</td>
            </tr>
            <tr>
              <td>Dead letters</td>
              <td class="r" title="kept, to be replayed">${count(events.deadLetters)}</td>
            </tr>
          </tbody>
        </table>`,
      { rows: 3 },
    ),
  });
}
