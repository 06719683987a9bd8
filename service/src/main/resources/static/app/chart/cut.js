// What scores would have opened at a sensitivity: the rules of the evaluation on values that are on the page.

/**
 * Stretches in which a member would have had an open event: `{ from, to, peak }` in steps, `to` null while it is open
 * at the end.
 * `opensAt` is the score from which on a step counts, `violations` of `of` steps open, `closesAfter` steps below
 * `closesBelow` close. Steps without a score neither open nor close.
 */
export function episodes(scores, { opensAt, closesBelow, violations, of, closesAfter, side = "both" }) {
  const found = [];
  // The last steps that had a score, as a ring: where they were, and their score when it counts.
  const steps = new Array(of);
  const counted = new Array(of);
  let seen = 0;
  let over = 0;
  let open = null;
  let calm = 0;
  for (let step = 0; step < scores.length; step++) {
    const score = scores[step];
    if (score === null || score === undefined) continue;
    const size = (side === "high" && score < 0) || (side === "low" && score > 0) ? 0 : Math.abs(score);
    if (open) {
      if (size > Math.abs(open.peak)) open.peak = score;
      calm = size < closesBelow ? calm + 1 : 0;
      if (calm < closesAfter) continue;
      open.to = step;
      open = null;
      seen = over = 0;
      continue;
    }
    const place = seen % of;
    if (seen >= of && counted[place] !== null) over--;
    steps[place] = step;
    counted[place] = size >= opensAt ? score : null;
    if (counted[place] !== null) over++;
    seen++;
    if (over < violations) continue;
    open = { from: step, to: null, peak: 0 };
    for (let i = 0; i < Math.min(seen, of); i++) {
      if (counted[i] === null) continue;
      if (steps[i] < open.from) open.from = steps[i];
      if (Math.abs(counted[i]) > Math.abs(open.peak)) open.peak = counted[i];
    }
    found.push(open);
    calm = 0;
  }
  return found;
}
