// The state of ingest in full, for the page that shows it.
import { get } from "../core/api.js";
import { Load } from "../core/load.js";

const EVERY = 10_000;

export const ingest = new Load((signal) => get("/ingest/status", {}, signal));

let asked = 0;
/** The page is redrawn every second, so it is read again from here. */
export function wantIngest() {
  if (ingest.loading || Date.now() - asked < EVERY) return;
  asked = Date.now();
  ingest.again();
}
