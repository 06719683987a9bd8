package io.peerlens.ingest.mapping;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Unit by metric name pattern; the longest pattern that fits wins. */
final class Units {

  private record Entry(boolean wholeKey, Pattern pattern, String unit) {}

  private final List<Entry> entries;

  Units(Map<String, String> units) {
    entries =
        units.entrySet().stream()
            .sorted(
                Comparator.comparingInt((Map.Entry<String, String> e) -> e.getKey().length())
                    .reversed())
            .map(e -> new Entry(e.getKey().indexOf('|') >= 0, glob(e.getKey()), e.getValue()))
            .toList();
  }

  private static Pattern glob(String text) {
    return Pattern.compile(
        Arrays.stream(text.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*")),
        Pattern.DOTALL);
  }

  @Nullable String of(String group, String metric) {
    String key = group + '|' + metric;
    for (Entry entry : entries) {
      if (entry.pattern.matcher(entry.wholeKey ? key : metric).matches()) {
        return entry.unit;
      }
    }
    return null;
  }
}
