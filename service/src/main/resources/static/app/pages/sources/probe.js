// The look at a vCenter before it is read: what it shows and what the account may read. The newest one counts.
import { redraw } from "../../core/bus.js";
import { post } from "../../core/api.js";

export class Probe {
  /** What was found of `address`; null = nothing yet. */
  result = null;
  /** Why nothing was found out; null = it was. */
  error = null;
  busy = false;
  at = 0;
  /** Of which address all of this is. */
  address = null;
  /** The authorities that the look went by; null = those of the system, or a fingerprint. */
  authorities = null;
  #abort = null;

  /** Looks, with a body as the API wants it. */
  async look(body) {
    this.#abort?.abort();
    const abort = (this.#abort = new AbortController());
    if (this.address !== body.address) this.result = null;
    this.address = body.address;
    this.authorities = body.trust?.authorities ?? null;
    this.busy = true;
    this.error = null;
    redraw();
    try {
      const result = await post("/sources/probe", body, abort.signal);
      if (abort !== this.#abort) return;
      this.result = result;
    } catch (error) {
      if (abort !== this.#abort || error.name === "AbortError") return;
      this.error = error;
    }
    this.busy = false;
    this.at = Date.now();
    redraw();
  }

  /** Forgets what it knows: it is of another address, account or trust. */
  forget() {
    this.#abort?.abort();
    this.#abort = null;
    this.result = null;
    this.error = null;
    this.address = null;
    this.busy = false;
  }
}
