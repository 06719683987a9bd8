// A small picture of each type of panel, for those who choose one.
import { html, svg } from "../../core/html.js";
import { PANEL_TYPES, typeWord } from "../../panels/draw.js";

const PATHS = {
  table: svg`<path d="M2 3h12v10H2zM2 6.5h12M6.5 6.5V13" />`,
  chart: svg`<path d="M2 12l4-5 3 3 5-7" />`,
  scoreboard: svg`<path d="M2 3h5v4H2zM9 3h5v4H9zM2 9h5v4H2zM9 9h5v4H9z" />`,
  top: svg`<path d="M2 4h12M2 8h8M2 12h4" stroke-width="2" />`,
  heatmap: svg`<path d="M2 2h7v7H2zM9 2h5v5H9zM2 9h4v5H2zM6 9h8v5H6z" />`,
  distribution: svg`<path d="M2 13V9h3v4M5 9V4h3v9M8 6h3v7M11 13v-3h3v3" />`,
  timeline: svg`<path d="M2 4h5M9 4h5M2 8h9M2 12h3M7 12h7" stroke-width="1.8" />`,
  sparklines: svg`<path d="M2 5l3-1 3 1 3-2 3 1M2 11l3 1 3-2 3 2 3-1" />`,
  text: svg`<path d="M3 4V3h10v1M8 3v10M6 13h4" />`,
  properties: svg`<path d="M2 4h4M8 4h6M2 8h4M8 8h6M2 12h4M8 12h6" />`,
  alerts: svg`<path d="M8 2l6 11H2z" /><path d="M8 6.5v3M8 11.4v.1" />`,
  relations: svg`<path d="M3 3h4v4H3zM9 9h4v4H9zM5 7v4h4" />`,
  changes: svg`<path d="M4 14V2h7l-2 3 2 3H4" />`,
  outliers: svg`<path d="M2 10.5v3M5 10.5v3M8 10.5v3M14 10.5v3" /><path d="M11 3l2 2-2 2-2-2z" />`,
  talkers: svg`<path d="M2 3.5h12M2 8h8M2 12.5h4" stroke-width="2" />`,
  impact: svg`<path d="M2 11h5V5h7M7 2v12" />`,
  capacity: svg`<path d="M2 13L12 4M2 4h12" /><path d="M2 13h12" />`,
};

/** Pictures with names to choose a type from. */
export const typePicker = (chosen, choose) =>
  html`<div class="panel-types" role="group" aria-label="Kind of panel">
    ${PANEL_TYPES.map(
      (type) =>
        html`<button aria-pressed=${type === chosen} @click=${() => choose(type)}>
          <svg
            width="16"
            height="16"
            viewBox="0 0 16 16"
            fill="none"
            stroke="currentColor"
            stroke-width="1.3"
            aria-hidden="true"
          >
            ${PATHS[type]}</svg
          >${typeWord(type)}
        </button>`,
    )}
  </div>`;
