package io.peerlens.event.decode;

/** Texts of senders, so that a database takes them. */
public final class Texts {

  private Texts() {}

  /**
   * A text without NUL and half characters, without white space at its ends.
   *
   * @param most characters at most; what is longer ends with three points
   */
  public static String clean(String text, int most) {
    StringBuilder clean = new StringBuilder();
    String plain = text.strip();
    int[] left = {most};
    plain
        .codePoints()
        .filter(c -> c != 0 && (c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE))
        .takeWhile(c -> left[0]-- > 0)
        .forEach(clean::appendCodePoint);
    if (left[0] < 0) {
      clean.setLength(Math.max(0, clean.offsetByCodePoints(clean.length(), -Math.min(3, most))));
      return clean.append("...").toString();
    }
    return clean.toString().strip();
  }
}
