package io.peerlens.notify.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ports and ranges of them; none at all means every port. */
final class PortRanges {

  private static final Pattern RANGE = Pattern.compile("(\\d{1,5})(?:-(\\d{1,5}))?");

  private record Range(int from, int to) {}

  private final List<Range> ranges = new ArrayList<>();

  PortRanges(String key, List<String> texts) {
    for (String text : texts) {
      Matcher range = RANGE.matcher(text.strip());
      if (range.matches()) {
        int from = Integer.parseInt(range.group(1));
        int to = range.group(2) == null ? from : Integer.parseInt(range.group(2));
        if (from >= 1 && from <= to && to <= 65535) {
          ranges.add(new Range(from, to));
          continue;
        }
      }
      throw new IllegalArgumentException(
          key + " holds \"" + text + "\", which is no port and no range such as 8000-8999");
    }
  }

  boolean contains(int port) {
    return ranges.isEmpty()
        || ranges.stream().anyMatch(range -> port >= range.from() && port <= range.to());
  }
}
