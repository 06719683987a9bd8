package io.peerlens.learning;

import io.peerlens.baselines.Band;
import io.peerlens.frame.KeySets;
import java.util.Arrays;

/** Bounds of one metric of some sets over days that follow one another. */
final class PastBounds {

  private final KeySets sets;
  private final long firstDay;
  private final float[][] lower; // by hour, then by set
  private final float[][] upper;
  private final float[][] spread; // by day, then by set
  private final byte[][] states;
  private final byte[][] days;
  private final boolean[][] known;

  PastBounds(KeySets sets, long firstDay, int dayCount) {
    this.sets = sets;
    this.firstDay = firstDay;
    int count = sets.sets().length;
    lower = nan(dayCount * Days.HOURS, count);
    upper = nan(dayCount * Days.HOURS, count);
    spread = nan(dayCount, count);
    states = new byte[dayCount][count];
    days = new byte[dayCount][count];
    known = new boolean[dayCount][count];
  }

  private static float[][] nan(int rows, int length) {
    float[][] values = new float[rows][length];
    for (float[] row : values) {
      Arrays.fill(row, Float.NaN);
    }
    return values;
  }

  KeySets sets() {
    return sets;
  }

  long firstHour() {
    return Days.firstHour(firstDay);
  }

  int hours() {
    return lower.length;
  }

  /** Bounds in an hour since 1970; none outside of the days. */
  BandColumns at(long hour) {
    int at = (int) (hour - firstHour());
    return at < 0 || at >= lower.length
        ? BandColumns.NONE
        : new BandColumns(sets.sets(), lower[at], upper[at], spread[at / Days.HOURS]);
  }

  /** State of a set on a day, as in {@link LearnedBlock#state}. */
  int state(long day, int set) {
    return states[(int) (day - firstDay)][set];
  }

  /** Whole days that the band of a set on a day was learned from. */
  int learnedDays(long day, int set) {
    return days[(int) (day - firstDay)][set];
  }

  /** Whether it was looked at on this day, even if nothing was learned. */
  boolean isKnown(long day, int set) {
    return known[(int) (day - firstDay)][set];
  }

  void putNothing(long day, int set) {
    known[(int) (day - firstDay)][set] = true;
  }

  void put(long day, int set, float setSpread, byte state, byte learnedDays) {
    int at = (int) (day - firstDay);
    known[at][set] = true;
    spread[at][set] = setSpread;
    states[at][set] = state;
    days[at][set] = learnedDays;
  }

  void put(long day, int hour, int set, float setLower, float setUpper) {
    int at = (int) (day - firstDay) * Days.HOURS + hour;
    lower[at][set] = setLower;
    upper[at][set] = setUpper;
  }

  void put(long day, int set, Band band) {
    put(day, set, band.spread(), LearnedBlock.code(band), LearnedBlock.days(band));
    for (int hour = 0; hour < Days.HOURS; hour++) {
      put(day, hour, set, band.lower()[hour], band.upper()[hour]);
    }
  }
}
