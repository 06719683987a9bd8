package io.peerlens.series;

import io.peerlens.ingest.key.MetricKey;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Metric sets and positions behind pairs of an object and a metric. Thread-safe. */
@FunctionalInterface
public interface SeriesLines {

  /**
   * A metric of an object: where its values are.
   *
   * @param unit null = not known
   */
  record Line(
      UUID object, MetricKey metric, @Nullable String unit, int groupId, int setId, int position) {}

  /**
   * Lines of pairs of an object and a metric, by object and metric in the order of the request; a
   * pair without values has none.
   */
  List<Line> lines(List<UUID> objects, List<MetricKey> metrics);
}
