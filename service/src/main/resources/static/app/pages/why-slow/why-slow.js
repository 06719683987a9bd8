// Why something is slow: from the guest down to the network, on one screen. The address holds of what and at which
// moment; without a moment it is the end of the range.
import { html, nothing } from "../../core/html.js";
import { redraw } from "../../core/bus.js";
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";
import { kindWord } from "../../core/metrics.js";
import { moment, range } from "../../core/time.js";
import { amend, back, go, href, param } from "../../core/url.js";
import { cursor } from "../../chart/cursor.js";
import { showPalette } from "../../frame/palette.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { copy, notice } from "../../parts/notice.js";
import { failure, loaded } from "../../parts/pane.js";
import { icon } from "../../parts/shapes.js";
import { whenField } from "../../parts/when.js";
import { bandsPane } from "./bands.js";
import { Choose } from "./choose.js";
import { changesPane, limitPane, machinesPane, victimsPane } from "./panes.js";
import { proof } from "./proof.js";
import { canAsk, said, stateShape } from "./words.js";

const MINUTE = 60_000;
const iso = (ms) => new Date(ms).toISOString().replace(".000Z", "Z");

export function page() {
  const answer = new Load((query, _round, signal) => get("/why-slow", query, signal));
  const choices = new Choose();
  const opened = new Set();
  const whole = new Set(); // the lists that are shown to their end
  let of = "";

  const asks = () => Boolean(param("object") || param("alert"));

  /** The moment that is asked about; null = now, or what the alert says. */
  function chosen() {
    const at = Date.parse(param("at"));
    if (!Number.isNaN(at)) return at;
    return range().live ? null : range().to;
  }

  function update() {
    if (!asks()) {
      answer.reset();
      choices.want();
      return;
    }
    const subject = `${param("object")} ${param("alert")}`;
    if (subject !== of) {
      of = subject;
      opened.clear();
      whole.clear();
      answer.reset();
    }
    const at = chosen();
    const query = {
      object: param("alert") ? undefined : param("object"),
      alert: param("alert") || undefined,
      at: at === null ? undefined : String(Math.round(at)),
    };
    // Now goes on; the moment of an alert and one that was chosen stay.
    answer.want(query, at === null && !param("alert") ? Math.floor(range().to / MINUTE) : 0);
  }

  const choose = () =>
    showPalette({
      label: "Why is which object slow",
      choose: (o) =>
        canAsk(o)
          ? go("/why-slow", { object: o.id, at: param("at") })
          : notice(`${o.name} is a ${kindWord(o.objectKind)}; this asks for a machine, host, cluster or datastore.`),
    });
  const setAt = (ms) => amend({ at: ms === null ? null : iso(ms) });
  const link = () => {
    const at = answer.data?.at;
    const own = { object: param("alert") ? null : param("object"), alert: param("alert"), at };
    copy(location.origin + href("/why-slow", own), "Link copied; it shows this moment");
  };
  const toggle = (band) => {
    if (!opened.delete(band)) opened.add(band);
    redraw();
  };
  const showWhole = (list) => () => (whole.add(list), redraw());
  const toTrials = () => document.getElementById("trials")?.focus();

  function momentView() {
    const data = answer.data;
    const set = (ms) => (closeLayer(), setAt(ms));
    const began = data?.chart?.beganAt ?? data?.limit?.delayedSince ?? null;
    const entry = (words, note, run) =>
      html`<li>
        <button @click=${run}><span>${words}</span><span class="sp"></span><span class="m s12">${note}</span></button>
      </li>`;
    return html`<div class="pad">
        <label class="lab"
          >At ${whenField({ value: data?.at ?? Date.now(), past: true, change: set, label: "Moment" })}</label
        >
      </div>
      <ul class="menu">
        ${entry(param("alert") ? "When the alert began" : "Now", "", () => set(null))}
        ${began
          ? entry("When it began", moment(Date.parse(began)), () => set(Date.parse(began) + 10 * MINUTE))
          : nothing}
        ${cursor.at !== null && cursor.pinned
          ? entry("At the cursor", moment(cursor.at), () => set(Math.round(cursor.at)))
          : nothing}
      </ul>
      <p class="pad m s12">Figures are of the ten minutes before.</p>`;
  }
  const showMoment = () => asks() && showLayer("popover at-moment", momentView, { label: "Moment" });

  const titleText = () => {
    const name = answer.data?.machine?.name ?? answer.data?.asked.name;
    return name ? `Why is ${name} slow?` : asks() ? "Why is it slow?" : "Why slow?";
  };

  function whereText(data) {
    const objectLink = (o) => html`<a href=${href(`/objects/${o.id}`)}>${o.name}</a>`;
    const about = data.machine ?? data.asked;
    const on = [data.host, data.cluster].filter((o) => o && o.id !== about.id);
    return html`<span class="m where"
      >${objectLink(about)},
      ${kindWord(about.objectKind)}${on.map((o, i) => html`${i ? ", " : " on "}${objectLink(o)}`)}${data.asked.id ===
      about.id
        ? nothing
        : html`; the slowest of ${objectLink(data.asked)}`}${data.alert
        ? html`; from the alert
            <a class="acc" href=${href(`/alerts/${data.alert.id}`)}
              >${data.alert.title}, ${moment(Date.parse(data.alert.since))}</a
            >`
        : nothing}</span
    >`;
  }

  function head(data) {
    const at = chosen();
    const shown = data ? Date.parse(data.at) : at;
    return html`<div class="tb">
      <h1>${titleText()}</h1>
      ${data ? whereText(data) : nothing}
      <span class="sp"></span>
      ${asks()
        ? html`<button class="ctl" aria-haspopup="dialog" @click=${showMoment}>
              ${shown === null ? "At" : `At ${moment(shown)}`} ${icon("caret", 13)}
            </button>
            <button class="ctl" @click=${choose}>Another… <kbd>V</kbd></button>
            <button class="ctl" @click=${link}>Copy link <kbd>Y</kbd></button>`
        : html`<button class="ctl primary" @click=${choose}>Choose an object… <kbd>V</kbd></button>`}
    </div>`;
  }

  function result(data) {
    const hit = data.state === "found";
    const at = data.at;
    return html`<section class="pane found-pane ${data.state}" aria-label="Finding">
        <div class="why-finding">
          ${stateShape(data.state)}
          <p class="say">${said(data.phrases)}</p>
          ${data.limit?.trials.length ? html`<button class="ctl" @click=${toTrials}>Other limits</button>` : nothing}
        </div>
      </section>
      <div class="why-cols">
        <div class="col">${bandsPane(data, opened, toggle)} ${proof(data.chart, hit)}</div>
        <div class="col">
          ${machinesPane(data.machines, at, whole.has("machines"), showWhole("machines"))} ${victimsPane(data.victims)}
          ${limitPane(data.limit)}
          ${changesPane(data.changes, Date.parse(at), whole.has("changes"), showWhole("changes"))}
        </div>
      </div>`;
  }

  const bandKeys = () =>
    Object.fromEntries(
      (answer.data?.bands ?? []).map((b, i) => [
        String(i + 1),
        [() => toggle(b.band), `What else is measured: ${i + 1}`],
      ]),
    );

  return {
    get title() {
      return titleText();
    },
    get short() {
      return "Why slow";
    },
    name: "why-slow",
    update,
    escape: () => back("/explorer"),
    keys: () => ({
      V: [choose, "Another object"],
      ...(asks()
        ? {
            A: [showMoment, "Another moment"],
            ...bandKeys(),
            O: [
              () => answer.data && go(`/objects/${(answer.data.machine ?? answer.data.asked).id}`),
              "Open the object",
            ],
            Y: [link, "Copy a link to this moment"],
          }
        : {}),
    }),
    view() {
      update();
      if (!asks())
        return html`${head(null)}
          <p class="say intro">
            Goes from a machine through its cluster, host, disk group and network, and says where its time is lost.
          </p>
          ${choices.view()}`;
      const data = answer.data;
      return html`${head(data)}
      ${answer.error && !answer.loading
        ? html`<section class="pane">${failure(answer.error, () => answer.again())}</section>`
        : loaded(answer, result, { rows: 10 })}`;
    },
  };
}
