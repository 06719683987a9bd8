package io.peerlens.benchmarks.accuracy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What came out for one detector and one set.
 *
 * @param groupOf the group of each place
 * @param levels thresholds: the one that is shipped, then those of the budgets
 * @param delays of each fault, delays[level][place]: buckets until it is found, -1 if it is not
 * @param fragments events for a found fault, at the shipped threshold
 * @param negatives of each negative, by level, the part of members that are out
 * @param perWeek events per member and week on the unchanged traces, at the shipped threshold
 * @param memberDays that were judged
 */
record Outcome(
    String detector,
    String set,
    List<String> groupOf,
    double[] levels,
    Map<Fault, int[][]> delays,
    Map<Fault, Double> fragments,
    Map<Negative, double[]> negatives,
    double perWeek,
    double memberDays) {

  /** The level of the shipped threshold; those of the budgets follow. */
  static final int AT_DEFAULT = 0;

  /** A place where a fault does not fit. */
  static final int NOT_TRIED = -2;

  static final Predicate<Fault> EASY = f -> f.core;
  static final Predicate<Fault> KINDS = f -> f.size == 0;
  static final Predicate<Fault> SMALL =
      List.of(Fault.TIMES_1_5, Fault.TIMES_0_3, Fault.LAG, Fault.SWAP)::contains;

  /** The part of a fault that is found; NaN if it was tried nowhere. */
  double recall(int level, Fault fault) {
    return mean(level, fault::equals, ones());
  }

  /** The mean over faults of the part that is found. */
  double mean(int level, Predicate<Fault> which) {
    return mean(level, which, ones());
  }

  /** The mean over the budgets of that. */
  double overBudgets(Predicate<Fault> which) {
    return overBudgets(which, ones());
  }

  double overBudgets(Predicate<Fault> which, int[] times) {
    double sum = 0;
    for (int level = 1; level < levels.length; level++) {
      sum += mean(level, which, times);
    }
    return sum / (levels.length - 1);
  }

  /** The mean over faults, each place counting so many times. */
  double mean(int level, Predicate<Fault> which, int[] times) {
    double sum = 0;
    int faults = 0;
    for (Map.Entry<Fault, int[][]> e : delays.entrySet()) {
      if (!which.test(e.getKey())) {
        continue;
      }
      int[] delay = e.getValue()[level];
      int tried = 0;
      int found = 0;
      for (int p = 0; p < delay.length; p++) {
        if (delay[p] != NOT_TRIED) {
          tried += times[p];
          found += delay[p] >= 0 ? times[p] : 0;
        }
      }
      if (tried > 0) {
        sum += found / (double) tried;
        faults++;
      }
    }
    return faults == 0 ? Double.NaN : sum / faults;
  }

  /** A quantile of the minutes until one of these faults is found; NaN if none ever is. */
  double minutes(int level, Predicate<Fault> which, double quantile) {
    int[] found =
        delays.entrySet().stream()
            .filter(e -> which.test(e.getKey()))
            .flatMapToInt(e -> Arrays.stream(e.getValue()[level]))
            .filter(d -> d >= 0)
            .sorted()
            .toArray();
    return found.length == 0
        ? Double.NaN
        : 5 * (1 + found[Math.min(found.length - 1, (int) (quantile * found.length))]);
  }

  /** Each place once. */
  int[] ones() {
    int[] ones = new int[groupOf.size()];
    Arrays.fill(ones, 1);
    return ones;
  }
}
