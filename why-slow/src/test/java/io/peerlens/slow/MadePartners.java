package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Machines that talk with one whose limit delays, made up: four weeks of throughput with the rhythm
 * of days and weeks, calm and busy days, noise that lasts, bursts, and jobs at night. The last ones
 * are victims: they lose a share of it while it is delayed.
 */
final class MadePartners {

  static final int STEPS = 72;
  private static final int HOUR = 12;
  private static final int DAY = 24 * HOUR;
  private static final int DAYS = 30;
  private static final int BACK = 28;
  private static final int WEEK = 7;

  /** How the limit delays. */
  enum Habit {
    /** Now alone. */
    ONCE,
    /** At these hours on every third day as well. */
    OFTEN
  }

  final boolean[] delayed = new boolean[STEPS];
  final List<SecondVictims.Partner> partners = new ArrayList<>();
  final DaysBefore days;
  private final int victims;
  private final int healthy;

  /**
   * @param length steps of the delay, until now; more than the six hours = it began before
   * @param known days of history
   */
  MadePartners(
      long seed, int length, int known, int healthy, int victims, double fall, Habit habit) {
    this.healthy = healthy;
    this.victims = victims;
    Random random = new Random(seed * 0x9E3779B97F4A7C15L);
    // Now is a step of the last day; the hours of all machines begin at a whole hour.
    int end = (DAYS - 1) * DAY + 1 + random.nextInt(DAY);
    int begin = end - STEPS;
    int weekday = random.nextInt(WEEK);
    boolean[] slow = new boolean[end];
    for (int t = 0; t < end; t++) {
      int ago = (end - 1 - t) / DAY;
      slow[t] =
          t >= end - length
              || (habit == Habit.OFTEN && ago % 3 == 1 && t + ago * DAY >= end - length);
    }
    for (int i = 0; i < STEPS; i++) {
      delayed[i] = slow[begin + i];
    }
    int hours = (end + HOUR - 1) / HOUR;
    // Of the past it is known by hour only: one in part of which the limit delayed seems free.
    boolean[] slowHours = new boolean[hours];
    Arrays.fill(slowHours, true);
    for (int t = 0; t < end; t++) {
      slowHours[t / HOUR] &= slow[t];
    }
    int[] hourOf = new int[STEPS];
    Arrays.setAll(hourOf, i -> (begin + i) / HOUR);
    boolean weekend = isWeekend(end - 1, weekday);
    List<Integer> alike = new ArrayList<>();
    List<Integer> all = new ArrayList<>();
    for (int d = 1; d <= BACK; d++) {
      all.add(d * 24);
      if (isWeekend(end - 1 - d * DAY, weekday) == weekend) {
        alike.add(d * 24);
      }
    }
    days =
        new DaysBefore(
            hourOf,
            slowHours,
            alike.stream().mapToInt(Integer::intValue).toArray(),
            all.stream().mapToInt(Integer::intValue).toArray());
    for (int m = 0; m < healthy + victims; m++) {
      double[] values = machine(random, end, weekday);
      if (m >= healthy) {
        for (int t = 0; t < end; t++) {
          values[t] *= slow[t] ? 1 - fall : 1;
        }
      }
      partners.add(
          new SecondVictims.Partner(
              m,
              "vm-" + m,
              Arrays.copyOfRange(values, begin, end),
              hours(values, hours, end - known * DAY)));
    }
  }

  private static boolean isWeekend(int step, int weekday) {
    return (step / DAY + weekday) % WEEK >= 5;
  }

  private static double[] machine(Random random, int end, int weekday) {
    double level = 500 * Math.exp(1.2 * random.nextGaussian());
    double rhythm = random.nextInt(3) == 0 ? 0 : 0.2 + 0.5 * random.nextDouble();
    double atWeekend = random.nextInt(3) == 0 ? 0.2 + 0.5 * random.nextDouble() : 1;
    double daily = 0.15 * random.nextDouble();
    double slowly = 0.05 + 0.15 * random.nextDouble();
    double fast = 0.05 + 0.15 * random.nextDouble();
    double bursts = random.nextInt(3) == 0 ? 0.02 : 0;
    double trend = 0.4 * (random.nextDouble() - 0.5);
    int job = random.nextInt(4) == 0 ? random.nextInt(24) : -1;
    double[] values = new double[end];
    double lasting = 0;
    double today = 0;
    for (int t = 0; t < end; t++) {
      if (t % DAY == 0) {
        today = daily * random.nextGaussian();
      }
      // Remembers an hour.
      lasting = 0.92 * lasting + Math.sqrt(1 - 0.92 * 0.92) * random.nextGaussian();
      boolean weekend = isWeekend(t, weekday);
      double hour = 24.0 * (t % DAY) / DAY;
      double wave = weekend && atWeekend < 1 ? 0 : rhythm * Math.sin(2 * Math.PI * (hour - 8) / 24);
      double value =
          level
              * (1 + wave)
              * (weekend ? atWeekend : 1)
              * Math.exp(
                  today
                      + slowly * lasting
                      + fast * random.nextGaussian()
                      + trend * t / (DAYS * DAY));
      value *= random.nextDouble() < bursts ? 4 : 1;
      value *= (int) hour == job ? 5 : 1;
      values[t] = value;
    }
    return values;
  }

  private static double[] hours(double[] values, int hours, int from) {
    double[] means = new double[hours];
    Arrays.setAll(
        means,
        h ->
            h * HOUR < from
                ? Double.NaN
                : Robust.mean(values, h * HOUR, Math.min(values.length, (h + 1) * HOUR)));
    return means;
  }

  /** Victims that were found, machines that were blamed and are none, and those not known. */
  record Score(int named, int wrong, int unknown) {

    Score plus(Score other) {
      return new Score(named + other.named, wrong + other.wrong, unknown + other.unknown);
    }
  }

  Score score() {
    SecondVictims.Found found = SecondVictims.find(delayed, partners, days);
    int named = 0;
    for (SecondVictims.Victim one : found.victims()) {
      named += one.partner().object() >= healthy ? 1 : 0;
    }
    if (found.victims().size() + found.unchanged() + found.unknown() != healthy + victims) {
      throw new IllegalStateException("someone was left out");
    }
    return new Score(named, found.victims().size() - named, found.unknown());
  }
}
