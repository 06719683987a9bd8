package io.peerlens.baselines;

import java.util.Arrays;

/**
 * Hours of a series that a band is learned from: in order, without those that have no value, and
 * sorted by the hour of the week. Arrays are kept for the next series.
 */
final class LearnedHours {

  /** How many there are at most. */
  static final int MOST = BandLearner.HISTORY_DAYS * 24;

  private static final double[] WEIGHTS = new double[MOST];

  static {
    for (int age = 0; age < MOST; age++) {
      WEIGHTS[age] = Math.pow(2, -age / (24.0 * BandLearner.HALF_LIFE_DAYS));
    }
  }

  int count;

  /** Since the oldest hour that is looked at. */
  final int[] hour = new int[MOST];

  /** Hour of the week. */
  final int[] slot = new int[MOST];

  final float[] low = new float[MOST];
  final float[] middle = new float[MOST];
  final float[] high = new float[MOST];
  final double[] weight = new double[MOST];

  /** Where each hour of the week begins in {@link #bySlot}. */
  final int[] slotStart = new int[WeekSlots.SLOTS + 1];

  /** Numbers of the hours of each hour of the week, one after the other. */
  final int[] bySlot = new int[MOST];

  private final int[] slotFill = new int[WeekSlots.SLOTS];

  /** The oldest hour that is looked at. */
  static long oldest(long firstHour, int length) {
    return firstHour + Math.max(0, length - MOST);
  }

  void read(long firstHour, float[] min, float[] mean, float[] max, WeekSlots slots) {
    long oldest = oldest(firstHour, min.length);
    int skipped = (int) (oldest - firstHour);
    int hours = min.length - skipped;
    count = 0;
    for (int i = 0; i < hours; i++) {
      float value = mean[skipped + i];
      if (Float.isNaN(value) || Float.isInfinite(value)) {
        continue;
      }
      hour[count] = i;
      slot[count] = slots.slot(oldest + i);
      middle[count] = value;
      low[count] = min[skipped + i];
      high[count] = max[skipped + i];
      weight[count] = WEIGHTS[hours - 1 - i];
      count++;
    }
  }

  /** Days from the first to the last hour, both included; 0 without any. */
  float days() {
    return count == 0 ? 0 : (hour[count - 1] - hour[0] + 1) / 24f;
  }

  void sortBySlot() {
    Arrays.fill(slotStart, 0);
    for (int i = 0; i < count; i++) {
      slotStart[slot[i] + 1]++;
    }
    for (int s = 0; s < WeekSlots.SLOTS; s++) {
      slotStart[s + 1] += slotStart[s];
      slotFill[s] = slotStart[s];
    }
    for (int i = 0; i < count; i++) {
      bySlot[slotFill[slot[i]]++] = i;
    }
  }

  boolean isConstant() {
    for (int i = 0; i < count; i++) {
      if (low[i] != low[0] || high[i] != low[0]) {
        return false;
      }
    }
    return true;
  }

  boolean isNeverNegative() {
    for (int i = 0; i < count; i++) {
      if (low[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** Whether most hours hold a single value, or only equal ones. */
  boolean areSingleValues() {
    int single = 0;
    for (int i = 0; i < count; i++) {
      single += low[i] == high[i] ? 1 : 0;
    }
    return 2 * single > count;
  }

  /** Takes a trend out, so that all hours are at the level of an origin. */
  void takeOut(double slope, int origin) {
    for (int i = 0; i < count; i++) {
      float moved = (float) (slope * (hour[i] - origin));
      low[i] -= moved;
      middle[i] -= moved;
      high[i] -= moved;
    }
  }
}
