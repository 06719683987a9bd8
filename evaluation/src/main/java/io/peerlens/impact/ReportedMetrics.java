package io.peerlens.impact;

import io.peerlens.ingest.key.MetricKey;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Metrics that some objects report, or did once.
 *
 * @param parts what is reported together, each with one instance
 */
record ReportedMetrics(List<Part> parts) {

  /** Stands for all instances in a key. */
  static final String ALL = "*";

  /**
   * A group of metrics with one instance.
   *
   * @param units unit of each metric; empty = not known
   */
  record Part(String group, String instance, Map<String, String> units) {}

  /**
   * The keys that a key stands for: itself, or one for each instance. Empty = it names instances
   * and there are none.
   */
  List<MetricKey> expand(MetricKey key) {
    if (!key.instance().equals(ALL)) {
      return List.of(key);
    }
    return parts.stream()
        .filter(part -> !part.instance().isEmpty() && has(part, key))
        .map(part -> new MetricKey(part.group(), part.instance(), key.metric()))
        .distinct()
        .toList();
  }

  /**
   * Finds a metric that a goal names: as it is, else of all instances.
   *
   * @return null = the objects have no such metric
   */
  @Nullable MetricKey find(String name) {
    MetricKey key = MetricKey.parse(name);
    MetricKey found = null;
    for (Part part : parts) {
      if (has(part, key)) {
        if (part.instance().isEmpty()) {
          return key;
        }
        found = new MetricKey(key.group(), ALL, key.metric());
      }
    }
    return found;
  }

  /** The unit of a metric; null = not known. */
  @Nullable String unit(MetricKey key) {
    return parts.stream()
        .filter(part -> has(part, key))
        .map(part -> part.units().getOrDefault(key.metric(), ""))
        .filter(unit -> !unit.isBlank())
        .findFirst()
        .orElse(null);
  }

  private static boolean has(Part part, MetricKey key) {
    return part.group().equals(key.group()) && part.units().containsKey(key.metric());
  }
}
