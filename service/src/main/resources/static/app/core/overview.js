// Which dashboard stands in the place of Overview: a choice of this browser, as the theme is.
import { keep, kept } from "./store.js";
import { lookAgain } from "./url.js";

const KEY = "overview";
let gone = null;

/** The dashboard that was chosen, `{ id, name }`; null for the usual overview. */
export const chosenOverview = () => kept(KEY, null);

/** The dashboard that the overview shows; null for the usual one, also when what was chosen is gone. */
export function shownOverview() {
  const chosen = chosenOverview();
  return chosen?.id === gone ? null : chosen;
}

/** Chooses a dashboard, `{ id, name }`; null for the usual overview. */
export function chooseOverview(dashboard) {
  gone = null;
  keep(KEY, dashboard && { id: dashboard.id, name: dashboard.name });
  lookAgain();
}

/** The chosen dashboard was not found: until another is chosen, or the window is loaded anew, the usual one stands. */
export function missOverview() {
  gone = chosenOverview()?.id ?? null;
  lookAgain();
}

/** The chosen dashboard that was not found; null = there is none. */
export const missedOverview = () => (gone !== null && chosenOverview()?.id === gone ? chosenOverview() : null);
