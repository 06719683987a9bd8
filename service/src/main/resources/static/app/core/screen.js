// How wide the window is: from 900 px on a rail of places, below it a bar of five; below 600 px lists stand in place of
// tables.
import { redraw } from "./bus.js";

const small = matchMedia("(max-width: 899px)");
const least = matchMedia("(max-width: 599px)");
for (const query of [small, least]) query.addEventListener("change", redraw);

/** Whether the places are a bar at the foot, and what one does with a finding stands above it. */
export const narrow = () => small.matches;

/** Whether tables are lists. */
export const phone = () => least.matches;
