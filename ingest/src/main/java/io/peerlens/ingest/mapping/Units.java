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

  /**
   * A pattern and its unit.
   *
   * @param parts the texts between the asterisks, in order; one part = no asterisk
   */
  private record Entry(boolean wholeKey, List<String> parts, String unit) {

    /**
     * Whether the whole text fits. Each part is taken at the first place behind the one before, so
     * that the time grows with the length of the text and not with the number of asterisks.
     */
    boolean fits(String text) {
      String first = parts.getFirst();
      if (parts.size() == 1) {
        return text.equals(first);
      }
      String last = parts.getLast();
      int end = text.length() - last.length();
      int at = first.length();
      if (at > end || !text.startsWith(first) || !text.endsWith(last)) {
        return false;
      }
      for (String part : parts.subList(1, parts.size() - 1)) {
        int found = text.indexOf(part, at);
        if (found < 0 || found + part.length() > end) {
          return false;
        }
        at = found + part.length();
      }
      return true;
    }
  }

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
                    new Entry(
                        e.getKey().indexOf('|') >= 0,
                        List.of(e.getKey().split("\\*", -1)),
                        e.getValue()))
            .toList();
  }

  @Nullable String of(String group, String metric) {
    String key = group + '|' + metric;
    for (Entry entry : entries) {
      if (entry.fits(entry.wholeKey ? key : metric)) {
        return entry.unit;
      }
    }
    return others == null ? null : others.of(group, metric);
  }
}
