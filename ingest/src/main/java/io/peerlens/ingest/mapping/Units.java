package io.peerlens.ingest.mapping;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Unit by metric name pattern; the longest pattern that fits wins. */
final class Units {

  private record Entry(String pattern, String unit) {}

  private final List<Entry> entries;

  Units(Map<String, String> units) {
    entries =
        units.entrySet().stream()
            .map(e -> new Entry(e.getKey(), e.getValue()))
            .sorted(Comparator.comparingInt((Entry e) -> e.pattern.length()).reversed())
            .toList();
  }

  @Nullable String of(String group, String metric) {
    String key = group + '|' + metric;
    for (Entry entry : entries) {
      String pattern = entry.pattern;
      if (fits(pattern, pattern.indexOf('|') >= 0 ? key : metric)) {
        return entry.unit;
      }
    }
    return null;
  }

  private static boolean fits(String pattern, String text) {
    boolean anyStart = pattern.startsWith("*");
    boolean anyEnd = pattern.length() > 1 && pattern.endsWith("*");
    String core = pattern.substring(anyStart ? 1 : 0, pattern.length() - (anyEnd ? 1 : 0));
    if (anyStart && anyEnd) {
      return text.contains(core);
    }
    if (anyStart) {
      return text.endsWith(core);
    }
    return anyEnd ? text.startsWith(core) : text.equals(core);
  }
}
