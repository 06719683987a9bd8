package io.peerlens.baselines;

/**
 * How much novelty is usual for a series at a time of the day: some are always restless, and some
 * do every night what they never do by day. Half of the most that the same hour had on the days
 * before, and the mean of what all hours had at most.
 */
final class Habits {

  private static final int DAY = 24;

  /** What was a day ago counts by this a day later. */
  private static final double DAILY = 0.4;

  /** Share of the hour's novelty that is usual. */
  private static final double SAME_HOUR = 0.5;

  /** The mean follows with so many hours: three days. */
  private static final double HOURS = 72;

  private final float[] before = new float[DAY];
  private long hour = Long.MIN_VALUE;
  private int slot;
  private double most;
  private double mean;
  private int hours;

  /**
   * What is usual now, from the hours before this one.
   *
   * @param epochHour the hour since 1970
   * @param ofDay which hour of the day it is
   * @param novelty of the value now; for later
   */
  double usual(long epochHour, int ofDay, double novelty) {
    if (epochHour != hour) {
      if (hour != Long.MIN_VALUE) {
        before[slot] = (float) Math.max(DAILY * before[slot], most);
        hours++;
        mean += (most - mean) / Math.min(hours, HOURS);
      }
      hour = epochHour;
      slot = ofDay;
      most = 0;
    }
    // An hour that changed its place a little is still the same.
    double same = Math.max(before[slot], before[(slot + 1) % DAY]);
    most = Math.max(most, novelty);
    return SAME_HOUR * same + mean;
  }
}
