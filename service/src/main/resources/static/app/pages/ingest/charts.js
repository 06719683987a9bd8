// Charts over the last hour of ingest, by minute.
import { html } from "../../core/html.js";
import { plural } from "../../core/format.js";
import { MINUTE } from "../../core/time.js";

const specs = new Map();

/** One field of the history of an input as a chart; the spec is remade only when the history is new. */
export function minuteChart(history, field, title, unit, input = "metrics") {
  const key = `${input} ${field}`;
  const known = specs.get(key);
  if (known?.history === history) return html`<series-chart .spec=${known.spec}></series-chart>`;
  const { times } = history;
  const end = times.length ? times.at(-1) + MINUTE : Date.now();
  const values = history[field];
  const spec = {
    title,
    unit,
    from: end - 60 * MINUTE,
    to: end,
    times,
    stepMillis: MINUTE,
    series: [{ name: title, values, style: "main" }],
    empty: values.some((v) => v !== null) ? undefined : "no data",
  };
  specs.set(key, { history, spec });
  return html`<series-chart .spec=${spec}></series-chart>`;
}

export const lagLine = (lag) =>
  lag === null
    ? "lag not known, the broker does not answer"
    : lag === 0
      ? "nothing waits"
      : `${plural(lag, "record waits", "records wait")}`;
