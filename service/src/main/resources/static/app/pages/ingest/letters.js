// Rejected input: counted by reason with an example, listed, and processed again after a dry run.
import { html, nothing, repeat } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may } from "../../core/session.js";
import { moment, range, windowText } from "../../core/time.js";
import { amend, param } from "../../core/url.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { failure, loaded, pane } from "../../parts/pane.js";
import { shape } from "../../parts/shapes.js";
import { ingest } from "./status.js";

/**
 * The payload as text before, at and after the byte where the trouble begins; the marked part ends at the next
 * delimiter.
 */
export function marked({ payload, position, encoding }) {
  if (position === null || encoding !== "text") return [payload, "", ""];
  const bytes = new TextEncoder().encode(payload);
  if (position >= bytes.length) return [payload, "", ""];
  const before = new TextDecoder().decode(bytes.subarray(0, position));
  const rest = new TextDecoder().decode(bytes.subarray(position));
  const length = Math.max(1, rest.search(/[,\s]/) < 1 ? rest.slice(1).search(/[,\s]|$/) + 1 : rest.search(/[,\s]/));
  return [before, rest.slice(0, length), rest.slice(length)];
}

const payloadView = (letter) => {
  const [before, bad, after] = marked(letter);
  return html`<pre class="payload" tabindex="0">
${before}${bad ? html`<mark>${bad}</mark>` : nothing}${after}${letter.truncated
      ? html`<span class="m"> (cut off here)</span>`
      : nothing}</pre
  >`;
};

export class DeadLetters {
  #reasons = new Load(async (from, to, signal) => {
    const { items } = await get("/ingest/dead-letters/reasons", { from, to }, signal);
    const example = (r) =>
      get("/ingest/dead-letters", { reason: r.reason, from, to, limit: 1 }, signal).then((page) => ({
        ...r,
        example: page.items[0] ?? null,
      }));
    return Promise.all(items.map(example));
  });
  #list = new Load((reason, from, to, limit, signal) =>
    get("/ingest/dead-letters", { reason, from, to, limit }, signal),
  );
  #limit = 50;
  #replay = null;

  update() {
    const { from, to } = range();
    this.#reasons.want(Math.floor(from), Math.ceil(to));
    this.#list.want(param("reason"), Math.floor(from), Math.ceil(to), this.#limit);
  }

  step(by) {
    const items = this.#list.data?.items ?? [];
    const at = items.findIndex((l) => String(l.id) === param("letter"));
    const next = items[Math.max(0, Math.min(items.length - 1, at < 0 ? 0 : at + by))];
    if (next) amend({ letter: next.id }, { replace: true });
  }

  reasonsPane() {
    const where = windowText(range());
    return pane({
      title: "Rejected",
      note: `by reason, ${where}`,
      body: loaded(
        this.#reasons,
        (items) =>
          items.map(
            (r) =>
              html`<div class="reason">
                <div class="row">
                  ${shape(r.notReplayed ? "warning" : "alike", 12, r.notReplayed ? "open" : "")}
                  <b>${r.reason}</b>
                  <span class="m"
                    >${count(r.count)} kept,
                    ${r.notReplayed === r.count
                      ? "none replayed"
                      : r.notReplayed
                        ? `${count(r.notReplayed)} not replayed`
                        : "all replayed"},
                    newest ${moment(Date.parse(r.newestAt))}</span
                  >
                  <span class="sp"></span>
                  <button
                    class="link"
                    aria-pressed=${param("reason") === r.reason}
                    @click=${() => amend({ reason: param("reason") === r.reason ? null : r.reason })}
                  >
                    ${param("reason") === r.reason ? "List all" : "List these"}
                  </button>
                  <button
                    class="ctl"
                    ?disabled=${!may("operator") || !r.notReplayed}
                    title=${may("operator") ? "Process them again; a dry run comes first" : "Needs the role operator"}
                    @click=${() => this.#askReplay({ reason: r.reason })}
                  >
                    Replay…
                  </button>
                </div>
                ${r.example
                  ? html`<p class="i2 s12">
                        ${r.example.detail}
                        <span class="m"
                          >${r.example.topic}, partition ${r.example.partition}, offset
                          ${r.example.offset}${r.example.line ? `, line ${r.example.line}` : ""}${r.example.mapping
                            ? `, mapping ${r.example.mapping}`
                            : ""}</span
                        >
                      </p>
                      ${payloadView(r.example)}`
                  : nothing}
              </div>`,
          ),
        { rows: 4, empty: `Nothing was rejected, ${where}.`, isEmpty: (d) => !d.length },
      ),
    });
  }

  listPane() {
    const total = this.#list.data?.total ?? 0;
    if (!total && !param("reason")) return nothing;
    const open = param("letter");
    const row = (l) =>
      html`<tr
          class=${String(l.id) === open ? "sel" : ""}
          @click=${() => amend({ letter: String(l.id) === open ? null : l.id }, { replace: true })}
        >
          <td>${shape(l.replayedAt ? "alike" : "warning", 11, l.replayedAt ? "replayed" : "open")}</td>
          <td>${moment(Date.parse(l.receivedAt), true)}</td>
          <td>${l.reason}</td>
          <td title=${l.detail}>${l.detail}</td>
          <td class="r">${l.partition} : ${l.offset}</td>
        </tr>
        ${String(l.id) === open
          ? html`<tr>
              <td colspan="5" class="whole">
                <p class="pad">
                  ${l.detail}${l.replayedAt
                    ? html` <span class="m">replayed ${moment(Date.parse(l.replayedAt))}</span>`
                    : nothing}
                </p>
                ${payloadView(l)}
                <p class="pad">
                  <button
                    class="ctl"
                    ?disabled=${!may("operator")}
                    title=${may("operator") ? "" : "Needs the role operator"}
                    @click=${(e) => (e.stopPropagation(), this.#askReplay({ ids: [l.id] }))}
                  >
                    Replay this one…
                  </button>
                </p>
              </td>
            </tr>`
          : nothing}`;
    return pane({
      title: "Dead letters",
      note: `${count(total)}${param("reason") ? ` for ${param("reason")}` : ""}, newest first`,
      body: loaded(
        this.#list,
        ({ items, nextCursor }) =>
          html`<table>
              <colgroup>
                <col class="w-state" />
                <col class="w-last" />
                <col class="w-last" />
                <col />
                <col class="w-last" />
              </colgroup>
              <thead>
                <tr>
                  <td></td>
                  <th>Received</th>
                  <th>Reason</th>
                  <th>Detail</th>
                  <th class="r">Partition : offset</th>
                </tr>
              </thead>
              <tbody>
                ${repeat(items, (l) => l.id, row)}
              </tbody>
            </table>
            ${nextCursor && this.#limit < 1000
              ? html`<p class="foot-line">
                  <button class="link" @click=${() => ((this.#limit = Math.min(1000, this.#limit * 4)), this.update())}>
                    More
                  </button>
                </p>`
              : nothing}`,
        { rows: 4 },
      ),
    });
  }

  async #askReplay(which) {
    this.#replay = { which, dry: null, done: null, error: null, busy: true };
    showLayer("dialog", () => this.#replayView(), { label: "Replay" });
    await this.#run(true);
  }

  async #run(dryRun) {
    const job = this.#replay;
    job.busy = true;
    job.error = null;
    redraw();
    try {
      job[dryRun ? "dry" : "done"] = await post("/ingest/dead-letters/replay", { ...job.which, dryRun });
      if (!dryRun) {
        this.#reasons.again();
        this.#list.again();
        ingest.again();
      }
    } catch (error) {
      job.error = error;
    }
    job.busy = false;
    redraw();
  }

  #replayView() {
    const { which, dry, done, error, busy } = this.#replay;
    const result = done ?? dry;
    return html`<h2 class="title">Replay ${which.reason ?? plural(which.ids.length, "dead letter")}</h2>
      ${error ? failure(error, () => this.#run(!dry)) : nothing}
      ${result
        ? html`<p class="say">
              ${done
                ? html`<b>${count(done.replayed)}</b> of ${count(done.matched)} are stored now.`
                : html`Dry run, nothing changed: <b>${count(dry.succeeded)}</b> of ${count(dry.matched)} can be stored
                    with the mappings now in force.`}
              ${result.more ? " More than 10,000 match; replay again for the rest." : ""}
            </p>
            ${result.failed.map(
              (f) =>
                html`<p class="i2">${shape("warning", 11)} ${count(f.count)} fail again, ${f.reason}: ${f.detail}</p>`,
            )}`
        : error
          ? nothing
          : html`<p class="say">Trying what would happen…</p>`}
      <div class="row">
        <span class="sp"></span>
        <button class="ctl" @click=${closeLayer}>${done ? "Close" : "Cancel"}</button>
        ${done
          ? nothing
          : html`<button class="ctl primary" ?disabled=${busy || !dry?.succeeded} @click=${() => this.#run(false)}>
              Replay ${dry ? count(dry.succeeded) : ""}
            </button>`}
      </div>`;
  }
}
