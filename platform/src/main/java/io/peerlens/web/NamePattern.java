package io.peerlens.web;

/**
 * Pattern of names as users write it: {@code *} stands for any text, everything else for itself,
 * upper and lower case are alike, and the whole name must match. It becomes a pattern of SQL's
 * LIKE, whose time grows with the lengths of pattern and name only; what users write has 200
 * characters at most.
 */
public final class NamePattern {

  private NamePattern() {}

  /** Whether a text is more than a name. */
  public static boolean isPattern(String text) {
    return text.indexOf('*') >= 0;
  }

  /** The pattern for {@code ilike}, without an escape clause. */
  public static String like(String text) {
    return text.replace("\\", "\\\\")
        .replace("%", "\\%")
        .replace("_", "\\_")
        .replaceAll("\\*+", "%");
  }
}
