// Computes a super metric over stored history: the window, then the job with its progress.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { exchange, get, post } from "../../core/api.js";
import { count } from "../../core/format.js";
import { DAY, duration, moment } from "../../core/time.js";
import { href } from "../../core/url.js";
import { closeLayer, layerOpen, showLayer } from "../../parts/layer.js";
import { failure } from "../../parts/pane.js";
import { progress, segments } from "../../parts/small.js";
import { whenField } from "../../parts/when.js";
import { millisOf } from "../thresholds/words.js";

const DAYS = [
  [1, "1 day"],
  [7, "7 days"],
  [14, "14 days"],
  [30, "30 days"],
];
const EVERY = 1000;
const ENDED = ["done", "failed", "cancelled"];

export function showBackfill(superMetric) {
  const opened = Date.now();
  let days = 14;
  let own = null;
  let job = null;
  let error = null;
  let busy = false;

  const window = () => (own ? [own.from, own.to] : [opened - days * DAY, opened]);
  const wrong = () => {
    const [from, to] = window();
    if (Number.isNaN(from) || Number.isNaN(to)) return "Both times are needed.";
    return from < to
      ? to > Date.now() + 60_000
        ? "The end lies in the future."
        : null
      : "The start must be before the end.";
  };

  async function start() {
    const [from, to] = window();
    busy = true;
    error = null;
    redraw();
    try {
      const body = { from: new Date(from).toISOString(), to: new Date(Math.min(to, Date.now())).toISOString() };
      job = (await exchange("POST", `/super-metrics/${superMetric.id}/backfill`, { body })).data;
      watch();
    } catch (failed) {
      error = failed;
    }
    busy = false;
    redraw();
  }

  async function watch() {
    while (job && !ENDED.includes(job.state) && layerOpen(view)) {
      await new Promise((resolve) => setTimeout(resolve, EVERY));
      try {
        job = await get(`/jobs/${job.id}`);
        error = null;
      } catch (failed) {
        error = failed;
      }
      redraw();
    }
  }

  async function cancel() {
    try {
      await post(`/jobs/${job.id}/cancel`);
      job = { ...job, state: "cancelling" };
    } catch (failed) {
      error = failed;
    }
    redraw();
  }

  const leftWords = () => {
    if (job.state !== "running" || !job.total || !job.startedAt || job.done <= 0) return "";
    const spent = Date.parse(job.updatedAt) - Date.parse(job.startedAt);
    return `, about ${duration((spent / job.done) * (job.total - job.done))} left`;
  };

  const running = () =>
    html`<p class="i2">
        ${{
          queued: "It waits for its turn.",
          running: "Values are computed and stored.",
          cancelling: "It stops at its next safe point; what is done stays.",
          done: "All values of the window are stored.",
          failed: `It failed: ${job.error ?? "no reason was given"}.`,
          cancelled: "It was cancelled; what is done stays.",
        }[job.state] ?? job.state}
      </p>
      ${progress(job.state === "done" ? 1 : job.done, job.state === "done" ? 1 : job.total, job.title)}
      <p class="m s12" role="status">
        ${count(job.done)}${job.total === null ? "" : ` of ${count(job.total)}`}
        ${job.unit}${leftWords()}${job.detail ? `; ${job.detail}` : ""}
      </p>
      ${error ? failure(error, null) : nothing}
      <div class="row">
        ${job.cancellable && ["queued", "running"].includes(job.state)
          ? html`<button class="ctl" @click=${cancel}>Cancel the job</button>`
          : nothing}
        <span class="m s12"
          >It goes on when this is closed; <a class="acc" href=${href("/ingest")} @click=${closeLayer}>Ingest</a> lists
          all jobs.</span
        >
        <span class="sp"></span>
        <button class="ctl primary" @click=${closeLayer}>Close</button>
      </div>`;

  function form() {
    const [from, to] = window();
    const reason = wrong();
    const set = (name) => (at) => {
      own = { from, to, ...own, [name]: at };
      redraw();
    };
    return html`<p class="i2">
        Computes every tick of the window with the stored formula and stores the values. Values that are there already
        are replaced.
      </p>
      <div class="row">${segments(own ? null : days, DAYS, (d) => ((days = d), (own = null), redraw()), "Length")}</div>
      <div class="two-fields">
        <label class="lab">From${whenField({ value: from, change: set("from") })}</label>
        <label class="lab">To${whenField({ value: to, change: set("to") })}</label>
      </div>
      ${reason
        ? html`<p class="crit s12" role="alert">${reason}</p>`
        : html`<p class="m s12">
            ${count((to - from) / millisOf(superMetric.interval))} ticks of ${duration(millisOf(superMetric.interval))},
            ${moment(from)} to ${moment(to)}
          </p>`}
      ${error ? failure(error, null) : nothing}
      <div class="row">
        <span class="sp"></span>
        <button class="ctl" @click=${closeLayer}>Close</button>
        <button class="ctl primary" ?disabled=${busy || Boolean(reason)} @click=${start}>Compute</button>
      </div>`;
  }

  const view = () =>
    html`<h2 class="title">Backfill ${superMetric.name}</h2>
      ${job ? running() : form()}`;
  showLayer("dialog", view, { label: "Backfill" });
}
