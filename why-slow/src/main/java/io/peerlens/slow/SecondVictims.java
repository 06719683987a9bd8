package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Machines that talk with one whose disk is delayed, have no limit themselves, and lost throughput
 * while it was delayed. What it had is that of the steps around the delay, so that a load that
 * falls all evening is no victim. A fall counts when it is large and when hardly any other stretch
 * shows one like it: each stretch outside of the delay is compared with the one before it (a
 * permutation test by shifts, which keeps whatever rhythm the series has).
 */
public final class SecondVictims {

  private static final double FALL = 0.2;
  private static final double BY_CHANCE = 0.1;
  private static final double BELOW = 0.9;
  private static final int LEAST = 3;

  /** Stretches that are compared are at most an hour of steps of five minutes. */
  private static final int LONGEST = 12;

  private static final int SHARE = 4;

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

  private static @Nullable Victim victim(boolean[] delayed, Partner partner) {
    double[] values = partner.throughput();
    int within = 0;
    for (boolean one : delayed) {
      within += one ? 1 : 0;
    }
    // Such that at least some ten stretches can be compared with the one before them.
    int length = Math.min(within, Math.clamp((values.length - within) / SHARE, LEAST, LONGEST));
    double usual = median(values, i -> !delayed[i] && isNear(delayed, i, length));
    double now = median(values, i -> delayed[i]);
    if (!(usual > 0) || Double.isNaN(now)) {
      return null;
    }
    double change = now / usual - 1;
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
    for (int at = length; at + length <= values.length; at++) {
      int from = at;
      if (IntStream.range(from - length, from + length).anyMatch(i -> delayed[i])) {
        continue;
      }
      double before = median(values, i -> i >= from - length && i < from);
      double after = median(values, i -> i >= from && i < from + length);
      if (before > 0 && !Double.isNaN(after)) {
        tried++;
        as += after / before - 1 <= change ? 1 : 0;
      }
    }
    double chance = (as + 1.0) / (tried + 1.0);
    return new Victim(partner, change, below, of, chance, relative);
  }

  private static boolean isNear(boolean[] delayed, int at, int reach) {
    for (int i = Math.max(0, at - reach); i <= Math.min(delayed.length - 1, at + reach); i++) {
      if (delayed[i]) {
        return true;
      }
    }
    return false;
  }

  /** Median of some steps; NaN = fewer than three have a value. */
  private static double median(double[] values, IntPredicate which) {
    double[] some = new double[values.length];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      if (which.test(i) && !Double.isNaN(values[i])) {
        some[count++] = values[i];
      }
    }
    return count < LEAST ? Double.NaN : Robust.median(some, 0, count);
  }
}
