// The shapes of what becomes of a part of a file: each another one, so that colour only repeats it.
import { html, svg } from "../../core/html.js";

const CHECK = svg`<path d="M2.5 7.5l3 3 6-7" />`;
/** @type {Record<string, [string, unknown]>} */
const MARKS = {
  carried: ["--ink-3", CHECK],
  replaced: ["--ink-3", svg`<path d="M2 5h9l-2.5-2.5M12 9H3l2.5 2.5" />`],
  waits: [
    "--accent",
    svg`<circle cx="7" cy="7" r="5" />
      <path d="M7 4v3.2l2 1.3" />`,
  ],
  choose: ["--warning-mark", svg`<path d="M2 4.5h10M2 9.5h5M9 8.5l2 2 2-2" />`],
  missing: ["--warning-mark", svg`<path d="M7 1.5L12.5 12h-11z" />`],
  cannot: [
    "--ink-3",
    svg`<circle cx="7" cy="7" r="5" />
      <path d="M3.6 10.4l6.8-6.8" />`,
  ],
};

/** The shape of an outcome; the word stands beside it. */
export function outcomeMark(outcome, size = 13) {
  const [token, path] = MARKS[outcome] ?? MARKS.carried;
  return html`<svg
    class="outcome-mark"
    width=${size}
    height=${size}
    viewBox="0 0 14 14"
    fill="none"
    stroke=${`var(${token})`}
    stroke-width="1.6"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${path}
  </svg>`;
}
