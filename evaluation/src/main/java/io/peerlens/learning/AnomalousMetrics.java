package io.peerlens.learning;

import io.peerlens.ingest.key.MetricKey;
import io.peerlens.store.Level;
import io.peerlens.store.SampleReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Metrics of one object that are outside their learned bounds, by the same measure as {@link
 * AnomalyCounts}. Thread-safe.
 */
final class AnomalousMetrics {

  private final LearningQueries queries;
  private final SampleReader reader;

  AnomalousMetrics(LearningQueries queries, SampleReader reader) {
    this.queries = queries;
    this.reader = reader;
  }

  /**
   * A metric that is outside.
   *
   * @param value mean of the window
   * @param lower bound at medium sensitivity
   * @param upper bound at medium sensitivity
   * @param beyond distance to the nearer bound, in spreads of the metric, each at least {@link
   *     AnomalyCounts#LEAST_SHARE} of that bound; infinite if both are 0
   */
  record Anomaly(MetricKey key, double value, double lower, double upper, double beyond) {}

  /**
   * Metrics that are outside.
   *
   * @param judged how many metrics have a value and bounds
   * @param outside the farthest beyond its bounds first
   */
  record Found(int judged, List<Anomaly> outside) {}

  /** In the window that ends at a moment. */
  Found find(int object, Instant end) {
    List<LearningQueries.Bounds> bounds = queries.bounds(object, end.minusMillis(1));
    int width = bounds.stream().mapToInt(LearningQueries.Bounds::position).max().orElse(-1) + 1;
    SetMeans means = new SetMeans(width);
    reader.read(
        Level.RAW,
        bounds.stream().mapToInt(LearningQueries.Bounds::set).distinct().toArray(),
        IntStream.range(0, width).toArray(),
        Set.of(),
        Level.micros(end.minus(AnomalyCounts.WINDOW)),
        Level.micros(end),
        means::add);
    int judged = 0;
    List<Anomaly> outside = new ArrayList<>();
    for (LearningQueries.Bounds of : bounds) {
      double value = means.of(of.set(), of.position());
      if (!Double.isNaN(value) && !Float.isNaN(of.upper())) {
        judged++;
        if (AnomalyCounts.isOutside(value, of.lower(), of.upper(), of.spread())) {
          outside.add(anomaly(of, value));
        }
      }
    }
    outside.sort(
        Comparator.comparingDouble(Anomaly::beyond)
            .reversed()
            .thenComparing(anomaly -> anomaly.key().toString()));
    return new Found(judged, outside);
  }

  private static Anomaly anomaly(LearningQueries.Bounds of, double value) {
    double low = AnomalyCounts.low(of.lower(), of.spread());
    double high = AnomalyCounts.high(of.upper(), of.spread());
    double nearer = value < low ? low : high;
    double step = Math.max(of.spread(), AnomalyCounts.LEAST_SHARE * Math.abs(nearer));
    return new Anomaly(of.key(), value, low, high, Math.abs(value - nearer) / step);
  }
}
