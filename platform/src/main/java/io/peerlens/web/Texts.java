package io.peerlens.web;

/** Normalises user input (trim, blank to null). */
final class Texts {

  private Texts() {}

  /** What was given, short enough to be shown in an answer, without control characters. */
  static String shorten(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 60 ? plain : plain.substring(0, 57) + "...";
  }

  /** Whether the database can hold the text: it has neither NUL nor half of a surrogate pair. */
  static boolean isStorable(String text) {
    return text.codePoints()
        .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
  }
}
