// What panels ask and are answered: few at a time, each again when its question is another.
import { post } from "../core/api.js";
import { Load } from "../core/load.js";

const AT_ONCE = 5;
let running = 0;
const waiting = [];

/** Lets a few requests go at a time; one that is no longer wanted does not wait. */
async function inTurn(signal, work) {
  if (running >= AT_ONCE)
    await new Promise((resolve, reject) => {
      waiting.push(resolve);
      signal?.addEventListener("abort", () => {
        const at = waiting.indexOf(resolve);
        if (at < 0) return;
        waiting.splice(at, 1);
        reject(new DOMException("No longer wanted", "AbortError"));
      });
    });
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** Asks for what a panel shows. */
export const askPanel = (body, signal) => inTurn(signal, () => post("/panels/query", body, signal));

/** Asks for what a panel of a stored dashboard shows, which the server knows. */
export const askStored = ({ dashboard, name, panel: _panel, ...body }, signal) =>
  inTurn(signal, () => post(`/dashboards/${dashboard}/panels/${encodeURIComponent(name)}/query`, body, signal));

/** Whether two answers show the same, whatever it took to find out. */
function alike(a, b) {
  const { tookMillis: _a, ...one } = a;
  const { tookMillis: _b, ...other } = b;
  return JSON.stringify(one) === JSON.stringify(other);
}

/** What one panel shows: the answer to its question of now, until then the one before. `ask` is who is asked. */
export class PanelLoad extends Load {
  constructor(ask = askPanel) {
    super(async (body, _round, signal) => {
      const answer = await ask(body, signal);
      // The same answer stays the same thing, so that nothing is drawn anew.
      if (!this.data || !alike(this.data, answer)) return answer;
      this.data.tookMillis = answer.tookMillis;
      return this.data;
    });
  }
}
