package io.peerlens.sizing;

import java.util.Arrays;

/**
 * Snapshot of a machine, judged by age, size and growth.
 *
 * @param name as its maker called it
 * @param days since it was made
 * @param gb that it takes now; NaN = not known
 * @param gbPerDay growth: the median of the slopes between all pairs of the last sizes (Theil-Sen);
 *     NaN = fewer than two sizes a day apart
 * @param old older than the rule allows
 * @param large larger than the rule allows
 * @param reason in one sentence
 */
public record Snapshot(
    String name,
    double days,
    double gb,
    double gbPerDay,
    boolean old,
    boolean large,
    String reason) {

  /**
   * Days that a snapshot may be kept, unless another number is given: what the field asks for
   * (published super metric "VM snapshots older than 7 days",
   * brockpeterson/operations_supermetrics). VMware's own advice is stricter: {@value #ADVISED_DAYS}
   * days.
   */
  public static final int USUAL_DAYS = 7;

  /** No more than 72 hours (VMware knowledge base 1025279, best practices for snapshots). */
  public static final int ADVISED_DAYS = 3;

  /**
   * GB from which one is large, unless another number is given. Ours: a disk of a small machine.
   */
  public static final double USUAL_GB = 50;

  private static final double DAY = 86_400;

  /** Sizes that are looked at: the last ones. */
  private static final int MOST_SIZES = 200;

  /**
   * Judges a snapshot.
   *
   * @param created seconds since 1970
   * @param now seconds since 1970
   * @param times of measured sizes, ascending, seconds since 1970
   * @param sizes in GB, as many; NaN = no value
   * @throws IllegalArgumentException the arrays differ in length, it is made in the future by more
   *     than a day, or a bound is not above zero
   */
  public static Snapshot of(
      String name,
      long created,
      long now,
      long[] times,
      double[] sizes,
      int mostDays,
      double mostGb) {
    if (times.length != sizes.length) {
      throw new IllegalArgumentException(
          "There are " + times.length + " times and " + sizes.length + " sizes of a snapshot.");
    }
    if (created - now > DAY) {
      throw new IllegalArgumentException(
          "The snapshot " + name + " is made in the future. Check the clock of vCenter.");
    }
    if (mostDays < 1 || !(mostGb > 0)) {
      throw new IllegalArgumentException("The days and GB of a snapshot must be above zero.");
    }
    double days = Math.max(0, (now - created) / DAY);
    double gb = Double.NaN;
    for (double size : sizes) {
      gb = Double.isNaN(size) ? gb : size;
    }
    double perDay = growth(times, sizes);
    boolean old = days > mostDays;
    boolean large = gb > mostGb;
    return new Snapshot(name, days, gb, perDay, old, large, reason(days, gb, perDay, old, large));
  }

  private static double growth(long[] times, double[] sizes) {
    int first = Math.max(0, times.length - MOST_SIZES);
    double[] slopes = new double[MOST_SIZES * (MOST_SIZES - 1) / 2];
    int n = 0;
    for (int a = first; a < times.length; a++) {
      for (int b = a + 1; b < times.length; b++) {
        double days = (times[b] - times[a]) / DAY;
        if (days >= 1 && !Double.isNaN(sizes[b] - sizes[a])) {
          slopes[n++] = (sizes[b] - sizes[a]) / days;
        }
      }
    }
    double[] sorted = Arrays.copyOf(slopes, n);
    Arrays.sort(sorted);
    return Quantiles.of(sorted, 0.5);
  }

  private static String reason(double days, double gb, double perDay, boolean old, boolean large) {
    StringBuilder text = new StringBuilder();
    text.append(old ? "It is old" : large ? "It is large" : "It is young and small");
    text.append(old && large ? " and large: " : ": ").append(Say.days(days)).append(", ");
    text.append(Double.isNaN(gb) ? "its size is not known" : Say.gigabytes(gb));
    if (perDay > 0.05) {
      text.append(", growing by ").append(Say.gigabytes(perDay)).append(" a day");
    }
    if (days > ADVISED_DAYS) {
      text.append(" (VMware advises ").append(ADVISED_DAYS).append(" days at most)");
    }
    return text.append('.').toString();
  }
}
