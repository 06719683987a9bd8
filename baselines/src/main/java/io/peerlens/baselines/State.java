package io.peerlens.baselines;

/** State of learning of a series. */
public enum State {
  /**
   * Less than {@link BandLearner#LEARNING_DAYS} days of values so far, so nothing is judged.
   * vRealize Network Insight waits as long before the first alert of a dynamic threshold.
   */
  LEARNING,
  /** Bounds follow the hour of the week. */
  LEARNED,
  /**
   * Whole numbers, at most {@link BandLearner#FEW_VALUES} different ones, such as states or counts
   * of snapshots: the bounds are the lowest and the highest of them.
   */
  FEW_VALUED,
  /** Always the same value; both bounds are that value. */
  CONSTANT
}
