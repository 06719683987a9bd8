package io.peerlens.slow;

import io.peerlens.slow.SecondVictims.Compared;
import io.peerlens.slow.SecondVictims.Partner;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Days before a delay, by hour, with which its minutes can be compared: what a machine had while it
 * was delayed by what it had otherwise, against the same hours of each day before. A machine that
 * has less on a whole day is thereby no victim, nor is one that has less at this hour every day.
 *
 * @param hourOf in which hour each step lies
 * @param delayed whether the limit delayed, by hour
 * @param alike how many hours before each day of the same kind lies (working day or weekend); they
 *     are taken when there are enough of them
 * @param all the same of all days
 */
public record DaysBefore(int[] hourOf, boolean[] delayed, int[] alike, int[] all) {

  /** So many days are needed, that the lowest of them by chance is rare. */
  public static final int LEAST = 9;

  /** Steps without a delay that say how much it has today: an hour. */
  private static final int ENOUGH = 12;

  /** Where the six hours have too few, so many hours before them, of at most a day. */
  private static final int HOURS = 3;

  private static final int DAY = 24;
  private static final double KNOWN = 0.75;

  /** No history. */
  public static final DaysBefore NONE =
      new DaysBefore(new int[0], new boolean[0], new int[0], new int[0]);

  /** How many steps of a stretch lie in each hour, and the mean today. */
  private record Stretch(double[] weights, double mean) {

    boolean isKnown() {
      return !Double.isNaN(mean);
    }
  }

  /**
   * Compares a machine.
   *
   * @param during whether the limit delayed, by step
   * @return null = too little history
   */
  @Nullable Compared compare(boolean[] during, Partner partner) {
    if (partner.hours().length == 0 || hourOf.length == 0) {
      return null;
    }
    Stretch slow = stretch(during, true, partner);
    Stretch free = free(during, partner);
    if (!slow.isKnown()) {
      return null;
    }
    double[] usual = ratios(slow, free, partner.hours(), alike);
    if (usual.length < LEAST) {
      usual = ratios(slow, free, partner.hours(), all);
    }
    if (usual.length < LEAST) {
      return null;
    }
    double level = free.isKnown() ? free.mean() : 1;
    double middle = Robust.median(usual, 0, usual.length);
    double expected = middle * level;
    double change = expected > 0 ? slow.mean() / expected - 1 : 0;
    int as = 0;
    for (int d = 0; d < usual.length; d++) {
      double own = usual[d];
      usual[d] = Double.NaN; // each day against the others
      double others = Robust.median(usual, 0, usual.length);
      usual[d] = own;
      as += own / others - 1 <= change ? 1 : 0;
    }
    return new Compared(
        change,
        expected,
        (as + 1.0) / (usual.length + 1.0),
        SecondVictims.isClear(change, usual, middle),
        usual.length);
  }

  private Stretch stretch(boolean[] during, boolean which, Partner partner) {
    double[] weights = new double[delayed.length];
    double sum = 0;
    int count = 0;
    for (int i = 0; i < during.length; i++) {
      double value = partner.throughput()[i];
      if (during[i] == which && !Double.isNaN(value)) {
        weights[hourOf[i]]++;
        sum += value;
        count++;
      }
    }
    return new Stretch(weights, count == 0 ? Double.NaN : sum / count);
  }

  /** Without the delay; the hours before count where the steps are too few. */
  private Stretch free(boolean[] during, Partner partner) {
    Stretch within = stretch(during, false, partner);
    double steps = 0;
    for (double weight : within.weights()) {
      steps += weight;
    }
    if (steps >= ENOUGH) {
      return within;
    }
    double sum = steps == 0 ? 0 : within.mean() * steps;
    double count = steps;
    int hours = 0;
    int first = hourOf[0];
    for (int h = first - 1; h >= Math.max(0, first - DAY) && hours < HOURS; h--) {
      double value = partner.hours()[h];
      if (!delayed[h] && !Double.isNaN(value)) {
        within.weights()[h] += ENOUGH;
        sum += value * ENOUGH;
        count += ENOUGH;
        hours++;
      }
    }
    return new Stretch(within.weights(), count == 0 ? Double.NaN : sum / count);
  }

  /** What it had in the hours of the delay by what it had otherwise, on the days that know it. */
  private double[] ratios(Stretch slow, Stretch free, double[] hours, int[] back) {
    List<Double> found = new ArrayList<>();
    for (int days : back) {
      double during = before(slow, hours, days);
      double otherwise = free.isKnown() ? before(free, hours, days) : 1;
      if (during > 0 && otherwise > 0) {
        found.add(during / otherwise);
      }
    }
    return found.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Mean in the same hours some hours before; NaN = not known, or it was delayed then as well. */
  private double before(Stretch of, double[] hours, int back) {
    double sum = 0;
    double known = 0;
    double all = 0;
    for (int h = 0; h < of.weights().length; h++) {
      double weight = of.weights()[h];
      if (weight > 0) {
        all += weight;
        int at = h - back;
        if (at >= 0 && !delayed[at] && !Double.isNaN(hours[at])) {
          known += weight;
          sum += weight * hours[at];
        }
      }
    }
    return known >= KNOWN * all ? sum / known : Double.NaN;
  }
}
