package io.peerlens.report.picture;

import java.text.Bidi;

/** Letters of texts that anybody may have written, as they can be drawn. */
final class Letters {

  private Letters() {}

  /**
   * The text without marks that turn text around, which make one name look like another, and with
   * spaces for control characters.
   */
  static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            letter -> {
              if (turns(letter)) {
                return;
              }
              switch (Character.getType(letter)) {
                case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR ->
                    plain.append(' ');
                case Character.SURROGATE, Character.UNASSIGNED -> plain.append('?');
                default -> plain.appendCodePoint(letter);
              }
            });
    return plain.toString();
  }

  private static boolean turns(int letter) {
    return (letter >= 0x202a && letter <= 0x202e)
        || (letter >= 0x2066 && letter <= 0x2069)
        || letter == 0x200e
        || letter == 0x200f
        || letter == 0x061c;
  }

  /** Whether the form of a letter depends on those beside it. */
  static boolean joins(int letter) {
    return Character.getDirectionality(letter) == Character.DIRECTIONALITY_RIGHT_TO_LEFT_ARABIC;
  }

  /**
   * The letters from left to right, for what draws them one after the other; a text with letters
   * that join stays as it is.
   */
  static String visual(String text) {
    if (text.codePoints().anyMatch(Letters::joins)
        || !Bidi.requiresBidi(text.toCharArray(), 0, text.length())) {
      return text;
    }
    Bidi bidi = new Bidi(text, Bidi.DIRECTION_LEFT_TO_RIGHT);
    int runs = bidi.getRunCount();
    byte[] levels = new byte[runs];
    String[] parts = new String[runs];
    for (int i = 0; i < runs; i++) {
      levels[i] = (byte) bidi.getRunLevel(i);
      String part = text.substring(bidi.getRunStart(i), bidi.getRunLimit(i));
      parts[i] = levels[i] % 2 == 0 ? part : new StringBuilder(part).reverse().toString();
    }
    Bidi.reorderVisually(levels, 0, parts, 0, runs);
    return String.join("", parts);
  }
}
