// One delivery: what is sent, every attempt with its exact request and answer, and the ways to send it again or not at
// all.
import { html, nothing } from "../../core/html.js";
import { get, post } from "../../core/api.js";
import { count, plural } from "../../core/format.js";
import { Load } from "../../core/load.js";
import { may, NEEDS } from "../../core/session.js";
import { lastTick, moment } from "../../core/time.js";
import { back, href } from "../../core/url.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { chip } from "../../parts/small.js";
import { exchangeView } from "./exchange.js";
import { messageView } from "./rendered.js";
import { answerWords, deliveryShape, eventWord, isOver, stateWord } from "./words.js";

export const deliveryTitle = (d) => `${d.alertName}${d.objectName ? `, ${d.objectName}` : ""}`;

/** Sends them again, each under the same id. */
export async function replay(list, done) {
  if (!may("operator")) return notice(NEEDS);
  const results = await Promise.allSettled(list.map((d) => post(`/deliveries/${d.id}/replay`)));
  const failed = results.filter((r) => r.status === "rejected");
  notice(
    failed.length
      ? `${count(results.length - failed.length)} sent again, ${count(failed.length)} not: ${failed[0].reason.message}`
      : `${plural(results.length, "delivery", "deliveries")} sent again, the same bytes under the same id`,
    { seconds: 6 },
  );
  done();
}

export async function drop(list, done) {
  if (!may("operator")) return notice(NEEDS);
  const results = await Promise.allSettled(list.map((d) => post(`/deliveries/${d.id}/drop`)));
  const failed = results.filter((r) => r.status === "rejected");
  notice(
    failed.length
      ? `${count(results.length - failed.length)} dropped, ${count(failed.length)} not: ${failed[0].reason.message}`
      : `${plural(results.length, "delivery", "deliveries")} dropped; Replay sends them after all`,
    { seconds: 6 },
  );
  done();
}

export class DeliveryDetail {
  #of = null;
  #load = new Load((id, _tick, signal) => get(`/deliveries/${id}`, {}, signal));

  constructor({ changed = () => {} } = {}) {
    this.changed = changed;
  }

  again() {
    if (this.#of) this.#load.again();
  }

  get load() {
    return this.#load;
  }

  want(id) {
    if (this.#of !== id) {
      this.#load.reset();
      this.#of = id;
    }
    this.#load.want(id, lastTick());
  }

  facts(d) {
    const operator = may("operator");
    const done = () => {
      this.again();
      this.changed();
    };
    return html`<div class="sec first">
      <div class="row">
        ${deliveryShape(d.state, 16)}
        <h2 class="title cut" title=${deliveryTitle(d)}>
          <a href=${href(`/notifications/deliveries/${d.id}`)}>${deliveryTitle(d)}</a>
        </h2>
        <span class="sp"></span>
        ${chip(eventWord(d.event), d.change)}
      </div>
      <p class="${d.state === "dead" ? "crit" : "i2"} s12">
        ${stateWord(d.state)}${answerWords(d) ? `: ${answerWords(d)}` : ""}${d.mayHaveArrived &&
        !["delivered", "unconfirmed"].includes(d.state)
          ? "; the receiver may have got it"
          : ""}
      </p>
      <dl class="props wide">
        <dt>To</dt>
        <dd><a class="acc" href=${href(`/notifications/targets/${d.target.id}`)}>${d.target.name}</a></dd>
        <dt>By</dt>
        <dd>
          ${d.rule
            ? html`<a class="acc" href=${href(`/notifications/rules/${d.rule.id}`)}>${d.rule.name}</a>`
            : "no rule"}
        </dd>
        <dt>As</dt>
        <dd>
          <a class="acc" href=${href(`/notifications/templates/${d.template}`)}>${d.template}</a> ${d.templateVersion}
          <span class="m mono" title=${d.templateHash}>${d.templateHash.slice(0, 8)}</span>
        </dd>
        <dt>About</dt>
        <dd>
          ${d.alertNumber === null
            ? d.alertName
            : html`<a class="acc" href=${href(`/alerts/${d.subject}`)}>A-${d.alertNumber}</a>`},
          number ${d.sequence} about it
        </dd>
        <dt>Made</dt>
        <dd>${moment(Date.parse(d.createdAt), true)}</dd>
        <dt>${isOver(d) ? "Over" : "Given up"}</dt>
        <dd>${moment(Date.parse(isOver(d) ? d.endedAt : d.expiresAt), true)}</dd>
        <dt>Id</dt>
        <dd><button class="link mono" title="Copy" @click=${() => copy(d.id, "Id copied")}>${d.id}</button></dd>
      </dl>
      <div class="row">
        <button
          class="ctl"
          ?disabled=${!operator}
          title=${operator ? "The same bytes under the same id" : NEEDS}
          @click=${() => replay([d], done)}
        >
          ${isOver(d) ? "Replay" : "Try now"}
        </button>
        ${isOver(d)
          ? nothing
          : html`<button
              class="ctl"
              ?disabled=${!operator}
              title=${operator ? "It is not sent" : NEEDS}
              @click=${() => drop([d], done)}
            >
              Drop
            </button>`}
      </div>
    </div>`;
  }

  rest({ message, members, attempts }) {
    const kind =
      message?.kind ??
      (message?.subject !== undefined
        ? "mail"
        : message?.trapOid
          ? "trap"
          : message?.body !== undefined
            ? "http"
            : null);
    return html`${members.length
        ? html`<section class="sec" aria-label="Alerts of the group">
            <h3>${plural(members.length, "alert")} together</h3>
            <p class="s12">
              ${members.map(
                (id, i) =>
                  html`${i ? ", " : ""}<a class="acc mono" href=${href(`/alerts/${id}`)}>${id.slice(0, 8)}</a>`,
              )}
            </p>
          </section>`
        : nothing}
      ${attempts.toReversed().map(
        (a, i) =>
          html`<section class="sec attempt" aria-label=${`Attempt ${a.number}`}>
            <details ?open=${i === 0}>
              <summary>
                <b>Attempt ${a.number}</b> <span class="m">${moment(Date.parse(a.at), true)} on ${a.node}</span>
              </summary>
              ${exchangeView(a)}
            </details>
          </section>`,
      )}
      ${attempts.length
        ? nothing
        : html`<section class="sec" aria-label="Attempts"><p class="m s12">It was not tried yet.</p></section>`}
      <section class="sec" aria-label="What is sent">
        <h3>What is sent <span class="m">${kind ? "as the template made it, secrets as names" : ""}</span></h3>
        ${kind
          ? messageView({ headers: [], varBinds: [], ...message, kind }, kind === "mail" ? "html" : "request")
          : html`<p class="m s12">It is made when it is sent, so that it tells how things are then.</p>`}
      </section>`;
  }

  /** Beside a list: what the list knows at once, the rest when it is read. */
  view(d) {
    this.want(d.id);
    const newest = this.#load.data?.delivery ?? d;
    return html`<div class="detail-scroll">
      ${this.facts(newest)}${loaded(this.#load, (data) => this.rest(data), { rows: 6 })}
    </div>`;
  }
}

export function page(id) {
  const detail = new DeliveryDetail();
  return {
    title: "Delivery",
    name: "delivery",
    timed: false,
    update: () => detail.want(id),
    escape: () => back("/notifications?tab=deliveries"),
    keys: () => ({ Y: [() => copy(location.href, "Link copied"), "Copy link"] }),
    view() {
      detail.want(id);
      const { load } = detail;
      if (load.error && !load.data)
        return html`<div class="tb">
            <h1>No delivery to show</h1>
          </div>
          <section class="pane">${failure(load.error, () => load.again())}</section>`;
      const d = load.data?.delivery;
      return html`<div class="tb">
          <a class="m nw" href=${href("/notifications", { tab: "deliveries" })}>Notifications / Delivery log /</a>
          <h1 class="cut">${d ? deliveryTitle(d) : "\u00a0"}</h1>
        </div>
        ${d
          ? html`<section class="pane">${detail.facts(d)}${detail.rest(load.data)}</section>`
          : html`<section class="pane">${loaded(load, () => nothing, { rows: 8 })}</section>`}`;
    },
  };
}
