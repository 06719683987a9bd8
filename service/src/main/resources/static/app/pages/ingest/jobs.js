// Long work with its progress: roll-ups, retention, back-fill, replays.
import { html, nothing, repeat } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { count } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may } from "../../core/session.js";
import { summary } from "../../core/status.js";
import { duration, moment } from "../../core/time.js";
import { loaded, pane } from "../../parts/pane.js";
import { notice } from "../../parts/notice.js";
import { shape } from "../../parts/shapes.js";
import { progress } from "../../parts/small.js";

const EVERY = 5000;
const jobs = new Load((signal) => get("/jobs", { limit: 12 }, signal));
const working = (job) => ["queued", "running", "cancelling"].includes(job.state);

async function cancel(job) {
  try {
    await post(`/jobs/${job.id}/cancel`);
    notice(`${job.title} stops at its next safe point; what is done stays.`);
  } catch (error) {
    notice(`Not cancelled: ${error.message}`);
  }
  jobs.again();
}

function left(job) {
  if (job.state !== "running" || !job.total || !job.startedAt || job.done <= 0) return "";
  const spent = Date.parse(job.updatedAt) - Date.parse(job.startedAt);
  return `, about ${duration((spent / job.done) * (job.total - job.done))} left`;
}

const stateWord = (job) => {
  if (job.state === "done") return html`<span class="m">done ${moment(Date.parse(job.finishedAt))}</span>`;
  if (job.state === "failed")
    return html`<span class="row"
      >${shape("warning", 11)} failed ${moment(Date.parse(job.finishedAt ?? job.updatedAt))}</span
    >`;
  return html`<span class="m">${job.state}</span>`;
};

/** While it is shown it is read again, running work more often. */
function refresh() {
  jobs.want().every(jobs.data?.items.some(working) ? EVERY : 12 * EVERY);
}

/** One line while history is being filled in, so that nobody takes its holes for silence. */
export function backFillLine() {
  if (!summary.data?.unfinishedJobs) return nothing;
  refresh();
  const job = jobs.data?.items.find((j) => j.kind === "back-fill" && working(j));
  if (!job) return nothing;
  return html`<div class="back-fill" role="status">
    <b>${job.title}</b>
    ${progress(job.done, job.total, job.title)}
    <span class="m"
      >${count(job.done)}${job.total === null ? "" : ` of ${count(job.total)}`} ${job.unit} filled in${left(job)}</span
    >
  </div>`;
}

export function jobsPane() {
  refresh();
  return pane({
    title: "Jobs",
    note: jobs.data ? `${jobs.data.items.filter(working).length} unfinished` : nothing,
    body: loaded(
      { ...jobs, waited: jobs.data ? 0 : jobs.waited, again: () => jobs.again() },
      ({ items }) =>
        repeat(
          items,
          (j) => j.id,
          (job) =>
            html`<div class="job">
              <span class="cut" title=${job.title}><b>${job.title}</b></span>
              ${stateWord(job)} ${working(job) ? progress(job.done, job.total, job.title) : nothing}
              <span class="m s12 cut"
                >${count(job.done)}${job.total === null ? "" : ` of ${count(job.total)}`}
                ${job.unit}${left(job)}${working(job) && job.detail ? `, ${job.detail}` : ""}${job.error
                  ? html`<span class="i2">, ${job.error}</span>`
                  : ""}</span
              >
              ${job.cancellable
                ? html`<button
                    class="link s12"
                    ?disabled=${!may("operator")}
                    title=${may("operator")
                      ? "Stops at the next safe point; what is done stays"
                      : "Needs the role operator"}
                    @click=${() => cancel(job)}
                  >
                    Cancel
                  </button>`
                : html`<span></span>`}
            </div>`,
        ),
      { rows: 4, empty: "No job has run yet.", isEmpty: (d) => !d.items.length },
    ),
  });
}
