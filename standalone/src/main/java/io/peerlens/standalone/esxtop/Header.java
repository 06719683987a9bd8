package io.peerlens.standalone.esxtop;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * First line of a file: the zone of its times, its host and where each column goes.
 *
 * @param columns how many there are, with that of the times
 * @param host as esxtop names it; empty when no column names one
 * @param minutesToUtc to be added to its times; null = the header does not tell
 */
record Header(
    int columns, String host, String zone, @Nullable Integer minutesToUtc, List<Wanted> wanted) {

  private static final byte[] BEGIN = "\"(PDH-CSV".getBytes(StandardCharsets.US_ASCII);

  /** A column that is sent. */
  record Wanted(int column, ColumnTable.Target target) {}

  /** Where a header begins within a line; -1 = nowhere. */
  static int find(byte[] bytes, int from, int to) {
    outer:
    for (int i = from; i <= to - BEGIN.length; i++) {
      for (int j = 0; j < BEGIN.length; j++) {
        if (bytes[i + j] != BEGIN[j]) {
          continue outer;
        }
      }
      return i;
    }
    return -1;
  }

  static boolean begins(byte[] bytes, int from, int to) {
    return find(bytes, from, Math.min(to, from + BEGIN.length)) == from;
  }

  /** Reads a header, which {@link #begins}. */
  static Header parse(byte[] bytes, int from, int to, ColumnTable table) {
    List<Wanted> wanted = new ArrayList<>();
    String host = "";
    String first = "";
    int column = 0;
    CellCursor cells = new CellCursor(bytes, from, to);
    while (cells.next()) {
      String text = cells.text();
      if (column == 0) {
        first = text;
      } else {
        ColumnName name = ColumnName.parse(text);
        if (name != null) {
          if (host.isEmpty()) {
            host = name.host();
          }
          ColumnTable.Target target = table.target(name);
          if (target != null) {
            wanted.add(new Wanted(column, target));
          }
        }
      }
      column++;
    }
    return new Header(column, host, zone(first), minutesToUtc(first), wanted);
  }

  /** {@code (PDH-CSV 4.0) (UTC)(0)}: name of the zone, and minutes from its time to UTC. */
  private static String zone(String first) {
    int end = first.lastIndexOf(")(");
    int begin = end < 0 ? -1 : first.indexOf(") (");
    return begin < 0 || begin + 3 > end ? "" : first.substring(begin + 3, end);
  }

  private static @Nullable Integer minutesToUtc(String first) {
    int begin = first.lastIndexOf('(');
    int end = first.lastIndexOf(')');
    try {
      return begin < 0 || end < begin ? null : Integer.valueOf(first.substring(begin + 1, end));
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
