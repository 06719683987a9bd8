// Explanations as sentences: the words of the service with their bold parts.
import { html } from "../core/html.js";
import { moment } from "../core/time.js";
import { href } from "../core/url.js";

/**
 * The explanation with its bold spans, its moments in local time, and the setting in it that silences it as a link;
 * without what else went on (`around`), which is shown beside it.
 */
export function sentence(e, severity) {
  const marks = e.strong.map(({ start, end }) => ({
    from: start,
    to: end,
    make: (text) => html`<b class=${/^[\d-]/.test(text) ? `hot ${severity}` : ""}>${text}</b>`,
  }));
  marks.push(
    ...(e.moments ?? []).map(({ start, end, time }) => ({
      from: start,
      to: end,
      make: (text) => html`<time datetime=${time} title=${text}>${moment(Date.parse(time))}</time>`,
    })),
  );
  const at = e.setting ? e.text.lastIndexOf(e.setting.name) : -1;
  if (at >= 0 && !marks.some((m) => m.from < at + e.setting.name.length && m.to > at))
    marks.push({
      from: at,
      to: at + e.setting.name.length,
      make: (text) => html`<a href=${href(e.setting.href.replace(/^#?\/*/, "/"))}>${text}</a>`,
    });
  // What is shown in parts beside it is not said again.
  const apart = e.aroundSpan;
  if (apart) {
    const inside = (m) => m.from >= apart.start && m.to <= apart.end;
    marks.splice(0, Infinity, ...marks.filter((m) => !inside(m)), { from: apart.start, to: apart.end, make: () => "" });
  }
  const parts = [];
  let done = 0;
  for (const { from, to, make } of marks.sort((a, b) => a.from - b.from)) {
    parts.push(e.text.slice(done, from), make(e.text.slice(from, to)));
    done = to;
  }
  return [...parts, e.text.slice(done)];
}
