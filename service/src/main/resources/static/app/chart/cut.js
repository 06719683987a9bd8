// What scores would have opened at a sensitivity: the rules of the evaluation on values that are on the page.

/**
 * Stretches in which a member would have had an open event: `{ from, to, peak }` in steps, `to` null while it is open at the end.
 * `opensAt` is the score from which on a step counts, `violations` of `of` steps open, `closesAfter` steps below `closesBelow` close.
 * Steps without a score neither open nor close.
 */
export function episodes(scores, { opensAt, closesBelow, violations, of, closesAfter, side = "both" }) {
  const found = [];
  const recent = [];
  let open = null;
  let calm = 0;
  scores.forEach((score, step) => {
    if (score === null || score === undefined) return;
    const size = (side === "high" && score < 0) || (side === "low" && score > 0) ? 0 : Math.abs(score);
    if (open) {
      if (size > Math.abs(open.peak)) open.peak = score;
      calm = size < closesBelow ? calm + 1 : 0;
      if (calm < closesAfter) return;
      open.to = step;
      open = null;
      recent.length = 0;
      return;
    }
    recent.push({ step, over: size >= opensAt, score });
    if (recent.length > of) recent.shift();
    const over = recent.filter((r) => r.over);
    if (over.length < violations) return;
    open = { from: over[0].step, to: null, peak: over.reduce((most, r) => (Math.abs(r.score) > Math.abs(most) ? r.score : most), 0) };
    found.push(open);
    calm = 0;
  });
  return found;
}
