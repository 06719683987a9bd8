package io.peerlens.run.read;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a CSV: cells may be in quotes, a quote in them is doubled, and they may hold line ends.
 */
final class Csv implements Closeable {

  private static final int MOST_CELLS = 20_000;

  private final Lines lines;
  private final char separator;
  private int line;

  Csv(InputStream in, char separator) throws IOException {
    lines = new Lines(in);
    this.separator = separator;
  }

  /** The first line of the row that {@link #next} gave last. */
  int line() {
    return line;
  }

  /**
   * @return null = there are no more
   */
  @Nullable List<String> next() throws IOException {
    String text = lines.next();
    if (text == null) {
      return null;
    }
    line = lines.number();
    List<String> cells = new ArrayList<>();
    StringBuilder cell = new StringBuilder();
    boolean quoted = false;
    int i = 0;
    while (true) {
      if (i == text.length()) {
        if (!quoted) {
          break;
        }
        text = lines.next();
        if (text == null || cell.length() > Lines.LONGEST) {
          throw new UnreadableException(
              line, "A quote that begins in this row does not end", "Close or remove the quote.");
        }
        cell.append('\n');
        i = 0;
        continue;
      }
      char c = text.charAt(i++);
      if (quoted) {
        if (c != '"') {
          cell.append(c);
        } else if (i < text.length() && text.charAt(i) == '"') {
          cell.append('"');
          i++;
        } else {
          quoted = false;
        }
      } else if (c == '"' && cell.isEmpty()) {
        quoted = true;
      } else if (c == separator) {
        add(cells, cell);
      } else {
        cell.append(c);
      }
    }
    add(cells, cell);
    return cells;
  }

  private void add(List<String> cells, StringBuilder cell) {
    if (cells.size() >= MOST_CELLS) {
      throw new UnreadableException(
          line, "The row has more than %,d cells".formatted(MOST_CELLS), "Leave the file out.");
    }
    cells.add(cell.toString());
    cell.setLength(0);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
