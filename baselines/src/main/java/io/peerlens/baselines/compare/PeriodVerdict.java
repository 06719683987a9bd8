package io.peerlens.baselines.compare;

/** Verdict on a metric from one period to another. */
public enum PeriodVerdict {
  /** It differs, by enough to matter, in the good direction. */
  BETTER,
  /** It differs, by enough to matter, in the bad direction. */
  WORSE,
  /** It differs, by enough to matter, and neither direction is the good one. */
  DIFFERENT,
  /** No difference is shown, or none that matters. The interval says how large one could be. */
  SAME,
  /** Too few values, or such that move too slowly: no difference, however large, could be shown. */
  NOT_ENOUGH_DATA
}
