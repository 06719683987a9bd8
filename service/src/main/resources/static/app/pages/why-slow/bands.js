// The five bands from the guest down to the network: figure, usual, peers, six hours, verdict and reason.
import { html, nothing, repeat } from "../../core/html.js";
import { duration, MINUTE } from "../../core/time.js";
import { number, plural, short } from "../../core/format.js";
import { href } from "../../core/url.js";
import { bandLine, strip } from "../../parts/peers.js";
import { BANDS, figureText, usualText, usualTitle, verdictShape, verdictWord } from "./words.js";

function peersStrip({ figure, peers, verdict }) {
  const here = verdict === "here";
  const label = !figure
    ? "no data"
    : peers
      ? `${figureText(figure)}, ${peers.place} of ${peers.values.length + 1} ${peers.kind}, 1 = highest`
      : "fewer than three peers have it";
  return strip(
    {
      ticks: peers?.values ?? [],
      lower: figure?.low ?? null,
      upper: figure?.high ?? null,
      centre: figure && !here ? figure.value : null,
      deviants: figure && here ? [{ value: figure.value, words: figureText(figure) }] : [],
      label,
    },
    { width: 130, height: 22 },
  );
}

function line({ history, figure, verdict }) {
  if (!history) return nothing;
  const flat = (v) => (v === null || v === undefined ? [] : history.values.map(() => v));
  const known = figure && figure.low !== null && figure.high !== null;
  return bandLine(history.values, known ? flat(figure.low) : [], known ? flat(figure.high) : [], {
    width: 76,
    height: 28,
    token: verdict === "here" ? "--deviant-1" : "--peer-strong",
  });
}

const bufferText = (b) => {
  const rate =
    b.perMinute > 0.05
      ? `fills by ${number(b.perMinute, 2)} percentage points a minute`
      : b.perMinute < -0.05
        ? `empties by ${number(-b.perMinute, 2)} percentage points a minute`
        : "stays so";
  const full = b.fullInMinutes === null ? "" : `, full in ${duration(b.fullInMinutes * MINUTE)}`;
  const bursts = b.usualBurstMinutes === null ? "" : `; usual bursts last ${duration(b.usualBurstMinutes * MINUTE)}`;
  return `Write buffer of ${b.object}: ${short(b.fillPercent)} %, ${rate}${full}${bursts}.`;
};

/** What else is measured in a band, and what is not. */
function details(band, buffer) {
  const ofBuffer = band.band === "disk-group" ? buffer : null;
  const nothingElse = !band.others.length && !band.missing.length && !ofBuffer && !band.peers;
  return html`<div class="band-more" id=${`band-${band.band}`}>
    ${nothingElse ? html`<p class="m s12">Nothing else is measured here.</p>` : nothing}
    ${band.others.length
      ? html`<dl class="band-others">
          ${band.others.map(
            (f) =>
              html`<dt title=${f.instance ? `${f.metric}, ${f.instance}` : f.metric}>${f.label}</dt>
                <dd>${figureText(f)} <span class="m" title=${usualTitle(f)}>usual ${usualText(f)}</span></dd>`,
          )}
        </dl>`
      : nothing}
    ${ofBuffer ? html`<p class="s12 i2">${bufferText(ofBuffer)}</p>` : nothing}
    ${band.peers
      ? html`<p class="m s12">
          Among ${plural(band.peers.values.length + 1, band.peers.kind, band.peers.kind)} it is number
          ${band.peers.place}, 1 = highest.
        </p>`
      : nothing}
    ${band.missing.map((m) => html`<p class="m s12">Not measured: ${m.what}; ${m.collector} sends it.</p>`)}
  </div>`;
}

/** @param {{bands: any[], buffer: any}} data */
export function bandsPane({ bands, buffer }, opened, toggle) {
  const row = (band, i) => {
    const here = band.verdict === "here";
    const dim = band.verdict === "no-data" || band.verdict === "no-usual";
    const open = opened.has(band.band);
    const name = BANDS[band.band];
    return html`<div
      class="band-row ${here ? "hit" : ""}"
      role="listitem"
      aria-label=${`${name}: ${verdictWord(band.verdict)}`}
    >
      <button
        class="band-step"
        aria-expanded=${open}
        aria-controls=${open ? `band-${band.band}` : nothing}
        aria-label=${`${name}, what else is measured`}
        title=${`What else is measured (${i + 1})`}
        @click=${() => toggle(band.band)}
      >
        ${i + 1}
      </button>
      <div class="band-where">
        <b>${name}</b>
        ${band.object
          ? html`<a class="m s12" href=${href(`/objects/${band.object.id}`)} title=${band.object.name}
              >${band.object.name}</a
            >`
          : nothing}
      </div>
      <div class="band-now">
        ${band.figure
          ? html`<span class="band-value ${here ? "hot" : ""}">${figureText(band.figure)}</span>
              <span class="m s12">${band.figure.label}</span>`
          : html`<span class="m">no data</span>`}
      </div>
      <span class="band-usual i2 s12" title=${usualTitle(band.figure)}
        ><span class="phone-only">usual </span>${usualText(band.figure)}</span
      >
      <span class="band-peers">${peersStrip(band)}</span>
      <span class="band-line">${line(band)}</span>
      <div class="band-verdict">
        <span class="row"
          >${verdictShape(band.verdict)}<b class=${here ? "hot" : dim ? "m" : ""}>${verdictWord(band.verdict)}</b></span
        >
        <p class="s12 i2">${band.reason}</p>
      </div>
      ${open ? details(band, buffer) : nothing}
    </div>`;
  };
  return html`<section class="pane bands" aria-label="Bands">
    <div class="band-head" aria-hidden="true">
      <span></span><span>Where</span><span>Now</span><span>Usual</span><span>Now, each tick a peer</span><span>6 h</span
      ><span>Verdict</span>
    </div>
    <div role="list">${repeat(bands, (b) => b.band, row)}</div>
  </section>`;
}
