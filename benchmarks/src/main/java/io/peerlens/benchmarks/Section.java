package io.peerlens.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts of a page that are written by different runs. A part stands between two comments that name
 * it, {@code <!-- begin NAME -->} and {@code <!-- end NAME -->}, and each run replaces its own.
 */
public final class Section {

  private static final Pattern ANY =
      Pattern.compile("<!-- begin ([a-z -]+) -->\\n.*?<!-- end \\1 -->\\n", Pattern.DOTALL);

  private Section() {}

  /**
   * Replaces a part of a page, or adds it at the end.
   *
   * @param name of lower-case letters, blanks and hyphens
   */
  public static void write(Path page, String name, String text) throws IOException {
    String begin = "<!-- begin " + name + " -->\n";
    String end = "<!-- end " + name + " -->\n";
    String before = Files.exists(page) ? Files.readString(page) : "";
    String part = begin + text + (text.endsWith("\n") ? "" : "\n") + end;
    int from = before.indexOf(begin);
    int until = before.indexOf(end);
    Files.writeString(
        page,
        from >= 0 && until > from
            ? before.substring(0, from) + part + before.substring(until + end.length())
            : before + (before.isEmpty() ? "" : "\n") + part);
  }

  /** Replaces all of a page but the parts with names. */
  public static void writeRest(Path page, String text) throws IOException {
    StringBuilder all = new StringBuilder(text);
    if (Files.exists(page)) {
      for (Matcher m = ANY.matcher(Files.readString(page)); m.find(); ) {
        all.append('\n').append(m.group());
      }
    }
    Files.writeString(page, all);
  }
}
