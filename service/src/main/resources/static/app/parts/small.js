// Small forms: lines, bars, progress, chips.
import { html, nothing, svg } from "../core/html.js";

/** A line without axes; gaps stay open; a dot ends it when the newest value is there. */
export function spark(values, { width = 110, height = 20, colour = "--peer-strong", dot = true, zero = false } = {}) {
  const present = values.filter((v) => v !== null && v !== undefined);
  if (present.length < 2) return html`<svg class="spark" width=${width} height=${height} aria-hidden="true"></svg>`;
  const low = zero ? Math.min(0, ...present) : Math.min(...present);
  const high = Math.max(...present);
  const y = (v) => height - 3 - ((v - low) / (high - low || 1)) * (height - 6);
  const x = (i) => 1 + (i / (values.length - 1)) * (width - 6);
  let path = "";
  values.forEach((v, i) => {
    if (v === null || v === undefined) return;
    const joined = i > 0 && values[i - 1] !== null && values[i - 1] !== undefined;
    path += `${joined ? "L" : "M"}${x(i).toFixed(1)} ${y(v).toFixed(1)}`;
  });
  const last = values.at(-1);
  return html`<svg class="spark" width=${width} height=${height} viewBox="0 0 ${width} ${height}" aria-hidden="true">
    <path d=${path} fill="none" stroke="var(${colour})" stroke-width="1.3" stroke-linejoin="round" />
    ${dot && last !== null && last !== undefined
      ? svg`<circle cx=${x(values.length - 1)} cy=${y(last)} r="2" fill="var(${colour})" />`
      : nothing}
  </svg>`;
}

/**
 * The box that filters a list; the key `/` leads there. `type` is called with what stands in it.
 * @param {{ value: string, placeholder: string, type: (text: string) => void }} box
 */
export const searchBox = ({ value, placeholder, type }) =>
  html`<div class="tokens">
    <input
      id="filter"
      type="search"
      .value=${value}
      placeholder=${placeholder}
      aria-label="Filter"
      maxlength="200"
      autocomplete="off"
      spellcheck="false"
      @input=${(e) => type(e.target.value)}
      @keydown=${(e) => e.key === "Escape" && e.target.blur()}
    />
    <kbd>/</kbd>
  </div>`;

/** A share of the largest, as a bar. */
export const bar = (share, token = "--seq-3") =>
  html`<span class="bar-track"
    ><span
      class="bar-fill"
      .style=${`width:${Math.max(0.5, Math.min(100, share * 100))}%;background:var(${token})`}
    ></span
  ></span>`;

export function progress(done, total, label) {
  const share = total ? Math.min(1, done / total) : null;
  return html`<span
    class="progress"
    role="progressbar"
    aria-label=${label}
    aria-valuemin="0"
    aria-valuemax="100"
    aria-valuenow=${share === null ? nothing : Math.round(share * 100)}
  >
    <span class="bar-fill" .style=${`width:${share === null ? 30 : share * 100}%`}></span>
  </span>`;
}

export const chip = (text, title = text) => html`<span class="chip" title=${title}>${text}</span>`;

/** Words of a switch: `options` are `[value, words]`. */
export const segments = (value, options, choose, label) =>
  html`<div class="seg" role="group" aria-label=${label}>
    ${options.map(
      ([key, words]) =>
        html`<button type="button" aria-pressed=${key === value} @click=${() => choose(key)}>${words}</button>`,
    )}
  </div>`;

const WEEK = 5;
/** How often something happened in each of some weeks, the oldest first; nothing when that is not known. */
export function weeks(counts) {
  if (!counts?.length) return nothing;
  const most = Math.max(...counts, 1);
  const words = `${counts.join(", ")} in the last ${counts.length} weeks, this week last`;
  return html`<svg class="weeks" width=${counts.length * (WEEK + 2)} height="16" role="img" aria-label=${words}>
    <title>${words}</title>
    ${counts.map(
      (n, i) =>
        svg`<rect
          x=${i * (WEEK + 2)}
          width=${WEEK}
          y=${n ? 15 - Math.max(2, (n / most) * 14) : 14}
          height=${n ? Math.max(2, (n / most) * 14) : 1}
          fill=${n ? "var(--seq-3)" : "var(--line-strong)"}
        />`,
    )}
  </svg>`;
}
