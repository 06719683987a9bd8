// State shapes and icons. Each state is a shape and a word; colour only repeats it.
import { svg, html, nothing } from "../core/html.js";

/** The shapes of design tokens, as paths in a 12 x 12 box: distinct at 10 px and in one colour. */
export const SHAPES = {
  critical: { token: "--critical", fill: true, path: "M3.5.5h5L11.5 3.5v5L8.5 11.5h-5L.5 8.5v-5z", bar: true },
  immediate: { token: "--immediate-mark", fill: true, path: "M6 .2 11.8 6 6 11.8.2 6z" },
  warning: { token: "--warning-mark", path: "M6 1.2 11.5 11H.5z" },
  info: { token: "--info", path: "M6 1.4a4.6 4.6 0 1 0 .01 0z" },
  unknown: { token: "--unknown", path: "M6 1.4a4.6 4.6 0 1 0 .01 0z", dash: "2.2 2" },
  split: { token: "--deviant-2", path: "M1 6h4l6-4.5M5 6l6 4.5" },
  alike: { token: "--line-strong", fill: true, path: "M6 4.2a1.8 1.8 0 1 0 .01 0z" },
};

const WORDS = {
  critical: "critical",
  immediate: "immediate",
  warning: "warning",
  info: "information",
  unknown: "no data",
  split: "split",
  alike: "",
};

export function shape(kind, size = 12, word = WORDS[kind]) {
  const s = SHAPES[kind];
  const colour = `var(${s.token})`;
  return html`<svg
    class="shape"
    width=${size}
    height=${size}
    viewBox="0 0 12 12"
    role=${word ? "img" : "presentation"}
    aria-label=${word || nothing}
  >
    ${s.fill
      ? svg`<path d=${s.path} fill=${colour} />`
      : svg`<path
          d=${s.path}
          fill="none"
          stroke=${colour}
          stroke-width="1.7"
          stroke-linejoin="round"
          stroke-dasharray=${s.dash ?? nothing}
        />`}
    ${s.bar ? svg`<path d="M6 2.8V7M6 8.2V9.5" stroke="var(--surface)" stroke-width="1.7" />` : nothing}
  </svg>`;
}

/** The shape of a severity; of none, the dot of what is alike or closed. */
export const severityShape = (severity, size = 12, word) =>
  shape(severity === "information" ? "info" : (severity ?? "alike"), size, word);

/** The shape of an object: a dot while it reports, a dashed ring while it is silent or once it was removed. */
export const stateShape = (state, size = 12) =>
  state === "silent" || state === "removed" ? shape("unknown", size, state) : shape("alike", size, "");

const PATHS = {
  overview: svg`<path d="M2 4h12M2 8h7M2 12h9" />`,
  dashboards: svg`<path d="M2 2.5h5v7H2zM9 2.5h5v4H9zM2 11.5h5v2H2zM9 8.5h5v5H9z" />`,
  outliers: svg`<path d="M2 10.5v3M5 10.5v3M8 10.5v3M14 10.5v3" />
    <path d="M11 3l2 2-2 2-2-2z" fill="currentColor" />`,
  alerts: svg`<path d="M8 2l6 11H2z" /> <path d="M8 6.5v3M8 11.4v.1" />`,
  talkers: svg`<path d="M2 3.5h12M2 8h8M2 12.5h4" stroke-width="2" />`,
  explorer: svg`<path d="M3 3h4v4H3zM9 9h4v4H9zM5 7v4h4" />`,
  compare: svg`<path d="M2 11l3-3 3 2 3-5 3 2" /> <path d="M2 6l3 2 3-3 3 3 3-4" stroke-dasharray="2 2" />`,
  rightSizing: svg`<path d="M2 13V9M6 13V6M10 13V8M14 13V3" />
    <path d="M2 5.5h2.5M9 4.5h2.5" stroke-dasharray="1.5 1.5" />`,
  runs: svg`<path d="M2.5 2v11.5H14" /> <path d="M4.5 11.5c4 0 6-1 8.5-7.5" />`,
  profile: svg`<path d="M2 13.5h12M3.5 13V8h2v5M7 13V4h2v9M10.5 13V6.5h2V13" />`,
  slow: svg`<path d="M2 4h12M2 8h4M2 12h4" />
    <circle cx="10.5" cy="10" r="2.8" />
    <path d="M12.6 12.1L14.5 14" />`,
  metrics: svg`<path d="M11 3H5l3.5 5L5 13h6" />`,
  thresholds: svg`<path d="M2 5h12M2 11h12" stroke-dasharray="2 2" /> <path d="M2 8l3-1 2 2 3-5 4 3" />`,
  notifications: svg`<path d="M2 4h12v8H2zM2 4l6 5 6-5" />`,
  sources: svg`<path d="M8 6v4.5M3 14v-3.5h10V14" /> <circle cx="8" cy="4" r="1.8" />`,
  ingest: svg`<path d="M8 2v8M5 7l3 3 3-3M2 13h12" />`,
  settings: svg`<circle cx="6" cy="5" r="1.8" />
    <circle cx="10" cy="11" r="1.8" />
    <path d="M2 5h2M8 5h6M2 11h6M12 11h2" />`,
  search: svg`<circle cx="7" cy="7" r="4.5" /> <path d="M10.5 10.5L14 14" />`,
  caret: svg`<path d="M4.5 6.5L8 10l3.5-3.5" />`,
  right: svg`<path d="M6.5 4.5L10 8l-3.5 3.5" />`,
  left: svg`<path d="M9.5 4.5L6 8l3.5 3.5" />`,
  person: svg`<circle cx="8" cy="5.2" r="2.7" /> <path d="M2.8 13.5c.5-3 2.5-4.4 5.2-4.4s4.7 1.4 5.2 4.4" />`,
  up: svg`<path d="M4.5 9.5L8 6l3.5 3.5" />`,
  down: svg`<path d="M4.5 6.5L8 10l3.5-3.5" />`,
  dots: svg`<path d="M3 8v.1M8 8v.1M13 8v.1" stroke-width="2.4" />`,
  help: svg`<path d="M5.5 6a2.5 2.5 0 114 2c-.9.6-1.5 1-1.5 2" />
    <path d="M8 12.6v.1" stroke-width="2" />
    <circle cx="8" cy="8" r="6.6" />`,
  more: svg`<path d="M2 4h12M2 8h12M2 12h12" />`,
  check: svg`<path d="M3 8.5l3.4 3.4L13 4.8" />`,
  close: svg`<path d="M4 4l8 8M12 4l-8 8" />`,
  theme: svg`<circle cx="8" cy="8" r="5.5" /> <path d="M8 2.5a5.5 5.5 0 010 11z" fill="currentColor" />`,
};

export const icon = (name, size = 15) =>
  html`<svg
    class="icon-${name}"
    width=${size}
    height=${size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width="1.4"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${PATHS[name]}
  </svg>`;

/** Our mark; its diamond is warm only while something is open. */
export const mark = (open = false) =>
  html`<svg width="20" height="16" viewBox="0 0 20 16" aria-hidden="true">
    <path d="M1.5 9v6M5 9v6M8.5 9v6M19 9v6" stroke="var(--ink-3)" stroke-width="1.6" />
    <path d="M13.8.8l3.4 3.4-3.4 3.4-3.4-3.4z" fill=${open ? "var(--deviant-1)" : "var(--ink-3)"} />
  </svg>`;
