// What a panel shows and how, as sentences: objects, figures, keys, level read, time taken.
import { html, nothing } from "../../core/html.js";
import { count } from "../../core/format.js";
import { moment } from "../../core/time.js";
import { closeLayer, showLayer } from "../../parts/layer.js";
import { columnsWords, ruleWords } from "../../panels/words.js";

const LEVELS = { raw: "samples as they came", "5m": "roll-ups of 5 minutes", "1h": "roll-ups of an hour" };

export function explainPanel({ title, panel, load, window }) {
  showLayer(
    "dialog",
    () => {
      const { data } = load;
      const keys = [...new Set((data?.columns ?? []).map((c) => c.key).filter(Boolean))];
      const shows = columnsWords(panel.columns, panel.window);
      return html`<h2 class="title">${title}</h2>
        <p class="say">${ruleWords(panel)}.${shows ? ` ${shows}.` : ""}</p>
        <dl class="props explain">
          ${data?.objects
            ? html`<dt>Objects</dt>
                <dd>
                  ${count(data.objects.matched)} match, ${count(data.objects.reporting ?? data.objects.matched)} report,
                  ${count(data.objects.shown ?? 0)} shown
                </dd>`
            : nothing}
          <dt>Window</dt>
          <dd>${window}${data?.from ? `, ${moment(data.from)} to ${moment(data.to)}` : ""}</dd>
          ${keys.length
            ? html`<dt>Keys</dt>
                <dd class="whole-text">${keys.map((key, i) => html`${i ? ", " : ""}<code>${key}</code>`)}</dd>`
            : nothing}
          ${data?.level
            ? html`<dt>Read from</dt>
                <dd>${LEVELS[data.level] ?? data.level}</dd>`
            : nothing}
          ${data?.tookMillis === undefined
            ? nothing
            : html`<dt>Time taken</dt>
                <dd>${Math.round(data.tookMillis)} ms</dd>`}
        </dl>
        ${(data?.notes ?? []).map((n) => html`<p class="i2">${n.text}</p>`)}
        <div class="row"><span class="sp"></span><button class="ctl" @click=${closeLayer}>Close</button></div>`;
    },
    { label: `Explain ${title}` },
  );
}
