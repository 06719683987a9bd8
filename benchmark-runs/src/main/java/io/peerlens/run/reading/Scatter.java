package io.peerlens.run.reading;

import java.util.Arrays;
import java.util.Collection;
import org.apache.commons.statistics.distribution.ChiSquaredDistribution;
import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Run-to-run scatter: by how much repeated runs of the same parameters differ.
 *
 * <p>The coefficient of variation is the standard deviation as a share of the mean. Its interval is
 * the modified one of McKay (M. Vangel: Confidence intervals for a normal coefficient of variation,
 * The American Statistician 50, 1996), which is good for coefficients below about a third.
 *
 * <p>The least detectable difference is the change that two sets of as many repeats each would show
 * at 95 % confidence in 80 % of the cases: {@code (t(0.975) + t(0.8)) s sqrt(2 / n)}, with
 * Student's t of {@code 2 (n - 1)} degrees of freedom (G. Snedecor, W. Cochran: Statistical
 * Methods).
 *
 * @param count of the repeats, at least 2
 * @param mean not 0
 * @param deviation standard deviation of one run, in the unit of the values
 * @param percent coefficient of variation
 * @param interval of {@code percent} at 95 %; null = no upper end can be named
 * @param leastDifference least detectable difference, per cent of the mean
 */
public record Scatter(
    int count,
    double mean,
    double deviation,
    double percent,
    @Nullable Interval interval,
    double leastDifference) {

  static final double CONFIDENCE = 0.95;
  static final double POWER = 0.8;

  /** Per cent; runs of one system that differ more are seldom repeats. */
  private static final double WIDE = 20;

  /**
   * The scatter of repeats.
   *
   * @param repeats one figure of each; those that are not finite do not count
   * @return null = fewer than two, or their mean is 0
   */
  public static @Nullable Scatter of(Collection<Double> repeats) {
    double[] values =
        repeats.stream().mapToDouble(Double::doubleValue).filter(Double::isFinite).toArray();
    int n = values.length;
    double mean = Arrays.stream(values).average().orElse(0);
    if (n < 2 || mean == 0 || !Double.isFinite(mean)) {
      return null;
    }
    double squares = Arrays.stream(values).map(one -> (one - mean) * (one - mean)).sum();
    double deviation = Math.sqrt(squares / (n - 1));
    double share = deviation / Math.abs(mean);
    TDistribution t = TDistribution.of(2.0 * (n - 1));
    double least =
        (t.inverseSurvivalProbability((1 - CONFIDENCE) / 2) + t.inverseCumulativeProbability(POWER))
            * share
            * Math.sqrt(2.0 / n);
    return Double.isFinite(least)
        ? new Scatter(n, mean, deviation, 100 * share, interval(share, n), 100 * least)
        : null;
  }

  private static @Nullable Interval interval(double share, int n) {
    ChiSquaredDistribution chi = ChiSquaredDistribution.of(n - 1.0);
    double low = end(share, n, chi.inverseSurvivalProbability((1 - CONFIDENCE) / 2));
    double high = end(share, n, chi.inverseCumulativeProbability((1 - CONFIDENCE) / 2));
    return Interval.of(100 * low, 100 * high);
  }

  private static double end(double share, int n, double u) {
    double root = ((u + 2) / n - 1) * share * share + u / (n - 1);
    return root > 0 ? share / Math.sqrt(root) : Double.POSITIVE_INFINITY;
  }

  /** Scatter of 3 repeats: 1.9 % (1 to 12). Two such sets show a difference from 5.8 % on. */
  public String sentence() {
    String within =
        interval == null
            ? ""
            : " (%s to %s)"
                .formatted(Wording.rough(interval.low()), Wording.rough(interval.high()));
    String doubt =
        percent > WIDE ? " So much is more than scatter: look for what else differs." : "";
    return "Scatter of %s: %s %%%s. Two such sets show a difference from %s %% on.%s"
        .formatted(
            Wording.count(count, "repeat", "repeats"),
            Wording.rough(percent),
            within,
            Wording.rough(leastDifference),
            doubt);
  }
}
