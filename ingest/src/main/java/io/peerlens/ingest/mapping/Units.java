package io.peerlens.ingest.mapping;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Unit by metric name pattern; the longest pattern that fits wins. What no pattern fits may have a
 * unit among others.
 */
final class Units {

  /** A pattern and its unit. */
  private record Entry(boolean wholeKey, Wildcard pattern, String unit) {}

  private final List<Entry> entries;
  private final @Nullable Units others;

  Units(Map<String, String> units) {
    this(units, null);
  }

  /**
   * @param others asked for metrics that no pattern fits; null = nobody is
   */
  Units(Map<String, String> units, @Nullable Units others) {
    this.others = others;
    entries =
        units.entrySet().stream()
            .sorted(
                Comparator.comparingInt((Map.Entry<String, String> e) -> e.getKey().length())
                    .reversed())
            .map(
                e ->
                    new Entry(e.getKey().indexOf('|') >= 0, new Wildcard(e.getKey()), e.getValue()))
            .toList();
  }

  @Nullable String of(String group, String metric) {
    String key = group + '|' + metric;
    for (Entry entry : entries) {
      if (entry.pattern.fits(entry.wholeKey ? key : metric)) {
        return entry.unit;
      }
    }
    return others == null ? null : others.of(group, metric);
  }
}
