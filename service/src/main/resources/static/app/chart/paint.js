// Draws the lower canvas of a chart: all but what follows the cursor.
import { axes } from "./axes.js";
import { endLabels, flags, limits, washes } from "./paint-marks.js";
import { paintSeries } from "./paint-series.js";

export function paintBase(context, spec, at) {
  axes(context, spec, at);
  context.save();
  context.beginPath();
  context.rect(at.left, 0, at.right - at.left, at.bottom + 2);
  context.clip();
  washes(context, spec, at);
  paintSeries(context, spec, at);
  limits(context, spec, at);
  context.restore();
  flags(context, spec, at);
  if (spec.labels) endLabels(context, spec, at);
}
