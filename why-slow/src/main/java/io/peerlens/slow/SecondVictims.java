package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Machines that talk with one whose disk is delayed, have no limit themselves, and lost throughput
 * while it was delayed. A fall counts when it is large and when hardly any other stretch of the
 * same length shows one like it: the delayed steps are shifted along the whole history, round its
 * end, which keeps whatever rhythm the series has (a circular shift test).
 */
public final class SecondVictims {

  private static final double FALL = 0.2;
  private static final double BY_CHANCE = 0.1;
  private static final double BELOW = 0.9;
  private static final int LEAST = 3;

  private SecondVictims() {}

  /**
   * A machine that talks with it.
   *
   * @param throughput by step; NaN = not known
   */
  public record Partner(int object, String name, double[] throughput) {}

  /**
   * One that waits.
   *
   * @param change share by which its throughput changed: -0.59 = it fell to 41 %
   * @param below delayed steps in which it was below what it was
   * @param of delayed steps with data
   * @param chance share of the shifted stretches that show a fall as large
   * @param relative its throughput by its median in the other steps
   */
  public record Victim(
      Partner partner, double change, int below, int of, double chance, double[] relative) {}

  /**
   * @param delayed whether the limit delayed, by step
   * @return the one that fell most first
   */
  public static List<Victim> find(boolean[] delayed, List<Partner> partners) {
    List<Victim> victims = new ArrayList<>();
    for (Partner partner : partners) {
      Victim victim = victim(delayed, partner);
      if (victim != null && victim.change() <= -FALL && victim.chance() <= BY_CHANCE) {
        victims.add(victim);
      }
    }
    victims.sort(Comparator.comparingDouble(Victim::change));
    return victims;
  }

  private static @org.jspecify.annotations.Nullable Victim victim(
      boolean[] delayed, Partner partner) {
    double[] values = partner.throughput();
    double change = change(delayed, values, 0);
    if (Double.isNaN(change)) {
      return null;
    }
    double usual = level(delayed, values, 0, false);
    double[] relative = new double[values.length];
    int below = 0;
    int of = 0;
    for (int i = 0; i < values.length; i++) {
      relative[i] = values[i] / usual;
      if (delayed[i] && !Double.isNaN(values[i])) {
        of++;
        below += relative[i] < BELOW ? 1 : 0;
      }
    }
    int as = 0;
    int tried = 0;
    for (int shift = 1; shift < values.length; shift++) {
      double other = change(delayed, values, shift);
      if (!Double.isNaN(other)) {
        tried++;
        as += other <= change ? 1 : 0;
      }
    }
    double chance = (as + 1.0) / (tried + 1.0);
    return new Victim(partner, change, below, of, chance, relative);
  }

  private static double change(boolean[] delayed, double[] values, int shift) {
    double within = level(delayed, values, shift, true);
    double outside = level(delayed, values, shift, false);
    return outside > 0 ? within / outside - 1 : Double.NaN;
  }

  /** Median of the steps in which the shifted delay is, or is not; NaN = too few. */
  private static double level(boolean[] delayed, double[] values, int shift, boolean within) {
    double[] some = new double[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (delayed[(i + shift) % values.length] == within && !Double.isNaN(values[i])) {
        some[count++] = values[i];
      }
    }
    return count < LEAST ? Double.NaN : Robust.median(some, 0, count);
  }
}
