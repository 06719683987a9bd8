package io.peerlens.slow;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Machines that talk with one whose disk is delayed, have no limit themselves, and lost throughput
 * while it was delayed.
 *
 * <p>With history, what it has by what it had without the delay is held against the same hours of
 * the days before ({@link DaysBefore}), so that neither a load that falls every evening nor a calm
 * day is a victim. A delay of up to an hour is also held against the minutes around it: hours hide
 * how much minutes differ. Without history there are only these minutes, and of a longer delay
 * nothing can be said.
 */
public final class SecondVictims {

  private static final double FALL = 0.2;
  private static final double BY_CHANCE = 0.1;
  private static final double BELOW = 0.9;
  private static final int LEAST = 3;

  /**
   * Standard deviations that a normal value exceeds once in 5,000 times: far more machines are
   * looked at than wait. Of few values, more are needed, about as Student's t has it.
   */
  private static final double RARE = 3.54;

  private static final double OF_FEW = 5;

  /** Least deviation that is believed, as a share. */
  private static final double CALM = 0.03;

  private static final double TINY = 0.001;

  /** So many stretches have to be compared, that one of them by chance is no more than that. */
  private static final int STRETCHES = 9;

  /** Steps of the longest delay that is held against the minutes around it: an hour. */
  public static final int SHORT = 12;

  private static final int SHARE = 4;

  private SecondVictims() {}

  /**
   * A machine that talks with it.
   *
   * @param throughput by step; NaN = not known
   * @param hours its means by hour, as {@link DaysBefore} counts hours; empty = no history
   */
  public record Partner(int object, String name, double[] throughput, double[] hours) {}

  /**
   * One that waits.
   *
   * @param change share by which its throughput changed: -0.59 = it fell to 41 %
   * @param below delayed steps in which it was below what was to be expected
   * @param of delayed steps with data
   * @param chance share of what it was compared with that shows a fall as large
   * @param relative its throughput by what was to be expected while it was delayed
   * @param days how many days it was compared with; 0 = with the minutes around the delay alone
   */
  public record Victim(
      Partner partner,
      double change,
      int below,
      int of,
      double chance,
      double[] relative,
      int days) {}

  /**
   * What was found.
   *
   * @param victims the one that fell most first
   * @param unchanged how many did not fall
   * @param unknown of how many it is not known
   * @param days with how many days they were compared, at most; 0 = with none
   * @param minutes whether they were compared with the minutes around the delay
   */
  public record Found(
      List<Victim> victims, int unchanged, int unknown, int days, boolean minutes) {}

  /**
   * A comparison.
   *
   * @param expected what was to be expected in the delayed steps
   * @param clear whether the fall is beyond what differs anyway
   * @param days 0 = with minutes
   */
  record Compared(double change, double expected, double chance, boolean clear, int days) {

    /** Whether it fell, and hardly anything else did. */
    boolean isFall() {
      return change <= -FALL && chance <= BY_CHANCE;
    }
  }

  /**
   * @param delayed whether the limit delayed, by step
   */
  public static Found find(boolean[] delayed, List<Partner> partners, DaysBefore days) {
    int length = (int) IntStream.range(0, delayed.length).filter(i -> delayed[i]).count();
    List<Victim> victims = new ArrayList<>();
    int unchanged = 0;
    int unknown = 0;
    int most = 0;
    boolean minutes = false;
    for (Partner partner : partners) {
      boolean isShort = length <= SHORT;
      Compared around = isShort ? around(delayed, length, partner.throughput()) : null;
      Compared byDays = days.compare(delayed, partner);
      Compared said = byDays == null ? around : byDays;
      if (said == null || (isShort && around == null)) {
        unknown++;
        continue;
      }
      most = Math.max(most, said.days());
      minutes |= around != null;
      if (said.isFall() && said.clear() && (around == null || around.isFall())) {
        victims.add(victim(delayed, partner, said));
      } else {
        unchanged++;
      }
    }
    victims.sort(Comparator.comparingDouble(Victim::change));
    return new Found(victims, unchanged, unknown, most, minutes);
  }

  private static Victim victim(boolean[] delayed, Partner partner, Compared said) {
    double[] relative =
        Arrays.stream(partner.throughput()).map(value -> value / said.expected()).toArray();
    int below = 0;
    int of = 0;
    for (int i = 0; i < relative.length; i++) {
      if (delayed[i] && !Double.isNaN(relative[i])) {
        of++;
        below += relative[i] < BELOW ? 1 : 0;
      }
    }
    return new Victim(partner, said.change(), below, of, said.chance(), relative, said.days());
  }

  /**
   * Compares with the steps around the delay. A fall counts when hardly any other stretch shows one
   * like it: each stretch outside of the delay is compared with the one before it (a permutation
   * test by shifts, which keeps whatever rhythm the series has). And hardly any other stretch may
   * be as low: where a job ends, a machine falls back to what it always has.
   *
   * @return null = too few steps without a delay
   */
  private static @Nullable Compared around(boolean[] delayed, int within, double[] values) {
    int length = Math.min(within, Math.max(LEAST, (values.length - within) / SHARE));
    double usual = median(values, i -> !delayed[i] && isNear(delayed, i, length));
    double now = median(values, i -> delayed[i]);
    if (Double.isNaN(usual) || Double.isNaN(now)) {
      return null;
    }
    double change = usual > 0 ? now / usual - 1 : 0;
    double[] medians = new double[values.length - length + 1];
    double[] ratios = new double[medians.length];
    int tried = 0;
    int low = 0;
    int known = 0;
    for (int at = 0; at < medians.length; at++) {
      int from = at;
      boolean free = IntStream.range(from, from + length).noneMatch(i -> delayed[i]);
      medians[at] = free ? median(values, i -> i >= from && i < from + length) : Double.NaN;
      double before = at < length ? Double.NaN : medians[at - length];
      if (!Double.isNaN(medians[at])) {
        known++;
        low += medians[at] <= now ? 1 : 0;
        if (before > 0) {
          ratios[tried++] = medians[at] / before;
        }
      }
    }
    if (tried < STRETCHES) {
      return null;
    }
    long fallen = Arrays.stream(ratios, 0, tried).filter(one -> one - 1 <= change).count();
    boolean clear = low <= BY_CHANCE * known && isClear(change, Arrays.copyOf(ratios, tried), 1);
    return new Compared(change, usual, (fallen + 1.0) / (tried + 1.0), clear, 0);
  }

  /**
   * Whether a fall is beyond what differs anyway.
   *
   * @param change share, below 0 for a fall
   * @param ratios what differs, by a middle
   */
  static boolean isClear(double change, double[] ratios, double middle) {
    // All count: few ratios must not seem calmer than they are.
    double squares =
        Arrays.stream(ratios)
            .map(one -> Math.log(Math.max(TINY, one / middle)))
            .map(one -> one * one)
            .sum();
    double deviation = Math.sqrt(squares / Math.max(1, ratios.length - 1));
    double needed = RARE * (1 + OF_FEW / ratios.length);
    return Math.log1p(change) < -needed * Math.max(CALM, deviation);
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
