// How what is found reads: figures with what is usual, verdicts, states.
import { html, nothing } from "../../core/html.js";
import { NONE, scale, short } from "../../core/format.js";
import { severityShape, shape, icon } from "../../parts/shapes.js";

/** What the bands are called, in the order in which they are gone through. */
export const BANDS = {
  guest: "Guest",
  cluster: "Cluster",
  host: "Host",
  "disk-group": "Disk group",
  network: "Network",
};

const VERDICTS = { here: "here", "not-here": "not here", "no-data": "no data", "no-usual": "not judged" };
export const verdictWord = (verdict) => VERDICTS[verdict] ?? verdict;

/** The shape of a verdict; the word stands beside it. */
export const verdictShape = (verdict, size = 12) =>
  verdict === "here"
    ? shape("immediate", size, "")
    : verdict === "not-here"
      ? icon("check", size)
      : shape("unknown", size, "");

/** The shape of how far the search got. */
export const stateShape = (state, size = 20) =>
  state === "found"
    ? shape("immediate", size, "")
    : state === "not-slow"
      ? html`<span class="calm">${icon("check", size)}</span>`
      : state === "not-explained"
        ? severityShape("warning", size, "")
        : shape("unknown", size, "");

/** One scale for a figure and what is usual of it, so that both compare. */
const scaleOf = (f) => scale(f.unit, Math.max(Math.abs(f.value), Math.abs(f.high ?? 0)));
/** Less than can be read is said so, not drawn out. */
const plain = (v) => (v !== 0 && Math.abs(v) < 0.005 ? "<0.01" : short(v));
const unitText = ({ unit }) => (unit ? ` ${unit}` : "");

export function figureText(f) {
  const s = scaleOf(f);
  return `${plain(f.value * s.factor)}${unitText(s)}`;
}

/** What is usual of a figure; a dash when that is not known. */
export function usualText(f) {
  if (!f || (f.low === null && f.high === null)) return NONE;
  const s = scaleOf(f);
  const text = (v) => plain(v * s.factor);
  if (f.low === null) return `up to ${text(f.high)}${unitText(s)}`;
  if (f.high === null) return `from ${text(f.low)}${unitText(s)}`;
  if (text(f.low) === text(f.high)) return `${text(f.low)}${unitText(s)}`;
  return `${text(f.low)} to ${text(f.high)}${unitText(s)}`;
}

export const usualTitle = (f) =>
  !f || (f.low === null && f.high === null)
    ? "not known yet"
    : f.learned
      ? "the learned band at this hour"
      : "the middle 90 % of the five hours before the last one";

const EMPHASIS = { strong: "", bad: "hot" };

/** The finding with its figures standing out. */
export const said = (phrases) =>
  phrases.map((p) =>
    p.emphasis === "none" ? p.text : html`<b class=${EMPHASIS[p.emphasis] || nothing}>${p.text}</b>`,
  );

const CAN = new Set(["VirtualMachine", "HostSystem", "ClusterComputeResource", "Datastore"]);

/** Whether the question can be asked of an object. */
export const canAsk = (object) => object?.adapterKind === "VMWARE" && CAN.has(object.objectKind);
