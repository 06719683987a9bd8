package io.peerlens.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parts of a page that are written by different runs. A part stands between two comments that name
 * it, {@code <!-- begin NAME -->} and {@code <!-- end NAME -->}, and each run replaces its own. The
 * part {@link #SUMMARY} stands below the title, the others at the end.
 */
public final class Section {

  /** The part that stands below the title of the page. */
  public static final String SUMMARY = "summary";

  private static final Pattern ANY =
      Pattern.compile("\\n?<!-- begin ([a-z -]+) -->\\n(.*?)<!-- end \\1 -->\\n", Pattern.DOTALL);

  private Section() {}

  /**
   * Replaces a part of a page, or adds it.
   *
   * @param name of lower-case letters, blanks and hyphens
   */
  public static void write(Path page, String name, String text) throws IOException {
    String before = Files.exists(page) ? Files.readString(page) : "";
    Map<String, String> parts = parts(before);
    parts.put(name, text.endsWith("\n") ? text : text + "\n");
    Files.writeString(page, page(ANY.matcher(before).replaceAll(""), parts));
  }

  /** Replaces all of a page but the parts with names. */
  public static void writeRest(Path page, String text) throws IOException {
    Files.writeString(page, page(text, parts(Files.exists(page) ? Files.readString(page) : "")));
  }

  private static Map<String, String> parts(String page) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (Matcher m = ANY.matcher(page); m.find(); ) {
      parts.put(m.group(1), m.group(2));
    }
    return parts;
  }

  private static String page(String rest, Map<String, String> parts) {
    StringBuilder page = new StringBuilder(rest);
    parts.forEach(
        (name, text) -> {
          String part = "<!-- begin " + name + " -->\n" + text + "<!-- end " + name + " -->\n";
          int title = page.indexOf("\n") + 1;
          if (name.equals(SUMMARY) && title > 0) {
            page.insert(title, "\n" + part);
          } else {
            page.append(page.isEmpty() ? "" : "\n").append(part);
          }
        });
    return page.toString();
  }
}
