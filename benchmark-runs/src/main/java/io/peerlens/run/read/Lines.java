package io.peerlens.run.read;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import org.jspecify.annotations.Nullable;

/** Lines of a text, one by one, none of them longer than is sensible. */
final class Lines implements Closeable {

  /** Characters; the longest that a tool writes are vdbench's, of some 2,000. */
  static final int LONGEST = 1 << 20;

  private final Reader reader;
  private final char[] buffer = new char[1 << 16];
  private final StringBuilder part = new StringBuilder();
  private int from;
  private int to;
  private int number;

  Lines(InputStream in) throws IOException {
    reader = Texts.reader(in);
  }

  /** The line that {@link #next} gave last, from 1. */
  int number() {
    return number;
  }

  /**
   * @return null = there are no more
   * @throws UnreadableException a line is too long
   */
  @Nullable String next() throws IOException {
    part.setLength(0);
    while (true) {
      for (int i = from; i < to; i++) {
        if (buffer[i] == '\n') {
          String line = line(i);
          from = i + 1;
          return line;
        }
      }
      part.append(buffer, from, to - from);
      if (part.length() > LONGEST) {
        throw new UnreadableException(
            number + 1,
            "The line is longer than %,d characters".formatted(LONGEST),
            "This is no output of a benchmark; leave the file out.");
      }
      from = 0;
      to = Math.max(0, reader.read(buffer));
      if (to == 0) {
        if (part.isEmpty()) {
          return null;
        }
        number++;
        return withoutReturn(part.toString());
      }
    }
  }

  private String line(int end) {
    number++;
    if (part.isEmpty()) {
      return withoutReturn(new String(buffer, from, end - from));
    }
    return withoutReturn(part.append(buffer, from, end - from).toString());
  }

  private static String withoutReturn(String line) {
    return line.endsWith("\r") ? line.substring(0, line.length() - 1) : line;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
