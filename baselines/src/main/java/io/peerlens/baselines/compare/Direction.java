package io.peerlens.baselines.compare;

/** Direction in which values of a metric are good. */
public enum Direction {
  /** As latency, errors, time that a CPU waits. */
  LOWER_IS_BETTER,
  /** As throughput, space that is left. */
  HIGHER_IS_BETTER,
  /** As power or placement: a change is reported, not valued. */
  NEITHER;

  /**
   * +1 when a change is good, -1 when it is bad, 0 when it is neither.
   *
   * @param change after minus before, in any unit
   */
  int good(double change) {
    double sign = Math.signum(change);
    return (int)
        switch (this) {
          case LOWER_IS_BETTER -> -sign;
          case HIGHER_IS_BETTER -> sign;
          case NEITHER -> 0;
        };
  }
}
