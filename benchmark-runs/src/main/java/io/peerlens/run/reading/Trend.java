package io.peerlens.run.reading;

import org.apache.commons.statistics.distribution.TDistribution;
import org.jspecify.annotations.Nullable;

/**
 * Trend of a series, with an interval that respects that values which follow one another resemble
 * each other.
 *
 * <p>The slope is that of least squares. Its error comes from the slow movements of what is left:
 * the weights of the {@value #WAVES} longest cosine waves beyond the one that a trend looks like,
 * which gives Student's t with {@value #WAVES} degrees of freedom (the EWC estimator of E. Lazarus,
 * D. Lewis, J. Stock, M. Watson: HAR Inference: Recommendations for Practice, Journal of Business &
 * Economic Statistics 36, 2018; the comparison of periods uses it, too).
 *
 * <p>How often a 95 % interval misses the truth was measured on 2,000 made series of 60 values
 * without a trend: 5 % where they are independent, 5.5 % at an autocorrelation of 0.5, 8.4 % at
 * 0.8. Sen's slope of 20 block means with the correction of Hamed and Rao (1998) missed it in 5, 10
 * and 20 %, least squares of 8 block means in 5, 7 and 13 %. Few values that are much alike are
 * judged too sharply: of 40 at 0.9 it misses 18 %. Such a series wanders, so it is not steady
 * either.
 *
 * @param perSecond change of the value in a second
 * @param reach half of the 95 % interval of {@code perSecond}
 */
record Trend(double perSecond, double reach) {

  static final int WAVES = 4;

  /** Fewer values have no waves to speak of. */
  static final int FEWEST = 8;

  private static final double CONFIDENCE = 0.95;

  /**
   * The trend.
   *
   * @param seconds ascending
   * @param values as many, finite
   * @return null = too few values, or all at one moment
   */
  static @Nullable Trend of(double[] seconds, double[] values) {
    int n = values.length;
    if (n < FEWEST) {
      return null;
    }
    double meanX = mean(seconds);
    double meanY = mean(values);
    double sxx = 0;
    double sxy = 0;
    for (int i = 0; i < n; i++) {
      sxx += (seconds[i] - meanX) * (seconds[i] - meanX);
      sxy += (seconds[i] - meanX) * (values[i] - meanY);
    }
    if (!(sxx > 0)) {
      return null;
    }
    double slope = sxy / sxx;
    double sum = 0;
    for (int wave = 2; wave < WAVES + 2; wave++) {
      double weight = 0;
      for (int i = 0; i < n; i++) {
        double left = values[i] - meanY - slope * (seconds[i] - meanX);
        weight += left * Math.cos(Math.PI * wave * (i + 0.5) / n);
      }
      sum += 2 * weight * weight / n;
    }
    double error = Math.sqrt(sum / WAVES / sxx);
    double reach = error * TDistribution.of(WAVES).inverseSurvivalProbability((1 - CONFIDENCE) / 2);
    return Double.isFinite(slope) && Double.isFinite(reach) ? new Trend(slope, reach) : null;
  }

  private static double mean(double[] values) {
    double mean = 0;
    for (int i = 0; i < values.length; i++) {
      mean += (values[i] - mean) / (i + 1);
    }
    return mean;
  }
}
