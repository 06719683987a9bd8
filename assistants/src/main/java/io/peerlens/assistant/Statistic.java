package io.peerlens.assistant;

import io.peerlens.api.model.Aggregation;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Statistic that an assistant can ask for: an aggregation by its name, or a percentile such as
 * {@code p95}.
 *
 * @param percentile null = of another aggregation
 */
record Statistic(Aggregation aggregation, @Nullable Double percentile) {
  static final Statistic MEAN = new Statistic(Aggregation.AVG, null);

  private static final List<Integer> PERCENTILES = List.of(50, 95, 99);

  /** All names. */
  static List<String> names() {
    return Stream.concat(
            Arrays.stream(Aggregation.values())
                .filter(one -> one != Aggregation.PERCENTILE)
                .map(Aggregation::getValue),
            PERCENTILES.stream().map(one -> "p" + one))
        .toList();
  }

  /** The statistic of a name of {@link #names}; null = the mean. */
  static Statistic of(@Nullable String name) {
    if (name == null) {
      return MEAN;
    }
    for (int percentile : PERCENTILES) {
      if (name.equals("p" + percentile)) {
        return new Statistic(Aggregation.PERCENTILE, (double) percentile);
      }
    }
    return new Statistic(Aggregation.fromValue(name), null);
  }

  String name() {
    return percentile == null ? aggregation.getValue() : "p" + Math.round(percentile);
  }
}
