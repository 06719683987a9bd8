package io.peerlens.assistant;

import java.text.Normalizer;

/**
 * Texts of the inventory as data for a model. Whoever names a virtual machine could write to the
 * model: what cannot be seen is taken out, what would become a link or an image is broken up, and
 * the length is bounded. What remains is shown as it is, as a member of a JSON object.
 */
final class PlainText {

  /** Longest name of an object, key or the like. */
  static final int NAME = 200;

  /** Longest text of an alert, note or property. */
  static final int TEXT = 1_000;

  private static final String REST = "… (cut)";

  private PlainText() {}

  /**
   * Cleans a text.
   *
   * @param most characters it may have
   */
  static String of(String text, int most) {
    // A text that is far too long is cut before it is looked at, with room for what is taken out.
    String given = text.length() > 4 * most ? text.substring(0, 4 * most) : text;
    StringBuilder plain = new StringBuilder(Math.min(given.length(), most) + REST.length());
    boolean space = false;
    int count = 0;
    for (int i = 0; i < given.length(); ) {
      int c = given.codePointAt(i);
      i += Character.charCount(c);
      if (Character.isWhitespace(c) || Character.isSpaceChar(c) || Character.isISOControl(c)) {
        space = !plain.isEmpty();
        continue;
      }
      if (isInvisible(c)) {
        continue;
      }
      if (count >= most) {
        return linkless(plain) + REST;
      }
      if (space) {
        plain.append(' ');
        space = false;
        count++;
      }
      plain.appendCodePoint(c);
      count++;
    }
    String cleaned = linkless(plain);
    return given.length() < text.length() ? cleaned + REST : cleaned;
  }

  /** Half of a surrogate pair, marks of direction, characters without width, tags, private use. */
  private static boolean isInvisible(int c) {
    return switch (Character.getType(c)) {
      case Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.CONTROL ->
          true;
      default ->
          c >= 0xFE00 && c <= 0xFE0F // variation selectors can carry hidden bytes
              || c >= 0xE0000 && c <= 0xE0FFF
              || c == 0x115F
              || c == 0x1160
              || c == 0x3164
              || c == 0xFFA0
              || c == 0x034F;
    };
  }

  /** Of {@code [text](address)} and {@code ![](address)} no program makes a link or an image. */
  private static String linkless(CharSequence text) {
    return Normalizer.normalize(text, Normalizer.Form.NFC)
        .replace("](", "] (")
        .replace("][", "] [")
        .replaceAll("<(?=[a-zA-Z/!?])", "‹")
        .replace("```", "'''");
  }
}
