package io.peerlens.outliers;

/** State of a group in a bucket: judged, or why not. */
public enum GroupState {
  /** Its members were compared. */
  JUDGED,
  /** No member has a value. */
  NO_DATA,
  /** Fewer than three members have a value. */
  TOO_FEW,
  /** Three members, of which no two agree: nobody can say which one is the odd one. */
  NO_MAJORITY,
  /** The members form two bands, so "different from the others" means nothing. */
  SPLIT,
  /** Too little is known yet. */
  LEARNING,
  /** More than half of the members are out in one direction at once: the group's affair. */
  GROUP_WIDE
}
