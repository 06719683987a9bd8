package io.peerlens.benchmarks.learned;

import io.peerlens.baselines.WeekSlots;
import io.peerlens.baselines.compare.Direction;
import io.peerlens.baselines.compare.Period;
import io.peerlens.baselines.compare.PeriodComparison;
import io.peerlens.baselines.compare.PeriodVerdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * How well changes are told from what a machine does by itself: two periods of real traces that
 * follow one another, unchanged, and with a change put into the second one. Prints the tables of
 * docs/change-impact.md.
 *
 * <pre>ImpactAccuracy CORPUS [PAIRS]</pre>
 *
 * <p>Beside it Welch's t test over the same means: at its nominal 5 %, and with the limit at which
 * it is wrong as often as the comparison is on the same unchanged pairs.
 */
public final class ImpactAccuracy {

  private static final long SEED = 20261122;
  private static final int PATTERN_MINUTES = 6 * 60;

  /** Lengths of periods that are compared by five minutes, and by the minute; in minutes. */
  private static final int[] LONG = {6 * 60, 24 * 60, 72 * 60, 168 * 60};

  private static final int[] SHORT = {30, 60, 120};

  /** Welch's t at 5 % with more than a hundred values. */
  private static final double NOMINAL = 1.96;

  private static final double RELATIVE = 0.03;

  /** What is put into the second period. */
  private enum Injected {
    NOTHING("unchanged"),
    SHIFT_5("+5 %"),
    SHIFT_10("+10 %"),
    SHIFT_20("+20 %"),
    TAIL("highest tenth x 1.5"),
    VARIANCE("spread x 1.5"),
    PATTERN("day 6 h later"),
    RAMP("ramp to +30 %");

    private final String text;

    Injected(String text) {
      this.text = text;
    }
  }

  /**
   * What both found in a period.
   *
   * @param told whether the comparison tells of a change
   * @param t the distance of the means in standard errors
   */
  private record Found(boolean told, double t) {}

  private ImpactAccuracy() {}

  public static void main(String[] args) throws IOException {
    int pairs = args.length > 1 ? Integer.parseInt(args[1]) : 1000;
    List<ImpactTraces.Series> all = ImpactTraces.read(Path.of(args[0]));
    for (boolean kept : new boolean[] {false, true}) {
      tables(
          "Bitbrains, " + (kept ? "kept aside" : "used to choose the constants"),
          all.stream().filter(s -> s.kept() == kept).toList(),
          ImpactTraces.STEP_SECONDS / 60,
          LONG,
          pairs);
    }
    tables("SMD, by the minute", ImpactTraces.minutes(Path.of(args[0])), 1, SHORT, pairs);
  }

  /**
   * Prints a table.
   *
   * @param minutes of a step
   * @param lengths of periods, in minutes
   */
  private static void tables(
      String name, List<ImpactTraces.Series> series, int minutes, int[] lengths, int pairs) {
    System.out.printf(
        "%n%s: %d series, %d pairs of periods of each length%n%n", name, series.size(), pairs);
    System.out.print("| periods | test |");
    for (Injected injected : Injected.values()) {
      System.out.print(" " + injected.text + " |");
    }
    System.out.println("\n|---|---|" + "---|".repeat(Injected.values().length));
    for (int length : lengths) {
      table(length, found(series, minutes, length / minutes, pairs));
    }
  }

  /** Found[injected][pair]; the same pairs for all that is injected. */
  private static Found[][] found(
      List<ImpactTraces.Series> series, int minutes, int steps, int pairs) {
    int pattern = PATTERN_MINUTES / minutes;
    Random random = new Random(SEED + steps);
    WeekSlots slots = new WeekSlots(ZoneOffset.UTC);
    Found[][] found = new Found[Injected.values().length][pairs];
    for (int pair = 0; pair < pairs; ) {
      ImpactTraces.Series of = series.get(random.nextInt(series.size()));
      int first = steps + pattern;
      int room = of.values().length - first - steps;
      if (room <= 0) {
        continue;
      }
      int change = first + random.nextInt(room);
      Period before = period(of, minutes, change - steps, change, 0, slots);
      Period after = period(of, minutes, change, change + steps, 0, slots);
      if (sorted(before).length < steps / 2 || sorted(after).length < steps / 2) {
        continue;
      }
      for (Injected injected : Injected.values()) {
        Period changed =
            injected == Injected.PATTERN
                ? period(of, minutes, change, change + steps, pattern, slots)
                : changed(after, injected);
        found[injected.ordinal()][pair] =
            new Found(told(before, changed), welch(sorted(before), sorted(changed)));
      }
      pair++;
    }
    return found;
  }

  private static boolean told(Period before, Period after) {
    PeriodVerdict judgement =
        PeriodComparison.compare(
                List.of(new PeriodComparison.Metric(before, after, Direction.NEITHER, RELATIVE, 0)))
            .getFirst()
            .judgement();
    return judgement == PeriodVerdict.DIFFERENT;
  }

  private static void table(int minutes, Found[][] found) {
    double[] t = Arrays.stream(found[0]).mapToDouble(Found::t).sorted().toArray();
    long wrong = Arrays.stream(found[0]).filter(Found::told).count();
    double limit = t[t.length - 1 - (int) wrong];
    boolean pattern = minutes > PATTERN_MINUTES;
    int hours = minutes / 60;
    String length =
        hours < 1
            ? minutes + " min"
            : hours < 24 ? hours + " h" : hours == 24 ? "1 day" : hours / 24 + " days";
    System.out.print("| " + length + " | Peerlens |");
    print(found, pattern, Found::told);
    System.out.print("\n| | t test, nominal 5 % |");
    print(found, pattern, f -> f.t() > NOMINAL);
    System.out.printf("%n| | t test, as often wrong (t > %.1f) |", limit);
    print(found, pattern, f -> f.t() > limit);
    System.out.println();
  }

  /** A period of six hours that comes six hours later is the one before it: nothing to compare. */
  private static void print(Found[][] found, boolean pattern, Predicate<Found> told) {
    for (Injected injected : Injected.values()) {
      Found[] of = found[injected.ordinal()];
      System.out.print(
          injected == Injected.PATTERN && !pattern
              ? " - |"
              : " %.1f %% |".formatted(100.0 * Arrays.stream(of).filter(told).count() / of.length));
    }
  }

  /**
   * A stretch of a series.
   *
   * @param minutes of a step
   * @param later by so many steps its values come later than they were
   */
  private static Period period(
      ImpactTraces.Series of, int minutes, int from, int to, int later, WeekSlots weekSlots) {
    int[] slots = new int[to - from];
    for (int i = 0; i < slots.length; i++) {
      slots[i] = weekSlots.slot(Math.floorDiv(of.first() + from + i, 60 / minutes));
    }
    return new Period(Arrays.copyOfRange(of.values(), from - later, to - later), slots);
  }

  private static Period changed(Period after, Injected injected) {
    double[] sorted = sorted(after);
    double median = sorted[sorted.length / 2];
    double high = sorted[(int) (0.9 * (sorted.length - 1))];
    double[] values = after.values().clone();
    for (int i = 0; i < values.length; i++) {
      double value = values[i];
      values[i] =
          switch (injected) {
            case NOTHING, PATTERN -> value;
            case SHIFT_5 -> 1.05 * value;
            case SHIFT_10 -> 1.1 * value;
            case SHIFT_20 -> 1.2 * value;
            case TAIL -> value > high ? 1.5 * value : value;
            case VARIANCE -> Math.max(0, median + 1.5 * (value - median));
            case RAMP -> value * (1 + 0.3 * i / values.length);
          };
    }
    return new Period(values, after.slots());
  }

  private static double[] sorted(Period period) {
    return Arrays.stream(period.values()).filter(v -> !Double.isNaN(v)).sorted().toArray();
  }

  private static double welch(double[] a, double[] b) {
    double error = squaredError(a) + squaredError(b);
    double distance = Math.abs(mean(a) - mean(b));
    return distance == 0 ? 0 : distance / Math.sqrt(error);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  private static double squaredError(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return squares / (values.length - 1) / values.length;
  }
}
