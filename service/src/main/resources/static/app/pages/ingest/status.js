// The state of ingest in full, for the page that shows it.
import { get } from "../../core/api.js";
import { Load } from "../../core/load.js";

const EVERY = 10_000;

export const ingest = new Load((signal) => get("/ingest/status", {}, signal));

/** While it is shown it is read again. */
export const wantIngest = () => ingest.want().every(EVERY);
