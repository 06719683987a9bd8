package io.peerlens.baselines.compare;

import io.peerlens.baselines.WeekSlots;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Statistical test of whether two periods of one metric differ more than the metric does by itself.
 *
 * <p>Values are held against those of the same hour ({@link Pairing}). Each gets its rank among all
 * of its hour, so that neither a daily cycle nor a few extreme values matter. The difference of the
 * mean ranks is the <em>effect</em>: how probable it is that a value of the second period is above
 * one of the first at the same hour, less one half (the Mann-Whitney statistic in the strata of Ph.
 * van Elteren, 1960).
 *
 * <p>Values that follow one another resemble each other, so a thousand of them may tell no more
 * than ten that are independent. How far the effect of a period is off by chance is therefore
 * estimated from its slow movements: the weights of its {@value #WAVES} longest cosine waves, which
 * gives a t distribution with as many degrees of freedom for each period (the EWC estimator of E.
 * Lazarus, D. Lewis, J. Stock, M. Watson: HAR Inference: Recommendations for Practice, Journal of
 * Business & Economic Statistics 36, 2018). What waves within the periods cannot show, that a
 * machine wanders from one week to the next, is in {@link #WANDERING}.
 *
 * <p>The interval of the shift holds all shifts that the same test would not refuse, the shift
 * itself is the median of all differences of pairs (J. Hodges, E. Lehmann, 1963). The tail is
 * tested in the same way, with "is above the 95th percentile of both periods" instead of the rank.
 *
 * <p>Nothing is random: the same values give the same answer.
 */
public final class PeriodTest {

  /** Each period needs so many values. */
  public static final int FEWEST = 6;

  /** The probability that an interval holds the shift. */
  public static final double CONFIDENCE = 0.95;

  static final int WAVES = 6;

  /**
   * Errors are so many times as large as they look from within the periods. From half of the
   * Bitbrains traces, see ImpactAccuracy in the module benchmarks and docs/change-impact.md.
   */
  static final double WANDERING = 2.0;

  private static final double TAIL = 0.95;

  /** A pairing is used when this share of the values of one period has a counterpart. */
  private static final double PAIRED = 0.9;

  /** Of more pairs, values that are spread evenly over the order of each hour stand for all. */
  private static final int PAIRS = 50_000;

  private PeriodTest() {}

  /**
   * Effect size and significance of the change of level or tail.
   *
   * @param effect from -0.5 to 0.5; above 0 = higher values in the second period. Of a tail, how
   *     much more often values are in it.
   * @param p the probability of an effect at least as large without any change; NaN = too few
   *     values
   * @param freedom degrees of freedom of the t distribution that p comes from
   */
  public record Effect(double effect, double p, double freedom) {
    static final Effect NONE = new Effect(Double.NaN, Double.NaN, Double.NaN);
  }

  /**
   * The answer. Of values that have a counterpart at their hour; NaN = too few values.
   *
   * @param countA how many values of the first period were compared
   * @param medianA their median
   * @param p95A their 95th percentile
   * @param shift by how much values of the second period are higher, in the metric's unit
   * @param low lower end of its interval; minus infinity = no end can be named
   * @param high upper end of its interval
   * @param effectiveA how many independent values the first period is worth
   */
  public record Result(
      Pairing pairing,
      int countA,
      int countB,
      double medianA,
      double medianB,
      double p95A,
      double p95B,
      double shift,
      double low,
      double high,
      double effectiveA,
      double effectiveB,
      Effect level,
      Effect tail) {

    /** Whether there were enough values for a difference to show. */
    public boolean enough() {
      return !Double.isNaN(level.p());
    }
  }

  /** Compares two periods, which may be of different lengths. */
  public static Result compare(Period a, Period b) {
    Pairing pairing = pairing(a, b);
    Strata strata = new Strata(pairing, a, b);
    double[] sortedA = strata.sorted(a);
    double[] sortedB = strata.sorted(b);
    double medianA = percentile(sortedA, 0.5);
    double medianB = percentile(sortedB, 0.5);
    double p95A = percentile(sortedA, TAIL);
    double p95B = percentile(sortedB, TAIL);
    if (sortedA.length < FEWEST || sortedB.length < FEWEST) {
      return new Result(
          pairing,
          sortedA.length,
          sortedB.length,
          medianA,
          medianB,
          p95A,
          p95B,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Double.NaN,
          Effect.NONE,
          Effect.NONE);
    }
    Scores level = strata.ranks();
    Scores tail = strata.above(percentile(merged(sortedA, sortedB), TAIL));
    double reach =
        TDistribution.of(level.freedom()).inverseSurvivalProbability((1 - CONFIDENCE) / 2)
            * Math.sqrt(level.variance());
    boolean enough = reach < 0.5;
    Pairs pairs = strata.pairs();
    return new Result(
        pairing,
        sortedA.length,
        sortedB.length,
        medianA,
        medianB,
        p95A,
        p95B,
        pairs.quantile(0.5),
        enough ? pairs.quantile(0.5 - reach) : Double.NEGATIVE_INFINITY,
        enough ? pairs.quantile(0.5 + reach) : Double.POSITIVE_INFINITY,
        level.effective(level.varianceA(), sortedA.length),
        level.effective(level.varianceB(), sortedB.length),
        enough ? level.effect() : Effect.NONE,
        enough ? tail.effect() : Effect.NONE);
  }

  private static Pairing pairing(Period a, Period b) {
    for (Pairing pairing : Pairing.values()) {
      int[] countA = counts(pairing, a);
      int[] countB = counts(pairing, b);
      long sharedA = 0;
      long sharedB = 0;
      for (int s = 0; s < countA.length; s++) {
        sharedA += countB[s] > 0 ? countA[s] : 0;
        sharedB += countA[s] > 0 ? countB[s] : 0;
      }
      if (sharedA >= PAIRED * a.count() || sharedB >= PAIRED * b.count()) {
        return pairing;
      }
    }
    return Pairing.NONE;
  }

  private static int[] counts(Pairing pairing, Period period) {
    int[] counts = new int[WeekSlots.SLOTS];
    for (int i = 0; i < period.values().length; i++) {
      if (!Double.isNaN(period.values()[i])) {
        counts[pairing.stratum(period.slots()[i])]++;
      }
    }
    return counts;
  }

  private static double[] merged(double[] a, double[] b) {
    double[] both = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, both, a.length, b.length);
    Arrays.sort(both);
    return both;
  }

  /** Linear between the two nearest values; NaN of none. */
  static double percentile(double[] sorted, double share) {
    if (sorted.length == 0) {
      return Double.NaN;
    }
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }

  /**
   * Scores of the values of both periods, weighted so that each hour counts the same in both.
   *
   * @param mean difference of the mean scores
   * @param pooled variance of one score without a change
   */
  private record Scores(
      double mean, double varianceA, double varianceB, double freedom, double pooled) {

    double variance() {
      return varianceA + varianceB;
    }

    Effect effect() {
      double error = Math.sqrt(variance());
      double t = mean == 0 ? 0 : mean / error;
      return new Effect(
          mean, 2 * TDistribution.of(freedom).survivalProbability(Math.abs(t)), freedom);
    }

    double effective(double variance, int count) {
      return variance == 0 ? count : Math.min(count, pooled / variance);
    }
  }

  /** Quantiles of the differences of all pairs of one hour, weighted by hour. */
  private record Pairs(double[] differences, double[] weights) {

    double quantile(double share) {
      double sum = 0;
      for (int i = 0; i < differences.length; i++) {
        sum += weights[i];
        if (sum >= share) {
          return differences[i];
        }
      }
      return differences[differences.length - 1];
    }
  }

  /** The values of both periods by stratum. Values of strata that only one has do not count. */
  private static final class Strata {
    private final Pairing pairing;
    private final Period a;
    private final Period b;
    private final int[] countA;
    private final int[] countB;

    /** What a stratum counts; all together 1. */
    private final double[] weight;

    Strata(Pairing pairing, Period a, Period b) {
      this.pairing = pairing;
      this.a = a;
      this.b = b;
      countA = counts(pairing, a);
      countB = counts(pairing, b);
      weight = new double[countA.length];
      double sum = 0;
      for (int s = 0; s < weight.length; s++) {
        if (both(s)) {
          // What is known of the difference of two means.
          weight[s] = (double) countA[s] * countB[s] / (countA[s] + countB[s]);
          sum += weight[s];
        }
      }
      for (int s = 0; s < weight.length && sum > 0; s++) {
        weight[s] /= sum;
      }
    }

    private boolean both(int stratum) {
      return countA[stratum] > 0 && countB[stratum] > 0;
    }

    private boolean taken(Period period, int i) {
      return !Double.isNaN(period.values()[i]) && both(pairing.stratum(period.slots()[i]));
    }

    double[] sorted(Period period) {
      double[] sorted = new double[period.values().length];
      int n = 0;
      for (int i = 0; i < sorted.length; i++) {
        if (taken(period, i)) {
          sorted[n++] = period.values()[i];
        }
      }
      sorted = Arrays.copyOf(sorted, n);
      Arrays.sort(sorted);
      return sorted;
    }

    /** The values of each stratum, in order. */
    private double[][] byStratum(Period period, int[] counts) {
      double[][] values = new double[counts.length][];
      int[] n = new int[counts.length];
      for (int s = 0; s < counts.length; s++) {
        values[s] = new double[both(s) ? counts[s] : 0];
      }
      for (int i = 0; i < period.values().length; i++) {
        if (taken(period, i)) {
          int s = pairing.stratum(period.slots()[i]);
          values[s][n[s]++] = period.values()[i];
        }
      }
      for (double[] one : values) {
        Arrays.sort(one);
      }
      return values;
    }

    /** Each value's place among all of its stratum, from 0 to 1, equal values at their mean. */
    Scores ranks() {
      double[][] inA = byStratum(a, countA);
      double[][] inB = byStratum(b, countB);
      double[][] all = new double[inA.length][];
      for (int s = 0; s < all.length; s++) {
        all[s] = merged(inA[s], inB[s]);
      }
      return scores(
          (s, value) ->
              (first(all[s], value, false) + first(all[s], value, true)) / 2.0 / all[s].length);
    }

    /** Whether a value is in the tail; on its edge counts one half. */
    Scores above(double edge) {
      return scores((s, value) -> value > edge ? 1 : value == edge ? 0.5 : 0);
    }

    private interface Score {
      double of(int stratum, double value);
    }

    private Scores scores(Score score) {
      double[] scoresA = scores(a, score);
      double[] scoresB = scores(b, score);
      double meanA = mean(a, scoresA, countA);
      double meanB = mean(b, scoresB, countB);
      double pooled = pooled(scoresA, scoresB);
      double varianceA = variance(a, scoresA, countA, meanA, pooled);
      double varianceB = variance(b, scoresB, countB, meanB, pooled);
      double sum = varianceA + varianceB;
      double freedomA = waves(a);
      double freedomB = waves(b);
      double freedom =
          sum == 0
              ? freedomA + freedomB
              : sum * sum / (varianceA * varianceA / freedomA + varianceB * varianceB / freedomB);
      return new Scores(meanB - meanA, varianceA, varianceB, freedom, pooled);
    }

    private double[] scores(Period period, Score score) {
      double[] scores = new double[period.values().length];
      for (int i = 0; i < scores.length; i++) {
        scores[i] =
            taken(period, i)
                ? score.of(pairing.stratum(period.slots()[i]), period.values()[i])
                : Double.NaN;
      }
      return scores;
    }

    private double share(Period period, int i, int[] counts) {
      int s = pairing.stratum(period.slots()[i]);
      return weight[s] / counts[s];
    }

    private double mean(Period period, double[] scores, int[] counts) {
      double mean = 0;
      for (int i = 0; i < scores.length; i++) {
        mean += Double.isNaN(scores[i]) ? 0 : share(period, i, counts) * scores[i];
      }
      return mean;
    }

    private static double pooled(double[] a, double[] b) {
      double[] both = merged(a, b);
      double sum = 0;
      double squares = 0;
      int n = 0;
      for (double score : both) {
        if (!Double.isNaN(score)) {
          sum += score;
          squares += score * score;
          n++;
        }
      }
      return Math.max(0, squares / n - sum / n * sum / n);
    }

    /**
     * Of the mean score of a period. Never less than if its values were independent, which holds
     * for values that are all the same, too.
     */
    private double variance(
        Period period, double[] scores, int[] counts, double mean, double pooled) {
      int n = scores.length;
      int waves = waves(period);
      double sum = 0;
      for (int wave = 1; wave <= waves; wave++) {
        double weight = 0;
        for (int i = 0; i < n; i++) {
          if (!Double.isNaN(scores[i])) {
            weight +=
                share(period, i, counts)
                    * (scores[i] - mean)
                    * Math.cos(Math.PI * wave * (i + 0.5) / n);
          }
        }
        sum += weight * weight;
      }
      double independent = 0;
      for (int i = 0; i < n; i++) {
        if (!Double.isNaN(scores[i])) {
          double share = share(period, i, counts);
          independent += share * share * pooled;
        }
      }
      return WANDERING * WANDERING * Math.max(2 * sum / waves, independent);
    }

    private static int waves(Period period) {
      return Math.max(2, Math.min(WAVES, period.count() / 3));
    }

    Pairs pairs() {
      double[][] inA = byStratum(a, countA);
      double[][] inB = byStratum(b, countB);
      long strata = Arrays.stream(weight).filter(w -> w > 0).count();
      int most = (int) Math.sqrt((double) PAIRS / strata);
      int n = 0;
      for (int s = 0; s < inA.length; s++) {
        inA[s] = spread(inA[s], most);
        inB[s] = spread(inB[s], most);
        n += inA[s].length * inB[s].length;
      }
      record Pair(double difference, double weight) {}
      Pair[] pairs = new Pair[n];
      int next = 0;
      for (int s = 0; s < inA.length; s++) {
        for (double before : inA[s]) {
          for (double after : inB[s]) {
            pairs[next++] =
                new Pair(after - before, weight[s] / ((double) inA[s].length * inB[s].length));
          }
        }
      }
      Arrays.sort(pairs, (x, y) -> Double.compare(x.difference(), y.difference()));
      return new Pairs(
          Arrays.stream(pairs).mapToDouble(Pair::difference).toArray(),
          Arrays.stream(pairs).mapToDouble(Pair::weight).toArray());
    }

    private static double[] spread(double[] sorted, int most) {
      if (sorted.length <= most) {
        return sorted;
      }
      double[] some = new double[most];
      for (int i = 0; i < most; i++) {
        some[i] = percentile(sorted, (i + 0.5) / most);
      }
      return some;
    }

    /** The first place of a value in an ordered list, or the place after its last. */
    private static int first(double[] sorted, double value, boolean after) {
      int low = 0;
      int high = sorted.length;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (sorted[middle] < value || (after && sorted[middle] == value)) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }
}
