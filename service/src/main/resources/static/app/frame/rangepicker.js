// The range of the page: relative, or from and to.
import { html } from "../core/html.js";
import { redraw } from "../core/bus.js";
import { parseRange, range, RELATIVE, setAbsolute, setRelative, zone } from "../core/time.js";
import { parseMoment } from "../core/zone.js";
import { closeLayer, showLayer } from "../parts/layer.js";
import { whenField } from "../parts/when.js";

let error = "";

export function showRange() {
  error = "";
  showLayer("popover at-range", view, { label: "Range" });
}

function apply(text) {
  const read = parseRange(text);
  if (!read) {
    error =
      "Not understood. Try \u201cyesterday 9-11\u201d, \u201c08:25 to 14:25\u201d, \u201c14 Mar 10:00 to 12:00\u201d or \u201c3h\u201d.";
    redraw();
    return;
  }
  closeLayer();
  if (read.relative) setRelative(read.relative);
  else setAbsolute(read.from, read.to);
}

function submit(event) {
  event.preventDefault();
  const form = new FormData(event.target);
  const from = parseMoment(form.get("from"));
  const to = parseMoment(form.get("to"));
  if (!(from < to)) {
    error = "The end must be after the beginning.";
    redraw();
    return;
  }
  closeLayer();
  setAbsolute(from, to);
}

function view() {
  const { from, to, relative } = range();
  return html`<div class="range-picker">
    <ul class="menu">
      ${RELATIVE.map(
        ([key, name]) =>
          html`<li>
            <button aria-pressed=${key === relative} @click=${() => (closeLayer(), setRelative(key))}>${name}</button>
          </li>`,
      )}
    </ul>
    <div class="pad">
      <label class="lab"
        >In words
        <input
          class="field"
          autofocus
          placeholder="yesterday 9-11"
          aria-describedby="range-error"
          @keydown=${(e) => e.key === "Enter" && (e.preventDefault(), apply(e.target.value))}
      /></label>
      <form @submit=${submit}>
        <label class="lab">From${whenField({ name: "from", value: from, required: true })}</label>
        <label class="lab">To${whenField({ name: "to", value: to, required: true })}</label>
        <div class="row">
          <button class="ctl primary">Apply</button>
          <span class="m s12">Times in ${zone()}</span>
        </div>
      </form>
      <p id="range-error" class="crit s12" role="alert">${error}</p>
      <p class="m s12">Drag in a chart zooms all of them; a double click leads back.</p>
    </div>
  </div>`;
}
