package io.peerlens.outliers;

/**
 * A stretch of time in which a member was an outlier.
 *
 * @param member its id, {@link #GROUP} or {@link #SHIFT}
 * @param status open, unknown (no values any more) or closed
 * @param high whether it is above its peers rather than below
 * @param since the end of the first bucket that violates
 * @param openedAt the end of the bucket that opened it (the first time, if it flaps)
 * @param lastBucket the end of the last bucket that was judged
 * @param closedAt the end of the bucket that closed it; 0 while it is not closed
 * @param score the last combined score, signed; of a group event the part of members that are out,
 *     of a shift how far the median is beyond its band, see {@link GroupShift}
 * @param peakScore the score that was farthest from 0
 * @param violations how many of the last {@code of} judged buckets violate
 * @param of how many were looked at
 * @param floorDecided whether the deviation is measured against the floor, the group being tighter
 * @param metrics the metrics that make the score, as bits
 * @param evidence what gave it the last score
 * @param flaps how often it has opened again
 */
public record Event(
    int member,
    Status status,
    boolean high,
    long since,
    long openedAt,
    long lastBucket,
    long closedAt,
    double score,
    double peakScore,
    int violations,
    int of,
    boolean floorDecided,
    int metrics,
    Evidence evidence,
    int flaps) {

  /** The member of an event of the whole group: many members are out on one side. */
  public static final int GROUP = -1;

  /** The member of an event of the whole group: its median is not where it usually is. */
  public static final int SHIFT = -2;

  /** The life of an event. */
  public enum Status {
    OPEN,
    UNKNOWN,
    CLOSED
  }
}
