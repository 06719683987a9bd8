package io.peerlens.outliers;

/** Kind of evidence that gave a member, or a group, its score. */
public enum Evidence {
  /** The values themselves are too high or too low. */
  LEVEL,
  /** Each value could be chance, but they have been on one side for too long. */
  SUSTAINED,
  /** The values swing more than its peers' and its own past allow. */
  SWINGS,
  /** The value stands still while those of its peers move. */
  STUCK,
  /** The value is 0, which it hardly ever was, and those of its peers are not. */
  SILENT,
  /** The median of the whole group is not where it usually is at this hour. */
  UNUSUAL
}
