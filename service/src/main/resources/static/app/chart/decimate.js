// From samples to the few points a screen can show, without losing a peak.

/**
 * The usual distance of two samples of a series in milliseconds. Slow metrics on a fine grid have empty steps between
 * their samples; those are no gaps.
 */
export function spacing(times, values) {
  const distances = [];
  let last = null;
  for (let i = 0; i < values.length && distances.length < 64; i++) {
    if (values[i] === null) continue;
    if (last !== null) distances.push(times[i] - last);
    last = times[i];
  }
  distances.sort((a, b) => a - b);
  return distances.length ? distances[distances.length >> 1] : 0;
}

// Steps of the levels that samples are rolled up to.
const ROLLED = [300_000, 3_600_000, 86_400_000];

/**
 * Whether a line is broken before the sample at index `i`; `last` and `before` are the times of the two samples before
 * it, NaN for none. Farther apart than `gap` is a gap, unless the samples around lie as far apart: older history has
 * the step of its level.
 */
export function broken(times, values, i, last, before, gap) {
  const distance = times[i] - last;
  if (distance <= gap) return false;
  let next = i + 1;
  while (next < values.length && values[next] === null) next++;
  const around = [last - before, times[next] - times[i]].filter((d) => d > 0);
  if (around.length === 2 && distance <= 2.5 * Math.min(...around)) return false;
  const alike = (d) => Math.abs(d - distance) <= 0.1 * d;
  return !(ROLLED.some(alike) && around.some(alike));
}

/**
 * Points to draw, as flat `[x, y, x, y, ...]` runs between gaps: at most two per column of pixels, the least and the
 * greatest value in the order in which they came. Lines are broken where `broken` says. `xs` are the places of
 * `times`, computed once for all series of a chart.
 */
export function runs(times, xs, values, y, gap) {
  const out = [];
  let run = [];
  let column = NaN;
  let lastTime = NaN;
  let before = NaN;
  let loX = 0,
    loY = 0,
    hiX = 0,
    hiY = 0;
  const flush = () => {
    if (Number.isNaN(column)) return;
    if (loX === hiX && loY === hiY) run.push(loX, loY);
    else if (loX < hiX) run.push(loX, loY, hiX, hiY);
    else run.push(hiX, hiY, loX, loY);
    column = NaN;
  };
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (v === null) continue;
    const t = times[i];
    if (t - lastTime > gap && broken(times, values, i, lastTime, before, gap)) {
      flush();
      if (run.length) out.push(run);
      run = [];
    }
    before = lastTime;
    lastTime = t;
    const px = xs[i];
    const py = y(v);
    const at = Math.floor(px);
    if (at !== column) {
      flush();
      column = at;
      loX = hiX = px;
      loY = hiY = py;
    } else if (py < loY) {
      loX = px;
      loY = py;
    } else if (py > hiY) {
      hiX = px;
      hiY = py;
    }
  }
  flush();
  if (run.length) out.push(run);
  return out;
}

/** Median of several series at each time, null where none has a value. */
export function medianOf(lists) {
  const length = lists[0]?.length ?? 0;
  return Array.from({ length }, (_, i) => {
    const present = [];
    for (const list of lists) if (list[i] !== null) present.push(list[i]);
    if (!present.length) return null;
    present.sort((a, b) => a - b);
    const mid = present.length >> 1;
    return present.length % 2 ? present[mid] : (present[mid - 1] + present[mid]) / 2;
  });
}

/**
 * The index in `times` nearest to `t` that has a value, no farther than `reach` milliseconds; -1 when there is none.
 */
export function nearest(times, values, t, reach) {
  if (!times.length) return -1;
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (times[mid] < t) low = mid + 1;
    else high = mid;
  }
  let left = low;
  let right = low;
  while (left >= 0 && values[left] === null) left--;
  while (right < values.length && values[right] === null) right++;
  if (low > 0 && right === low) {
    left = low - 1;
    while (left >= 0 && values[left] === null) left--;
  }
  const far = (i) => (i < 0 || i >= times.length ? Infinity : Math.abs(times[i] - t));
  const best = far(left) <= far(right) ? left : right;
  return far(best) <= reach ? best : -1;
}
