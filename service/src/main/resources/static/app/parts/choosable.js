// A table whose columns are a fixed list: which of them are shown, in which order and how wide is anybody's choice.
import { html } from "../core/html.js";
import { Columns } from "./columns.js";

/** `definitions` are all columns by their ids (see `Columns.table` and `cells`), `usual` the ids shown before somebody chose, `fixed` those that always are. */
export function choosable(table, { definitions, usual, fixed }) {
  const columns = new Columns(table, fixed);
  const column = (id) => ({ id, ...definitions[id] });
  const shown = () => (columns.chosen() ?? usual).filter((id) => id in definitions).map(column);
  const pick = () => columns.pick(() => ({ available: Object.keys(definitions).map(column), shown: shown() }));
  return {
    arrive: () => columns.arrive(""),
    shown,
    table: (options, body) => columns.table(shown(), options, body),
    button: () => html`<button class="ctl low" aria-haspopup="dialog" @click=${pick}>Columns</button>`,
  };
}
